// Explains a refused write as problems: which write failed, why, and what to do.

import { withArticle } from "../../base/article.ts"
import { invariant, present } from "../../base/invariant.ts"
import { type Problem, Refusal, refusal } from "../../base/problem.ts"
import { describeRange } from "../../model/bounds.ts"
import type { Resource } from "../../model/model.ts"
import { isForAll } from "../../plan/every-record.ts"
import { chosenKeys, mayHide } from "../../plan/guard/guard-write.ts"
import { resourceNamed, wholeOf } from "../../plan/lookup.ts"
import { notFoundText } from "../../plan/not-found.ts"
import { answersModel } from "../../plan/plan.ts"
import type { Filter, Value } from "../../plan/read-plan.ts"
import { columnsOf } from "../../plan/selectivity.ts"
import {
  beyondService,
  type ConstraintViolation,
  constraintProblem,
  isBeyondService,
  unseenProblem,
} from "../../plan/write/problems.ts"
import type { Kind, Step, Write } from "../../plan/write-plan.ts"
import { isTriggered } from "../../sql/write/table-traits.ts"
import { referrers, seesAnother, seesNamed, stillThere } from "../../sql/write/write-find.ts"
import type { Outcome } from "../../storage/write-request.ts"
import { withDomainColumns } from "./domain-columns.ts"
import { askAnyway, deletes, type Failing, finds, foundBy } from "./failed-write.ts"
import { isMadeUnseen, mayBeStopped, namedCheck, refusedAsMade } from "./hidden-conflict.ts"
import { firstReferenceToNone, missingReferences } from "./missing-references.ts"
import { staleVersion, unfired } from "./transition-conflict.ts"
import { deniedWrite } from "./ungranted.ts"

export type Failure = Exclude<Outcome, { readonly kind: "done" | "replayed" }>

/** Queries the database where a failure does not name its cause. */
export async function failureOf(failing: Failing, failure: Failure): Promise<Refusal> {
  switch (failure.kind) {
    case "mismatch":
      return mismatch()
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

export const mismatch = (): Refusal =>
  refusal("idempotency_mismatch", "This Idempotency-Key was used for another request.", {
    hint: "Use a new key for a new request.",
  })

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

/** Cascaded records may be hidden from the caller. */
const resourceOf = ({ plan }: Failing, write: Write): Resource =>
  answersModel(plan).resources.get(write.resource) ?? resourceNamed(wholeOf(plan.model), write.resource)

async function absent(failing: Failing, command: number): Promise<Refusal> {
  const { step, write } = writeAt(failing, command)
  if (!write) {
    const { answer } = step
    invariant(answer.kind === "record", "only records can be missing")
    const { place } = step.writes.at(-1) ?? {}
    const [member] = answer.members
    const message =
      answer.required && member?.kind === "one"
        ? `This ${answer.resource} has no ${member.relation}.`
        : notFoundText(answer.resource)
    return refusal("not_found", message, { ...(place && { place }) })
  }
  const resource = resourceOf(failing, write)
  if (write.kind === "check") return unmet(failing, step, await namedCheck(failing, step, write))
  // Links were not there, or still there, after they were written.
  if (write.kind === "link" || write.kind === "unlink") return keptBack(resource, write.place)
  if (write.kind === "refers")
    return missingReferences(failing, step, write.of, referenceOf(failing, write, write.relation))
  if (write.kind === "only") return unmetOnly(failing, step, write)
  if (await isKeptBack(failing, step, write)) return keptBack(resource, write.place)
  if (write.kind === "upsert") return unmetUpsert(failing, step, write)
  if (write.kind === "update" && write.fires) {
    const why = await unfired(
      failing,
      { ...write, fires: write.fires, target: foundBy(step, write.target) },
      step,
    )
    if (why) return why
  }
  if (write.kind === "sum") {
    const found = { resource: write.resource, target: foundBy(step, write.target) }
    if (await isThere(failing, found))
      return noSum(resourceNamed(wholeOf(failing.plan.model), write.resource), write)
  }
  const changes = (write.kind === "update" && !write.fires) || write.kind === "delete"
  const found = changes && { resource: write.resource, target: foundBy(step, write.target) }
  const there = found && (write.match || write.rule) && (await isThere(failing, found))
  const denied = (): Promise<Refusal> =>
    deniedWrite(
      failing,
      step,
      { ...write, action: (write.kind === "update" && write.calls) || write.kind },
      found ? found.target : undefined,
    )
  if (there && write.rule && !(await isThere(failing, found, { rule: write.rule, unless: !write.match })))
    return denied()
  if (await isSkipped(failing, resource, found ? { ...write, ...found } : write))
    return keptBack(resource, write.place)
  if (there && write.match) return staleVersion(resource.name, write)
  return unfound(failing, step, write)
}

/** The update's rule comes first, then its version (RFC 9110 section 13.2), then the conflict of several records. */
async function unmetOnly(failing: Failing, step: Step, write: Kind<"only"> & Write): Promise<Refusal> {
  const own = updateOf(step, write) ?? write
  const found = { resource: write.resource, target: foundBy(step, write.target) }
  if (!(await isThere(failing, found))) return unfound(failing, step, own)
  const check = step.writes
    .filter((one) => one.kind === "check")
    .find(({ refuses, key }) => "before" in refuses && key.slot === write.target.by[0]?.slot)
  if (check && !(await isThere(failing, found, { rule: check.that, unless: false })))
    return unmet(failing, step, check)
  const resource = resourceOf(failing, write)
  const match = own.kind === "update" ? own.match : undefined
  if (match && !(await isThere(failing, { ...found, match }))) return staleVersion(resource.name, own)
  return severalRelated(resource, write)
}

function unfound(failing: Failing, step: Step, write: Write): Refusal {
  const resource = resourceOf(failing, write)
  const own = (write.kind === "update" && write.fires !== undefined) || isOfOwn(step, write)
  const named = "target" in write && write.target ? idText(failing, resource, write.target.by) : undefined
  const what =
    write.kind === "locate" && write.relation !== undefined
      ? `${resource.name} with ${withArticle(write.relation)}`
      : resource.name
  return refusal(codeOfAbsent(own), notFoundText(what, named), {
    place: (write.kind === "update" && write.places?.record) || write.place,
  })
}

/** The update of the record whose related one is looked up before. */
const updateOf = ({ writes }: Step, { target }: Kind<"only">): Write | undefined =>
  writes.find((one) => one.kind === "update" && one.target.by[0]?.slot === target.by[0]?.slot)

/** Whether it is about the record that the operation names, and not about one that is nested in it. */
const isOfOwn = ({ writes }: Step, write: Write): boolean =>
  writes.every(({ place }) => place.length >= write.place.length)

/** Not found for the operation's own record; a missing reference for any other. */
const codeOfAbsent = (own: boolean) => (own ? "not_found" : "missing_reference")

/** A trigger of an unmanaged table may skip a write without an error. */
async function isSkipped(failing: Failing, { access }: Resource, write: Write): Promise<boolean> {
  if (failing.plan.model.managed) return false
  // The caller may not see the record that was created.
  if (write.kind === "insert") return !access || isForAll(access.read)
  if (write.kind !== "update" && write.kind !== "delete") return false
  // These ask only whether the records are gone.
  if (write.kind === "delete" && (write.target.several || write.any)) return true
  const statement = stillThere(failing.plan.model, failing.storage.dialects.prompt, write, write.rule)
  return !(write.kind === "update" && write.fires) && (await finds(failing, statement)) === true
}

/** Another record in the place of the first would leave the others behind, which the version does not have. */
const severalRelated = ({ relations }: Resource, { relation, place }: Kind<"only"> & Write): Refusal => {
  const { deprecated } = relations.get(relation) ?? {}
  return refusal("conflict", `\`${relation}\` leads to the first of several records here.`, {
    place,
    hint: `This version changes it only where there is one. ${deprecated} Newer versions write those.`,
  })
}

/** The field has no value, or does not allow the sum. */
function noSum({ fields }: Resource, { field: called, at }: Kind<"sum">): Refusal {
  const { constraints, optional } = present(fields.get(called), `there is ${called}`)
  const { min, max } = constraints
  const bounds = min === undefined && max === undefined ? "within its digits" : describeRange(constraints)
  const valued = optional ? "must have a value to be incremented, and " : ""
  return refusal("invalid_value", `\`${at.at(-1)}\` ${valued}must be ${bounds} afterwards.`, {
    place: at,
    hint: "Nothing was changed.",
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

/** A rule failed: for the record before the write, if visible; after it; or for a referenced record. */
async function unmet(
  failing: Failing,
  step: Step,
  write: Extract<Write, { readonly kind: "check" }>,
): Promise<Refusal> {
  const { refuses, resource, place, key, several } = write
  const target = { by: [{ subject: { kind: "id" } as const, slot: key.slot }] }
  const named = idText(failing, resourceOf(failing, write), target.by)
  // The linked record itself, absent or hidden.
  if (refuses.kind === "reference")
    return refusal("missing_reference", notFoundText(resource, named), { place })
  const isSeen = !refuses.before || several || (await isThere(failing, { resource, target }))
  if (isSeen) {
    const action = (await upsertedBy(failing, step, write)) ?? refuses.action
    const isUnseen = action === "create" && (await isMadeUnseen(failing, step, write))
    return deniedWrite(failing, step, { ...write, action, isUnseen }, several ? undefined : target)
  }
  return refusal(codeOfAbsent(isOfOwn(step, write)), notFoundText(resource, named), { place })
}

/** An upsert is asked the rules of both: it changed a record that the caller saw, or made one. */
async function upsertedBy(
  failing: Failing,
  { writes }: Step,
  { resource, key }: Extract<Write, { readonly kind: "check" }>,
): Promise<"create" | "update" | undefined> {
  const { plan, storage, created } = failing
  const upsert = writes.find(
    (write) => write.kind === "upsert" && write.resource === resource && write.key.slot === key.slot,
  )
  if (upsert?.kind !== "upsert") return undefined
  const isMade = created ?? !(await finds(failing, seesNamed(plan.model, storage.dialects.prompt, upsert)))
  return isMade ? "create" : "update"
}

function referenceOf({ plan }: Failing, { resource }: Write, name: string): ConstraintViolation {
  const relation = plan.model.resources.get(resource)?.relations.get(name)
  return { rule: "reference", columns: relation?.kind === "one" ? relation.join.map(({ from }) => from) : [] }
}

/** A record with this key exists and may not be changed. Hidden records are not revealed. */
async function unmetUpsert(
  failing: Failing,
  step: Step,
  write: Extract<Write, { readonly kind: "upsert" }>,
): Promise<Refusal> {
  const { plan, storage } = failing
  const resource = resourceOf(failing, write)
  const [changed, ...more] = await changedAnyway(failing, write)
  if (changed) return new Refusal([changed, ...more])
  // The plan has the newest names.
  const newest = resourceNamed(wholeOf(plan.model), write.resource)
  const columns = write.unique.flatMap((subject) => columnsOf(newest, subject))
  const refused = (rule: ConstraintViolation["rule"], of: readonly string[]): Refusal =>
    new Refusal([constraintProblem(plan.model, resource, { rule, columns: of }, write.place)])
  const named = await finds(failing, seesNamed(plan.model, storage.dialects.prompt, write))
  if (named && (write.rule || plan.model.managed))
    return deniedWrite(failing, step, { ...write, action: "update" })
  // Equal by collation is another record.
  if (!named && (await seesOther(failing, write, columns))) return refused("unique", columns)
  const isOpen = !resource.access || !mayHideValue(failing, write, columns)
  // No hidden record is in the way: a trigger skipped the write.
  if (named || (isOpen && !plan.model.managed)) return refused("check", [])
  return hiddenConflict(failing, step, write)
}

/** Immutable members whose input differs from the visible record. */
async function changedAnyway(
  failing: Failing,
  write: Extract<Write, { readonly kind: "upsert" }>,
): Promise<readonly Problem[]> {
  const { plan, storage } = failing
  const found: Problem[] = []
  for (const { member, that } of write.fixed ?? []) {
    if (!(await finds(failing, seesNamed(plan.model, storage.dialects.prompt, write, that)))) continue
    const message = `\`${member}\` is given when the record is made, and never changes.`
    found.push({ code: "readonly_field", place: [...write.place, member], message })
  }
  return found
}

/**
 * A hidden record is only reported as a conflict, and only to callers that may write the record. References to missing records
 * come first, then the step's checks, then the values of visible records.
 * @param visible the conflict with a visible record, if there is one
 */
async function hiddenConflict(
  failing: Failing,
  step: Step,
  write: Write,
  visible?: Problem,
): Promise<Refusal> {
  const missing = await firstReferenceToNone(failing, step)
  if (missing) return missing
  const refused = await refusedAsMade(failing, step)
  if (refused && !refused.perhaps) return unmet(failing, step, refused.check)
  const seen = (await seenConflict(failing, step)) ?? visible
  if (seen) return new Refusal([seen])
  return refused
    ? unmet(failing, step, refused.check)
    : new Refusal([unseenProblem(resourceOf(failing, write), write.place)])
}

/** The first unique value that a write sets and another visible record has. */
async function seenConflict(failing: Failing, step: Step): Promise<Problem | undefined> {
  const { model } = failing.plan
  for (const write of step.writes) {
    if (write.kind !== "insert" && write.kind !== "update" && write.kind !== "upsert") continue
    if (write.kind === "update" && (write.looks || write.target.several)) continue
    const resource = resourceNamed(wholeOf(model), write.resource)
    const located = write.kind === "update" ? { ...write, target: foundBy(step, write.target) } : write
    const set = new Set(write.sets.flatMap(({ subject }) => columnsOf(resource, subject)))
    for (const columns of chosenKeys(resource))
      if (columns.every((column) => set.has(column)) && (await seesOther(failing, located, columns)))
        return constraintProblem(model, resourceOf(failing, write), { rule: "unique", columns }, write.place)
  }
  return undefined
}

interface Ruled {
  readonly rule: Filter
  /** Where the record cannot be named any more, the rule is reported as violated. */
  readonly unless: boolean
}

/** No rule stood in the way, so a trigger of the table skipped the write. */
async function isKeptBack(failing: Failing, step: Step, write: Write): Promise<boolean> {
  const { dialects } = failing.storage
  if (!isTriggered(dialects.prompt, resourceOf(failing, write))) return false
  if (write.kind === "insert") return true
  if (write.kind === "upsert") return !write.rule
  if (write.kind !== "delete" && (write.kind !== "update" || write.fires)) return false
  // Several were found and locked before.
  if (write.target.several) return true
  const { resource, match, rule } = write
  const named = { resource, target: foundBy(step, write.target), ...(match && { match }) }
  return (await finds(failing, stillThere(failing.plan.model, dialects.prompt, named, rule))) === true
}

const keptBack = ({ name }: Resource, place: Write["place"]): Refusal =>
  refusal("rule_violated", `The database has a rule of its own by which this is not done to the ${name}.`, {
    place,
  })

/** The record without the condition on its version; one that was found a moment ago is. */
const isThere = async (
  { plan, storage, ...failing }: Failing,
  write: Pick<Extract<Write, { readonly kind: "update" | "delete" }>, "resource" | "target" | "match">,
  asked?: Ruled,
): Promise<boolean> => {
  const statement = stillThere(plan.model, storage.dialects.prompt, write, asked?.rule)
  return (await finds({ plan, storage, ...failing }, statement)) ?? !asked?.unless
}

/** Whether another record may have these columns' values without the caller's sight of it, or of them. */
function mayHideValue(
  { plan: { model } }: Failing,
  { resource }: Write,
  columns: readonly string[],
): boolean {
  const seen = model.resources.get(resource)
  return !seen || mayHide(seen, resourceNamed(wholeOf(model), resource), columns)
}

async function seesOther(
  failing: Failing,
  write: Extract<Write, { readonly kind: "insert" | "update" | "upsert" }>,
  columns: readonly string[],
): Promise<boolean> {
  const { plan, storage } = failing
  const statement = seesAnother(plan.model, storage.dialects.prompt, write, columns)
  return statement !== undefined && (await askAnyway(failing, statement)).length > 0
}

async function violated(
  failing: Failing,
  { command, violation }: Extract<Failure, { readonly kind: "violated" }>,
): Promise<Refusal> {
  const { step, write: own } = writeAt(failing, command)
  // A value that cannot be read back is refused as the written one.
  const write = own ?? step.writes.at(-1)
  if (!write && violation.rule === "range")
    return refusal("result_out_of_range", "A result is beyond the numbers that the database can hold.")
  invariant(write, "only what writes can be refused")
  if (violation.rule === "reference" && write.kind !== "delete")
    return missingReferences(failing, step, write, violation)
  const found = await withDomainColumns(failing, write, await namedViolation(failing, step, write, violation))
  const sets = write.kind === "insert" || write.kind === "update" || write.kind === "upsert"
  if (found.rule === "unique" && failing.plan.model.audience && sets) {
    const resource = resourceOf(failing, write)
    const isSeen =
      !mayHideValue(failing, write, found.columns) || (await seesOther(failing, write, found.columns))
    if (!isSeen) return hiddenConflict(failing, step, write)
    if (mayBeStopped(failing, step, { write, columns: found.columns }))
      return hiddenConflict(
        failing,
        step,
        write,
        constraintProblem(failing.plan.model, resource, found, write.place),
      )
  }
  const whole = wholeOf(failing.plan.model).resources.get(write.resource)
  if (whole && isBeyondService(whole, found)) return beyondService(whole, found)
  return new Refusal([constraintProblem(failing.plan.model, resourceOf(failing, write), found, write.place)])
}

async function namedViolation(
  failing: Failing,
  step: Step,
  write: Write,
  violation: ConstraintViolation,
): Promise<ConstraintViolation> {
  if (violation.rule !== "reference" || write.kind !== "delete") return violation
  const table = violation.table ?? (await referrer(failing, write)) ?? referrerMade(failing, step, write)
  return { ...violation, rule: "referenced", ...(table !== undefined && { table }) }
}

/** The first table that still refers to the record; SQLite does not name it. */
async function referrer(
  failing: Failing,
  write: Extract<Write, { readonly kind: "delete" }>,
): Promise<string | undefined> {
  const { plan, storage } = failing
  for (const { statement, table } of referrers(plan.model, storage.dialects.prompt, write))
    if (await finds(failing, statement)) return table
  return undefined
}

/** The table of a record that the step has made or changed, and that is gone again. */
function referrerMade({ plan }: Failing, { writes }: Step, write: Kind<"delete">): string | undefined {
  const whole = wholeOf(plan.model)
  for (const other of writes.slice(0, writes.indexOf(write))) {
    if (other.kind !== "insert" && other.kind !== "update") continue
    const { relations, table } = resourceNamed(whole, other.resource)
    const refers = other.sets.some(({ subject, slot }) => {
      const target = subject.kind === "reference" && relations.get(subject.relation)?.target
      return target && deletes(plan, write, { target, slot })
    })
    if (refers) return table.name
  }
  return undefined
}
