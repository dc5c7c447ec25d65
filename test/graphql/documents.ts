// Random documents over the bookshop: aliases, repeated fields, fragments of every kind, directives, variables.
import fc from "fast-check"
import { type GraphQLObjectType, getNamedType, isObjectType } from "graphql"
import { present } from "../../src/base/invariant.ts"
import { schema } from "./naive.ts"

export interface RandomRequest {
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Members that the naive answers know nothing of. */
const left = new Set([
  "groups",
  "cursor",
  "startCursor",
  "endCursor",
  "sum",
  "avg",
  "min",
  "max",
  "bookByIsbn",
])

/** Named fragments: their types, and which of the others each may spread, so that none comes back to itself. */
const fragments: Readonly<Record<string, { readonly type: string; readonly spreads: readonly string[] }>> = {
  BookA: { type: "Book", spreads: ["BookB", "NodeA"] },
  BookB: { type: "Book", spreads: [] },
  AuthorA: { type: "Author", spreads: ["BooksA"] },
  BooksA: { type: "BookConnection", spreads: ["BookB"] },
  NodeA: { type: "Node", spreads: [] },
}

const condition = fc.constantFrom("true", "false", "$yes", "$no")
const directive = fc.oneof(
  { weight: 6, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: condition.map((flag) => ` @skip(if: ${flag})`) },
  { weight: 1, arbitrary: condition.map((flag) => ` @include(if: ${flag})`) },
)

const pages = fc.constantFrom("", "first: 2", "first: $two", "last: 3", "first: 0", "first: $none", "last: 1")
const ids = fc.constantFrom("bok_b1", "bok_b3", "aut_a2", "tag_art", "bok_none", "nothing", "aut_a1")

/** Aliases go with the arguments, so that fields of equal keys can be merged. */
function called(name: string, args: string): string {
  const alias = args === "" ? "" : `${name}_${args.replace(/[^a-z0-9]/gi, "")}: `
  return `${alias}${name}${args === "" ? "" : `(${args})`}`
}

const argumentsOf = (name: string, type: GraphQLObjectType): fc.Arbitrary<string> => {
  const field = present(type.getFields()[name], name)
  if (field.args.some((arg) => arg.name === "first")) return pages
  if (name === "nodes" && field.args.length > 0)
    return fc.array(ids, { maxLength: 4 }).map((list) => `ids: [${list.map((id) => `"${id}"`).join(", ")}]`)
  return field.args.some((arg) => arg.name === "id") ? ids.map((id) => `id: "${id}"`) : fc.constant("")
}

const selections = new Map<string, fc.Arbitrary<string>>()

/** A selection set of the type, with braces; leaves only at depth 0. */
function selection(type: string, depth: number, spreads: readonly string[]): fc.Arbitrary<string> {
  const known = selections.get(`${type} ${depth} ${spreads}`)
  if (known) return known
  const made = fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: field(type, depth, spreads) },
        { weight: 2, arbitrary: fragment(type, depth, spreads) },
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((parts) => `{ ${parts.join(" ")} }`)
  selections.set(`${type} ${depth} ${spreads}`, made)
  return made
}

function field(type: string, depth: number, spreads: readonly string[]): fc.Arbitrary<string> {
  const typename = fc.constantFrom("__typename", "kind: __typename")
  const object = schema.getType(type)
  if (!isObjectType(object)) return fc.oneof(fc.constant("id"), typename)
  const known = Object.values(object.getFields()).filter(({ name, args }) => {
    if (left.has(name) || args.some((arg) => arg.name !== "id" && arg.name.startsWith("by"))) return false
    return !/By[A-Z]/.test(name)
  })
  const leaves = known
    .filter((one) => !isComposite(one.type))
    .map(({ name }) => fc.constantFrom(name, `my_${name}: ${name}`, name))
  const inner =
    depth > 0
      ? known
          .filter((one) => isComposite(one.type))
          .map((one) => composite(object, one.name, { depth, spreads }))
      : []
  const all = [typename, ...leaves, ...inner, ...inner, ...inner]
  return fc.tuple(fc.oneof(...all), directive).map(([text, flags]) => insertDirective(text, flags))
}

const isComposite = (type: Parameters<typeof getNamedType>[0]): boolean => {
  const named = getNamedType(type)
  return named !== undefined && "getFields" in named
}

/** Directives stand before the selection set. */
function insertDirective(text: string, flags: string): string {
  const brace = text.indexOf("{")
  return brace < 0 ? text + flags : `${text.slice(0, brace).trimEnd()}${flags} ${text.slice(brace)}`
}

interface Room {
  readonly depth: number
  readonly spreads: readonly string[]
}

function composite(parent: GraphQLObjectType, name: string, { depth, spreads }: Room): fc.Arbitrary<string> {
  const target = getNamedType(present(parent.getFields()[name], name).type).name
  return fc
    .tuple(argumentsOf(name, parent), selection(target, depth - 1, spreads))
    .map(([args, set]) => `${called(name, args)} ${set}`)
}

function fragment(type: string, depth: number, spreads: readonly string[]): fc.Arbitrary<string> {
  const conditions = ["", ` on ${type}`]
  const isRecord = ["Book", "Author", "Tag"].includes(type)
  const fits = (other: string | undefined) => other === type || (isRecord && other === "Node")
  const named = spreads.filter((name) => fits(fragments[name]?.type))
  if (isRecord) conditions.push(" on Node")
  if (type === "Node") conditions.push(" on Book", " on Author", " on Tag")
  const inline = fc
    .constantFrom(...conditions)
    .chain((on) =>
      fc
        .tuple(selection(on === "" ? type : on.slice(4), Math.max(0, depth - 1), spreads), directive)
        .map(([set, flags]) => `...${on}${flags} ${set}`),
    )
  if (named.length === 0) return inline
  const spread = fc.tuple(fc.constantFrom(...named), directive).map(([name, flags]) => `...${name}${flags}`)
  return fc.oneof(inline, spread)
}

const defined = Object.entries(fragments).map(
  ([name, { type, spreads }]) => [name, selection(type, 2, spreads)] as const,
)

export const requests: fc.Arbitrary<RandomRequest> = fc
  .record({
    query: selection("Query", 6, Object.keys(fragments)),
    named: fc.record(Object.fromEntries(defined)),
  })
  .map(({ query, named }) => ({
    document: assemble(query, named),
    variables: { yes: true, no: false, two: 2, none: null },
  }))

/** The operation with the fragments and variables that it needs, directly or through others. */
function assemble(query: string, named: Readonly<Record<string, string>>): string {
  const needed = new Set<string>()
  const visit = (text: string): void => {
    for (const [, name = ""] of text.matchAll(/\.\.\.(\w+A|BookB)\b/g)) {
      if (needed.has(name)) continue
      needed.add(name)
      visit(named[name] ?? "")
    }
  }
  visit(query)
  const definitions = [...needed].map((name) => `fragment ${name} on ${fragments[name]?.type} ${named[name]}`)
  const text = [query, ...definitions].join("\n")
  const known = { yes: "Boolean!", no: "Boolean!", two: "Int", none: "Int" }
  const used = Object.entries(known).filter(([name]) => new RegExp(`\\$${name}\\b`).test(text))
  const header =
    used.length === 0 ? "query" : `query (${used.map(([name, type]) => `$${name}: ${type}`).join(", ")})`
  return `${header} ${text}`
}
