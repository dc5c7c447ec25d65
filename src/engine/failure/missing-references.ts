// Missing references: absent and invisible targets are reported alike, with a problem for each.
import { Refusal } from "../../base/problem.ts"
import { resourceNamed, wholeOf } from "../../plan/lookup.ts"
import { answersModel } from "../../plan/plan.ts"
import { type ConstraintViolation, constraintProblem } from "../../plan/write/problems.ts"
import type { Setter, Step, Write } from "../../plan/write-plan.ts"
import { missingTargets } from "../../sql/write/write-find.ts"
import { askAnyway, deletes, type Failing, isCheckOf, keysMade } from "./failed-write.ts"

/** @param violation as the database or a check told it: PostgreSQL names the columns of the first, SQLite none */
export async function missingReferences(
  failing: Failing,
  step: Step,
  write: Write,
  violation: ConstraintViolation,
): Promise<Refusal> {
  const { columns: told } = violation
  const model = answersModel(failing.plan)
  const resource = model.resources.get(write.resource) ?? resourceNamed(wholeOf(model), write.resource)
  const found = isSetter(write) ? await missing(failing, step, write) : []
  const isFound = found.some((columns) => columns.join() === told.join())
  const [first = told, ...more] = isFound || told.length === 0 ? found : [told, ...found]
  const problemOf = (columns: readonly string[]) =>
    constraintProblem(model, resource, { ...violation, columns }, write.place)
  return new Refusal([problemOf(first), ...more.map(problemOf)])
}

/** The columns of each reference, but for those to what this very request was to make or find. */
async function missing(failing: Failing, step: Step, write: Setter): Promise<readonly (readonly string[])[]> {
  const { plan, storage } = failing
  const made = keysMade(plan)
  const sets = write.sets.filter(
    (set) => !set.made && !made.has(set.slot) && (plan.values[set.slot] ?? null) !== null,
  )
  const targets = missingTargets(
    plan.model,
    storage.dialects.prompt,
    { ...write, sets },
    seenOnly(step, write),
  )
  const found: (readonly string[])[] = []
  // What the step had deleted by then is there again.
  const earlier = step.writes.slice(0, Math.max(step.writes.indexOf(write), 0))
  for (const { statement, columns, ...named } of targets)
    if (
      (await askAnyway(failing, statement)).length === 0 ||
      earlier.some((other) => other.kind === "delete" && deletes(plan, other, named))
    )
      found.push(columns)
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
