// What PostgreSQL would round without a word is refused, and what is taken is read back as it was given.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import pg from "pg"
import { printFloat32 } from "../../src/model/bounds.ts"
import { cleanUp, temporaryPostgres } from "../support/database.ts"
import { inspectSql, serveWriting } from "./databases.ts"

const table = `CREATE DOMAIN second AS timestamptz(0);
  CREATE TABLE thing (id serial PRIMARY KEY, single real, singles real[], hour time(0), moment timestamptz(0), named second,
    local timestamp(3), hours time(1)[], round numeric(5, -2), small smallint, smalls smallint[]);`

type Given = readonly (readonly [column: string, value: unknown])[]

const taken: Given = [
  ["single", 0.1],
  ["single", -16777216],
  ["single", 3.4028235e38],
  ["single", 1e-45],
  ["single", 2.7182817],
  ["singles", [0.1, 2.5, 1e30]],
  ["hour", "12:00:01"],
  ["moment", "2026-11-01T09:30:00Z"],
  ["local", "2026-11-01T09:30:00.123Z"],
  ["hours", ["09:30:00.5"]],
  ["round", "12300"],
  ["round", "0"],
  ["round", "-9999900"],
  ["small", -32768],
  ["smalls", [32767]],
]

const refused: readonly (readonly [...Given[number], RegExp])[] = [
  [
    "single",
    0.10000000149011612,
    /must be a number that 32 bits keep, such as 0\.1, not 0\.10000000149011612/,
  ],
  ["single", 16777217, /such as 16777216, not 16777217/],
  ["single", 1e300, /that 32 bits keep, not 1e\+300/],
  ["singles", [0.1, 0.123456789], /such as 0\.12345679, not 0\.123456789 \(item 2\)/],
  ["hour", "12:00:00.5", /must have no fraction of a second, not "12:00:00\.5"/],
  ["hour", "23:59:59.6", /must have no fraction of a second/],
  ["moment", "2026-11-01T09:30:00.5Z", /must have no fraction of a second/],
  ["named", "2026-11-01T09:30:00.5Z", /must have no fraction of a second/],
  ["local", "2026-11-01T09:30:00.1235Z", /must have at most 3 digits of a second's fraction/],
  [
    "hours",
    ["09:30:00.5", "09:30:00.55"],
    /must have at most 1 digit of a second's fraction, not .* \(item 2\)/,
  ],
  ["round", "12345", /must be a whole number as a string, of at most 7 digits that ends in 2 zeros/],
  ["round", "12300000", /of at most 7 digits/],
  ["small", 40000, /must be -32768 to 32767, not 40000/],
  ["smalls", [1, 40000], /must be -32768 to 32767, not 40000 \(item 2\)/],
]

test("postgres: a value is read back as it was given, or refused with what fits", async (t) => {
  const service = await serveWriting(t, await inspectSql(t, "postgres", table))
  for (const [column, value] of taken) {
    const { status, json } = await service.ask("POST", "/things", { [column]: value })
    assert.deepEqual([status, json[column]], [201, value], `${column}: ${JSON.stringify(value)}`)
  }
  for (const [column, value, words] of refused) {
    const { status, json } = await service.ask("POST", "/things", { [column]: value })
    assert.deepEqual([status, json["code"]], [400, "invalid_value"], `${column}: ${JSON.stringify(value)}`)
    assert.match(JSON.stringify(json["errors"] ?? json["detail"]).replaceAll('\\"', '"'), words)
  }
})

test("postgres: a number of 32 bits is found, ordered and counted by what is shown of it", async (t) => {
  const service = await serveWriting(
    t,
    await inspectSql(
      t,
      "postgres",
      `${table} INSERT INTO thing (single, singles) VALUES (0.1, '{0.1}'), (0.2, '{}'), (NULL, NULL);`,
    ),
  )
  const found = async (query: string) => (await service.ask("GET", `/things?${query}`)).json
  const ids = async (query: string) =>
    ((await found(query))["data"] as readonly { id: string }[]).map(({ id }) => id)
  assert.deepEqual(await ids("filter[single]=0.1"), ["thing_1"])
  assert.deepEqual(await ids("filter[single][gt]=0.1"), ["thing_2"])
  assert.deepEqual(await ids("filter[single][lt]=0.1000000001"), ["thing_1"])
  assert.deepEqual(await ids("filter[single][lt]=1e300&sort=-single"), ["thing_2", "thing_1"])
  assert.deepEqual(await ids("filter[singles][has]=0.1"), ["thing_1"])
  const first = await found("sort=single&limit=1")
  assert.deepEqual(
    await ids(`sort=single&limit=1&after=${encodeURIComponent((first["page"] as { next: string }).next)}`),
    ["thing_2"],
  )
  const figures = await found("aggregate=sum.single,min.single&limit=0")
  assert.deepEqual(figures["aggregate"], { sum: { single: 0.30000000000000004 }, min: { single: 0.1 } })
})

test("what is shown of a number of 32 bits is what PostgreSQL shows", async (t) => {
  const hooks = cleanUp((work) => t.after(work))
  const client = new pg.Client({ connectionString: await temporaryPostgres(hooks) })
  await client.connect()
  const singles = new Set<number>()
  for (let power = -149; power < 128; power++) singles.add(2 ** power)
  for (const single of fc.sample(fc.float({ noNaN: true, noDefaultInfinity: true }), 20_000))
    singles.add(single)
  const bytes = new DataView(new ArrayBuffer(4))
  for (const bits of fc.sample(fc.integer({ min: 0, max: 0x7f7fffff }), 20_000)) {
    bytes.setUint32(0, bits)
    singles.add(bytes.getFloat32(0))
  }
  const all = [...singles]
  const { rows } = await client.query(
    "SELECT array_agg(v::text ORDER BY place) AS texts FROM unnest($1::text[]::real[]) WITH ORDINALITY AS one(v, place)",
    [all.map(String)],
  )
  await client.end()
  const texts: readonly string[] = rows[0].texts
  const wrong = all.filter((single, index) => printFloat32(single) !== Number(texts[index]) + 0)
  assert.deepEqual(wrong, [])
})
