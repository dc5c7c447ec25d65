// Random requests by GraphQL: a document for each field of `Query` and `Mutation`, drawn from the schema itself.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from "graphql"
import type { Resource } from "../../src/model/model.ts"
import type { Asking, FuzzRequest, Json } from "./request.ts"
import { conditionOf, type Draw, idOf, inputOf } from "./values.ts"

type Field = GraphQLField<unknown, unknown>

interface Document {
  readonly draw: Draw
  readonly variables: Record<string, Json>
  readonly declared: string[]
}

export function graphqlRequest(draw: Draw, as: Asking): FuzzRequest {
  const { random, world } = draw
  const schema = world.schemas[random.percent(92) ? as : "staff"]
  const kind = schema.getMutationType() && random.percent(45) ? "mutation" : "query"
  const type = (kind === "mutation" ? schema.getMutationType() : schema.getQueryType()) as GraphQLObjectType
  const document: Document = { draw, variables: {}, declared: [] }
  const fields = Object.values(type.getFields())
  const chosen = Array.from({ length: random.percent(85) ? 1 : 3 }, () => random.one(fields))
  const texts = chosen.map((field, index) => {
    const text = fieldText(document, field, { depth: 0, resource: resourceOf(draw, field) })
    return chosen.length === 1 ? text : `f${index}: ${text}`
  })
  const declared = document.declared.length > 0 ? `(${document.declared.join(", ")})` : ""
  const query = `${kind} Q${declared} { ${texts.join(" ")} }`
  const variables = document.variables
  const door = `${type.name}.${chosen.length === 1 ? chosen[0]?.name : "several"}`
  const shared = { as, door, path: "/graphql" }
  if (kind === "query" && random.percent(8))
    return {
      ...shared,
      method: "GET",
      query: [
        ["query", query],
        ["variables", JSON.stringify(variables)],
      ],
      headers: [],
      body: undefined,
    }
  return {
    ...shared,
    method: "POST",
    query: [],
    headers: [
      ["content-type", "application/json"],
      ...(random.percent(20) ? [["accept", "application/graphql-response+json"] as const] : []),
      ...(random.percent(5) ? [["idempotency-key", crypto.randomUUID()] as const] : []),
    ],
    body: { query, variables },
  }
}

interface Spot {
  readonly depth: number
  /** Whose ids are asked for. */
  readonly resource: Resource | undefined
}

/** The longest name wins: `createThings` is about things, and `updateThing` about one. */
function resourceOf({ world }: Draw, { name }: Field): Resource | undefined {
  const lower = name.toLowerCase()
  return [...world.model.resources.values()].findLast(
    (one) => lower.includes(one.name.toLowerCase()) || lower.includes(one.collection.toLowerCase()),
  )
}

function fieldText(document: Document, field: Field, spot: Spot): string {
  const { random } = document.draw
  const given = field.args.filter((argument) => isNonNullType(argument.type) || random.percent(25))
  const texts = given.flatMap((argument) => {
    const value = argumentValue(document, argument, { field, spot })
    return value === undefined ? [] : [`${argument.name}: ${value}`]
  })
  return `${field.name}${texts.length > 0 ? `(${texts.join(", ")})` : ""}${selection(document, field.type, spot)}`
}

function argumentValue(
  document: Document,
  { name, type }: GraphQLArgument,
  { field, spot }: { readonly field: Field; readonly spot: Spot },
): string | undefined {
  const { draw } = document
  const { resource } = spot
  const own = draw.model.resources.get(resource?.name ?? "") ?? resource
  if (own && name === "where") return variable(document, type, conditionOf(draw, own))
  if (own && name === "input" && /^(create|update)/.test(field.name)) {
    const action = field.name.startsWith("create") ? "create" : "update"
    const input = inputOf(draw, own, action)
    return variable(document, type, isListType(getNullableType(type)) ? [input] : input)
  }
  if (name === "after" || name === "before") {
    const cursors = draw.world.cursors.get(resource?.name ?? "") ?? []
    return cursors.length > 0 && draw.random.percent(40)
      ? JSON.stringify(draw.random.one(cursors))
      : undefined
  }
  if (name === "first" || name === "last")
    return name === "first" || !spot.depth ? String(draw.random.whole(8)) : undefined
  if (name === "maxAffected") return "1000"
  return literal(draw, type, { resource, depth: 0, name })
}

function variable({ draw, variables, declared }: Document, type: GraphQLInputType, value: Json): string {
  const name = `v${declared.length}`
  declared.push(`$${name}: ${type}`)
  variables[name] = value
  return draw.random.percent(99) ? `$${name}` : `$w${name}`
}

interface Naming {
  readonly resource: Resource | undefined
  readonly depth: number
  readonly name: string
}

/** A value of an input type, as it stands in a document. */
function literal(draw: Draw, type: GraphQLInputType, naming: Naming): string {
  const { random, world } = draw
  if (isNonNullType(type)) return literal(draw, type.ofType, naming)
  if (isListType(type))
    return `[${Array.from({ length: 1 + random.whole(2) }, () => literal(draw, type.ofType, naming))}]`
  if (isEnumType(type)) return random.one(type.getValues()).name
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields())
    const given = fields.filter((one) => isNonNullType(one.type) || (naming.depth < 3 && random.percent(15)))
    return `{${given.map((one) => `${one.name}: ${literal(draw, one.type, { ...naming, depth: naming.depth + 1, name: one.name })}`)}}`
  }
  const digits = String(random.whole(1_000_000))
  const [, values] = world.uniques.get(naming.resource?.name ?? "") ?? []
  switch (type.name) {
    case "ID":
      return JSON.stringify(
        naming.resource ? idOf(draw, naming.resource) : random.one([...world.ids.values()].flat()),
      )
    case "Int":
      return String(random.whole(40))
    case "Float":
      return random.one(["1.5", "0", "-3"])
    case "Boolean":
      return random.one(["true", "false"])
    case "JSON":
      return random.one(["null", "1", '{a: ["b"]}'])
    case "Email":
    case "String":
      return JSON.stringify(values && random.percent(70) ? random.one(values) : `a${digits}@example.org`)
    case "URL":
      return JSON.stringify(`https://example.org/${digits}`)
    case "Slug":
      return JSON.stringify(`s-${digits}`)
    case "Date":
      return '"2026-06-15"'
    case "Time":
      return '"12:30:00"'
    case "Timestamp":
      return '"2026-11-21T12:00:00Z"'
    case "UUID":
      return `"00000000-0000-4000-8000-${digits.padStart(12, "0")}"`
    case "Bytes":
      return '"aGk="'
    default:
      return JSON.stringify(digits)
  }
}

function selection(document: Document, type: GraphQLOutputType, { depth, resource }: Spot): string {
  const named = getNamedType(type)
  const { random, world } = document.draw
  if (isInterfaceType(named) || isUnionType(named)) {
    const things = world.model.resources.get("thing")?.type ?? "Thing"
    return ` { __typename ... on ${things} { id name } }`
  }
  if (!isObjectType(named)) return ""
  const fields = Object.values(named.getFields())
  const leaves = fields.filter(
    (field) => !composite(field) && field.args.every((one) => !isNonNullType(one.type)),
  )
  const inner = fields.filter((field) => composite(field))
  const wanted = [
    ...random.some(leaves, depth === 0 ? 60 : 40),
    ...(depth < 5 ? random.some(inner, depth < 2 ? 45 : 15).slice(0, 3) : []),
  ]
  const target = [...world.model.resources.values()].find((one) => one.type === named.name) ?? resource
  const texts = wanted.map((field) =>
    fieldText(document, field, { depth: depth + 1, resource: targetOf(document, target, field) }),
  )
  return ` { __typename ${texts.join(" ")} }`
}

const composite = ({ type }: Field): boolean => {
  const named = getNamedType(type)
  return isObjectType(named) || isInterfaceType(named) || isUnionType(named)
}

function targetOf(
  { draw: { world } }: Document,
  holder: Resource | undefined,
  { name }: Field,
): Resource | undefined {
  const relation = holder?.relations.get(name)
  return relation ? world.model.resources.get(relation.target) : holder
}
