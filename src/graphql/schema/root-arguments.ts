// Arguments that name one record: its id, or a unique key.
import { type GraphQLFieldConfigArgumentMap, GraphQLID, GraphQLNonNull } from "graphql"
import { present } from "../../base/invariant.ts"
import type { Resource, Unique } from "../../model/model.ts"
import { subjectName } from "../../plan/lookup.ts"
import { valueType } from "./scalar-types.ts"
import type { Types } from "./types.ts"

export const idArgument = {
  id: { type: new GraphQLNonNull(GraphQLID), description: "The record's id, with its prefix or without." },
}

export function uniqueArguments(
  types: Types,
  resource: Resource,
  unique: Unique,
): GraphQLFieldConfigArgumentMap {
  const args: GraphQLFieldConfigArgumentMap = {}
  for (const member of unique.members) {
    const type =
      member.kind === "reference"
        ? GraphQLID
        : valueType(types, present(resource.fields.get(member.field), `no field ${member.field}`))
    args[subjectName(resource, member)] = {
      type: new GraphQLNonNull(type),
      description: "The value of the unique key.",
    }
  }
  return args
}
