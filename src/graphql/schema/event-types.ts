// The root field of pages of events: a connection, as of any list, whose end has a cursor also where it has no events.

import {
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql"
import { showsHistory } from "../../model/build/history.ts"
import { apiName } from "../../model/names.ts"
import { kindType } from "./change-types.ts"
import { pageInfoType } from "./connection-types.ts"
import { scalarType } from "./scalar-types.ts"
import type { Types } from "./types.ts"
import { whereInput } from "./where-types.ts"

/** A resource has its names first. */
const nameOf = ({ model }: Types, role: string): string =>
  [...model.resources.values()].some(({ type }) => type === "Event") ? `EventLogEntry${role}` : `Event${role}`

export function eventsField(types: Types): GraphQLFieldConfig<unknown, unknown> {
  const { page } = types.model.limits
  return {
    type: new GraphQLNonNull(connectionType(types)),
    description: "Events of records that the caller sees, oldest first.",
    args: {
      first: {
        type: GraphQLInt,
        description: `Events at a time: ${page.default} when absent, at most ${page.max}.`,
      },
      after: {
        type: GraphQLString,
        description:
          "Only events after this cursor, or the one with this id; later ones for `now`, and all when absent.",
      },
      types: {
        type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
        description: "Types of events, such as `order.paid`; all when absent.",
      },
      where: { type: eventWhere(types), description: "Events of one resource; of all when absent." },
    },
  }
}

const eventWhere = (types: Types): GraphQLInputObjectType =>
  types.shared(
    nameOf(types, "Where"),
    (name) =>
      new GraphQLInputObjectType({
        name,
        description: "One resource, and a condition on its records.",
        isOneOf: true,
        fields: () =>
          Object.fromEntries(
            [...types.model.resources.values()].filter(showsHistory).flatMap((resource) => {
              const type = whereInput(types, resource)
              return type ? [[apiName(resource), { type }]] : []
            }),
          ),
      }),
  )

const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))

const connectionType = (types: Types): GraphQLObjectType =>
  types.shared(
    nameOf(types, "Connection"),
    (name) =>
      new GraphQLObjectType({
        name,
        description: "A page of events.",
        fields: () => ({
          edges: { type: listOf(edgeType(types)), description: "The page's events, each with its cursor." },
          nodes: { type: listOf(eventType(types)), description: "The page's events." },
          pageInfo: {
            type: new GraphQLNonNull(pageInfoType(types)),
            description:
              "`endCursor` is behind all that was looked at, and never null. A page may have fewer events than asked for, or none, and a next page.",
          },
        }),
      }),
  )

const edgeType = (types: Types): GraphQLObjectType =>
  types.shared(
    nameOf(types, "Edge"),
    (name) =>
      new GraphQLObjectType({
        name,
        description: "An event, with its cursor.",
        fields: () => ({
          cursor: { type: new GraphQLNonNull(GraphQLString), description: "The event's id." },
          node: { type: new GraphQLNonNull(eventType(types)), description: "The event." },
        }),
      }),
  )

const eventType = (types: Types): GraphQLObjectType =>
  types.shared(
    nameOf(types, ""),
    (name) =>
      new GraphQLObjectType({
        name,
        description:
          "A change of a record. A change of a hidden record shows only the members that are never null.",
        fields: () => {
          const text = new GraphQLNonNull(GraphQLString)
          const json = scalarType(types, "json")
          const payload = [...types.model.histories.values()]
            .map(({ fields }) => fields.get("payload"))
            .find((field) => field !== undefined)
          return {
            id: { type: new GraphQLNonNull(GraphQLID), description: "The same each time; for `after`." },
            kind: { type: new GraphQLNonNull(kindType(types)), description: "The kind of change." },
            type: { type: text, description: "Such as `order.paid`." },
            resource: { type: text, description: "The resource's name." },
            recordId: { type: new GraphQLNonNull(GraphQLID), description: "The record's id." },
            at: {
              type: new GraphQLNonNull(scalarType(types, "timestamp")),
              description: "The time of the change.",
            },
            version: { type: GraphQLString, description: "The record's version since then." },
            actor: { type: GraphQLString, description: "Who changed it; null for a stranger." },
            transition: {
              type: GraphQLString,
              description: "The transition that was fired; null of other changes.",
            },
            from: { type: GraphQLString, description: "The state before a transition." },
            to: { type: GraphQLString, description: "The state after a transition." },
            input: { type: json, description: "Given with the transition." },
            changes: { type: json, description: "A list of `field`, `from` and `to`." },
            ...(payload && { payload: { type: json, description: payload.description } }),
          }
        },
      }),
  )
