import assert from "node:assert/strict"
import { test } from "node:test"
import { readCondition } from "../../src/plan/read/condition.ts"
import type { Filter, Value } from "../../src/plan/read-plan.ts"
import type { Encoding } from "../../src/plan/values/values.ts"
import { mistakes, newDraft, shopResource } from "./shop.ts"

interface Read {
  readonly filter: Filter | undefined
  readonly values: readonly Value[]
  readonly mistakes: readonly string[]
}

function read(input: unknown, resource = "order", encoding: Encoding = "json"): Read {
  const draft = newDraft()
  const filter = readCondition(draft, shopResource(resource), { input, encoding, place: ["where"] })
  const found = mistakes(draft)
  return { filter, values: found.length > 0 ? [] : draft.finish([]).values, mistakes: found }
}

const field = (name: string) => ({ kind: "field", field: name }) as const

test("members and operators must all hold, in one flat and", () => {
  const { filter, values } = read({ total: { gte: "10", lt: 20 }, gift: { eq: true } })
  assert.deepEqual(filter, {
    kind: "and",
    of: [
      { kind: "compare", subject: field("total"), operator: "lt", operand: { slot: 0 } },
      { kind: "compare", subject: field("total"), operator: "gte", operand: { slot: 1 } },
      { kind: "compare", subject: field("gift"), operator: "eq", operand: { slot: 2 } },
    ],
  })
  assert.deepEqual(values, ["20.00", "10.00", true])
})

test("an empty condition holds always, an empty or never", () => {
  for (const input of [{}, { and: [] }, { total: {} }, { lines: {} }]) {
    assert.deepEqual(read(input).filter, { kind: "and", of: [] })
  }
  assert.deepEqual(read({ or: [] }).filter, { kind: "or", of: [] })
})

test("relations, connectives and isNull are read as what they are, in the order of the model", () => {
  const { filter, values } = read({
    or: [{ customer: { email: { endsWith: "@x" } } }, { not: { note: { isNull: true } } }],
    lines: { none: {}, some: { quantity: { gt: 2 } } },
  })
  assert.deepEqual(filter, {
    kind: "and",
    of: [
      {
        kind: "quantified",
        relation: "lines",
        quantifier: "some",
        of: { kind: "compare", subject: field("quantity"), operator: "gt", operand: { slot: 0 } },
      },
      { kind: "quantified", relation: "lines", quantifier: "none", of: { kind: "and", of: [] } },
      {
        kind: "or",
        of: [
          {
            kind: "related",
            relation: "customer",
            of: { kind: "compare", subject: field("email"), operator: "endsWith", operand: { slot: 1 } },
          },
          { kind: "not", of: { kind: "isNull", subject: field("note"), is: true } },
        ],
      },
    ],
  })
  assert.deepEqual(values, [2, "@x"])
})

test("ids are keys, part by part, and an id that no record can have equals none", () => {
  const operatorAndValue = (input: unknown, resource: string) => {
    const { filter, values } = read(input, resource)
    return [filter?.kind === "compare" && filter.operator, values[0]]
  }
  assert.deepEqual(operatorAndValue({ id: { eq: "ord_42" } }, "order"), ["eq", [42n]])
  assert.deepEqual(operatorAndValue({ id: { eq: 42 } }, "order"), ["eq", [42n]])
  assert.deepEqual(operatorAndValue({ id: { in: ["1~a", "lin_2~b", "nothing"] } }, "line"), [
    "in",
    [
      [1n, "a"],
      [2n, "b"],
    ],
  ])
  assert.deepEqual(operatorAndValue({ id: { notIn: ["nothing"] } }, "line"), ["notIn", []])
  assert.deepEqual(operatorAndValue({ id: { eq: "nothing" } }, "order"), ["in", []])
  assert.deepEqual(operatorAndValue({ id: { ne: "nothing" } }, "order"), ["notIn", []])
  assert.deepEqual(operatorAndValue({ customerId: { eq: "cus_a" } }, "order"), ["eq", ["a"]])
  assert.deepEqual(operatorAndValue({ replacesId: { ne: "1~a" } }, "line"), ["ne", [1n, "a"]])
})

test("the text encoding reads strings by the member's scalar", () => {
  const input = {
    total: { in: ["1", "2.5"] },
    gift: { eq: "true" },
    note: { isNull: "false" },
    lines: { some: { quantity: { gt: "2" } } },
    tags: { hasAny: ["a"] },
    id: { eq: "7" },
  }
  assert.deepEqual(read(input, "order", "text").values, [[7n], ["1.00", "2.50"], ["a"], true, 2])
  assert.deepEqual(read({ gift: { eq: true } }, "order", "text").mistakes, [
    "invalid_value at where.gift.eq: `gift.eq` must be true or false, not true.",
  ])
})

test("every mistake is reported at once, each with its place and what would be right", () => {
  const input = JSON.parse(`{
    "totl": {"eq": "1"},
    "total": {"gte": "1.005", "like": "1%", "eq": null},
    "status": {"in": ["paid", "gone"]},
    "number": {"isNull": true},
    "note": {"eq": null, "contians": "x"},
    "gift": true,
    "tags": {"eq": "a"},
    "extra": {"eq": {}},
    "lines": {"quantity": {"gt": 2}, "some": {"quantity": {"gt": "2"}}, "any": {}},
    "customer": {"eq": "cus_1", "some": {}, "name": {"eq": 1}, "constructor": {}},
    "customerId": {"lt": "a", "in": "a", "notIn": [null]},
    "and": {},
    "or": [{}, {"not": [], "__proto__": {"polluted": true}}, 1],
    "__proto__": {},
    "constructor": {}
  }`)
  const { filter, mistakes: found } = read(input)
  assert.equal(filter, undefined)
  assert.deepEqual(found, [
    "unknown_operator at where.number.isNull: `number` is never missing: isNull cannot be asked of it. It takes eq, ne, in, notIn, lt, lte, gt, gte, contains, startsWith, endsWith and search.",
    "invalid_value at where.total.eq: `total.eq` must not be null. `total` is never missing.",
    'invalid_value at where.total.gte: `total.gte` must be a decimal number in plain digits, as a string, with at most 2 after the point and 5 before it, not "1.005".',
    'unknown_operator at where.total.like: `total` (decimal) has no operator "like". It takes eq, ne, in, notIn, lt, lte, gt and gte.',
    'invalid_value at where.status.in: `status.in` must be one of "cart", "paid", not "gone" (item 2).',
    "invalid_value at where.note.eq: `note.eq` must not be null. Ask `note.isNull`.",
    'unknown_operator at where.note.contians: `note` (text) has no operator "contians". Did you mean "contains"? It takes eq, ne, in, notIn, lt, lte, gt, gte, contains, startsWith, endsWith, search and isNull.',
    'unknown_operator at where.tags.eq: `tags` (a list of text) has no operator "eq". It takes has, hasAny and hasAll.',
    'unknown_operator at where.extra.eq: `extra` (json) has no operator "eq". It takes isNull.',
    "invalid_value at where.gift: `gift` must be an object of operators, not true. Ask `gift.eq`.",
    'invalid_value at where.customerId.in: `customerId.in` must be a list, not "a".',
    "invalid_value at where.customerId.notIn: `customerId.notIn` must be a list without null (item 1): ask isNull.",
    'unknown_operator at where.customerId.lt: `customerId` has no operator "lt". It takes eq, ne, in and notIn.',
    "invalid_value at where.customer.name.eq: `name.eq` must be text, not 1.",
    'unknown_field at where.customer.eq: `customer` has no member "eq". To compare ids ask `customer.id.eq`.',
    'unknown_field at where.customer.some: `customer` has no member "some". `customer` is a to-one relation: leave out some.',
    'unknown_field at where.customer.constructor: `customer` has no member "constructor". Known here: id, email, name, bornOn, orders, managerId, manager, and, or, not.',
    'invalid_value at where.lines.some.quantity.gt: `quantity.gt` must be a whole number from -2147483648 to 2147483647, not "2".',
    'unknown_operator at where.lines.quantity: `lines` is a to-many relation: ask with some, every or none, not "quantity". Ask such as `lines.some`.',
    'unknown_operator at where.lines.any: `lines` is a to-many relation: ask with some, every or none, not "any". Ask such as `lines.some`.',
    "invalid_value at where.and: `and` must be a list of conditions, not an object.",
    "invalid_value at where.or.1.not: A condition on `order` must be an object, not a list. Name members, and for each an operator with its value.",
    'unknown_field at where.or.1.__proto__: `order` has no member "__proto__".',
    "invalid_value at where.or.2: A condition on `order` must be an object, not 1. Name members, and for each an operator with its value.",
    'unknown_field at where.totl: `order` has no member "totl". Did you mean "total"?',
    'unknown_field at where.__proto__: `order` has no member "__proto__".',
    'unknown_field at where.constructor: `order` has no member "constructor".',
  ])
})

test("an operand of text need not satisfy the field's own rules, but must be text a database can hold", () => {
  assert.deepEqual(
    read({ email: { eq: "no e-mail" }, name: { contains: "longer than five" } }, "customer").mistakes,
    [],
  )
  assert.deepEqual(read({ name: { search: "a\u0000" }, id: { eq: "\ud800" } }, "customer").mistakes, [
    "invalid_value at where.id.eq: `id.eq` must be text without U+0000 and without lone surrogates.",
    "invalid_value at where.name.search: `name.search` must be text without U+0000 and without lone surrogates.",
  ])
})

test("what is not a condition at all is refused", () => {
  for (const input of [null, 1, "x", [], [{}], true, undefined]) {
    assert.match(
      read(input).mistakes.join(),
      /^invalid_value at where: A condition on `order` must be an object, not /,
    )
  }
})

test("each relation, and, or and not is one level, and deeper than the limit is refused", () => {
  const levels = [
    (inner: unknown) => ({ not: inner }),
    (inner: unknown) => ({ and: [inner] }),
    (inner: unknown) => ({ or: [inner], gift: { eq: true } }),
  ]
  for (const wrap of levels) {
    const nest = (depth: number): unknown => {
      let input: unknown = { gift: { eq: true } }
      for (let level = 0; level < depth; level++) input = wrap(input)
      return input
    }
    assert.deepEqual(read(nest(4)).mistakes, [])
    for (const depth of [5, 50, 100_000]) {
      const found = read(nest(depth)).mistakes
      assert.equal(found.length, 1)
      // A term for each level that has one: too many are told before it is looked how deep they are.
      if (depth < 1_000 || !("gift" in (wrap({}) as object)))
        assert.match(
          found[0] ?? "",
          /^too_deep at where\..*: A condition may be nested at most 4 deep \(limit `depth`\)\.$/,
        )
      else
        assert.match(found[0] ?? "", /^too_large at where: The conditions of the request have 100001 terms; /)
    }
  }
  const related = { lines: { some: { order: { customer: { orders: { every: { gift: { eq: true } } } } } } } }
  assert.deepEqual(read(related).mistakes, [])
  assert.match(
    read({ not: related }).mistakes.join(),
    /^too_deep at where\.not\.lines\.some\.order\.customer\.orders\.every: /,
  )
})

test("a flood of mistakes is not read to its end", () => {
  const flood = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`x${index}`, {}]))
  assert.equal(read(flood(1_000)).mistakes.length, 50)
  assert.match(
    read(flood(100_000)).mistakes.join("\n"),
    /^too_large at where: .* at most 1000 are read [^\n]*$/,
  )
  const long = read({ ["x".repeat(1_000_000)]: {} }).mistakes
  assert.deepEqual(long, [
    `unknown_field at where.${"x".repeat(1_000_000)}: \`order\` has no member "${"x".repeat(60)}"….`,
  ])
})
