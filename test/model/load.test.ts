// From a declaration to its Model: what is settled, what is refused, and that nothing else can come of a file.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import fc from "fast-check"
import { Refusal } from "../../src/base/problem.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { databaseDefault, f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { withDefaultSizes } from "../../src/model/limits.ts"
import { load } from "../../src/model/load.ts"
import type { Model, Relation, Resource } from "../../src/model/model.ts"
import { declarations } from "./arbitrary-declaration.ts"

const shop = service({
  name: "bigShop",
  enums: { size: { values: ["s", "2xl"] } },
  resources: {
    customer: resource({
      id: "cus",
      fields: {
        email: f.email({ unique: true }),
        memberSince: f.timestamp({ default: "now" }),
        number: f.int64({ default: databaseDefault, generated: false }),
      },
      relations: {
        orders: many("order", { by: "customer" }),
        profile: one("profile", { by: "customer" }),
      },
    }),
    profile: resource({
      fields: { size: f.oneOf("size") },
      relations: { customer: one("customer", { optional: true }) },
      unique: [["customer"]],
    }),
    order: resource({
      fields: {
        year: f.integer(),
        number: f.text({ pattern: "A|B" }),
        status: f.oneOf(["cart", "paid"], { default: "cart" }),
        colours: f.list(f.text({ max: 40, pattern: "^[a-z]+$" }), { max: 3 }),
        sum: f.decimal({ precision: 9, scale: 2, generated: true }),
      },
      relations: {
        customer: one("customer"),
        lines: many("orderLine", { by: "order", owned: true }),
        tags: many("tag", { through: "order_tag" }),
      },
      unique: [["customer", "year"]],
      indexes: [["status", "customer"]],
    }),
    orderLine: resource({
      key: ["position", "order"],
      fields: { position: f.integer() },
      relations: { order: one("order") },
    }),
    gift: resource({
      key: { column: "GiftNo", type: "integer", stored: "loose" },
      table: { schema: "Other", name: "The Gifts" },
      readonly: true,
      fields: { note: f.text({ column: "Note" }) },
      relations: {
        line: one("orderLine", { columns: { LineOrder: "order_id", LinePosition: "position" } }),
        buyer: one("customer", { columns: { BuyerMail: "email" } }),
      },
    }),
    tag: resource({ key: ["word"], fields: { word: f.slug() } }),
    news: resource({ key: false, fields: { headline: f.text() } }),
    logView: resource({ key: false, rows: false, fields: { line: f.text() } }),
  },
})

const model: Model = load(shop)

function found(name: string): Resource {
  const resource = model.resources.get(name)
  assert.ok(resource)
  return resource
}
const relation = (resource: string, name: string): Relation | undefined => found(resource).relations.get(name)

describe("what a declaration leaves open is settled", () => {
  it("the service's title and limits", () => {
    assert.equal(model.title, "Big shop")
    assert.deepEqual(model.limits, {
      page: { default: 20, max: 100 },
      ...withDefaultSizes(),
      cost: { perRequest: 200_000, records: 100_000, bytes: 32 * 1024 * 1024 },
      tiers: new Map(),
    })
    assert.equal(model.limits.depth, 12)
  })

  it("limits that are given in part fit together", () => {
    const limits = (page: object) => load({ ...shop, limits: { page } }).limits.page
    assert.deepEqual(limits({ max: 10 }), { default: 10, max: 10 })
    assert.deepEqual(limits({ default: 500 }), { default: 500, max: 500 })
  })

  it("names of a resource", () => {
    const { type, collection, path, prefix, table } = found("orderLine")
    assert.deepEqual(
      { type, collection, path, prefix, table },
      {
        type: "OrderLine",
        collection: "orderLines",
        path: "order-lines",
        prefix: "orderline",
        table: { name: "order_line" },
      },
    )
    assert.equal(found("news").collection, "newsList")
    assert.equal(found("customer").prefix, "cus")
    assert.deepEqual(found("gift").table, { schema: "Other", name: "The Gifts" })
  })

  it("keys of every origin", () => {
    assert.deepEqual(found("customer").key, {
      origin: "typeid",
      parts: [{ column: "id", scalar: "text", stored: "plain" }],
    })
    assert.deepEqual(found("gift").key, {
      origin: "database",
      parts: [{ column: "GiftNo", scalar: "integer", stored: "loose" }],
    })
    assert.deepEqual(found("orderLine").key, {
      origin: "natural",
      parts: [
        { column: "position", scalar: "integer", stored: "plain" },
        { column: "order_id", scalar: "text", stored: "plain" },
      ],
    })
    assert.deepEqual(
      ["customer", "news", "logView"].map((name) => [found(name).key === undefined, found(name).tiebreak]),
      [
        [false, "key"],
        [true, "row"],
        [true, "columns"],
      ],
    )
  })

  it("fields", () => {
    const { fields } = found("order")
    assert.equal(fields.get("status")?.enumeration, "OrderStatus")
    assert.deepEqual(fields.get("status")?.default, { kind: "value", value: "cart" })
    assert.deepEqual(fields.get("number")?.constraints, { pattern: "^(?:A|B)$" })
    assert.deepEqual(fields.get("colours")?.constraints, { max: 3, items: { max: 40 }, pattern: "^[a-z]+$" })
    assert.deepEqual([fields.get("sum")?.generated, fields.get("sum")?.readonly], [true, true])
    assert.deepEqual(found("customer").fields.get("memberSince")?.default, { kind: "now" })
    assert.deepEqual(found("customer").fields.get("number")?.default, { kind: "database" })
    assert.equal(found("customer").fields.get("memberSince")?.column, "member_since")
    assert.equal(found("tag").fields.get("word")?.immutable, true)
  })

  it("enumerations, and whether GraphQL can name their values", () => {
    assert.deepEqual(
      [...model.enums.values()],
      [
        { name: "Size", values: ["s", "2xl"], named: false },
        { name: "OrderStatus", values: ["cart", "paid"], named: true },
      ],
    )
  })

  it("to-one relations, with a reference where they name the target's key", () => {
    assert.deepEqual(relation("order", "customer"), {
      kind: "one",
      name: "customer",
      target: "customer",
      join: [{ from: "customer_id", to: "id" }],
      optional: false,
      reference: "customerId",
    })
    assert.deepEqual(relation("gift", "line"), {
      kind: "one",
      name: "line",
      target: "orderLine",
      join: [
        { from: "LinePosition", to: "position" },
        { from: "LineOrder", to: "order_id" },
      ],
      optional: false,
      reference: "lineId",
    })
    assert.deepEqual(relation("gift", "buyer"), {
      kind: "one",
      name: "buyer",
      target: "customer",
      join: [{ from: "BuyerMail", to: "email" }],
      optional: false,
    })
  })

  it("the other side of a relation", () => {
    assert.deepEqual(relation("customer", "profile"), {
      kind: "one",
      name: "profile",
      target: "profile",
      join: [{ from: "id", to: "customer_id" }],
      optional: true,
    })
    assert.deepEqual(relation("order", "lines"), {
      kind: "many",
      name: "lines",
      target: "orderLine",
      join: [{ from: "id", to: "order_id" }],
      owned: true,
    })
    assert.deepEqual(relation("order", "tags"), {
      kind: "many",
      name: "tags",
      target: "tag",
      join: [],
      through: {
        table: { name: "order_tag" },
        near: [{ from: "id", to: "order_id" }],
        far: [{ from: "tag_id", to: "word" }],
      },
      owned: false,
    })
  })

  it("unique keys and indexes", () => {
    assert.deepEqual(found("order").uniques, [
      {
        name: "customerId_year",
        members: [
          { kind: "reference", relation: "customer" },
          { kind: "field", field: "year" },
        ],
      },
    ])
    assert.deepEqual(found("customer").uniques, [
      { name: "email", members: [{ kind: "field", field: "email" }] },
    ])
    assert.deepEqual(found("order").indexes, [{ columns: ["status", "customer_id"] }])
  })
})

it("a Model does not change, and the declaration stays its writer's own", () => {
  const declaration = {
    name: "shop",
    resources: { item: { fields: { data: f.json({ default: { a: [1] } }) } } },
  }
  const loaded = load(declaration)
  const item = loaded.resources.get("item")
  assert.throws(() => Object.assign(loaded, { name: "other" }), TypeError)
  assert.throws(() => (loaded.resources as Map<string, unknown>).set("x", 1), TypeError)
  assert.ok(item && Object.isFrozen(item) && Object.isFrozen(item.fields.get("data")?.default))
  assert.ok(!Object.isFrozen(declaration.resources.item.fields.data.default))
  assert.deepStrictEqual(load(declaration), loaded)
})

it("every mistake is told at once, names first", () => {
  const broken: ServiceDeclaration = {
    name: "shop",
    resources: {
      customer: {
        id: "CUS",
        fields: { id: f.text(), note: f.text({ min: 5, max: 2 }), mood: f.oneOf("moods") },
        relations: { orders: { kind: "many", target: "ordr", by: "customer" } },
        unique: [["emial"]],
      },
      order: {
        key: ["total"],
        fields: { total: f.decimal({ precision: 40, scale: 2 }), placedAt: f.timestamp({ default: "soon" }) },
        relations: {
          customer: { kind: "one", target: "customer" },
          lines: { kind: "many", target: "order" },
        },
      },
    },
    limits: { page: { max: 0 } },
  }
  assert.throws(
    () => load(broken),
    (error) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual(
        error.problems.map(({ place }) => place?.join(".")),
        [
          "resources.customer.fields.id",
          "resources.customer.id",
          "resources.customer.fields.id",
          "resources.customer.relations.orders.target",
          "resources.order.relations.lines",
          "resources.customer.unique.0.0",
          "resources.order.key.0",
          "resources.customer.fields.note",
          "resources.customer.fields.mood.of",
          "resources.order.fields.placedAt.default",
          "limits.page.max",
        ],
      )
      return true
    },
  )
})

describe("a file can export anything", () => {
  const refusedWith = (input: unknown): readonly (readonly (string | undefined)[])[] => {
    try {
      load(input as ServiceDeclaration)
    } catch (error) {
      assert.ok(error instanceof Refusal, String(error))
      return error.problems.map(({ place, message, hint }) => [place?.join("."), message, hint])
    }
    return []
  }

  it("things that are no declaration", () => {
    assert.deepEqual(refusedWith(undefined), [
      ["", "A service's declaration must be what `service` gives, not missing.", undefined],
    ])
    assert.deepEqual(refusedWith(service), [
      ["", "A service's declaration must be what `service` gives, not a function.", undefined],
    ])
    assert.deepEqual(refusedWith({ name: "x", resources: { a: () => 1, b: [], c: null } }), [
      ["resources.a", '"a" must be a resource, as `resource` gives it, not a function.', undefined],
      ["resources.b", '"b" must be a resource, as `resource` gives it, not an empty list.', undefined],
      ["resources.c", '"c" must be a resource, as `resource` gives it, not null.', undefined],
    ])
  })

  it("members that are misspelt or misshapen, all at once", () => {
    const input = {
      name: "shop",
      resourcs: {},
      resources: {
        item: {
          key: [],
          fields: {
            a: { scalar: "txt" },
            b: { scalar: "text", uniqe: true, min: Number.NaN },
            c: f.json,
            g: { scalar: "decimal", min: "0.01" },
          },
          relations: { d: { kind: "on", target: "item" }, e: { kind: "one" } },
          unique: ["a"],
        },
      },
    }
    assert.deepEqual(refusedWith(input), [
      [
        "resources.item.key",
        '"key" must be { column, type }, { parts: […] }, a list of members, or false, not an empty list.',
        undefined,
      ],
      [
        "resources.item.fields.a.scalar",
        '"scalar" must be the name of a scalar, not "txt".',
        'Did you mean "text"?',
      ],
      ["resources.item.fields.b.min", '"min" must be a finite number, not NaN.', undefined],
      ["resources.item.fields.b.uniqe", 'There is no member "uniqe" here.', 'Did you mean "unique"?'],
      ["resources.item.fields.c", '"c" must be a field, as `f` gives it, not a function.', undefined],
      [
        "resources.item.fields.g.min",
        '"min" must be a finite number, not "0.01".',
        "Write it without quotation marks: 0.01.",
      ],
      ["resources.item.relations.d.kind", '"kind" must be "one" or "many", not "on".', undefined],
      ["resources.item.relations.e.target", '"target" must be a text, not missing.', undefined],
      [
        "resources.item.unique.0",
        'Item 1 of "unique" must be a list of at least one text, not "a".',
        'Such as ["name"].',
      ],
      ["resourcs", 'There is no member "resourcs" here.', 'Did you mean "resources"?'],
    ])
  })

  it("names that objects have of themselves, and values that contain themselves", () => {
    const circle: unknown[] = []
    circle.push(circle)
    const input = {
      name: "shop",
      resources: { item: { fields: { ["__proto__"]: f.text(), data: { scalar: "json", default: circle } } } },
    }
    assert.deepEqual(refusedWith(input), [
      ["resources.item.fields.__proto__", 'Nothing can be called "__proto__".', undefined],
    ])
    assert.deepEqual(
      refusedWith({ ...input, resources: { item: { fields: { data: input.resources.item.fields.data } } } }),
      [["resources.item.fields.data.default", '"default" must be a JSON value, not a list.', undefined]],
    )
  })
})

/** A copy of the value in which the place that `choices` leads to is replaced, or removed. */
function spoil(value: unknown, choices: readonly number[], put: unknown): unknown {
  const [choice, ...rest] = choices
  if (typeof value !== "object" || value === null || choice === undefined) return put
  const entries = Object.entries(value)
  const at = entries.length === 0 ? -1 : choice % entries.length
  if (at === -1) return put
  const spoilt = entries.map(([key, inner], index): [string, unknown] => [
    key,
    index === at ? spoil(inner, rest, put) : inner,
  ])
  if (Array.isArray(value)) return spoilt.map(([, inner]) => inner)
  return Object.fromEntries(put === undefined ? spoilt.filter(([, inner]) => inner !== undefined) : spoilt)
}

it("whatever is done to a declaration, it loads or is refused with places and sentences", () => {
  const puts = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      true,
      -1,
      1e9,
      "",
      "id",
      "customer",
      "name",
      "__proto__",
      "constructor",
      [],
      {},
      ["name"],
      false,
    ),
    fc.jsonValue({ maxDepth: 2 }),
  )
  let refused = 0
  fc.assert(
    fc.property(
      declarations,
      fc.array(fc.nat(), { minLength: 1, maxLength: 7 }),
      puts,
      (declaration, choices, put) => {
        try {
          load(spoil(declaration, choices, put) as ServiceDeclaration)
        } catch (error) {
          assert.ok(error instanceof Refusal, error instanceof Error ? error.stack : String(error))
          for (const { place, message } of error.problems) {
            assert.ok(Array.isArray(place))
            assert.match(message, /^[A-Z"].*\.$/s)
          }
          refused += 1
        }
      },
    ),
    { numRuns: 1000 },
  )
  assert.ok(refused > 100, "mistakes were made")
})

it("options of fields on a relation are refused with what stands in their place", () => {
  const other = {
    kind: "one",
    target: "item",
    optional: true,
    immutable: true,
    write: { role: "a" },
    unique: true,
  }
  const wrong = {
    name: "shop",
    resources: { item: { fields: {}, relations: { other: { ...other, owned: true } } } },
  }
  const hints = (): ReadonlyMap<unknown, string | undefined> => {
    try {
      load(wrong as unknown as ServiceDeclaration)
    } catch (error) {
      assert.ok(error instanceof Refusal)
      return new Map(error.problems.map(({ place, hint }) => [place?.at(-1), hint]))
    }
    return new Map()
  }
  const found = hints()
  assert.match(found.get("immutable") ?? "", /A rule of `update` about it has to hold before and after/)
  assert.match(found.get("write") ?? "", /Callers that may create or update the record set the reference/)
  assert.match(found.get("unique") ?? "", /unique: \[\["…"\]\]/)
  assert.match(found.get("owned") ?? "", /^Known here: /)
})

it("a member of an object that could have been a simple value is told where it is", () => {
  const plain = { fields: { text: f.text() } }
  const tell = (rest: object, note: object = {}): unknown => {
    const wrong = { name: "notes", resources: { note: { ...plain, ...note } }, ...rest }
    try {
      return load(wrong as unknown as ServiceDeclaration)
    } catch (error) {
      assert.ok(error instanceof Refusal)
      return error.problems.map(({ place, message }) => [place?.join("."), message])
    }
  }
  assert.deepEqual(tell({ identity: { keys: { manage: 7 } } }), [
    ["identity.keys.manage", '"manage" must be a rule, or a list of rules, not 7.'],
  ])
  assert.deepEqual(tell({ identity: { keys: { mange: [] } } }), [
    ["identity.keys.mange", 'There is no member "mange" here.'],
  ])
  assert.deepEqual(tell({ identity: { keys: false } }), [
    ["identity.keys", '"keys" must be true, or { manage, grant, expires }, not false.'],
  ])
  assert.deepEqual(tell({}, { table: { name: 1 } }), [
    ["resources.note.table.name", '"name" must be a text, not 1.'],
  ])
  assert.deepEqual(tell({}, { key: { column: "id", type: "int" } }), [
    ["resources.note.key.type", '"type" must be "text", "integer", "int64", "uuid" or "date", not "int".'],
  ])
})
