// A hidden record has a unique value that a write sets: whether the write would be refused without that record.
import type { Model, Relation, Through } from "../../model/model.ts"
import { isForAll } from "../../plan/every-record.ts"
import { mayMeetHidden } from "../../plan/guard/guard-write.ts"
import { hasPaths, lasting, looksAt } from "../../plan/guard/looks-at.ts"
import { relationNamed, resourceNamed, wholeOf } from "../../plan/lookup.ts"
import type { Filter } from "../../plan/read-plan.ts"
import { backOf } from "../../plan/write/inputs.ts"
import type { Check, Kind, Setter, Step, Write } from "../../plan/write-plan.ts"
import { type WouldBe, wouldNotMeet } from "../../sql/write/would-be.ts"
import { seesNamed } from "../../sql/write/write-find.ts"
import { askAnyway, type Failing, finds, foundBy, isCheckOf } from "./failed-write.ts"

/** Each check is asked with all new records: the work grows with the square of their number. */
const mostAdded = 50

export interface RefusedAsMade {
  readonly check: Kind<"check"> & Write
  /** The check would be met, but the step may end the caller's sight of its record. */
  readonly perhaps: boolean
}

/**
 * The first check, of a rule or of sight, that a record would fail as it would be, with all that the step inserts. If each
 * would pass, a check of sight whose outcome the step may still change. Several such checks give the place that contains them.
 */
export async function refusedAsMade(failing: Failing, step: Step): Promise<RefusedAsMade | undefined> {
  const { plan, storage } = failing
  const whole = wholeOf(plan.model)
  const { writes } = step
  const fails = async (asked: Parameters<typeof wouldNotMeet>[2], that: Filter): Promise<boolean> =>
    !isForAll(that) &&
    (await askAnyway(failing, wouldNotMeet(plan.model, storage.dialects.prompt, asked, that))).length > 0
  const inserts = writes.filter(isInsert)
  const added =
    inserts.length > mostAdded ? [] : inserts.map((insert) => wouldBe({ whole, writes, below: [] }, insert))
  const endable: (Kind<"check"> & Write)[] = []
  for (const { check, write, asked } of checksOf(step)) {
    const there = await thereBefore(failing, step, write)
    const of = { resource: resourceNamed(whole, write.resource), isNew: there === undefined }
    // Rules look at other records as they were.
    const as = (below: readonly Write[]): WouldBe => ({
      ...wouldBe({ whole, writes, below }, write),
      ...there,
    })
    if (await fails({ would: as([]) }, asked.rule)) return { check, perhaps: false }
    if (!(await fails({ would: as(writes) }, lasting(whole, writes, of, asked.sight)))) continue
    if (await fails({ would: as(writes), added }, asked.sight)) return { check, perhaps: false }
    endable.push(check)
  }
  const [first, ...more] = endable
  return first && { check: more.length > 0 ? { ...first, place: within(endable) } : first, perhaps: true }
}

/**
 * The check that a refusal names. A hidden record may stop the step before its checks. The same questions are asked whether
 * or not one does, so that both refusals name the same check.
 */
export async function namedCheck(
  failing: Failing,
  step: Step,
  check: Kind<"check"> & Write,
): Promise<Kind<"check"> & Write> {
  if (!check.asked || !mayBeStopped(failing, step)) return check
  return (await refusedAsMade(failing, step))?.check ?? check
}

function within(checks: readonly Write[]): Write["place"] {
  const [first = [], ...more] = checks.map(({ place }) => place)
  const end = first.findIndex((part, at) => more.some((other) => other[at] !== part))
  return end < 0 ? first : first.slice(0, end)
}

/** Whether a hidden record may stop one of the step's writes, beside this key of this one. */
export const mayBeStopped = (
  { plan: { model } }: Failing,
  { writes }: Step,
  but?: { readonly write: Write; readonly columns: readonly string[] },
): boolean =>
  writes.some((write) =>
    mayMeetHidden(model, wholeOf(model), write, write === but?.write ? but.columns : undefined),
  )

/**
 * Whether the caller would not see the record that the write makes. False where sight depends on other records, or on a hook.
 * The answer follows from the request and the rule of sight alone, whether or not the action's rule holds.
 */
export async function isMadeUnseen(failing: Failing, step: Step, check: Kind<"check">): Promise<boolean> {
  const { plan, storage } = failing
  const whole = wholeOf(plan.model)
  const resource = resourceNamed(whole, check.resource)
  const found = checksOf(step).find((one) => one.check === check)
  if (!found || isForAll(found.asked.sight) || resource.before?.create) return false
  if (hasPaths(looksAt(whole, resource, found.asked.sight))) return false
  const would = wouldBe({ whole, writes: step.writes, below: [] }, found.write)
  const statement = wouldNotMeet(plan.model, storage.dialects.prompt, { would }, found.asked.sight)
  return (await askAnyway(failing, statement)).length > 0
}

interface Checked {
  readonly check: Kind<"check"> & Write
  readonly asked: NonNullable<Check["asked"]>
  readonly write: Setter & Write
}

/** Checks of records as they would be, each with the write of its record. */
function checksOf({ writes }: Step): readonly Checked[] {
  const setters = writes.filter(
    (write): write is Setter & Write =>
      write.kind === "insert" || write.kind === "upsert" || (write.kind === "update" && !write.looks),
  )
  return writes.flatMap((check) => {
    if (check.kind !== "check" || !check.asked) return []
    const write = setters.find((one) => isCheckOf(check, one))
    return write ? [{ check, asked: check.asked, write }] : []
  })
}

/** The record that the write changes; undefined where it makes one. */
async function thereBefore(
  failing: Failing,
  step: Step,
  write: Setter,
): Promise<Pick<WouldBe, "of" | "upsert"> | undefined> {
  if (write.kind === "insert") return undefined
  if (write.kind === "upsert") {
    const { plan, storage } = failing
    const isSeen = await finds(failing, seesNamed(plan.model, storage.dialects.prompt, write))
    return isSeen ? { upsert: write } : undefined
  }
  const { target } = write
  // The condition of an older version is in its own names.
  const found = failing.plan.answers
    ? undefined
    : step.writes.find(
        (other) => other.kind === "find" && target.by.some(({ slot }) => slot === other.into.slot),
      )
  return { of: found?.kind === "find" ? { where: found.where } : foundBy(step, target) }
}

interface Making {
  readonly whole: Model
  readonly writes: readonly Write[]
  /** Those that may put records below a new one. */
  readonly below: readonly Write[]
}

const isInsert = (write: Write): write is Kind<"insert"> => write.kind === "insert"

const insertAt = (writes: readonly Write[], slot: number): Kind<"insert"> | undefined =>
  writes.filter(isInsert).find(({ key }) => key.slot === slot)

/** The record with those that the step makes above and below it. @param above the relation of whose record it is one below */
function wouldBe(making: Making, write: Setter, above?: string): WouldBe {
  const { whole, writes, below } = making
  const { resource: name, sets } = write
  const resource = resourceNamed(whole, name)
  const made = sets.flatMap(({ subject, slot }) => {
    const insert = subject.kind === "reference" ? insertAt(writes, slot) : undefined
    return subject.kind === "reference" && subject.relation !== above && insert && insert !== write
      ? [{ relation: subject.relation, would: wouldBe(making, insert) }]
      : []
  })
  if (write.kind === "update") return { resource: name, sets, made }
  const { slot } = write.key
  return {
    resource: name,
    sets,
    made,
    below: (relation) => {
      const through = relation.kind === "many" ? relation.through : undefined
      if (through) return below.flatMap((link) => linkedBy(making, { link, slot, relation, through }))
      const back = backOf(whole, resource, relation)?.name
      if (back === undefined) return relation.kind === "many" ? [] : undefined
      const refers = (other: Setter): boolean =>
        other.sets.some(
          ({ subject, slot: of }) => subject.kind === "reference" && subject.relation === back && of === slot,
        )
      return below
        .filter((other) => other.kind === "insert" || other.kind === "update")
        .filter((other) => other.resource === relation.target && refers(other))
        .map((other) => {
          const of = other.kind === "update" ? { of: other.target } : {}
          return { back, would: { ...wouldBe(making, other, back), ...of } }
        })
    },
  }
}

interface Linked {
  readonly link: Write
  readonly slot: number
  readonly relation: Relation
  readonly through: Through
}

/** The record at the other end of a link, by either relation of its table. */
function linkedBy(
  making: Making,
  { link, slot, relation, through }: Linked,
): ReturnType<NonNullable<WouldBe["below"]>> & object {
  if (link.kind !== "link" || !link.from) return []
  const own = relationNamed(resourceNamed(making.whole, link.resource), link.relation)
  const ends = own.kind === "many" && own.through
  if (!ends || JSON.stringify(ends.table) !== JSON.stringify(through.table)) return []
  const column = through.near[0]?.to
  const other =
    link.from.slot === slot && ends.near[0]?.to === column
      ? link.to
      : link.to.slot === slot && ends.far[0]?.from === column
        ? link.from
        : undefined
  if (!other) return []
  const insert = insertAt(making.writes, other.slot)
  const named = { by: [{ subject: { kind: "id" } as const, slot: other.slot }] }
  return [{ would: insert ? wouldBe(making, insert) : { resource: relation.target, sets: [], of: named } }]
}
