// Writes: reads requests to create, change or delete as writes of a plan, with every mistake and its place.

import { withArticle } from "../../base/article.ts"
import { invariant, present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Field, Model, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { operatorsOf } from "../../model/operators.ts"
import type { Draft } from "../draft/draft.ts"
import { writeKey } from "../draft/plan-cache.ts"
import { constantTruth } from "../every-record.ts"
import { inputName, newestOf, newestSubject, resourceNamed, subjectName } from "../lookup.ts"
import { readWhere } from "../read/list.ts"
import { ownEqualities } from "../read/record.ts"
import type { Filter, List, RecordRoot, Slot } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { valueTypeOf } from "../values/values.ts"
import type { Fixed, Places, Setting, Target, Write } from "../write-plan.ts"
import { type Address, addressedInput } from "./addressed-input.ts"
import { mayDelete, ownedDeletes } from "./cascades.ts"
import { type Increment, increments, sumsOf } from "./increments.ts"
import type { InputPlace } from "./input-place.ts"
import { inputMembers } from "./inputs.ts"
import {
  beginning,
  clearedSettings,
  type InputMembers,
  ownKey,
  readInputMembers,
  readonlyDefaults,
  wrongKey,
} from "./write-input.ts"
import {
  createNested,
  markMade,
  refuseDisagreement,
  rememberKey,
  touchedBy,
  updateNested,
} from "./write-nested.ts"

/** The writes of an operation; `key` holds the record's key, or a list of keys, once it has run. */
export interface Effect {
  readonly writes: readonly Write[]
  readonly key: Slot
  /** The secret of a new record, to be shown once. */
  readonly secret?: Slot
}

/** Whether these are more than a request may write. Cascades of a delete have a bound of their own. */
export const isTooMuch = ({ limits }: Pick<Model, "limits">, writes: readonly Write[]): boolean =>
  writes.filter((write) => writesRecord[write.kind] && !write.cascade && !looks(write)).length > limits.writes

export const tooManyWrites = ({ limits }: Pick<Model, "limits">): string =>
  `A request may write at most ${limits.writes} records (limit \`writes\`).`

const looks = (write: Write): boolean => write.kind === "update" && write.looks === true

/** The others find a record, or ask something about it. */
const writesRecord: Readonly<Record<Write["kind"], boolean>> = {
  insert: true,
  update: true,
  delete: true,
  upsert: true,
  link: true,
  unlink: true,
  find: false,
  locate: false,
  only: false,
  sum: false,
  collect: false,
  may: false,
  check: false,
  judge: false,
  refers: false,
}

/** Equal texts: effects that differ in bound values only. */
export function effectKey(effect: Effect | undefined): string {
  if (!effect) return ""
  let text = `${effect.key.slot}${effect.secret ? `/${effect.secret.slot}` : ""}`
  for (const write of effect.writes) text += `;${writeKey(write)}`
  return text
}

export interface InputAt {
  /** As JSON.parse gives it. */
  readonly input: unknown
  readonly place: Place
}

/** Undefined, here and below, when problems were added to the draft. @param address under which the record is made */
export function readCreate(
  draft: Draft,
  resource: Resource,
  { input, place }: InputAt,
  address?: Address,
): Effect | undefined {
  const own = address
    ? addressedInput(draft, { resource, ...address, action: "create", absent: "clear" }, { input, place })
    : input
  const spot = spotOf(draft, resource, place)
  return counted(spot, createNested(spot, own))
}

/** Several at once: `key` then holds the list of their keys. */
export function readCreates(draft: Draft, resource: Resource, { input, place }: InputAt): Effect | undefined {
  if (!Array.isArray(input) || input.length === 0) {
    draft.problems.add("invalid_value", place, "The records to create must be a list of at least one.")
    return undefined
  }
  if (resource.secret) {
    const message = `Each ${apiName(resource)} is made with a secret that is shown once, so each needs a request of its own.`
    draft.problems.add("invalid_value", place, message, "Send them one by one.")
    return undefined
  }
  if (input.length > draft.model.limits.writes) return tooMany(draft, place)
  const spot = spotOf(draft, resource, place)
  const { keys } = spot
  const effects = input.map((item, index) =>
    createNested({ ...spotOf(draft, resource, [...place, index]), keys }, item),
  )
  if (effects.some((effect) => effect === undefined)) return undefined
  const all = effects.map((effect) => present(effect, "every record could be read"))
  const into = draft.pending()
  const of = all.map(({ key }) => key)
  const collect: Write = { kind: "collect", resource: resource.name, place, of, into }
  return counted(spot, { writes: [...all.flatMap(({ writes }) => writes), collect], key: into })
}

export interface Named extends Address {
  /** Versions that must contain the record's (`If-Match`). */
  readonly match?: readonly string[]
  readonly places?: Places
}

interface Versioned {
  readonly match?: Named["match"] | undefined
  readonly places?: Places | undefined
}

interface Updating {
  /** Members that are not given stay as they are, or as if they never had been given. */
  readonly absent: "keep" | "clear"
  /** Increments by field, apart from the input. */
  readonly added?: object
}

export function readUpdate(
  draft: Draft,
  resource: Resource,
  { input, place, by, also, match, places, absent, added }: InputAt & Named & Updating,
): Effect | undefined {
  const spot = spotOf(draft, resource, place)
  const found = draft.problems.found.length
  const versioned = hasVersion(draft, resource, { place, match, places })
  const own = addressedInput(
    draft,
    { resource, by, ...(also && { also }), action: "update", absent },
    { input, place },
  )
  const all = added && typeof own === "object" ? { ...own, [increments]: added } : own
  const given = readInputMembers(spot, "update", all, { completes: absent === "clear" })
  if (!given || !versioned) return undefined
  if (absent === "clear")
    refuseIncrements(spot, given.increments, "A record that is replaced has no number to add to.")
  const { key, located } = locate(draft, { resource: resource.name, place }, by)
  const nested = updateNested(spot, given.nested, key)
  if (!nested) return undefined
  refuseDisagreement(spot, [...given.sets, ...nested.sets])
  // The record has the values of its address already.
  const said = new Set(
    absent === "clear" ? ownEqualities(by).map(({ subject }) => subjectName(resource, subject)) : [],
  )
  const sets = [
    ...given.sets.filter((set) => !said.has(inputName(resource, set))),
    ...nested.sets,
    ...(absent === "clear" ? clearedSettings(spot, "update", given) : []),
  ]
  if (draft.problems.found.length > found) return undefined
  const update: Write = {
    kind: "update",
    resource: resource.name,
    place,
    target: { by: keyTarget(key) },
    sets,
    ...touchedBy(nested, sets),
    ...matchOf(draft, { match, places }),
  }
  return counted(spot, {
    writes: [
      ...located,
      ...sumsOf(spot, given.increments, update.target),
      ...nested.before,
      update,
      ...nested.after,
    ],
    key,
  })
}

export function readDelete(
  draft: Draft,
  resource: Resource,
  { place, by, match, places }: Named & { readonly place: Place },
): Effect | undefined {
  if (!hasVersion(draft, resource, { place, match, places })) return undefined
  const own = { resource: resource.name, place }
  const { key, located } = locate(draft, own, by)
  const children = ownedDeletes(draft, resource, { keys: key, place })
  // The record is checked first: children of a record of another version must stay.
  const check: readonly Write[] =
    match && children.length > 0
      ? [
          {
            kind: "update",
            ...own,
            target: { by: keyTarget(key) },
            sets: [],
            looks: true,
            ...matchOf(draft, { match, places }),
          },
        ]
      : []
  const target = { by: keyTarget(key) }
  const gone: Write = { kind: "delete", ...own, target, ...matchOf(draft, { match, places }) }
  return { writes: [...located, ...mayDelete(own, key, children), ...check, ...children, gone], key }
}

/** The unique key's values come from the address; the rest is the input. */
export function readUpsert(
  draft: Draft,
  resource: Resource,
  {
    input,
    place,
    by,
    also,
    places,
    absent,
  }: InputAt & Pick<Named, "by" | "also" | "places"> & { readonly absent: "keep" | "clear" },
): Effect | undefined {
  if (!hasVersion(draft, resource, { place, places })) return undefined
  const spot = spotOf(draft, resource, place)
  const named = new Set(ownEqualities(by).map(({ subject }) => subjectName(resource, subject)))
  const mistakes = draft.problems.found.length
  const given = readUpsertInput(spot, named, { input, by, ...(also && { also }), absent })
  if (!given) return undefined
  const unique = by.map(
    ({ subject, slot, former }): Setting => ({ subject, slot, ...(former && { newest: true }) }),
  )
  refuseDisagreement(spot, [...unique, ...given.sets])
  if (!areAcceptable(spot, ownEqualities(by)) || draft.problems.found.length > mistakes) return undefined
  const changeable = inputMembers(draft.model, resource, "update")
  const cleared = absent === "clear" ? clearedSettings(spot, "update", { ...given, sets: unique }) : []
  const asked = given.sets.filter(({ byDefault }) => !byDefault)
  const changes = [...asked, ...cleared].filter((set) => {
    const name = inputName(resource, set)
    return !named.has(name) && changeable?.has(name)
  })
  const fixed = asked.flatMap((set) => {
    const name = inputName(resource, set)
    return named.has(name) || changeable?.has(name) ? [] : fixedBy(spot, set)
  })
  const own = ownKey(spot)
  const made: readonly Setting[] = own ? [{ subject: { kind: "id" }, ...own }] : []
  const key = draft.pending()
  const links = linksOfUpsert(spot, given.nested, changes.length > 0)
  // The caller sees the related records as they were before.
  const found = given.nested.size > 0 ? draft.pending() : undefined
  const linked = links && updateNested(spot, links, key, found)
  if (!linked) return undefined
  const located: readonly Write[] =
    found && linked.before.length > 0
      ? [{ kind: "locate", resource: resource.name, place, target: { by }, into: found, optional: true }]
      : []
  const sets = [...made, ...unique, ...given.sets, ...readonlyDefaults(spot, given.sets)]
  const upsert: Write = {
    kind: "upsert",
    resource: resource.name,
    place,
    unique: unique.map(({ subject, newest }) => (newest ? subject : newestSubject(resource, subject))),
    names: [...named],
    sets,
    changes,
    ...(fixed.length > 0 && { fixed }),
    key,
    ...(places && { places }),
    ...beginning(spot),
  }
  rememberKey(spot, key.slot, sets)
  return { writes: markMade(spot, [...located, ...linked.before, upsert, ...linked.after]), key }
}

/** References of an older version that newer ones have as lists. The change of a record that is there says that they may be others. */
function linksOfUpsert(
  { draft: { problems } }: InputPlace,
  nested: InputMembers["nested"],
  isChange: boolean,
): InputMembers["nested"] | undefined {
  const found = problems.found.length
  for (const { place, isReference } of nested.values())
    if (!isReference || !isChange)
      problems.add(
        "invalid_value",
        place,
        `\`${place.at(-1)}\` cannot be written together with a record that may be there already.`,
        "Create or update the record first, and then write its related records.",
      )
  return problems.found.length > found ? undefined : nested
}

/** Without the key's own settings. Former fields in the key are part of the input: others may be written with them. */
function readUpsertInput(
  spot: InputPlace,
  named: ReadonlySet<string>,
  { input, by, also, absent }: Pick<InputAt, "input"> & Address & { readonly absent: "keep" | "clear" },
): InputMembers | undefined {
  const { draft, resource, place } = spot
  const address = { resource, by, ...(also && { also }) }
  const isFormer = by.some(({ former }) => former)
  const rest = addressedInput(
    draft,
    isFormer ? { ...address, action: "create", absent: "clear" } : { ...address, absent: "keep" },
    { input, place },
  )
  const given = readInputMembers(spot, "create", rest, {
    ...(!isFormer && { apart: named }),
    completes: absent === "clear",
    isUpsert: true,
  })
  const isOfKey = ({ subject, newest }: Setting): boolean =>
    by.some(
      (one) =>
        (one.former !== undefined) === (newest === true) &&
        JSON.stringify(one.subject) === JSON.stringify(subject),
    )
  return isFormer && given ? { ...given, sets: given.sets.filter((set) => !isOfKey(set)) } : given
}

/** A condition that an existing record already has this value, where its actor may know it and it can be compared. */
function fixedBy({ draft, resource }: InputPlace, set: Setting): readonly Fixed[] {
  const { slot, stays } = set
  const subject = set.newest ? set.subject : newestSubject(resource, set.subject)
  const { fields } = resourceNamed(newestOf(draft.model), resource.name)
  const field = subject.kind === "field" ? fields.get(subject.field) : undefined
  if (subject.kind === "field" && (!field || field.seen || !isComparable(field))) return []
  const kept: Filter | undefined = stays && { kind: "compare", subject, operator: "in", operand: stays }
  const none: Filter = { kind: "isNull", subject, is: true }
  const that: Filter =
    draft.values[slot] === null && !set.byCode
      ? kept
        ? { kind: "or", of: [none, kept] }
        : none
      : (kept ?? { kind: "compare", subject, operator: "eq", operand: { slot } })
  return [{ member: inputName(resource, set), that }]
}

const isComparable = ({ scalar, list }: Field): boolean =>
  operatorsOf({ scalar, list, optional: false }).includes("eq")

/** Values of an address are stored as well, where the record is made. */
function areAcceptable({ draft, resource, place }: InputPlace, by: RecordRoot["by"]): boolean {
  const before = draft.problems.found.length
  for (const { subject, slot } of by) {
    const key = draft.values[slot]
    const wrong = subject.kind === "id" && Array.isArray(key) ? wrongKey(resource, key) : undefined
    if (wrong !== undefined) draft.problems.add("invalid_value", [...place, "id"], `\`id\` ${wrong}.`)
    const field = subject.kind === "field" ? resource.fields.get(subject.field) : undefined
    const value = draft.values[slot] ?? null
    // Unreadable values have been refused already.
    if (!field || value === null) continue
    const type = valueTypeOf(draft.model, field)
    const read = acceptValue(type, typeof value === "bigint" ? String(value) : value, "json")
    if (!read.ok)
      draft.problems.add("invalid_value", [...place, field.name], `\`${field.name}\` ${read.wrong}.`)
  }
  return draft.problems.found.length === before
}

export type Several = {
  readonly wherePlace: Place
  /** Undefined when the request does not say, which is a mistake. */
  readonly most: number | undefined
  /** The place of `most`. */
  readonly place: Place
} & (
  | { readonly where: unknown }
  /** Read already; undefined for none, `refused` where problems were added. */
  | { readonly condition: Filter | "refused" | undefined }
)

/** Updates every record that meets the condition; the input has no nested writes. */
export function readUpdates(
  draft: Draft,
  resource: Resource,
  { input, ...several }: Several & { readonly input: InputAt },
): Effect | undefined {
  const found = findVersioned(draft, resource, several)
  const before = draft.problems.found.length
  const spot = spotOf(draft, resource, input.place)
  const given = readInputMembers(spot, "update", input.input)
  if (!given) return undefined
  for (const { place } of given.nested.values())
    draft.problems.add(
      "invalid_value",
      place,
      `\`${place.at(-1)}\` cannot be written for many records at once.`,
      "Update the records one by one to write their related records.",
    )
  refuseIncrements(spot, given.increments, "Many records at once have no number in common to add to.")
  if (!found || draft.problems.found.length > before) return undefined
  const update: Write = {
    kind: "update",
    resource: resource.name,
    place: input.place,
    target: { by: keyTarget(found.key), several: true },
    sets: given.sets,
  }
  return { writes: [...found.writes, update], key: found.key }
}

function refuseIncrements({ draft }: InputPlace, [first]: readonly Increment[], message: string): void {
  const hint = "Increment records one by one, by their ids."
  if (first) draft.problems.add("invalid_value", first.at, message, hint)
}

export function readDeletes(draft: Draft, resource: Resource, several: Several): Effect | undefined {
  const found = findVersioned(draft, resource, several)
  if (!found) return undefined
  const { key } = found
  const place = several.wherePlace
  const children = ownedDeletes(draft, resource, { keys: key, place, several: true })
  const gone: Write = {
    kind: "delete",
    resource: resource.name,
    place,
    target: { by: keyTarget(key), several: true },
  }
  const may = mayDelete({ resource: resource.name, place }, key, children, true)
  return { writes: [...found.writes, ...may, ...children, gone], key }
}

/** Which records a list root has to read to answer for several: all of them, in the order of their ids. */
export function writtenList(draft: Draft, { key, writes }: Effect): Omit<List, "members"> {
  const source = writes.find(
    (write) => (write.kind === "collect" || write.kind === "find") && write.into.slot === key.slot,
  )
  const most = source?.kind === "collect" ? source.of.length : draft.model.limits.writes
  return {
    where: { kind: "compare", subject: { kind: "id" }, operator: "in", operand: key },
    order: [{ path: [], subject: { kind: "id" }, descending: false }],
    page: {
      direction: "forward",
      limit: source?.kind === "find" ? source.most : draft.bind(most),
      atMost: draft.model.limits.writes,
    },
  }
}

/** Whether the resource's records may be changed without a version, or the request gives one. */
export function hasVersion(
  { problems }: Draft,
  resource: Resource,
  { place, match, places }: Versioned & { readonly place: Place },
): boolean {
  if (!resource.needsVersion || match !== undefined) return true
  problems.add(
    "version_required",
    places?.noVersion ?? place,
    `A change of ${withArticle(apiName(resource))} must say which version of it is meant.`,
    "Read the record and give its etag: as ifMatch in GraphQL, in If-Match by REST.",
  )
  return false
}

/** Several records have no version in common. */
export const findVersioned = (draft: Draft, resource: Resource, several: Several): Effect | undefined => {
  const versioned = hasVersion(draft, resource, several)
  const found = find(draft, resource, several)
  return versioned ? found : undefined
}

function find(draft: Draft, resource: Resource, several: Several): Effect | undefined {
  const { wherePlace, most, place } = several
  const read = "condition" in several ? several.condition : readSeveral(draft, resource, several)
  const isForAll = read && read !== "refused" && constantTruth(draft.model, resource, read)
  const condition = isForAll ? undefined : read
  if (!condition)
    draft.problems.add(
      "invalid_value",
      wherePlace,
      "A condition must say which records are meant: one that holds for every record, or is empty, does not mean all of them.",
      "To mean all of them, ask `id.notIn` with an empty list.",
    )
  const { writes } = draft.model.limits
  const allowed = most !== undefined && Number.isInteger(most) && most >= 1 && most <= writes
  if (!allowed)
    draft.problems.add(
      most === undefined ? "missing_field" : "invalid_value",
      place,
      `Give the number of records that may be affected: a whole number from 1 to ${writes}.`,
      "REST takes it as `Prefer: max-affected=10`, GraphQL as `maxAffected: 10`.",
    )
  if (!condition || condition === "refused" || !allowed) return undefined
  const into = draft.pending()
  const found: Write = {
    kind: "find",
    resource: resource.name,
    place,
    where: condition,
    most: draft.bind(most),
    into,
  }
  return { writes: [found], key: into }
}

function readSeveral(
  draft: Draft,
  resource: Resource,
  { where, wherePlace }: Extract<Several, { readonly where: unknown }>,
): Filter | "refused" | undefined {
  const before = draft.problems.found.length
  const condition = readWhere(draft, resource, { input: where, encoding: "json", place: wherePlace })
  return draft.problems.found.length > before ? "refused" : condition
}

/** The slot of the record's key: the one that names it, or one that receives it. */
export function locate(
  draft: Draft,
  own: { readonly resource: string; readonly place: Place },
  by: RecordRoot["by"],
): { readonly key: Slot; readonly located: readonly Write[] } {
  const [only, ...more] = by
  invariant(only, "a record is named by something")
  if (more.length === 0 && only.subject.kind === "id") return { key: { slot: only.slot }, located: [] }
  const key = draft.pending()
  return { key, located: [{ kind: "locate", ...own, target: { by }, into: key }] }
}

export const keyTarget = ({ slot }: Slot): Target["by"] => [{ subject: { kind: "id" }, slot }]

/** The version to be compared, if one was given, and the places of the request's parts. */
export const matchOf = (draft: Draft, { match, places }: Versioned) => ({
  ...(match && { match: draft.bind(match) }),
  ...(places && { places }),
})

const spotOf = (draft: Draft, resource: Resource, place: Place): InputPlace => ({
  draft,
  resource,
  place,
  level: 0,
  budget: { left: draft.model.limits.writes },
  keys: new Map(),
})

function tooMany(draft: Draft, place: Place): undefined {
  draft.problems.add("too_large", place, tooManyWrites(draft.model), "Send them in several requests.")
  return undefined
}

function counted(spot: InputPlace, effect: Effect | undefined): Effect | undefined {
  const { draft, place } = spot
  if (!effect || !isTooMuch(draft.model, effect.writes))
    return effect && { ...effect, writes: markMade(spot, effect.writes) }
  return tooMany(draft, place)
}
