// The root fields of `Mutation`: the one list of what can be changed, which the schema spells and the planner follows.

import { mutationNames, transitionNames, upsertName } from "../../model/declaration/mutation-names.ts"
import type { Model, Resource, Transition, Unique } from "../../model/model.ts"
import { subjectName, transitionsOf } from "../../plan/lookup.ts"
import { inputMembers, isDeletable, isMadePlainly } from "../../plan/write/inputs.ts"
import { givenMembers } from "./input-members.ts"

export type MutationField = { readonly resource: Resource } & (
  | { readonly kind: "create" | "createMany" | "update" | "updateMany" | "delete" | "deleteMany" }
  | { readonly kind: "upsert"; readonly unique: Unique }
  | { readonly kind: "fire" | "fireMany"; readonly transition: Transition }
)

/** By field name, in the model's order. They are as distinct as the root fields of `Query`, whose names they hold. */
export function mutationFields(model: Model): ReadonlyMap<string, MutationField> {
  const fields = new Map<string, MutationField>()
  for (const resource of model.resources.values()) addFields(fields, model, resource)
  return fields
}

function addFields(fields: Map<string, MutationField>, model: Model, resource: Resource): void {
  const names = mutationNames(resource)
  const create = inputMembers(model, resource, "create")
  const isChangeable = givenMembers(model, resource, { action: "update" }).length > 0
  if (create) fields.set(names.create, { kind: "create", resource })
  if (create && isMadePlainly(resource) && givenMembers(model, resource, { action: "create" }).length > 0)
    fields.set(names.createMany, { kind: "createMany", resource })
  if (isChangeable) fields.set(names.update, { kind: "update", resource })
  // Several records have no version in common, and one that may be new has none to be named.
  const several = !resource.needsVersion
  if (isChangeable && several) fields.set(names.updateMany, { kind: "updateMany", resource })
  if (create && isMadePlainly(resource) && isChangeable && several)
    for (const unique of resource.uniques)
      if (unique.members.every((member) => create.has(subjectName(resource, member))))
        fields.set(upsertName(resource, unique.name), { kind: "upsert", resource, unique })
  const deletable = isDeletable(resource)
  if (deletable) fields.set(names.delete, { kind: "delete", resource })
  if (deletable && several) fields.set(names.deleteMany, { kind: "deleteMany", resource })
  for (const transition of transitionsOf(resource)) {
    const { fire, fireMany } = transitionNames(resource, transition.name)
    fields.set(fire, { kind: "fire", resource, transition })
    if (several) fields.set(fireMany, { kind: "fireMany", resource, transition })
  }
}

/** The argument that holds what is written; a member of the unique key has the name where both would like it. */
export const inputArgumentOf = (field: MutationField): string =>
  field.kind === "upsert" && uniqueNames(field).includes("input") ? "input_" : "input"

/** Of the members that name the record to be upserted. */
export const uniqueNames = ({ resource, unique }: Extract<MutationField, { readonly kind: "upsert" }>) =>
  unique.members.map((member) => subjectName(resource, member))

/** What a payload says beside its records; a resource has the name where both would like it. */
export const payloadMembers = ({ name, collection }: Resource) => ({
  deletedId: name === "deletedId" ? "deletedId_" : "deletedId",
  affected: collection === "affected" ? "affected_" : "affected",
  secret: name === "secret" ? "secret_" : "secret",
})
