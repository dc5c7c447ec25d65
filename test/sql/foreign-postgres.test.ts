// PostgreSQL columns that Bifold did not make: enumerations, other types as text, values beyond what JSON or the
// declaration can hold.

import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { f, resource, service } from "bifold"
import { textOf } from "../../src/base/json.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { cleanUp, temporaryPostgres } from "../support/database.ts"
import { answerAnyone, loadOpen } from "../support/everybody.ts"
import { type Asking, field, id, openAt, rows } from "./specimens.ts"

const found = loadOpen(
  service({
    name: "found",
    resources: {
      thing: resource({
        key: { column: "id", type: "int64" },
        fields: {
          mood: f.oneOf(["calm", "odd", "Zen"], { optional: true, stored: "cast" }),
          moods: f.list(f.oneOf(["calm", "odd", "Zen"]), { optional: true, stored: "cast" }),
          feeling: f.oneOf(["calm", "odd", "Zen"], { optional: true, stored: "domain" }),
          code: f.text({ optional: true, stored: "cast" }),
          address: f.text({ optional: true, stored: "cast" }),
          local: f.timestamp({ optional: true, stored: "local" }),
          moment: f.timestamp({ optional: true }),
          day: f.date({ optional: true }),
          hour: f.time({ optional: true }),
          small: f.integer({ optional: true }),
          single: f.float({ optional: true }),
          free: f.decimal({ optional: true }),
          price: f.decimal({ optional: true, precision: 10, scale: 2 }),
          numbers: f.list(f.integer(), { optional: true }),
          name: f.text({ optional: true }),
          sure: f.text(),
        },
      }),
    },
  }),
)

const tables = `
  CREATE TYPE mood AS ENUM ('odd', 'calm', 'Zen');
  CREATE DOMAIN feeling AS mood CHECK (VALUE <> 'odd');
  CREATE TABLE thing (id bigint PRIMARY KEY, mood mood, moods mood[], feeling feeling, code char(4), address inet, local timestamp, moment timestamptz,
    day date, hour time, small smallint, single real, free numeric, price numeric(10,2), numbers smallint[], name varchar(20), sure text DEFAULT 'yes')`

const cases: readonly (readonly [column: string, stored: string, json: unknown])[] = [
  ["mood", "'calm'", "calm"],
  ["moods", "'{calm,Zen}'", ["calm", "Zen"]],
  ["feeling", "'calm'", "calm"],
  ["feeling", "'Zen'", "Zen"],
  ["code", "'ab'", "ab"],
  ["address", "'10.0.0.1/8'", "10.0.0.1/8"],
  ["local", "'2024-01-02 03:04:05.5'", "2024-01-02T03:04:05.5Z"],
  ["local", "'infinity'", undefined],
  ["moment", "'2024-01-02 03:04:05.000001+02'", "2024-01-02T01:04:05.000001Z"],
  ["moment", "'-infinity'", undefined],
  ["moment", "'0044-03-15 12:00:00+00 BC'", undefined],
  ["moment", "'10000-01-01 00:00:00+00'", undefined],
  ["day", "'2024-02-29'", "2024-02-29"],
  ["day", "'infinity'", undefined],
  ["hour", "'24:00'", undefined],
  ["small", "7", 7],
  ["single", "0.1", Math.fround(0.1)],
  ["single", "'NaN'", undefined],
  ["free", "1.500", "1.5"],
  ["free", "'NaN'", undefined],
  ["free", "1e30", `1${"0".repeat(30)}`],
  ["price", "5", "5.00"],
  ["numbers", "'{1,2}'", [1, 2]],
  ["numbers", "'{}'", []],
  ["numbers", "'{1,NULL}'", undefined],
  ["numbers", "'{{1},{2}}'", undefined],
  ["name", "'a\"b'", 'a"b'],
  ["sure", "NULL", undefined],
]

describe("PostgreSQL columns of other people's tables", () => {
  const hooks = cleanUp(after)

  const open = async (): Promise<Asking> => {
    const url = await temporaryPostgres(hooks)
    const inserts = cases.map(
      ([column, stored], index) => `INSERT INTO thing (id, "${column}") VALUES (${index + 1}, ${stored})`,
    )
    await setUp(
      url,
      [tables, ...inserts].map((text) => ({ text, parameters: [] })),
    )
    return openAt(hooks, found, url)
  }

  test("are read as what they mean, or marked as unrepresentable", async () => {
    const { engine, plan } = await open()
    for (const [index, [column, stored, json]] of cases.entries()) {
      const { roots, flawed } = await answerAnyone(
        engine,
        plan((draft) => {
          const by = [{ subject: { kind: "id" } as const, slot: draft.bind([BigInt(index + 1)]).slot }]
          return [{ kind: "record", key: "thing", resource: "thing", by, members: [field(column)] }]
        }),
      )
      assert.equal(flawed, json === undefined, `${column} ${stored}: ${roots[0]}`)
      if (json === undefined) assert.equal(roots[0], `{"${column}":\u0003}`, `${column} ${stored}`)
      else assert.deepEqual(JSON.parse(textOf(roots[0] ?? "")), { [column]: json }, `${column} ${stored}`)
    }
  })

  test("are compared and ordered by their meaning", async () => {
    const { list } = await open()
    const idsOf = async (where: object, order: string[] = []): Promise<string[]> => {
      const terms = order.map((name) => ({ path: [], name }))
      const answer = await list<{ rows: { id: string }[] }>("thing", { where, order: terms, first: 100 }, [
        rows(id),
      ])
      return answer.rows.map((row) => row.id)
    }
    const at = (...columns: readonly string[]): string[] =>
      columns.map((column) => `thing_${cases.findIndex((one) => one[0] === column) + 1}`)
    assert.deepEqual(await idsOf({ mood: { eq: "calm" } }), at("mood"))
    assert.deepEqual(await idsOf({ mood: { in: ["calm", "Zen"] } }), at("mood"))
    assert.deepEqual(await idsOf({ moods: { hasAny: ["odd", "Zen"] } }), at("moods"))
    const feeling = cases.findIndex(([column]) => column === "feeling") + 1
    const feelings = [`thing_${feeling}`, `thing_${feeling + 1}`]
    assert.deepEqual(await idsOf({ feeling: { eq: "calm" } }), feelings.slice(0, 1))
    assert.deepEqual(await idsOf({ feeling: { in: ["calm", "Zen"] } }, ["feeling"]), feelings.toReversed())
    const others = { feeling: { isNull: false, notIn: ["calm", "odd"] } }
    assert.deepEqual(await idsOf(others), feelings.slice(1))
    assert.deepEqual(await idsOf({ code: { eq: "ab" } }), at("code"))
    assert.deepEqual(await idsOf({ address: { startsWith: "10." } }), at("address"))
    assert.deepEqual(await idsOf({ local: { eq: "2024-01-02T04:04:05.5+01:00" } }), at("local"))
    assert.deepEqual(await idsOf({ small: { gt: -2147483648, lt: 2147483647 } }), at("small"))
    assert.deepEqual(await idsOf({ single: { eq: Math.fround(0.1) } }), at("single"))
    assert.deepEqual(await idsOf({ single: { lt: 1e300 } }), at("single"))
    assert.deepEqual(
      await idsOf({ numbers: { hasAll: [1, 2], has: 1 }, small: { isNull: true } }).then((found) =>
        found.slice(0, 1),
      ),
      at("numbers"),
    )
    assert.deepEqual(await idsOf({ name: { in: ['a"b'] } }), at("name"))
  })

  test("sums beyond their type are marked", async () => {
    const { engine, plan } = await open()
    const { flawed } = await answerAnyone(
      engine,
      plan((draft) => {
        const page = { direction: "forward", limit: draft.bind(1), atMost: 10 } as const
        const measure = { kind: "measure", key: "sum", measure: "sum", field: "free" } as const
        const members = [{ kind: "aggregate", key: "all", members: [measure] } as const]
        const order = [{ path: [], subject: { kind: "id" } as const, descending: false }]
        return [{ kind: "list", key: "list", resource: "thing", list: { order, page, members } }]
      }),
    )
    assert.ok(flawed) // NaN is among them
  })
})
