// Rules of transitions: callers that may fire each, and conditions on the record. They are read with the other rules.
import type { Place } from "../../base/problem.ts"
import { onlyMachine } from "../../model/declaration/states.ts"
import type { Machine, Resource, Transition } from "../../model/model.ts"
import type { Filter } from "../read-plan.ts"
import { joined, type Reading, readPossible, readUnion, severalOf } from "./parse-policy.ts"
import type { PlacedGrant, Rule, TransitionRules } from "./policy-types.ts"
import { whyUnsatisfiable } from "./unsatisfiable.ts"

interface ReadTransition {
  readonly name: string
  /** Each rule of `allow`. */
  readonly allowed: readonly PlacedGrant[]
  /** Undefined when problems were added to the draft. */
  readonly rules: TransitionRules | undefined
}

export function readTransitionRules(reading: Reading, resource: Resource): readonly ReadTransition[] {
  return [...resource.machines.values()].flatMap((machine) =>
    [...machine.transitions.values()].map((transition) =>
      readOne(reading, resource, transition, [...machinePlace(resource, machine), transition.name]),
    ),
  )
}

/** Where the transitions of a machine are declared; a machine by itself need not be named. */
export function machinePlace({ name, machines }: Resource, machine: Machine): Place {
  const named = machines.size > 1 || machine.name !== onlyMachine
  return ["resources", name, "states", ...(named ? [machine.name] : []), "transitions"]
}

function readOne(reading: Reading, resource: Resource, transition: Transition, place: Place): ReadTransition {
  const { name } = transition
  const allowed = readAllow(reading, resource, transition, [...place, "allow"])
  const from: Filter = {
    kind: "compare",
    subject: { kind: "field", field: transition.machine },
    operator: "in",
    operand: reading.draft.bind(transition.from),
  }
  const when = readWhen(reading, resource, transition, { from, place })
  if (!when || (allowed && allowed.length < severalOf(transition.allow ?? []).length))
    return { name, allowed: allowed ?? [], rules: undefined }
  const allow =
    allowed &&
    joined(
      "or",
      allowed.map(({ rule }) => rule),
    )
  return { name, allowed: allowed ?? [], rules: { from, when, ...(allow && { allow }) } }
}

/** Undefined when nothing is said of it. */
function readAllow(
  reading: Reading,
  resource: Resource,
  { allow }: Transition,
  place: Place,
): readonly PlacedGrant[] | undefined {
  if (allow === undefined) return undefined
  return severalOf(allow).flatMap((one, index): PlacedGrant[] => {
    const at = Array.isArray(allow) ? [...place, index] : place
    const rule = readPossible(reading, resource, one, at)
    return rule ? [{ rule, place: at }] : []
  })
}

function readWhen(
  reading: Reading,
  resource: Resource,
  { name, when }: Transition,
  { from, place }: { readonly from: Filter; readonly place: Place },
): Filter | undefined {
  if (when === undefined) return { kind: "and", of: [] }
  const at = [...place, "when"]
  const wrong = (message: string, hint: string): undefined =>
    reading.draft.problems.add("invalid_declaration", at, message, hint) as undefined
  const rule = readUnion(
    { ...reading, whenNever: `Then \`${name}\` can never be fired.` },
    resource,
    when,
    at,
  )
  if (!rule) return undefined
  const filter = conditionOf(rule)
  if (!filter)
    return wrong("The condition of a transition cannot use the viewer.", "Say in `allow` who may fire it.")
  const both: Rule = {
    kind: "and",
    of: [
      { kind: "records", where: from, viewer: false },
      { kind: "records", where: filter, viewer: false },
    ],
  }
  const why = whyUnsatisfiable(reading.model, resource, both, reading.draft.values)
  return why === undefined
    ? filter
    : wrong(`\`${name}\` can never be fired: ${why}.`, "Ask for what a record can meet where it starts from.")
}

/** Undefined where it depends on the caller. */
function conditionOf(rule: Rule): Filter | undefined {
  switch (rule.kind) {
    case "and":
    case "or": {
      const of = rule.of.map(conditionOf)
      if (of.some((part) => part === undefined)) return undefined
      const [only, ...more] = of as readonly Filter[]
      return only && more.length === 0 ? only : { kind: rule.kind, of: of as readonly Filter[] }
    }
    case "not": {
      const of = conditionOf(rule.of)
      return of && { kind: "not", of }
    }
    case "records":
      return rule.viewer ? undefined : rule.where
    default:
      return undefined
  }
}
