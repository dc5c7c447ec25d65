// What `bifold versions cut` proposes: with it, the older version is what the service was, and takes what it took.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, resource, service } from "../../src/index.ts"
import type { VersionChange } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { changesBetween } from "../../src/model/versions/cut.ts"
import { differencesBetween } from "../../src/model/versions/diff.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"

type Versions = Readonly<Record<string, readonly VersionChange[]>>

const declared = (item: object, versions: Versions = { "2026-01-01": [] }) =>
  service({
    name: "shop",
    versions,
    resources: { item: resource({ id: "itm", ...item } as never) },
  } as never)

/** The changes, once the older version is seen to be what it was. */
function proposed(before: object, after: object) {
  const [old, fresh] = [declared(before), declared(after)]
  const { changes, byHand } = changesBetween(
    { declaration: old, model: load(old) },
    { declaration: fresh, model: load(fresh) },
  )
  const cut = load(declared(after, { "2026-06-01": changes, "2026-01-01": [] }))
  const then = modelAt(openModel(cut), "2026-01-01")
  assert.deepEqual(
    differencesBetween(openModel(load(old)), then).filter(({ severity }) => severity !== "safe"),
    [],
  )
  return { changes, byHand }
}

test("a field that became required is written with its default in place of none", () => {
  const { changes } = proposed(
    { fields: { note: f.text({ optional: true }) } },
    { fields: { note: f.text({ default: "none" }) } },
  )
  assert.deepEqual(changes, [
    {
      changed: "item.note",
      was: f.text({ optional: true }),
      reads: "note",
      writes: { coalesce: ["note", { value: "none" }] },
    },
  ])
})

test("a field that became optional is read with its former default in place of none", () => {
  const { changes } = proposed(
    { fields: { rank: f.integer({ default: 3 }), size: f.text() } },
    { fields: { rank: f.integer({ optional: true }), size: f.text({ optional: true }) } },
  )
  assert.deepEqual(
    changes.map((change) => "changed" in change && [change.changed, change.reads, change.writes]),
    [
      ["item.rank", { coalesce: ["rank", { value: 3 }] }, "rank"],
      ["item.size", { coalesce: ["size", { value: "" }] }, "size"],
    ],
  )
})

test("states that have other names", () => {
  const machine = (cancelled: string, states: object = {}) => ({
    initial: "open",
    transitions: { cancel: { from: "open", to: cancelled } },
    states,
  })
  const { changes, byHand } = proposed(
    { fields: { note: f.text() }, states: { status: machine("void") } },
    {
      fields: { note: f.text(), phase: f.text({ was: "status" }) },
      states: { phase: machine("cancelled", { cancelled: { was: ["dead", "void"] } }) },
    },
  )
  assert.deepEqual(
    [changes, byHand],
    [
      [
        { renamed: "item.status", to: "phase" },
        { renamed: "item.phase.void", to: "cancelled" },
      ],
      [],
    ],
  )
})

test("values of enumerations that have other names", () => {
  const { changes, byHand } = proposed(
    { fields: { about: f.oneOf(["question", "bug", "dull"]) } },
    {
      fields: {
        kind: f.oneOf(["question", "fault", "boring"], {
          was: "about",
          formerly: { fault: ["mistake", "bug"], boring: "dull" },
        }),
      },
    },
  )
  assert.deepEqual(
    [changes, byHand],
    [
      [
        { renamed: "item.about", to: "kind" },
        { renamed: "item.kind.bug", to: "fault" },
        { renamed: "item.kind.dull", to: "boring" },
      ],
      [],
    ],
  )
})

test("several values that became one", () => {
  const { changes, byHand } = proposed(
    { fields: { size: f.oneOf(["small", "large", "huge", "none"]) } },
    { fields: { size: f.oneOf(["small", "big"], { formerly: { big: ["large", "huge"], small: "none" } }) } },
  )
  assert.deepEqual(changes, [
    {
      changed: "item.size",
      was: f.oneOf(["small", "large", "huge", "none"]),
      reads: { map: ["size", { big: "large" }] },
      writes: { map: ["size", { large: "big", huge: "big", none: "small" }] },
    },
  ])
  assert.equal(byHand.length, 1)
})

test("a field that was split is written to those that are made from it", () => {
  const { changes, byHand } = proposed(
    { fields: { name: f.text(), size: f.integer() } },
    {
      fields: {
        first: f.text({ from: { before: ["name", " "] } }),
        last: f.text({ from: { after: ["name", " "] } }),
        size: f.integer(),
      },
    },
  )
  assert.deepEqual(changes, [
    {
      changed: ["item.first", "item.last"],
      was: { name: f.text() },
      reads: { name: { value: "" } },
      writes: { first: { before: ["name", " "] }, last: { after: ["name", " "] } },
    },
  ])
  assert.deepEqual(byHand, [
    "`name` of item became `first`, `last`: say in `reads` what older versions read.",
  ])
})

test("a field that has another name, and of which others are made, is renamed", () => {
  const { changes } = proposed(
    { fields: { name: f.text() } },
    {
      fields: {
        title: f.text({ was: "name" }),
        first: f.text({ optional: true, from: { before: ["name", " "] } }),
      },
    },
  )
  assert.deepEqual(changes, [{ renamed: "item.name", to: "title" }, { added: "item.first" }])
})
