// The type of the root field `viewer`.

import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql"
import { apiName } from "../../model/names.ts"
import { hasLimits, limitsField, type ViewerLimit, viewerResource } from "../../plan/access/actor.ts"
import { recordType } from "./record-types.ts"
import { scalarType } from "./scalar-types.ts"
import type { Types } from "./types.ts"

const wanted = "Viewer"

export function viewerType(types: Types): GraphQLObjectType {
  const resource = viewerResource(types.model)
  const names = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString)))
  return types.shared(
    wanted,
    (name) =>
      new GraphQLObjectType({
        name,
        description: "The authenticated viewer.",
        fields: () => ({
          roles: { type: names, description: "The viewer's roles." },
          scopes: { type: names, description: "Scopes of the credential." },
          ...(hasLimits(types.model) && {
            [limitsField]: {
              type: limitsType(types),
              description: "The caller's limits over time; null where they are not counted.",
            },
          }),
          ...(resource && {
            [apiName(resource)]: {
              type: recordType(types, resource),
              description: "The viewer's record; null if absent.",
            },
          }),
        }),
      }),
    "viewer",
  )
}

function limitsType(types: Types): GraphQLObjectType {
  const fields = {
    tier: {
      type: GraphQLString,
      description: "The tier of these limits; null for the service's own.",
    },
    perRequest: { type: new GraphQLNonNull(GraphQLInt), description: "Points that one request may cost." },
    perMinute: { type: GraphQLInt, description: "Points of a minute; null for any number." },
    concurrent: {
      type: GraphQLInt,
      description: "Requests that may be under way at the same time; null for any number.",
    },
    remaining: { type: GraphQLInt, description: "Points that are left of this minute." },
    resetAt: { type: scalarType(types, "timestamp"), description: "The end of this minute." },
  } satisfies Readonly<Record<ViewerLimit, object>>
  return types.shared(
    "ViewerLimits",
    (name) => new GraphQLObjectType({ name, description: "Limits of the caller over time.", fields }),
    "limits of the viewer",
  )
}
