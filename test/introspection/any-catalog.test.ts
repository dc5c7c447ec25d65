// Whatever a database is called and however its keys cross, a service comes of it: generated catalogs of few names, so
// that they clash.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type {
  Catalog,
  CatalogColumn,
  CatalogTable,
  ColumnType,
} from "../../src/model/introspection/catalog.ts"
import { declare } from "../../src/model/introspection/declare.ts"
import { loadOpen } from "../support/everybody.ts"
import { logical } from "./databases.ts"

const oddNames = fc.constantFrom(
  ...[
    "id",
    "Id",
    "user",
    "users",
    "user_id",
    "userId",
    "User",
    "users_by_email",
    "email",
    "order",
    "orders",
    "order_id",
  ],
  ...[
    "node",
    "query",
    "and",
    "not",
    "2nd",
    "年",
    "😀",
    "__x",
    "a b",
    "aB",
    "status",
    "user_status",
    "news",
    "date",
    "ref",
  ],
)

const postgres = (name: string, rest: Partial<ColumnType> = {}): ColumnType => ({
  ...{ kind: "postgres", name, schema: "pg_catalog", form: "base", shown: name, dimensions: 0, checks: [] },
  ...(rest as object),
})

const type = fc.oneof(
  { weight: 6, arbitrary: fc.constant(postgres("int4")) },
  { weight: 3, arbitrary: fc.constantFrom("text", "uuid", "int8", "date").map((it) => postgres(it)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("jsonb", "bytea", "numeric", "timestamptz", "inet").map((it) => postgres(it)),
  },
  { weight: 1, arbitrary: fc.constant(postgres("text", { dimensions: 1 })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("status", "user_status")
      .map((it) => postgres(it, { schema: "s", form: "enum" })),
  },
  { weight: 1, arbitrary: fc.constant(postgres("pair", { form: "composite" })) },
)

const columnOf = (name: fc.Arbitrary<string>): fc.Arbitrary<CatalogColumn> =>
  fc.record({
    name,
    type,
    nullable: fc.boolean(),
    generated: fc.constantFrom(false, false, true),
    always: fc.constantFrom(false, false, true),
    defaulted: fc.boolean(),
  })

const tableOf = (name: fc.Arbitrary<string>) =>
  fc.record({
    schema: fc.constantFrom("s", "s", "t"),
    name,
    kind: fc.constantFrom("table" as const, "table" as const, "view" as const),
    rows: fc.boolean(),
    writable: fc.boolean(),
    columns: fc.uniqueArray(columnOf(name), { minLength: 0, maxLength: 7, selector: (it) => it.name }),
    keyed: fc.integer({ min: 0, max: 3 }),
    uniques: fc.array(fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    indexes: fc.array(fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
    keys: fc.array(
      fc.record({
        columns: fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }),
        to: fc.nat(),
        way: fc.nat(),
        dangling: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    checked: fc.boolean(),
  })

type Draft = ReturnType<typeof tableOf> extends fc.Arbitrary<infer Made> ? Made : never

function finish(drafts: readonly Draft[]): readonly CatalogTable[] {
  const pick = ({ columns }: Draft, numbers: readonly number[]): readonly string[] => [
    ...new Set(numbers.flatMap((number) => columns[number % Math.max(1, columns.length)]?.name ?? [])),
  ]
  const keysOf = (draft: Draft): readonly (readonly string[])[] =>
    [
      draft.columns.slice(0, draft.keyed).map((it) => it.name),
      ...draft.uniques.map((it) => pick(draft, it)),
    ].filter(({ length }) => length > 0)
  return drafts.map((draft) => {
    const { keyed, keys, checked, uniques, indexes, columns, ...rest } = draft
    const primaryKey = columns.slice(0, keyed).map((it) => it.name)
    const isTable = draft.kind === "table"
    const foreignKeys = keys.flatMap(({ columns: numbers, to, way, dangling }) => {
      const target = drafts[to % drafts.length]
      const targetColumns = target && keysOf(target)[way % Math.max(1, keysOf(target).length)]
      const own = pick(draft, [...numbers, 0, 1, 2, 3, 4, 5, 6]).slice(0, targetColumns?.length ?? 0)
      if (!target || !targetColumns || own.length !== targetColumns.length) return []
      return [{ columns: own, target: { schema: target.schema, name: target.name }, targetColumns, dangling }]
    })
    return {
      ...rest,
      visible: draft.schema === "s",
      columns: columns.map((it) => ({ ...it, nullable: it.nullable && !primaryKey.includes(it.name) })),
      ...(isTable && primaryKey.length > 0 ? { primaryKey } : {}),
      uniques: isTable ? uniques.map((it) => pick(draft, it)).filter(({ length }) => length > 0) : [],
      indexes: indexes.map((it) => pick(draft, it)).filter(({ length }) => length > 0),
      foreignKeys: isTable ? foreignKeys : [],
      checks: checked ? columns.map((it) => `"${it.name}" IN ('a', 'b')`) : [],
    }
  })
}

const catalogOf = (name: fc.Arbitrary<string>): fc.Arbitrary<Catalog> =>
  fc
    .uniqueArray(tableOf(name), { minLength: 1, maxLength: 8, selector: (it) => `${it.schema}.${it.name}` })
    .map((drafts) => ({
      dialect: "postgres" as const,
      schemas: ["s", "t"],
      tables: finish(drafts),
      enums: ["status", "user_status"].map((name) => ({ schema: "s", name, values: ["a", "b"] })),
      notes: [],
    }))
    .filter(({ tables }) => tables.some(({ columns }) => columns.some(({ type }) => isServable(type))))

const isServable = (type: ColumnType): boolean => type.kind === "postgres" && type.form !== "composite"

test("every catalog with something to serve makes a service that loads, with every table accounted for", () => {
  let served = 0
  fc.assert(
    fc.property(catalogOf(oddNames), (given) => {
      const { declaration, notes } = declare(given, "any")
      const { resources } = loadOpen(declaration)
      served += resources.size
      const noted = new Set(notes.map(({ place }) => place.slice(0, 2).join(".")))
      const tables = new Set([...resources.values()].map(({ table }) => table.name))
      for (const { schema, name } of given.tables)
        assert.ok(tables.has(name) || noted.has(`${schema}.${name}`), name)
      assert.deepEqual(declare(given, "any"), { declaration, notes })
    }),
    { numRuns: 500 },
  )
  assert.ok(served > 400)
})

const plainNames = fc.constantFrom(
  ...[
    "id",
    "user",
    "users",
    "user_id",
    "user_name",
    "order",
    "orders",
    "order_id",
    "order_user",
    "username",
    "orderly",
  ],
  ...[
    "status",
    "user_status",
    "reports_to",
    "ad",
    "adbit",
    "ad_bit",
    "ad_bits",
    "node",
    "note",
    "notes",
    "person_id",
    "people",
  ],
)

test("names in PascalCase and in snake_case make the same service", () => {
  fc.assert(
    fc.property(catalogOf(plainNames), (given) => {
      const [one, two] = [given, respelt(given)].map((it) => logical(declare(it, "any").declaration))
      assert.equal(JSON.stringify(two, null, 1), JSON.stringify(one, null, 1))
    }),
    { numRuns: 500 },
  )
})

/** `UserId` for `user_id`, and the tables the other way round. */
function respelt(catalog: Catalog): Catalog {
  const tables = catalog.tables.map((it) => ({
    ...it,
    name: pascal(it.name),
    columns: it.columns.map((column) => ({ ...column, name: pascal(column.name) })),
    ...(it.primaryKey ? { primaryKey: it.primaryKey.map(pascal) } : {}),
    uniques: it.uniques.map((columns) => columns.map(pascal)),
    indexes: it.indexes.map((columns) => columns.map(pascal)),
    foreignKeys: it.foreignKeys.map((key) => ({
      ...key,
      columns: key.columns.map(pascal),
      target: { ...key.target, name: pascal(key.target.name) },
      targetColumns: key.targetColumns.map(pascal),
    })),
    checks: it.checks.map((check) => check.replace(/"(.*)"/, (_, name: string) => `"${pascal(name)}"`)),
  }))
  return { ...catalog, tables: tables.toReversed() }
}

const pascal = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
