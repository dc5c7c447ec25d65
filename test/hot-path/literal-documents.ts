// Random documents whose literals are drawn anew each time that they are spelt: most fit their types, some are hostile.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql"
import type { Random } from "../../examples/storefront/random.ts"

/** A document with places for literals. */
export interface Template {
  readonly parts: readonly (string | Slot)[]
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName?: string
  readonly isMutation: boolean
}

/** A place for a literal of this scalar, which mostly is of one kind. */
interface Slot {
  readonly scalar: string
  readonly isText: boolean
}

/** Literals that fit, by the names of scalars. */
export type Samples = Readonly<Record<string, readonly string[]>>

const usual: Samples = {
  Int: ["0", "1", "2", "3", "10", "20"],
  Float: ["0", "1", "1.5", "-2e3", "0.1"],
  Int64: ['"1"', "2", '"9223372036854775807"', "-3"],
  String: [
    '""',
    '"A"',
    '"a"',
    '"Étage"',
    '"\\u00e9tage"',
    '"x\\"y"',
    '"""A"""',
    '"""\n  A\n"""',
    '"{}"',
    '"%_"',
  ],
  ID: ['"1"', "1", '"nothing"'],
  Decimal: ['"1.50"', "2", "0.25", '"-3"'],
  Boolean: ["true", "false"],
  Date: ['"2024-02-29"', '"2026-01-01"'],
  Time: ['"12:00:00"', '"23:59:59.999999"'],
  Timestamp: ['"2026-01-01T00:00:00Z"', '"2026-01-01T00:00:00+02:00"'],
  UUID: ['"00000000-0000-4000-8000-000000000001"', '"FFFFFFFF-ffff-4fff-bfff-ffffffffffff"'],
  Email: ['"ada@example.org"'],
  URL: ['"https://example.org"'],
  Slug: ['"a-b"'],
  Bytes: ['"AA=="'],
  JSON: ['{ a: 1, b: [2.5, "x"] }', '"x"', "1", "[1, 2]", '{ a: 2, b: [3.5, "y"] }'],
}

const hostile = [
  "99999999999999999999",
  "-1",
  "1e400",
  "1.0",
  "101",
  "2147483648",
  '"18"',
  '"\\u0000"',
  '"\\uD800"',
  '"\\u{1F600}"',
  '""""""',
  '"""\\""" # "1" """',
  "null",
  "true",
  "NOTHING",
  "[1]",
  '["a", 1]',
  "{ a: 1 }",
  "[]",
  "{}",
  "01",
  "1a",
  '"open',
  "$unknown",
  "-",
] as const

/** Between tokens. */
const spaces = [" ", " ", " ", "\n", ", ", ' # "17" 18 \u0000\n', "\t"] as const

export function spell(random: Random, { parts }: Template, samples: Samples): string {
  const literal = ({ scalar, isText }: Slot): string => {
    if (random.oneIn(30)) return random.pick(hostile)
    const fitting = [...(samples[scalar] ?? []), ...(usual[scalar] ?? ['"x"'])]
    const alike = fitting.filter((text) => text.startsWith('"') === isText)
    return pick(random, alike.length > 0 && !random.oneIn(30) ? alike : fitting)
  }
  return parts.map((part) => (typeof part === "string" ? part : literal(part))).join("")
}

interface Writing {
  readonly schema: GraphQLSchema
  readonly random: Random
  readonly parts: (string | Slot)[]
  readonly definitions: string[]
  readonly variables: Record<string, unknown>
  readonly fragments: Map<string, (string | Slot)[]>
}

export function drawTemplate(random: Random, schema: GraphQLSchema): Template {
  const isMutation = random.oneIn(4)
  const root = isMutation ? schema.getMutationType() : schema.getQueryType()
  if (!root) throw new Error("the schema has both")
  const writing: Writing = { schema, random, parts: [], definitions: [], variables: {}, fragments: new Map() }
  writeSelections(writing, root, isMutation ? 3 : 0)
  const { definitions, fragments, variables, parts } = writing
  const header = definitions.length > 0 ? `(${definitions.join(" ")})` : ""
  const kind = isMutation ? "mutation" : "query"
  const several = random.oneIn(10)
  return {
    parts: [
      `${kind} Asked${header}`,
      ...parts,
      ...[...fragments.values()].flat(),
      ...(several ? [" query Other { __typename }"] : []),
    ],
    variables,
    ...(several && { operationName: random.pick(["Asked", "Asked", "Asked", "Nobody"]) }),
    isMutation,
  }
}

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  random.pick(items as readonly [Item, ...Item[]])

/** @param level so many objects stand around it */
function writeSelections(writing: Writing, type: GraphQLObjectType, level: number): void {
  const { random, parts } = writing
  const fields = Object.values(type.getFields())
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)) && field.args.length === 0)
  const others = fields.filter((field) => isObjectType(getNamedType(field.type)))
  parts.push(" {")
  if (leaves.length > 0)
    parts.push(
      ` ${pick(
        random,
        leaves.map(({ name }) => name),
      )}`,
    )
  else parts.push(" __typename")
  const count = level > 4 ? 0 : random.between(level === 0 ? 1 : 0, level < 2 ? 2 : 1)
  for (let nth = 0; nth < count && others.length > 0; nth += 1) {
    const connections = others.filter(({ args, name }) => args.length > 1 && name !== "groups")
    const among = connections.length > 0 && !random.oneIn(4) ? connections : others
    const field = pick(random, among)
    writeField(writing, field, level)
    // The same field again, whose arguments have to be the same if it has the same key.
    if (random.oneIn(40)) writeField(writing, field, level)
  }
  if (level === 3 && leaves[0] && random.oneIn(3)) writeFragment(writing, type, leaves[0])
  parts.push(" }")
}

function writeField(writing: Writing, field: GraphQLField<unknown, unknown>, level: number): void {
  const { random, parts } = writing
  parts.push(random.pick(spaces))
  // Few have the key of another field.
  const alias = random.oneIn(60) ? "same" : `a${parts.length}`
  if (random.oneIn(2)) parts.push(`${alias}: `)
  parts.push(field.name)
  writeArguments(
    writing,
    field.args.filter(
      (argument) => isRequiredArgument(argument) || random.oneIn(oddArguments[argument.name] ?? 2),
    ),
  )
  if (random.oneIn(10)) parts.push(random.pick([" @include(if: true)", " @skip(if: false)"]))
  if (random.oneIn(10)) writeDirective(writing)
  const type = getNamedType(field.type)
  if (isObjectType(type)) writeSelections(writing, type, level + 1)
  else if (!isLeafType(type)) parts.push(" { __typename }")
}

/** A text is a cursor of few lists, and of two sizes of a page only one may be given: once in so many times. */
const oddArguments: Readonly<Record<string, number>> = { after: 30, before: 30, last: 8, ifMatch: 30 }

function writeDirective({ definitions, variables, parts }: Writing): void {
  if (!("on" in variables)) definitions.push("$on: Boolean! = true")
  variables["on"] = true
  parts.push(" @include(if: $on)")
}

function writeFragment(
  { random, parts, fragments }: Writing,
  type: GraphQLObjectType,
  leaf: GraphQLField<unknown, unknown>,
): void {
  const name = `Of${type.name}`
  if (random.oneIn(2)) return void parts.push(` ... on ${type.name} { ${leaf.name} }`)
  fragments.set(name, [` fragment ${name} on ${type.name} { ${leaf.name} }`])
  parts.push(` ...${name}`)
}

function writeArguments(writing: Writing, given: readonly GraphQLArgument[]): void {
  const { random, parts } = writing
  if (given.length === 0) return
  parts.push("(")
  for (const { name, type } of given) {
    parts.push(`${name}:${random.pick(spaces)}`)
    writeValue(writing, type, 0)
    parts.push(" ")
  }
  parts.push(")")
}

function writeValue(writing: Writing, type: GraphQLInputType, level: number): void {
  const { random, parts } = writing
  if (isNonNullType(type)) writeValue(writing, type.ofType, level)
  else if (random.oneIn(120)) parts.push("null")
  else if (isListType(type)) writeList(writing, type.ofType, level)
  else if (isInputObjectType(type)) writeObject(writing, type, level)
  else if (isEnumType(type)) parts.push(pick(random, type.getValues()).name)
  else if (random.oneIn(12)) writeVariable(writing, type.name)
  else parts.push({ scalar: type.name, isText: !random.oneIn(3) })
}

function writeList(writing: Writing, type: GraphQLInputType, level: number): void {
  const { random, parts } = writing
  // One value stands for a list of it.
  if (random.oneIn(5)) {
    writeValue(writing, type, level)
    return
  }
  parts.push("[")
  for (
    let count = random.oneIn(20) ? 0 : random.between(1, isEnumType(getNamedType(type)) ? 1 : 3);
    count > 0;
    count -= 1
  ) {
    writeValue(writing, type, level)
    parts.push(" ")
  }
  parts.push("]")
}

function writeObject(writing: Writing, type: GraphQLInputObjectType, level: number): void {
  const { random, parts } = writing
  const fields = Object.values(type.getFields())
  // A term of an order is by one member.
  const isTerm = fields.some(({ name }) => name === "direction")
  const chosen = new Set(fields.filter((field) => isRequiredInputField(field) || field.name === "field"))
  const optional = fields.filter(
    (field) =>
      !chosen.has(field) &&
      (isTerm ? field.name === "direction" : isLeafType(getNamedType(field.type)) || level < 3),
  )
  const most = type.isOneOf ? 1 : random.between(chosen.size > 0 ? 0 : 1, 2)
  for (let nth = 0; nth < most && optional.length > 0; nth += 1) chosen.add(pick(random, optional))
  parts.push("{")
  for (const field of chosen) {
    parts.push(`${field.name}: `)
    writeValue(writing, field.type, level + 1)
    parts.push(random.pick(spaces))
  }
  parts.push("}")
}

const ofScalar: Readonly<Record<string, unknown>> = { Int: 3, Float: 1.5, Boolean: true, JSON: { a: [1] } }

function writeVariable({ definitions, variables, parts }: Writing, scalar: string): void {
  const name = `v${definitions.length}`
  definitions.push(`$${name}: ${scalar}!`)
  variables[name] = ofScalar[scalar] ?? "1"
  parts.push(`$${name}`)
}
