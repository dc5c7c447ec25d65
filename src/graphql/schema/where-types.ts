// Conditions as input types, derived from the model's one table of operators.
import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLType,
  getNamedType,
} from "graphql"
import type { Field, Relation, Resource } from "../../model/model.ts"
import { identityOperators, type OperatorName, operators, operatorsOf } from "../../model/operators.ts"
import { type LeafType, leafType } from "./scalar-types.ts"
import type { Types } from "./types.ts"

type InputFields = Record<string, GraphQLInputFieldConfig>

/** Marks the types whose values plan/read/condition.ts reads. */
const asCondition = { condition: true }

export const isCondition = (type: GraphQLType): boolean => getNamedType(type).extensions["condition"] === true

/** Undefined when nothing of the resource can be asked about. */
export function whereInput(types: Types, resource: Resource): GraphQLInputObjectType | undefined {
  if (!isFilterable(resource)) return undefined
  return types.ofResource(
    resource,
    "Where",
    (name) =>
      new GraphQLInputObjectType({
        name,
        description: "All members must hold.",
        fields: () => whereFields(types, resource),
        extensions: asCondition,
      }),
  )
}

const isFilterable = (resource: Resource): boolean =>
  resource.key !== undefined ||
  resource.relations.size > 0 ||
  [...resource.fields.values()].some((field) => operatorsOf(field).length > 0)

function whereFields(types: Types, resource: Resource): InputFields {
  const fields: InputFields = {}
  if (resource.key) fields.id = { type: identityFilter(types, false) }
  for (const field of resource.fields.values()) {
    const type = fieldFilter(types, field)
    if (type) fields[field.name] = { type }
  }
  for (const relation of resource.relations.values()) addRelation(types, fields, relation)
  const self = whereInput(types, resource)
  if (self) {
    const several = new GraphQLList(new GraphQLNonNull(self))
    fields.and = { type: several, description: "All conditions hold; true for an empty list." }
    fields.or = { type: several, description: "At least one condition holds; false for an empty list." }
    fields.not = { type: self, description: "The condition is false." }
  }
  return fields
}

function addRelation(types: Types, fields: InputFields, relation: Relation): void {
  const target = whereInput(types, types.target(relation))
  if (!target) return
  if (relation.kind === "many") {
    fields[relation.name] = { type: quantifiedInput(types, types.target(relation), target) }
    return
  }
  if (relation.reference !== undefined)
    fields[relation.reference] = { type: identityFilter(types, relation.optional) }
  fields[relation.name] = { type: target, description: "The related record exists and meets the condition." }
}

function quantifiedInput(
  types: Types,
  resource: Resource,
  where: GraphQLInputObjectType,
): GraphQLInputObjectType {
  return types.ofResource(
    resource,
    "ListWhere",
    (name) =>
      new GraphQLInputObjectType({
        name,
        description: "Conditions on related records; all that are given must hold.",
        fields: {
          some: { type: where, description: "At least one related record meets the condition." },
          every: { type: where, description: "Every related record meets the condition." },
          none: { type: where, description: "No related record meets the condition." },
        },
        extensions: asCondition,
      }),
  )
}

function identityFilter(types: Types, optional: boolean): GraphQLInputObjectType {
  return filterInput(types, {
    of: "ID",
    list: false,
    leaf: GraphQLID,
    optional,
    names: identityOperators(optional),
  })
}

function fieldFilter(types: Types, field: Field): GraphQLInputObjectType | undefined {
  const names = operatorsOf(field)
  if (names.length === 0) return undefined
  const leaf = leafType(types, field)
  const { list, optional } = field
  return filterInput(types, { of: field.enumeration ?? leaf.name, list, leaf, optional, names })
}

interface FilterShape {
  /** The beginning of the name: the scalar's or the enumeration's name. */
  readonly of: string
  readonly list: boolean
  readonly leaf: LeafType
  readonly optional: boolean
  readonly names: readonly OperatorName[]
}

/** One input type per scalar and optionality: `DecimalFilter`, and `OptionalDecimalFilter` with `isNull`. */
function filterInput(types: Types, { of, list, leaf, optional, names }: FilterShape): GraphQLInputObjectType {
  const wanted = `${optional ? "Optional" : ""}${of}${list ? "List" : ""}Filter`
  const make = (name: string) => {
    const fields: InputFields = {}
    for (const operator of names) {
      const { operand, description } = operators[operator]
      fields[operator] = { type: operandTypes[operand](leaf), description }
    }
    const description = "All operators given must hold."
    return new GraphQLInputObjectType({ name, description, fields, extensions: asCondition })
  }
  return types.shared(wanted, make, `filter ${of} ${list} ${optional}`)
}

type Operand = (typeof operators)[OperatorName]["operand"]

const operandTypes: Readonly<Record<Operand, (leaf: LeafType) => GraphQLInputType>> = {
  value: (leaf) => leaf,
  values: (leaf) => new GraphQLList(new GraphQLNonNull(leaf)),
  flag: () => GraphQLBoolean,
  text: () => GraphQLString,
}
