// The fields of `Mutation`: their arguments, and the payloads they answer with.

import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  type GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql"
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import { needsNothing } from "../../http/schemas/inputs.ts"
import { startsOf } from "../../http/transitions.ts"
import type { Resource, Transition } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { hasEtag } from "../../plan/member.ts"
import type { RecordOperation } from "../../plan/write/operations.ts"
import { createInput, transitionInput, updateInput, upsertInput } from "./input-types.ts"
import { inputArgumentOf, payloadMembers } from "./mutation-roots.ts"
import { recordType } from "./record-types.ts"
import { idArgument, uniqueArguments } from "./root-arguments.ts"
import type { Types } from "./types.ts"
import { whereInput } from "./where-types.ts"

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

export function mutationField(types: Types, field: RecordOperation): FieldConfig {
  const { resource } = field
  const one = { type: new GraphQLNonNull(recordPayload(types, resource)) }
  const several = { type: new GraphQLNonNull(bulkPayload(types, resource)) }
  return match<RecordOperation, FieldConfig>(field, {
    create: () => ({
      type: new GraphQLNonNull(
        resource.secret ? secretPayload(types, resource) : recordPayload(types, resource),
      ),
      args: inputArgument(createInput(types, resource)),
      description: "Creates a record.",
    }),
    createMany: () => ({
      ...several,
      args: severalInputs(types, createInput(types, resource)),
      description: "Creates several records, or none.",
    }),
    update: () => ({
      ...one,
      description: "Updates a record: members that are not given stay as they are.",
      args: { ...idArgument, ...inputArgument(updateInput(types, resource)), ...ifMatch(resource) },
    }),
    updateMany: () => ({
      ...several,
      args: { ...which(types, resource), ...inputArgument(updateInput(types, resource)), ...atMost(types) },
      description: "Updates every record that meets the condition.",
    }),
    upsert: ({ unique }) => ({
      ...one,
      args: {
        ...uniqueArguments(types, resource, unique),
        ...inputArgument(upsertInput(types, resource, unique), inputArgumentOf(field)),
      },
      description: "Updates the record with this key, or creates it.",
    }),
    delete: () => ({
      type: new GraphQLNonNull(deletePayload(types, resource)),
      description: "Deletes a record.",
      args: { ...idArgument, ...ifMatch(resource) },
    }),
    deleteMany: () => ({
      ...several,
      args: { ...which(types, resource), ...atMost(types) },
      description: "Deletes every record that meets the condition.",
    }),
    fire: ({ transition }) => ({
      ...one,
      args: { ...idArgument, ...withTransition(types, resource, transition), ...ifMatch(resource) },
      description: about(transition),
      deprecationReason: deprecationOf(transition),
    }),
    fireMany: ({ transition }) => ({
      ...several,
      args: {
        ...whichOrIds(types, resource),
        ...withTransition(types, resource, transition),
        ...atMostWhere(types),
      },
      description: `${about(transition)} Every record, or none.`,
      deprecationReason: deprecationOf(transition),
    }),
  })
}

const inputArgument = (
  input: GraphQLInputObjectType | undefined,
  name = "input",
): GraphQLFieldConfigArgumentMap =>
  input ? { [name]: { type: new GraphQLNonNull(input), description: "The body that REST takes." } } : {}

function severalInputs(
  { model }: Types,
  input: GraphQLInputObjectType | undefined,
): GraphQLFieldConfigArgumentMap {
  const each = present(input, "several records are only created of what takes an input")
  return {
    input: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(each))),
      description: `At most ${model.limits.writes} records, including nested ones.`,
    },
  }
}

/** Nothing where the transition takes nothing. */
function withTransition(
  types: Types,
  resource: Resource,
  transition: Transition,
): GraphQLFieldConfigArgumentMap {
  const input = transitionInput(types, resource, transition)
  if (!input) return {}
  const type = needsNothing(transition) ? input : new GraphQLNonNull(input)
  return { input: { type, description: "The body that REST takes." } }
}

const deprecationOf = ({ deprecated }: Transition): string | undefined => deprecated

/** Where it leads, and what the declaration says of it. */
const about = (transition: Transition): string =>
  [transition.description, `From ${startsOf(transition)} to \`${transition.to}\`.`].filter(Boolean).join(" ")

export const ifMatch = (resource: Resource): GraphQLFieldConfigArgumentMap => ({
  ifMatch: {
    type: resource.needsVersion ? new GraphQLNonNull(GraphQLString) : GraphQLString,
    description: hasEtag(resource)
      ? "The record's `etag` as it was read: nothing is done when it has changed meanwhile."
      : "The record's version as REST gave it (`ETag`): nothing is done when it has changed meanwhile.",
  },
})

const which = (types: Types, resource: Resource): GraphQLFieldConfigArgumentMap => ({
  where: {
    type: new GraphQLNonNull(present(whereInput(types, resource), "what has a key can be asked about")),
    description: "Filter that selects the records; an empty condition is refused.",
  },
})

/** The records that a transition is fired on are named by a condition, or one by one. */
const whichOrIds = (types: Types, resource: Resource): GraphQLFieldConfigArgumentMap => ({
  where: {
    type: present(whereInput(types, resource), "what has a key can be asked about"),
    description: "Filter that selects the records, unless `ids` does; an empty condition is refused.",
  },
  ids: {
    type: new GraphQLList(new GraphQLNonNull(GraphQLID)),
    description: `The records to write, unless \`where\` selects them; at most ${types.model.limits.writes}.`,
  },
})

const atMostWhere = ({ model }: Types): GraphQLFieldConfigArgumentMap => ({
  maxAffected: {
    type: GraphQLInt,
    description: `Required with \`where\`. Nothing is written if more records match; at most ${model.limits.writes}.`,
  },
})

const atMost = ({ model }: Types): GraphQLFieldConfigArgumentMap => ({
  maxAffected: {
    type: new GraphQLNonNull(GraphQLInt),
    description: `Nothing is written if more records match; at most ${model.limits.writes}.`,
  },
})

const asItIs = "As it is then, if the caller sees it."

function recordPayload(types: Types, resource: Resource): GraphQLObjectType {
  const make = (name: string) =>
    new GraphQLObjectType({
      name,
      description: "The record that was written.",
      fields: () => ({ [apiName(resource)]: { type: recordType(types, resource), description: asItIs } }),
    })
  return types.ofResource(resource, "Payload", make)
}

/** For a record that is made with a secret. */
function secretPayload(types: Types, resource: Resource): GraphQLObjectType {
  const { secret } = payloadMembers(resource)
  const fields = () => ({
    [apiName(resource)]: { type: recordType(types, resource), description: asItIs },
    [secret]: { type: GraphQLString, description: "Shown once; null in a replayed answer." },
  })
  return types.ofResource(
    resource,
    "SecretPayload",
    (name) =>
      new GraphQLObjectType({ name, description: "The record that was made, with its secret.", fields }),
  )
}

function deletePayload(types: Types, resource: Resource): GraphQLObjectType {
  const { deletedId } = payloadMembers(resource)
  const fields = () => ({
    [deletedId]: { type: new GraphQLNonNull(GraphQLID), description: "The record's id." },
    [apiName(resource)]: { type: recordType(types, resource), description: "As it was." },
  })
  return types.ofResource(
    resource,
    "DeletePayload",
    (name) => new GraphQLObjectType({ name, description: "The record that was deleted.", fields }),
  )
}

function bulkPayload(types: Types, resource: Resource): GraphQLObjectType {
  const { affected } = payloadMembers(resource)
  const fields = () => ({
    [affected]: { type: new GraphQLNonNull(GraphQLInt), description: "How many records." },
    [resource.collection]: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(recordType(types, resource)))),
      description: "In the order of their ids; deleted records as they were before.",
    },
  })
  return types.ofResource(
    resource,
    "BulkPayload",
    (name) => new GraphQLObjectType({ name, description: "The records that were written.", fields }),
  )
}
