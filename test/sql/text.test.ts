// The text of a statement depends on the plan's shape only, and a request is one statement.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { compile } from "../../src/sql/read/compile.ts"
import {
  field,
  id,
  listRoot,
  openSpecimens,
  rows,
  specimenRecords,
  specimens,
  startPlan,
} from "./specimens.ts"

const word = fc.string({ unit: "binary", minLength: 8 }).filter((text) => !text.includes("\0"))

function planOf(text: string, rank: number) {
  return startPlan(specimens, (draft) => {
    const order = [{ path: [], name: "name", descending: true }]
    const cursor = draft.cursors.seal(scopeOf(order), JSON.stringify([text, ["1"]]))
    const where = {
      name: {
        eq: text,
        ne: text,
        in: [text, "x"],
        contains: text,
        startsWith: text,
        endsWith: text,
        search: text,
      },
      words: { has: text, hasAll: [text] },
      or: [{ rank: { gt: rank } }, { children: { some: { name: { lt: text } } } }],
      drawerId: { in: ["a~1"] },
    }
    return [listRoot(draft, "specimen", { where, order, after: cursor }, [rows(id, field("name"))])]
  })

  function scopeOf(order: readonly { path: readonly string[]; name: string; descending: boolean }[]): string {
    const scopes = startPlan(specimens, (draft) => [
      listRoot(draft, "specimen", { order }, [rows({ kind: "cursor", key: "cursor" })]),
    ])
    return compile(scopes, sqlite).cursors[0] ?? ""
  }
}

test("no user text is in a statement's text, and equal shapes have equal texts", () => {
  const [first, second] = [sqlite, postgres].map((dialect) => compile(planOf("some text", 0), dialect).text)
  fc.assert(
    fc.property(word, fc.integer({ min: 1000, max: 2 ** 31 - 1 }), (text, rank) => {
      const plan = planOf(text, rank)
      assert.equal(compile(plan, sqlite).text, first)
      assert.equal(compile(plan, postgres).text, second)
    }),
    { numRuns: 200 },
  )
})

test("a request of many roots, lists and conditions is one statement; one of constants none", async (context) => {
  const asked = await openSpecimens(context, "sqlite", specimenRecords([{ id: 1n, name: "a" }]))
  await asked.ask((draft) => [
    listRoot(draft, "specimen", { where: { children: { none: {} } } }, [
      rows(id),
      { kind: "total", key: "total" },
    ]),
    listRoot(draft, "drawer", {}, [rows(id)]),
    { kind: "constant", key: "name", json: '"x"' },
  ])
  assert.equal(asked.storage.sent, 1)
  assert.deepEqual(await asked.ask(() => [{ kind: "constant", key: "name", json: '"x"' }]), ["x"])
  assert.equal(asked.storage.sent, 1)
})
