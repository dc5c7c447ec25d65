// Aggregates: what a list's rows amount to, as a whole and per group.
import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
} from "graphql"
import type { Field, Resource } from "../../model/model.ts"
import { isSortable, sumScalar } from "../../model/operators.ts"
import { scalars } from "../../model/scalars.ts"
import { groupable } from "../../plan/read/groups.ts"
import type { AggregateFunction } from "../../plan/read-plan.ts"
import { memberValues } from "./order-types.ts"
import { leafType, scalarType } from "./scalar-types.ts"
import type { Types } from "./types.ts"

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>

interface MeasureType {
  readonly suffix: string
  readonly description: string
  /** Undefined where the measure makes no sense. */
  readonly of: (types: Types, field: Field) => GraphQLOutputType | undefined
}

const isNumber = (field: Field): boolean => !field.list && scalars[field.scalar].family === "number"

const measures: Readonly<Record<AggregateFunction, MeasureType>> = {
  sum: { suffix: "Sum", description: "Sums; null of no values.", of: sumType },
  avg: {
    suffix: "Avg",
    description: "Averages of the values that are there; null of no values.",
    of: (_types, field) => (isNumber(field) ? GraphQLFloat : undefined),
  },
  min: { suffix: "Min", description: "Least values; null of no values.", of: extremeType },
  max: { suffix: "Max", description: "Greatest values; null of no values.", of: extremeType },
}

function sumType(types: Types, field: Field): GraphQLOutputType | undefined {
  if (!isNumber(field)) return undefined
  return scalarType(types, sumScalar(field.scalar))
}

function extremeType(types: Types, field: Field): GraphQLOutputType | undefined {
  return isSortable(field) ? leafType(types, field) : undefined
}

export function aggregateType(types: Types, resource: Resource): GraphQLObjectType {
  return types.ofResource(
    resource,
    "Aggregate",
    (name) =>
      new GraphQLObjectType({
        name,
        description: `Figures of ${resource.collection}.`,
        fields: () => aggregateFields(types, resource),
      }),
  )
}

function aggregateFields(types: Types, resource: Resource): Fields {
  const fields: Fields = {
    count: { type: new GraphQLNonNull(GraphQLInt), description: "The number of rows." },
  }
  for (const measure of ["sum", "avg", "min", "max"] as const) {
    const type = measureType(types, resource, measure)
    if (type) fields[measure] = { type: new GraphQLNonNull(type), description: measures[measure].description }
  }
  return fields
}

function measureType(
  types: Types,
  resource: Resource,
  measure: AggregateFunction,
): GraphQLObjectType | undefined {
  const { suffix, description, of } = measures[measure]
  const fields: Fields = {}
  for (const field of resource.fields.values()) {
    const type = of(types, field)
    if (type) fields[field.name] = { type }
  }
  if (Object.keys(fields).length === 0) return undefined
  return types.ofResource(resource, suffix, (name) => new GraphQLObjectType({ name, description, fields }))
}

/** `groups(by, first)`; undefined when there is nothing to group by. */
export function groupsField(
  types: Types,
  resource: Resource,
): GraphQLFieldConfig<unknown, unknown> | undefined {
  const by = groupFieldEnum(types, resource)
  if (!by) return undefined
  const { page } = types.model.limits
  return {
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(groupType(types, resource)))),
    description: "The same for each group of equal values, in ascending order.",
    args: {
      by: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(by))),
        description: "One to three members.",
      },
      first: { type: GraphQLInt, description: `Groups: ${page.default} when absent, at most ${page.max}.` },
    },
  }
}

function groupFieldEnum(types: Types, resource: Resource): GraphQLEnumType | undefined {
  const names = groupable(resource)
  if (names.length === 0) return undefined
  return types.ofResource(
    resource,
    "GroupField",
    (name) =>
      new GraphQLEnumType({
        name,
        description: `Members that ${resource.collection} are grouped by.`,
        values: memberValues(resource, names),
      }),
  )
}

function groupType(types: Types, resource: Resource): GraphQLObjectType {
  return types.ofResource(
    resource,
    "Group",
    (name) =>
      new GraphQLObjectType({
        name,
        description: `A group of ${resource.collection} with equal values.`,
        fields: () => ({
          key: {
            type: new GraphQLNonNull(groupKeyType(types, resource)),
            description: "The values of `by`.",
          },
          ...aggregateFields(types, resource),
        }),
      }),
  )
}

function groupKeyType(types: Types, resource: Resource): GraphQLObjectType {
  return types.ofResource(
    resource,
    "GroupKey",
    (name) =>
      new GraphQLObjectType({
        name,
        description: "Only members that `by` names can be selected.",
        fields: () => groupKeyFields(types, resource),
      }),
  )
}

function groupKeyFields(types: Types, resource: Resource): Fields {
  const fields: Fields = {}
  for (const field of resource.fields.values()) {
    if (isSortable(field)) fields[field.name] = { type: leafType(types, field) }
  }
  for (const relation of resource.relations.values()) {
    if (relation.kind === "one" && relation.reference !== undefined)
      fields[relation.reference] = { type: GraphQLID }
  }
  return fields
}
