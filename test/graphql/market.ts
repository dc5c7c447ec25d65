// A small market for writes, empty at first: owned lines whose key holds their order's, tags by a join table, a card at
// the far side of a one-to-one, generated and natural keys, unique keys of fields and of a reference.
import { graphqlFace } from "../../src/graphql/face.ts"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import type { Hooks } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { type Database, openService } from "../support/open-service.ts"
import { asText } from "../support/text-face.ts"

export const market = loadOpen(
  service({
    name: "market",
    limits: { page: { default: 20, max: 50 } },
    resources: {
      customer: resource({
        id: "cus",
        fields: {
          email: f.email({ unique: true }),
          name: f.text({ max: 20 }),
          note: f.text({ optional: true }),
          newsletter: f.boolean({ default: false }),
          createdAt: f.timestamp({ readonly: true, default: "now" }),
        },
        relations: { orders: many("order", { by: "customer" }), card: one("card", { by: "customer" }) },
      }),
      card: resource({
        id: "crd",
        fields: { digits: f.text({ pattern: "[0-9]{4}" }) },
        relations: { customer: one("customer") },
        unique: [["customer"]],
      }),
      order: resource({
        id: "ord",
        fields: {
          number: f.text({ unique: true, immutable: true }),
          total: f.decimal({ precision: 8, scale: 2 }),
          status: f.oneOf(["cart", "placed"], { readonly: true, default: "cart" }),
          marks: f.list(f.text({ max: 5 }), { optional: true }),
          extra: f.json({ optional: true }),
          input: f.integer({ optional: true, unique: true }),
        },
        relations: {
          customer: one("customer"),
          partner: one("customer", { optional: true }),
          lines: many("line", { by: "order", owned: true }),
          tags: many("tag", { through: "order_tag" }),
        },
      }),
      line: resource({
        id: "line",
        key: ["order", "position"],
        fields: {
          position: f.integer({ min: 1, immutable: true }),
          quantity: f.integer({ min: 1 }),
          product: f.text(),
        },
        relations: { order: one("order") },
      }),
      tag: resource({
        key: ["name"],
        fields: { name: f.slug({ immutable: true }), featured: f.boolean({ default: false }) },
        relations: { orders: many("order", { through: "order_tag" }) },
      }),
    },
  }),
)

type Data = Readonly<Record<string, unknown>> | null

export interface MarketAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: { readonly data?: Data; readonly errors?: readonly MarketError[] }
}

interface MarketError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly extensions: {
    readonly code: string
    readonly requestId: string
    readonly hint?: string
    readonly errors?: readonly Mistake[]
  }
}

interface Mistake {
  readonly argument?: string
  readonly pointer: string
  readonly code: string
  readonly message: string
  readonly hint?: string
}

export interface Market {
  ask(query: string, variables?: object, headers?: Readonly<Record<string, string>>): Promise<MarketAnswer>
  send(body: string, headers?: Readonly<Record<string, string>>): Promise<MarketAnswer>
  /** The data, which must be there, without errors. */
  data(query: string, variables?: object): Promise<NonNullable<Data>>
  /** Everything that is stored, as the API shows it. */
  everything(): Promise<Data>
  /** How often the engine was asked. */
  readonly answers: { readonly count: number }
}

export async function openMarket(
  hooks: Hooks,
  database: Database,
  options: { readonly introspection?: boolean } = {},
): Promise<Market> {
  const { context, engine } = await openService(hooks, {
    model: market,
    records: { records: new Map(), links: [] },
    database,
    options: { writes: "unsafe" },
  })
  const answers = { count: 0 }
  const face = asText(
    graphqlFace({
      ...context,
      ...options,
      answer: (...asked) => {
        answers.count += 1
        return engine.answer(...asked)
      },
    }),
    context.model,
  )
  const send: Market["send"] = async (body, headers = {}) => {
    const response = await face({
      method: "POST",
      path: "",
      query: "",
      headers: { "content-type": "application/json", ...headers },
      body: Buffer.from(body),
      requestId: "test",
    })
    const { status, body: text } = response
    return { status, headers: response.headers, text, body: JSON.parse(text) as MarketAnswer["body"] }
  }
  const ask: Market["ask"] = (query, variables, headers) =>
    send(JSON.stringify({ query, variables }), headers)
  const data: Market["data"] = async (query, variables) => {
    const { body, text } = await ask(query, variables)
    if (!body.data || body.errors) throw new Error(text)
    return body.data
  }
  return { ask, send, data, answers, everything: () => data(stored) }
}

const stored = `{
  customers(first: 50) { nodes { id etag email name note newsletter createdAt card { id etag digits } } }
  orders(first: 50) {
    nodes {
      id etag number total status marks extra input customerId partnerId
      lines(first: 50) { nodes { id etag position quantity product } }
      tags(first: 50) { nodes { id } }
    }
  }
  cards(first: 50) { nodes { id customerId } }
  lines(first: 50) { nodes { id orderId } }
  tags(first: 50) { nodes { id etag name featured } }
}`

/** What a refused field of a mutation says is wrong. */
export const mistakes = ({ body }: MarketAnswer): readonly (readonly string[])[] =>
  (body.errors ?? []).flatMap(({ path = [], extensions }) =>
    (extensions.errors ?? []).map(({ argument = "", pointer, code }) => [
      path.join("."),
      argument,
      pointer,
      code,
    ]),
  )
