// History entries, filtered by today's rules for the caller and the record as it is now.

import { type LoggedMember, loggedMembers } from "../../model/declaration/logged-members.ts"
import { formerlyHappened, formerStates, formerValues, formerValuesOf } from "../../model/event-types.ts"
import { formerFields, isFormerField } from "../../model/former-fields.ts"
import type { Field, Resource, Transition } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { transitionsOf } from "../../plan/lookup.ts"
import {
  cursorBegin,
  cursorEnd,
  formerLogged,
  formerPlaceholder,
  formerSource,
} from "../../plan/placeholders.ts"
import type { Filter } from "../../plan/read-plan.ts"
import { allOf, anyOf, commas, type Fragment, join, literal, sql } from "../fragment.ts"
import { logTable } from "../schema/system-tables.ts"
import { type Compilation, placeholderText, type Row, resourceOf } from "./compilation.ts"

const { columns } = logTable

/** A member that is shown always, never, or where this holds. */
type Shown = Fragment | boolean

interface Reading {
  readonly compilation: Compilation
  readonly entry: Row
  /** The record. */
  readonly of: Row
  /** The resource as the actor has it, and as it is. */
  readonly own: Resource
  readonly whole: Resource
}

/** JSON text of a member that not everybody is shown; undefined of any other. */
export function entryText(
  compilation: Compilation,
  entry: Row,
  of: Row,
  member: string,
): Fragment | undefined {
  const own = resourceOf(compilation, of.resource.name)
  const whole = resourceOf(compilation.all, of.resource.name)
  const reading: Reading = { compilation, entry, of, own, whole }
  switch (member) {
    case "type":
      return typeText(reading)
    case "transition":
    case "from":
    case "to":
      return shownText(reading, member)
    case "input":
      return inputText(reading)
    case "payload":
      return payloadText(reading)
    case "changes":
      return changesText(reading)
    default:
      return undefined
  }
}

/** JSON text of a text, `null` for a missing one. */
const quoted = ({ compilation: { dialect } }: Reading, text: Fragment): Fragment =>
  sql`coalesce(${dialect.print(text, { scalar: "text", list: false, stored: "plain" }).text}, 'null')`

const at = ({ entry }: Reading, column: string): Fragment => entry.stored(column)

/** Actors that may not see the state learn only that the record was written. */
function typeText(reading: Reading): Fragment {
  const { compilation } = reading
  const { name } = reading.whole
  const called = apiName(reading.own)
  const stored = at(reading, columns.type)
  // An entry of before the resource was renamed begins with another name than today's.
  const dot = compilation.dialect.indexOf(stored, sql`'.'`)
  const others = called === name ? stored : sql`${literal(called)} || substr(${stored}, ${dot})`
  const type = valueThen(
    stored,
    namesThen(reading).map(([then, logged]) => [`${called}.${then ?? "updated"}`, `${name}.${logged}`]),
    others,
  )
  const shown = isStateShown(reading)
  if (shown === true) return quoted(reading, type)
  const updated = literal(`${called}.updated`)
  return quoted(reading, sql`CASE WHEN ${conditionOf(shown)} THEN ${type} ELSE ${updated} END`)
}

function shownText(reading: Reading, column: string): Fragment {
  const shown = isStateShown(reading)
  const stored = at(reading, column)
  const value =
    column === columns.transition ? transitionText(reading) : valueThen(stored, namesThen(reading))
  return quoted(reading, shown === true ? value : sql`CASE WHEN ${conditionOf(shown)} THEN ${value} END`)
}

/** By the name that the version of the caller has for it. */
function transitionText(reading: Reading): Fragment {
  return valueThen(
    at(reading, columns.transition),
    transitionsOf(reading.own).flatMap(({ name, current }) =>
      current === undefined ? [] : [[name, current] as const],
    ),
  )
}

type Then = readonly [name: string | null, current: string]

/** Names of states in the version of the caller, with those in the newest one. */
const statesThen = ({ own }: Reading): readonly Then[] =>
  [...own.machines.values()].flatMap(({ states, lacks = new Map<string, string | null>() }) => [
    ...[...states.values()].flatMap(({ name, current }) =>
      current === undefined ? [] : [[name, current] as const],
    ),
    ...[...lacks].map(([current, name]) => [name, current] as const),
  ])

/** Names of states in the version of the caller, with those in the log. */
function namesThen(reading: Reading): readonly Then[] {
  const states = statesThen(reading)
  const then = new Map(states.map(([name, current]) => [current, name]))
  const former = [...formerlyHappened(reading.whole)]
  return [
    ...states,
    ...former.map(([logged, now]): Then => [then.has(now) ? (then.get(now) ?? null) : now, logged]),
  ]
}

/** The name that a version has in place of the logged one. */
function valueThen(stored: Fragment, names: readonly Then[], others = stored): Fragment {
  const cases = names.map(
    ([name, logged]) => sql` WHEN ${literal(logged)} THEN ${name === null ? sql`NULL` : literal(name)}`,
  )
  return cases.length === 0 ? others : sql`CASE ${stored}${join(cases, sql``)} ELSE ${others} END`
}

const conditionOf = (shown: Shown): Fragment =>
  shown === true ? sql`TRUE` : shown === false ? sql`FALSE` : shown

const both = (parts: readonly Shown[]): Shown => {
  if (parts.includes(false)) return false
  const left = parts.filter((part) => typeof part !== "boolean")
  return left.length === 0 ? true : allOf(left)
}

/** @param name of the newest version's field */
function isFieldShown(reading: Reading, name: string): Shown {
  const field = [...reading.own.fields.values()].find(
    (one) => (one.current ?? one.name) === name && (one.state || !isFormerField(one)),
  )
  if (!field) return false
  return field.seen ? holdsOf(reading, field.seen) : true
}

/** Whether the record meets a condition. */
const holdsOf = ({ compilation, of }: Reading, condition: Filter): Fragment =>
  sql`(${compilation.holds(of, condition)})`

const isStateShown = (reading: Reading): Shown => both([isOfShownMachine(reading), isMoveThen(reading)])

/** A version has no move to a state that it lacks, and none between states that it has one in the place of. */
function isMoveThen(reading: Reading): Shown {
  if ([...reading.own.machines.values()].every(({ lacks }) => !lacks)) return true
  const [from, to] = [at(reading, columns.from), at(reading, columns.to)]
  const states = namesThen(reading)
  const lacked = states.flatMap(([name, logged]) => (name === null ? [literal(logged)] : []))
  const stays = sql`${from} <> ${to} AND ${valueThen(from, states)} = ${valueThen(to, states)}`
  const into = lacked.length === 0 ? stays : sql`${to} IN (${commas(lacked)}) OR ${stays}`
  return sql`CASE WHEN ${into} THEN FALSE ELSE TRUE END`
}

/**
 * Whether the API shows the states of the machine that an entry is about. If no machine has the transition any more,
 * the API must show the states of all.
 */
function isOfShownMachine(reading: Reading): Shown {
  const machines = [...reading.whole.machines.values()]
  const shown = machines.map(({ name }) => isFieldShown(reading, name))
  if (shown.every((one) => one === true)) return true
  const [transition, to] = [columns.transition, columns.to].map((column) => at(reading, column)) as [
    Fragment,
    Fragment,
  ]
  const cases = machines.map((machine, index) => {
    const fired = sql`${transition} IN (${commas([...machine.transitions.keys()].map(literal))})`
    // Another program has changed the state.
    const states = [...machine.states.keys(), ...formerStates(machine).keys()]
    const written = sql`${transition} IS NULL AND ${to} IN (${commas(states.map(literal))})`
    return sql` WHEN ${fired} OR ${written} THEN ${conditionOf(shown[index] ?? false)}`
  })
  return sql`CASE WHEN ${to} IS NULL THEN TRUE${join(cases, sql``)} ELSE ${conditionOf(both(shown))} END`
}

/** A member of a JSON column as JSON text; NULL where it is not there. */
const memberOf = (reading: Reading, column: string, key: Fragment): Fragment =>
  sql`CAST((${at(reading, column)} -> ${key}) AS text)`

function inputText(reading: Reading): Fragment {
  const cases = [...reading.whole.machines.values()].flatMap(({ name: machine, transitions }) =>
    [...transitions.values()]
      .filter(({ input }) => input.size > 0)
      .map((transition) => {
        const text = givenText(reading, transition)
        const shown = isFieldShown(reading, machine)
        const seen = shown === true ? text : sql`CASE WHEN ${conditionOf(shown)} THEN ${text} END`
        return sql` WHEN ${literal(transition.name)} THEN ${seen}`
      }),
  )
  if (cases.length === 0) return sql`'null'`
  return sql`coalesce(CASE ${at(reading, columns.transition)}${join(cases, sql``)} END, 'null')`
}

function givenText(reading: Reading, transition: Transition): Fragment {
  const own = transitionsOf(reading.own).find(({ name, current = name }) => current === transition.name)
  const names = [...transition.input].map(([kept, field]): Kept => {
    const shown = [...(own?.input.values() ?? [])].find(({ name, current = name }) => current === kept)
    return { kept, shown: shown?.name ?? kept, field }
  })
  return keptText(reading, names, (name) => isInputShown(reading, transition, name))
}

interface Kept {
  /** Its name in the log. */
  readonly kept: string
  /** Its name in the version of the caller. */
  readonly shown: string
  readonly field: Field
}

/** The values of an event that is still declared. */
function payloadText(reading: Reading): Fragment {
  const cases = [...(reading.own.events?.values() ?? [])].map(({ type, payload }) => {
    const names = [...payload].map(([name, field]): Kept => ({ kept: name, shown: name, field }))
    const text = keptText(reading, names, (name) => {
      const seen = payload.get(name)?.seen
      return seen ? holdsOf(reading, seen) : true
    })
    return sql` WHEN ${literal(type)} THEN ${text}`
  })
  if (cases.length === 0) return sql`'null'`
  return sql`coalesce(CASE ${at(reading, columns.type)}${join(cases, sql``)} END, 'null')`
}

/** An object of what was given and is shown; NULL where nothing was. */
function keptText(reading: Reading, names: readonly Kept[], isShown: (name: string) => Shown): Fragment {
  const members = names.flatMap(({ kept, shown: called, field }) => {
    const shown = isShown(kept)
    if (shown === false) return []
    const former = formerValues(reading.compilation.all.model, field)
    const value = textNow(memberOf(reading, columns.input, literal(kept)), former)
    const text = sql`coalesce(${literal(`,${JSON.stringify(called)}:`)} || ${value}, '')`
    return [shown === true ? text : sql`CASE WHEN ${shown} THEN ${text} ELSE '' END`]
  })
  const inner = members.length === 0 ? sql`''` : sql`substr(${join(members, sql` || `)}, 2)`
  return sql`CASE WHEN ${at(reading, columns.input)} IS NOT NULL THEN '{' || ${inner} || '}' END`
}

/** Shown to actors that see all fields that it sets; if it sets none, to actors that may fire it. */
function isInputShown(reading: Reading, { name: called, sets }: Transition, name: string): Shown {
  const set = sets.filter(({ value }) => value.kind === "input" && value.name === name)
  if (set.length === 0)
    return transitionsOf(reading.own).some(({ name: own, current = own }) => current === called)
  return both(set.map(({ member }) => isMemberShown(atNewest(reading), member)))
}

/** An older version that takes the input may lack the member that it sets. */
function atNewest(reading: Reading): Reading {
  const { newest } = reading.compilation.model
  return newest ? { ...reading, own: resourceOf({ model: newest }, reading.own.name) } : reading
}

/** References come with the record. */
function isMemberShown(reading: Reading, name: string): Shown {
  const reference = membersOf(reading).some(
    (member) => (member.name === name || member.was[0] === name) && !member.field,
  )
  return reference || isFieldShown(reading, name)
}

const membersOf = ({ own, whole }: Reading): readonly LoggedMember[] => loggedMembers(own, whole)

/** Differences of visible members, by their present names. Those behind former fields are marked, to be completed. */
function changesText(reading: Reading): Fragment {
  const { compilation, own } = reading
  const logged = formerlyLogged(reading)
  if (formerFields(own).length + logged.length === 0) return differencesText(reading, membersOf(reading))
  const sources = sourcesOf(reading)
  const mark = [
    placeholderText(compilation, cursorBegin),
    literal(`${formerPlaceholder}${own.name}`),
    sql`CASE WHEN ${at(reading, columns.old)} IS NULL THEN '+' WHEN ${at(reading, columns.new)} IS NULL THEN '-' ELSE '' END`,
    differencesText(reading, [...logged, ...sources, ...membersOf(reading)], sources),
    placeholderText(compilation, cursorEnd),
  ]
  return join(mark, sql` || `)
}

/** Former fields whose own values the log holds, under names that nothing else has or had. */
function formerlyLogged({ own, whole }: Reading): readonly LoggedMember[] {
  const known = new Set(loggedMembers(whole, whole).flatMap(({ name, was }) => [name, ...was]))
  return [...own.fields.values()].flatMap((field): readonly LoggedMember[] => {
    const was = (field.logged?.names ?? []).filter((name) => !known.has(name))
    const { seen: _, ...former } = field
    const seen = field.logged?.seen
    return was.length === 0
      ? []
      : [{ name: `${formerLogged}${field.name}`, was, field: { ...former, ...(seen && { seen }) } }]
  })
}

/** The newest version's fields that former fields come from, where the caller sees those. */
function sourcesOf({ compilation, own, whole }: Reading): readonly LoggedMember[] {
  const { newest } = compilation.model
  const names = new Set(formerFields(own).flatMap(({ sources }) => sources))
  const seen = newest && resourceOf({ model: newest }, own.name).fields
  const kept = new Map(loggedMembers(whole, whole).map(({ name, was }) => [name, was]))
  return [...names].flatMap((name): readonly LoggedMember[] => {
    const field = seen?.get(name)
    return field ? [{ name: `${formerSource}${name}`, was: [name, ...(kept.get(name) ?? [])], field }] : []
  })
}

/** @param whole members that are listed wherever the log keeps them, even without a difference */
function differencesText(
  reading: Reading,
  kept: readonly LoggedMember[],
  whole: readonly LoggedMember[] = [],
): Fragment {
  const { compilation } = reading
  const members = kept.map(({ name, was, field }) => ({
    names: [name, ...was],
    shown: field ? (field.seen ? holdsOf(reading, field.seen) : (true as Shown)) : (true as Shown),
  }))
  const always = members.filter(({ shown }) => shown === true).flatMap(({ names }) => names)
  const key = sql`"change"."key"`
  const tests = [
    ...(always.length > 0 ? [sql`${key} IN (${commas(always.map(literal))})`] : []),
    ...members.flatMap(({ names, shown }) =>
      typeof shown === "boolean" ? [] : [sql`(${key} IN (${commas(names.map(literal))}) AND ${shown})`],
    ),
  ]
  if (tests.length === 0) return sql`'[]'`
  const [before, after] = [columns.old, columns.new].map((column) =>
    valueNow(reading, key, sql`coalesce(${memberOf(reading, column, key)}, 'null')`),
  ) as [Fragment, Fragment]
  const named = whole.flatMap(({ was }) => was).map(literal)
  const differs =
    named.length === 0
      ? sql`${before} <> ${after}`
      : sql`(${before} <> ${after} OR ${key} IN (${commas(named)}))`
  const called = renamed(kept, key)
  const text = sql`'{"field":"' || ${called} || '","from":' || ${before} || ',"to":' || ${after} || '}'`
  // A deleted record shows its last state.
  const fresh = sql`coalesce(${at(reading, columns.new)}, ${at(reading, columns.old)})`
  const { rows, order } = compilation.dialect.json.members(fresh)
  return sql`(SELECT '[' || coalesce(string_agg(${text}, ','${order}), '') || ']' FROM ${rows} WHERE (${anyOf(tests)}) AND ${differs})`
}

/** The JSON text of a member, with the newest version's values in place of former ones. */
function valueNow({ compilation, whole }: Reading, key: Fragment, text: Fragment): Fragment {
  const cases = loggedMembers(whole, whole).flatMap(({ name, was, field }) => {
    const now = field && textNow(text, formerValuesOf(compilation.all.model, whole, field))
    return now === undefined || now === text
      ? []
      : [sql` WHEN ${key} IN (${commas([name, ...was].map(literal))}) THEN ${now}`]
  })
  return cases.length === 0 ? text : sql`CASE${join(cases, sql``)} ELSE ${text} END`
}

/** @param former today's value of each former one */
function textNow(text: Fragment, former: ReadonlyMap<string, string>): Fragment {
  const cases = [...former].map(
    ([before, now]) => sql` WHEN ${literal(JSON.stringify(before))} THEN ${literal(JSON.stringify(now))}`,
  )
  return cases.length === 0 ? text : sql`CASE ${text}${join(cases, sql``)} ELSE ${text} END`
}

/** Maps a former name to the present one. */
function renamed(members: readonly LoggedMember[], key: Fragment): Fragment {
  const cases = members.flatMap(({ name, was }) =>
    was.map((former) => sql` WHEN ${literal(former)} THEN ${literal(name)}`),
  )
  return cases.length === 0 ? key : sql`CASE ${key}${join(cases, sql``)} ELSE ${key} END`
}
