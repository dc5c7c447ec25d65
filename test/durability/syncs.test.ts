// What is acknowledged has been synced to the disk before, and writes that wait together share a sync: counted, since no
// killed process loses what the operating system holds.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import pg from "pg"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { ownPostgres } from "../support/own-postgres.ts"
import { ledgerDatabase, makeLedger } from "./ledger.ts"
import { startWriter, type Writer, type WriterOptions } from "./writing.ts"

const writes = 20
const together = 128
/** Only the proof insists on it. */
const without =
  process.env["BIFOLD_PROOF"] !== "full" && spawnSync("strace", ["-V"]).error
    ? "strace, which sees the system calls, is not installed"
    : false

const receipt = (number: number) => ({ number: `r${number}`, lines: ["one", "two"] })

async function oneAfterTheOther(writer: Writer): Promise<void> {
  for (let number = 0; number < writes; number += 1) assert.equal(await writer.write(receipt(number)), "done")
}

async function allTogether(writer: Writer): Promise<void> {
  const outcomes = await Promise.all(
    Array.from({ length: together }, (_, number) => writer.write(receipt(number))),
  )
  assert.deepEqual([...new Set(outcomes)], ["done"])
}

/** System calls of a writer on SQLite, in their order: a sync of the log, or an acknowledgement. */
async function traced(
  hooks: Hooks,
  manner: NonNullable<WriterOptions["manner"]>,
  work: (writer: Writer) => Promise<void>,
): Promise<readonly ("sync" | "told")[]> {
  const file = join(await temporaryFolder(hooks), "trace.txt")
  const under = ["strace", "-f", "-y", "-e", "trace=fsync,fdatasync,write", "-o", file]
  const writer = await startWriter(hooks, await ledgerDatabase(hooks, "sqlite"), { manner, under })
  await work(writer)
  await writer.end()
  return readTrace(readFileSync(file, "utf8"))
}

/** A call that another thread's interrupts is told in two lines: it has happened at the second. */
function readTrace(text: string): readonly ("sync" | "told")[] {
  const begun = new Set<string>()
  return text.split("\n").flatMap((line): ("sync" | "told")[] => {
    const [thread = ""] = line.split(" ", 1)
    if (/write\(1<.*"\{\\"number/.test(line)) return ["told"]
    if (/f(data)?sync\(\d+<.*-wal>/.test(line)) {
      if (!line.includes("unfinished")) return ["sync"]
      begun.add(thread)
    }
    return /f(data)?sync resumed/.test(line) && begun.delete(thread) ? ["sync"] : []
  })
}

/** How many acknowledgements came without a sync since the one before. */
const early = (calls: readonly ("sync" | "told")[]): number =>
  calls.filter((call, index) => call === "told" && calls[index - 1] !== "sync").length

const count = (calls: readonly string[], what: string): number => calls.filter((call) => call === what).length

describe("syncs of a SQLite file's log", { skip: without }, () => {
  it("come before each acknowledgement", async (test) => {
    const calls = await traced(test, "honest", oneAfterTheOther)
    assert.deepEqual([count(calls, "told"), early(calls)], [writes, 0])
    assert.ok(count(calls, "sync") >= writes)
  })

  it("are missed where a write is acknowledged before it is done", async (test) => {
    const calls = await traced(test, "hasty", oneAfterTheOther)
    assert.equal(count(calls, "told"), writes)
    assert.ok(early(calls) > 0)
  })

  it("are shared by writes that wait together", async (test) => {
    const calls = await traced(test, "honest", allTogether)
    assert.equal(count(calls, "told"), together)
    assert.ok(calls.indexOf("sync") < calls.indexOf("told"))
    assert.ok(count(calls, "sync") <= together / 8, `${count(calls, "sync")} syncs`)
    test.diagnostic(`${together} writes, ${count(calls, "sync")} syncs`)
  })
})

describe("syncs of PostgreSQL's log", () => {
  it("are at least as many as acknowledgements that follow one another", async (test) => {
    const { url } = await ownPostgres(test)
    const before = await syncsOf(await makeLedger(url))
    const writer = await startWriter(test, url)
    await oneAfterTheOther(writer)
    // Its connections report what they did when they end.
    await writer.end()
    const counted = (await syncsOf(url)) - before
    assert.ok(counted >= writes, `${counted} syncs of ${writes} writes`)
  })
})

/** Of all processes but those that tidy up: writers of the log and of checkpoints sync by themselves. */
async function syncsOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ syncs: number }>(
    "SELECT coalesce(sum(fsyncs), 0)::int AS syncs FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend'",
  )
  await client.end()
  return rows[0]?.syncs ?? 0
}
