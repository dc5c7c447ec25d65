// Increments in the input of an update: numbers added to the record's value at the time of the write.
import type { Place } from "../../base/problem.ts"
import { isFormerField } from "../../model/former-fields.ts"
import type { Field, Model, Resource } from "../../model/model.ts"
import { hintFor } from "../hints.ts"
import { isObject } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import type { Slot } from "../read-plan.ts"
import { readValue } from "../values/values.ts"
import type { Kind, Setting, Target } from "../write-plan.ts"
import type { InputPlace } from "./input-place.ts"
import { type InputMember, inputMembers } from "./inputs.ts"
import { permissionDeniedText } from "./problems.ts"

/** The member of an update that has increments by field. */
export const incrementName = "increment"

/** For the documents of both faces. */
export const incrementMeaning = "Numbers added to the record's values; numbers below zero reduce them."

/** In the input of user code, whose fields may have any name: the increments. */
export const increments: unique symbol = Symbol("increments")

type FieldMember = Extract<InputMember, { readonly kind: "field" }>

/** Exact numbers that the caller reads in every record that it sees; none where a member has the name `increment`. */
export function incrementable(model: Model, resource: Resource): readonly FieldMember[] {
  const members = inputMembers(model, resource, "update")
  if (!members || members.has(incrementName)) return []
  return [...members.values()]
    .filter((member) => member.kind === "field")
    .filter(mayIncrement(model, resource))
}

const mayIncrement =
  ({ managed }: Model, { fields }: Resource) =>
  ({ field, name }: FieldMember): boolean =>
    isExact(field, managed) && fields.has(name) && !fields.get(name)?.seen

/** A decimal is exact where its digits are declared, and the column is Bifold's own: SQLite keeps others as floating-point numbers. */
const isExact = (field: Field, managed: boolean): boolean => {
  const { scalar, list, lens, stored, constraints } = field
  if (list || lens || isFormerField(field)) return false
  if (scalar !== "decimal") return scalar === "integer" || scalar === "int64"
  return managed && stored === "plain" && constraints.precision !== undefined && (constraints.scale ?? 0) >= 0
}

/** A number that is added to a member. */
export interface Increment {
  readonly field: string
  readonly at: Place
  readonly by: Slot
  readonly into: Slot
}

/** Whether the input has increments, and not a member of this name. */
export const takesIncrements = (model: Model, resource: Resource, input: object): boolean =>
  increments in input || (incrementName in input && incrementable(model, resource).length > 0)

/** Reads an input that has increments. Mistakes are added to the draft. */
export function readIncrements(
  spot: InputPlace,
  input: Readonly<Record<string | symbol, unknown>>,
): readonly Increment[] {
  const { draft, resource, place } = spot
  const members = new Map(incrementable(draft.model, resource).map((member) => [member.name, member]))
  const own = input[increments]
  const given = own ?? (members.size > 0 ? input[incrementName] : undefined)
  const at = own === undefined ? [...place, incrementName] : place
  if (given === undefined) return []
  if (!isObject(given)) {
    const message = `\`${incrementName}\` must be an object of numbers by field, not ${quoteInput(given)}.`
    draft.problems.add("invalid_value", at, message)
    return []
  }
  // A nested one would reveal links to records that the caller does not see.
  if (spot.level > 0) {
    const hint = "Increment it by an operation of its own."
    draft.problems.add("invalid_value", at, "A nested update has no increments.", hint)
    return []
  }
  return Object.entries(given).flatMap(([name, by]): readonly Increment[] => {
    const member = members.get(name)
    if (!member) refuseMember(spot, name, [...at, name], [...members.keys()])
    else if (Object.hasOwn(input, name))
      draft.problems.add("invalid_value", [...at, name], `\`${name}\` is set or incremented, not both.`)
    else return readIncrement(spot, member, [...at, name], by)
    return []
  })
}

function readIncrement(
  { draft }: InputPlace,
  { name, type }: FieldMember,
  at: Place,
  by: unknown,
): readonly Increment[] {
  const read = readValue(type, by, "json")
  if (read.ok) return [{ field: name, at, by: draft.bind(read.value), into: draft.pending() }]
  draft.problems.add("invalid_value", at, `\`${name}\` ${read.wrong}.`, read.hint)
  return []
}

function refuseMember(
  { draft: { model, problems }, resource }: InputPlace,
  name: string,
  at: Place,
  names: readonly string[],
): void {
  const isWritten = inputMembers(model, resource, "update")?.has(name)
  // The result would reveal the value.
  if (isWritten && (!resource.fields.has(name) || resource.fields.get(name)?.seen))
    problems.add("forbidden", at, permissionDeniedText("update", resource.name))
  else
    problems.add(
      "unknown_field",
      at,
      `${quoteInput(name)} is no number to be incremented.`,
      hintFor(name, names),
    )
}

export const settingsOfIncrements = (given: readonly Increment[]): readonly Setting[] =>
  given.map(({ field, into }) => ({ subject: { kind: "field", field }, isSum: true, ...into }))

/** @param target the record of the update, which is one */
export const sumsOf = (
  { resource, place }: InputPlace,
  given: readonly Increment[],
  target: Target,
): readonly Kind<"sum">[] =>
  given.map(({ field, at, by, into }) => ({
    kind: "sum",
    resource: resource.name,
    place,
    target,
    field,
    by,
    at,
    into,
  }))
