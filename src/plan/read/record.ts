// Records: the equalities that name at most one record, by its id or by a unique key.
import { present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import { evaluate } from "../../model/evaluation/evaluate.ts"
import { isFormerField } from "../../model/former-fields.ts"
import type { Resource, Unique, UniqueMember } from "../../model/model.ts"
import { modelAt } from "../../model/versions/model-at.ts"
import type { Draft } from "../draft/draft.ts"
import { comparandOf, isNoKey, readOperand } from "../draft/operand.ts"
import { hintFor } from "../hints.ts"
import { fieldNamed, resourceNamed, subjectName, wholeOf } from "../lookup.ts"
import { quoteInput } from "../quote-input.ts"
import type { Equality, RecordRoot, Value } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { readId } from "../values/ids.ts"
import { type Encoding, readValue, valueTypeOf } from "../values/values.ts"

/** `missing`: no record of the resource can have this id. */
export function readRecord(draft: Draft, resource: Resource, idText: string): RecordRoot["by"] | "missing" {
  const key = readId(resource, idText)
  return key ? [{ subject: { kind: "id" }, slot: draft.bind(key).slot }] : "missing"
}

/** Equalities with refused values: they name no record, so that the rest of the input is still checked. */
export const unnamed = (draft: Draft, members: readonly Subject[]): RecordRoot["by"] =>
  members.map((subject) => ({ subject, ...draft.bind(null) }))

export interface UniqueInput {
  /** By member name: a field's, or a reference's such as `customerId`. */
  readonly values: Readonly<Record<string, unknown>>
  readonly encoding: Encoding
  /** Where the values stand; the member's name is added to it. */
  readonly place: Place
}

/**
 * The draft's problems have wrong, unknown and lacking values; the result then names no record. A key that changed since
 * becomes the newest version's key here, and only here.
 */
export function readUnique(
  draft: Draft,
  resource: Resource,
  unique: Unique,
  input: UniqueInput,
): RecordRoot["by"] | "missing" {
  const by: Equality[] = []
  let impossible = false
  for (const member of unique.members) {
    const value = readMemberValue(draft, resource, member, input)
    if (value === undefined) by.push(...unnamed(draft, [member]))
    else if (member.kind === "reference" && isNoKey(value)) impossible = true
    else by.push({ subject: member, slot: draft.bind(value).slot })
  }
  refuseOthers(draft, resource, unique, input)
  if (impossible) return "missing"
  return unique.newest ? inNewestKey(draft, resource, unique.newest, by) : by
}

/** `missing`: no record has such a key, or the version shows it by another. */
function inNewestKey(
  draft: Draft,
  resource: Resource,
  newest: readonly UniqueMember[],
  by: RecordRoot["by"],
): RecordRoot["by"] | "missing" {
  const whole = wholeOf(draft.model)
  // Also where the caller may not write: the lens gives the key.
  const { fields } = resourceNamed(
    modelAt(whole, present(draft.model.version, "an older version")),
    resource.name,
  )
  const isFormer = ({ subject }: Equality): boolean =>
    subject.kind === "field" && isFormerField(fieldNamed(resource, subject.field))
  const former = by.filter(isFormer)
  const given = new Map(
    former.map(({ subject, slot }) => [subjectName(resource, subject), draft.values[slot] ?? null]),
  )
  // Refused already.
  if ([...given.values()].includes(null)) return by
  const lenses = [...given.keys()].map((name) => fieldNamed({ ...resource, fields }, name).lens)
  const now = new Map<string, Value>()
  for (const member of newest) {
    if (member.kind === "reference") continue
    const writes = lenses.find((lens) => lens?.writes.has(member.field))?.writes.get(member.field)
    if (!writes) continue
    const field = fieldNamed(resourceNamed(whole, resource.name), member.field)
    const read = acceptValue(valueTypeOf(whole, field), evaluate(writes, field, given), "json")
    if (!read.ok) return "missing"
    now.set(field.name, read.value)
  }
  for (const [name, value] of given) {
    const field = fieldNamed({ ...resource, fields }, name)
    const shown =
      field.computed &&
      readValue(valueTypeOf(draft.model, field), evaluate(field.computed, field, now), "json")
    if (!shown?.ok || String(shown.value) !== String(value)) return "missing"
  }
  const named = [...now].map(
    ([field, value], index): Equality => ({
      subject: { kind: "field", field },
      slot: draft.bind(value).slot,
      former: index === 0 ? former : [],
    }),
  )
  return [...by.filter((one) => !isFormer(one)), ...named]
}

/** A record with this key cannot be made: an older version would show it by another. */
export function refuseUnshown(draft: Draft, values: UniqueInput["values"], place: Place): void {
  for (const [name, value] of Object.entries(values))
    draft.problems.add(
      "invalid_value",
      [...place, name],
      `\`${name}\` cannot be ${quoteInput(value)}: newer versions have no value for it that this version shows so.`,
    )
}

/** As the version says it. */
export const ownEqualities = (by: RecordRoot["by"]): RecordRoot["by"] =>
  by.flatMap((one) => one.former ?? [one])

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
