// SQLite columns of other people's tables: any form SQLite understands is one canonical value, to read, compare and order by.

import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { f, one, resource, service } from "bifold"
import { textOf } from "../../src/base/json.ts"
import { temporaryFolder } from "../support/database.ts"
import { answerAnyone, loadOpen } from "../support/everybody.ts"
import { type Asking, field, id, listRoot, openAt, rows } from "./specimens.ts"

const loose = { optional: true, stored: "loose" } as const
const found = loadOpen(
  service({
    name: "found",
    resources: {
      thing: resource({
        key: { column: "id", type: "integer", stored: "loose" },
        table: "Thing",
        fields: {
          moment: f.timestamp(loose),
          day: f.date(loose),
          hour: f.time(loose),
          price: f.decimal({ ...loose, precision: 10, scale: 2 }),
          free: f.decimal(loose),
          flag: f.boolean(loose),
          whole: f.integer(loose),
          large: f.int64(loose),
          ratio: f.float(loose),
          uid: f.uuid(loose),
          doc: f.json(loose),
          blob: f.bytes(loose),
          name: f.text(loose),
          words: f.list(f.text(), loose),
          kind: f.oneOf(["a", "b"], loose),
          sure: f.integer({ stored: "loose", optional: false, default: 0 }),
        },
        relations: { next: one("thing", { optional: true, column: "next" }) },
      }),
    },
  }),
)

/** Column, what is stored as SQL, and the JSON; undefined where it has none. */
const cases: readonly (readonly [column: string, stored: string, json: unknown])[] = [
  ["moment", "'2024-01-02 03:04:05'", "2024-01-02T03:04:05Z"],
  ["moment", "'2024-01-02T03:04:05.123456Z'", "2024-01-02T03:04:05.123456Z"],
  ["moment", "'2024-01-02 03:04:59.9999+02:00'", "2024-01-02T01:04:59.9999Z"],
  ["moment", "'2024-01-02'", "2024-01-02T00:00:00Z"],
  ["moment", "'2024-01-02 03:04'", "2024-01-02T03:04:00Z"],
  ["moment", "1704164645", "2024-01-02T03:04:05Z"],
  ["moment", "253402300799", "9999-12-31T23:59:59Z"],
  ["moment", "1704164645007", "2024-01-02T03:04:05.007Z"],
  ["moment", "253402300799999", "9999-12-31T23:59:59.999Z"],
  ["moment", "253402300800000", undefined],
  ["moment", "2460311.5", "2024-01-02T00:00:00Z"],
  ["moment", "'now'", undefined],
  ["moment", "'tomorrow'", undefined],
  ["moment", "'0000-01-01'", undefined],
  ["moment", "-99999999999", undefined],
  ["moment", "1000.5", undefined],
  ["moment", "x'00'", undefined],
  ["day", "'2024-02-29'", "2024-02-29"],
  ["day", "'2024-02-29 23:00:00'", "2024-02-29"],
  ["day", "1704164645", "2024-01-02"],
  ["day", "1704164645007", "2024-01-02"],
  ["day", "'12:00'", undefined],
  ["hour", "'03:04'", "03:04:00"],
  ["hour", "'03:04:05.250'", "03:04:05.25"],
  ["hour", "'24:00'", undefined],
  ["hour", "'x'", undefined],
  ["price", "0.99", "0.99"],
  ["price", "0.1 + 0.2", "0.30"],
  ["price", "5", "5.00"],
  ["price", "'12.5'", "12.50"],
  ["price", "-0.001", "0.00"],
  ["price", "9007199254740993", "9007199254740993.00"],
  ["price", "'a lot'", undefined],
  ["price", "9e999", undefined],
  ["free", "1.50", "1.5"],
  ["free", "7", "7"],
  ["free", "1e20", "100000000000000000000"],
  ["free", "0.0000125", "0.0000125"],
  ["flag", "1", true],
  ["flag", "0", false],
  ["flag", "'TRUE'", true],
  ["flag", "2", undefined],
  ["whole", "3.0", 3],
  ["whole", "3.5", undefined],
  ["whole", "2147483648", undefined],
  ["whole", "'many'", undefined],
  ["large", "9223372036854775807", "9223372036854775807"],
  ["large", "1e30", undefined],
  ["ratio", "0.1", 0.1],
  ["ratio", "3", 3],
  ["ratio", "9e999", undefined],
  ["ratio", "'x'", undefined],
  ["uid", "'AAAAAAAA-0000-4000-8000-00000000000A'", "aaaaaaaa-0000-4000-8000-00000000000a"],
  ["uid", "x'aaaaaaaa00004000800000000000000b'", "aaaaaaaa-0000-4000-8000-00000000000b"],
  ["uid", "'short'", undefined],
  ["doc", `'{"a": [1]}'`, { a: [1] }],
  ["doc", "12", 12],
  ["doc", "'{a: 1}'", undefined],
  ["blob", "x'00ff'", "AP8="],
  ["blob", "'text'", "dGV4dA=="],
  ["name", "'Ä'", "Ä"],
  ["name", "x'4142'", "AB"],
  ["words", `'["x", "y"]'`, ["x", "y"]],
  ["words", "'x,y'", undefined],
  ["words", "'{}'", undefined],
  ["kind", "'a'", "a"],
  ["kind", "'A'", undefined],
  ["sure", "NULL", undefined],
]

async function openThings(context: Parameters<typeof temporaryFolder>[0]): Promise<Asking> {
  const path = `${await temporaryFolder(context)}/things.sqlite`
  const database = new DatabaseSync(path)
  database.exec(`CREATE TABLE Thing (id INTEGER PRIMARY KEY, moment DATETIME, day DATE, hour TIME, price NUMERIC(10,2), free DECIMAL,
    flag BOOLEAN, whole INT, large BIGINT, ratio REAL, uid, doc JSON, blob BLOB, name TEXT COLLATE NOCASE, words TEXT, kind TEXT COLLATE NOCASE,
    sure INT DEFAULT 0, next INT)`)
  for (const [index, [column, stored]] of cases.entries())
    database.exec(`INSERT INTO Thing (id, "${column}") VALUES (${index + 1}, ${stored})`)
  database.close()
  return openAt(context, found, path)
}

test("each form of a value is read as what it means, or marked as unrepresentable", async (context) => {
  const { engine, plan } = await openThings(context)
  for (const [index, [column, stored, json]] of cases.entries()) {
    const { roots, flawed } = await answerAnyone(
      engine,
      plan((draft) => [
        {
          kind: "record",
          key: "thing",
          resource: "thing",
          by: [{ subject: { kind: "id" }, slot: draft.bind([index + 1]).slot }],
          members: [field(column)],
        },
      ]),
    )
    const [text] = roots
    assert.equal(flawed, json === undefined, `${column} ${stored}: ${text}`)
    if (json === undefined) assert.equal(text, `{"${column}":\u0003}`, `${column} ${stored}`)
    else assert.deepEqual(JSON.parse(textOf(text ?? "")), { [column]: json }, `${column} ${stored}`)
  }
})

test("conditions and orders go by the meaning, whatever the form", async (context) => {
  const { list } = await openThings(context)
  const idsOf = async (
    where: object,
    order: readonly { path: readonly string[]; name: string }[] = [],
  ): Promise<string[]> => {
    const answer = await list<{ rows: { id: string }[] }>("thing", { where, order, first: 100 }, [rows(id)])
    return answer.rows.map((row) => row.id)
  }
  const indexes = (...wanted: readonly (readonly [string, string])[]): string[] =>
    wanted.map(
      ([column, stored]) => `thing_${cases.findIndex((one) => one[0] === column && one[1] === stored) + 1}`,
    )
  assert.deepEqual(
    await idsOf({ moment: { eq: "2024-01-02T03:04:05Z" } }),
    indexes(["moment", "'2024-01-02 03:04:05'"], ["moment", "1704164645"]),
  )
  assert.deepEqual(await idsOf({ price: { eq: "0.30" } }), indexes(["price", "0.1 + 0.2"]))
  assert.deepEqual(
    await idsOf({ price: { in: ["0.99", "12.50"] } }),
    indexes(["price", "0.99"], ["price", "'12.5'"]),
  )
  assert.deepEqual(await idsOf({ flag: { eq: true } }), indexes(["flag", "1"], ["flag", "'TRUE'"]))
  assert.deepEqual(await idsOf({ name: { eq: "ä" } }), [])
  assert.deepEqual(await idsOf({ kind: { eq: "b" } }), [])
  assert.deepEqual(await idsOf({ words: { hasAny: ["y", "z"] } }), indexes(["words", `'["x", "y"]'`]))
  assert.deepEqual(
    await idsOf({ day: { gt: "2024-01-01" } }, [{ path: [], name: "day" }]),
    indexes(
      ["day", "1704164645"],
      ["day", "1704164645007"],
      ["day", "'2024-02-29'"],
      ["day", "'2024-02-29 23:00:00'"],
    ),
  )
  assert.deepEqual(
    await idsOf({ uid: { eq: "aaaaaaaa-0000-4000-8000-00000000000b" } }),
    indexes(["uid", "x'aaaaaaaa00004000800000000000000b'"]),
  )
})

test("sums and averages of decimals are exact, though doubles hold them", async (context) => {
  const { list } = await openThings(context)
  const measure = (name: "sum" | "avg" | "min" | "max", of: string) =>
    ({ kind: "measure", key: name, measure: name, field: of }) as const
  const answer = await list("thing", { where: { price: { lt: "13.00" }, id: { notIn: [] } } }, [
    {
      kind: "aggregate",
      key: "price",
      members: [
        measure("sum", "price"),
        measure("avg", "price"),
        measure("min", "price"),
        measure("max", "price"),
      ],
    },
  ])
  assert.deepEqual(answer, { price: { sum: "18.79", avg: 18.79 / 5, min: "0.00", max: "12.50" } })
})

test("a cursor stands also where a value cannot be told", async (context) => {
  const { engine, plan } = await openThings(context)
  const { roots, flawed } = await answerAnyone(
    engine,
    plan((draft) => [
      listRoot(draft, "thing", { order: [{ path: [], name: "whole" }], first: 10 }, [
        rows({ kind: "cursor", key: "cursor" }),
      ]),
    ]),
  )
  assert.ok(!flawed)
  const cursors = [...textOf(roots[0] ?? "").matchAll(/"cursor":"([^"]+)"/g)].map(([, cursor]) => cursor)
  assert.ok(cursors.length > 5)
  assert.equal(new Set(cursors).size, cursors.length)
})
