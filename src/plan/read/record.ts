// Records: the equalities that name at most one record, by its id or by a unique key.
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import type { Resource, Unique, UniqueMember } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import { comparandOf, isNoKey, readOperand } from "../draft/operand.ts"
import { hintFor } from "../hints.ts"
import { subjectName } from "../lookup.ts"
import { quoteInput } from "../quote-input.ts"
import type { RecordRoot, Value } from "../read-plan.ts"
import { readId } from "../values/ids.ts"
import type { Encoding } from "../values/values.ts"

/** `missing`: no record of the resource can have this id. */
export function readRecord(draft: Draft, resource: Resource, idText: string): RecordRoot["by"] | "missing" {
  const key = readId(resource, idText)
  return key ? [{ subject: { kind: "id" }, slot: draft.bind(key).slot }] : "missing"
}

/** Equalities with what was refused already: they name no record, so that what else is wrong is found as well. */
export const unnamed = (draft: Draft, members: readonly Subject[]): RecordRoot["by"] =>
  members.map((subject) => ({ subject, ...draft.bind(null) }))

export interface UniqueInput {
  /** By member name: a field's, or a reference's such as `customerId`. */
  readonly values: Readonly<Record<string, unknown>>
  readonly encoding: Encoding
  /** Where the values stand; the member's name is added to it. */
  readonly place: Place
}

/** Wrong, unknown and lacking values are in the draft's problems; what is given back then names no record. */
export function readUnique(
  draft: Draft,
  resource: Resource,
  unique: Unique,
  input: UniqueInput,
): RecordRoot["by"] | "missing" {
  const by: RecordRoot["by"][number][] = []
  let impossible = false
  for (const member of unique.members) {
    const value = readMemberValue(draft, resource, member, input)
    if (value === undefined) by.push(...unnamed(draft, [member]))
    else if (member.kind === "reference" && isNoKey(value)) impossible = true
    else by.push({ subject: member, slot: draft.bind(value).slot })
  }
  refuseOthers(draft, resource, unique, input)
  return impossible ? "missing" : by
}

function readMemberValue(
  draft: Draft,
  resource: Resource,
  member: UniqueMember,
  { values, encoding, place }: UniqueInput,
): Value | undefined {
  const name = subjectName(resource, member)
  const input = Object.hasOwn(values, name) ? values[name] : undefined
  if (input === undefined || input === null) {
    draft.problems.add("invalid_value", [...place, name], `\`${name}\` must be given, and not null.`)
    return undefined
  }
  const read = readOperand("eq", comparandOf(draft.model, resource, member), input, encoding)
  if (read.ok) return read.value
  draft.problems.add("invalid_value", [...place, name], `\`${name}\` ${read.wrong}.`)
  return undefined
}

function refuseOthers(
  draft: Draft,
  resource: Resource,
  unique: Unique,
  { values, place }: UniqueInput,
): void {
  const known = unique.members.map((member) => subjectName(resource, member))
  for (const name of Object.keys(values)) {
    if (known.includes(name)) continue
    const message = `${quoteInput(name)} is not part of the unique key of ${known.map((part) => `\`${part}\``).join(", ")}.`
    draft.problems.add("unknown_field", [...place, name], message, hintFor(name, known))
  }
}
