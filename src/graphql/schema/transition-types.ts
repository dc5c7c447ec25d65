// Types of records' transitions.
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLString,
} from "graphql"
import type { Resource } from "../../model/model.ts"
import { scalarType } from "./scalar-types.ts"
import type { Types } from "./types.ts"

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>

const always = (type: GraphQLScalarType, description?: string) => ({
  type: new GraphQLNonNull(type),
  description,
})

/** The transition type of one resource, with a place for members of its own. */
export function transitionType(types: Types, resource: Resource): GraphQLObjectType {
  const fields = (): Fields => ({
    name: always(GraphQLString, "The transition's name."),
    to: always(GraphQLString, "The target state."),
    machine: always(GraphQLString, "The field that holds the state."),
    allowed: always(GraphQLBoolean, "Whether the caller may fire it now."),
    reasons: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(reasonType(types)))),
      description: "Reasons for refusal; empty if it is allowed.",
    },
    description: { type: GraphQLString, description: "As it was declared." },
    input: {
      type: scalarType(types, "json"),
      description: "JSON Schema of its input; null if it takes none.",
    },
  })
  const description = "A transition of a record, and whether the caller may fire it."
  return types.ofResource(
    resource,
    "Transition",
    (name) => new GraphQLObjectType({ name, description, fields }),
  )
}

const reasonType = (types: Types): GraphQLObjectType =>
  types.shared("TransitionReason", (name) => {
    const fields: Fields = {
      code: always(GraphQLString, "For programs; what firing it would be refused with."),
      message: always(GraphQLString, "For people."),
    }
    return new GraphQLObjectType({ name, description: "Why a transition cannot be fired.", fields })
  })
