// Transitions: reads one that a person wants fired, on a record or on several, as writes of a plan. Firing is an update
// that sets the state and the fields that the declaration sets with it.

import { withArticle } from "../../base/article.ts"
import { invariant, present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import type { Resource, Transition, TransitionSet } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import { resourceNamed, targetOf, transitionNamed, wholeOf } from "../lookup.ts"
import { memberOf, type ScalarMember, subjectOf } from "../member.ts"
import { notFoundText } from "../not-found.ts"
import { PendingKey } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import type { Slot } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { readId } from "../values/ids.ts"
import { valueTypeOf } from "../values/values.ts"
import type { Fires, Setting, Write } from "../write-plan.ts"
import { currentDateTime } from "./input-place.ts"
import {
  type Effect,
  findVersioned,
  hasVersion,
  type InputAt,
  keyTarget,
  locate,
  matchOf,
  type Named,
  type Several,
  tooManyWrites,
} from "./write.ts"
import { type ActionInput, inputText, readActionInput } from "./write-call.ts"
import { readKeySlot } from "./write-input.ts"

/** Records by their ids: all of them change, or none. */
export interface Listed {
  /** As JSON.parse gives it: a list of ids. */
  readonly ids: unknown
  readonly idsPlace: Place
  /** More are a mistake; undefined for as many as a request may write. */
  readonly most: number | undefined
  /** The place of `most`. */
  readonly place: Place
}

/**
 * @param transition of the resource in the draft's model, which has only transitions that the actor may fire
 * @param given an absent `input` is the same as an empty one
 * @returns undefined, here and below, when problems were added to the draft
 */
export function readTransition(
  draft: Draft,
  resource: Resource,
  transition: Transition,
  { input, place, by, match, places }: InputAt & Named,
): Effect | undefined {
  const versioned = hasVersion(draft, resource, { place, match, places })
  const fired = readFired({ draft, resource, transition, place }, input)
  if (!fired || !versioned) return undefined
  const own = { resource: resource.name, place }
  const { key, located } = locate(draft, own, by)
  const target = { by: keyTarget(key) }
  const update: Write = { kind: "update", ...own, target, ...fired, ...matchOf(draft, { match, places }) }
  return { writes: [...located, update], key }
}

/** On every record that meets the condition, or on those with these ids: all of them change, or none. */
export function readTransitions(
  draft: Draft,
  resource: Resource,
  transition: Transition,
  { input, ...several }: { readonly input: InputAt } & (Several | Listed),
): Effect | undefined {
  const spot: Spot = { draft, resource, transition, place: input.place }
  if ("ids" in several) return fireListed(spot, input.input, several)
  const found = findVersioned(draft, resource, several)
  const fired = readFired(spot, input.input)
  if (!found || !fired) return undefined
  const target = { by: keyTarget(found.key), several: true } as const
  const update: Write = { kind: "update", resource: resource.name, place: input.place, target, ...fired }
  return { writes: [...found.writes, update], key: found.key }
}

/**
 * One by one, so that a mistake belongs to one of them. They are found before in the order of their keys, so that two
 * requests for the same records do not wait for each other.
 */
function fireListed(spot: Spot, input: unknown, listed: Listed): Effect | undefined {
  const { draft, resource } = spot
  const versioned = hasVersion(draft, resource, { place: listed.idsPlace })
  const keys = readKeys(draft, resource, listed)
  const fired = readFired(spot, input)
  if (!versioned || !keys || !fired) return undefined
  const own = { resource: resource.name, place: listed.idsPlace }
  const key = draft.pending()
  const found: Write = {
    kind: "find",
    ...own,
    where: { kind: "compare", subject: { kind: "id" }, operator: "in", operand: key },
    most: draft.bind(draft.model.limits.writes),
    into: draft.pending(),
  }
  const updates = keys.map((one, index): Write => {
    const place = [...listed.idsPlace, index]
    return { kind: "update", ...own, place, target: { by: keyTarget(one) }, ...fired }
  })
  return { writes: [{ kind: "collect", ...own, of: keys, into: key }, found, ...updates], key }
}

function readKeys(
  draft: Draft,
  resource: Resource,
  { ids, idsPlace, most, place }: Listed,
): readonly Slot[] | undefined {
  const { problems } = draft
  const { writes } = draft.model.limits
  const before = problems.found.length
  if (!Array.isArray(ids) || ids.length === 0) {
    problems.add(
      ids === undefined ? "missing_field" : "invalid_value",
      idsPlace,
      "A list of ids must name the records.",
      "Or by a condition, with how many records may be affected.",
    )
    return undefined
  }
  if (most !== undefined && (!Number.isInteger(most) || most < 1 || most > writes)) {
    const message = `How many records may be affected must be a whole number from 1 to ${writes}.`
    problems.add("invalid_value", place, message)
    return undefined
  }
  if (ids.length > (most ?? writes)) {
    const [code, message] =
      most === undefined
        ? (["too_large", tooManyWrites(draft.model)] as const)
        : (["too_many_affected", `There are more than ${most} ids.`] as const)
    problems.add(code, idsPlace, message, "Send them in several requests, or allow more.")
    return undefined
  }
  const seen = new Map<string, number>()
  const keys = ids.map((id: unknown, index) => {
    const at = [...idsPlace, index]
    const key = readListedKey(draft, resource, id, at)
    const value = key && draft.values[key.slot]
    if (!Array.isArray(value)) return key
    const name = value.map(String).join("~")
    const earlier = seen.get(name)
    if (earlier !== undefined)
      problems.add("invalid_value", at, `${quoteInput(id)} stands in the list twice.`, "Give each id once.")
    seen.set(name, index)
    return key
  })
  return problems.found.length > before
    ? undefined
    : keys.map((key) => present(key, "every id could be read"))
}

function readListedKey(draft: Draft, resource: Resource, id: unknown, place: Place): Slot | undefined {
  const text = typeof id === "number" && Number.isSafeInteger(id) ? String(id) : id
  if (typeof text !== "string") {
    if (id instanceof PendingKey && id.resource === resource) return id.key
    const message = `An id of ${withArticle(resource.name)} is text such as "${resource.prefix}_…", not ${quoteInput(id)}.`
    draft.problems.add("invalid_value", place, message)
    return undefined
  }
  const key = readId(resource, text)
  if (key) return draft.bind(key)
  draft.problems.add("not_found", place, notFoundText(resource.name, ` ${quoteInput(text)}`))
  return undefined
}

/** Where the reading of a transition stands. */
interface Spot {
  readonly draft: Draft
  readonly resource: Resource
  readonly transition: Transition
  /** The place of the input. */
  readonly place: Place
}

function readFired(
  spot: Spot,
  input: unknown,
): { readonly sets: readonly Setting[]; readonly fires: Fires } | undefined {
  const { draft, resource, transition } = spot
  const before = draft.problems.found.length
  const given = readActionInput(
    draft,
    { what: `\`${transition.name}\` of ${withArticle(resource.name)}`, fields: transition.input },
    { input, place: spot.place },
  )
  if (!given) return undefined
  // Set fields may be invisible to the caller.
  const whole = resourceNamed(wholeOf(draft.model), resource.name)
  const newest = transitionNamed(whole, transition.current ?? transition.name)
  const state: Setting = {
    subject: { kind: "field", field: newest.machine },
    newest: true,
    ...draft.bind(newest.to),
  }
  const sets = transition.sets.flatMap((set) => readSet(spot, whole, set, given) ?? [])
  if (draft.problems.found.length > before) return undefined
  const text = transition.input.size === 0 ? null : inputText(given)
  return { sets: [state, ...sets], fires: { transition: transition.name, input: draft.bind(text) } }
}

/** Undefined where the member stays as it is: its value was not given. */
function readSet(
  { draft }: Spot,
  whole: Resource,
  { member: name, value }: TransitionSet,
  given: ReadonlyMap<string, ActionInput>,
): Setting | undefined {
  const member = memberOf(whole, name)
  invariant(member && member.kind !== "relation", `${whole.name} has a value ${name}`)
  const subject = subjectOf(member)
  switch (value.kind) {
    case "constant":
      return { subject, newest: true, ...constantSlot(draft, member, value.json) }
    case "now":
      invariant(member.kind === "field", `${name} is a moment`)
      return { subject, newest: true, ...draft.bind(currentDateTime(draft, member.field)) }
    case "viewer":
      // The caller: the guard fills it in, as for rules.
      return { subject, newest: true, slot: 0 }
    case "input": {
      const one = given.get(value.name)
      return one && setGiven(draft, whole, { member, subject }, one)
    }
  }
}

function constantSlot(draft: Draft, member: ScalarMember, json: unknown): Slot {
  if (json === null) return draft.bind(null)
  invariant(member.kind === "field", "a declaration names no record, and what names one is not set")
  const read = acceptValue(valueTypeOf(wholeOf(draft.model), member.field), json, "json")
  invariant(read.ok, `${JSON.stringify(json)} is a value of ${member.field.name}`)
  return draft.bind(read.value)
}

/** The given value must be a value of the member as well. */
function setGiven(
  draft: Draft,
  whole: Resource,
  { member, subject }: { readonly member: ScalarMember; readonly subject: Subject },
  { value, raw, place }: ActionInput,
): Setting | undefined {
  const wrong = (message: string): undefined =>
    draft.problems.add("invalid_value", place, message) as undefined
  const name = String(place.at(-1))
  if (value === null) {
    const optional =
      (member.kind === "field" && member.field.optional) ||
      (member.kind === "reference" && member.relation.optional)
    return optional
      ? { subject, newest: true, ...draft.bind(null) }
      : wrong(`\`${name}\` must not be null: there always is one.`)
  }
  if (member.kind === "reference") {
    const target = targetOf(wholeOf(draft.model), whole, member.relation.name)
    const key = readKeySlot(draft, draft.model.resources.get(target.name) ?? target, raw, place)
    return key && { subject, newest: true, ...key }
  }
  invariant(member.kind === "field", "what names a record is not set")
  const read = acceptValue(valueTypeOf(wholeOf(draft.model), member.field), raw, "json")
  return read.ok ? { subject, newest: true, ...draft.bind(read.value) } : wrong(`\`${name}\` ${read.wrong}.`)
}
