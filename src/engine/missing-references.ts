// What a write refers to that is not there, or is not seen by whoever writes, which is told alike: a problem for each.
import { Refusal } from "../base/problem.ts"
import { resourceNamed, wholeOf } from "../plan/names.ts"
import { type Violation, violationProblem } from "../plan/violation-problem.ts"
import type { Step, Write } from "../plan/write-types.ts"
import { missingTargets } from "../sql/write-find.ts"
import { askAnyway, type Failing } from "./failing.ts"

type Kind<Name extends Write["kind"]> = Extract<Write, { readonly kind: Name }>
type Setting = Kind<"insert" | "update" | "upsert">

/** @param violation as the database or a check told it: PostgreSQL names the columns of the first, SQLite none */
export async function missingReferences(
  failing: Failing,
  step: Step,
  write: Write,
  violation: Violation,
): Promise<Refusal> {
  const { columns: told } = violation
  const { model } = failing.plan
  const resource = model.resources.get(write.resource) ?? resourceNamed(wholeOf(model), write.resource)
  const found = isSetting(write) ? await missing(failing, step, write) : []
  const isFound = found.some((columns) => columns.join() === told.join())
  const [first = told, ...more] = isFound || told.length === 0 ? found : [told, ...found]
  const problemOf = (columns: readonly string[]) =>
    violationProblem(model, resource, { ...violation, columns }, write.place)
  return new Refusal([problemOf(first), ...more.map(problemOf)])
}

/** The write that a check of its references comes after. */
export const settingOf = ({ writes }: Step, check: Kind<"check">): Setting | undefined =>
  writes.filter(isSetting).find((write) => isAlike(write, check))

/** The columns of each reference, but for those to what this very request was to make or find. */
async function missing(
  failing: Failing,
  step: Step,
  write: Setting,
): Promise<readonly (readonly string[])[]> {
  const { plan, storage } = failing
  const made = new Set(
    plan.steps.flatMap(({ writes }) => writes.flatMap((one) => (one.kind === "insert" ? one.key.slot : []))),
  )
  const sets = write.sets.filter(({ slot }) => !made.has(slot) && (plan.values[slot] ?? null) !== null)
  const targets = missingTargets(
    plan.model,
    storage.dialects.prompt,
    { ...write, sets },
    seenOnly(step, write),
  )
  const found: (readonly string[])[] = []
  for (const { statement, columns } of targets)
    if ((await askAnyway(failing, statement)).length === 0) found.push(columns)
  return found
}

/** Relations to what must be seen: else who names one record that is not there would learn whether another is. */
function seenOnly({ writes }: Step, write: Setting): ReadonlySet<string> {
  const relations = writes.flatMap((check) =>
    check.kind === "check" && check.refuses.kind === "reference" && isAlike(write, check)
      ? [check.refuses.relation]
      : [],
  )
  return new Set(relations)
}

const isSetting = (write: Write): write is Setting =>
  write.kind === "insert" || write.kind === "update" || write.kind === "upsert"

const isAlike = (write: Setting, check: Kind<"check">): boolean =>
  check.resource === write.resource && JSON.stringify(check.place) === JSON.stringify(write.place)
