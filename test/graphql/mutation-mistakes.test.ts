// Mutations that are refused before a database is asked: every mistake at once, each with its argument and pointer.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { type Market, mistakes, openMarket } from "./market.ts"

let market: Market
const hooks = cleanUp(after)
before(async () => {
  market = await openMarket(hooks, "sqlite")
})

/** Refused without asking the engine, in both media types. */
async function refusedFor(query: string, variables: object = {}): Promise<readonly (readonly string[])[]> {
  const before = market.answers.count
  const answered = await market.ask(query, variables)
  assert.equal(answered.status, 200, answered.text)
  assert.equal(answered.body.data, null, answered.text)
  const accept = { accept: "application/graphql-response+json" }
  const newer = await market.ask(query, variables, accept)
  assert.deepEqual([newer.status, newer.body], [400, { errors: answered.body.errors }])
  assert.equal(market.answers.count, before)
  return mistakes(answered)
}

const create = "mutation ($input: OrderCreateInput!) { createOrder(input: $input) { order { id } } }"
const update = 'mutation ($input: OrderUpdateInput!) { updateOrder(id: "1", input: $input) { order { id } } }'
const customer = "cus_01gnna1j00e1rrmypgynq0qqf2"
const order = { number: "1", total: "1.00", customerId: customer }
const line = { position: 1, quantity: 1, product: "tea" }

interface Wrong {
  readonly what: string
  readonly query?: string
  readonly input: unknown
  /** Pointers into the input, with their codes. */
  readonly expected: Readonly<Record<string, string>>
}

const wrong: readonly Wrong[] = [
  { what: "what is no object", input: [], expected: { "": "invalid_value" } },
  {
    what: "everything missing",
    input: {},
    expected: { "/number": "missing_field", "/total": "missing_field", "/customerId": "missing_field" },
  },
  {
    what: "wrong types, each of them",
    input: { number: 1, total: "1.005", customerId: true, marks: ["too long a mark", 1], input: 1.5 },
    expected: {
      "/number": "invalid_value",
      "/total": "invalid_value",
      "/marks": "invalid_value",
      "/input": "invalid_value",
      "/customerId": "invalid_value",
    },
  },
  {
    what: "null where there always is a value",
    input: { ...order, total: null, customerId: null },
    expected: { "/total": "invalid_value", "/customerId": "invalid_value" },
  },
  {
    what: "members that nobody knows, and those that no actor may write",
    input: { ...order, totl: "1.00", status: "placed", id: "ord_1", etag: "1", constructor: 1 },
    expected: {
      "/totl": "unknown_field",
      "/status": "readonly_field",
      "/id": "readonly_field",
      "/etag": "readonly_field",
      "/constructor": "unknown_field",
    },
  },
  {
    what: "a name that has to be escaped in a pointer",
    input: { ...order, "a/b~c": 1 },
    expected: { "/a~1b~0c": "unknown_field" },
  },
  {
    what: "what never changes once it is made",
    query: update,
    input: { number: "2" },
    expected: { "/number": "readonly_field" },
  },
  {
    what: "mistakes deep inside what is nested",
    input: {
      ...order,
      lines: { create: [line, { ...line, quantity: 0, price: 1 }, "line", { ...line, orderId: "ord_1" }] },
      tags: { create: [{ name: "A b" }], link: [1.5] },
    },
    expected: {
      "/lines/create/1/quantity": "invalid_value",
      "/lines/create/1/price": "unknown_field",
      "/lines/create/2": "invalid_value",
      "/lines/create/3/orderId": "readonly_field",
      "/tags/link/0": "invalid_value",
      "/tags/create/0/name": "invalid_value",
    },
  },
  {
    what: "mistakes at every level at once",
    input: {
      number: 1,
      customer: { create: { email: "none", card: { create: { digits: "12" } } } },
      lines: { create: [{ ...line, quantity: 0 }], link: ["ord_1~1"] },
    },
    expected: {
      "/number": "invalid_value",
      "/total": "missing_field",
      "/customer/create/email": "invalid_value",
      "/customer/create/name": "missing_field",
      "/customer/create/card/create/digits": "invalid_value",
      "/lines/link": "unknown_field",
      "/lines/create/0/quantity": "invalid_value",
    },
  },
  {
    what: "several things to do with one record",
    query: update,
    input: { customer: { link: customer, create: { email: "a@example.org", name: "A" } } },
    expected: { "/customer": "invalid_value" },
  },
  {
    what: "nothing to do with a record",
    query: update,
    input: { customer: {} },
    expected: { "/customer": "invalid_value" },
  },
  {
    what: "what cannot be done with a record that is needed",
    query: update,
    input: { customer: { unlink: true } },
    expected: { "/customer/unlink": "unknown_field" },
  },
  {
    what: "flags that say nothing",
    query: update,
    input: { partner: { unlink: false } },
    expected: { "/partner/unlink": "invalid_value" },
  },
  {
    what: "an update of one among several without its id",
    query: update,
    input: { lines: { update: [{ input: { quantity: 0 } }, { id: "ord_1~1", input: { quantity: 0 } }] } },
    expected: { "/lines/update/0": "invalid_value", "/lines/update/1/input/quantity": "invalid_value" },
  },
]

for (const { what, query = create, input, expected } of wrong)
  test(`${what} is refused`, async () => {
    const found = await refusedFor(query, { input })
    assert.deepEqual(
      found.map(([, argument, pointer = "", code = ""]) => [argument, pointer, code]),
      Object.entries(expected).map(([pointer, code]) => ["input", pointer, code]),
    )
  })

test("a member called __proto__ is refused wherever it stands", async () => {
  const query = "mutation ($input: OrderCreateInput!) { createOrder(input: $input) { order { id } } }"
  const send = (input: string) =>
    market.send(`{"query":${JSON.stringify(query)},"variables":{"input":${input}}}`)
  const top = await send('{"__proto__":{"number":"1"},"total":"1.00","number":"1","customerId":"a"}')
  assert.deepEqual(mistakes(top), [["createOrder", "input", "/__proto__", "unknown_field"]])
  const nested = await send(
    '{"total":"1.00","number":"1","customerId":"a","lines":{"__proto__":[],"create":[{"__proto__":null,"position":1,"quantity":1,"product":"a"}]}}',
  )
  assert.deepEqual(mistakes(nested), [
    ["createOrder", "input", "/lines/__proto__", "unknown_field"],
    ["createOrder", "input", "/lines/create/0/__proto__", "unknown_field"],
  ])
})

test("every field that is wrong has one error, with all of its mistakes and where they stand", async () => {
  const query = `mutation ($input: OrderCreateInput!) {
  one: createOrder(input: $input) { order { id } }
  createTag(input: { name: "fine" }) { tag { id } }
  two: createOrder(input: {
    number: "2"
    input: 2
    total: "2.00"
    lines: { create: [{ position: 1, quantity: 0, product: "a" }] }
  }) { order { id } }
}`
  const { body } = await market.ask(query, { input: { number: "1", total: "1.00", customer: 1 } })
  assert.deepEqual(body, {
    data: null,
    errors: [
      {
        message: "`customer` must be an object that names the operation, not 1.",
        locations: [{ line: 2, column: 20 }],
        path: ["one"],
        extensions: {
          code: "invalid_value",
          requestId: "test",
          errors: [
            {
              argument: "input",
              pointer: "/customer",
              code: "invalid_value",
              message: "`customer` must be an object that names the operation, not 1.",
              hint: "It takes create and link.",
            },
          ],
        },
      },
      {
        message: "`customerId` or `customer` must be given. (And 1 more: see extensions.errors.)",
        locations: [
          { line: 4, column: 20 },
          { line: 8, column: 48 },
        ],
        path: ["two"],
        extensions: {
          code: "missing_field",
          requestId: "test",
          errors: [
            {
              argument: "input",
              pointer: "/customerId",
              code: "missing_field",
              message: "`customerId` or `customer` must be given.",
            },
            {
              argument: "input",
              pointer: "/lines/create/0/quantity",
              code: "invalid_value",
              message: "`quantity` must be at least 1, not 0.",
            },
          ],
        },
      },
    ],
  })
})

test("other arguments are told of like the input, and all at once", async () => {
  const found = await refusedFor(
    `mutation ($where: OrderWhere!) {
      updateOrder(id: "a b", input: { total: "1.005" }) { order { id } }
      updateOrders(where: $where, input: { total: "1.005", lines: { create: [] } }, maxAffected: 0) { affected }
    }`,
    { where: { number: { eq: null } } },
  )
  assert.deepEqual(found.toSorted(), [
    ["updateOrder", "input", "/total", "invalid_value"],
    ["updateOrders", "input", "/lines", "invalid_value"],
    ["updateOrders", "input", "/total", "invalid_value"],
    ["updateOrders", "maxAffected", "", "invalid_value"],
    ["updateOrders", "where", "/number/eq", "invalid_value"],
  ])
})

test("a condition in a variable is told with all its mistakes, beside those of the input", async () => {
  const several = `mutation ($w: TagWhere!, $f: BooleanFilter, $i: TagUpdateInput!) {
    one: updateTags(where: $w, input: $i, maxAffected: 0) { affected }
    two: deleteTags(where: { featured: $f }, maxAffected: 1) { affected }
  }`
  const w = {
    nme: {},
    name: { eq: 1, in: "a" },
    orders: { some: { total: { gt: "x" } } },
    and: { name: null },
  }
  const found = await refusedFor(several, { w, f: { eq: "yes", gt: 1 }, i: { foo: 1, featured: 2 } })
  assert.deepEqual(found, [
    ["one", "where", "/name/eq", "invalid_value"],
    ["one", "where", "/orders/some/total/gt", "invalid_value"],
    ["one", "where", "/and/0/name", "invalid_value"],
    ["one", "where", "/nme", "unknown_field"],
    ["one", "maxAffected", "", "invalid_value"],
    ["one", "input", "/featured", "invalid_value"],
    ["one", "input", "/foo", "unknown_field"],
    ["two", "where", "/featured/eq", "invalid_value"],
    ["two", "where", "/featured/gt", "unknown_operator"],
  ])
})

test("a wrong unique key is told once, beside what else is wrong", async () => {
  const found = await refusedFor(
    `mutation ($number: String!, $input: OrderUpsertByNumberInput!, $card: CardUpsertByCustomerIdInput!) {
      upsertOrderByNumber(number: $number, input: $input) { order { id } }
      upsertCardByCustomerId(customerId: "a\\u0000b", input: $card) { card { id } }
    }`,
    { number: "a\u0000b", input: { total: "1.005", customerId: customer }, card: { digits: "a" } },
  )
  assert.deepEqual(found, [
    ["upsertOrderByNumber", "number", "", "invalid_value"],
    ["upsertOrderByNumber", "input", "/total", "invalid_value"],
    ["upsertCardByCustomerId", "customerId", "", "invalid_value"],
    ["upsertCardByCustomerId", "input", "/digits", "invalid_value"],
  ])
})

test("mistakes in what is selected are told beside those of the input, even under an argument's name", async () => {
  const { body } = await market.ask(
    'mutation { createOrder(input: { number: "1", total: "1.00" }) { input: order { lines(first: 1000) { totalCount } } } }',
  )
  assert.deepEqual(
    body.errors?.map(({ path, extensions }) => [path, extensions.code, extensions.errors?.length]),
    [
      [["createOrder"], "missing_field", 1],
      [undefined, "invalid_value", undefined],
    ],
  )
})

test("a literal that does not fit the schema is told by graphql-js", async () => {
  const { body } = await market.ask(
    'mutation { createOrder(input: { number: 1, customer: { link: "a", create: null } }) { order { id } } }',
  )
  assert.deepEqual([...new Set(body.errors?.map(({ extensions }) => extensions.code))], ["invalid_document"])
  assert.equal(body.errors?.length, 3)
})

test("more records than a request may write are refused, in one field or in several", async () => {
  const tags = (count: number, prefix = "t") =>
    Array.from({ length: count }, (_, n) => ({ name: `${prefix}${n}` }))
  const one = "mutation ($a: [TagCreateInput!]!) { createTags(input: $a) { affected } }"
  assert.deepEqual(await refusedFor(one, { a: tags(1001) }), [["createTags", "input", "", "too_large"]])
  const two = `mutation ($a: [TagCreateInput!]!, $b: [TagCreateInput!]!) {
    one: createTags(input: $a) { affected } two: createTags(input: $b) { affected }
  }`
  const { body } = await market.ask(two, { a: tags(600), b: tags(600, "u") })
  assert.deepEqual([body.data, body.errors?.map(({ extensions }) => extensions.code)], [null, ["too_large"]])
  assert.deepEqual(await refusedFor(one, { a: [] }), [["createTags", "input", "", "invalid_value"]])
})

test("variables that are missing or null are refused by their names", async () => {
  for (const variables of [{}, { input: null }]) {
    const { body } = await market.ask(create, variables)
    assert.deepEqual(body.data, null)
    assert.match(body.errors?.[0]?.message ?? "", /^Variable "\$input" has invalid value: /)
  }
})

test("hints that name members are only for those who may ask for the schema", async (t) => {
  const closed = await openMarket(t, "sqlite", { introspection: false })
  const hintOf = async ({ ask }: Market) => {
    const { body } = await ask(create, { input: { ...order, totl: "1.00" } })
    return body.errors?.[0]?.extensions.errors?.[0]?.hint
  }
  assert.deepEqual([await hintOf(market), await hintOf(closed)], ['Did you mean "total"?', undefined])
})
