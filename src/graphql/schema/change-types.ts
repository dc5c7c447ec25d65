// The root fields of `Subscription`, and the changes that they give.

import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql"
import { changeKinds } from "../../http/changes.ts"
import { showsHistory } from "../../model/build/history.ts"
import type { Model, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { recordType } from "./record-types.ts"
import { scalarType } from "./scalar-types.ts"
import type { Types } from "./types.ts"
import { whereInput } from "./where-types.ts"

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

/** Resources whose changes can be followed, by the name of the root field. */
export const changeFields = (model: Model): ReadonlyMap<string, Resource> =>
  new Map(
    [...model.resources.values()]
      .filter(showsHistory)
      .map((resource) => [`${apiName(resource)}Changes`, resource]),
  )

const own = ["cursor", "kind", "type", "recordId", "at", "changedFields", "payload"] as const

type Own = (typeof own)[number]

/** The name of each member of a change; a resource has the name where both would like it. */
export const changeMembers = (resource: Resource): Readonly<Record<Own, string>> => ({
  cursor: yielding("cursor", apiName(resource)),
  kind: yielding("kind", apiName(resource)),
  type: yielding("type", apiName(resource)),
  recordId: yielding("recordId", apiName(resource)),
  at: yielding("at", apiName(resource)),
  changedFields: yielding("changedFields", apiName(resource)),
  payload: yielding("payload", apiName(resource)),
})

const yielding = (member: Own, resource: string): string => (member === resource ? `${member}_` : member)

export function changeField(types: Types, resource: Resource): FieldConfig {
  const where = whereInput(types, resource)
  return {
    type: new GraphQLNonNull(changeType(types, resource)),
    description: `Changes of the ${resource.collection} that the caller sees, as they happen.`,
    args: {
      ...(where && { where: { type: where, description: "Filter; changes of all records if absent." } }),
      after: {
        type: GraphQLString,
        description: "A cursor of an earlier change, after which to go on; from now on when absent.",
      },
    },
  }
}

function changeType(types: Types, resource: Resource): GraphQLObjectType {
  const names = changeMembers(resource)
  const text = new GraphQLNonNull(GraphQLString)
  return types.ofResource(
    resource,
    "Change",
    (name) =>
      new GraphQLObjectType({
        name,
        description: `A change of one of the ${resource.collection}.`,
        fields: () => ({
          [names.cursor]: { type: text, description: "For `after`, when the subscription is begun again." },
          [names.kind]: { type: new GraphQLNonNull(kindType(types)), description: "The kind of change." },
          [names.type]: { type: text, description: "Name of the event, as in the record's history." },
          [names.recordId]: {
            type: new GraphQLNonNull(GraphQLID),
            description: "The record's id. A member `id` would make caches take the change for the record.",
          },
          [names.at]: {
            type: new GraphQLNonNull(scalarType(types, "timestamp")),
            description: "The time of the change.",
          },
          [names.changedFields]: {
            type: new GraphQLNonNull(new GraphQLList(text)),
            description: "Names of the members that changed, as far as they are shown.",
          },
          ...(resource.events && {
            [names.payload]: {
              type: scalarType(types, "json"),
              description: "The values of an event that an action emitted, as far as they are shown.",
            },
          }),
          [apiName(resource)]: {
            type: recordType(types, resource),
            description: "The record as it is now; null once the caller does not see it.",
          },
        }),
      }),
  )
}

export const kindType = (types: Types): GraphQLEnumType =>
  types.shared(
    "ChangeKind",
    (name) =>
      new GraphQLEnumType({
        name,
        description: "Kinds of changes, as the subscriber sees them.",
        values: Object.fromEntries(changeKinds.map((kind) => [kind, { description: about[kind] }])),
      }),
  )

const about: Readonly<Record<(typeof changeKinds)[number], string>> = {
  CREATED: "The record was created.",
  UPDATED: "The record was changed.",
  ENTERED: "The record came into the caller's sight, or meets the condition now.",
  LEFT: "The caller sees the record no more, or the record no longer meets the condition.",
  DELETED: "The record was deleted.",
}
