// A disk that is full, a limit on a file's size, and a PostgreSQL that is killed, all under load: whoever writes is told so,
// what was acknowledged stays, and writing goes on as soon as it can, in the same process.
import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chownSync, mkdtempSync, rmdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "node:test"
import pg from "pg"
import { openStorage } from "../../src/storage/open.ts"
import { ledger } from "../services/ledger.ts"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { connectFaces } from "../support/open-service.ts"
import { ownPostgres } from "../support/own-postgres.ts"
import { makeLedger } from "./ledger.ts"
import { losses, startWriter, storedIn, type Writer } from "./writing.ts"

const writers = 8
const rounds = process.env["BIFOLD_PROOF"] === "full" ? 10 : 2
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface Load {
  readonly acknowledged: ReadonlySet<string>
  /** How often each outcome has been told. */
  readonly outcomes: ReadonlyMap<string, number>
  until(condition: () => boolean): Promise<void>
  stop(): Promise<void>
}

/** Several who go on writing whatever they are told. */
function applyLoad(hooks: Hooks, writer: Writer, size: number): Load {
  const acknowledged = new Set<string>()
  const outcomes = new Map<string, number>()
  // PostgreSQL would make little of one that repeats itself.
  const text = randomBytes(size).toString("base64").slice(0, size)
  let stopped = false
  const loops = Array.from({ length: writers }, async (_, loop) => {
    for (let count = 0; !stopped; count += 1) {
      const number = `${loop}-${count}`
      const outcome = await writer.write({ number, lines: [text, text] })
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (outcome === "lost") break
      if (outcome === "done") acknowledged.add(number)
      else await pause(10)
    }
  })
  hooks.after(() => {
    stopped = true
  })
  return {
    acknowledged,
    outcomes,
    async until(condition) {
      const deadline = Date.now() + 60_000
      while (!condition()) {
        if (Date.now() > deadline || outcomes.has("lost"))
          throw new Error(`Only ${JSON.stringify([...outcomes])} so far.`)
        await pause(5)
      }
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
    },
  }
}

const times = ({ outcomes }: Load, outcome: string): number => outcomes.get(outcome) ?? 0

/** One more than there are. */
const goesOn = (load: Load, outcome: string): Promise<void> => {
  const before = times(load, outcome)
  return load.until(() => times(load, outcome) > before)
}

async function finish(load: Load, writer: Writer, address: string, expected: string): Promise<void> {
  await load.stop()
  await writer.end()
  assert.deepEqual([...load.outcomes.keys()].toSorted(), ["done", expected].toSorted())
  assert.deepEqual(losses(await storedIn(address), load.acknowledged), [])
}

/** A small disk of memory, for whoever may mount one. */
function mountSmall(hooks: Hooks, megabytes = 2): { readonly folder: string; enlarge(): void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "bifold-test-disk-"))
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "bifold-test", folder])
  hooks.after(() => {
    if (status === 0) execFileSync("umount", ["-l", folder])
    rmdirSync(folder)
  })
  if (status !== 0) return undefined
  return { folder, enlarge: () => void execFileSync("mount", ["-o", "remount,size=64m", folder]) }
}

describe("a SQLite file that cannot grow", () => {
  it("on a full disk is 507 for who writes, and is written again when there is room", async (test) => {
    const disk = mountSmall(test)
    if (!disk) return test.skip("only root may mount a small disk")
    const address = await makeLedger(join(disk.folder, "ledger.sqlite"))
    const writer = await startWriter(test, address)
    const load = applyLoad(test, writer, 5_000)
    await load.until(() => times(load, "storage_full") > 3 * writers)
    assert.ok(times(load, "done") > 0)
    disk.enlarge()
    for (let more = 0; more < 3 * writers; more += 1) await goesOn(load, "done")
    await finish(load, writer, address, "storage_full")
  })

  it("is told by both faces with when to come again", async (test) => {
    const disk = mountSmall(test)
    if (!disk) return test.skip("only root may mount a small disk")
    const address = await makeLedger(join(disk.folder, "ledger.sqlite"))
    const storage = await openStorage(address, { writes: "durable" })
    const { graphql, rest } = connectFaces(loadOpen(ledger), storage)
    const filled: number[] = []
    const text = "x".repeat(90_000)
    const create = async (number: string) => {
      const input = { number, lineCount: 1, lines: { create: [{ position: 1, text }] } }
      const headers = { "content-type": "application/json" }
      const body = Buffer.from(JSON.stringify(input))
      return rest({ method: "POST", path: "/receipts", query: "", headers, body })
    }
    let answer = await create("0")
    for (let more = 1; answer.status === 201 && more < 100; more += 1) {
      filled.push(answer.status)
      answer = await create(`${more}`)
    }
    const query = `mutation ($text: String!) { createReceipt(input: {number: "g", lineCount: 1, lines: {create: [{position: 1, text: $text}]}}) { receipt { id } } }`
    const byGraphql = await graphql({ body: { query, variables: { text } } })
    await storage.close()
    assert.ok(filled.length > 0)
    assert.deepEqual(
      [answer, byGraphql].map(({ status, headers }) => [status, headers["retry-after"]]),
      [
        [507, "5"],
        [507, "5"],
      ],
    )
    assert.equal(JSON.parse(byGraphql.body).errors[0].extensions.code, "storage_full")
  })

  it("beyond the size that a file may have is 503, and is written again when it may grow", async (test) => {
    const address = await makeLedger(join(await temporaryFolder(test), "ledger.sqlite"))
    const writer = await startWriter(test, address)
    const allow = (size: string): void =>
      void execFileSync("prlimit", ["--pid", String(writer.pid), `--fsize=${size}`])
    const load = applyLoad(test, writer, 5_000)
    await goesOn(load, "done")
    allow("300000:unlimited")
    await load.until(() => times(load, "storage_unavailable") > 3 * writers)
    allow("unlimited:unlimited")
    for (let more = 0; more < 3 * writers; more += 1) await goesOn(load, "done")
    await finish(load, writer, address, "storage_unavailable")
  })
})

describe("a PostgreSQL whose disk is full", () => {
  it("is 507 for who writes, and is written again when there is room", async (test) => {
    // Before the disk, which is removed in this order: the server must not be using it any more.
    const server = await ownPostgres(test)
    const disk = mountSmall(test, 16)
    if (!disk) return test.skip("only root may mount a small disk")
    const address = await makeLedger(await databaseOn(server.url, disk.folder))
    const writer = await startWriter(test, address)
    const load = applyLoad(test, writer, 50_000)
    await load.until(() => times(load, "storage_full") > 3 * writers)
    assert.ok(times(load, "done") > 0)
    disk.enlarge()
    for (let more = 0; more < 3 * writers; more += 1) await goesOn(load, "done")
    await finish(load, writer, address, "storage_full")
  })
})

/** The address of a new database of the server whose tables are in a folder. */
async function databaseOn(url: string, folder: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory")
  const { uid, gid } = statSync(rows[0]?.data_directory ?? "")
  chownSync(folder, uid, gid)
  await client.query(`CREATE TABLESPACE small LOCATION '${folder}'`)
  await client.query("CREATE DATABASE small TABLESPACE small")
  await client.end()
  return Object.assign(new URL(url), { pathname: "/small" }).href
}

describe("a PostgreSQL that is killed", () => {
  it("is 503 for who writes, and is written again when it is back", async (test) => {
    const server = await ownPostgres(test)
    const address = await makeLedger(server.url)
    const writer = await startWriter(test, address)
    const load = applyLoad(test, writer, 100)
    for (let round = 0; round < rounds; round += 1) {
      await goesOn(load, "done")
      await pause(Math.random() * 300)
      await server.kill()
      await goesOn(load, "storage_unavailable")
      await server.revive()
      for (let more = 0; more < 3 * writers; more += 1) await goesOn(load, "done")
    }
    await finish(load, writer, address, "storage_unavailable")
  })
})
