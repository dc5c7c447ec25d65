// What `bifold rules` and `bifold can` say of transitions: who may, and of a record whether it is possible now.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { fileURLToPath } from "node:url"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { desk } from "../services/desk.ts"
import { ticket } from "../states/open-desk.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const folder = await temporaryFolder(cleanUp(after))
const file = join(folder, "service.ts")
const database = join(folder, "desk.db")
const source = fileURLToPath(new URL("../services/desk.ts", import.meta.url))
writeFileSync(file, `export { desk as default } from ${JSON.stringify(source)}\n`)

const model = load(withSystem(desk))
await setUp(database, [
  ...createSchema(model, sqlite).map((text) => ({ text, parameters: [] })),
  ...insertRecords(model, sqlite, {
    records: new Map([
      ["person", [{ id: "ann", name: "Ann" }]],
      ["ticket", [ticket("open"), ticket("closed", { state: "closed" })]],
    ]),
    links: [],
  }),
])

describe("of transitions", () => {
  test("the file of rules has who may fire each, in the order of the declaration", async () => {
    const { code, stderr } = await bifold(["rules", file, "--write"])
    assert.deepEqual([code, stderr.startsWith("✓")], [0, true], stderr)
    const lines = readFileSync(join(folder, "service.rules"), "utf8").split("\n")
    const from = lines.indexOf("  transition close")
    assert.deepEqual(lines.slice(from, from + 7), [
      "  transition close",
      "    anyone                  –",
      "    signedIn                –",
      '    person:…                reporter.id = viewer.id and cost = "0.00"',
      "    role:agent              –",
      "    role:boss               all",
      '    person:…+role:agent     reporter.id = viewer.id and cost = "0.00"',
    ])
    // Only both together: an agent has to be somebody to be set.
    const start = lines.indexOf("  transition start")
    assert.deepEqual(
      lines.slice(start + 1, start + 7).map((line) => line.trim().split(/\s+/).at(-1)),
      ["–", "–", "–", "–", "–", "all"],
    )
  })

  test("whether somebody may is said with what else has to hold", async () => {
    const answers: readonly (readonly [readonly string[], RegExp, number])[] = [
      [
        ["role:agent", "solve", "ticket"],
        /may solve ticket, where state in open, working, and some notes\./,
        0,
      ],
      [["role:boss", "solve", "ticket"], /may not solve ticket: no rule for it can hold for them\./, 1],
      [["role:agent", "start", "ticket"], /it sets who fires it, and they are no person\./, 1],
      [["person:per_ann", "close", "ticket:tic_open"], /may close ticket tic_open\./, 0],
      [
        ["person:per_ann", "close", "ticket:tic_closed"],
        /possible only where state in open, working, solved\./,
        1,
      ],
      [["role:agent", "solve", "ticket:tic_open"], /: A ticket is solved with a note that says how\./, 1],
      [["role:boss", "bill", "ticket:tic_open"], /: the record does not meet cost > "0\.00"\./, 1],
    ]
    for (const [[actor = "", action = "", what = ""], said, expected] of answers) {
      const { code, stdout, stderr } = await bifold([
        "can",
        actor,
        action,
        what,
        file,
        "--database",
        database,
      ])
      assert.match(stdout, said, stderr)
      assert.equal(code, expected)
    }
  })

  test("what cannot be meant is said", async () => {
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [["role:agent", "solv", "ticket"], /transition "solv"\.\n.*"solve"/],
      [["role:agent", "solve", "note"], /"note" has no action or transition "solve"/],
      [["role:agent", "solve", "ticket", "--field", "title"], /as a whole/],
    ]
    for (const [[actor = "", action = "", what = "", ...rest], said] of refusals) {
      const { code, stderr } = await bifold(["can", actor, action, what, file, ...rest])
      assert.match(stderr, said)
      assert.equal(code, 2)
    }
  })
})
