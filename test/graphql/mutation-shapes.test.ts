// Mutations of one shape share a plan: only values are new. And values of variables mean what literals mean.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  type GraphQLArgument,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql"
import { Refusal } from "../../src/base/problem.ts"
import { checkDocument } from "../../src/graphql/document/document.ts"
import { type PreparedOperation, prepareOperation } from "../../src/graphql/document/prepare.ts"
import { planOperation } from "../../src/graphql/planning/plan.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import type { WritePlan } from "../../src/plan/write-plan.ts"
import { market } from "./market.ts"

const schema = buildSchema(market)
const introspection = { introspection: true }
const context = {
  model: market,
  cursors: createCursors("a secret of the tests"),
  fresh: {
    id: () => "01gnna1j00e1rrmypgynq0qqf2",
    uuid: () => "0192f5c0-0000-7000-8000-000000000000",
    now: () => "2026-11-21T10:00:00Z",
  },
}

function prepare(query: string): PreparedOperation {
  const { document, errors } = checkDocument(schema, query, introspection)
  assert.deepEqual(errors, [])
  assert.ok(document)
  return prepareOperation(schema, document, undefined, introspection)
}

function plan(prepared: PreparedOperation, variables: object): { plan: WritePlan; isNew: boolean } {
  const asked = prepared.readVariables(JSON.parse(JSON.stringify(variables)) as Record<string, unknown>)
  const { plan, isNew } = planOperation(context, prepared, asked)
  assert.ok(plan.kind === "write")
  return { plan, isNew }
}

const create = `mutation ($input: OrderCreateInput!, $more: Boolean = false) {
  createOrder(input: $input) { order { id lines @include(if: $more) { totalCount } } }
}`
const line = (position: number) => ({ position, quantity: 1, product: "tea" })
const order = (number: string, lines: number) => ({
  number,
  total: "1.00",
  customerId: "a",
  lines: { create: Array.from({ length: lines }, (_, index) => line(index + 1)) },
})

test("a mutation of a known shape is not planned again", () => {
  const prepared = prepare(create)
  const first = plan(prepared, { input: order("1", 2) })
  const second = plan(prepared, { input: order("2", 2) })
  assert.deepEqual([first.isNew, second.isNew], [true, false])
  assert.equal(second.plan.steps, first.plan.steps)
  assert.notDeepEqual(second.plan.values, first.plan.values)
  for (const other of [
    { input: order("1", 3) },
    { input: { ...order("1", 2), marks: ["a"] } },
    { input: order("1", 2), more: true },
  ]) {
    assert.equal(plan(prepared, other).isNew, true)
    assert.equal(plan(prepared, other).isNew, false)
  }
})

test("a mutation of literals makes new ids and moments each time", () => {
  const prepared = prepare(
    'mutation { createCustomer(input: { email: "a@example.org", name: "A" }) { customer { id } } }',
  )
  const ids = ["one", "two", "three"].map((id) => {
    const asked = prepared.readVariables({})
    const { plan } = planOperation({ ...context, fresh: { ...context.fresh, id: () => id } }, prepared, asked)
    return plan.values.find((value) => Array.isArray(value))
  })
  assert.deepEqual(ids, [["one"], ["two"], ["three"]])
})

test("a mutation that is wrong is not remembered, and does not spoil what is", () => {
  const prepared = prepare(create)
  const wrong = { input: { ...order("1", 1), total: "x" } }
  assert.throws(() => plan(prepared, wrong), Refusal)
  assert.equal(plan(prepared, { input: order("1", 1) }).isNew, true)
  assert.throws(() => plan(prepared, wrong), Refusal)
  assert.equal(plan(prepared, { input: order("2", 1) }).isNew, false)
})

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const word = fc.stringMatching(/^[a-z]{1,5}$/)
const customer = fc.record(
  { email: word.map((name) => `${name}@example.org`), name: word },
  { noNullPrototype: true },
)
const tag = fc.record({ name: word, featured: maybe(fc.boolean()) }, { noNullPrototype: true })
const inputs = fc.record(
  {
    number: word,
    total: fc.nat(1000).map((cents) => (cents / 100).toFixed(2)),
    marks: maybe(fc.option(fc.oneof(fc.array(word, { maxLength: 3 }), word))),
    extra: maybe(
      fc.dictionary(word, fc.oneof(word, fc.boolean(), fc.constant(null), fc.nat(9), fc.array(word))),
    ),
    customer: fc.oneof(
      customer.map((made) => ({ create: made })),
      word.map((link) => ({ link })),
    ),
    partner: maybe(customer.map((made) => ({ create: made }))),
    lines: maybe(
      fc.nat(3).map((count) => ({ create: Array.from({ length: count }, (_, n) => line(n + 1)) })),
    ),
    tags: maybe(
      fc.record(
        { create: maybe(fc.oneof(tag, fc.array(tag, { maxLength: 2 }))), link: maybe(fc.array(word)) },
        { noNullPrototype: true },
      ),
    ),
  },
  { noNullPrototype: true },
)

test("whatever was asked before, a mutation has the plan that it has alone", () => {
  const shared = prepare(create)
  let known = 0
  fc.assert(
    fc.property(inputs, (input) => {
      const { plan: again, isNew } = plan(shared, { input })
      const alone = plan(prepare(create), { input }).plan
      assert.deepEqual([again.steps, again.values], [alone.steps, alone.values])
      if (!isNew) known += 1
    }),
    { numRuns: 300, endOnFailure: true },
  )
  assert.ok(known > 20, `${known} of a known shape`)
})

/** The value as a literal of its type, with members in the order of their names as GraphQL coerces them. */
function literal(value: unknown, type: GraphQLInputType | undefined): string {
  if (isNonNullType(type)) return literal(value, type.ofType)
  if (value === null || value === undefined) return "null"
  if (Array.isArray(value))
    return `[${value.map((item: unknown) => literal(item, isListType(type) ? type.ofType : undefined)).join(" ")}]`
  if (typeof value !== "object") return JSON.stringify(value)
  const inner = isListType(type) ? type.ofType : type
  const named = isNonNullType(inner) ? inner.ofType : inner
  const fields = isInputObjectType(named) ? named.getFields() : {}
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{ ${members.map(([name, member]) => `${name}: ${literal(member, fields[name]?.type)}`).join(" ")} }`
}

test("an input means the same as a literal, as a variable, and as a literal of variables", () => {
  const argument = schema.getMutationType()?.getFields()["createOrder"]?.args[0] as GraphQLArgument
  fc.assert(
    fc.property(inputs, (input) => {
      const byVariable = plan(prepare(create), { input }).plan
      const text = literal(input, argument.type)
      const byLiteral = plan(prepare(`mutation { createOrder(input: ${text}) { order { id } } }`), {}).plan
      const { customer, partner, tags, ...rest } = input
      const mixed = literal({ ...rest }, argument.type).replace(/\}$/, "")
      const byParts = plan(
        prepare(
          `mutation ($customer: OrderCreateCustomerInput, $partner: CustomerCreateInput!, $tags: OrderCreateTagsInput) {
              createOrder(input: ${mixed} customer: $customer ${partner ? "partner: { create: $partner }" : ""} tags: $tags }) {
                order { id }
              }
              ${partner ? "" : "createCustomer(input: $partner) { customer { id } }"}
            }`,
        ),
        {
          customer,
          ...(tags && { tags }),
          partner: partner?.create ?? { email: "x@example.org", name: "x" },
        },
      ).plan
      assert.deepEqual(byLiteral.steps[0]?.writes, byVariable.steps[0]?.writes)
      assert.deepEqual(byLiteral.values, byVariable.values)
      assert.deepEqual(byParts.steps[0]?.writes, byVariable.steps[0]?.writes)
      assert.deepEqual(byParts.values.slice(0, byVariable.values.length), byVariable.values)
    }),
    { numRuns: 200, endOnFailure: true },
  )
})

test("a variable inside a literal of JSON is its value, whatever its type", () => {
  const prepared = prepare(`mutation ($input: CustomerCreateInput!, $flag: Boolean!) {
    createOrder(input: { number: "1", total: "1.00", customerId: "a", extra: { of: $input, flag: $flag } }) { order { id } }
  }`)
  const { values } = plan(prepared, { input: { email: "a", other: [1] }, flag: true }).plan
  assert.ok(values.includes('{"of":{"email":"a","other":[1]},"flag":true}'), JSON.stringify(values))
})
