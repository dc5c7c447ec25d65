// Notes about rules of writes that lead to other records: they are asked before the operation, which an author may not expect.
import type { Place } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import type { Rule } from "../access/policy-types.ts"
import { isSameTable } from "../lookup.ts"
import type { Filter } from "../read-plan.ts"
import { type PlacedRule, stepsOf } from "./placed-rules.ts"
import type { RuleNote } from "./rule-note.ts"

export function pathNotes(model: Model, { resource, action, rule, place }: PlacedRule): readonly RuleNote[] {
  if (action !== "create" && action !== "update") return []
  if (action === "create" && truthOf(rule, relatedToNew) === false)
    return [
      {
        place,
        what: `this rule can never hold: it asks for related records, and a new ${resource.name} has none yet`,
        hint: "Check what is written with the record in a hook (docs/guide/code.md).",
      },
    ]
  if (!stepsOf(model, resource, rule).some(({ target }) => isSameTable(target.table, resource.table)))
    return []
  return [
    {
      place,
      what: `this rule leads back to ${resource.collection}: it asks them as they were before the operation`,
      hint: "No record vouches for itself, or for one that is written with it. together(…) allows what is made with its parent.",
    },
  ]
}

/** Rules of update that each need a record made together with the updated one. */
export function togetherNotes(rules: readonly Rule[], place: Place): readonly RuleNote[] {
  const isNever = rules.length > 0 && rules.every((rule) => truthOf(rule, togetherOfOld) === false)
  if (!isNever) return []
  return [
    {
      place,
      what: "no rule of update can hold: each is asked of the record as it was too, and that was made together with no other",
      hint: "Add a rule for records as they were. together(…) then says where an update may move them.",
    },
  ]
}

type Leaf = (filter: Rule | Filter) => boolean | undefined

/** A new record has no related records of its own. */
const relatedToNew: Leaf = (filter) =>
  filter.kind === "quantified" ? filter.quantifier !== "some" : undefined

/** A record that is there was made together with none that the operation makes. */
const togetherOfOld: Leaf = (filter) => (filter.kind === "together" ? false : undefined)

/** The outcome of a rule where its leaves have these; undefined where it depends on others. */
function truthOf(rule: Rule | Filter, leaf: Leaf): boolean | undefined {
  switch (rule.kind) {
    case "and":
    case "or": {
      const settling = rule.kind === "or"
      const parts = rule.of.map((part) => truthOf(part, leaf))
      if (parts.includes(settling)) return settling
      return parts.includes(undefined) ? undefined : !settling
    }
    case "not": {
      const inner = truthOf(rule.of, leaf)
      return inner === undefined ? undefined : !inner
    }
    case "records":
      return truthOf(rule.where, leaf)
    default:
      return leaf(rule)
  }
}
