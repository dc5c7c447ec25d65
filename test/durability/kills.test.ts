// A process that is killed while it writes: what it acknowledged is there, and nothing is there in part. SIGKILL leaves
// what the operating system has not written to the disk yet, which a power cut would not: syncs.test.ts counts syncs.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { ownPostgres } from "../support/own-postgres.ts"
import { ledgerDatabase, makeLedger } from "./ledger.ts"
import { losses, startWriter, storedIn, type WriterOptions } from "./writing.ts"

const kills = process.env["BIFOLD_PROOF"] === "full" ? 200 : 3
const writers = 8

interface Course {
  readonly address: string
  readonly acknowledged: Set<string>
  /** Of the writes that were under way when the process was killed. */
  lost: number
}

/** Eight writers at once, until the process is killed. */
async function writeUntilKilled(
  hooks: Hooks,
  course: Course,
  life: { readonly name: string; readonly milliseconds: number } & WriterOptions,
): Promise<void> {
  const writer = await startWriter(hooks, course.address, life)
  const loops = Array.from({ length: writers }, async (_, loop) => {
    for (let count = 0; ; count += 1) {
      const number = `${life.name}-${loop}-${count}`
      const lines = Array.from({ length: 1 + (count % 4) }, (_, line) => `${number} ${line}`)
      const outcome = await writer.write({ number, lines })
      if (outcome === "lost") break
      assert.equal(outcome, "done")
      course.acknowledged.add(number)
    }
    course.lost += 1
  })
  // However slow the machine is: each life writes something.
  const enough = course.acknowledged.size + 2 * writers
  const look = setInterval(() => {
    if (course.acknowledged.size < enough) return
    clearInterval(look)
    setTimeout(() => void writer.kill(), life.milliseconds)
  }, 5)
  await Promise.all(loops)
}

const durableLedger = async (hooks: Hooks, database: Database): Promise<string> =>
  database === "sqlite" ? ledgerDatabase(hooks, database) : makeLedger((await ownPostgres(hooks)).url)

describe("a process that is killed while it writes", () => {
  for (const database of dialects)
    it(`loses nothing that it acknowledged, and leaves nothing half done, on ${database}`, async (test) => {
      const course: Course = {
        address: await durableLedger(test, database),
        acknowledged: new Set(),
        lost: 0,
      }
      for (let kill = 0; kill < kills; kill += 1)
        await writeUntilKilled(test, course, { name: `${kill}`, milliseconds: 20 + Math.random() * 300 })
      const stored = await storedIn(course.address)
      assert.deepEqual(losses(stored, course.acknowledged), [])
      assert.equal(course.lost, kills * writers)
      assert.ok(course.acknowledged.size > kills * writers, `${course.acknowledged.size} were acknowledged`)
      test.diagnostic(
        `${kills} kills, ${course.acknowledged.size} acknowledged, ${stored.receipts.size} stored`,
      )
    })

  it("is found out when it acknowledges what is not done", async (test) => {
    const course: Course = { address: await ledgerDatabase(test, "sqlite"), acknowledged: new Set(), lost: 0 }
    let found: readonly string[] = []
    for (let kill = 0; kill < 50 && found.length === 0; kill += 1) {
      await writeUntilKilled(test, course, { name: `${kill}`, milliseconds: 100, manner: "hasty" })
      found = losses(await storedIn(course.address), course.acknowledged)
    }
    assert.match(found.join("\n"), /was acknowledged and is lost/)
  })
})
