// SQLite tables that are not STRICT: rows whose values are of the common form have exactly the text that a check of each value
// gives, whatever the columns hold.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { type TestContext, test } from "node:test"
import { f, one, resource, service } from "bifold"
import fc from "fast-check"
import { textOf } from "../../src/base/json.ts"
import type { Member } from "../../src/plan/read-plan.ts"
import type { Dialect } from "../../src/sql/dialect.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { compile } from "../../src/sql/read/compile.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { field, id, listRoot, rows, startPlan } from "./specimens.ts"

const affinities = ["TEXT", "INTEGER", "NUMERIC", "REAL", "BLOB"] as const

const loose = { optional: true, stored: "loose" } as const
const needed = { optional: false, stored: "loose" } as const
/** By the beginning of their names. */
const scalars = {
  whole: f.integer(loose),
  wholeNeeded: f.integer(needed),
  large: f.int64(loose),
  largeNeeded: f.int64(needed),
  ratio: f.float(loose),
  ratioNeeded: f.float(needed),
  price: f.decimal({ ...loose, precision: 12, scale: 2 }),
  priceNeeded: f.decimal({ ...needed, precision: 12, scale: 2 }),
  units: f.decimal({ ...loose, precision: 12, scale: 0 }),
  fineNeeded: f.decimal({ ...needed, precision: 18, scale: 9 }),
  freeNeeded: f.decimal(needed),
  flag: f.boolean(loose),
  flagNeeded: f.boolean(needed),
  day: f.date(loose),
  dayNeeded: f.date(needed),
  moment: f.timestamp(loose),
  momentNeeded: f.timestamp(needed),
  hour: f.time(loose),
  uid: f.uuid(loose),
  doc: f.json(loose),
  image: f.bytes(loose),
  kind: f.oneOf(["a", "it's"], loose),
  words: f.text(loose),
  wordsNeeded: f.text(needed),
  cast: f.text({ ...loose, stored: "cast" }),
  folded: f.text({ ...needed, stored: "nocase" }),
  trimmed: f.text({ ...needed, stored: "rtrim" }),
} as const

const columns = Object.keys(scalars).flatMap((scalar) =>
  affinities.map((affinity) => ({
    scalar,
    affinity,
    name: `${scalar}${affinity[0]}${affinity.slice(1).toLowerCase()}`,
  })),
)
const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Of resources whose key is of another kind each, and that refer to each other by it. */
const keys = {
  row: { key: { column: "id", type: "integer" }, made: "id INTEGER PRIMARY KEY" },
  any: { key: { column: "id", type: "integer" }, made: "id BLOB PRIMARY KEY" },
  found: { key: { column: "id", type: "integer", stored: "loose" }, made: "id NUMERIC PRIMARY KEY" },
  large: { key: { column: "id", type: "int64" }, made: "id BLOB PRIMARY KEY" },
  real: { key: { column: "id", type: "int64", stored: "loose" }, made: "id REAL PRIMARY KEY" },
  text: { key: { column: "id", type: "text", stored: "loose" }, made: "id TEXT PRIMARY KEY" },
} as const
type KeyName = keyof typeof keys
const keyNames = Object.keys(keys) as readonly KeyName[]

const keyed = (called: KeyName) =>
  resource({
    key: keys[called].key,
    table: called,
    fields: { words: f.text(loose) },
    relations: {
      next: one(called, { optional: true, column: "next" }),
      other: one(called, { column: "other" }),
    },
  })

const found = loadOpen(
  service({
    name: "found",
    limits: { page: { default: 20, max: 1000 } },
    resources: {
      thing: resource({
        key: { column: "id", type: "integer" },
        table: "thing",
        fields: Object.fromEntries(
          columns.map(({ scalar, name }) => [name, scalars[scalar as keyof typeof scalars]]),
        ),
      }),
      ...Object.fromEntries(keyNames.map((called) => [called, keyed(called)])),
    },
  }),
)

const texts = [
  ..."|a|it's|null|12|-7| 12|12.0|0.99|1e5|9e999|true|FALSE|t|\"|\\|2024-01-02|2024-01-02 03:04:05|2024-02-30|2024-02-30 00:00:00".split(
    "|",
  ),
  ..."2024-01-02 24:00:00|2024-01-02 03:04:05 |2024-01-02 03:04:05Z|2024-01-02T03:04:05Z|2024-01-02 03:04:05.5|2024-1-2|now|12024-01-01".split(
    "|",
  ),
  ..."0000-05-01|0000-05-01 10:00:00|-001-05-01|0001-01-01|9999-12-31 23:59:59|2460311.5|10:20:30".split("|"),
  ...[
    "\u0001",
    "\u0003",
    "\u0004",
    "\u001f\n",
    "\u{1f600}é",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    '{"a":[1]}',
  ],
]
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** As SQL. */
const values: readonly string[] = [
  ...[
    "NULL",
    "9e999",
    "-9e999",
    "-0.0",
    "0.0",
    "1.0",
    "-9223372036854775808",
    "9223372036854775807",
    "9.2233720368547758e18",
  ],
  ...[
    0,
    1,
    2,
    3,
    7,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 32 + 5,
    2 ** 40,
    2 ** 53 - 1,
    1e13,
    1e15,
  ].flatMap((value) => [`${value}`, `-${value}`, `${value}.0`, `-${value}.5`]),
  ...[
    0.5,
    0.1,
    0.99,
    1.005,
    0.015,
    2.675,
    12.345,
    0.30000000000000004,
    1 / 3,
    1e-4,
    0.00012,
    1e-5,
    5e-324,
    1e300,
  ].flatMap((value) => [`${value}`, `-${value}`]),
  ...[
    "123456.789012",
    "123456.7890125",
    "9999999999999.99",
    "99999999999999.99",
    "0.000000001",
    "1234567.123456789",
    "999999999.5",
  ],
  ...["4503599627370497.5", "1e16", "1e20", "1704164645", "1704164645007", "2460311.5"],
  ...texts.flatMap((text) => [quote(text), `CAST(${quote(text)} AS BLOB)`]),
  ...["x''", "x'00'", "x'ff22'", "'a' || char(0) || 'b'"],
]

/** @param dialect its statements; the storage's own where it is absent */
type Ask = (resource: string, members: readonly Member[], dialect?: Dialect) => Promise<string>

function asking(storage: Storage): Ask {
  return async (resource, members, dialect = storage.dialects.prompt) => {
    const plan = startPlan(found, (draft) => [listRoot(draft, resource, { first: 1000 }, [rows(...members)])])
    const statement = compile(plan, dialect)
    const parameters = statement.binds.map(({ slot, encode }) => encode(plan.values[slot] ?? null))
    const [text] = await storage.read(statement, parameters)
    return textOf(text ?? "")
  }
}

/** Each value is checked. */
const { certain: _, ...checked } = sqlite

async function openFound(context: TestContext, stored: readonly string[]): Promise<Ask> {
  const path = `${await temporaryFolder(context)}/found.sqlite`
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const defined = columns.map(({ name, affinity }) => `"${columnOf(name)}" ${affinity}`)
  database.exec(`BEGIN; CREATE TABLE thing (id INTEGER PRIMARY KEY, ${defined.join(", ")})`)
  const names = columns.map(({ name }) => `"${columnOf(name)}"`)
  for (const value of stored)
    database.exec(
      `INSERT INTO thing (${names.join(", ")}) SELECT ${names.map(() => "v").join(", ")} FROM (SELECT ${value} AS v)`,
    )
  for (const called of keyNames) {
    database.exec(`CREATE TABLE "${called}" (${keys[called].made}, words TEXT, next, other)`)
    // A row's number is a whole number.
    for (const value of stored)
      database.exec(
        `INSERT OR IGNORE INTO "${called}" SELECT ${called === "row" ? `CAST(v AS INTEGER)` : "v"}, 'x', v, v FROM (SELECT ${value} AS v)`,
      )
  }
  database.exec("COMMIT")
  database.close()
  const storage = await openStorage(path)
  context.after(() => storage.close())
  return asking(storage)
}

const difference = (quick: string, slow: string): string => {
  const [one, two] = [quick, slow].map((text) => text.split('{"id":'))
  const at = one?.findIndex((row, index) => row !== two?.[index]) ?? 0
  return `${one?.[at]} and ${two?.[at]}`
}

async function compare(ask: Ask, resource: string, members: readonly Member[]): Promise<void> {
  const quick = await ask(resource, members)
  const slow = await ask(resource, members, checked)
  assert.ok(quick === slow, `${resource} ${members.map(({ key }) => key)}: ${difference(quick, slow)}`)
}

test("any value in a column of any type", async (context) => {
  const ask = await openFound(context, values)
  for (const { name } of columns) await compare(ask, "thing", [id, field(name)])
  for (const called of keyNames)
    for (const members of [
      [id, field("words")],
      [field("words"), reference("next")],
      [field("words"), reference("other")],
      [id, reference("next"), reference("other"), field("words")],
    ])
      await compare(ask, called, members)
})

test("random values in rows of several columns", async (context) => {
  const number = fc.oneof(
    fc.integer().map(String),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    fc
      .tuple(fc.integer({ min: -(2 ** 48), max: 2 ** 48 }), fc.nat(9))
      .map(([units, digits]) => String(units / 10 ** digits)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  )
  const written = fc.oneof(
    number,
    fc.string({ unit: "binary" }).map((text) => quote(text.replaceAll("\0", ""))),
  )
  const proof = process.env["BIFOLD_PROOF"] === "full"
  const seed = proof ? Date.now() : 45
  const ask = await openFound(context, fc.sample(written, { numRuns: proof ? 900 : 200, seed }))
  const several = fc.uniqueArray(fc.constantFrom(...columns), { minLength: 1, maxLength: 6 })
  for (const { name } of columns) await compare(ask, "thing", [id, field(name)])
  for (const some of fc.sample(several, { numRuns: 100, seed }))
    await compare(ask, "thing", [id, ...some.map(({ name }) => field(name))])
})

const reference = (relation: string): Member => ({ kind: "reference", relation, key: relation })
