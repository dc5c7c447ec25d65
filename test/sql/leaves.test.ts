// Every scalar comes back as it was stored, in the canonical form of docs/guide/reading.md, on both databases.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import fc from "fast-check"
import { present } from "../../src/base/invariant.ts"
import type { Value } from "../../src/plan/read-plan.ts"
import { fieldType } from "../../src/sql/column-type.ts"
import type { Row } from "../../src/sql/write/insert.ts"
import { jsonTextOf } from "../../src/sql/write/log-entry.ts"
import { cleanUp } from "../support/database.ts"
import { databases, field, id, openSpecimens, rows, specimenRecords, specimens } from "./specimens.ts"

const scalarFields = [...(specimens.resources.get("specimen")?.fields.keys() ?? [])]

/** Stored value and, where it is spelt otherwise, its JSON. */
const extremes: Readonly<Record<string, readonly (readonly [stored: Row[string], json?: unknown])[]>> = {
  name: [
    [""],
    [" "],
    ['a"b\\c/d'],
    ["\u0001\u0002\u0003\u001f"],
    ["\u007f\u0085\u2028\ud83d\ude00"],
    ["'; DROP TABLE x"],
    ["null"],
  ],
  mail: [["a@x.org"]],
  rank: [[0], [2 ** 31 - 1], [-(2 ** 31)]],
  count: [
    [0n, "0"],
    [2n ** 63n - 1n, "9223372036854775807"],
    [-(2n ** 63n), "-9223372036854775808"],
  ],
  size: [[0], [0.1], [1 / 3], [5e-324], [Number.MAX_VALUE], [-1.5], [2 ** 53 + 2], [123456789012345680000]],
  price: [["0.00"], ["-0.05"], ["9999999999999999.99"], ["-9999999999999999.99"], ["10.10"]],
  whole: [["0"], ["-999999999999999999"], ["999999999999999999"]],
  alive: [[true], [false]],
  foundOn: [["0001-01-01"], ["9999-12-31"], ["2024-02-29"]],
  wakesAt: [["00:00:00"], ["23:59:59.999999"], ["12:30:00.5"], ["10:20:30.00001"], ["10:00:10"]],
  seenAt: [
    ["0001-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59.999999Z"],
    ["1970-01-01T00:00:00.5Z"],
    ["2024-10-20T10:20:30Z"],
  ],
  tag: [["00000000-0000-0000-0000-000000000000"], ["ffffffff-ffff-ffff-ffff-ffffffffffff"]],
  facts: [
    ["null", null],
    ['{"a":[1,2.5,"x\\u0001\\n",null,true]}', { a: [1, 2.5, "x\u0001\n", null, true] }],
    ['"text"', "text"],
    ["[]", []],
  ],
  mood: [["calm"], ["it's"], ["odd"]],
  image: [[""], ["AA=="], [Buffer.alloc(300, 7).toString("base64")]],
  words: [[[]], [["a", "", '"\\{},', "NULL", "é"]]],
  marks: [[[]], [[1, -2, 2 ** 31 - 1]]],
  counts: [
    [
      [2n ** 63n - 1n, 0n],
      ["9223372036854775807", "0"],
    ],
  ],
  prices: [[["0.10", "-5.00"]]],
  moments: [[["2024-10-20T10:20:30Z", "1970-01-01T00:00:00.5Z"]]],
}

function specimen(key: number, given: Row): Row {
  const nothing = Object.fromEntries(scalarFields.map((name) => [name, null]))
  return { id: BigInt(key), ...nothing, ...given }
}

describe("leaves", () => {
  const hooks = cleanUp(after)

  test("the text of a value that is bound is that of its answer", () => {
    const told = new Set<string>()
    const columnType = (name: string) =>
      fieldType(specimens, present(specimens.resources.get("specimen")?.fields.get(name), name))
    for (const [name, values] of Object.entries(extremes)) {
      const print = jsonTextOf(columnType(name))
      if (!print) continue
      told.add(name)
      for (const [value, json = value] of [...values, [null] as const])
        assert.deepEqual(JSON.parse(print(value as Value)), json, name)
    }
    assert.deepEqual(
      [...told],
      ["name", "mail", "rank", "count", "alive", "foundOn", "seenAt", "tag", "mood"],
    )
  })

  for (const database of databases) {
    test(`every scalar, its extremes and its absence on ${database}`, async () => {
      const cases = Object.entries(extremes).flatMap(([name, values]) =>
        values.map((value) => [name, value] as const),
      )
      const stored = cases.map(([name, [value]], index) => specimen(index + 1, { [name]: value }))
      const asked = await openSpecimens(hooks, database, specimenRecords(stored))
      const members = [id, ...scalarFields.map(field)]
      const answer = await asked.list<{ rows: Record<string, unknown>[] }>("specimen", { first: 1000 }, [
        rows(...members),
      ])
      assert.equal(answer.rows.length, cases.length)
      for (const [index, [name, [value, json]]] of cases.entries()) {
        const expected = Object.fromEntries(scalarFields.map((one) => [one, null as unknown]))
        expected[name] = json === undefined && name !== "facts" ? value : json
        assert.deepEqual(answer.rows[index], { id: `specimen_${index + 1}`, ...expected }, name)
      }
    })

    test(`any double and any text read back the same on ${database}`, async () => {
      const values = fc.sample(
        fc.tuple(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.string({ unit: "binary" }),
          fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        ),
        { numRuns: 500, seed: 20 },
      )
      const usable = values.map(
        ([size, name, count]) => [size + 0, name.replaceAll("\0", ""), count] as const,
      )
      const stored = usable.map(([size, name, count], index) => specimen(index + 1, { size, name, count }))
      const asked = await openSpecimens(hooks, database, specimenRecords(stored))
      const answer = await asked.list<{ rows: { size: number; name: string; count: string }[] }>(
        "specimen",
        { first: 1000 },
        [rows(field("size"), field("name"), field("count"))],
      )
      assert.deepEqual(
        answer.rows,
        usable.map(([size, name, count]) => ({ size, name, count: String(count) })),
      )
    })
  }
})
