// Own operations as fields of `Mutation`: their arguments, and the payloads that they answer with.

import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
} from "graphql"
import { needsNothing } from "../../http/schemas/inputs.ts"
import { actionName } from "../../model/declaration/mutation-names.ts"
import { apiName, pascalCase } from "../../model/names.ts"
import type { ActionOperation } from "../../plan/write/operations.ts"
import { callInputType } from "./input-types.ts"
import { ifMatch } from "./mutation-types.ts"
import { recordType } from "./record-types.ts"
import { idArgument } from "./root-arguments.ts"
import { valueType } from "./scalar-types.ts"
import type { Types } from "./types.ts"

/** The payload of an operation without an output and without a record. */
export const doneMember = "done"

export function codeField(types: Types, field: ActionOperation): GraphQLFieldConfig<unknown, unknown> {
  const { action, resource } = field
  return {
    type: new GraphQLNonNull(payload(types, field)),
    args: { ...(resource && idArgument), ...inputArgument(types, field), ...(resource && ifMatch(resource)) },
    description: action.description ?? `The operation \`${action.name}\`.`,
    deprecationReason: action.deprecated,
  }
}

function inputArgument(types: Types, field: ActionOperation): GraphQLFieldConfigArgumentMap {
  const { action } = field
  if (action.input.size === 0) return {}
  const input = named(types, field, "Input", callInputType(types, action.input))
  const type = needsNothing(action) ? input : new GraphQLNonNull(input)
  return { input: { type, description: "The body that REST takes." } }
}

function payload(types: Types, field: ActionOperation): GraphQLObjectType {
  const { action, resource } = field
  const fields = () => ({
    ...Object.fromEntries(
      [...action.output.values()].map((member) => {
        const type = valueType(types, member)
        const { description } = member
        return [member.name, { type: member.optional ? type : new GraphQLNonNull(type), description }]
      }),
    ),
    ...(resource
      ? { [apiName(resource)]: { type: recordType(types, resource), description: "As it is then." } }
      : action.output.size === 0
        ? { [doneMember]: { type: new GraphQLNonNull(GraphQLBoolean), description: "True." } }
        : {}),
  })
  return named(
    types,
    field,
    "Payload",
    (name) => new GraphQLObjectType({ name, description: `The answer of \`${action.name}\`.`, fields }),
  )
}

/** `ApplyCouponOrderPayload` */
function named<Type extends GraphQLInputObjectType | GraphQLObjectType>(
  types: Types,
  { action, resource }: ActionOperation,
  role: string,
  make: (name: string) => Type,
): Type {
  const wanted = `${pascalCase(resource ? actionName(resource, action.name) : action.name)}${role}`
  return resource ? types.besideResource(resource, wanted, make) : types.shared(wanted, make, `own ${wanted}`)
}
