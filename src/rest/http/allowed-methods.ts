// What may be done to a resource's records by REST: which methods its addresses have, here and in openapi.ts.
import type { Model, Resource } from "../../model/model.ts"
import { backOf, inputMembers, isDeletable } from "../../plan/write/inputs.ts"

export interface Abilities {
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
  /** To-many relations under which records can be created. */
  readonly createRelated: ReadonlySet<string>
  /** Many-to-many relations whose records are linked and unlinked. */
  readonly link: ReadonlySet<string>
}

export function abilitiesOf(model: Model, resource: Resource): Abilities {
  const changes = inputMembers(model, resource, "update")
  const createRelated = new Set<string>()
  const link = new Set<string>()
  for (const relation of resource.relations.values()) {
    if (relation.kind === "one" || !resource.key) continue
    const member = changes?.get(relation.name)
    if (relation.through && member?.kind === "relation" && member.verbs.includes("link"))
      link.add(relation.name)
    const target = model.resources.get(relation.target)
    const back = !relation.through && backOf(model, resource, relation)
    if (target && back && inputMembers(model, target, "create")) createRelated.add(relation.name)
  }
  return {
    create: inputMembers(model, resource, "create") !== undefined,
    update: (changes?.size ?? 0) > 0,
    delete: isDeletable(resource),
    createRelated,
    link,
  }
}

/** Whether PUT has something to do: a record that is replaced, or one that is made under its own key. */
export function canReplace(
  resource: Resource,
  address: "id" | "unique",
  may: Pick<Abilities, "create" | "update">,
): boolean {
  return may.update || (may.create && isChosen(resource, address))
}

/** Whether people choose what the address names a record by, so that PUT can make one there. */
export const isChosen = (resource: Resource, address: "id" | "unique"): boolean =>
  address === "unique" || resource.key?.origin === "natural" || resource.key?.origin === "given"
