// States: their machines and names, transitions and their names, inputs and settings.

import type { Place } from "../../base/problem.ts"
import { didYouMean, isNear, suggest } from "../../base/suggest.ts"
import { setFrom } from "../build/build-state-machines.ts"
import { isDatabaseDefault } from "../declaration/build-field.ts"
import type {
  FieldDeclaration,
  MachineDeclaration,
  OneDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import { defaultColumn, referenceName } from "../declaration/default-names.ts"
import { foreignKey, isNaturalKey, keyOf, namesKey, own } from "../declaration/keys.ts"
import { anyState, listed, machinesIn, statesIn } from "../declaration/states.ts"
import type { TransitionSet } from "../model.ts"
import { isGraphqlName, kebabCase } from "../names.ts"
import { readAction } from "../reserved.ts"
import { scalars } from "../scalars.ts"
import {
  claims,
  inputsOf,
  machinesOf,
  ofColumns,
  type Placed,
  type PlacedResource,
  type PlacedTransition,
  type Report,
  type Rule,
  resourcesOf,
  transitionsOf,
} from "./context.ts"
import { wrongValue } from "./wrong-value.ts"

// A machine moves records that can be changed. Its field can hold its states, and only the machine sets it.
export const stateMachines: Rule = (service, report) => {
  for (const placed of resourcesOf(service)) checkResource(placed, report)
  for (const { name, member, place, of } of machinesOf(service)) {
    const field = own(of.resource.fields, name)
    if (!field) continue
    const at = [...of.place, "fields", name]
    const unfit = whyUnfit(service, of.resource, name, field)
    if (unfit !== undefined) report(at, `"${name}" cannot hold a state: ${unfit}.`)
    else checkStates({ service, machine: member, name, field }, place, report)
    const usual = field.default
    if (usual !== undefined && !isDatabaseDefault(usual) && usual !== member.initial)
      report(
        [...at, "default"],
        `"${name}" of a new record is "${member.initial}", its initial state, not ${JSON.stringify(usual)}.`,
        "Leave out the default.",
      )
  }
}

function checkResource({ name, resource, place }: PlacedResource, report: Report): void {
  const { states, history } = resource
  const why = resource.readonly === true ? "is read-only" : resource.key === false ? "has no key" : undefined
  if (states !== undefined && why !== undefined)
    report([...place, "states"], `"${name}" ${why}, so no transition can move its records.`)
  else if (states !== undefined && Object.keys(machinesIn(states)).length === 0)
    report([...place, "states"], `"${name}" has no state machine.`, "Name one in `states`, or leave it out.")
  if (history === true && why !== undefined)
    report([...place, "history"], `"${name}" ${why}, so there are no changes of its records to be kept.`)
}

/** The rest of a sentence. */
function whyUnfit(
  { managed }: ServiceDeclaration,
  { key, unique }: ResourceDeclaration,
  name: string,
  field: FieldDeclaration,
): string | undefined {
  if (field.list) return "it is a list"
  if (field.scalar !== "text" && field.scalar !== "oneOf")
    return `it is ${field.scalar}, neither text nor one of some values`
  if (field.generated) return "it is computed by the database"
  if (isNaturalKey(key) && key.includes(name)) return "it is in the key, which never changes"
  const alone = unique?.some(([first, ...more]) => first === name && more.length === 0)
  if (field.unique || alone) return "it is unique, and several records may be in one state"
  return field.optional && managed !== false
    ? "it is optional, and a record is always in some state"
    : undefined
}

interface Held {
  readonly service: ServiceDeclaration
  readonly machine: MachineDeclaration
  readonly name: string
  readonly field: FieldDeclaration
}

/** The values of a field with an enumeration. An unknown enumeration is another rule's matter. */
function checkStates(
  { service, machine, name, field: { of } }: Held,
  place: readonly (string | number)[],
  report: Report,
): void {
  const values = typeof of === "string" ? own(service.enums, of)?.values : of
  if (!values) return
  for (const state of statesIn(machine))
    if (!values.includes(state))
      report(place, `"${name}" cannot be "${state}": its field has no such value.`, suggest(state, values))
}

// The name of a state is unique in its resource. A state that no record can enter is taken for a misspelled name.

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
        `No state of "${name}" can be called "${state}": every resource already has an event of this name.`,
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

/** A state of `states` may be left over: old records may be in it, though no transition leads there any more. */
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
        `Did you mean "${reaching.state}"? If "${state}" is right, correct "${reaching.state}" in ${spot(reaching.at)}, the only place that names it.`,
      )
    else {
      told.add(state)
      report(
        [...place, ...reaching.at],
        `Only this place in "${name}" names the state "${reaching.state}", and no transition leads to "${state}".`,
        didYouMean([state]),
      )
    }
  }
  for (const state of listed(final))
    if (!isKnown(state))
      unknown(state, ["final"], `"${state}" cannot be a final state of "${name}": no transition leads to it.`)
  for (const state of Object.keys(states ?? {}))
    if (!reached.has(state) && !mentions.get(state)?.some(([first]) => first !== "states"))
      unknown(state, ["states", state], `No transition of "${name}" leads to "${state}", or from it.`)
  for (const [called, { from }] of Object.entries(transitions))
    for (const [index, state] of listed(from).entries())
      if (!isKnown(state))
        unknown(
          state,
          ["transitions", called, "from", ...(typeof from === "string" ? [] : [index])],
          `"${called}" cannot start from "${state}": no transition leads to that state.`,
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

/** Reached states with a name near the unreachable one, mentioned in one place only: that mention may be misspelled. */
const reachingBy = (
  mentions: ReadonlyMap<string, readonly Mention[]>,
  reached: ReadonlySet<string>,
  unknown: string,
): readonly { readonly state: string; readonly at: Mention }[] =>
  [...mentions].flatMap(([state, [at, ...more]]) =>
    at && more.length === 0 && reached.has(state) && isNear(state, unknown) ? [{ state, at }] : [],
  )

// Both faces call a transition by its name, so it is a valid name there, and unique in its resource.
export const transitionNames: Rule = (service, report) => {
  const all = transitionsOf(service)
  for (const { name, member, place } of all) {
    if (!isGraphqlName(name) || kebabCase(name) === "")
      report(
        place,
        `"${name}" cannot be the name of a transition.`,
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      )
    if (name === readAction)
      report(
        place,
        'No transition can be called "read": rules use this name for reading a record.',
        "Give it another name.",
      )
    if (member.reason !== undefined && member.when === undefined)
      report(
        [...place, "reason"],
        `"${name}" has a \`reason\`, but no \`when\` that could fail.`,
        "Leave out `reason`, or add `when`.",
      )
  }
  for (const { name: resource } of resourcesOf(service)) {
    const segments = claims<string>()
    for (const { name, place, machine } of all.filter(({ of }) => of.name === resource)) {
      const first = segments.claim(kebabCase(name), machine.name)
      if (first !== undefined)
        report(
          place,
          first === machine.name
            ? `"${resource}" has two transitions that would be asked for as "${kebabCase(name)}".`
            : `"${first}" and "${machine.name}" both have a transition that is asked for as "${kebabCase(name)}".`,
          "Give one of them another name.",
        )
    }
  }
}

// Inputs of a transition are values without columns, with only the settings that such a value can have.
export const transitionInputs: Rule = (service, report) => {
  for (const { name, member, place, transition } of inputsOf(service)) {
    if (!isGraphqlName(name))
      report(
        place,
        `"${name}" cannot be the name of an input.`,
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      )
    for (const said of ofColumns)
      if (member[said] !== undefined)
        report(
          [...place, said],
          `"${name}" is given with "${transition.name}", and no column holds it: it cannot have \`${said}\`.`,
        )
    if (member.default !== undefined && isDatabaseDefault(member.default))
      report([...place, "default"], `"${name}" has no default in the database, where no column holds it.`)
  }
}

// A transition sets members that it may set, to values that they can hold, wherever these come from.
export const transitionSets: Rule = (service, report) => {
  for (const transition of transitionsOf(service))
    for (const [name, declared] of Object.entries(transition.member.set ?? {})) {
      const member = memberOf(service, transition.of, name)
      const at: Place = [...transition.place, "set", name]
      if (!member) {
        const names = Object.keys(settable(service, transition.of))
        report(at, `"${transition.of.name}" has no member "${name}" to set.`, suggest(name, names))
        continue
      }
      const why = whyFixed(service, transition.of, member)
      const value = setFrom(member.field, declared)
      const wrong = why === undefined ? wrongSet(service, transition, member, value) : undefined
      if (why !== undefined) report(at, `"${name}" cannot be set: ${why}.`)
      else if (wrong !== undefined) report(at, ...wrong)
    }
}

type Member = { readonly name: string } & (
  | { readonly field: FieldDeclaration; readonly relation?: never }
  /** By its reference, such as `customerId`. */
  | { readonly relation: OneDeclaration; readonly field?: never }
)

type Said = readonly [message: string, hint?: string | undefined]

function settable(
  service: ServiceDeclaration,
  { resource }: PlacedResource,
): Readonly<Record<string, Member>> {
  const fields = Object.entries(resource.fields).map(([name, field]): Member => ({ name, field }))
  const references = Object.entries(resource.relations ?? {}).flatMap(([name, relation]): Member[] => {
    const join = relation.kind === "one" ? foreignKey(service, name, relation) : undefined
    return join && relation.kind === "one" && namesKey(keyOf(service, relation.target), join)
      ? [{ name: referenceName(name), relation }]
      : []
  })
  return Object.fromEntries([...fields, ...references].map((member) => [member.name, member]))
}

const memberOf = (service: ServiceDeclaration, of: PlacedResource, name: string): Member | undefined =>
  own(settable(service, of), name)

/** Why no transition may set it: the rest of a sentence. */
function whyFixed(
  service: ServiceDeclaration,
  { name: here, resource }: PlacedResource,
  { name, field, relation }: Member,
): string | undefined {
  if (own(machinesIn(resource.states), name)) return "it holds a state, which the transition itself changes"
  if (field?.generated) return "it is computed by the database"
  if (field?.immutable) return "it is immutable"
  const related = relatedColumns(service, resource)
  const columns = field
    ? [defaultColumn(name, field)]
    : [...related].flatMap(([column, owner]) => (owner === relation ? [column] : []))
  const key = new Set(keyOf(service, here)?.parts.map(({ column }) => column))
  if (columns.some((column) => key.has(column))) return "it is in the key, which never changes"
  return field && columns.some((column) => related.has(column))
    ? "its column is a relation's, which is set by its reference"
    : undefined
}

function relatedColumns(
  service: ServiceDeclaration,
  { relations }: ResourceDeclaration,
): ReadonlyMap<string, OneDeclaration> {
  return new Map(
    Object.entries(relations ?? {}).flatMap(([name, relation]) =>
      relation.kind === "one"
        ? (foreignKey(service, name, relation) ?? []).map(({ from }) => [from, relation] as const)
        : [],
    ),
  )
}

function wrongSet(
  service: ServiceDeclaration,
  transition: PlacedTransition,
  member: Member,
  value: TransitionSet["value"],
): Said | undefined {
  switch (value.kind) {
    case "now":
      return undefined
    case "viewer":
      return wrongViewer(service, member)
    case "input":
      return wrongInput(service, transition, member, value.name)
    case "constant":
      return wrongConstant(service, member, value.json)
  }
}

function wrongViewer({ viewer }: ServiceDeclaration, { name, relation }: Member): Said | undefined {
  if (viewer === undefined)
    return [`"${name}" cannot be the viewer: the service declares none.`, "Give it a `viewer`."]
  return relation?.target === viewer
    ? undefined
    : [
        `"${name}" cannot be the viewer: it does not refer to "${viewer}".`,
        "viewer.id is for references to it.",
      ]
}

function wrongInput(
  service: ServiceDeclaration,
  { name: transition, member: { input } }: PlacedTransition,
  { name, field }: Member,
  from: string,
): Said | undefined {
  const given = own(input, from)
  if (!given) return [`"${transition}" has no input "${from}".`, suggest(from, Object.keys(input ?? {}))]
  const why = field
    ? whyNoValue(service, given, field)
    : given.scalar === "text" && !given.list
      ? undefined
      : "it is no text, as the ids of records are"
  return why === undefined ? undefined : [`The input "${from}" does not fit "${name}": ${why}.`]
}

/** The reason why a given value can never be one of the field. A write checks its length and size. */
function whyNoValue(
  { enums }: ServiceDeclaration,
  given: FieldDeclaration,
  field: FieldDeclaration,
): string | undefined {
  const kind = ({ scalar, list }: FieldDeclaration): string => (list ? `a list of ${scalar}` : scalar)
  const isText = field.scalar === "text" && scalars[given.scalar].family === "text"
  if (given.list !== field.list || (given.scalar !== field.scalar && !isText))
    return `it is ${kind(given)}, not ${kind(field)}`
  if (field.scalar !== "oneOf") return undefined
  const valuesOf = ({ of }: FieldDeclaration): readonly string[] =>
    (typeof of === "string" ? own(enums, of)?.values : of) ?? []
  const values = valuesOf(field)
  const others = valuesOf(given).filter((value) => !values.includes(value))
  return others.length === 0 ? undefined : `it may be ${others.map((value) => `"${value}"`).join(", ")}`
}

function wrongConstant(
  service: ServiceDeclaration,
  { name, field, relation }: Member,
  json: unknown,
): Said | undefined {
  if (json === null)
    return (field ?? relation)?.optional === true
      ? undefined
      : [`"${name}" cannot be set to null: it always has a value.`, "Make it optional."]
  if (!field)
    return [
      `"${name}" leads to a record, which a declaration cannot name.`,
      "Set it to viewer.id, to an input, or to null.",
    ]
  const wrong = wrongValue(service, field, json)
  return wrong === undefined ? undefined : [`"${name}" must be set to ${wrong}, not ${JSON.stringify(json)}.`]
}
