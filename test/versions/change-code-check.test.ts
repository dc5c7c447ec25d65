// What check, diff and the changelog say of changes by code.
import assert from "node:assert/strict"
import { test } from "node:test"
import { anyone, f, many, one, resource, service, withCode } from "../../src/index.ts"
import { examine, load } from "../../src/model/load.ts"
import { changelogOf } from "../../src/model/versions/changelog.ts"
import { differencesBetween } from "../../src/model/versions/diff.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"

const field = f.text()
const small = (changed: object, code: object | undefined, more: object = {}): string[] => {
  const plain = service({
    name: "shop",
    versions: { "2026-06-01": [changed], "2026-01-01": [] },
    resources: {
      order: resource({
        fields: { number: field, total: f.decimal({ precision: 9, scale: 2 }), ...more },
        relations: { lines: many("order", { by: "whole" }), whole: one("order", { optional: true }) },
        allow: { read: anyone, create: anyone, update: anyone },
      }),
    },
  } as never)
  const { problems } = examine((code ? { ...plain, code } : plain) as never)
  return problems.found.map(({ message, place }) => `${place?.join(".")}: ${message}`)
}

test("check tells what code a change lacks, and code without a change", () => {
  const change = { changed: "order.number", was: f.integer(), code: true }
  const of = (functions: object, version = "2026-06-01") => ({ versions: { [version]: functions } })
  const both = { reads: () => [], writes: () => [] }
  assert.deepEqual(small(change, of({ "order.number": both })), [])
  assert.deepEqual(small(change, undefined), [
    'versions.2026-06-01.0: The change of "order.number" needs code, and no code is attached.',
  ])
  assert.deepEqual(small(change, of({ "order.number": { writes: both.writes } })), [
    'versions.2026-06-01.0: The code of "order.number" has no `reads`, and the change gives none.',
  ])
  assert.deepEqual(small(change, of({ "order.number": both, "order.total": both })), [
    'code.versions.2026-06-01.order.total: No change of "order.total" in 2026-06-01 is by code.',
  ])
  assert.deepEqual(
    small(change, { versions: { "2026-06-01": { "order.number": both }, "2020-01-01": {} } }),
    ['code.versions.2020-01-01: There is no version "2020-01-01".'],
  )
  assert.deepEqual(small({ ...change, reads: "total" }, of({ "order.number": both })).slice(0, 1), [
    'versions.2026-06-01.0.reads: `reads` of "order.number" is an expression, and a function as well.',
  ])
  const { code: _, ...without } = change
  assert.deepEqual(small(without, of({ "order.number": both })), [
    'code.versions.2026-06-01.order.number: No change of "order.number" in 2026-06-01 is by code.',
    "versions.2026-06-01.0.reads: There is no value for readers of older versions.",
  ])
  assert.deepEqual(
    small(
      { ...change, changed: ["order.number", "order.lines"], was: { old: field } },
      of({ "order.number": both }),
    ),
    [
      'versions.2026-06-01.0: Code is given fields and references, and "lines" of order is neither.',
      'versions.2026-06-01.0: Code is given fields and references, and "lines" of order is neither.',
    ],
  )
  const keyed = { changed: "order.number", was: f.integer(), code: true }
  assert.deepEqual(small({ ...keyed, changed: "order.nothing" }, of({ "order.nothing": both })), [
    'versions.2026-06-01.0: order has no "nothing" in this version.',
  ])
})

test("what pinned clients lose is told by diff, and the change by the changelog", () => {
  const before = load(
    service({
      name: "shop",
      resources: {
        order: resource({ fields: { number: f.integer({ unique: true }) }, allow: { read: anyone } }),
      },
    }),
  )
  const since = load(
    withCode(
      service({
        name: "shop",
        versions: {
          "2026-06-01": [
            { changed: "order.number", was: f.integer(), code: true, description: "Letters came." },
            { breaking: "order.number", description: "Ask by the id." },
          ],
          "2026-01-01": { changes: [], ends: "2027-01-01" },
        },
        resources: {
          order: resource({ fields: { number: f.text({ unique: true }) }, allow: { read: anyone } }),
        },
      }),
      {
        versions: {
          "2026-06-01": {
            "order.number": { reads: (orders) => orders.map(({ number }) => ({ number: Number(number) })) },
          },
        },
      },
    ),
  )
  const told = differencesBetween(before, modelAt(since, "2026-01-01")).map(
    ({ severity, text }) => `${severity}: ${text}`,
  )
  assert.deepEqual(told, [
    "breaking: `order.number` is in no condition, order or group any more.",
    "breaking: `order.number` cannot be set any more.",
    "breaking: `order` cannot be asked for by `number` any more.",
  ])
  assert.deepEqual(
    changelogOf(since)[0]?.changes.map(({ text }) => text),
    [
      "`number` of `order` is text, integer before.",
      "Versions before 2026-06-01 do not find `order` by `number` any more.",
    ],
  )
})
