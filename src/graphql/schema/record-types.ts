// Object types: one per resource, and the interface `Node` that every resource with a key implements.
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
} from "graphql"
import type { Field, Relation, Resource } from "../../model/model.ts"
import { etag, hasEtag, hasTransitions, transitions } from "../../plan/member.ts"
import { connectionType, listArguments } from "./connection-types.ts"
import { scalarType, valueType } from "./scalar-types.ts"
import type { Types } from "./types.ts"

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>

export function nodeInterface(types: Types): GraphQLInterfaceType {
  return types.shared(
    "Node",
    (name) =>
      new GraphQLInterfaceType({
        name,
        description: "Any record with an id.",
        fields: {
          id: { type: new GraphQLNonNull(GraphQLID), description: "The same string in both faces." },
        },
      }),
  )
}

export function recordType(types: Types, resource: Resource): GraphQLObjectType {
  return types.own(
    resource.type,
    (name) =>
      new GraphQLObjectType({
        name,
        description: resource.description ?? `One of the ${resource.collection}.`,
        interfaces: resource.key ? [nodeInterface(types)] : [],
        fields: () => recordFields(types, resource),
      }),
  )
}

function recordFields(types: Types, resource: Resource): Fields {
  const fields: Fields = {}
  if (resource.key)
    fields.id = { type: new GraphQLNonNull(GraphQLID), description: "The same string in both faces." }
  for (const field of resource.fields.values()) {
    fields[field.name] = {
      type: fieldType(types, field),
      description: field.description,
      deprecationReason: field.deprecated,
    }
  }
  for (const { field } of resource.computed?.values() ?? [])
    fields[field.name] = { type: fieldType(types, field), description: field.description }
  if (hasEtag(resource)) fields[etag] = { type: new GraphQLNonNull(GraphQLString), description: aboutEtag }
  if (hasTransitions(resource))
    fields[transitions] = {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(transitionType(types, resource)))),
      description: "Transitions available to the caller, with reasons for refusal.",
    }
  for (const relation of resource.relations.values()) addRelation(types, fields, relation)
  return fields
}

const aboutEtag = "Another one after each write of the record; what `ifMatch` takes."

function fieldType(types: Types, field: Field): GraphQLOutputType {
  const type = valueType(types, field)
  return field.optional ? type : new GraphQLNonNull(type)
}

/** A to-one record is always nullable: its target may be gone, or not be seen. */
function addRelation(types: Types, fields: Fields, relation: Relation): void {
  const target = types.target(relation)
  if (relation.kind === "many") {
    const type = new GraphQLNonNull(connectionType(types, target, () => recordType(types, target)))
    fields[relation.name] = {
      type,
      args: listArguments(types, target),
      description: relation.description,
      deprecationReason: relation.deprecated,
    }
    return
  }
  if (relation.reference !== undefined) {
    const type = relation.optional ? GraphQLID : new GraphQLNonNull(GraphQLID)
    fields[relation.reference] = {
      type,
      description: `The id of \`${relation.name}\`.`,
      deprecationReason: relation.deprecated,
    }
  }
  fields[relation.name] = {
    type: recordType(types, target),
    description: relation.description,
    deprecationReason: relation.deprecated,
  }
}

// Types of records' transitions.
type TransitionFields = Record<string, GraphQLFieldConfig<unknown, unknown>>

const always = (type: GraphQLScalarType, description?: string) => ({
  type: new GraphQLNonNull(type),
  description,
})

/** The transition type of one resource, with a place for members of its own. */
function transitionType(types: Types, resource: Resource): GraphQLObjectType {
  const fields = (): TransitionFields => ({
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
    const fields: TransitionFields = {
      code: always(GraphQLString, "For programs; what firing it would be refused with."),
      message: always(GraphQLString, "For people."),
    }
    return new GraphQLObjectType({ name, description: "Why a transition cannot be fired.", fields })
  })
