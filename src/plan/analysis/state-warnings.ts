// Warnings about state machines: states and transitions that lead nowhere, or to which nothing
// leads. Records of a database that others write to may be in any of them all the same.
import type { Place } from "../../base/problem.ts"
import { eventParts } from "../../model/declaration/handlers.ts"
import type { Handler, Machine, Model, Resource, Transition } from "../../model/model.ts"
import { joined } from "../access/parse-policy.ts"
import { rulesOf } from "../access/policies.ts"
import type { Rule, Rules } from "../access/policy-types.ts"
import { machinePlace } from "../access/transition-rules.ts"
import { whyUnsatisfiable } from "../access/unsatisfiable.ts"
import { visibleModelOf } from "../access/visible-model.ts"
import type { RuleNote } from "./policy-warnings.ts"

/** Throws a Refusal when the rules have mistakes. */
export function stateNotes(model: Model): readonly RuleNote[] {
  const rules = rulesOf(model)
  return [...model.resources.values()].flatMap((resource) =>
    [...resource.machines.values()].flatMap((machine) => machineNotes({ model, rules, resource }, machine)),
  )
}

interface Spot {
  readonly model: Model
  readonly rules: Rules
  readonly resource: Resource
}

function machineNotes(spot: Spot, machine: Machine): readonly RuleNote[] {
  const { model, resource } = spot
  const ways = machinePlace(resource, machine)
  const place = ways.slice(0, -1)
  const reached = reachedStates(machine)
  const transitions = [...machine.transitions.values()]
  const values = model.enums.get(resource.fields.get(machine.name)?.enumeration ?? "")?.values ?? []
  const states = [...new Set([...machine.states.keys(), ...values])]
  return [
    ...states
      .filter((state) => !reached.has(state))
      .map((state) => ({
        place,
        what: `nothing leads to the state "${state}"`,
        hint: "Give a transition that does, or leave the state out when no record is in it any more.",
      })),
    ...[...reached]
      .filter(
        (state) => !machine.final.includes(state) && !transitions.some(({ from }) => from.includes(state)),
      )
      .map((state) => ({
        place,
        what: `nothing leads out of the state "${state}", which is not final`,
        hint: `Name it in final, or give a transition from it.`,
      })),
    ...transitions.flatMap((transition) => [
      ...endNotes(machine, transition, ways),
      ...neverNotes(spot, transition, { place: ways, reached }),
    ]),
  ]
}

/** Those that a new record can come to. */
function reachedStates({ initial, transitions }: Machine): ReadonlySet<string> {
  const reached = new Set([initial])
  for (const state of reached)
    for (const { from, to } of transitions.values()) if (from.includes(state)) reached.add(to)
  return reached
}

function endNotes({ final }: Machine, { name, from }: Transition, place: Place): readonly RuleNote[] {
  return from
    .filter((state) => final.includes(state))
    .map((state) => ({
      place: [...place, name, "from"],
      what: `this leads out of the state "${state}", which is final`,
      hint: "Leave it out here, or in final.",
    }))
}

/** The first thing that keeps everybody from doing it. */
function neverNotes(
  spot: Spot,
  transition: Transition,
  { place, reached }: { readonly place: Place; readonly reached: ReadonlySet<string> },
): readonly RuleNote[] {
  const { name, from } = transition
  const at = [...place, name]
  const never = (why: string, hint: string): readonly RuleNote[] => [
    { place: at, what: `this can never be done, since ${why}`, hint },
  ]
  if (from.length === 0) return never("it starts from no state", "Name states in from, or leave it out.")
  if (!from.some((state) => reached.has(state)))
    return never("nothing leads to where it starts from", "Name other states in from, or leave it out.")
  const may = whoMay(spot, transition)
  if (may === "nobody")
    return [
      {
        place: at,
        what: "this is for actors that may update the record, and none may",
        hint: "Say in allow who may.",
      },
    ]
  const why = may && whyUnsatisfiable(spot.model, spot.resource, may, spot.rules.seats)
  return why === undefined ? [] : never(why, "Allow it for records as they are where it starts from.")
}

/** And with which records. Undefined for a resource that no actor may read, which has a warning of its own. */
function whoMay({ rules, resource }: Spot, { name }: Transition): Rule | "nobody" | undefined {
  const { actions, transitions } = rules.resources.get(resource.name) ?? {}
  const own = transitions?.get(name)
  if (!actions || !own || actions.read.length === 0) return undefined
  if (!own.allow && actions.update.length === 0) return "nobody"
  const allow =
    own.allow ??
    joined(
      "or",
      actions.update.map(({ rule }) => rule),
    )
  return joined("and", [
    allow,
    { kind: "records", where: own.from, viewer: false },
    { kind: "records", where: own.when, viewer: false },
  ])
}

// Warnings about handlers: one for a state that it never sees is never called.

/** Throws a Refusal when the rules have mistakes. */
export const handlerNotes = (model: Model): readonly RuleNote[] =>
  [...(model.handlers?.values() ?? [])].flatMap((handler) =>
    (handler.types ?? [])
      .filter((event) => !isEverSeen(model, handler, event))
      .map((event) => ({
        place: ["code", "on", event],
        what: `the handler "${handler.name}" is never called, since it does not see this state`,
        hint: "Say in as who it is, or have it handle all events of the resource.",
      })),
  )

/** Whether the handler sees, of some record, the field of a machine that leads to the state; true of what is no state. */
function isEverSeen(model: Model, { resource, as }: Handler, event: string): boolean {
  const [, state] = eventParts(event)
  const machines = [...(model.resources.get(resource)?.machines.values() ?? [])].filter(({ transitions }) =>
    [...transitions.values()].some(({ to }) => to === state),
  )
  const own = visibleModelOf(model, { signedIn: true, viewer: false, ...as }).resources.get(resource)
  return machines.length === 0 || machines.some(({ name }) => own?.fields.has(name) === true)
}
