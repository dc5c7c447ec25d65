// Writes by REST: the one table of routes with their needs, and the routes of each address of a resource.
import type { Model, Resource } from "../../model/model.ts"
import { backOf, inputMembers, isKeyChosen } from "../../plan/write/inputs.ts"
import { needsOf, type OperationKind, recordOperations } from "../../plan/write/operations.ts"

interface WriteMethod {
  readonly method: "DELETE" | "PATCH" | "POST" | "PUT"
  /** The operation; absent for several requests. */
  readonly operation?: OperationKind
  /** A write without input may come without a body. */
  readonly body: "none" | "optional" | "required"
}

export const writeMethods = {
  create: { method: "POST", operation: "create", body: "required" },
  createMany: { method: "POST", operation: "createMany", body: "required" },
  createRelated: { method: "POST", operation: "create", body: "required" },
  update: { method: "PATCH", operation: "update", body: "required" },
  updateMany: { method: "PATCH", operation: "updateMany", body: "required" },
  replace: { method: "PUT", operation: "update", body: "required" },
  delete: { method: "DELETE", operation: "delete", body: "none" },
  deleteMany: { method: "DELETE", operation: "deleteMany", body: "none" },
  link: { method: "PUT", operation: "update", body: "none" },
  unlink: { method: "DELETE", operation: "update", body: "none" },
  fire: { method: "POST", operation: "fire", body: "optional" },
  fireMany: { method: "POST", operation: "fireMany", body: "optional" },
  call: { method: "POST", operation: "action", body: "optional" },
  batch: { method: "POST", body: "required" },
} as const satisfies Readonly<Record<string, WriteMethod>>

export type WriteKind = keyof typeof writeMethods

/** Whether it makes new records and nothing else. */
export const isCreation = (kind: WriteKind): boolean =>
  kind === "create" || kind === "createMany" || kind === "createRelated"

/** Whether it writes the records that a condition names. */
export const isBulk = (kind: Exclude<WriteKind, "batch">): boolean =>
  needsOf(writeMethods[kind].operation).names === "condition"

/** The form of a write's answer; a list of new records is answered with a list. */
export function formOf(kind: Exclude<WriteKind, "batch" | "call">): "record" | "list" | "nothing" {
  if (needsOf(writeMethods[kind].operation).answers === "many") return "list"
  return writeMethods[kind].body === "none" ? "nothing" : "record"
}

export interface Abilities {
  /** Writes at the address of the list, and at the address of a record by its id or a unique key. */
  readonly list: readonly ("create" | "updateMany" | "deleteMany")[]
  readonly record: Readonly<Record<"id" | "unique", readonly ("update" | "replace" | "delete")[]>>
  /** Whether several records can be created together, at an address of their own. */
  readonly createMany: boolean
  /** To-many relations under which records can be created. */
  readonly createRelated: ReadonlySet<string>
  /** Many-to-many relations whose records are linked and unlinked. */
  readonly link: ReadonlySet<string>
}

export function abilitiesOf(model: Model, resource: Resource): Abilities {
  const kinds = new Set<OperationKind>(recordOperations(model, resource).map(({ kind }) => kind))
  const createRelated = new Set<string>()
  const link = new Set<string>()
  for (const relation of resource.relations.values()) {
    if (relation.kind === "one" || !resource.key) continue
    const member = inputMembers(model, resource, "update")?.get(relation.name)
    if (relation.through && member?.kind === "relation" && member.verbs.includes("link"))
      link.add(relation.name)
    const target = model.resources.get(relation.target)
    const back = !relation.through && backOf(model, resource, relation)
    if (target && back && inputMembers(model, target, "create")) createRelated.add(relation.name)
  }
  // PUT replaces a record, or makes it under its own key.
  const at = (address: "id" | "unique") =>
    (["update", "replace", "delete"] as const).filter(
      (kind) =>
        kinds.has(writeMethods[kind].operation) ||
        (kind === "replace" && kinds.has("create") && isChosen(resource, address)),
    )
  return {
    list: (["create", "updateMany", "deleteMany"] as const).filter((kind) => kinds.has(kind)),
    record: { id: at("id"), unique: at("unique") },
    createMany: kinds.has("createMany"),
    createRelated,
    link,
  }
}

/** Whether people choose what the address names a record by, so that PUT can make one there. */
export const isChosen = (resource: Resource, address: "id" | "unique"): boolean =>
  address === "unique" || isKeyChosen(resource)

/** Whether PUT at the address makes an absent record. */
export const createsByPut = (model: Model, resource: Resource, address: "id" | "unique"): boolean =>
  isChosen(resource, address) && inputMembers(model, resource, "create") !== undefined
