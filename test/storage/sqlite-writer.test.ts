// What the thread that writes a SQLite file is sent: shapes once, and their numbers from then on.
import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { present } from "../../src/base/invariant.ts"
import { openStorage } from "../../src/storage/open.ts"
import { setUp } from "../../src/storage/set-up.ts"
import type { Outcome, Work } from "../../src/storage/work.ts"
import { temporaryFolder } from "../support/database.ts"

const work = (text: string): Work => ({
  shape: { commands: [{ text: `SELECT '${text}'`, takes: 0 }], wanted: [0], takes: 0, sure: true },
  parameters: [],
})

test("shapes beyond those that a thread remembers are as good as the first", async (context) => {
  const path = join(await temporaryFolder(context), "a.sqlite")
  await setUp(path, [{ text: "CREATE TABLE a (id INTEGER PRIMARY KEY)", parameters: [] }])
  const storage = await openStorage(path, { writes: "durable" })
  context.after(() => storage.close())
  const write = present(storage.write, "it was opened for writing")
  const first = work("first")
  for (let round = 0; round < 20; round += 1) {
    // 300 is no part of 5,000: numbers begin anew somewhere within what is sent together.
    const works = [first, ...Array.from({ length: 299 }, (_, index) => work(`${round} ${index}`)), first]
    const outcomes = await Promise.all(works.map((one) => write(one)))
    const expected = works.map(({ shape }): Outcome => {
      const [, text = ""] = /'(.*)'/.exec(shape.commands[0]?.text ?? "") ?? []
      return { kind: "done", rows: [[text]] }
    })
    assert.deepEqual(outcomes, expected)
  }
})
