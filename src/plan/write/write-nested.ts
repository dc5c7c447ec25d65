// Nested writes: related records written with a record, in the order that foreign keys allow.
import { perObject } from "../../base/caches.ts"
import { present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import type { Relation, Resource, ToOne } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import { hintFor, listed } from "../hints.ts"
import { inputName, newestSubject, resourceNamed, subjectName, targetOf, wholeOf } from "../lookup.ts"
import { isObject } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import type { Slot, Value } from "../read-plan.ts"
import { columnsOf } from "../selectivity.ts"
import type { Kind, Setting, Target, Write } from "../write-plan.ts"
import { mayDelete, ownedDeletes } from "./cascades.ts"
import type { InputPlace } from "./input-place.ts"
import { backOf, keyParts, type Verb } from "./inputs.ts"
import {
  beginning,
  type InputMembers,
  madeSecret,
  type NestedInput,
  ownKey,
  readInputMembers,
  readKeySlot,
  readonlyDefaults,
} from "./write-input.ts"

interface Made {
  readonly writes: readonly Write[]
  readonly key: Slot
  /** The secret of a new record, to be shown once. */
  readonly secret?: Slot
}

/** A new record and everything that is written with it; undefined when problems were added. */
export function createNested(spot: InputPlace, input: unknown): Made | undefined {
  if (!enter(spot)) return undefined
  const { draft, resource, place } = spot
  const found = draft.problems.found.length
  const given = readInputMembers(spot, "create", input)
  if (!given) return undefined
  const own = ownKey(spot)
  const chosen = given.sets.find(({ subject }) => subject.kind === "id")
  const key = own ?? chosen ?? draft.pending()
  rememberKey(spot, key.slot, given.sets)
  const nested = readNested(spot, given.nested, { key: { slot: key.slot }, exists: false })
  if (nested) refuseDisagreement(spot, [...given.sets, ...nested.sets])
  if (!nested || draft.problems.found.length > found) return undefined
  rememberKey(spot, key.slot, [...given.sets, ...nested.sets])
  const secret = madeSecret(spot, given.sets)
  const sets: Setting[] = own ? [{ subject: { kind: "id" }, slot: own.slot }] : []
  for (const some of [given.sets, secret?.sets ?? [], readonlyDefaults(spot, given.sets), nested.sets])
    for (const set of some) sets.push(set)
  const keyFrom = own || chosen ? "slot" : setsWholeKey(spot, sets) ? "sets" : "database"
  const insert: Write = {
    kind: "insert",
    resource: resource.name,
    place,
    sets,
    key: { slot: key.slot },
    keyFrom,
    ...beginning(spot),
  }
  const writes = [...nested.before, insert, ...nested.after]
  return { writes, key: { slot: key.slot }, ...(secret && { secret: secret.slot }) }
}

interface Nested {
  /** Writes that have to come before the record itself. */
  readonly before: readonly Write[]
  /** The record's own foreign keys. */
  readonly sets: readonly Setting[]
  readonly after: readonly Write[]
}

export const updateNested = (
  spot: InputPlace,
  nested: InputMembers["nested"],
  key: Slot,
  found?: Slot,
): Nested | undefined => readNested(spot, nested, { key, exists: true, ...(found && { found }) })

/** The record that nested writes are around. */
interface Around {
  readonly key: Slot
  readonly exists: boolean
  /** The key as it was found before an upsert; null for a new record. */
  readonly found?: Slot
}

function readNested(spot: InputPlace, nested: InputMembers["nested"], around: Around): Nested | undefined {
  if (nested.size === 0) return nothing
  const { problems } = spot.draft
  const found = problems.found.length
  const read = [...nested.values()].map((input) => readRelation(spot, input, around))
  return problems.found.length > found
    ? undefined
    : {
        before: read.flatMap(({ before }) => before),
        sets: read.flatMap(({ sets }) => sets),
        after: read.flatMap(({ after }) => after),
      }
}

const nothing: Nested = { before: [], sets: [], after: [] }

function readRelation(spot: InputPlace, nested: NestedInput, around: Around): Nested {
  const { member, value, place, isReference } = nested
  const { relation } = member
  const verbsGiven = readVerbs(spot, member, value, place)
  if (!verbsGiven) return nothing
  const { draft, resource } = spot
  const target = targetOf(draft.model, resource, relation.name)
  // Nested records do not inherit the surroundings of this record.
  const { within: _, ...apart } = spot
  const inner: Inner = {
    ...apart,
    resource: target,
    level: spot.level + 1,
    parent: resource,
    relation,
    around,
  }
  const single = relation.kind === "one"
  if (single && relation.reference !== undefined && verbsGiven.size !== 1) {
    draft.problems.add("invalid_value", place, `\`${relation.name}\` takes one thing to do at a time.`)
    return nothing
  }
  if (single && relation.reference !== undefined && !relation.first)
    return readToOne({ ...inner, place }, relation, verbsGiven)
  if (single && relation.first && around.exists)
    return readFirst({ ...inner, place }, relation, verbsGiven, isReference)
  const after = order.flatMap((verb) => {
    const given = verbsGiven.get(verb)
    if (given === undefined) return []
    const at = isReference ? place : [...place, verb]
    const items = itemsOf(inner, verb, given, { place: at, single })
    return items.flatMap(({ item, at }) => writeItem({ ...inner, place: at }, verb, item, single))
  })
  return { before: [], sets: [], after }
}

/** Deletes come before creates: a new line may take the place of one that is deleted. */
const order: readonly Verb[] = ["unlink", "delete", "update", "link", "create"]

interface Inner extends InputPlace {
  /** The resource of the record around, and its relation that leads here. */
  readonly parent: Resource
  readonly relation: Relation
  readonly around: Around
}

function readVerbs(
  { draft: { problems } }: InputPlace,
  { relation, verbs }: NestedInput["member"],
  value: unknown,
  place: Place,
): ReadonlyMap<Verb, unknown> | undefined {
  if (!isObject(value)) {
    problems.add(
      "invalid_value",
      place,
      `\`${relation.name}\` must be an object that names the operation, not ${quoteInput(value)}.`,
      `It takes ${listed(verbs, "and")}.`,
    )
    return undefined
  }
  const given = new Map<Verb, unknown>()
  for (const [name, inner] of Object.entries(value)) {
    const verb = verbs.find((known) => known === name)
    if (verb) given.set(verb, inner)
    else
      problems.add(
        "unknown_field",
        [...place, name],
        `\`${relation.name}\` does not take ${quoteInput(name)} here.`,
        hintFor(name, verbs) ?? `It takes ${listed(verbs, "and")}.`,
      )
  }
  return given.size === 0 && Object.keys(value).length > 0 ? undefined : given
}

/** A to-many relation takes lists, a to-one relation one thing. */
function itemsOf(
  { draft: { problems }, relation }: Inner,
  verb: Verb,
  given: unknown,
  { place, single }: { readonly place: Place; readonly single: boolean },
): readonly { readonly item: unknown; readonly at: Place }[] {
  if (single) return [{ item: given, at: place }]
  if (Array.isArray(given)) return given.map((item: unknown, index) => ({ item, at: [...place, index] }))
  problems.add(
    "invalid_value",
    place,
    `\`${relation.name}.${verb}\` must be a list, not ${quoteInput(given)}.`,
  )
  return []
}

/** The foreign key is the record's own. */
function readToOne(inner: Inner, relation: ToOne, given: ReadonlyMap<Verb, unknown>): Nested {
  const { draft, around, parent } = inner
  const [verb, value] = present([...given][0], "one thing is to be done")
  const spot = { ...inner, place: [...inner.place, verb] }
  const subject = { kind: "reference", relation: relation.name } as const
  const located = (): { readonly write: Write; readonly into: Slot } => {
    const into = draft.pending()
    const target: Target = { by: [{ subject: { kind: "id" }, slot: around.key.slot }] }
    return {
      into,
      write: {
        kind: "locate",
        resource: parent.name,
        place: inner.place,
        target,
        relation: relation.name,
        into,
      },
    }
  }
  switch (verb) {
    case "create": {
      const made = createNested(spot, value)
      return made ? { before: made.writes, sets: [{ subject, ...made.key }], after: [] } : nothing
    }
    case "link": {
      const key = readKeySlot(draft, spot.resource, value, spot.place)
      return key ? { ...nothing, sets: [{ subject, ...key }] } : nothing
    }
    case "unlink":
      return isTrue(spot, value) ? { ...nothing, sets: [{ subject, ...draft.bind(null) }] } : nothing
    case "update": {
      const { write, into } = located()
      const update = updateOf(spot, value, { by: byId(into) }, into)
      return { ...nothing, before: update.length > 0 ? [write, ...update] : [] }
    }
    case "delete": {
      if (!isTrue(spot, value)) return nothing
      const { write, into } = located()
      return {
        before: [write],
        sets: [{ subject, ...draft.bind(null) }],
        after: deleteOf(spot, { by: byId(into) }, into),
      }
    }
  }
}

/** Another record in the place of the only one that the caller sees. A record that is linked already stays linked. */
function readFirst(
  inner: Inner,
  relation: ToOne,
  given: ReadonlyMap<Verb, unknown>,
  isReference: true | undefined,
): Nested {
  const { draft, around, parent } = inner
  const [verb, value] = present([...given][0], "one thing is to be done")
  const spot = isReference ? inner : { ...inner, place: [...inner.place, verb] }
  const made = verb === "create" ? createNested(spot, value) : undefined
  const linked = verb === "link" ? readKeySlot(draft, spot.resource, value, spot.place) : undefined
  const to = made?.key ?? linked
  if (!to && !(verb === "unlink" && isTrue(spot, value))) return nothing
  const into = draft.pending()
  const only: Write = {
    kind: "only",
    resource: parent.name,
    place: spot.place,
    target: { by: byId(around.found ?? around.key) },
    relation: relation.name,
    ...(linked && { to: linked }),
    ...(around.found && { optional: true }),
    into,
  }
  const former: Write = { ...linkOf(spot, "unlink", into), ...(linked && { keeps: linked }), seen: true }
  return {
    before: [...(made?.writes ?? []), only],
    sets: [],
    after: [former, ...(to ? [linkOf(spot, "link", to)] : [])],
  }
}

/** The foreign key is the target's, or in a join table. */
function writeItem(spot: Inner, verb: Verb, item: unknown, single: boolean): readonly Write[] {
  const { draft, relation, around, parent } = spot
  const through = relation.kind === "many" ? relation.through !== undefined : relation.first !== undefined
  const back = through ? undefined : present(backOf(draft.model, parent, relation), "a way back")
  if (verb === "create") {
    const made = createNested({ ...spot, ...(back && { within: { back, key: around.key } }) }, item)
    if (!made) return []
    return through ? [...made.writes, linkOf(spot, "link", made.key)] : made.writes
  }
  const named = single && verb !== "link" ? undefined : nameOfItem(spot, verb, item)
  if (named === "wrong" || (single && (verb === "unlink" || verb === "delete") && !isTrue(spot, item)))
    return []
  const key = named?.key
  if (through && key && (verb === "link" || verb === "unlink")) return [linkOf(spot, verb, key)]
  const ours = back ? [{ subject: { kind: "reference", relation: back.name } as const, ...around.key }] : []
  const target: Target = {
    by: [
      ...(key && verb !== "link" ? byId(key) : []),
      ...(verb === "link" ? byId(present(key, "an id")) : ours),
    ],
    ...(through && { linked: { resource: parent.name, relation: relation.name, from: around.key } }),
  }
  const own = { resource: spot.resource.name, place: spot.place }
  if (verb === "link" || verb === "unlink") {
    const subject = { kind: "reference", relation: present(back, "a way back").name } as const
    const slot = verb === "link" ? around.key : draft.bind(null)
    return [{ kind: "update", ...own, target, sets: [{ subject, ...slot }] }]
  }
  const { at, into, located } = keyOfItem(spot, key, target)
  const done =
    verb === "update"
      ? updateOf(at, single ? item : named?.input, target, into)
      : [
          ...(through ? [linkOf(spot, "unlink", into)] : []),
          ...deleteOf(at, through || !key ? { by: byId(into) } : target, into),
        ]
  return [...located, ...done]
}

/** The only record of a one-to-one relation has no id in the input: it is found first. */
function keyOfItem(spot: Inner, key: Slot | undefined, target: Target) {
  if (key) return { at: spot, into: key, located: [] }
  const into = spot.draft.pending()
  const located: Write = { kind: "locate", resource: spot.resource.name, place: spot.place, target, into }
  return { at: spot, into, located: [located] }
}

interface NamedItem {
  readonly key: Slot
  readonly input: unknown
}

/** `{id, input}` for an update, else an id. */
function nameOfItem(spot: Inner, verb: Verb, item: unknown): NamedItem | "wrong" {
  const { draft, place, resource } = spot
  if (verb !== "update") {
    const key = readKeySlot(draft, resource, item, place)
    return key ? { key, input: undefined } : "wrong"
  }
  if (!isObject(item) || !("id" in item) || !("input" in item) || Object.keys(item).length !== 2) {
    draft.problems.add(
      "invalid_value",
      place,
      `An update of ${spot.relation.name} must be an object of id and input.`,
      "Name its `id`, and give the changes as `input`.",
    )
    return "wrong"
  }
  const key = readKeySlot(draft, resource, item["id"], [...place, "id"])
  return key ? { key, input: item["input"] } : "wrong"
}

function linkOf<Of extends "link" | "unlink">(
  { parent, relation, place, around }: Inner,
  kind: Of,
  to: Slot,
) {
  return { kind, resource: parent.name, place, relation: relation.name, from: around.key, to }
}

function updateOf(spot: Inner, input: unknown, target: Target, key: Slot): readonly Write[] {
  if (!enter(spot)) return []
  const at: InputPlace = {
    ...spot,
    place: spot.relation.kind === "many" ? [...spot.place, "input"] : spot.place,
  }
  const given = readInputMembers(at, "update", input)
  const nested = given && updateNested(at, given.nested, key)
  if (!given || !nested) return []
  const sets = [...given.sets, ...nested.sets]
  const named = spot.relation.kind === "many" && { places: { record: [...spot.place, "id"] } }
  const update: Write = {
    kind: "update",
    resource: spot.resource.name,
    place: at.place,
    target,
    ...named,
    sets,
    ...touchedBy(nested, sets),
  }
  return [...nested.before, update, ...nested.after]
}

/** The mark of an update whose related records are written around it. Links that exist as requested change nothing. */
export function touchedBy(
  { before, after }: Nested,
  sets: readonly Setting[],
): Pick<Kind<"update">, "touch" | "moves"> {
  const around = [...before, ...after].filter(({ kind }) => kind !== "only")
  if (around.length === 0) return {}
  const moves = around.filter((write) => write.kind === "link" || write.kind === "unlink")
  return { touch: true, ...(sets.length === 0 && moves.length === around.length && { moves }) }
}

function deleteOf(spot: Inner, target: Target, key: Slot): readonly Write[] {
  const { draft, resource, place } = spot
  const children = ownedDeletes(draft, resource, { keys: key, place })
  const own = { resource: resource.name, place }
  return [...mayDelete(own, key, children), ...children, { kind: "delete", ...own, target }]
}

const byId = ({ slot }: Slot): Target["by"] => [{ subject: { kind: "id" }, slot }]

function isTrue({ draft: { problems }, place }: InputPlace, value: unknown): boolean {
  if (value === true) return true
  problems.add("invalid_value", place, `\`${String(place.at(-1))}\` must be true, not ${quoteInput(value)}.`)
  return false
}

/** Whether there may be another record, this deep. */
function enter({ draft, level, place, budget }: InputPlace): boolean {
  const { problems, model } = draft
  if (level > model.limits.depth) {
    problems.add(
      "too_deep",
      place,
      `Records may be nested at most ${model.limits.depth} deep (limit \`depth\`).`,
    )
    return false
  }
  budget.left -= 1
  if (budget.left >= 0) return true
  if (budget.left === -1)
    problems.add("too_large", place, "This is more than a request may write.", "Send it in several requests.")
  return false
}

// References by a key that the caller chose, to a record that the operation makes before it (docs/guide/permissions.md).

/** Marks such references and links: the record is not looked up before the operation. */
export function markMade(
  { draft, keys }: Pick<InputPlace, "draft" | "keys">,
  writes: readonly Write[],
): readonly Write[] {
  if (keys.size === 0) return writes
  const made = new Set<string>()
  const leadsThere = (write: Write, relation: string, slot: number): boolean => {
    const target = targetOf(draft.model, resourceNamed(draft.model, write.resource), relation)
    const key = draft.values[slot]
    return Array.isArray(key) && made.has(nameOf(target.name, key))
  }
  return writes.map((write): Write => {
    if (write.kind === "link" && write.to && leadsThere(write, write.relation, write.to.slot))
      return { ...write, made: true }
    if (write.kind !== "insert" && write.kind !== "update" && write.kind !== "upsert") return write
    // A record may refer to itself.
    const own = write.kind === "update" ? undefined : keys.get(write.key.slot)
    if (own && !mayRename(draft, write)) made.add(nameOf(write.resource, own))
    const marked = (set: Setting): Setting => {
      const { subject, slot, newest } = set
      const isMade = !newest && subject.kind === "reference" && leadsThere(write, subject.relation, slot)
      return isMade ? { ...set, made: true } : set
    }
    return { ...write, sets: write.sets.map(marked) }
  })
}

const nameOf = (resource: string, key: readonly Value[]): string =>
  JSON.stringify([resource, key.map(String)])

/** A hook may give the record another key. */
const mayRename = ({ model }: Draft, { resource }: Write): boolean =>
  resourceNamed(wholeOf(model), resource).before?.create !== undefined

// Members that share a column, as a composite foreign key shares one with the key: all values given for the column must be
// the same.

/** Adds a problem for each member that says of a column something else than one before it. */
export function refuseDisagreement(spot: InputPlace, sets: readonly Setting[]): void {
  const { place, draft } = spot
  const resource = wholeResource(spot)
  const shared = sharedColumns(resource)
  if (shared.size === 0) return
  const said = new Map<string, { readonly name: string; readonly value: Value }>()
  for (const set of sets) {
    const name = columnsText(spot, set)
    for (const [column, value] of valuesOf(spot, set)) {
      const first = said.get(column)
      if (!first) said.set(column, { name, value })
      else if (shared.has(column) && String(first.value) !== String(value))
        draft.problems.add(
          "invalid_value",
          [...place, name],
          `\`${name}\` and \`${first.name}\` must agree: they have a part in common, which is ${String(value)} in \`${name}\` and ${String(first.value)} in \`${first.name}\`.`,
        )
    }
  }
}

/** Keeps the key of a record that is about to be made, where people choose it, for the writes nested in it and around it. */
export function rememberKey(spot: InputPlace, slot: number, sets: readonly Setting[]): void {
  const origin = spot.resource.key?.origin
  if (origin !== "natural" && origin !== "given") return
  const values = new Map(sets.flatMap((set) => valuesOf(spot, set)))
  const key = keyParts(wholeResource(spot)).map(({ column }) => values.get(column))
  if (key.every((part) => part !== undefined)) spot.keys.set(slot, key as readonly Value[])
}

/** Whether all parts of a natural key are set; the others are made by the database. */
function setsWholeKey(spot: InputPlace, sets: readonly Setting[]): boolean {
  if (spot.resource.key?.origin !== "natural") return false
  const resource = wholeResource(spot)
  const columns = new Set(sets.flatMap((set) => columnsOf(resource, wholeSubject(spot, set))))
  return keyParts(resource).every(({ column }) => columns.has(column))
}

/** With members that the caller may set and not read. */
const wholeResource = ({ draft, resource }: InputPlace): Resource =>
  resourceNamed(wholeOf(draft.model), resource.name)

const wholeSubject = ({ resource }: InputPlace, { subject, newest }: Setting): Subject =>
  newest ? subject : newestSubject(resource, subject)

/** As the input has it. */
function columnsText(spot: InputPlace, set: Setting): string {
  const { subject, newest } = set
  const isOwn = subject.kind !== "reference" || (!newest && spot.resource.relations.has(subject.relation))
  return isOwn ? inputName(spot.resource, set) : subjectName(wholeResource(spot), wholeSubject(spot, set))
}

/** By column, as far as they are known before any write; a missing value says nothing. */
function valuesOf(spot: InputPlace, set: Setting): readonly (readonly [column: string, value: Value])[] {
  const { slot } = set
  const subject = wholeSubject(spot, set)
  const value = spot.keys.get(slot) ?? spot.draft.values[slot] ?? null
  return columnsOf(wholeResource(spot), subject).flatMap((column, part) => {
    const own = subject.kind === "field" ? value : Array.isArray(value) ? (value[part] ?? null) : null
    return own === null ? [] : [[column, own as Value] as const]
  })
}

/** A resource belongs to one model, and both are frozen. */
const sharedColumns = perObject((resource: Resource): ReadonlySet<string> => {
  const subjects: Subject[] = [
    ...(resource.key?.origin === "given" ? [{ kind: "id" } as const] : []),
    ...[...resource.fields.keys()].map((field) => ({ kind: "field", field }) as const),
    ...[...resource.relations.values()].flatMap((relation) =>
      relation.kind === "one" && relation.reference !== undefined
        ? [{ kind: "reference", relation: relation.name } as const]
        : [],
    ),
  ]
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const subject of subjects)
    for (const column of columnsOf(resource, subject)) (seen.has(column) ? shared : seen).add(column)
  return shared
})
