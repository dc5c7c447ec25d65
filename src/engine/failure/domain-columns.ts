// Finds the columns that a PostgreSQL domain refused: its error names the domain, neither table nor column.
import { Refusal } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import { resourceNamed, wholeOf } from "../../plan/lookup.ts"
import { columnsOf } from "../../plan/selectivity.ts"
import type { ConstraintViolation, TypedColumn } from "../../plan/write/problems.ts"
import type { Setting, Write } from "../../plan/write-plan.ts"
import { isOfType } from "../../sql/write/write-find.ts"
import { type Failing, finds } from "./failed-write.ts"

/** The violation with its columns, as far as they can be found. */
export async function withDomainColumns(
  failing: Failing,
  write: Write,
  violation: ConstraintViolation,
): Promise<ConstraintViolation> {
  const sets = "sets" in write ? write.sets : undefined
  if (!violation.typed || !sets) return violation
  const resource = resourceNamed(wholeOf(failing.plan.model), write.resource)
  const typed = violation.typed.filter((one) => isIn(resource, one))
  const written = typed.flatMap((one) => settingsOf(resource, sets, one))
  const isEmpty = ({ slot }: Setting): boolean => (failing.plan.values[slot] ?? null) === null
  if (violation.rule === "required") {
    const empty = written.filter(isEmpty)
    const unset = typed.filter(({ column }) => !written.some((one) => one.column === column))
    return about(violation, empty.length > 0 ? empty : unset)
  }
  const given = written.filter((one) => !isEmpty(one))
  if (given.length < 2) return about(violation, given.length > 0 ? given : typed)
  const refused: Written[] = []
  for (const one of given) if (await isRefused(failing, resource, one)) refused.push(one)
  return about(violation, refused)
}

type Written = TypedColumn & Setting

const isIn = ({ table }: Resource, { table: own, schema }: TypedColumn): boolean =>
  own === table.name && (table.schema === undefined || table.schema === schema)

const settingsOf = (resource: Resource, sets: readonly Setting[], typed: TypedColumn): readonly Written[] =>
  sets
    .filter(({ subject }) => columnsOf(resource, subject).includes(typed.column))
    .map((setting) => ({ ...typed, ...setting }))

const about = (
  violation: ConstraintViolation,
  found: readonly { readonly column: string }[],
): ConstraintViolation => ({
  ...violation,
  columns: [...new Set(found.map(({ column }) => column))],
})

/** Asks the database about one value. */
async function isRefused(failing: Failing, { name }: Resource, one: Written): Promise<boolean> {
  const { plan, storage } = failing
  try {
    await finds(failing, isOfType(wholeOf(plan.model), storage.dialects.prompt, name, one))
    return false
  } catch (fault) {
    // The database may be away by now, or may not be asked.
    if (fault instanceof Refusal) return false
    return true
  }
}
