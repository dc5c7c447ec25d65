// What `bifold versions cut` proposes: with it, the older version is what the service was, and takes what it took.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, one, resource, service } from "../../src/index.ts"
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
    resources: {
      item: resource({ id: "itm", ...item } as never),
      box: resource({ fields: { name: f.text() } }),
    },
  } as never)

function cutBetween(before: object, after: object) {
  const [old, fresh] = [declared(before), declared(after)]
  return changesBetween({ declaration: old, model: load(old) }, { declaration: fresh, model: load(fresh) })
}

/** The changes, once the older version is seen to be what it was. */
function proposed(before: object, after: object) {
  const old = declared(before)
  const { changes, byHand } = cutBetween(before, after)
  const cut = load(declared(after, { "2026-06-01": changes, "2026-01-01": [] }))
  const then = modelAt(openModel(cut), "2026-01-01")
  assert.deepEqual(
    differencesBetween(openModel(load(old)), then).filter(({ severity }) => severity !== "safe"),
    [],
  )
  return { changes, byHand }
}

test("a field that became required is written with its default in place of none", () => {
  const { changes, byHand } = proposed(
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
  assert.deepEqual(byHand, [])
})

test("a field that became optional is read with its former default in place of none", () => {
  const { changes, byHand } = proposed(
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
  assert.deepEqual(byHand, [
    '`item.size` may be missing: `reads` has `""` in place of no value; say another one if that is meant.',
  ])
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
  assert.deepEqual(byHand, [
    '`item.size` has other values: `reads` has `"large"` in place of "big"; say another one if that is meant.',
  ])
})

test("a field with another name and other values is one change, written as `from` makes it", () => {
  const flag = {
    if: { when: { status: { eq: true } }, give: { value: "on" }, else: { value: "off" } },
  } as const
  const { changes, byHand } = cutBetween(
    { fields: { active: f.boolean(), note: f.text({ optional: true }), cents: f.integer() } },
    {
      fields: {
        status: f.oneOf(["on", "off"], { was: "active", from: flag }),
        remark: f.text({ was: "note", from: { coalesce: ["remark", { value: "none" }] } }),
        price: f.decimal({
          ...{ precision: 12, scale: 2, was: "cents" },
          from: { multiply: ["price", { value: "0.01" }] },
        }),
      },
    },
  )
  assert.deepEqual(changes, [
    {
      changed: "item.status",
      was: { active: f.boolean() },
      reads: { active: "status" },
      writes: { status: { if: { ...flag.if, when: { active: { eq: true } } } } },
    },
    {
      changed: "item.remark",
      was: { note: f.text({ optional: true }) },
      reads: { note: "remark" },
      writes: { remark: { coalesce: ["note", { value: "none" }] } },
    },
    {
      changed: "item.price",
      was: { cents: f.integer() },
      reads: { cents: "price" },
      writes: { price: { multiply: ["cents", { value: "0.01" }] } },
    },
  ])
  const rest = "say in `reads` how values become each other, or say `code: true` and give functions."
  assert.deepEqual(byHand, [
    `\`item.active\` is called \`status\` and is oneOf, boolean before: ${rest}`,
    `\`item.cents\` is called \`price\` and is decimal, integer before: ${rest}`,
  ])
})

test("values that are not completed are refused", () => {
  const [before, after] = [
    { fields: { active: f.boolean() } },
    { fields: { status: f.oneOf(["on", "off"], { was: "active" }) } },
  ]
  const { changes, byHand } = cutBetween(before, after)
  assert.match(byHand.join("\n"), /say in `reads` and `writes` how values become each other/)
  assert.throws(
    () => load(declared(after, { "2026-06-01": changes, "2026-01-01": [] })),
    /"active" is boolean, and "status" in its expression is oneOf/,
  )
})

test("a field that is required since, with values that are new, renamed and the default", () => {
  const { changes } = proposed(
    { fields: { kind: f.oneOf(["a", "b"], { optional: true }) } },
    { fields: { sort: f.oneOf(["a", "c", "d"], { was: "kind", default: "c", formerly: { c: "b" } }) } },
  )
  assert.deepEqual(changes, [
    {
      changed: "item.sort",
      was: { kind: f.oneOf(["a", "b"], { optional: true }) },
      reads: { kind: "sort" },
      writes: { sort: { coalesce: ["kind", { value: "b" }] } },
    },
    { added: "item.sort.d" },
    { renamed: "item.sort.b", to: "c" },
  ])
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

test("fields that were split and joined are one change, also where the last brings others together", () => {
  const { changes } = proposed(
    { fields: { x: f.text(), y: f.text(), on: f.boolean() } },
    {
      fields: {
        a: f.text({ from: "x" }),
        b: f.text({ from: "y" }),
        c: f.text({ from: { concat: ["x", "y"] } }),
        kind: f.oneOf(["on", "off"], {
          from: { if: { when: { on: { eq: true } }, give: { value: "on" }, else: { value: "off" } } },
        }),
      },
    },
  )
  assert.deepEqual(
    changes.map((change) => "changed" in change && [change.changed, Object.keys(change.was)]),
    [
      [
        ["item.a", "item.b", "item.c"],
        ["x", "y"],
      ],
      ["item.kind", ["on"]],
    ],
  )
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

/** The changes and what is said of losses, once all of them are taken by the loader, and tell all that clients lose. */
function withLosses(before: object, after: object) {
  const { changes, byHand } = cutBetween(before, after)
  const said = byHand.flatMap((text) =>
    [...text.matchAll(/breaking: "([^"]*)"/g)].map(([, path = ""]) => path),
  )
  const versions = {
    "2026-06-01": [...changes, ...new Set(said)].map((one) =>
      typeof one === "string" ? { breaking: one } : one,
    ),
    "2026-01-01": { changes: [], ends: "2029-01-01" },
  }
  const then = modelAt(openModel(load(declared(after, versions as never))), "2026-01-01")
  const lost = differencesBetween(openModel(load(declared(before))), then)
    .filter(({ severity }) => severity === "breaking")
    .map(({ path }) => path)
  for (const path of lost)
    assert.ok(
      said.some((one) => `${path}.`.startsWith(`${one}.`)),
      path,
    )
  return { changes, said, byHand }
}

test("what no change undoes is said with the line that says so", () => {
  const [fields, relation] = [{ name: f.text() }, { box: one("box") }]
  const optional = { box: one("box", { optional: true }) }
  const machine = (more: object, input = {}) => ({
    initial: "new",
    transitions: { pay: { from: "new", to: "paid", ...input }, ...more },
  })
  const send = { send: { from: "paid", to: "sent" } }
  const cases: Readonly<Record<string, readonly [before: object, after: object, said: readonly string[]]>> = {
    "a relation": [{ fields, relations: optional }, { fields }, ["item.box"]],
    "a to-many relation": [
      { fields, relations: { boxes: many("box", { through: "item_box" }) } },
      { fields },
      ["item.boxes"],
    ],
    "a transition and its state": [
      { fields, states: machine(send) },
      { fields, states: machine({}) },
      ["item.state", "item.send"],
    ],
    "an input": [
      { fields, states: machine({}, { input: { by: f.text() } }) },
      { fields, states: machine({}) },
      ["item.pay"],
    ],
    "a unique key": [{ fields: { name: f.text({ unique: true }) } }, { fields }, ["item.name"]],
    "a unique field": [{ fields: { ...fields, code: f.text({ unique: true }) } }, { fields }, ["item.code"]],
    "an event": [
      { fields, events: { seen: { payload: { by: f.text() } } } },
      { fields },
      ["item.history", "item.seen"],
    ],
    "a limit": [
      { fields: { name: f.text({ max: 9 }) } },
      { fields: { title: f.text({ max: 5, was: "name" }) } },
      ["item.name"],
    ],
    "a relation that is required": [
      { fields, relations: optional },
      { fields, relations: relation },
      ["item.box"],
    ],
    "a relation that is optional": [
      { fields, relations: relation },
      { fields, relations: optional },
      ["item.box"],
    ],
    "a required relation that is new": [{ fields }, { fields, relations: relation }, ["item"]],
    "a field that is read-only": [
      { fields: { ...fields, note: f.text({ optional: true }) } },
      { fields: { ...fields, note: f.text({ optional: true, readonly: true }) } },
      ["item.note"],
    ],
  }
  for (const [what, [before, after, expected]] of Object.entries(cases))
    assert.deepEqual(withLosses(before, after).said, expected, what)
  const limited = (max: number) => ({ fields: { name: f.text({ max }) } })
  assert.deepEqual(withLosses(limited(9), limited(5)).byHand, [
    '`item.name` is at most 5. No change undoes that: { breaking: "item.name" } says so.',
  ])
})

test("a required relation that became a to-many one stays required", () => {
  const after = { fields: { name: f.text() }, relations: { boxes: many("box", { through: "item_box" }) } }
  const cut = (optional: boolean) =>
    withLosses({ fields: { name: f.text() }, relations: { box: one("box", { optional }) } }, after)
  const widened = { widened: "item.box", to: "boxes", first: "id" }
  assert.deepEqual(cut(false).changes, [{ ...widened, required: true }])
  assert.deepEqual(cut(true).changes, [widened])
  assert.deepEqual(cut(false).said, ["item.box"])
})

test("a choice that became optional is read with its first value in place of none", () => {
  const choice = (options: object) => ({ fields: { size: f.oneOf(["small", "large"], options) } })
  const { changes } = proposed(choice({}), choice({ optional: true }))
  assert.deepEqual(
    changes.map((change) => "reads" in change && change.reads),
    [{ coalesce: ["size", { value: "small" }] }],
  )
})
