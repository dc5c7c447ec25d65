// Differences of two services: each kind with its severity, held against what graphql-js finds in the two schemas.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { findBreakingChanges } from "graphql"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { action, anyone, f, many, one, resource, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { differencesBetween, type Severity } from "../../src/model/versions/diff.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { shop } from "./shop.ts"

type Fields = Readonly<Record<string, ReturnType<typeof f.text>>>

const usual = {
  number: f.text({ unique: true }),
  note: f.text({ optional: true, max: 100 }),
  size: f.oneOf(["small", "large"], { default: "small" }),
} as unknown as Fields

const withItem = (fields: object, more: object = {}, others: object = {}) =>
  openModel(
    load(
      service({
        name: "shop",
        resources: { item: resource({ id: "itm", fields, ...more } as never), ...others },
      } as never),
    ),
  )

const without = (name: string): object =>
  Object.fromEntries(Object.entries(usual).filter(([one]) => one !== name))
const other = {
  box: resource({
    id: "box",
    fields: { name: f.text() },
    relations: { items: many("item", { by: "box" }) },
  } as never),
}
const states = (to: string, name = "pay") => ({
  states: { initial: "new", transitions: { [name]: { from: "new", to } } },
})
const calling = (input: object, output: object) => {
  const plain = service({
    name: "shop",
    resources: { item: resource({ id: "itm", fields: { number: f.text() } }) },
  })
  return openModel(
    load(
      withCode(plain, {
        actions: { item: { send: action({ input, output, run: () => ({}) } as never) } },
      } as never),
    ),
  )
}

const cases: Readonly<
  Record<string, readonly [ReturnType<typeof withItem>, ReturnType<typeof withItem>, Severity | "none"]>
> = {
  "nothing changed": [withItem(usual), withItem(usual), "none"],
  "a field is gone": [withItem(usual), withItem(without("note")), "breaking"],
  "an optional field is new": [
    withItem(usual),
    withItem({ ...usual, more: f.text({ optional: true }) }),
    "safe",
  ],
  "a field with a default is new": [
    withItem(usual),
    withItem({ ...usual, more: f.text({ default: "x" }) }),
    "safe",
  ],
  "a required field is new": [withItem(usual), withItem({ ...usual, more: f.text() }), "breaking"],
  "a type is another": [
    withItem(usual),
    withItem({ ...usual, note: f.integer({ optional: true }) }),
    "breaking",
  ],
  "an answer may be missing": [
    withItem(usual),
    withItem({ ...usual, number: f.text({ unique: true, optional: true }) }),
    "breaking",
  ],
  "an input must be given": [withItem(usual), withItem({ ...usual, note: f.text({ max: 100 }) }), "breaking"],
  "a field is read-only": [
    withItem(usual),
    withItem({ ...usual, note: f.text({ optional: true, max: 100, readonly: true }) }),
    "breaking",
  ],
  "a text is shorter": [
    withItem(usual),
    withItem({ ...usual, note: f.text({ optional: true, max: 50 }) }),
    "breaking",
  ],
  "a text is longer": [
    withItem(usual),
    withItem({ ...usual, note: f.text({ optional: true, max: 500 }) }),
    "none",
  ],
  "a pattern has one alternative more": [
    withItem({ ...usual, code: f.text({ pattern: "ab|cd" }) }),
    withItem({ ...usual, code: f.text({ pattern: "ef|ab|cd" }) }),
    "none",
  ],
  "the first pattern is gone": [
    withItem({ ...usual, code: f.text({ pattern: "ab|cd" }) }),
    withItem({ ...usual, code: f.text() }),
    "none",
  ],
  "a pattern has one alternative less": [
    withItem({ ...usual, code: f.text({ pattern: "ab|cd" }) }),
    withItem({ ...usual, code: f.text({ pattern: "ab" }) }),
    "breaking",
  ],
  "a pattern has its bar in brackets": [
    withItem({ ...usual, code: f.text({ pattern: "(ab|cd)" }) }),
    withItem({ ...usual, code: f.text({ pattern: "(ab|cd|ef)" }) }),
    "breaking",
  ],
  "a value is new": [
    withItem(usual),
    withItem({ ...usual, size: f.oneOf(["small", "large", "huge"], { default: "small" }) }),
    "risky",
  ],
  "a value is gone": [
    withItem(usual),
    withItem({ ...usual, size: f.oneOf(["small"], { default: "small" }) }),
    "breaking",
  ],
  "a default is another": [
    withItem(usual),
    withItem({ ...usual, size: f.oneOf(["small", "large"], { default: "large" }) }),
    "risky",
  ],
  "a unique key is gone": [withItem(usual), withItem({ ...usual, number: f.text() }), "breaking"],
  "a resource is new": [
    withItem(usual),
    withItem(usual, { relations: { box: one("box", { optional: true }) } }, other),
    "safe",
  ],
  "a resource is gone": [
    withItem(usual, { relations: { box: one("box", { optional: true }) } }, other),
    withItem(usual),
    "breaking",
  ],
  "a relation must be given": [
    withItem(usual, { relations: { box: one("box", { optional: true }) } }, other),
    withItem(usual, { relations: { box: one("box") } }, other),
    "breaking",
  ],
  "a transition is gone": [
    withItem(usual, states("paid")),
    withItem(usual, states("paid", "settle")),
    "breaking",
  ],
  "a transition leads elsewhere": [
    withItem(usual, states("paid")),
    withItem(usual, states("settled")),
    "breaking",
  ],
  "an action wants more": [calling({}, {}), calling({ to: f.text() }, {}), "breaking"],
  "an action takes more": [calling({}, {}), calling({ to: f.text({ optional: true }) }, {}), "safe"],
  "an action gives less": [
    calling({}, { code: f.text(), at: f.text() }),
    calling({}, { code: f.text() }),
    "breaking",
  ],
  "records cannot be written": [withItem(usual), withItem(usual, { readonly: true }), "breaking"],
}

const order: readonly (Severity | "none")[] = ["none", "safe", "risky", "breaking"]

describe("a difference", () => {
  for (const [name, [old, fresh, expected]] of Object.entries(cases))
    test(`${name}: ${expected}`, () => {
      const found = differencesBetween(old, fresh)
      const worst = found
        .map(({ severity }) => severity)
        .toSorted((a, b) => order.indexOf(b) - order.indexOf(a))[0]
      assert.equal(worst ?? "none", expected, JSON.stringify(found))
      const breaking = findBreakingChanges(buildSchema(old), buildSchema(fresh))
      if (breaking.length > 0) assert.equal(worst, "breaking", JSON.stringify(breaking))
      for (const { text, path } of found) assert.ok(text.endsWith(".") && path !== "", text)
    })

  test("a relation that is the first of several is read as before, and written by links alone", () => {
    const at = (relations: object, change: object, boxes: object = box) =>
      modelAt(
        openModel(
          load(
            service({
              name: "shop",
              versions: { "2026-06-01": [change], "2026-01-01": [] },
              resources: {
                item: resource({ id: "itm", fields: usual, relations } as never),
                box: boxes,
              },
            } as never),
          ),
        ),
        "2026-01-01",
      )
    const box = resource({ id: "box", fields: { name: f.text() } })
    const nothing = { added: "box.name", writes: "" }
    const old = at({ box: one("box", { optional: true }) }, nothing)
    const widened = at(
      { boxes: many("box", { through: "item_box" }) },
      { widened: "item.box", to: "boxes", first: "name" },
    )
    const texts = differencesBetween(old, widened)
      .filter(({ path }) => path.startsWith("item"))
      .map(({ severity, text }) => `${severity}: ${text}`)
    assert.deepEqual(texts, [
      "breaking: `item.box` takes no nested `update` and `delete` any more, and no update of many records.",
    ])
    const behind = { ...box, relations: { item: one("item", { optional: true }) } }
    const owned = at(
      { boxes: many("box", { by: "item" }) },
      { widened: "item.box", to: "boxes", first: "name" },
      behind,
    )
    assert.deepEqual(
      differencesBetween(old, owned)
        .filter(({ path }) => path === "item.box")
        .map(({ text }) => text),
      ["`item.box` cannot be changed any more."],
    )
    const must = at(
      { boxes: many("box", { through: "item_box" }) },
      { widened: "item.box", to: "boxes", first: "name", required: true },
    )
    assert.deepEqual(
      differencesBetween(old, must)
        .map(({ severity, path }) => [severity, path])
        .filter(([, path]) => path === "item.box"),
      [
        ["breaking", "item.box"],
        ["breaking", "item.box"],
      ],
    )
  })

  test("the version of a new endpoint of webhooks is none that a client has to know", () => {
    const hooked = (versions: object) => {
      const item = resource({ id: "itm", history: true, fields: usual as never })
      const declared = { name: "shop", versions, webhooks: { manage: anyone }, resources: { item } }
      return openModel(load(withSystem(service(declared as never))))
    }
    const before = hooked({ "2026-01-01": [] })
    const after = hooked({ "2026-06-01": [], "2026-01-01": [] })
    const told = (model: typeof after) => differencesBetween(before, model).map(({ text }) => text)
    assert.ok(after.resources.get("webhookEndpoint")?.fields.get("version")?.default)
    assert.deepEqual([told(after), told(modelAt(after, "2026-01-01"))], [[], []])
  })

  test("limits of the newest version that are narrower than those of a former field", () => {
    const at = (fields: object, change?: object) => {
      const [then, versions] = [
        "2026-01-01",
        change ? { "2026-06-01": [change], "2026-01-01": [] } : { "2026-01-01": [] },
      ]
      const resources = { item: resource({ id: "itm", fields: { ...usual, ...fields } } as never) }
      return modelAt(openModel(load(service({ name: "shop", versions, resources } as never))), then)
    }
    const told = (...[was, is, change]: readonly [object, object, object]) => {
      const since = at(is, change)
      // Told once, by the revision that narrows them.
      assert.deepEqual(differencesBetween(since, since), [])
      return differencesBetween(at(was), since).map(
        ({ severity, path, text }) => `${severity} ${path}: ${text}`,
      )
    }
    const own = { reads: { coalesce: ["own", { value: "" }] }, writes: "own" }
    assert.deepEqual(
      told(
        { own: f.text({ max: 20 }) },
        { own: f.text({ max: 5, optional: true }) },
        { changed: "item.own", was: f.text({ max: 20 }), ...own },
      ),
      ["breaking item.own: `own` is at most 5. A value of `item.own` is written to it."],
    )
    assert.deepEqual(
      told(
        { own: f.decimal({ precision: 9, scale: 2 }) },
        { own: f.integer({ min: 0 }) },
        {
          changed: "item.own",
          was: f.decimal({ precision: 9, scale: 2 }),
          reads: "own",
          writes: "own",
        },
      ),
      ["breaking item.own: `own` is at least 0. A value of `item.own` is written to it."],
    )
    assert.deepEqual(
      told(
        { own: f.text({ max: 50 }) },
        { first: f.text({ max: 60 }), last: f.text({ max: 30 }) },
        {
          changed: ["item.first", "item.last"],
          was: { own: f.text({ max: 50 }) },
          reads: { own: { concat: ["first", { value: " " }, "last"] } },
          writes: { first: { before: ["own", " "] }, last: { after: ["own", " "] } },
        },
      ),
      ["risky item.own: `last` is at most 30. A value of `item.own` is written to it."],
    )
  })

  test("the newest version of a service differs from its older ones, and each from none of itself", () => {
    const model = openModel(load(shop))
    assert.deepEqual(differencesBetween(model, model), [])
  })
})
