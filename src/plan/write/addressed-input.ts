// The input of a record that an address names: the values in the address are members of the record, and an input may repeat
// them.
import { invariant } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import { evaluate } from "../../model/evaluation/evaluate.ts"
import { formerFields } from "../../model/former-fields.ts"
import type { Field, Resource, ToOne } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import { resourceNamed, subjectName, targetOf, wholeOf } from "../lookup.ts"
import { isObject, PendingKey } from "../pending-key.ts"
import { ownEqualities } from "../read/record.ts"
import type { Equality, RecordRoot, Value } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { readId } from "../values/ids.ts"
import { readValue, valueTypeOf } from "../values/values.ts"
import { type Action, inputMembers, keyParts } from "./inputs.ts"
import { contradiction, refused } from "./write-input.ts"

type By = RecordRoot["by"]

/**
 * The id of a record with a natural key, taken apart into the members of the key; an id that the creator gave stays whole.
 * A member is null where the address was refused already. Undefined where no member holds some part of the key.
 */
export function nameMembers(draft: Draft, resource: Resource, by: By): By | undefined {
  const [first, ...more] = by
  if (more.length > 0 || first?.subject.kind !== "id" || resource.key?.origin === "given") return by
  const key = draft.values[first.slot]
  const parts = keyParts(resource)
  const columns = parts.map(({ column }) => column)
  const valueAt = (column = ""): Value => {
    const index = columns.indexOf(column)
    invariant(index >= 0, "the key has a value for each part")
    return Array.isArray(key) ? (key[index] ?? null) : null
  }
  const members: Equality[] = []
  const seen = new Set<string>()
  const formers = formersOf(draft, resource, new Map(columns.map((column) => [column, valueAt(column)])))
  const told = new Set<string>()
  for (const { column } of parts) {
    if (seen.has(column)) continue
    const field = [...resource.fields.values()].find((candidate) => candidate.column === column)
    if (field) {
      const { slot } = draft.bind(valueAt(column))
      members.push({ subject: { kind: "field", field: field.name }, slot })
      continue
    }
    const own = formers.filter(({ source }) => source.column === column)
    const [first] = own
    if (first) {
      const former = own.filter(({ subject }) => !told.has(subject.field))
      for (const { subject } of former) told.add(subject.field)
      const { slot } = draft.bind(valueAt(column))
      members.push({
        subject: { kind: "field", field: first.source.name },
        slot,
        former: former.map(({ subject, value }) => ({ subject, ...draft.bind(value) })),
      })
      continue
    }
    const relation = referenceAt(resource, column)
    // Hidden from the caller, or not to be given: they cannot make the record, and name it by its id.
    if (!relation) return undefined
    for (const { from } of relation.join) seen.add(from)
    const target = resourceNamed(draft.model, relation.target)
    const value = keyParts(target).map((part) =>
      valueAt(relation.join.find(({ to }) => to === part.column)?.from),
    )
    members.push({ subject: { kind: "reference", relation: relation.name }, ...draft.bind(value) })
  }
  return members
}

interface Former {
  readonly subject: Extract<Subject, { readonly kind: "field" }>
  readonly value: Value
  /** The newest version's field that is written of it. */
  readonly source: Field
}

/** Former fields that write the key, with the values that a key gives them. @param values by column */
function formersOf(
  { model }: Draft,
  resource: Resource,
  values: ReadonlyMap<string, Value>,
): readonly Former[] {
  if (!model.newest) return []
  const parts = [...resourceNamed(wholeOf(model), resource.name).fields.values()].filter(
    ({ column }) => (values.get(column) ?? null) !== null,
  )
  const known = new Map(parts.map(({ name, column }) => [name, values.get(column) ?? null]))
  return formerFields(resource).flatMap(({ field, expression, sources }): readonly Former[] => {
    const { lens, name } = field
    if (!lens || !sources.every((source) => known.has(source))) return []
    const read = readValue(valueTypeOf(model, field), evaluate(expression, field, known), "json")
    if (!read.ok) return []
    return parts.flatMap((source) =>
      lens.writes.has(source.name) && sources.includes(source.name)
        ? [{ subject: { kind: "field", field: name }, value: read.value, source }]
        : [],
    )
  })
}

function referenceAt(resource: Resource, column: string): ToOne | undefined {
  const ones = [...resource.relations.values()].filter((relation) => relation.kind === "one")
  return ones.find(
    ({ reference, join }) => reference !== undefined && join.some(({ from }) => from === column),
  )
}

/** The address of a record, as far as an input may repeat it. */
export interface Address {
  readonly by: By
  /** Equalities that it says besides: the id that was taken apart into `by`. */
  readonly also?: By
}

interface Addressed extends Address {
  readonly resource: Resource
  /** Absent where members of the address are no part of the input. */
  readonly action?: Action
  /** `keep`: another value may be given for a member that the action takes. `clear`: the record has the address's value. */
  readonly absent: "keep" | "clear"
}

/**
 * The input as the action reads it: without repetitions of the address, and with members that only the address gives.
 * A member that contradicts the address is refused as `readonly_field`, here or with other members that are not taken.
 */
export function addressedInput(
  draft: Draft,
  { resource, by, also = [], action, absent }: Addressed,
  { input, place }: { readonly input: unknown; readonly place: Place },
): unknown {
  if (!isObject(input)) return input
  const takes = action && inputMembers(draft.model, resource, action)
  const read = new Map(Object.entries(input))
  const own = ownEqualities(by)
  for (const { subject, value } of saidBy(draft, resource, [...own, ...ownEqualities(also)])) {
    const name = subjectName(resource, subject)
    const isTaken = takes?.has(name) === true
    if (!read.has(name) || read.get(name) === refused || (isTaken && absent === "keep")) continue
    const isSame = value === null || repeats(draft, resource, { subject, value }, read.get(name))
    if (isSame && !isTaken) read.delete(name)
    if (isSame || !isTaken) continue
    draft.problems.add("readonly_field", [...place, name], contradiction(name))
    read.set(name, refused)
  }
  if (absent === "keep") return read.size === Object.keys(input).length ? input : Object.fromEntries(read)
  for (const { subject, slot } of own) {
    const name = subjectName(resource, subject)
    if (!read.has(name) && takes?.has(name))
      read.set(name, filledIn(draft, resource, { subject, value: draft.values[slot] ?? null, slot }))
  }
  return Object.fromEntries(read)
}

interface Said {
  readonly subject: Subject
  /** Null: it was refused already, or is not known yet. */
  readonly value: Value
}

/** Values of the address, and of the members that an id consists of. */
function saidBy(draft: Draft, resource: Resource, by: By): readonly Said[] {
  return by.flatMap(({ subject, slot }): readonly Said[] => {
    const value = draft.values[slot] ?? null
    const own = { subject, value }
    return subject.kind === "id" && resource.key?.origin === "natural" && isKey(value)
      ? [own, ...membersOf(draft, resource, value)]
      : [own]
  })
}

const isKey = (value: Value): value is readonly Value[] => Array.isArray(value)

/** All members that have a part of the natural key. */
function membersOf(draft: Draft, resource: Resource, key: readonly Value[]): readonly Said[] {
  const values = new Map(keyParts(resource).map(({ column }, index) => [column, key[index] ?? null]))
  const fields = [...resource.fields.values()].flatMap(({ name, column }): readonly Said[] => {
    const value = values.get(column)
    return value === undefined ? [] : [{ subject: { kind: "field", field: name }, value }]
  })
  const formers = formersOf(draft, resource, values)
  const references = [...resource.relations.values()].flatMap((relation): readonly Said[] => {
    if (relation.kind !== "one" || relation.reference === undefined || relation.first) return []
    if (!relation.join.every(({ from }) => values.has(from))) return []
    const value = keyParts(resourceNamed(draft.model, relation.target)).map(
      (part) => values.get(relation.join.find(({ to }) => to === part.column)?.from ?? "") ?? null,
    )
    return [{ subject: { kind: "reference", relation: relation.name }, value }]
  })
  return [...fields, ...formers, ...references]
}

/** Whether the input, as a client writes it, is the value. */
function repeats(draft: Draft, resource: Resource, { subject, value }: Said, input: unknown): boolean {
  if (input instanceof PendingKey) {
    const known = draft.values[input.key.slot] ?? null
    return known !== null && isEqual(known, value)
  }
  if (subject.kind === "field") {
    const field = resource.fields.get(subject.field)
    const read = field && acceptValue(valueTypeOf(draft.model, field), input, "json")
    return read?.ok === true && isEqual(read.value, value)
  }
  const text = typeof input === "number" && Number.isSafeInteger(input) ? String(input) : input
  const key = typeof text === "string" ? readId(keyed(draft, resource, subject), text) : undefined
  return key !== undefined && isEqual(key, value)
}

/** Both are canonical; a whole number of a key may be a bigint. */
function isEqual(one: Value, other: Value): boolean {
  if (!isKey(one) || !isKey(other)) return String(one) === String(other)
  return one.length === other.length && one.every((part, index) => isEqual(part, other[index] ?? null))
}

const keyed = (draft: Draft, resource: Resource, subject: Subject): Resource =>
  subject.kind === "reference" ? targetOf(draft.model, resource, subject.relation) : resource

function filledIn(
  draft: Draft,
  resource: Resource,
  { subject, value, slot }: Said & { readonly slot: number },
): unknown {
  if (subject.kind !== "field") return new PendingKey(keyed(draft, resource, subject), { slot })
  // As a client would have written it; null stands for one that could not be read.
  return typeof value === "bigint" ? String(value) : (value ?? refused)
}
