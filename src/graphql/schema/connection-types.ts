// Lists: connections, their edges and page facts, and the arguments that say which rows.
import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql"
import type { Resource } from "../../model/model.ts"
import { aggregateType, groupsField } from "./aggregate-types.ts"
import { orderByInput } from "./order-types.ts"
import type { Types } from "./types.ts"
import { whereInput } from "./where-types.ts"

type RecordType = () => GraphQLObjectType

export function connectionType(types: Types, resource: Resource, record: RecordType): GraphQLObjectType {
  return types.ofResource(
    resource,
    "Connection",
    (name) =>
      new GraphQLObjectType({
        name,
        description: `A page of ${resource.collection}, and figures of all of them.`,
        fields: () => connectionFields(types, resource, record),
      }),
  )
}

function connectionFields(types: Types, resource: Resource, record: RecordType) {
  const groups = groupsField(types, resource)
  return {
    edges: {
      type: listOf(edgeType(types, resource, record)),
      description: "The page's rows, each with its cursor.",
    },
    nodes: { type: listOf(record()), description: "The page's rows." },
    pageInfo: {
      type: new GraphQLNonNull(pageInfoType(types)),
      description: "Whether there are more pages, and where.",
    },
    totalCount: {
      type: new GraphQLNonNull(GraphQLInt),
      description: "Rows that meet the condition, on all pages.",
    },
    aggregate: {
      type: new GraphQLNonNull(aggregateType(types, resource)),
      description: "Over all rows that meet the condition, on all pages.",
    },
    ...(groups && { groups }),
  }
}

function edgeType(types: Types, resource: Resource, record: RecordType): GraphQLObjectType {
  return types.ofResource(
    resource,
    "Edge",
    (name) =>
      new GraphQLObjectType({
        name,
        description: `One of the ${resource.collection}, with its cursor.`,
        fields: () => ({
          cursor: {
            type: new GraphQLNonNull(GraphQLString),
            description: "Opaque; for `after` and `before`.",
          },
          node: { type: new GraphQLNonNull(record()), description: "The record." },
        }),
      }),
  )
}

export function pageInfoType(types: Types): GraphQLObjectType {
  const flag = (description: string) => ({ type: new GraphQLNonNull(GraphQLBoolean), description })
  return types.shared(
    "PageInfo",
    (name) =>
      new GraphQLObjectType({
        name,
        description: "Position of the page in its list.",
        fields: {
          hasNextPage: flag("Whether there are rows after the page."),
          hasPreviousPage: flag("Whether there are rows before the page."),
          startCursor: { type: GraphQLString, description: "The cursor of the page's first row." },
          endCursor: { type: GraphQLString, description: "The cursor of the page's last row." },
        },
      }),
  )
}

/** Arguments of every list; `where` and `orderBy` only where there is something to ask about. */
export function listArguments(types: Types, resource: Resource): GraphQLFieldConfigArgumentMap {
  const { page } = types.model.limits
  const where = whereInput(types, resource)
  const orderBy = orderByInput(types, resource)
  return {
    ...(where && { where: { type: where, description: "Filter; all rows if absent." } }),
    ...(orderBy && {
      orderBy: {
        type: new GraphQLList(new GraphQLNonNull(orderBy)),
        description: "Most significant first; the key breaks ties.",
      },
    }),
    first: {
      type: GraphQLInt,
      description: `Rows from the start: ${page.default} when absent, at most ${page.max}.`,
    },
    after: { type: GraphQLString, description: "Only rows after this cursor." },
    last: {
      type: GraphQLInt,
      description: `Rows before the end, at most ${page.max}; not together with \`first\`.`,
    },
    before: { type: GraphQLString, description: "Only rows before this cursor." },
  }
}

const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
