// Scalars and enumerations as GraphQL spells them, derived from the model's one table.
import {
  type ConstValueNode,
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
} from "graphql"
import { present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import type { Field } from "../../model/model.ts"
import { type ScalarName, scalars } from "../../model/scalars.ts"
import { operandType, readValue } from "../../plan/values/values.ts"
import type { Types } from "./types.ts"

export type LeafType = GraphQLScalarType | GraphQLEnumType

const builtIn: Readonly<Record<string, GraphQLScalarType>> = {
  String: GraphQLString,
  Int: GraphQLInt,
  Float: GraphQLFloat,
  Boolean: GraphQLBoolean,
}

/** The type of one value of the field, without list and null. */
export function leafType(types: Types, field: Pick<Field, "scalar" | "enumeration">): LeafType {
  if (field.enumeration === undefined) return scalarType(types, field.scalar)
  const enumeration = present(types.model.enums.get(field.enumeration), `no enumeration ${field.enumeration}`)
  if (!enumeration.named) return GraphQLString
  return types.own(enumeration.name, (name) => {
    const values = Object.fromEntries(enumeration.values.map((value) => [value, {}]))
    return new GraphQLEnumType({
      name,
      description: enumeration.description ?? "One of these values.",
      values,
    })
  })
}

/** Marks the service's own scalars whose values are strings in JSON. */
const asText = { text: true }

export const isText = (type: GraphQLNamedType | undefined): boolean => type?.extensions["text"] === true

export function scalarType(types: Types, scalar: ScalarName): GraphQLScalarType {
  const { graphql, description, specification, wire } = scalars[scalar]
  return (
    builtIn[graphql] ??
    types.shared(
      graphql,
      (name) =>
        new GraphQLScalarType<unknown>({
          name,
          description,
          specifiedByURL: specification,
          extensions: wire === "string" ? asText : {},
          coerceInputValue: (input) => accepted(scalar, input),
          coerceInputLiteral: (node) => accepted(scalar, literalToJson(node), node),
        }),
      `scalar ${scalar}`,
    )
  )
}

/** The field's type without null: a list of it where the field is one. */
export function valueType(types: Types, field: Field): LeafType | GraphQLList<GraphQLNonNull<LeafType>> {
  const leaf = leafType(types, field)
  return field.list ? new GraphQLList(new GraphQLNonNull(leaf)) : leaf
}

/**
 * The input as it came: the plan reads it with the field's own constraints, this only says no early.
 * @param node the literal, whose place the error has
 */
function accepted(scalar: ScalarName, input: unknown, node?: ConstValueNode): unknown {
  const read = readValue(operandType({ scalar, list: false }), input, "json")
  if (!read.ok) throw new GraphQLError(`\`${scalars[scalar].graphql}\` ${read.wrong}.`, { nodes: node })
  return input
}

/** The JSON value that a literal stands for; numbers are not made to fit, the plan refuses what was rounded. */
function literalToJson(node: ConstValueNode): JsonValue {
  switch (node.kind) {
    case "NullValue":
      return null
    case "IntValue":
    case "FloatValue":
      return Number(node.value)
    case "StringValue":
    case "EnumValue":
    case "BooleanValue":
      return node.value
    case "ListValue":
      return node.values.map(literalToJson)
    case "ObjectValue":
      return Object.fromEntries(node.fields.map((field) => [field.name.value, literalToJson(field.value)]))
  }
}
