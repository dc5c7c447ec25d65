// Prints what stands on one line of a printed plan: resources and members with the rules that they are under, conditions,
// orders, positions and bound values.
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import type { Model, Resource } from "../../model/model.ts"
import { resourceNamed, subjectName, targetOf, wholeOf } from "../lookup.ts"
import type { Filter, Keyset, OrderTerm, ReadPlan, Slot, Value } from "../read-plan.ts"
import { printCondition, wordingOf } from "./print-policy.ts"

/** `[customer.id = viewer.id]`: of which records there is anything for the actor; empty where that is all of them. */
export const printRowRule = (model: Model, resource: Resource): string =>
  bracketed(model, resource, resource.access?.read)

/** `email`, or `email [id = viewer.id]` where the actor sees it of those records only. */
export function printSubject(model: Model, resource: Resource, subject: Subject): string {
  const seen = subject.kind === "field" ? resource.fields.get(subject.field)?.seen : undefined
  return `${subjectName(resource, subject)}${bracketed(model, resource, seen)}`
}

function bracketed(model: Model, { name }: Resource, rule: Filter | undefined): string {
  if (!rule || (rule.kind === "and" && rule.of.length === 0)) return ""
  return ` [${printCondition(wordingOf(model), resourceNamed(wholeOf(model), name), rule)}]`
}

/** `status eq "paid" and some lines (quantity gt 2)` */
export function printFilter(plan: ReadPlan, resource: Resource, filter: Filter): string {
  const inner = (of: Filter): string => `(${printFilter(plan, resource, of)})`
  const subjectText = (subject: Subject): string => printSubject(plan.model, resource, subject)
  const through = (relation: string, of: Filter): string => {
    const target = targetOf(plan.model, resource, relation)
    return `${relation}${printRowRule(plan.model, target)} (${printFilter(plan, target, of)})`
  }
  return match(filter, {
    and: ({ of }) => (of.length === 0 ? "anything" : of.map(inner).join(" and ")),
    or: ({ of }) => (of.length === 0 ? "nothing" : of.map(inner).join(" or ")),
    not: ({ of }) => `not ${inner(of)}`,
    compare: ({ subject, operator, operand }) =>
      `${subjectText(subject)} ${operator} ${printSlot(plan, operand)}`,
    isNull: ({ subject, is }) => `${subjectText(subject)} is ${is ? "missing" : "present"}`,
    related: ({ relation, of }) => through(relation, of),
    quantified: ({ quantifier, relation, of }) => `${quantifier} ${through(relation, of)}`,
    together: ({ relation }) => `${relation} made together`,
    settled: () => "what was so before the step",
  })
}

/** `-placedAt nulls last, customer.name nulls first, id` */
export function printOrder(model: Model, resource: Resource, order: readonly OrderTerm[]): string {
  const terms = order.map(({ path, subject, descending, nulls }) => {
    let end = resource
    const steps = path.map((relation) => {
      end = targetOf(model, end, relation)
      return `${relation}${printRowRule(model, end)}`
    })
    const name = subject.kind === "row" ? "row" : printSubject(model, end, subject)
    return `${descending ? "-" : ""}${[...steps, name].join(".")}${nulls ? ` nulls ${nulls}` : ""}`
  })
  return terms.join(", ")
}

export function printKeyset(plan: ReadPlan, keyset: Keyset): string {
  return `[${keyset.map((slot) => (slot ? printSlot(plan, slot) : "null")).join(", ")}]`
}

/** The value that is bound there, as JSON; int64 in digits. */
export function printSlot({ model, values }: ReadPlan, { slot }: Slot): string {
  // The guard fills it in, after a plan has been made.
  if (slot === 0 && model.audience) return "viewer.id"
  return printValue(present(values[slot], `nothing is bound to slot ${slot}`))
}

function printValue(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`
  return typeof value === "bigint" ? String(value) : JSON.stringify(value)
}
