// The input of one record: its members become settings, nested writes are set aside for write-nested.ts.

import { randomBytes } from "node:crypto"
import { withArticle } from "../../base/article.ts"
import { perObject } from "../../base/caches.ts"
import { invariant, present } from "../../base/invariant.ts"
import { wrongAddress } from "../../base/networks.ts"
import type { Place } from "../../base/problem.ts"
import { makeSeed } from "../../base/webhook-keys.ts"
import { showsHistory } from "../../model/build/history.ts"
import { evaluate } from "../../model/evaluation/evaluate.ts"
import { isFormerRelation } from "../../model/former-fields.ts"
import { readDuration } from "../../model/log.ts"
import type { Field, Model, Relation, Resource, ToOne } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { readTimestamp } from "../../model/values/datetime.ts"
import { type Draft, startDraft } from "../draft/draft.ts"
import { hintFor } from "../hints.ts"
import { inputName, newestSubject, resourceNamed, targetOf, wholeOf } from "../lookup.ts"
import { etag, hasEtag, memberOf } from "../member.ts"
import { notFoundText } from "../not-found.ts"
import { memberHint } from "../other-versions.ts"
import { isObject, PendingKey } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import { readWhere } from "../read/list.ts"
import type { Slot, Value } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { readId } from "../values/ids.ts"
import { type MadeKey, makeKey } from "../values/typeid.ts"
import type { Setting } from "../write-plan.ts"
import { cleared, formerSettings, readFormer } from "./former-fields.ts"
import {
  type Increment,
  incrementName,
  readIncrements,
  settingsOfIncrements,
  takesIncrements,
} from "./increments.ts"
import type { InputPlace } from "./input-place.ts"
import { defaultSetting } from "./input-place.ts"
import { type Action, type InputMember, inputMembers, keyParts } from "./inputs.ts"

/** In an input: a member that was read elsewhere, with its mistakes reported there. */
export const refused: unique symbol = Symbol("refused")

export interface InputMembers {
  readonly sets: readonly Setting[]
  /** Nested writes by the relation's name, not read yet. */
  readonly nested: ReadonlyMap<string, NestedInput>
  /** Numbers to be added, whose sums are among `sets`. */
  readonly increments: readonly Increment[]
  /** The given members; other settings are defaults. */
  readonly input: GivenObject
}

type GivenObject = Readonly<Record<string, unknown>>

export interface NestedInput {
  readonly member: Extract<InputMember, { readonly kind: "relation" }>
  readonly value: unknown
  readonly place: Place
  /** The value was a reference, which stands at the place itself. */
  readonly isReference?: true
}

interface Reading {
  /** Names of members that are given elsewhere, and so must not be given here. */
  readonly apart?: ReadonlySet<string>
  /** Former fields that are written together need not be given together. */
  readonly completes?: boolean
  /** A new record, or an existing one. */
  readonly isUpsert?: true
}

/**
 * The readable part, so that nested records can be checked even where there are problems; undefined for input that is
 * no object.
 */
export function readInputMembers(
  spot: InputPlace,
  action: Action,
  input: unknown,
  { apart = nobody, completes = action === "create", isUpsert }: Reading = {},
): InputMembers | undefined {
  const { draft, resource, place } = spot
  const { problems } = draft
  const members = inputMembers(draft.model, resource, action)
  invariant(members, `${resource.name} can be written`)
  if (!isObject(input)) {
    problems.add(
      "invalid_value",
      place,
      `${withArticle(resource.name, "A")} is written as an object, not ${quoteInput(input)}.`,
    )
    return undefined
  }
  const sets: Setting[] = within(spot)
  let formers: Map<string, Value> | undefined
  let nested: Map<string, NestedInput> | undefined
  let taken = 0
  for (const member of members.values()) {
    if (apart.has(member.name) || isBack(spot, member)) continue
    const value = Object.hasOwn(input, member.name) ? input[member.name] : undefined
    if (value !== undefined) taken += 1
    if (member.kind === "relation") {
      if (value === undefined) continue
      refuseBoth(spot, member.relation, input)
      nested ??= new Map()
      nested.set(member.name, { member, value, place: [...place, member.name] })
      continue
    }
    if (member.kind === "field" && member.field.lens) {
      formers ??= new Map()
      const former = value === refused ? undefined : readFormer(spot, member, value)
      if (former !== undefined) formers.set(member.name, former)
      continue
    }
    const isThere = action === "update" || isUpsert
    const said = completes && isThere && isLeft(member, input) ? null : value
    if (isLink(member, said)) {
      if (said === null && !isThere) continue
      nested ??= new Map()
      nested.set(member.relation.name, linked(member.relation, said, [...place, member.name]))
      continue
    }
    const set =
      value === undefined ? absent(spot, action, member, input) : readSetting(spot, action, member, value)
    if (set) sets.push(set)
  }
  if (formers)
    sets.push(
      ...formerSettings(
        spot,
        { members, input, values: formers },
        { absent: action === "create", completes },
      ),
    )
  const takesAdded = action === "update" && takesIncrements(draft.model, resource, input)
  const added = takesAdded ? readIncrements(spot, input) : []
  if (takesAdded && Object.hasOwn(input, incrementName)) taken += 1
  sets.push(...settingsOfIncrements(added))
  if (taken < Object.keys(input).length)
    refuseOthers(spot, members, input, takesAdded ? new Set([...apart, incrementName]) : apart)
  return { sets, nested: nested ?? nothing, increments: added, input }
}

const nobody: ReadonlySet<string> = new Set()
const nothing: InputMembers["nested"] = new Map()

/** The newest version has a list in the reference's place, of this record or of none. */
const isLink = (
  member: InputMember,
  value: unknown,
): member is Extract<InputMember, { readonly kind: "reference" }> =>
  member.kind === "reference" &&
  member.relation.first !== undefined &&
  value !== undefined &&
  (value !== null || member.relation.optional)

/** Whether the input gives neither the reference nor its relation. */
const isLeft = (member: InputMember, input: GivenObject): boolean =>
  member.kind === "reference" &&
  !Object.hasOwn(input, member.name) &&
  !Object.hasOwn(input, member.relation.name)

const linked = (relation: ToOne, value: unknown, place: Place): NestedInput => ({
  member: { kind: "relation", name: relation.name, relation, verbs: ["link", "unlink"], required: false },
  value: value === null ? { unlink: true } : { link: value },
  place,
  isReference: true,
})

/** A reference and its relation say the same thing. */
function refuseBoth({ draft, place }: InputPlace, relation: Relation, input: GivenObject): void {
  const reference = relation.kind === "one" ? relation.reference : undefined
  if (reference === undefined || !Object.hasOwn(input, reference)) return
  const message = `\`${reference}\` and \`${relation.name}\` are the same reference: give one of them.`
  draft.problems.add("invalid_value", [...place, relation.name], message)
}

/** The foreign key to the record around this one. */
function within({ within }: InputPlace): Setting[] {
  return within ? [{ subject: { kind: "reference", relation: within.back.name }, ...within.key }] : []
}

function isBack({ within }: InputPlace, member: InputMember): boolean {
  return within !== undefined && "relation" in member && member.relation.name === within.back.name
}

function absent(
  spot: InputPlace,
  action: Action,
  member: Exclude<InputMember, { readonly kind: "relation" }>,
  input: GivenObject,
): Setting | undefined {
  if (action !== "create") return undefined
  if (member.kind === "field" && isSaidBy(spot, member.sharers, input)) return undefined
  if (member.kind === "field" && member.field.default) return defaultSetting(spot.draft, member.field)
  if (member.kind === "field" && member.sharers && !member.field.optional)
    return absentShared(spot, member.name, member.sharers)
  const nested = member.kind === "reference" && Object.hasOwn(input, member.relation.name)
  if (!member.required || nested) return undefined
  const other = member.kind === "reference" ? ` or \`${member.relation.name}\`` : ""
  spot.draft.problems.add(
    "missing_field",
    [...spot.place, member.name],
    `\`${member.name}\`${other} must be given.`,
  )
  return undefined
}

/** Whether a reference that has the field's column too is given. */
const isSaidBy = (spot: InputPlace, sharers: readonly ToOne[] | undefined, input: GivenObject): boolean =>
  sharers?.some(
    (relation) =>
      relation === spot.within?.back ||
      Object.hasOwn(input, relation.name) ||
      (input[relation.reference ?? ""] ?? null) !== null,
  ) === true

/** A field that shares its column with a reference: one of them has to give its value. */
function absentShared(spot: InputPlace, name: string, sharers: readonly ToOne[]): undefined {
  const names = [name, ...sharers.map(({ reference }) => reference)].map((one) => `\`${one}\``)
  spot.draft.problems.add("missing_field", [...spot.place, name], `${names.join(" or ")} must be given.`)
  return undefined
}

/** Required fields that the caller cannot set and that have no default. */
export function readonlyDefaults(spot: InputPlace, sets: readonly Setting[]): readonly Setting[] {
  const fields = defaultedFields(spot.resource, spot.draft.model)
  if (fields.length === 0) return []
  const have = new Set(
    sets.map(({ subject, newest }) => {
      const own = newest ? subject : newestSubject(spot.resource, subject)
      return own.kind === "field" ? own.field : ""
    }),
  )
  return fields.flatMap((field) =>
    have.has(field.name) ? [] : (defaultSetting(spot.draft, field, wholeOf(spot.draft.model)) ?? []),
  )
}

/** A resource belongs to one model, and both are frozen. */
const defaultedFields = perObject((resource: Resource, model: Model): readonly Field[] => {
  const given = inputMembers(model, resource, "create")
  const supplied = resource.supplied
  const isGiven = (field: Field): boolean =>
    [...(given?.values() ?? [])].some(
      (member) =>
        member.kind === "field" &&
        (member.field.lens
          ? member.field.lens.writes.has(field.name)
          : (member.field.current ?? member.name) === field.name),
    )
  return [...resourceNamed(wholeOf(model), resource.name).fields.values()]
    .filter((field) => !isGiven(field) && !field.generated)
    .map((field): Field => {
      const value = supplied?.get(field.name)
      return value
        ? { ...field, default: { kind: "value", value: evaluate(value, field, new Map()) } }
        : field
    })
    .filter((field) => field.default)
})

function readSetting(
  spot: InputPlace,
  action: Action,
  member: Exclude<InputMember, { readonly kind: "relation" }>,
  input: unknown,
): Setting | undefined {
  const { draft, resource, place } = spot
  const { problems } = draft
  const { subject, name } = member
  if (input === refused) return undefined
  if (name === resource.ends?.member && !checkEnd(spot, action, resource.ends, input)) return undefined
  if (input === null) {
    if (member.kind !== "id" && isOptional(member)) return cleared(spot, member)
    problems.add("invalid_value", [...place, name], `\`${name}\` must not be null: there always is one.`)
    return undefined
  }
  if (member.kind === "id") {
    const key = readGivenKey(draft, resource, input, [...place, name])
    return key && { subject, slot: key.slot }
  }
  if (member.kind === "reference") {
    const target = targetOf(draft.model, resource, member.relation.name)
    const key = readKeySlot(draft, target, input, [...place, name])
    return key && { subject, slot: key.slot }
  }
  const read = acceptValue(member.type, input, "json")
  if (read.ok && name === resource.conditions) checkConditions(draft, input, [...place, name])
  if (read.ok && name === resource.address?.member) {
    const wrong = wrongAddress(String(read.value), resource.address.networks)
    if (wrong !== undefined) problems.add("invalid_value", [...place, name], `\`${name}\` ${wrong}.`)
  }
  if (read.ok) return { subject, slot: draft.bind(read.value).slot }
  problems.add("invalid_value", [...place, name], `\`${name}\` ${read.wrong}.`, read.hint)
  return undefined
}

function isOptional(member: Exclude<InputMember, { readonly kind: "relation" }>): boolean {
  if (member.kind === "id") return false
  return member.kind === "field" ? member.field.optional : member.relation.optional
}

/** The key of a new record, which its columns have to keep as it is. */
function readGivenKey(draft: Draft, resource: Resource, input: unknown, place: Place): Slot | undefined {
  const earlier = input instanceof PendingKey ? draft.values[input.key.slot] : undefined
  if (input instanceof PendingKey && !Array.isArray(earlier)) return input.key
  const text = typeof input === "number" && Number.isSafeInteger(input) ? String(input) : input
  const key = Array.isArray(earlier) ? earlier : typeof text === "string" ? readId(resource, text) : undefined
  const wrong = key
    ? wrongKey(resource, key)
    : `must be an id such as "${resource.prefix}_…", not ${quoteInput(input)}`
  if (key && wrong === undefined) return draft.bind(key)
  draft.problems.add("invalid_value", place, `\`id\` ${wrong}.`)
  return undefined
}

/** The mistake in a key that is to be stored, from its first wrong part. */
export function wrongKey(resource: Resource, key: readonly Value[]): string | undefined {
  for (const [index, { scalar, stored }] of keyParts(resource).entries()) {
    const value = key[index]
    const read = acceptValue(
      { scalar, stored, list: false },
      typeof value === "bigint" ? String(value) : value,
      "json",
    )
    if (!read.ok) return read.wrong
  }
  return undefined
}

/** The key that an id names, or that an earlier step of the same request gives. */
export function readKeySlot(draft: Draft, target: Resource, input: unknown, place: Place): Slot | undefined {
  const name = String(place.at(-1))
  if (input instanceof PendingKey) {
    if (input.resource === target) return input.key
    draft.problems.add(
      "invalid_value",
      place,
      `\`${name}\` must be the id of ${withArticle(apiName(target))}, not of ${withArticle(apiName(input.resource))}.`,
    )
    return undefined
  }
  const text = typeof input === "number" && Number.isSafeInteger(input) ? String(input) : input
  if (typeof text !== "string") {
    const message = `\`${name}\` must be an id such as "${target.prefix}_…", not ${quoteInput(input)}.`
    draft.problems.add("invalid_value", place, message)
    return undefined
  }
  const key = readId(target, text)
  if (key) return draft.bind(key)
  draft.problems.add("missing_reference", place, notFoundText(target.name, ` ${quoteInput(text)}`))
  return undefined
}

/** A member that is not given becomes its default, or missing. */
export function clearedSettings(
  spot: InputPlace,
  action: Action,
  { sets, input }: Pick<InputMembers, "sets" | "input">,
): readonly Setting[] {
  const { draft, resource, place } = spot
  const have = new Set([...Object.keys(input), ...sets.map((set) => inputName(resource, set))])
  const clears: Setting[] = []
  let formers = false
  const members = inputMembers(draft.model, resource, action) ?? new Map<string, InputMember>()
  for (const member of members.values()) {
    if (member.kind === "relation" || have.has(member.name)) continue
    if (member.kind === "reference" && Object.hasOwn(input, member.relation.name)) continue
    const optional = isOptional(member)
    // Its link was taken away with the input.
    if (member.kind === "reference" && member.relation.first && optional) continue
    if (member.kind === "field" && member.field.lens) formers = true
    else if (member.kind === "field" && member.field.default && member.field.default.kind !== "database")
      clears.push(present(defaultSetting(draft, member.field), `${member.name} has a default`))
    // Values that only the database computes are not computed again: they stay as they are.
    else if (member.kind === "field" && member.field.default) continue
    else if (member.kind !== "id" && optional) clears.push(cleared(spot, member))
    else draft.problems.add("missing_field", [...place, member.name], `\`${member.name}\` must be given.`)
  }
  return formers
    ? [
        ...clears,
        ...formerSettings(spot, { members, input, values: new Map() }, { absent: "alone", completes: true }),
      ]
    : clears
}

/** The key that Bifold makes. */
export function ownKey({ draft, resource }: InputPlace): Slot | undefined {
  const { key } = resource
  if (key?.origin === "typeid") return draft.bind([draft.fresh.id()])
  return key?.origin === "database" && draft.model.managed && key.parts[0]?.scalar === "uuid"
    ? draft.bind([draft.fresh.uuid()])
    : undefined
}

/** Where the versions of a new record begin, where Bifold counts them. */
export function beginning({ draft, resource }: InputPlace): { readonly begins?: Slot } {
  const version = resource.version.kind === "column" ? draft.fresh.version?.() : undefined
  return version === undefined ? {} : { begins: draft.bind(BigInt(version)) }
}

interface MadeSecret {
  readonly sets: readonly Setting[]
  /** The secret itself, which no statement is given. */
  readonly slot: Slot
}

/** Defaults of a new record for members without input. */
export function madeSecret(
  { draft, resource }: InputPlace,
  sets: readonly Setting[],
): MadeSecret | undefined {
  const { secret } = resource
  const isGiven = sets.some(({ subject }) => subject.kind === "field" && subject.field === secret?.digest)
  if (!secret || isGiven) return undefined
  const made = secret.form === "signing" ? madeSigning() : makeKey(draft.model.name, randomBytes)
  const set = (field: string, value: string): Setting => ({
    subject: { kind: "field", field },
    newest: true,
    ...draft.bind(value),
    byDefault: true,
  })
  return {
    sets: [set(secret.digest, made.digest), set(secret.hint, made.hint)],
    slot: draft.bind(made.secret),
  }
}

function madeSigning(): MadeKey {
  const { seed, secret, publicKey } = makeSeed(randomBytes)
  return { digest: seed, hint: publicKey, secret }
}

function refuseOthers(
  spot: InputPlace,
  members: ReadonlyMap<string, InputMember>,
  input: Readonly<Record<string, unknown>>,
  apart: ReadonlySet<string>,
): void {
  for (const name of Object.keys(input)) {
    const member = members.get(name)
    if (member && !apart.has(name) && !isBack(spot, member)) continue
    const { problems } = spot.draft
    const at = [...spot.place, name]
    const known = memberOf(spot.resource, name)
    const isRead = known || spot.resource.computed?.has(name) || (name === etag && hasEtag(spot.resource))
    if (!isRead) {
      const names = [...members.keys()].filter((other) => !apart.has(other))
      problems.add(
        "unknown_field",
        at,
        `\`${apiName(spot.resource)}\` has no member ${quoteInput(name)} to write.`,
        memberHint(spot.draft.model, spot.resource, name) ?? hintFor(name, names),
      )
    } else if (member && apart.has(name)) problems.add("readonly_field", at, contradiction(name))
    else if (member)
      problems.add("readonly_field", at, `\`${name}\` follows from the record around this one.`)
    else
      problems.add(
        "readonly_field",
        at,
        `\`${name}\` ${whyNot(spot.resource, name)}.`,
        insteadOf(spot.resource, name),
      )
  }
}

/** @param name of a member that the record's address gives too */
export const contradiction = (name: string): string =>
  `\`${name}\` differs from the value that names the record.`

/** The transitions that change a state; the visible model has those that the caller may use. */
function insteadOf(resource: Resource, name: string): string | undefined {
  for (const relation of resource.relations.values())
    if (isFormerRelation(relation) && [relation.name, relation.reference].includes(name))
      return `${relation.deprecated} Newer versions write those.`
  const transitions = [...(resource.machines.get(name)?.transitions.keys() ?? [])]
  return transitions.length > 0 ? `Transitions change it: ${transitions.join(", ")}.` : undefined
}

function whyNot(resource: Resource, name: string): string {
  const field = resource.fields.get(name)
  const keyed = keyParts(resource).some(({ column }) => column === field?.column)
  if (field?.computed || resource.computed?.has(name)) return "is computed, and so cannot be written"
  const isGivenKey = name === "id" && resource.key?.origin === "given"
  if (field?.immutable || keyed || isGivenKey) return "is given when the record is made, and never changes"
  if (name === "id") return "is made when the record is, and never changes"
  return "cannot be written"
}

// Conditions that a record keeps on records of other resources, by the names of these: who writes them must be able to ask them.

/** Adds a problem for each that cannot be asked. */
function checkConditions({ model, cursors, problems }: Draft, input: unknown, place: Place): void {
  if (!isObject(input)) {
    problems.add("invalid_value", place, `Conditions are an object by resource, not ${quoteInput(input)}.`)
    return
  }
  for (const [name, condition] of Object.entries(input)) {
    const resource = [...model.resources.values()].find((one) => apiName(one) === name)
    if (!resource || !showsHistory(resource)) {
      const names = [...model.resources.values()].filter(showsHistory).map(apiName)
      const hint = hintFor(name, names)
      problems.add("invalid_value", [...place, name], `There are no events of ${quoteInput(name)}.`, hint)
      continue
    }
    const trial = startDraft({ model, cursors })
    readWhere(trial, resource, { input: condition, encoding: "json", place: [...place, name] })
    for (const { code, place: at = place, message, hint } of trial.problems.found)
      problems.add(code, at, message, hint)
  }
}

// The end of a record: after its making, and at most so long after each write of it.

/** Milliseconds by which the clock of a client may be ahead. */
const leeway = 5 * 60_000

/** Whether the input may be the end; adds a problem otherwise. Input that is no moment passes. */
function checkEnd(
  { draft, place }: InputPlace,
  action: Action,
  { member, within }: NonNullable<Resource["ends"]>,
  input: unknown,
): boolean {
  const end = typeof input === "string" ? readTimestamp(input) : undefined
  const now = Date.parse(draft.fresh.now())
  const most = within === undefined ? undefined : present(readDuration(within), "the declaration was checked")
  const wrong =
    most !== undefined && (input === null || (end !== undefined && Date.parse(end) > now + most + leeway))
      ? `must be at most ${within} away${input === null ? ", not null" : ""}`
      : action === "create" && end !== undefined && Date.parse(end) <= now
        ? "must be in the future"
        : undefined
  if (wrong !== undefined) draft.problems.add("invalid_value", [...place, member], `\`${member}\` ${wrong}.`)
  return wrong === undefined
}
