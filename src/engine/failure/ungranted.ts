// A refused write of a record that gives roles, scopes or a tier to its user: which of them the caller may not grant.
import { type Place, type Refusal, refusal } from "../../base/problem.ts"
import type { Granted } from "../../model/policy-declaration.ts"
import type { Value } from "../../plan/read-plan.ts"
import { permissionDeniedText } from "../../plan/write/problems.ts"
import type { Setting, Step, Target, WritePlan } from "../../plan/write-plan.ts"
import { stillThere } from "../../sql/write/write-find.ts"
import { type Failing, finds } from "./failed-write.ts"

interface Refused {
  readonly resource: string
  readonly place: Place
  readonly action: string
  /** The caller would not see the record that it makes. */
  readonly isUnseen?: boolean
}

/** A write that a rule denies. The refusal names grants that the caller may give to no record, if they are the reason. */
export async function deniedWrite(
  failing: Failing,
  step: Step,
  write: Refused,
  target?: Target,
): Promise<Refusal> {
  const { plan, storage } = failing
  const granted = plan.model.resources.get(write.resource)?.granted
  const denied = granted?.each.filter(({ may }) => may === false) ?? []
  const named = denied.length > 0 ? givenBy(plan, step, write, denied) : undefined
  if (named) return named
  const { resource, place } = write
  const within =
    granted && target && write.action === "update"
      ? stillThere(plan.model, storage.dialects.prompt, { resource, target }, granted.within)
      : undefined
  return refusal("forbidden", permissionDeniedText(write.action, resource), {
    place,
    ...(write.isUnseen && {
      hint: "The record must be visible to you after the write: give it values that keep it visible.",
    }),
    ...(within && {
      hint: (await finds(failing, within))
        ? "The rule `manage` must allow the record as it is and as it becomes."
        : "Only a caller that may grant all that it gives may update it.",
    }),
  })
}

function givenBy(
  { values }: WritePlan,
  step: Step,
  write: Refused,
  denied: readonly Granted[],
): Refusal | undefined {
  const place = JSON.stringify(write.place)
  const sets = step.writes
    .filter((one) => one.resource === write.resource && JSON.stringify(one.place) === place)
    .flatMap((one): readonly Setting[] => ("sets" in one ? one.sets : []))
  for (const { subject, slot } of sets) {
    if (subject.kind !== "field") continue
    const given = values[slot] ?? null
    const names = denied.filter((one) => memberOf[one.kind] === subject.field && gives(one, given))
    if (names.length > 0)
      return refusal("forbidden", `You may not grant ${names.map(phrase).join(" and ")}.`, {
        place: [...write.place, subject.field],
        hint: "A caller grants what it has, or what the service lets it grant.",
      })
  }
  return undefined
}

const memberOf = { role: "roles", scope: "scopes", tier: "tier" } as const

const gives = ({ name }: Granted, value: Value): boolean =>
  Array.isArray(value) ? (value as readonly Value[]).includes(name) : value === name

const phrase = ({ kind, name }: Granted): string =>
  name === null ? "the limits of no tier" : `the ${kind} ${JSON.stringify(name)}`
