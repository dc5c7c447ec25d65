// A state has a name of its own in its resource, and a record can come into it: what is named otherwise is misspelt.
import { didYouMean, isNear, suggest } from "../../base/suggest.ts"
import type { MachineDeclaration } from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { anyState, listed, statesIn } from "../declaration/states.ts"
import {
  claims,
  machinesOf,
  type Placed,
  type Report,
  type Rule,
  resourcesOf,
  transitionsOf,
} from "./context.ts"

/** Event names that every record has, as in `order.created`. */
export const takenByEvents: ReadonlySet<string> = new Set(["created", "updated", "deleted"])

export const stateNames: Rule = (service, report) => {
  for (const machine of machinesOf(service)) {
    checkNames(machine, report)
    checkKnown(machine, report)
  }
  for (const { name, member, place } of transitionsOf(service)) {
    const from = listed(member.from)
    if (typeof member.from !== "string" && from.includes(anyState))
      report(
        [...place, "from"],
        `"${name}" starts from "${anyState}" among others.`,
        `Write from: "${anyState}", or name the states.`,
      )
    for (const [index, state] of from.entries())
      if (from.indexOf(state) < index)
        report([...place, "from", index], `"${name}" starts from "${state}" twice.`)
  }
  for (const { name } of resourcesOf(service)) {
    const owners = claims<string>()
    for (const { name: machine, member, place } of machinesOf(service).filter(({ of }) => of.name === name))
      for (const state of statesIn(member)) {
        const first = owners.claim(state, machine)
        if (first !== undefined)
          report(
            place,
            `"${state}" is a state of "${first}" and of "${machine}", so that an event "${name}.${state}" could be of either.`,
            "Give one of them another name.",
          )
      }
  }
}

/** Empty ones are the enumeration's matter. */
function checkNames({ name, member, place }: Placed<MachineDeclaration>, report: Report): void {
  for (const state of statesIn(member))
    if (takenByEvents.has(state))
      report(
        place,
        `No state of "${name}" can be called "${state}", as the event of every ${state} record is.`,
        "Give it another name.",
      )
  const { initial, final, states, transitions } = member
  const named: readonly (readonly [string | undefined, ...(string | number)[]])[] = [
    [initial, "initial"],
    ...listed(final).map((state) => [state, "final"] as const),
    ...Object.keys(states ?? {}).map((state) => [state, "states", state] as const),
    ...Object.entries(transitions).map(([of, { to }]) => [to, "transitions", of, "to"] as const),
  ]
  for (const [state, ...at] of named)
    if (state === anyState)
      report(
        [...place, ...at],
        `No state can be called "${anyState}": from: "${anyState}" is every state.`,
        "Give it another name.",
      )
}

/** One that is named in `states` may be left over: records may be in it, though nothing leads there any more. */
function checkKnown({ name, member, place }: Placed<MachineDeclaration>, report: Report): void {
  const { initial, final, states, transitions } = member
  const mentions = mentionsIn(member)
  const reached = new Set([initial, ...Object.values(transitions).map(({ to }) => to)])
  const isKnown = (state: string): boolean => reached.has(state) || own(states, state) !== undefined
  const told = new Set<string>()
  const unknown = (state: string, at: Mention, what: string): void => {
    if (state === anyState || told.has(state)) return
    const [reaching] = reachingBy(mentions, reached, state)
    if (!reaching) report([...place, ...at], what, suggest(state, reached))
    else if (mentions.get(state)?.length === 1)
      report(
        [...place, ...at],
        what,
        `Did you mean "${reaching.state}"? Or is that misspelt in ${spot(reaching.at)}, the only place that names it?`,
      )
    else {
      told.add(state)
      report(
        [...place, ...reaching.at],
        `Nothing of "${name}" but this names the state "${reaching.state}", and nothing leads to "${state}".`,
        didYouMean([state]),
      )
    }
  }
  for (const state of listed(final))
    if (!isKnown(state))
      unknown(state, ["final"], `"${state}" cannot be a final state of "${name}": nothing leads to it.`)
  for (const state of Object.keys(states ?? {}))
    if (!reached.has(state) && !mentions.get(state)?.some(([first]) => first !== "states"))
      unknown(state, ["states", state], `No transition of "${name}" leads to "${state}", or from it.`)
  for (const [called, { from }] of Object.entries(transitions))
    for (const [index, state] of listed(from).entries())
      if (!isKnown(state))
        unknown(
          state,
          ["transitions", called, "from", ...(typeof from === "string" ? [] : [index])],
          `"${called}" cannot start from "${state}": nothing leads to it.`,
        )
}

/** Where in the machine a state is named. */
type Mention = readonly (string | number)[]

function mentionsIn({
  initial,
  final,
  states,
  transitions,
}: MachineDeclaration): ReadonlyMap<string, readonly Mention[]> {
  const all: readonly (readonly [string, Mention])[] = [
    [initial, ["initial"]],
    ...Object.entries(transitions).flatMap(([called, { from, to }]): [string, Mention][] => [
      ...listed(from).map((state): [string, Mention] => [state, ["transitions", called, "from"]]),
      [to, ["transitions", called, "to"]],
    ]),
    ...Object.keys(states ?? {}).map((state): [string, Mention] => [state, ["states", state]]),
    ...listed(final).map((state): [string, Mention] => [state, ["final"]]),
  ]
  const grouped = Map.groupBy(all, ([state]) => state)
  return new Map([...grouped].map(([state, named]) => [state, named.map(([, at]) => at)]))
}

const spot = ([member, called]: Mention): string =>
  member === "initial" ? `"initial"` : `the "to" of "${called}"`

/** States near to the one to which nothing leads, each named in one place only, which leads to it: that may be misspelt. */
const reachingBy = (
  mentions: ReadonlyMap<string, readonly Mention[]>,
  reached: ReadonlySet<string>,
  unknown: string,
): readonly { readonly state: string; readonly at: Mention }[] =>
  [...mentions].flatMap(([state, [at, ...more]]) =>
    at && more.length === 0 && reached.has(state) && isNear(state, unknown) ? [{ state, at }] : [],
  )
