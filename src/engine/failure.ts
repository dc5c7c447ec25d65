// What a storage refused, as problems: which write it was of, and what a person can do about it.
import { invariant, present } from "../base/invariant.ts"
import { Refusal, refusal } from "../base/problem.ts"
import type { Resource } from "../model/model.ts"
import { resourceNamed } from "../plan/names.ts"
import type { Value } from "../plan/types.ts"
import { type Violation, violationProblem } from "../plan/violation-problem.ts"
import type { Step, Write, WritePlan } from "../plan/write-types.ts"
import type { Program } from "../sql/program.ts"
import type { Statement } from "../sql/statement.ts"
import { missingTargets, referrers, stillThere } from "../sql/write-find.ts"
import type { Row, Storage } from "../storage/storage.ts"
import type { Outcome, Work } from "../storage/work.ts"

export type Failure = Exclude<Outcome, { readonly kind: "done" | "replayed" }>

export interface Failing {
  readonly plan: WritePlan
  readonly program: Program
  readonly work: Work
  readonly storage: Storage
}

/** Asks the database again where a failure does not say by itself what it is about. */
export async function failureOf(failing: Failing, failure: Failure): Promise<Refusal> {
  switch (failure.kind) {
    case "mismatch":
      return refusal("idempotency_mismatch", "This Idempotency-Key was used for another request.", {
        hint: "Use a new key for a new request.",
      })
    case "pending":
      return inProgress()
    case "violated":
      return violated(failing, failure)
    case "refused":
      if (failure.why === "flawed")
        return refusal("unrepresentable_value", "A stored value of the answer does not fit its declaration.")
      return failure.why === "many" ? tooMany(failing, failure.command) : absent(failing, failure.command)
  }
}

export const inProgress = (): Refusal =>
  refusal("idempotency_in_progress", "A request with this Idempotency-Key is under way.", {
    hint: "Wait for its answer, or send this one again in a moment.",
  })

function writeAt(
  { plan, program }: Failing,
  command: number,
): { readonly step: Step; readonly write: Write | undefined } {
  const { step: at, write } = present(
    program.commands[command],
    "a command that failed is one of the program's",
  )
  const step = present(plan.steps[at], "a command belongs to a step")
  return { step, write: write === undefined ? undefined : step.writes[write] }
}

function tooMany(failing: Failing, command: number): Refusal {
  const { write } = writeAt(failing, command)
  invariant(write, "what looks for records is a write")
  const most = failing.work.most?.[command] ?? 0
  return refusal(
    "too_many_affected",
    `More than ${most} ${resourceOf(failing, write).collection} meet the condition.`,
    {
      place: write.place,
      hint: "Narrow the condition, or allow more.",
    },
  )
}

const resourceOf = ({ plan }: Failing, write: Write): Resource => resourceNamed(plan.model, write.resource)

async function absent(failing: Failing, command: number): Promise<Refusal> {
  const { step, write } = writeAt(failing, command)
  if (!write) {
    const { answer } = step
    invariant(answer.kind === "record", "only records can be missing")
    const { place } = step.writes.at(-1) ?? {}
    return refusal("not_found", `There is no such ${answer.resource}.`, { ...(place && { place }) })
  }
  const resource = resourceOf(failing, write)
  const target =
    write.kind === "update" || write.kind === "delete" || write.kind === "locate" ? write.target : undefined
  if ((write.kind === "update" || write.kind === "delete") && write.match && (await isThere(failing, write)))
    return refusal("stale_version", `This ${resource.name} has changed since it was read.`, {
      place: write.place,
      hint: "Read it again, and decide again.",
    })
  // What the operation itself is about is missing; anything else is referred to.
  const own = step.writes.every(({ place }) => place.length >= write.place.length)
  const named = target && idText(failing, resource, target.by)
  const what =
    write.kind === "locate" && write.relation !== undefined
      ? `${resource.name} with a ${write.relation}`
      : resource.name
  return refusal(own ? "not_found" : "missing_reference", `There is no ${what}${named ?? " like that"}.`, {
    place: write.place,
  })
}

/** ` cus_01…` where the record is named by its id. */
function idText(
  { plan }: Failing,
  resource: Resource,
  by: readonly { readonly subject: { readonly kind: string }; readonly slot: number }[],
): string | undefined {
  const id = by.find(({ subject }) => subject.kind === "id")
  const key = id && plan.values[id.slot]
  return Array.isArray(key)
    ? ` ${resource.prefix}_${(key as readonly Value[]).map(String).join("~")}`
    : undefined
}

/** The record without the condition on its version; one that was found a moment ago is. */
const isThere = async (
  failing: Failing,
  write: Extract<Write, { readonly kind: "update" | "delete" }>,
): Promise<boolean> =>
  (await finds(failing, stillThere(failing.plan.model, failing.storage.dialects.prompt, write))) ?? true

/** Whether there is such a row; undefined where it would be what this very request was to make or find. */
async function finds({ plan, storage }: Failing, statement: Statement): Promise<boolean | undefined> {
  const values = statement.binds.map(({ slot }) => plan.values[slot] ?? null)
  if (values.includes(null)) return undefined
  const row: Row = await storage.read(
    statement,
    statement.binds.map(({ encode }, index) => encode(values[index] ?? null)),
  )
  return row.length > 0
}

async function violated(
  failing: Failing,
  { command, violation }: Extract<Failure, { readonly kind: "violated" }>,
): Promise<Refusal> {
  const { write } = writeAt(failing, command)
  invariant(write, "only what writes can be refused")
  const found = await namedViolation(failing, write, violation)
  return new Refusal([violationProblem(failing.plan.model, resourceOf(failing, write), found, write.place)])
}

async function namedViolation(failing: Failing, write: Write, violation: Violation): Promise<Violation> {
  if (violation.rule !== "reference") return violation
  if (write.kind === "delete") {
    const table = violation.table ?? (await referrer(failing, write))
    return { ...violation, rule: "referenced", ...(table !== undefined && { table }) }
  }
  return violation.columns.length > 0 ? violation : { ...violation, columns: await missing(failing, write) }
}

/** SQLite does not say which foreign key it was: whose target is not there now is. */
async function missing(failing: Failing, write: Write): Promise<readonly string[]> {
  if (write.kind !== "insert" && write.kind !== "update" && write.kind !== "upsert") return []
  const { plan, storage } = failing
  const columns: string[] = []
  for (const { statement, columns: own } of missingTargets(plan.model, storage.dialects.prompt, write))
    if ((await finds(failing, statement)) === false) columns.push(...own)
  return columns
}

/** Nor which table still refers to what would go: the first that does. */
async function referrer(
  failing: Failing,
  write: Extract<Write, { readonly kind: "delete" }>,
): Promise<string | undefined> {
  const { plan, storage } = failing
  for (const { statement, table } of referrers(plan.model, storage.dialects.prompt, write))
    if (await finds(failing, statement)) return table
  return undefined
}
