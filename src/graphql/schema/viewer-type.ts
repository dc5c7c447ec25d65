// The type of the root field `viewer`.
import { GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql"
import { viewerResource } from "../../plan/access/viewer.ts"
import { recordType } from "./record-types.ts"
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
          ...(resource && {
            [resource.name]: {
              type: recordType(types, resource),
              description: "The viewer's record; null if there is none.",
            },
          }),
        }),
      }),
    "viewer",
  )
}
