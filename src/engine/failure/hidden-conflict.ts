import type { Resource } from "../../model/model.ts"
import { fieldNamed, resourceNamed, wholeOf } from "../../plan/lookup.ts"
import type { Filter } from "../../plan/read-plan.ts"
import type { Kind, Setter, Step } from "../../plan/write-plan.ts"
import { type WouldBe, wouldNotMeet } from "../../sql/write/would-be.ts"
import { seesNamed } from "../../sql/write/write-find.ts"
import { askAnyway, type Failing, finds, foundBy, isCheckOf } from "./failed-write.ts"

/**
 * The first of the write's checks that what it would be does not meet.
 * @param columns whose values the other record has
 */
export async function findHiddenConflict(
  failing: Failing,
  {
    step,
    write,
    columns,
  }: { readonly step: Step; readonly write: Setter; readonly columns: readonly string[] },
): Promise<Kind<"check"> | undefined> {
  const { plan, storage } = failing
  const would = await wouldBe(failing, step, write)
  const resource = resourceNamed(wholeOf(plan.model), write.resource)
  // Children of the other record would be taken for its own.
  const isNamesake = resource.key?.parts.every(({ column }) => columns.includes(column))
  for (const check of checksOf(step, write)) {
    const { asked = check.that } = check
    const that = isNamesake ? withoutRelated(resource, asked) : asked
    const statement = wouldNotMeet(plan.model, storage.dialects.prompt, would, that)
    if ((await askAnyway(failing, statement)).length > 0) return check
  }
  return undefined
}

/** The parts of a condition that look at no children of the record. */
function withoutRelated(resource: Resource, that: Filter): Filter {
  const parts = that.kind === "and" ? that.of : [that]
  return { kind: "and", of: parts.filter((part) => !looksAtRelated(resource, part)) }
}

function looksAtRelated(resource: Resource, filter: Filter): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.some((part) => looksAtRelated(resource, part))
    case "not":
      return looksAtRelated(resource, filter.of)
    case "quantified":
      return true
    case "related":
    case "together":
    case "settled":
      return false
    case "compare":
    case "isNull":
      return (
        filter.subject.kind === "field" && fieldNamed(resource, filter.subject.field).computed !== undefined
      )
  }
}

/** Those of the record as it would be. */
const checksOf = ({ writes }: Step, write: Setter): readonly Kind<"check">[] =>
  writes.filter(
    (check): check is Kind<"check"> =>
      check.kind === "check" &&
      isCheckOf(check, write) &&
      check.refuses.kind === "action" &&
      !check.refuses.before,
  )

async function wouldBe(failing: Failing, step: Step, write: Setter): Promise<WouldBe> {
  const { resource, sets } = write
  if (write.kind === "insert") return { resource, sets }
  if (write.kind === "upsert") {
    const { plan, storage } = failing
    const isSeen = await finds(failing, seesNamed(plan.model, storage.dialects.prompt, write))
    return isSeen ? { resource, sets, upsert: write } : { resource, sets }
  }
  const { target } = write
  // The condition of an older version is in its own names.
  const found = failing.plan.answers
    ? undefined
    : step.writes.find(
        (other) => other.kind === "find" && target.by.some(({ slot }) => slot === other.into.slot),
      )
  return { resource, sets, of: found?.kind === "find" ? { where: found.where } : foundBy(step, target) }
}
