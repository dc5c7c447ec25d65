// Questions whose spellings are compared: each as a value, and as the parameters that documentation writes for it.
import fc from "fast-check"
import type { OpenService } from "./open-service.ts"

export type Data = string | number | readonly Data[] | { readonly [name: string]: Data }

/** Parameters as a client's code holds them: lists as lists, conditions as objects. */
export type Parameters = Readonly<Record<string, Data>>

export interface AskedQuestion {
  readonly path: string
  readonly parameters: Parameters
}

/** Words whose characters serialisers treat differently, commas and backslashes included. */
const word = fc.constantFrom(
  "shipped",
  "paid",
  "Doe, Jane",
  "a\\,b",
  "\\",
  "a&b=c",
  "[0]",
  "100 % + 1",
  "日本",
  "a.b",
)
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const statuses = fc.uniqueArray(fc.constantFrom("paid", "shipped", "placed", "cancelled"), {
  minLength: 1,
  maxLength: 3,
})

const orderCondition = fc.constantFrom<Data>(
  { status: { eq: "paid" } },
  { total: { gte: "3000", lt: "4000" } },
  { customer: { email: { endsWith: "example.org" } } },
  { lines: { some: { quantity: { gte: 9 }, product: { name: { contains: "tea" } } } } },
  { not: { status: { in: ["paid", "shipped"] } } },
)
const filter = fc.oneof(
  orderCondition,
  statuses.map((of): Data => ({ status: { in: of } })),
  words.map((of): Data => ({ number: { notIn: of } })),
  words.map((of): Data => ({ customer: { name: { in: of } }, number: { ne: of[0] ?? "" } })),
  fc
    .tuple(fc.constantFrom("or", "and"), fc.array(orderCondition, { minLength: 1, maxLength: 12 }))
    .map(([name, of]): Data => ({ [name]: of })),
)

const some = (...names: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: names.length })

const optional = { requiredKeys: [] as [] }

const lists = fc
  .record(
    {
      filter,
      fields: some("number", "total", "status", "placedAt"),
      sort: some("-total", "number", "customer.name:nulls-first"),
      aggregate: some("count", "sum.total", "max.total"),
      limit: fc.constantFrom("1", "3"),
      total: fc.constant("true"),
    },
    optional,
  )
  .map((parameters): AskedQuestion => ({ path: "/orders", parameters: parameters as Parameters }))

const groups = some("status", "customerId").map(
  (groupBy): AskedQuestion => ({
    path: "/orders",
    parameters: { aggregate: ["count"], groupBy, groups: "3", limit: "0" },
  }),
)

/** All three: a parameter of what is included stands beside `include`. */
const included = fc
  .record(
    { fields: some("quantity", "unitPrice"), filter: fc.constant({ quantity: { in: [1, 9] } }) },
    optional,
  )
  .map(
    (lines): AskedQuestion => ({
      path: "/orders",
      parameters: {
        include: ["lines.product", "customer"],
        "include[lines]": lines as Data,
        "include[lines.product]": { fields: ["name", "price"] },
        limit: "2",
      },
    }),
  )

/** Questions to the storefront; all of them are answered. */
export const questions = fc.oneof(lists, groups, included)

/** Commas stand between items, with `\,` for one within an item; nested names have points. */
export function canonical(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => pairsOf(name, value))
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")
}

function pairsOf(name: string, value: Data): readonly (readonly [string, string])[] {
  if (name === "filter") return [[name, JSON.stringify(value)]]
  if (typeof value !== "object") return [[name, String(value)]]
  if (Array.isArray(value)) return [[name, value.map(String).map(escaped).join(",")]]
  return Object.entries(value).flatMap(([inner, item]): readonly (readonly [string, string])[] =>
    inner === "filter" ? [[`${name}[filter]`, JSON.stringify(item)]] : pairsOf(`${name}[${inner}]`, item),
  )
}

/** An item as it is written between commas, and where the name is repeated. */
const escaped = (item: string): string => item.replaceAll("\\", "\\\\").replaceAll(",", "\\,")

/** The same with its lists' items escaped, as serialisers without brackets have to be given them. */
export function withEscapes(value: Data, inList = false): Data {
  if (typeof value === "string") return inList ? escaped(value) : value
  if (typeof value === "number") return value
  if (Array.isArray(value)) return value.map((item) => withEscapes(item, true))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withEscapes(inner)]))
}

/** Names in brackets, with the texts of each: the lists are to be repeated. */
export function flat(parameters: Parameters): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(parameters).flatMap(([name, value]) => flatAt(name, value))
}

function flatAt(name: string, value: Data): readonly (readonly [string, readonly string[]])[] {
  if (typeof value !== "object") return [[name, [String(value)]]]
  if (Array.isArray(value) && value.every((item) => typeof item !== "object"))
    return [[name, value.map(String).map(escaped)]]
  return Object.entries(value).flatMap(([inner, item]) => flatAt(`${name}[${inner}]`, item))
}

/** Whether a condition has `and` or `or`. */
export function hasConnective(value: Data): boolean {
  if (typeof value !== "object") return false
  if (Array.isArray(value)) return value.some(hasConnective)
  return Object.entries(value).some(
    ([name, inner]) => name === "and" || name === "or" || hasConnective(inner),
  )
}

/** Cursors hold random bytes: only whether there are any is compared. */
export async function answerTo(service: OpenService, path: string, query: string) {
  const { status, body } = await service.rest({ method: "GET", path, query })
  return { status, body: body.replaceAll(/"(next|prev)":"[^"]*"/g, '"$1":"…"') }
}
