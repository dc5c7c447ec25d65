// Columns whose types change while they are served: whatever is asked, by whichever door, the answer is well-formed JSON
// whose members hold what they are declared as, or null, or the answer is an error of ours. Both databases, every scalar.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { describe, it, type TestContext } from "node:test"
import pg from "pg"
import type { Field, Model } from "../../src/model/model.ts"
import type { ScalarName } from "../../src/model/scalars.ts"
import { openStorage } from "../../src/storage/open.ts"
import { inspectService, makeDatabase } from "../introspection/databases.ts"
import { connectFaces, type Database, type OpenService } from "../support/open-service.ts"

/** A column for each scalar: its type, and a value of it. */
const columns: Readonly<Record<Database, Readonly<Record<string, readonly [type: string, value: string]>>>> =
  {
    postgres: {
      whole: ["integer", "7"],
      small: ["smallint", "7"],
      big: ["bigint", "7"],
      real: ["double precision", "1.5"],
      single: ["real", "1.5"],
      exact: ["numeric(12, 2)", "1.50"],
      flag: ["boolean", "true"],
      day: ["date", "2026-01-02"],
      clock: ["time", "10:20:30"],
      moment: ["timestamptz", "2026-01-02T03:04:05Z"],
      local: ["timestamp", "2026-01-02 03:04:05"],
      tag: ["uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
      facts: ["json", '{"a":1}'],
      more: ["jsonb", '{"a":1}'],
      image: ["bytea", "\\x00ff"],
      words: ["text", "hello"],
      short: ["varchar(80)", "hello"],
      numbers: ["integer[]", "{1,2}"],
      texts: ["text[]", "{a,b}"],
      mood: ["mood", "ok"],
      moods: ["mood[]", "{ok,sad}"],
      level: ["text", "low"],
    },
    sqlite: {
      whole: ["INTEGER", "7"],
      big: ["BIGINT", "7"],
      real: ["REAL", "1.5"],
      exact: ["DECIMAL(12, 2)", "1.5"],
      flag: ["BOOLEAN", "1"],
      day: ["DATE", "'2026-01-02'"],
      clock: ["TIME", "'10:20:30'"],
      moment: ["DATETIME", "'2026-01-02T03:04:05Z'"],
      tag: ["UUID", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"],
      facts: ["JSON", `'{"a":1}'`],
      image: ["BLOB", "x'00ff'"],
      words: ["TEXT", "'hello'"],
      level: ["TEXT", "'low'"],
    },
  }

/** Contents that would be more than a value where they stood in JSON as they are; and what only looks like one. */
const nasty = [
  '1,"admin":true',
  'x","admin":true,"y":"z',
  'x","admin":true,"yyyyyyyyyyyyyyyyyyy', // as long as a uuid
  '"admin"',
  "}]",
  "\\",
  "\u0001",
  "\u0003",
  "null",
  "",
  "01",
  " 12 ",
  "1e5",
  "NaN",
  "Infinity",
  "12",
  '[1,"x"]',
]

/** Arithmetic of 64 bits cannot turn its sign. */
const leastInteger = "-9223372036854775808"

const others: Readonly<Record<Database, readonly (readonly [type: string, value: string])[]>> = {
  postgres: [
    ...["text", "varchar", "char(60)", "name", "text[]"].flatMap((type) =>
      nasty.map((text): [string, string] => [type, type === "text[]" ? `{${JSON.stringify(text)}}` : text]),
    ),
    ["smallint", "7"],
    ["integer", "-2147483648"],
    ["bigint", "9223372036854775807"],
    ["real", "NaN"],
    ["double precision", "Infinity"],
    ["double precision", "1e300"],
    ["double precision", "1.5"],
    ["numeric", "NaN"],
    ["numeric", "1e400"],
    ["numeric", "1.5"],
    ["boolean", "true"],
    ["date", "infinity"],
    ["date", "0044-03-15 BC"],
    ["time", "24:00:00"],
    ["timetz", "10:20:30+02"],
    ["interval", "1 day 02:03:04"],
    ["timestamptz", "-infinity"],
    ["timestamptz", "12024-01-01 00:00:00+00"],
    ["timestamp", "infinity"],
    ["uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ["json", '{"admin":true}'],
    ["jsonb", '"x"'],
    ["bytea", "\\x22"],
    ["bit(3)", "101"],
    ["inet", "10.0.0.1"],
    ["xml", '<a b="c"/>'],
    ["money", "1.50"],
    ["int4range", "[1,5)"],
    ["integer[]", "{1,NULL}"],
    ["integer[]", "{{1},{2}}"],
  ],
  sqlite: [
    ...nasty.map((text): [string, string] => ["TEXT", `'${text.replaceAll("'", "''")}'`]),
    ...nasty.map((text): [string, string] => ["BLOB", `CAST('${text.replaceAll("'", "''")}' AS BLOB)`]),
    ["INTEGER", "9223372036854775807"],
    ["INTEGER", leastInteger],
    ["INTEGER", "1"],
    ["REAL", "9e999"],
    ["REAL", "-9e999"],
    ["REAL", "1.5"],
    ["REAL", "1e300"],
    ["TEXT", "'24:00:00'"],
    ["TEXT", "'2026-13-45'"],
    ["TEXT", "'12024-01-01T00:00:00Z'"],
    ["TEXT", "'2026-99-99T99:99:99.123456Z'"],
    ["BLOB", "x'ff22'"],
  ],
}

const create = (database: Database, strict: boolean): string => {
  const own = Object.entries(columns[database])
    .map(([name, [type]]) => `${name} ${strict ? strictTypes[type] : type}${checks[name] ?? ""}`)
    .join(", ")
  const end = strict ? " STRICT" : ""
  return `${database === "postgres" ? "CREATE TYPE mood AS ENUM ('sad', 'ok');" : ""}
    CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT)${end};
    CREATE TABLE thing (id INTEGER PRIMARY KEY, place_id INTEGER REFERENCES place (id), ${own})${end};
    CREATE TABLE part (id INTEGER PRIMARY KEY, thing_id INTEGER REFERENCES thing (id))${end};`
}

/** Gone before anything is changed. */
const checks: Readonly<Record<string, string>> = {
  level: " CONSTRAINT levels CHECK (level IN ('low', 'high'))",
}

/** The values of fields that are choices. */
const choices: Readonly<Record<string, readonly string[]>> = {
  level: ["low", "high"],
  mood: ["sad", "ok"],
  moods: ["sad", "ok"],
}

const strictTypes: Readonly<Record<string, string>> = {
  INTEGER: "INTEGER",
  BIGINT: "INTEGER",
  REAL: "REAL",
  BLOB: "BLOB",
  TEXT: "TEXT",
  "DECIMAL(12, 2)": "INTEGER",
  BOOLEAN: "INTEGER",
  DATE: "TEXT",
  TIME: "TEXT",
  DATETIME: "TEXT",
  UUID: "TEXT",
  JSON: "TEXT",
}

/** What a column of a STRICT table is declared as by a service file. */
const declaredAs: Readonly<Record<string, ScalarName>> = {
  big: "int64",
  exact: "decimal",
  flag: "boolean",
  day: "date",
  clock: "time",
  moment: "timestamp",
  tag: "uuid",
  facts: "json",
}

/** Otherwise some of the changes of each column, of each column others. */
const all = process.env["BIFOLD_PROOF"] === "full"

type Change = (column: string, type: string, value: string) => Promise<void>

interface Opened {
  readonly service: OpenService
  readonly fields: readonly Field[]
  readonly change: Change
}

async function openPostgres(t: TestContext): Promise<Opened> {
  const made = await inspectService(await makeDatabase(t, "postgres", create("postgres", false)), "made")
  const client = new pg.Client({ connectionString: made.url })
  client.on("error", () => {}) // the database is dropped before it is closed
  await client.connect()
  t.after(() => client.end())
  const own = columns.postgres
  const names = Object.keys(own)
  await client.query(`ALTER TABLE part DROP CONSTRAINT part_thing_id_fkey;
    ALTER TABLE thing DROP CONSTRAINT thing_place_id_fkey, DROP CONSTRAINT levels;
    INSERT INTO place VALUES (1, 'here');`)
  for (const id of [1, 2, 3])
    await client.query(
      `INSERT INTO thing (id, place_id, ${names.join(", ")}) VALUES (${id}, 1, ${names.map((_, index) => `$${index + 1}`).join(", ")})`,
      names.map((name) => own[name]?.[1]),
    )
  await client.query("INSERT INTO part VALUES (1, 1), (2, 2)")
  const storage = await openStorage(made.url)
  t.after(() => storage.close())
  const change: Change = async (column, type, value) => {
    await client.query(
      `ALTER TABLE thing ALTER COLUMN ${column} TYPE ${type} USING ${pg.escapeLiteral(value)}::${type}`,
    )
  }
  return { service: connectFaces(made.model, storage), fields: fieldsOf(made.model), change }
}

async function openSqlite(t: TestContext, strict: boolean): Promise<Opened> {
  const made = await inspectService(await makeDatabase(t, "sqlite", create("sqlite", strict)), "made")
  const other = new DatabaseSync(made.url, { enableForeignKeyConstraints: false })
  t.after(() => other.close())
  const own = columns.sqlite
  const model = strict ? asDeclared(made.model) : made.model
  const rebuild = (changed: string, type: string, value: string): void => {
    const defined = Object.entries(own).map(
      ([name, [usual]]) => `${name} ${name === changed ? type : strict ? strictTypes[usual] : usual}`,
    )
    const values = Object.entries(own).map(([name, [, usual]]) =>
      name === changed ? value : strict ? inStrict(name, usual) : usual,
    )
    other.exec(`DROP TABLE thing; CREATE TABLE thing (id INTEGER PRIMARY KEY, place_id INTEGER, ${defined.join(", ")});
      INSERT INTO thing VALUES ${[1, 2, 3].map((id) => `(${id}, 1, ${values.join(", ")})`).join(", ")}`)
  }
  other.exec("INSERT INTO place VALUES (1, 'here'); INSERT INTO part VALUES (1, 1), (2, 2)")
  rebuild("", "", "")
  const storage = await openStorage(made.url)
  t.after(() => storage.close())
  const change: Change = async (column, type, value) => rebuild(column, type, value)
  return { service: connectFaces(model, storage), fields: fieldsOf(model), change }
}

const inStrict = (name: string, usual: string): string =>
  ({ exact: "150", clock: "'10:20:30.000000'", moment: "'2026-01-02T03:04:05.000000Z'" })[name] ?? usual

/** The model as a service file has it, with the forms in which Bifold itself stores. */
function asDeclared(model: Model): Model {
  const thing = model.resources.get("thing")
  assert.ok(thing)
  const fields = new Map(
    [...thing.fields].map(([name, field]): [string, Field] => [
      name,
      {
        ...field,
        scalar: declaredAs[name] ?? field.scalar,
        stored: "plain",
        constraints: name === "exact" ? { precision: 12, scale: 2 } : field.constraints,
      },
    ]),
  )
  return { ...model, resources: new Map([...model.resources, ["thing", { ...thing, fields }]]) }
}

const fieldsOf = (model: Model): readonly Field[] => {
  const fields = [...(model.resources.get("thing")?.fields.values() ?? [])]
  assert.ok(fields.length > 10)
  return fields.filter(({ column }) => column in columns.postgres)
}

// What is declared, as JSON

const digits = /^-?\d+$/
const wire: Partial<Readonly<Record<ScalarName, (value: unknown) => boolean>>> = {
  integer: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31,
  int64: (value) => typeof value === "string" && digits.test(value),
  float: (value) => typeof value === "number",
  decimal: (value) => typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value),
  boolean: (value) => typeof value === "boolean",
  date: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value),
  time: (value) => typeof value === "string" && /^\d\d:\d\d:\d\d(\.\d+)?$/.test(value),
  timestamp: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  uuid: (value) => typeof value === "string" && /^[0-9a-fA-F-]{36}$/.test(value),
  json: () => true,
  bytes: (value) => typeof value === "string" && /^[A-Za-z0-9+/]*=*$/.test(value),
  oneOf: () => false,
}

function assertFits(field: Field, value: unknown, about: string): void {
  if (value === null) return
  const known = choices[field.name]
  assert.equal(field.scalar === "oneOf", known !== undefined, field.name)
  const fits = known
    ? (one: unknown) => known.includes(String(one))
    : (wire[field.scalar] ?? ((one: unknown) => typeof one === "string"))
  assert.ok(
    field.list ? Array.isArray(value) && value.every(fits) : fits(value),
    `${about}: ${field.name} is ${JSON.stringify(value)}`,
  )
}

interface Asking {
  readonly service: OpenService
  readonly field: Field
  readonly names: ReadonlyMap<string, Field>
  readonly about: string
}

/** Of a record, all that it has is declared, and nothing of it is missing. */
function assertRecord({ names, about }: Asking, record: Readonly<Record<string, unknown>>): void {
  const known = new Set(["id", "placeId", "place", "parts", ...names.keys()])
  for (const [name, value] of Object.entries(record)) {
    assert.ok(known.has(name), `${about}: there is no member ${name}`)
    const field = names.get(name)
    if (field) assertFits(field, value, about)
  }
  if (names.size > 0 && "id" in record) assert.match(String(record["id"]), /^thing_\d+$/, about)
}

const sortable: ReadonlySet<string> = new Set([
  "integer",
  "int64",
  "float",
  "decimal",
  "boolean",
  "date",
  "time",
  "timestamp",
  "uuid",
  "text",
  "oneOf",
])
const numeric: ReadonlySet<string> = new Set(["integer", "int64", "float", "decimal"])

function operatorsOf({ scalar }: Field): readonly string[] {
  if (scalar === "boolean") return ["eq"]
  return scalar === "uuid" || scalar === "oneOf" ? ["eq", "in"] : ["eq", "gt", "in"]
}

const operands: Partial<Record<ScalarName, string>> = {
  integer: "7",
  int64: "7",
  float: "1.5",
  decimal: "1.50",
  boolean: "true",
  date: "2026-01-02",
  time: "10:20:30",
  timestamp: "2026-01-02T03:04:05Z",
  uuid: "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
  text: "hello",
}

/** Asks by one address of REST. Gives the answer's text, undefined where it is an error of ours. */
async function get(
  { service, about }: Asking,
  path: string,
  query = "",
  accept = "application/json",
): Promise<string | undefined> {
  const { status, body } = await service.rest({ method: "GET", path, query, headers: { accept } })
  if (status === 200) return body
  const { code } = JSON.parse(body)
  assert.ok(
    status === 503 && /^(database_mismatch|resource_unavailable)$/.test(code),
    `${about} ${path}?${query}: ${status} ${body}`,
  )
  return undefined
}

async function askRest(asking: Asking): Promise<number> {
  const { field, about } = asking
  let answered = 0
  const list = async (path: string, query: string): Promise<string | undefined> => {
    const text = await get(asking, path, query)
    if (text === undefined) return undefined
    answered += 1
    const { data, page, errors = [], ...rest } = JSON.parse(text)
    assert.deepEqual(
      Object.keys(rest).filter((name) => name !== "aggregate" && name !== "groups"),
      [],
      about,
    )
    assert.ok(Array.isArray(errors))
    for (const record of data) assertRecord(asking, record)
    for (const figures of [rest["aggregate"], ...(rest["groups"] ?? [])]) assertFigures(asking, figures)
    return page?.next ?? undefined
  }
  const isSorted = sortable.has(field.scalar) && !field.list
  const figures = isSorted
    ? `&aggregate=count,min.${field.name},max.${field.name}${numeric.has(field.scalar) ? `,sum.${field.name},avg.${field.name}` : ""}`
    : ""
  await list("/things", "")
  await list("/places/place_1/things", "")
  const one = await get(asking, "/things/thing_1")
  if (one !== undefined) assertRecord(asking, JSON.parse(one))
  const places = await get(asking, "/places", "include=things")
  if (places !== undefined)
    for (const place of JSON.parse(places).data)
      for (const record of place.things.data) assertRecord(asking, record)
  const parts = await get(asking, "/parts", "include=thing")
  if (parts !== undefined)
    for (const part of JSON.parse(parts).data) if (part.thing) assertRecord(asking, part.thing)
  if (isSorted) {
    for (const sort of [field.name, `-${field.name}`]) {
      const next = await list("/things", `sort=${sort}&limit=1`)
      if (next !== undefined) await list("/things", `sort=${sort}&limit=1&after=${encodeURIComponent(next)}`)
    }
    const operand = encodeURIComponent(choices[field.name]?.[0] ?? operands[field.scalar] ?? "")
    for (const operator of operatorsOf(field))
      await list("/things", `filter[${field.name}][${operator}]=${operand}`)
    await list("/things", figures.slice(1))
    if (field.scalar !== "float") await list("/things", `groupBy=${field.name}${figures}`)
  }
  for (const accept of ["text/csv", "application/x-ndjson"]) {
    const text = await get(asking, "/things", "", accept)
    if (text === undefined) continue
    answered += 1
    if (accept === "application/x-ndjson")
      for (const line of text.trimEnd().split("\n")) assertRecord(asking, JSON.parse(line))
  }
  return answered
}

function assertFigures({ field, about }: Asking, figures: unknown): void {
  if (typeof figures !== "object" || figures === null) return
  for (const [name, value] of Object.entries(figures)) {
    assert.ok(["key", "count", "min", "max", "sum", "avg"].includes(name), `${about}: figure ${name}`)
    if (name === "count") continue
    assert.deepEqual(Object.keys(value), [field.name], about)
    if (name !== "sum" && name !== "avg") assertFits(field, value[field.name], about)
  }
}

async function askGraphql({ service, field, names, about }: Asking): Promise<void> {
  const members = [...names.keys()].join(" ")
  const isSorted = sortable.has(field.scalar) && !field.list
  const measured = isSorted ? `aggregate { count min { ${field.name} } max { ${field.name} } }` : ""
  const order = isSorted ? `(orderBy: [{ field: ${field.name} }], first: 2)` : ""
  const query = `{ things${order} { nodes { id ${members} place { id things { nodes { ${field.name} } } } } edges { cursor } pageInfo { endCursor } ${measured} } thing(id: "thing_1") { ${members} } }`
  const { status, body } = await service.graphql({ body: { query } })
  assert.ok(status === 200 || status === 503, `${about}: ${status} ${body}`)
  const { data, errors = [] } = JSON.parse(body)
  for (const { extensions } of errors)
    assert.match(
      extensions.code,
      /^(unrepresentable_value|database_mismatch|resource_unavailable)$/,
      `${about} ${body}`,
    )
  if (!data) return
  for (const record of [...(data.things?.nodes ?? []), data.thing]) {
    if (!record) continue
    for (const [name, value] of Object.entries(record)) {
      const of = names.get(name)
      if (of) assertFits(of, value, about)
    }
  }
}

const kinds: readonly (readonly [string, Database, (t: TestContext) => Promise<Opened>])[] = [
  ["postgres", "postgres", openPostgres],
  ["sqlite", "sqlite", (t) => openSqlite(t, false)],
  ["sqlite, in the forms of Bifold's own tables", "sqlite", (t) => openSqlite(t, true)],
]

describe("a column whose type changes while it is served", () => {
  for (const [called, database, open] of kinds)
    it(`puts nothing but values into answers: ${called}`, { timeout: 600_000 }, async (t) => {
      const { service, fields, change } = await open(t)
      const names = new Map(fields.map((field) => [field.name, field]))
      let answered = 0
      const part = database === "postgres" ? 24 : 18
      for (const [place, field] of fields.entries()) {
        const [type = "", value = ""] = columns[database][field.column] ?? []
        const usual = { service, field, names, about: `${called}: ${field.column} as it was` }
        assert.ok((await askRest(usual)) > 3, `${usual.about} is answered`)
        const tried = others[database].filter(
          ([, content], index) =>
            all || (index + place) % part === 0 || (numeric.has(field.scalar) && content === leastInteger),
        )
        for (const [other, content] of tried) {
          await change(field.column, other, content)
          const asking = { service, field, names, about: `${called}: ${field.column} as ${other} ${content}` }
          answered += await askRest(asking)
          await askGraphql(asking)
        }
        if (database === "postgres") await change(field.column, type, value)
        else await change("", "", "")
      }
      assert.ok(answered > 100, "some answers are given all the same")
    })
})
