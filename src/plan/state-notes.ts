// What is no mistake in a machine and yet may not be meant: states and transitions that lead nowhere, or to which nothing
// leads. Records of a database that others write to may be in any of them all the same.
import type { Place } from "../base/problem.ts"
import type { Machine, Model, Resource, Transition } from "../model/model.ts"
import { onlyMachine } from "../model/states.ts"
import type { RuleNote } from "./rule-notes.ts"

export function stateNotes(model: Model): readonly RuleNote[] {
  return [...model.resources.values()].flatMap((resource) =>
    [...resource.machines.values()].flatMap((machine) => machineNotes(model, resource, machine)),
  )
}

/** The only machine need not be named where it is declared. */
function machinePlace({ name, machines }: Resource, machine: Machine): Place {
  const isNamed = machines.size > 1 || machine.name !== onlyMachine
  return ["resources", name, "states", ...(isNamed ? [machine.name] : [])]
}

function machineNotes(model: Model, resource: Resource, machine: Machine): readonly RuleNote[] {
  const place = machinePlace(resource, machine)
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
      ...wayNotes(machine, transition, { place, reached }),
      ...permissionNotes(resource, transition, place),
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

function wayNotes(
  { final }: Machine,
  { name, from }: Transition,
  { place, reached }: { readonly place: Place; readonly reached: ReadonlySet<string> },
): readonly RuleNote[] {
  const at: Place = [...place, "transitions", name]
  const ended = from.filter((state) => final.includes(state))
  const left = ended.map((state) => ({
    place: [...at, "from"],
    what: `this leads out of the state "${state}", which is final`,
    hint: "Leave it out here, or in final.",
  }))
  if (from.some((state) => reached.has(state))) return left
  const what = from.length === 0 ? "it starts from no state" : "nothing leads to where it starts from"
  return [
    ...left,
    {
      place: at,
      what: `this can never be done, since ${what}`,
      hint: "Name other states in from, or leave it out.",
    },
  ]
}

/** A resource that nobody may read is told of by itself. */
function permissionNotes(
  { allow }: Resource,
  { name, allow: own }: Transition,
  place: Place,
): readonly RuleNote[] {
  if (own !== undefined || allow?.read === undefined || allow.update !== undefined) return []
  return [
    {
      place: [...place, "transitions", name],
      what: "this is for those who may update the record, and nobody may",
      hint: "Say in allow who may.",
    },
  ]
}
