// What the schema says of mutations: which there are, and how exactly their inputs and payloads are typed.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  buildSchema as buildFromText,
  type GraphQLInputObjectType,
  GraphQLSchema,
  isInputObjectType,
  isObjectType,
  validateSchema,
} from "graphql"
import { buildSchema, printGraphql } from "../../src/graphql/schema/schema.ts"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import { incrementable } from "../../src/plan/write/increments.ts"
import { inputMembers } from "../../src/plan/write/inputs.ts"
import { declarations } from "../model/arbitrary-declaration.ts"
import { model as bookshop } from "./bookshop.ts"
import { market } from "./market.ts"

const text = printGraphql(market)

/** The definition of a type without its descriptions. */
function definition(printed: string, name: string): string {
  const [found = `no ${name}`] = new RegExp(`^(?:type|input) ${name} [\\s\\S]*?^}`, "m").exec(printed) ?? []
  return found.replaceAll(/^ +"""[\s\S]*?"""\n/gm, "").replaceAll(/\n+/g, "\n")
}

const fieldsOf = (printed: string, name: string): readonly string[] =>
  definition(printed, name)
    .split("\n")
    .slice(1, -1)
    .map((line) => line.trim())

test("each resource has mutations for one record, for several, and for each unique key", () => {
  const fields = fieldsOf(text.replaceAll(/\(\n[\s\S]*?\n {2}\)/g, "(…)"), "Mutation")
  assert.deepEqual(
    fields.filter((line) => /Order/.test(line)),
    [
      "createOrder(…): OrderPayload!",
      "createOrders(…): OrderBulkPayload!",
      "updateOrder(…): OrderPayload!",
      "updateOrders(…): OrderBulkPayload!",
      "upsertOrderByNumber(…): OrderPayload!",
      "upsertOrderByInput(…): OrderPayload!",
      "deleteOrder(…): OrderDeletePayload!",
      "deleteOrders(…): OrderBulkPayload!",
    ],
  )
  const bare = definition(text, "Mutation")
  assert.match(bare, /^ {2}createOrder\(\n {4}input: OrderCreateInput!\n {2}\): /m)
  assert.match(
    bare,
    /^ {2}upsertOrderByNumber\(\n {4}number: String!\n {4}input: OrderUpsertByNumberInput!\n {2}\): /m,
  )
  assert.match(
    bare,
    /^ {2}upsertOrderByInput\(\n {4}input: Int!\n {4}input_: OrderUpsertByInputInput!\n {2}\): /m,
  )
  assert.match(
    bare,
    /^ {2}updateOrder\(\n {4}id: ID!\n {4}input: OrderUpdateInput!\n[^)]*ifMatch: String\n {2}\): /m,
  )
})

test("payloads are never null, and hold what was written", () => {
  assert.deepEqual(fieldsOf(text, "OrderPayload"), ["order: Order"])
  assert.deepEqual(fieldsOf(text, "OrderDeletePayload"), ["deletedId: ID!", "order: Order"])
  assert.deepEqual(fieldsOf(text, "OrderBulkPayload"), ["affected: Int!", "orders: [Order!]!"])
})

test("an input requires what has to be given, and has nothing that may not", () => {
  assert.deepEqual(fieldsOf(text, "CustomerCreateInput"), [
    "email: Email!",
    "name: String!",
    "note: String",
    "newsletter: Boolean",
    "orders: CustomerCreateOrdersInput",
    "card: CustomerCreateCardInput",
  ])
  assert.deepEqual(fieldsOf(text, "OrderCreateInput"), [
    "number: String!",
    "total: Decimal!",
    "marks: [String!]",
    "extra: JSON",
    "input: Int",
    "customerId: ID",
    "customer: OrderCreateCustomerInput",
    "partnerId: ID",
    "partner: OrderCreatePartnerInput",
    "lines: OrderCreateLinesInput",
    "tags: OrderCreateTagsInput",
  ])
  assert.deepEqual(fieldsOf(text, "LineUpdateInput"), [
    "quantity: Int",
    "product: String",
    "increment: LineIncrementInput",
  ])
  assert.deepEqual(fieldsOf(text, "LineIncrementInput"), ["quantity: Int"])
  assert.deepEqual(fieldsOf(text, "OrderUpsertByNumberInput"), [
    "total: Decimal!",
    "marks: [String!]",
    "extra: JSON",
    "input: Int",
    "customerId: ID!",
    "partnerId: ID",
  ])
})

test("what is nested says what can be done there, and does not lead back", () => {
  assert.deepEqual(fieldsOf(text, "LineCreateInOrderInput"), [
    "position: Int!",
    "quantity: Int!",
    "product: String!",
  ])
  assert.deepEqual(fieldsOf(text, "OrderCreateLinesInput"), ["create: [LineCreateInOrderInput!]"])
  assert.deepEqual(fieldsOf(text, "OrderUpdateLinesInput"), [
    "create: [LineCreateInOrderInput!]",
    "update: [LineUpdateItemInput!]",
    "delete: [ID!]",
  ])
  assert.deepEqual(fieldsOf(text, "LineUpdateItemInput"), ["id: ID!", "input: LineUpdateInput!"])
  assert.deepEqual(fieldsOf(text, "OrderUpdateTagsInput"), [
    "create: [TagCreateInput!]",
    "link: [ID!]",
    "unlink: [ID!]",
    "update: [TagUpdateItemInput!]",
    "delete: [ID!]",
  ])
  assert.deepEqual(fieldsOf(text, "CustomerCreateCardInput"), [
    "create: CardCreateInCustomerInput",
    "link: ID",
  ])
})

test("of a to-one relation exactly one thing can be done", () => {
  assert.match(text, /^input OrderUpdateCustomerInput @oneOf \{$/m)
  assert.match(text, /^input OrderUpdatePartnerInput @oneOf \{$/m)
  assert.doesNotMatch(text, /^input CustomerUpdateCardInput @oneOf/m)
  assert.deepEqual(fieldsOf(text.replaceAll(" @oneOf", ""), "OrderUpdatePartnerInput"), [
    "create: CustomerCreateInput",
    "link: ID",
    "unlink: Boolean",
    "update: CustomerUpdateInput",
    "delete: Boolean",
  ])
})

test("records with an id have an etag", () => {
  assert.ok(fieldsOf(text, "Order").includes("etag: String!"))
  assert.ok(!printGraphql(bookshop).includes("input VisitCreateInput"))
  assert.ok(!fieldsOf(printGraphql(bookshop), "Visit").includes("etag: String!"))
})

test("what no actor may write has no mutations, and a service of that no Mutation", () => {
  const views = load(
    service({
      name: "views",
      resources: {
        total: resource({ key: ["day"], readonly: true, fields: { day: f.date(), sum: f.integer() } }),
        visit: resource({ key: false, fields: { page: f.text() } }),
      },
    }),
  )
  const schema = buildSchema(views)
  assert.equal(schema.getMutationType(), undefined)
  assert.doesNotMatch(printGraphql(views), /Mutation|Input|Payload/)
})

const mistakesIn = (schema: GraphQLSchema) =>
  validateSchema(new GraphQLSchema({ ...schema.toConfig(), assumeValid: false }))

test("who must say which version is meant can change no record without", () => {
  const strict = load(
    service({
      name: "strict",
      resources: { deed: resource({ versioned: "required", fields: { title: f.text({ unique: true }) } }) },
    }),
  )
  const printed = printGraphql(strict)
  const { Mutation } = buildSchema(strict).getTypeMap()
  assert.ok(isObjectType(Mutation))
  assert.deepEqual(Object.keys(Mutation.getFields()), [
    "createDeed",
    "createDeeds",
    "updateDeed",
    "deleteDeed",
  ])
  assert.equal(printed.match(/ifMatch: String!$/gm)?.length, 2)
})

/** Names that mutations would like, given to resources and members. */
const greedy = load(
  service({
    name: "greedy",
    description: "Everything has the name of something else.",
    resources: {
      order: resource({
        fields: {
          etag: f.text(),
          input: f.text({ unique: true }),
          maxAffected: f.integer(),
          where: f.text(),
        },
        relations: { lines: many("orderLines", { by: "order" }) },
      }),
      orderLines: resource({
        plural: "orderLinesAll",
        fields: { note: f.text({ optional: true }) },
        relations: { order: one("order") },
      }),
      orderPayload: resource({ fields: { create: f.text() } }),
      orderCreateInput: resource({ fields: { a: f.text() } }),
      orderCreateLines: resource({ plural: "orderCreateLinesAll", fields: { a: f.text() } }),
      deletedId: resource({ fields: { a: f.text() } }),
      affect: resource({ plural: "affected", fields: { a: f.text() } }),
      createOrder: resource({ fields: { a: f.text() } }),
      marker: resource({ fields: {}, relations: { order: one("order") } }),
      empty: resource({ fields: { at: f.timestamp({ readonly: true, default: "now" }) } }),
    },
  }),
)

test("names that resources have already are left to them", () => {
  const printed = printGraphql(greedy)
  const schema = buildSchema(greedy)
  assert.deepEqual(mistakesIn(schema), [])
  assert.deepEqual(
    Object.keys(buildFromText(printed).getTypeMap()).toSorted(),
    Object.keys(schema.getTypeMap()).toSorted(),
  )
  assert.match(printed, /^schema \{\n {2}query: Query\n {2}mutation: Mutation\n\}/m)
  assert.deepEqual(fieldsOf(printed, "OrderPayload_"), ["order: Order"])
  assert.deepEqual(fieldsOf(printed, "DeletedIdDeletePayload"), ["deletedId_: ID!", "deletedId: DeletedId"])
  assert.deepEqual(fieldsOf(printed, "AffectBulkPayload"), ["affected_: Int!", "affected: [Affect!]!"])
  assert.deepEqual(
    fieldsOf(printed, "Order").filter((line) => line.startsWith("etag")),
    ["etag: String!"],
  )
  assert.match(printed, /^ {2}createEmpty: EmptyPayload!$/m)
  assert.doesNotMatch(printed, /createEmpties|updateEmpty\b/)
})

test("every member that can be written is in the input types, and no other", () => {
  let seen = 0
  for (const model of [market, bookshop]) {
    const schema = buildSchema(model)
    for (const resource of model.resources.values())
      for (const [action, role] of [
        ["create", "CreateInput"],
        ["update", "UpdateInput"],
      ] as const) {
        const members = [...(inputMembers(model, resource, action)?.keys() ?? [])]
        const type = schema.getType(`${resource.type}${role}`)
        const fields = isInputObjectType(type)
          ? Object.keys((type as GraphQLInputObjectType).getFields())
          : []
        const adds = action === "update" && incrementable(model, resource).length > 0
        assert.deepEqual(fields, adds ? [...members, "increment"] : members, `${resource.type}${role}`)
        seen += fields.length
      }
  }
  assert.ok(seen > 60)
})

test("whatever is declared, its schema is valid and says the same when it is printed", () => {
  let mutations = 0
  fc.assert(
    fc.property(declarations, (declaration) => {
      const model = load(declaration)
      const schema = buildSchema(model)
      assert.deepEqual(mistakesIn(schema), [])
      const printed = buildFromText(printGraphql(model))
      assert.deepEqual(
        Object.keys(printed.getTypeMap()).toSorted(),
        Object.keys(schema.getTypeMap()).toSorted(),
      )
      mutations += Object.keys(schema.getMutationType()?.getFields() ?? {}).length
    }),
    { numRuns: 100, endOnFailure: true },
  )
  assert.ok(mutations > 100, `${mutations} mutations`)
})
