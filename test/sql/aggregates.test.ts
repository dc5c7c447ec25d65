// Sums are exact beyond 64 bits and say so when they do not fit; groups keep their order and a group of missing values.

import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import type { AggregateFunction } from "../../src/plan/read-plan.ts"
import { cleanUp } from "../support/database.ts"
import { databases, listRoot, openSpecimens, specimenRecords } from "./specimens.ts"

const greatest = 2n ** 63n - 1n
const stored = [
  {
    id: 1n,
    count: greatest,
    price: "9999999999999999.99",
    rank: 1,
    size: 0.5,
    drawerId: ["B", 1],
    alive: true,
  },
  {
    id: 2n,
    count: greatest,
    price: "9999999999999999.99",
    rank: 2,
    size: 0.25,
    drawerId: ["a~", 2],
    alive: null,
  },
  { id: 3n, count: -greatest, price: "-0.01", rank: -3, size: null, drawerId: ["B", -1], alive: false },
  { id: 4n, count: null, price: null, rank: null, size: null, drawerId: null, alive: false },
]
const drawers = [
  { id: ["B", 1], label: null },
  { id: ["B", -1], label: null },
  { id: ["a~", 2], label: null },
]
const measure = (name: AggregateFunction, field: string) =>
  ({ kind: "measure", key: `${name}.${field}`, measure: name, field }) as const
const everyMeasure = (field: string) =>
  (["sum", "avg", "min", "max"] as const).map((name) => measure(name, field))

describe("aggregates", () => {
  const hooks = cleanUp(after)
  for (const database of databases) {
    test(`are exact on ${database}`, async () => {
      const asked = await openSpecimens(hooks, database, specimenRecords(stored, drawers))
      const members = [
        { kind: "count", key: "count" } as const,
        ...["count", "price", "rank", "size"].flatMap(everyMeasure),
        measure("min", "alive"),
        measure("max", "alive"),
      ]
      const all = await asked.list("specimen", {}, [{ kind: "aggregate", key: "all", members }])
      const cents = (2n * 999999999999999999n - 1n).toString()
      const prices = `${cents.slice(0, -2)}.${cents.slice(-2)}`
      assert.deepEqual(all, {
        all: {
          count: 4,
          "sum.count": greatest.toString(),
          "avg.count": Number(greatest) / 3,
          "min.count": (-greatest).toString(),
          "max.count": greatest.toString(),
          "sum.price": prices,
          "avg.price": Number(prices) / 3,
          "min.price": "-0.01",
          "max.price": "9999999999999999.99",
          "sum.rank": "0",
          "avg.rank": 0,
          "min.rank": -3,
          "max.rank": 2,
          "sum.size": 0.75,
          "avg.size": 0.375,
          "min.size": 0.25,
          "max.size": 0.5,
          "min.alive": false,
          "max.alive": true,
        },
      })
      const none = await asked.list("specimen", { where: { rank: { gt: 100 } } }, [
        { kind: "aggregate", key: "all", members },
      ])
      const nothing = Object.fromEntries(members.map(({ key }) => [key, key === "count" ? 0 : null]))
      assert.deepEqual(none, { all: nothing })
    })

    test(`of int64 have as many digits as they need on ${database}`, async () => {
      const asked = await openSpecimens(hooks, database, specimenRecords(stored, drawers))
      const sumsOf = (where: object) =>
        asked.list("specimen", { where }, [
          { kind: "aggregate", key: "all", members: [measure("sum", "count"), measure("avg", "count")] },
        ])
      const double = greatest * 2n
      assert.deepEqual(await sumsOf({ count: { gt: "0" } }), {
        all: { "sum.count": double.toString(), "avg.count": Number(greatest) },
      })
    })

    test(`by groups come in order, missing values last, on ${database}`, async () => {
      const asked = await openSpecimens(hooks, database, specimenRecords(stored, drawers))
      const groups = (limit: number) =>
        asked.ask((draft) => {
          const by = [
            { kind: "reference", relation: "drawer" } as const,
            { kind: "field", field: "alive" } as const,
          ]
          const members = [
            {
              kind: "object",
              key: "key",
              members: [
                { kind: "group", key: "drawerId", index: 0 },
                { kind: "group", key: "alive", index: 1 },
              ],
            } as const,
            { kind: "count", key: "count" } as const,
          ]
          return [
            listRoot(draft, "specimen", {}, [
              { kind: "groups", key: "groups", groups: { by, limit: draft.bind(limit), members } },
            ]),
          ]
        })
      const expected = [
        { key: { drawerId: "drawer_B~-1", alive: false }, count: 1 },
        { key: { drawerId: "drawer_B~1", alive: true }, count: 1 },
        { key: { drawerId: "drawer_a%7E~2", alive: null }, count: 1 },
        { key: { drawerId: null, alive: false }, count: 1 },
      ]
      assert.deepEqual(await groups(10), [{ groups: expected }])
      assert.deepEqual(await groups(2), [{ groups: expected.slice(0, 2) }])
    })
  }
})
