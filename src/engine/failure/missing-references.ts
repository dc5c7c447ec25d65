// Missing references: absent and invisible targets are reported alike, with a problem for each.
import { Refusal } from "../../base/problem.ts"
import { everyRecord } from "../../plan/every-record.ts"
import { relationNamed, resourceNamed, wholeOf } from "../../plan/lookup.ts"
import { answersModel } from "../../plan/plan.ts"
import type { Filter } from "../../plan/read-plan.ts"
import { columnsOf } from "../../plan/selectivity.ts"
import { type ConstraintViolation, constraintProblem } from "../../plan/write/problems.ts"
import type { Kind, Setter, Step, Write } from "../../plan/write-plan.ts"
import { wouldNotMeet } from "../../sql/write/would-be.ts"
import { missingTargets, stillThere } from "../../sql/write/write-find.ts"
import { askAnyway, deletes, type Failing, finds, foundBy, isCheckOf, keysMade } from "./failed-write.ts"

/** @param violation as the database or a check reports it: PostgreSQL names the columns of the first, SQLite none */
export async function missingReferences(
  failing: Failing,
  step: Step,
  write: Write,
  violation: ConstraintViolation,
): Promise<Refusal> {
  const { columns: told } = violation
  const model = answersModel(failing.plan)
  const resource = model.resources.get(write.resource) ?? resourceNamed(wholeOf(model), write.resource)
  const found = isSetter(write) ? await missing(failing, step, { write }) : []
  const isFound = found.some((columns) => columns.join() === told.join())
  const [first = told, ...more] = isFound || told.length === 0 ? found : [told, ...found]
  const problemOf = (columns: readonly string[]) =>
    constraintProblem(model, resource, { ...violation, columns }, write.place)
  return new Refusal([problemOf(first), ...more.map(problemOf)])
}

/**
 * The refusal of the step's first write with a reference to none: of those that the database asks with the write. A write that is
 * stopped before it has not asked them; references that a check asks were asked before the step.
 */
export async function firstReferenceToNone(failing: Failing, step: Step): Promise<Refusal | undefined> {
  for (const write of step.writes) {
    const isNone = isSetter(write)
      ? await refersToNone(failing, step, write)
      : write.kind === "link" && (await linksNone(failing, step, write))
    if (isNone) return missingReferences(failing, step, write, { rule: "reference", columns: [] })
  }
  return undefined
}

async function refersToNone(failing: Failing, step: Step, write: Setter): Promise<boolean> {
  const asked = seenOnly(step, write)
  const sets = write.sets.filter(
    ({ subject }) => subject.kind === "reference" && !asked.has(subject.relation),
  )
  return sets.length > 0 && (await missing(failing, step, { write, sets })).length > 0
}

async function linksNone(failing: Failing, { writes }: Step, write: Kind<"link"> & Write): Promise<boolean> {
  const { plan, storage } = failing
  const { resource, relation, to } = write
  const isUpserted = writes.some((one) => one.kind === "upsert" && one.key.slot === to.slot)
  if (write.made || isUpserted || keysMade(plan).has(to.slot)) return false
  const { target } = relationNamed(resourceNamed(wholeOf(plan.model), resource), relation)
  const named = { resource: target, target: { by: [{ subject: { kind: "id" } as const, slot: to.slot }] } }
  return (await finds(failing, stillThere(plan.model, storage.dialects.prompt, named))) === false
}

/** The columns of each reference, except references to records that this request was to make or find. */
async function missing(
  failing: Failing,
  step: Step,
  { write, sets: asked = write.sets }: { readonly write: Setter; readonly sets?: Setter["sets"] },
): Promise<readonly (readonly string[])[]> {
  const { plan, storage } = failing
  const made = keysMade(plan)
  const sets = asked.filter(
    (set) => !set.made && !made.has(set.slot) && (plan.values[set.slot] ?? null) !== null,
  )
  const targets = missingTargets(
    plan.model,
    storage.dialects.prompt,
    { ...write, sets },
    seenOnly(step, write),
  )
  const found: (readonly string[])[] = []
  // The rollback restored records that the step had deleted by then.
  const earlier = step.writes.slice(0, Math.max(step.writes.indexOf(write), 0))
  for (const { statement, columns, ...named } of targets)
    if (
      (await askAnyway(failing, statement)).length === 0 ||
      earlier.some((other) => other.kind === "delete" && deletes(plan, other, named))
    )
      found.push(columns)
  return found.length === 0 && write.kind === "update" ? carriedAlong(failing, step, write) : found
}

/** The columns of references that the update does not set, but that share a column with one that it sets. */
async function carriedAlong(
  failing: Failing,
  step: Step,
  write: Kind<"update">,
): Promise<readonly (readonly string[])[]> {
  const { plan, storage } = failing
  const resource = resourceNamed(wholeOf(plan.model), write.resource)
  const set = new Set(write.sets.flatMap(({ subject }) => columnsOf(resource, subject)))
  const chosen = new Set(write.sets.map(({ subject }) => subject.kind === "reference" && subject.relation))
  const found: (readonly string[])[] = []
  for (const { kind, name: relation, join } of resource.relations.values()) {
    const columns = join.map(({ from }) => from)
    if (kind !== "one" || chosen.has(relation) || !columns.some((column) => set.has(column))) continue
    const would = { resource: write.resource, sets: write.sets, of: foundBy(step, write.target) }
    const subject = { kind: "reference", relation } as const
    const stands: Filter = {
      kind: "or",
      of: [
        { kind: "isNull", subject, is: true },
        { kind: "related", relation, of: everyRecord },
      ],
    }
    const statement = wouldNotMeet(plan.model, storage.dialects.prompt, { would }, stands)
    if ((await askAnyway(failing, statement)).length > 0) found.push(columns)
  }
  return found
}

/** Relations whose targets must be visible: an absent target must not reveal whether another exists. */
function seenOnly({ writes }: Step, write: Setter): ReadonlySet<string> {
  return new Set(
    writes.flatMap((check) => (check.kind === "refers" && isCheckOf(check, write) ? [check.relation] : [])),
  )
}

const isSetter = (write: Write): write is Setter =>
  write.kind === "insert" || write.kind === "update" || write.kind === "upsert"
