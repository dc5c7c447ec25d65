// The same statements give the same text on the SQLite of Node and on a later one (3.54 lost JSON's subtype on its way out
// of subqueries, so nothing may lean on it).
import assert from "node:assert/strict"
import { test } from "node:test"
import Later from "better-sqlite3"
import { textOf } from "../../src/base/json.ts"
import { signCursors } from "../../src/engine/assemble.ts"
import { readList } from "../../src/plan/read/list.ts"
import type { Member } from "../../src/plan/read-plan.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { sqliteFunctions } from "../../src/sql/dialects/sqlite-functions.ts"
import { compile } from "../../src/sql/read/compile.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import type { Statement } from "../../src/sql/statement.ts"
import { insertRecords } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts"
import {
  cursors,
  field,
  id,
  listRoot,
  resourceNamed,
  rows,
  specimenRecords,
  specimens,
  startPlan,
  temporaryUrl,
} from "./specimens.ts"

const everything: readonly Member[] = [
  id,
  ...[...resourceNamed(specimens, "specimen").fields.keys()].map(field),
  { kind: "reference", relation: "drawer", key: "drawerId" },
  { kind: "one", relation: "drawer", key: "drawer", members: [id, field("label")] },
]

test("statements mean the same to a later SQLite", async (context) => {
  const url = await temporaryUrl(context, "sqlite")
  const records = specimenRecords(
    Array.from({ length: 40 }, (_, index) => ({
      id: BigInt(index + 1),
      name: index % 7 === 0 ? null : `name ${index % 5} "é"`,
      rank: (index * 7) % 11,
      count: BigInt(index) * 2n ** 57n,
      size: index / 7,
      price: `${index}.05`,
      alive: index % 2 === 0,
      foundOn: "2024-02-29",
      wakesAt: "10:00:00.5",
      seenAt: "2024-01-01T00:00:00.25Z",
      tag: "00000000-0000-0000-0000-000000000001",
      facts: '{"a":[1,{"b":null}]}',
      mood: "it's",
      image: "AA==",
      words: ["a", '"'],
      marks: [1, 2],
      counts: [2n ** 63n - 1n],
      prices: ["1.00"],
      moments: ["2024-01-01T00:00:00Z"],
      drawerId: index % 3 === 0 ? null : ["a~b", index % 2],
      parentId: index === 0 ? null : BigInt((index >> 1) + 1),
    })),
    [
      { id: ["a~b", 0], label: "x" },
      { id: ["a~b", 1], label: null },
    ],
  )
  const tables = createSchema(specimens, sqlite).map((text) => ({ text, parameters: [] }))
  await setUp(url, [...tables, ...insertRecords(specimens, sqlite, records)])
  const storage = await openSqlite(url)
  context.after(() => storage.close())
  const later = openLater(url)
  context.after(() => void later.close())

  const version = later.prepare("SELECT sqlite_version()").pluck().get()
  assert.ok(String(version) > "3.53", `${version}`)
  for (const [what, make] of Object.entries(questions())) {
    const plan = startPlan(specimens, make)
    const statement = compile(plan, sqlite)
    const parameters = statement.binds.map(({ slot, encode }) => encode(plan.values[slot] ?? null))
    const answer = await storage.read(statement, parameters)
    assert.deepEqual(readLater(later, statement, parameters), answer, what)
    const sealed = signCursors(answer[0] ?? "", statement.cursors, cursors)
    if (what !== "aggregates") JSON.parse(textOf(sealed))
  }
})

function openLater(path: string): Later.Database {
  const database = new Later(path, { readonly: true })
  for (const [name, { length, call }] of Object.entries(sqliteFunctions)) {
    const counted = Object.defineProperty(call.bind(undefined), "length", { value: length ?? 0 })
    database.function(
      name,
      { deterministic: true, safeIntegers: true, varargs: length === undefined },
      counted,
    )
  }
  // This driver asks nothing while a statement runs. The columns are of their types.
  database.function("bifold_columns", (_question: unknown) => 1)
  return database
}

const readLater = (database: Later.Database, { text }: Statement, parameters: readonly unknown[]): unknown =>
  database
    .prepare(text)
    .raw()
    .get(...parameters)

type Make = Parameters<typeof startPlan>[1]

function questions(): Readonly<Record<string, Make>> {
  type List = Parameters<typeof listRoot>
  const list =
    (input: List[2], members: List[3]): Make =>
    (draft) => [listRoot(draft, "specimen", input, members)]
  const children: Make = (draft) => {
    const specimen = resourceNamed(specimens, "specimen")
    const inner = readList(draft, specimen, { encoding: "json", last: 2 }, [])
    const facts = [
      rows(id, { kind: "cursor", key: "cursor" }),
      { kind: "page", fact: "hasPrevious", key: "more" } as const,
    ]
    const many: Member = {
      kind: "many",
      relation: "children",
      key: "children",
      list: { ...inner, members: facts },
    }
    const parent: Member = { kind: "one", relation: "parent", key: "parent", members: [id, many] }
    return [listRoot(draft, "specimen", { first: 5 }, [rows(id, parent, many)])]
  }
  return {
    "every member": list({}, [rows(...everything)]),
    "nested lists": children,
    "a page's facts": list({ first: 3, order: [{ path: [], name: "rank", descending: true }] }, [
      rows(id),
      { kind: "total", key: "total" },
      { kind: "page", fact: "hasNext", key: "more" },
      { kind: "object", key: "facts", members: [{ kind: "constant", key: "c", json: "1" }] },
    ]),
    conditions: list(
      { where: { words: { has: "a" }, not: { name: { search: "NAME 3" } }, children: { some: {} } } },
      [rows(id)],
    ),
    aggregates: list({}, [
      {
        kind: "aggregate",
        key: "all",
        members: [
          { kind: "count", key: "count" },
          { kind: "measure", measure: "sum", field: "count", key: "beyond" },
          { kind: "measure", measure: "sum", field: "price", key: "sum" },
          { kind: "measure", measure: "avg", field: "size", key: "avg" },
          { kind: "measure", measure: "max", field: "seenAt", key: "max" },
        ],
      },
    ]),
  }
}
