// The root fields of `Mutation`: what the operations of the plan are called, and what their arguments and payloads are.

import {
  actionName,
  mutationNames,
  transitionNames,
  upsertName,
} from "../../model/declaration/mutation-names.ts"
import type { Model, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { subjectName } from "../../plan/lookup.ts"
import { needsOf, type Operation, operationsOf, type RecordOperation } from "../../plan/write/operations.ts"
import { inputMembersOf } from "./input-members.ts"

/** By field name, in the model's order. They are as distinct as the root fields of `Query`, whose names they hold. */
export const mutationFields = (model: Model): ReadonlyMap<string, Operation> =>
  new Map(
    operationsOf(model)
      .filter((operation) => hasInputs(model, operation))
      .map((operation) => [fieldName(operation), operation]),
  )

/** GraphQL allows no input type without members; only the creation of one record can do without. */
const hasInputs = (model: Model, { kind, resource }: Operation): boolean =>
  kind === "create" ||
  !resource ||
  needsOf(kind).inputs.every((action) => inputMembersOf(model, resource, { action }).length > 0)

function fieldName(operation: Operation): string {
  switch (operation.kind) {
    case "action":
      return operation.resource
        ? actionName(operation.resource, operation.action.name)
        : operation.action.name
    case "upsert":
      return upsertName(operation.resource, operation.unique.name)
    case "fire":
    case "fireMany":
      return transitionNames(operation.resource, operation.transition.name)[operation.kind]
    default:
      return mutationNames(operation.resource)[operation.kind]
  }
}

/** The argument with the written values; where a member of the unique key is called `input`, the member keeps the name. */
export const inputArgumentOf = (operation: RecordOperation): string =>
  operation.kind === "upsert" && uniqueNames(operation).includes("input") ? "input_" : "input"

/** Names of the members by which an upsert finds its record. */
export const uniqueNames = ({ resource, unique }: Extract<RecordOperation, { readonly kind: "upsert" }>) =>
  unique.members.map((member) => subjectName(resource, member))

/** Members of a payload beside its records; a resource has the name where both would like it. */
export function payloadMembers(resource: Resource) {
  const name = apiName(resource)
  const { collection } = resource
  return {
    deletedId: name === "deletedId" ? "deletedId_" : "deletedId",
    affected: collection === "affected" ? "affected_" : "affected",
    secret: name === "secret" ? "secret_" : "secret",
  }
}
