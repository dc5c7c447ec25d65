// A record's transitions in REST's JSON: for each its name, its description, and whether the caller can fire it now.

import { type Said, saidOf } from "../../http/transitions.ts"
import type { Model, Resource } from "../../model/model.ts"
import { transitions } from "../../plan/member.ts"
import type { Member, TransitionMember } from "../../plan/read-plan.ts"

export function transitionsMember(model: Model, resource: Resource): Member {
  const said = (key: Said): TransitionMember => ({ kind: "said", key, of: saidOf(model, resource, key) })
  return {
    kind: "transitions",
    key: transitions,
    members: [
      said("name"),
      said("to"),
      said("machine"),
      { kind: "allowed", key: "allowed" },
      {
        kind: "reasons",
        key: "reasons",
        members: [
          { kind: "code", key: "code" },
          { kind: "message", key: "message" },
        ],
      },
      said("description"),
      said("input"),
    ],
  }
}
