// A value that is accepted is kept: what was given is read back by either face of either database, as the same JSON.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import fc from "fast-check"
import { f, resource, service } from "../../src/model/declaration/service.ts"
import type { Field, Model } from "../../src/model/model.ts"
import type { ScalarName } from "../../src/model/scalars.ts"
import type { Value } from "../../src/plan/read-plan.ts"
import { acceptValue } from "../../src/plan/values/coerce-input.ts"
import { createIds } from "../../src/plan/values/typeid.ts"
import { valueTypeOf } from "../../src/plan/values/values.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { inspectSql, serve } from "../introspection/databases.ts"
import { generated } from "../plan/generated-values.ts"
import { cleanUp } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { dialects, type OpenService, openService } from "../support/open-service.ts"

const one = {
  text: f.text(),
  email: f.email(),
  url: f.url(),
  slug: f.slug(),
  integer: f.integer(),
  int64: f.int64(),
  float: f.float(),
  decimal: f.decimal({ precision: 7, scale: 2 }),
  boolean: f.boolean(),
  date: f.date(),
  time: f.time(),
  timestamp: f.timestamp(),
  uuid: f.uuid(),
  json: f.json(),
  oneOf: f.oneOf(["cart", "paid"]),
  bytes: f.bytes(),
}

const model = loadOpen(
  service({
    name: "kept",
    resources: {
      thing: resource({
        id: "thg",
        fields: {
          ...one,
          texts: f.list(one.text),
          integers: f.list(one.integer),
          int64s: f.list(one.int64),
          floats: f.list(one.float),
          decimals: f.list(one.decimal),
          booleans: f.list(one.boolean),
          dates: f.list(one.date),
          times: f.list(one.time),
          timestamps: f.list(one.timestamp),
          uuids: f.list(one.uuid),
          oneOfs: f.list(f.oneOf(["cart", "paid"])),
          manyBytes: f.list(one.bytes),
        },
      }),
    },
  }),
)
const rows = 150
const full = process.env["BIFOLD_PROOF"] === "full"
/** Records that are sent, each with a value of every scalar. */
const sent = full ? 20_000 : 100
const perRequest = 100

/** What generated values with limits around them leave out: the ends of what a scalar can hold. */
const extremes: Partial<Record<ScalarName, fc.Arbitrary<unknown>>> = {
  integer: fc.constantFrom(-(2 ** 31), 2 ** 31 - 1, -0),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  float: fc.double({ noNaN: true, noDefaultInfinity: true }),
  decimal: fc.constantFrom("-0.00", "0.01", "-99999.99", 99999, "1.20000"),
  date: fc.constantFrom("0001-01-01", "9999-12-31", "2024-02-29"),
  time: fc.constantFrom("23:59:59.999999", "00:00:00.100000", "12:00:00.0"),
  timestamp: fc.constantFrom(
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z",
    "2026-11-01T09:30:00.1200-11:45",
    "1969-12-31T23:59:59.000001z",
  ),
  uuid: fc.uuid().map((id) => id.toUpperCase()),
  json: fc.constantFrom([null], -0, 5e-324, 1e21, "", [], {}, { b: 1, a: { z: null, y: [[]] } }),
}

/** What a client sends for a field. */
function inputOf({ scalar, list }: Field): fc.Arbitrary<unknown> {
  const usual = generated[scalar].good.map(([value]) => value)
  const input = fc.oneof(usual, extremes[scalar] ?? usual)
  return list ? fc.array(input, { maxLength: 4 }) : input
}

interface Given {
  readonly row: Row
  readonly id: string
}

/** The stored values of what a client sends; undefined when one of them is refused. */
function accept(
  model: Model,
  fields: readonly Field[],
  inputs: Readonly<Record<string, unknown>>,
): Row | undefined {
  const members: [string, Value][] = []
  for (const field of fields) {
    const read = acceptValue(valueTypeOf(model, field), inputs[field.name], "json")
    if (!read.ok) return undefined
    members.push([field.name, read.value])
  }
  return Object.fromEntries(members)
}

/** The JSON that stands for a stored value in answers. */
function shownAs(field: Field, value: Value | undefined): unknown {
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => shownAs(field, item))
  if (field.scalar === "json") return JSON.parse(String(value))
  return typeof value === "bigint" ? String(value) : value
}

/** Asks both faces for each thing. As text, so that the order of members within json values counts too. */
async function assertKept(
  opened: OpenService,
  fields: readonly Field[],
  given: readonly Given[],
): Promise<void> {
  const names = fields.map(({ name }) => name).join(" ")
  for (const { id, row } of given) {
    const expected = Object.fromEntries(fields.map((field) => [field.name, shownAs(field, row[field.name])]))
    const rest = await opened.rest({ method: "GET", path: `/things/${id}`, query: "" })
    const { id: answered, ...members } = JSON.parse(rest.body)
    assert.ok(answered.endsWith(`_${id}`))
    assert.equal(JSON.stringify(members), JSON.stringify(expected))
    const graphql = await opened.graphql({ body: { query: `{thing(id: "${id}") {${names}}}` } })
    assert.equal(JSON.stringify(JSON.parse(graphql.body)), JSON.stringify({ data: { thing: expected } }))
  }
}

interface Created {
  readonly ids: readonly string[]
  /** The records that were given back, as text, without their ids. */
  readonly given: string
}

type Create = (opened: OpenService, fields: readonly Field[], inputs: readonly unknown[]) => Promise<Created>

const createByRest: Create = async (opened, _, inputs) => {
  const headers = { "content-type": "application/json" }
  const body = Buffer.from(JSON.stringify(inputs))
  const answer = await opened.rest({ method: "POST", path: "/things", query: "", headers, body })
  assert.equal(answer.status, 201, answer.body)
  return apart(JSON.parse(answer.body).data)
}

const createByGraphql: Create = async (opened, fields, inputs) => {
  const query = `mutation ($input: [ThingCreateInput!]!) { createThings(input: $input) { things { id ${namesOf(fields)} } } }`
  const answer = await opened.graphql({ body: { query, variables: { input: inputs } } })
  const { data, errors } = JSON.parse(answer.body)
  assert.ok(data, JSON.stringify(errors))
  return apart(data.createThings.things)
}

function apart(records: readonly { readonly id: string }[]): Created {
  return {
    ids: records.map(({ id }) => id),
    given: JSON.stringify(records.map(({ id: _, ...rest }) => rest)),
  }
}

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(" ")

/** By the face that did not write them. */
async function readByOther(
  opened: OpenService,
  fields: readonly Field[],
  ids: readonly string[],
  byRest: boolean,
): Promise<string> {
  if (byRest) {
    const query = `query ($ids: [ID!]!) { things(where: {id: {in: $ids}}, first: ${ids.length}) { nodes { ${namesOf(fields)} } } }`
    const { body } = await opened.graphql({ body: { query, variables: { ids } } })
    return JSON.stringify(JSON.parse(body).data.things.nodes)
  }
  const question = Buffer.from(JSON.stringify({ filter: { id: { in: ids } }, limit: ids.length }))
  const headers = { "content-type": "application/json" }
  const { body } = await opened.rest({
    method: "POST",
    path: "/things/query",
    query: "",
    headers,
    body: question,
  })
  return apart(JSON.parse(body).data).given
}

const recordOf = (fields: readonly Field[]): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc.record(Object.fromEntries(fields.map((field) => [field.name, inputOf(field)])))

describe("values that were accepted are read back the same by both faces", () => {
  const hooks = cleanUp(after)
  const fields = [...(model.resources.get("thing")?.fields.values() ?? [])]
  const nextId = createIds()
  const given = fc.sample(recordOf(fields), rows).map((inputs): Given => {
    const row = accept(model, fields, inputs)
    assert.ok(row, JSON.stringify(inputs))
    const id = nextId()
    return { id, row: { id, ...row } }
  })

  for (const database of dialects)
    test(`from Bifold's own tables on ${database}`, async () => {
      const records = new Map([["thing", given.map(({ row }) => row)]])
      const opened = await openService(hooks, { model, records: { records, links: [] }, database })
      await assertKept(opened, fields, given)
    })

  for (const database of dialects)
    test(`when they were written by either face on ${database}`, async () => {
      const options = { writes: "unsafe" } as const
      const records = { records: new Map(), links: [] }
      const opened = await openService(hooks, { model, records, database, options })
      for (let done = 0; done < sent; done += perRequest) {
        // Null clears a member, json or not, and these are never empty.
        const sound = recordOf(fields).filter(({ json }) => json !== null)
        const inputs = fc.sample(sound, perRequest)
        const expected = inputs.map((input) => {
          const row = accept(model, fields, input)
          assert.ok(row, JSON.stringify(input))
          return Object.fromEntries(fields.map((field) => [field.name, shownAs(field, row[field.name])]))
        })
        const byRest = (done / perRequest) % 2 === 0
        const { ids, given } = await (byRest ? createByRest : createByGraphql)(opened, fields, inputs)
        assert.equal(given, JSON.stringify(expected), byRest ? "REST" : "GraphQL")
        assert.equal(await readByOther(opened, fields, ids, byRest), given)
      }
    })

  test("from somebody else's tables on sqlite, whatever their columns make of values", async () => {
    const made = await inspectSql(
      hooks,
      "sqlite",
      `CREATE TABLE "things" ("id" INTEGER PRIMARY KEY, "price" DECIMAL(30,2) NOT NULL, "rate" NUMERIC NOT NULL, "tag" STRING NOT NULL,
        "plain" NOT NULL, "name" TEXT NOT NULL, "code" VARCHAR(20) NOT NULL, "day" DATE NOT NULL, "at" DATETIME NOT NULL, "clock" TIME NOT NULL,
        "data" JSON NOT NULL, "flag" BOOLEAN NOT NULL, "big" BIGINT NOT NULL, "small" INT NOT NULL, "weight" FLOAT NOT NULL, "raw" BLOB NOT NULL,
        "uid" UUID NOT NULL)`,
    )
    const fields = [...(made.model.resources.get("thing")?.fields.values() ?? [])]
    assert.equal(fields.length, 16)
    const digits = fc.oneof(fc.stringMatching(/^[0-9]{1,20}$/), fc.stringMatching(/^[1-9][0-9]{11,19}$/))
    const inputs = fc.record(
      Object.fromEntries(
        fields.map((field) => {
          const decimal = fc
            .tuple(digits, fc.stringMatching(/^[0-9]{0,2}$/))
            .map(([whole, part]) => `${BigInt(whole)}${part === "" ? "" : `.${part}`}`)
          const lookalikes = fc.oneof(
            digits,
            fc.constantFrom("007", "1.50", " 1", "1e3", "-5", "0x1F", "1_0", "Inf"),
          )
          if (field.scalar === "decimal") return [field.name, decimal]
          return [field.name, field.scalar === "text" ? fc.oneof(lookalikes, inputOf(field)) : inputOf(field)]
        }),
      ),
    )
    const accepted = fc
      .sample(inputs, 10 * rows)
      .map((sent) => accept(made.model, fields, sent))
      .filter((row) => row !== undefined)
    assert.ok(accepted.length > rows, `${accepted.length} are accepted`)
    assert.ok(accepted.length < 10 * rows, "and some are not")
    const given = accepted.map(
      (row, index): Given => ({ id: `${index + 1}`, row: { id: BigInt(index + 1), ...row } }),
    )
    const records = new Map([["thing", given.map(({ row }) => row)]])
    await setUp(made.url, insertRecords(made.model, sqlite, { records, links: [] }))
    await assertKept(await serve(hooks, made), fields, given)
  })
})
