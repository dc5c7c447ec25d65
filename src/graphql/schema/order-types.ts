// Order types of lists: `OrderOrderBy` with its `OrderSortField`, through to-one relations.
import {
  GraphQLEnumType,
  type GraphQLEnumValueConfigMap,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
} from "graphql"
import type { Relation, Resource, ToOne } from "../../model/model.ts"
import { isSortable } from "../../model/operators.ts"
import type { Types } from "./types.ts"

/** Members of an order term that are not relations; a relation of such a name is spelt with `_` behind it. */
const ownNames: ReadonlySet<string> = new Set(["field", "direction", "nulls"])

export const orderMemberOf = (relation: Relation): string =>
  ownNames.has(relation.name) ? `${relation.name}_` : relation.name

/** The to-one relations through which lists of the resource can be ordered. */
export const sortRelations = (resource: Resource): readonly ToOne[] =>
  [...resource.relations.values()].filter((relation) => relation.kind === "one")

/** Undefined when the resource has nothing to be ordered by. */
export function orderByInput(types: Types, resource: Resource): GraphQLInputObjectType | undefined {
  if (sortNames(resource).length === 0 && sortRelations(resource).length === 0) return undefined
  return types.ofResource(
    resource,
    "OrderBy",
    (name) =>
      new GraphQLInputObjectType({
        name,
        description: "Exactly one of `field` and a relation.",
        fields: () => orderFields(types, resource),
      }),
  )
}

function orderFields(types: Types, resource: Resource): Record<string, GraphQLInputFieldConfig> {
  const fields: Record<string, GraphQLInputFieldConfig> = {}
  const sortField = sortFieldEnum(types, resource)
  if (sortField) {
    fields.field = { type: sortField, description: "The member whose values decide." }
    fields.direction = {
      type: directionEnum(types),
      default: { value: "ASC" },
      description: "Ascending if absent.",
    }
    fields.nulls = { type: nullsEnum(types), description: "Position of nulls; last if absent." }
  }
  for (const relation of sortRelations(resource)) {
    const type = orderByInput(types, types.target(relation))
    if (type) fields[orderMemberOf(relation)] = { type, description: "By a member of the related record." }
  }
  return fields
}

function sortFieldEnum(types: Types, resource: Resource): GraphQLEnumType | undefined {
  const names = sortNames(resource)
  if (names.length === 0) return undefined
  return types.ofResource(
    resource,
    "SortField",
    (name) =>
      new GraphQLEnumType({
        name,
        description: `Members that ${resource.collection} are ordered by.`,
        values: memberValues(resource, names),
      }),
  )
}

/** Values of an enumeration of members, described as the members are. */
export const memberValues = (resource: Resource, names: readonly string[]): GraphQLEnumValueConfigMap =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { description: resource.fields.get(name)?.description ?? `The member \`${name}\`.` },
    ]),
  )

function sortNames(resource: Resource): readonly string[] {
  const fields = [...resource.fields.values()].filter(isSortable).map(({ name }) => name)
  const references = sortRelations(resource).flatMap(({ reference }) => reference ?? [])
  return [...(resource.key ? ["id"] : []), ...fields, ...references]
}

function directionEnum(types: Types): GraphQLEnumType {
  const values = { ASC: { description: "Ascending." }, DESC: { description: "Descending." } }
  return types.shared(
    "Direction",
    (name) => new GraphQLEnumType({ name, description: "Direction of an order.", values }),
  )
}

function nullsEnum(types: Types): GraphQLEnumType {
  const values = {
    FIRST: { description: "Missing values before all others." },
    LAST: { description: "Missing values after all others." },
  }
  return types.shared(
    "Nulls",
    (name) => new GraphQLEnumType({ name, description: "Position of missing values in an order.", values }),
  )
}
