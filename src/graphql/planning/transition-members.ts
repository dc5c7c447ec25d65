// The selection of a record's transitions, as a member of the plan.

import { isSaid, saidOf } from "../../http/transitions.ts"
import type { Resource } from "../../model/model.ts"
import { hasTransitions, transitions } from "../../plan/member.ts"
import type { Member, ReasonMember, TransitionMember } from "../../plan/read-plan.ts"
import { collectFields, type FieldGroup } from "../document/operation.ts"
import { type DocumentPlace, enter, type Planning, typeName } from "./planning.ts"

export const isTransitions = (resource: Resource, { name }: FieldGroup): boolean =>
  name === transitions && hasTransitions(resource)

/** `spot` is the record. */
export function planTransitions(planning: Planning, spot: DocumentPlace, group: FieldGroup): Member {
  return { kind: "transitions", key: group.key, members: planOf(planning, enter(planning, spot, group)) }
}

function planOf(planning: Planning, spot: DocumentPlace): readonly TransitionMember[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, spot)
    if (isSaid(name)) return { kind: "said", key, of: saidOf(planning.model, spot.resource, name) }
    if (name === "allowed") return { kind: "allowed", key }
    return { kind: "reasons", key, members: planReasons(planning, enter(planning, spot, group)) }
  })
}

function planReasons(planning: Planning, spot: DocumentPlace): readonly ReasonMember[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, spot)
    return { kind: name === "code" ? "code" : "message", key }
  })
}
