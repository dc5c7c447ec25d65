// Migrations as data: which changes of type keep every value, and that a plan depends on nothing but what differs.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import fc from "fast-check"
import { load } from "../../src/model/load.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { planMigration } from "../../src/sql/migration/migration.ts"
import type { FoundTable } from "../../src/sql/migration/steps.ts"
import { lossless } from "../../src/sql/schema/conversions.ts"
import { constraintName, tablesOf, type WantedTable } from "../../src/sql/schema/tables.ts"
import { declarations } from "../model/arbitrary-declaration.ts"

/** From, to, and how; nothing where values would not survive. */
const changes: readonly (readonly [from: string, to: string, how: string | undefined])[] = [
  ["integer", "bigint", '"x"'],
  ["bigint", "integer", undefined],
  ["integer", "double precision", '"x"'],
  ["bigint", "double precision", undefined],
  ["integer", "numeric(12,2)", '"x"'],
  ["integer", "numeric(9,2)", undefined],
  ["numeric(9,2)", "numeric(12,4)", '"x"'],
  ["numeric(9,2)", "numeric(9,4)", undefined],
  ["numeric(9,2)", "numeric(12,1)", undefined],
  ["uuid", 'text COLLATE "C"', '"x"::text'],
  ['text COLLATE "C"', "uuid", undefined],
  ["date", "timestamp with time zone", undefined],
  ["INTEGER /* integer */", "INTEGER /* int64 */", '"x"'],
  ["INTEGER /* integer */", "REAL /* float */", 'CAST("x" AS REAL)'],
  ["INTEGER /* integer */", "INTEGER /* decimal(14,2) */", '"x" * 100'],
  ["INTEGER /* decimal(9,2) */", "INTEGER /* decimal(14,4) */", '"x" * 100'],
  ["INTEGER /* decimal(9,4) */", "INTEGER /* decimal(14,2) */", undefined],
  ["TEXT /* uuid */", "TEXT", '"x"'],
  ["TEXT /* date */", "TEXT /* timestamp */", undefined],
]

describe("a change of type", () => {
  for (const [from, to, how] of changes)
    it(`from ${from} to ${to} ${how === undefined ? "loses values" : "keeps them"}`, () => {
      assert.equal(lossless(from, to, "x"), how)
    })
})

/** As an inspection would find a table that was made as it is wanted. */
const asFound = (tables: readonly WantedTable[]): readonly FoundTable[] =>
  tables.map(({ name, columns, key, indexes, foreignKeys, checks }) => ({
    name: { schema: name.schema ?? "public", name: name.name },
    visible: name.schema === undefined,
    columns: columns.map(({ name: column, type, nullable, default: usual, counted }) => ({
      name: column,
      type,
      nullable,
      ...(usual === undefined ? {} : { default: usual }),
      ...(counted && { counted }),
    })),
    key,
    indexes: indexes.map((index) => ({ ...index, valid: true, constraint: false })),
    foreignKeys: foreignKeys.map((one) => ({
      ...one,
      target: { schema: one.target.schema ?? "public", name: one.target.name },
      valid: true,
    })),
    checks: checks.map((check) => ({ ...check, valid: true })),
  }))

it("nothing is to be done between any service and its own tables, but Bifold's", () => {
  fc.assert(
    fc.property(declarations, (declaration) => {
      const model = load(declaration)
      for (const dialect of [sqlite, postgres]) {
        const tables = tablesOf(model, dialect)
        const steps = planMigration(tables, asFound(tables), dialect)
        assert.deepEqual(
          steps.map(({ name }) => name),
          ["add:bifold_idempotency"],
        )
      }
    }),
    { numRuns: 200 },
  )
})

it("names of what is made fit PostgreSQL, and are as different as their columns", () => {
  const table = { name: "ölförderung".repeat(5) }
  const names = ["a", "b", "c"].map((column) => constraintName(table, [column], "index"))
  assert.equal(new Set(names).size, 3)
  for (const name of names) assert.ok(Buffer.byteLength(name) <= 63, name)
  assert.equal(
    constraintName({ name: "order" }, ["status", "placed_at"], "index"),
    "order_status_placed_at_index",
  )
})
