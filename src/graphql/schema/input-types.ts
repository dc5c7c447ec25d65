// Input types of writes: records, and records nested in them.
import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableInputType,
  type GraphQLType,
  getNamedType,
} from "graphql"
import { isRequired } from "../../http/schemas/inputs.ts"
import { transitionInputName } from "../../model/declaration/mutation-names.ts"
import type { Field, Resource, ToOne, Transition, Unique } from "../../model/model.ts"
import { pascalCase } from "../../model/names.ts"
import { subjectName } from "../../plan/lookup.ts"
import { incrementable, incrementMeaning, incrementName } from "../../plan/write/increments.ts"
import type { Action, InputMember, Verb } from "../../plan/write/inputs.ts"
import { backFrom, inputMembersOf, type RelationMember } from "./input-members.ts"
import { valueType } from "./scalar-types.ts"
import type { Types } from "./types.ts"

type InputFields = Record<string, GraphQLInputFieldConfig>

/** Marks the types whose values plan/write/write.ts reads as they were sent. */
const writtenAsSent = { written: true }

export const isWritten = (type: GraphQLType): boolean => getNamedType(type).extensions["written"] === true

/** Undefined, here and below, when there is nothing to give. `back`: the relation to the record around it. */
export function createInput(
  types: Types,
  resource: Resource,
  back?: ToOne,
): GraphQLInputObjectType | undefined {
  const role = back ? `CreateIn${pascalCase(back.name)}Input` : "CreateInput"
  return recordInput(types, resource, role, {
    action: "create",
    members: inputMembersOf(types.model, resource, { action: "create", back }),
  })
}

export function updateInput(types: Types, resource: Resource): GraphQLInputObjectType | undefined {
  const members = inputMembersOf(types.model, resource, { action: "update" })
  return recordInput(types, resource, "UpdateInput", { action: "update", members })
}

/** All members except relations, and except the unique key's members, which have arguments of their own. */
export function upsertInput(
  types: Types,
  resource: Resource,
  unique: Unique,
): GraphQLInputObjectType | undefined {
  const apart = new Set(unique.members.map((member) => subjectName(resource, member)))
  const members = inputMembersOf(types.model, resource, { action: "create" }).filter(
    ({ kind, name }) => kind !== "relation" && !apart.has(name),
  )
  return recordInput(types, resource, `UpsertBy${pascalCase(unique.name)}Input`, {
    action: "create",
    members,
  })
}

/** The input of a transition, for one record or several. */
export function transitionInput(
  types: Types,
  resource: Resource,
  { name, input }: Transition,
): GraphQLInputObjectType | undefined {
  if (input.size === 0) return undefined
  const wanted = transitionInputName(resource, name)
  return types.besideResource(resource, wanted, callInputType(types, input))
}

/** The input type of a transition, or of an own operation. */
export const callInputType =
  (types: Types, input: ReadonlyMap<string, Field>) =>
  (name: string): GraphQLInputObjectType => {
    const fields = () =>
      Object.fromEntries(
        [...input.values()].map((field) => [
          field.name,
          { type: nonNullIf(isRequired(field), valueType(types, field)), description: field.description },
        ]),
      )
    return new GraphQLInputObjectType({
      name,
      description: "Given with an operation.",
      fields,
      extensions: writtenAsSent,
    })
  }

interface Given {
  readonly action: Action
  readonly members: readonly InputMember[]
}

function recordInput(
  types: Types,
  resource: Resource,
  role: string,
  given: Given,
): GraphQLInputObjectType | undefined {
  if (given.members.length === 0) return undefined
  const make = (name: string) =>
    new GraphQLInputObjectType({
      name,
      description: inputMeanings[given.action],
      fields: () => inputFields(types, resource, given),
      extensions: writtenAsSent,
    })
  return types.ofResource(resource, role, make)
}

const inputMeanings: Readonly<Record<Action, string>> = {
  create: "Members of a new record.",
  update: "Members of a record that change; null clears one.",
}

function inputFields(types: Types, resource: Resource, { action, members }: Given): InputFields {
  const names = new Set(members.map(({ name }) => name))
  const fields: InputFields = {}
  for (const member of members) {
    const { name, required } = member
    if (member.kind === "id")
      fields[name] = {
        type: nonNullIf(required, GraphQLID),
        description: "The id of the new record, with or without its prefix.",
      }
    else if (member.kind === "field") {
      const { description } = member.field
      fields[name] = {
        type: nonNullIf(required, valueType(types, member.field)),
        description,
        deprecationReason: required ? undefined : member.field.deprecated,
      }
    } else if (member.kind === "reference") {
      // Where the record can be given instead, one of the two is required, which a schema cannot say.
      const { relation } = member
      const either = names.has(relation.name)
      const description = `The id of \`${relation.name}\`${either && required ? `, unless that is given` : ""}.`
      fields[name] = { type: nonNullIf(required && !either, GraphQLID), description }
    } else
      fields[name] = {
        type: relationInput(types, resource, action, member),
        description: member.relation.description ?? "Related records, made or named.",
      }
  }
  const type = action === "update" ? incrementInput(types, resource) : undefined
  return type ? { ...fields, [incrementName]: { type, description: incrementMeaning } } : fields
}

function incrementInput(types: Types, resource: Resource): GraphQLInputObjectType | undefined {
  const members = incrementable(types.model, resource)
  if (members.length === 0) return undefined
  const fields = () =>
    Object.fromEntries(
      members.map(({ name, field }) => [
        name,
        { type: valueType(types, field), description: field.description },
      ]),
    )
  const make = (name: string) =>
    new GraphQLInputObjectType({ name, description: incrementMeaning, fields, extensions: writtenAsSent })
  return types.ofResource(resource, "IncrementInput", make)
}

const nonNullIf = (required: boolean, type: GraphQLNullableInputType): GraphQLInputType =>
  required ? new GraphQLNonNull(type) : type

/** Nested operations on a related record, or on several. */
function relationInput(
  types: Types,
  resource: Resource,
  action: Action,
  member: RelationMember,
): GraphQLInputObjectType {
  const { relation, verbs } = member
  const role = `${pascalCase(action)}${pascalCase(relation.name)}Input`
  const isOneOf = relation.kind === "one" && relation.reference !== undefined
  return types.ofResource(resource, role, (name) => {
    const fields = () => {
      const found: InputFields = {}
      for (const verb of verbs) {
        const type = verbType(types, resource, member, verb)
        if (type) found[verb] = { type, description: meanings[verb] }
      }
      return found
    }
    const description = isOneOf
      ? "The change of the relation: exactly one of these."
      : "The change of the relation."
    return new GraphQLInputObjectType({ name, description, fields, isOneOf, extensions: writtenAsSent })
  })
}

const meanings: Readonly<Record<Verb, string>> = {
  create: "A new record, made with this one.",
  link: "A record that exists.",
  unlink: "The relation is removed; the record stays.",
  update: "A record that is related already.",
  delete: "The relation is removed, and so is the record.",
}

function verbType(
  types: Types,
  resource: Resource,
  member: RelationMember,
  verb: Verb,
): GraphQLInputType | undefined {
  const target = types.target(member.relation)
  const single = member.relation.kind === "one"
  switch (verb) {
    case "create": {
      const type = createInput(types, target, backFrom(types.model, resource, member))
      return type && (single ? type : listOf(type))
    }
    case "update": {
      const type = single ? updateInput(types, target) : updateItem(types, target)
      return type && (single ? type : listOf(type))
    }
    case "link":
      return single ? GraphQLID : listOf(GraphQLID)
    case "unlink":
    case "delete":
      return single ? GraphQLBoolean : listOf(GraphQLID)
  }
}

const listOf = (type: GraphQLNullableInputType): GraphQLInputType => new GraphQLList(new GraphQLNonNull(type))

/** A change of one record among several. */
function updateItem(types: Types, resource: Resource): GraphQLInputObjectType | undefined {
  const input = updateInput(types, resource)
  if (!input) return undefined
  const fields = {
    id: { type: new GraphQLNonNull(GraphQLID), description: "The related record." },
    input: { type: new GraphQLNonNull(input), description: "Its members that change." },
  }
  const make = (name: string) =>
    new GraphQLInputObjectType({
      name,
      description: "A change of one related record.",
      fields,
      extensions: writtenAsSent,
    })
  return types.ofResource(resource, "UpdateItemInput", make)
}
