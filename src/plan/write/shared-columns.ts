// Members that have a column in common, as a composite foreign key and the key that it shares a column with: what is said
// of it twice has to be the same.

import type { Subject } from "../../model/condition.ts"
import type { Resource } from "../../model/model.ts"
import { inputName, newestSubject, resourceNamed, subjectName, wholeOf } from "../lookup.ts"
import type { Value } from "../read-plan.ts"
import { columnsOf } from "../selectivity.ts"
import type { Setting } from "../write-plan.ts"
import type { InputPlace } from "./input-place.ts"
import { keyParts } from "./inputs.ts"

/** Adds a problem for each member that says of a column something else than one before it. */
export function refuseDisagreement(spot: InputPlace, sets: readonly Setting[]): void {
  const { place, draft } = spot
  const resource = wholeResource(spot)
  const shared = sharedColumns(resource)
  if (shared.size === 0) return
  const said = new Map<string, { readonly name: string; readonly value: Value }>()
  for (const set of sets) {
    const name = nameOf(spot, set)
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

/** Keeps the key of a record that is about to be made, where people choose it, for what is nested in it and around it. */
export function rememberKey(spot: InputPlace, slot: number, sets: readonly Setting[]): void {
  const origin = spot.resource.key?.origin
  if (origin !== "natural" && origin !== "given") return
  const values = new Map(sets.flatMap((set) => valuesOf(spot, set)))
  const key = keyParts(wholeResource(spot)).map(({ column }) => values.get(column))
  if (key.every((part) => part !== undefined)) spot.keys.set(slot, key as readonly Value[])
}

/** Whether all parts of a natural key are set; the others are made by the database. */
export function setsWholeKey(spot: InputPlace, sets: readonly Setting[]): boolean {
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
function nameOf(spot: InputPlace, set: Setting): string {
  const { subject, newest } = set
  const isOwn = subject.kind !== "reference" || (!newest && spot.resource.relations.has(subject.relation))
  return isOwn ? inputName(spot.resource, set) : subjectName(wholeResource(spot), wholeSubject(spot, set))
}

/** By column, as far as they are known before anything is written; what is missing says nothing. */
function valuesOf(spot: InputPlace, set: Setting): readonly (readonly [column: string, value: Value])[] {
  const { slot } = set
  const subject = wholeSubject(spot, set)
  const value = spot.keys.get(slot) ?? spot.draft.values[slot] ?? null
  return columnsOf(wholeResource(spot), subject).flatMap((column, part) => {
    const own = subject.kind === "field" ? value : Array.isArray(value) ? (value[part] ?? null) : null
    return own === null ? [] : [[column, own as Value] as const]
  })
}

function sharedColumns(resource: Resource): ReadonlySet<string> {
  const known = settled.get(resource)
  if (known) return known
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
  settled.set(resource, shared)
  return shared
}

/** A resource belongs to one model, and both are frozen. */
const settled = new WeakMap<Resource, ReadonlySet<string>>()
