import type { Resource } from "../../model/model.ts"
import { everyRecord } from "../../plan/every-record.ts"
import { isReached, looksAt, touchesOf } from "../../plan/guard/looks-at.ts"
import { fieldNamed, resourceNamed, wholeOf } from "../../plan/lookup.ts"
import { relationsBehind } from "../../plan/read/computed.ts"
import type { Filter } from "../../plan/read-plan.ts"
import type { Kind, Setter, Step } from "../../plan/write-plan.ts"
import { type WouldBe, wouldNotMeet } from "../../sql/write/would-be.ts"
import { seesNamed } from "../../sql/write/write-find.ts"
import { askAnyway, type Failing, finds, foundBy, isCheckOf, keysMade } from "./failed-write.ts"

interface Writing {
  readonly step: Step
  readonly write: Setter
}

/**
 * The first check, of a rule and of sight, that a record would not meet as it would be: the write's own, or another one that
 * refers to nothing which the step makes.
 */
export async function findHiddenConflict(
  failing: Failing,
  { step, write: failed }: Writing,
): Promise<Kind<"check"> | undefined> {
  const { plan, storage } = failing
  for (const { check, write } of checksOf(step)) {
    if (write !== failed && refersToMade(failing, write)) continue
    const would = await wouldBe(failing, step, write)
    const { asked = check.that } = check
    const that = would.of || would.upsert ? asked : withoutMade(failing, { step, write }, asked)
    const statement = wouldNotMeet(plan.model, storage.dialects.prompt, would, that)
    if ((await askAnyway(failing, statement)).length > 0) return check
  }
  return undefined
}

function refersToMade({ plan }: Failing, { sets }: Setter): boolean {
  const made = keysMade(plan)
  return sets.some(({ subject, slot }) => subject.kind === "reference" && made.has(slot))
}

/** The parts of a condition that look at no children which the same step makes: these are not there when it is asked. */
function withoutMade({ plan }: Failing, { step, write }: Writing, that: Filter): Filter {
  const whole = wholeOf(plan.model)
  const resource = resourceNamed(whole, write.resource)
  const touches = step.writes.flatMap((other) => (other === write ? [] : touchesOf(whole, other)))
  const reaches = (of: Resource, relation: string): boolean => {
    const looked = looksAt(whole, of, { kind: "quantified", quantifier: "some", relation, of: everyRecord })
    return looked.history || isReached(looked, touches)
  }
  const looksAtMade = (filter: Filter): boolean => {
    switch (filter.kind) {
      case "and":
      case "or":
        return filter.of.some(looksAtMade)
      case "not":
        return looksAtMade(filter.of)
      case "quantified":
        return reaches(resource, filter.relation)
      case "compare":
      case "isNull":
        return (
          filter.subject.kind === "field" &&
          relationsBehind(whole, resource, fieldNamed(resource, filter.subject.field)).some((one) =>
            reaches(one.resource, one.relation),
          )
        )
      default:
        return false
    }
  }
  const parts = that.kind === "and" ? that.of : [that]
  return { kind: "and", of: parts.filter((part) => !looksAtMade(part)) }
}

/** Checks of records as they would be, each with the write of its record. */
function checksOf({ writes }: Step): readonly { readonly check: Kind<"check">; readonly write: Setter }[] {
  const setters = writes.filter(
    (write) => write.kind === "insert" || write.kind === "update" || write.kind === "upsert",
  )
  return writes.flatMap((check) => {
    if (check.kind !== "check" || check.refuses.kind !== "action" || check.refuses.before) return []
    const write = setters.find((one) => isCheckOf(check, one))
    return write ? [{ check, write }] : []
  })
}

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
