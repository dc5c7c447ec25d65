// Prints what stands on one line of a printed plan: conditions, orders, positions and bound values.
import { present } from "../base/invariant.ts"
import { match } from "../base/match.ts"
import type { Model, Resource } from "../model/model.ts"
import { endOf, subjectName, targetOf } from "./names.ts"
import type { Filter, Keyset, OrderTerm, ReadPlan, Slot, Value } from "./types.ts"

/** `status eq "paid" and some lines (quantity gt 2)` */
export function printFilter(plan: ReadPlan, resource: Resource, filter: Filter): string {
  const inner = (of: Filter): string => `(${printFilter(plan, resource, of)})`
  const through = (relation: string, of: Filter): string =>
    `${relation} (${printFilter(plan, targetOf(plan.model, resource, relation), of)})`
  return match(filter, {
    and: ({ of }) => (of.length === 0 ? "anything" : of.map(inner).join(" and ")),
    or: ({ of }) => (of.length === 0 ? "nothing" : of.map(inner).join(" or ")),
    not: ({ of }) => `not ${inner(of)}`,
    compare: ({ subject, operator, operand }) =>
      `${subjectName(resource, subject)} ${operator} ${printSlot(plan, operand)}`,
    isNull: ({ subject, is }) => `${subjectName(resource, subject)} is ${is ? "missing" : "present"}`,
    related: ({ relation, of }) => through(relation, of),
    quantified: ({ quantifier, relation, of }) => `${quantifier} ${through(relation, of)}`,
  })
}

/** `-placedAt nulls last, customer.name nulls first, id` */
export function printOrder(model: Model, resource: Resource, order: readonly OrderTerm[]): string {
  const terms = order.map(({ path, subject, descending, nulls }) => {
    const name = subject.kind === "row" ? "row" : subjectName(endOf(model, resource, path), subject)
    return `${descending ? "-" : ""}${[...path, name].join(".")}${nulls ? ` nulls ${nulls}` : ""}`
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
