// What schema, addresses and description say of transitions, which is told without looking at any record.
import assert from "node:assert/strict"
import { test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { buildSchema as parseSchema, validateSchema } from "graphql"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { present } from "../../src/base/invariant.ts"
import { printGraphql } from "../../src/graphql/schema/schema.ts"
import { saidOf } from "../../src/http/transitions.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { kebabCase } from "../../src/model/names.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { desk } from "../services/desk.ts"
import { described } from "../support/described.ts"
import { ada, agent, boss, deskModel, id, unreadFaces } from "./asking.ts"
import { odd } from "./odd.ts"

const modelOf = (whole: Model, words: string): Model => actorFromText(whole, words).model
const clerk = modelOf(odd, "role:clerk")

const definition = (model: Model, head: string): string =>
  new RegExp(`^${head} [^]*?^}`, "m").exec(printGraphql(model))?.[0] ?? ""

const mutations = (model: Model): readonly string[] => {
  const type = parseSchema(printGraphql(model)).getMutationType()
  return Object.keys(type?.getFields() ?? {}).filter((name) => /Tickets?$/.test(name))
}

const fired = (model: Model): readonly string[] =>
  mutations(model).filter((name) => !/^(create|update|upsert|delete)/.test(name))

test("whoever asks finds the transitions that some record would let them do", () => {
  const both = (...names: string[]) => names.flatMap((name) => [`${name}Ticket`, `${name}Tickets`])
  assert.deepEqual(fired(modelOf(deskModel, agent)), both("start", "solve", "reopen", "close"))
  assert.deepEqual(fired(modelOf(deskModel, boss)), both("close", "bill", "settle"))
  assert.deepEqual(fired(modelOf(deskModel, ada)), both("reopen", "close"))
  assert.deepEqual(fired(openModel(load(desk))), both("solve", "reopen", "close", "bill", "settle"))
  assert.deepEqual(fired(modelOf(deskModel, "anyone")), [])
})

test("the schema of each audience is valid, and knows no more than it", () => {
  for (const [whole, words] of [
    [deskModel, agent],
    [deskModel, boss],
    [deskModel, ada],
    [deskModel, "anyone"],
    [odd, "role:clerk"],
  ] as const)
    assert.deepEqual(validateSchema(parseSchema(printGraphql(modelOf(whole, words)))), [], words)
  assert.equal(definition(modelOf(deskModel, ada), "input SolveTicketInput"), "")
})

test("input is an argument of its own type where a transition takes any, and required where something in it is", () => {
  const schema = parseSchema(printGraphql(modelOf(deskModel, agent)))
  const argumentsOf = (name: string, of = schema) =>
    of
      .getMutationType()
      ?.getFields()
      [name]?.args.map((argument) => `${argument.name}: ${argument.type}`)
  assert.deepEqual(argumentsOf("startTicket"), ["id: ID!", "ifMatch: String"])
  assert.deepEqual(argumentsOf("solveTicket"), ["id: ID!", "input: SolveTicketInput!", "ifMatch: String"])
  assert.deepEqual(argumentsOf("solveTickets"), [
    "where: TicketWhere",
    "ids: [ID!]",
    "input: SolveTicketInput!",
    "maxAffected: Int",
  ])
  assert.equal(
    definition(modelOf(deskModel, agent), "input SolveTicketInput"),
    "input SolveTicketInput {\n  answer: String!\n  effort: Int\n}",
  )
  const others = parseSchema(printGraphql(clerk))
  assert.deepEqual(argumentsOf("markPaidBill", others), [
    "id: ID!",
    "input: MarkPaidBillInput",
    "ifMatch: String",
  ])
  assert.deepEqual(argumentsOf("signDeed", others), ["id: ID!", "ifMatch: String!"])
  assert.equal(argumentsOf("signDeeds", others), undefined)
})

test("descriptions say what a transition does, and types give way to the service's own", () => {
  const printed = printGraphql(clerk)
  assert.match(printed, /"""The money is there\. From `open` to `paid`\."""\n {2}markPaidBill\(/)
  assert.match(printed, /transitions: \[BillTransition_!\]!/)
  assert.match(printed, /^type BillTransition_ \{/m)
  assert.match(
    printed,
    /"""Of the bank\."""\n {2}reference: String\n {2}by: Payment\n {2}via: BillMarkPaidVia$/m,
  )
})

test("records tell of their transitions where they have states", () => {
  const type = definition(modelOf(deskModel, ada), "type TicketTransition")
  assert.deepEqual([...type.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name).filter(Boolean), [
    "name",
    "to",
    "machine",
    "allowed",
    "reasons",
    "description",
    "input",
  ])
  assert.match(definition(modelOf(deskModel, ada), "type Ticket implements Node"), /\n {2}transitions: \[/)
  assert.doesNotMatch(definition(modelOf(deskModel, ada), "type Note implements Node"), /transitions/)
})

const allowed: readonly (readonly [path: string, allow: string])[] = [
  [`/tickets/${id(11)}/transitions`, "GET, HEAD, OPTIONS"],
  [`/tickets/tic_${id(11)}/transitions/solve`, "OPTIONS, POST"],
  ["/tickets/transitions/solve", "OPTIONS, POST"],
]
for (const [path, allow] of allowed)
  test(`what ${path} is served by is named`, async () => {
    const { rest } = unreadFaces(modelOf(deskModel, agent), actorFromText(deskModel, agent))
    assert.deepEqual(await rest(`OPTIONS ${path}`), { status: 204, headers: { allow }, body: "" })
    const refused = await rest(`PATCH ${path}\n\n{}`)
    assert.equal(refused.status, 405)
    assert.equal(refused.headers["allow"], allow)
  })

test("addresses by unique keys, of two words and of keys that people choose", async () => {
  const { rest } = unreadFaces(clerk, actorFromText(odd, "role:clerk"))
  const allow = async (path: string) => (await rest(`OPTIONS ${path}`)).headers["allow"]
  assert.equal(await allow("/bills/number=B-1/transitions"), "GET, HEAD, OPTIONS")
  assert.equal(await allow("/bills/number=B-1/transitions/mark-paid"), "OPTIONS, POST")
  assert.equal(await allow("/bills/transitions/mark-paid"), "OPTIONS, POST")
  assert.equal(await allow("/deeds/house/transitions/sign"), "OPTIONS, POST")
  // A record may be called so, and is reached by its whole id.
  assert.equal(await allow("/parcels/transitions/transitions"), "GET, HEAD, OPTIONS")
  assert.equal(await allow("/parcels/parcel_transitions/transitions/send"), "OPTIONS, POST")
  // Several records have no version in common.
  assert.equal((await rest("POST /deeds/transitions/sign")).status, 404)
})

const missing: readonly (readonly [path: string, hint: RegExp])[] = [
  [`/tickets/${id(11)}/transition`, /Did you mean "transitions"/],
  [`/tickets/${id(11)}/transitions/solv`, /Did you mean "solve"/],
  [`/tickets/${id(11)}/transitions/solve/now`, /Known here|GET \/openapi/],
  ["/tickets/transitions/solv", /Did you mean "solve"/],
  [`/notes/${id(21)}/transitions`, /Known here|GET \/openapi/],
]
for (const [path, hint] of missing)
  test(`nothing is served under ${path}`, async () => {
    const { rest } = unreadFaces(modelOf(deskModel, agent), actorFromText(deskModel, agent))
    const { status, body } = await rest(`POST ${path}`)
    assert.equal(status, 404)
    assert.match(JSON.parse(body).errors[0].hint, hint)
  })

test("what others may do is forbidden, and not told to strangers", async () => {
  const by = async (words: string, path: string) => {
    const { rest } = unreadFaces(modelOf(deskModel, words), actorFromText(deskModel, words))
    const { status, body } = await rest(`POST ${path}\n\n{"answer":"x"}`)
    return [status, JSON.parse(body).code]
  }
  for (const path of [`/tickets/${id(11)}/transitions/solve`, "/tickets/transitions/solve?ids=1"]) {
    assert.deepEqual(await by(ada, path), [403, "forbidden"])
    assert.deepEqual(await by("anyone", path), [401, "unauthenticated"])
  }
})

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

test("what is described is served, and what is served is described", async () => {
  for (const [whole, words] of [
    [deskModel, agent],
    [deskModel, boss],
    [odd, "role:clerk"],
  ] as const) {
    const model = modelOf(whole, words)
    const { rest } = unreadFaces(model, actorFromText(whole, words))
    const { paths } = described(model) as unknown as Document
    const found = Object.entries(paths).filter(([path]) => path.includes("/transitions"))
    assert.ok(found.length > 5, `${found.length} of ${words}`)
    for (const [path, item] of found) {
      const { headers } = await rest(`OPTIONS ${path.replace(/\{\w+\}/g, "1")}`)
      const served = headers["allow"]?.split(", ").filter((name) => name !== "OPTIONS" && name !== "HEAD")
      const described = Object.keys(item).map((name) => name.toUpperCase())
      assert.deepEqual(served, described, path)
    }
  }
})

test("operations are called as by GraphQL", () => {
  const { paths } = described(modelOf(deskModel, agent)) as unknown as Document
  const operations = Object.values(paths).flatMap(({ post }) => post?.operationId ?? [])
  const model = modelOf(deskModel, agent)
  assert.deepEqual(
    fired(model).filter((name) => !operations.includes(name)),
    [],
  )
})

const bodies: readonly unknown[] = [
  { answer: "x" },
  { answer: "x", effort: 3 },
  { answer: "x", effort: null },
  { answer: "x", effort: -1 },
  { answer: "x", effort: 1.5 },
  { answer: "" },
  { answer: null },
  { answer: 7 },
  { effort: 3 },
  {},
  { answer: "x", state: "closed" },
  "x",
]
const payments: readonly unknown[] = [
  {},
  { reference: null, by: "cash", via: null },
  { via: "web" },
  { via: "shop" },
  { by: "cheque" },
  { by: null },
  { number: "B-2" },
  [],
]
for (const [whole, words, path, line, cases] of [
  [deskModel, agent, "/tickets/{id}/transitions/solve", `POST /tickets/${id(11)}/transitions/solve`, bodies],
  [deskModel, agent, "/tickets/transitions/solve", "POST /tickets/transitions/solve?ids=1", bodies],
  [
    odd,
    "role:clerk",
    "/bills/{id}/transitions/mark-paid",
    `POST /bills/${id(1)}/transitions/mark-paid`,
    payments,
  ],
] as const)
  test(`${line.split("?")[0]} takes what its description and what is told of it say`, async () => {
    const model = modelOf(whole, words)
    const { rest } = unreadFaces(model, actorFromText(whole, words))
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    const document = described(model) as { paths: object }
    ajv.addSchema({ $id: "service", ...document })
    const pointer = ["paths", path, "post", "requestBody", "content", "application/json", "schema"]
      .map((step) => `/${encodeURIComponent(step.replaceAll("/", "~1"))}`)
      .join("")
    const resource = present(model.resources.get(path.startsWith("/bills") ? "bill" : "ticket"), "a resource")
    const told = JSON.parse(
      Object.entries(saidOf(model, resource, "input")).find(([name]) =>
        path.endsWith(kebabCase(name)),
      )?.[1] ?? "",
    )
    let taken = 0
    for (const body of cases) {
      const { status } = await rest(`${line}\n\n${JSON.stringify(body)}`)
      assert.ok(status === 400 || status === 500, `${status}`)
      const isTaken = status === 500
      assert.equal(ajv.validate({ $ref: `service#${pointer}` }, body), isTaken, JSON.stringify(body))
      assert.equal(ajv.validate(told, body), isTaken, JSON.stringify(body))
      taken += isTaken ? 1 : 0
    }
    assert.ok(taken > 1 && taken < cases.length, `${taken}`)
  })

test("the question for the transitions takes no parameters", async () => {
  const { rest } = unreadFaces(modelOf(deskModel, agent), actorFromText(deskModel, agent))
  const { status, body } = await rest(`GET /tickets/${id(11)}/transitions?fields=name`)
  assert.equal(status, 400)
  assert.equal(JSON.parse(body).code, "unknown_parameter")
  assert.match(JSON.parse(body).detail, /[^.]\.$/)
})

test("transitions are no relation, and are told so", async () => {
  const { rest } = unreadFaces(modelOf(deskModel, agent), actorFromText(deskModel, agent))
  const { status, body } = await rest("GET /tickets?include=transitions")
  assert.equal(status, 400)
  assert.match(JSON.parse(body).errors[0].hint, /put it into `fields`/)
})
