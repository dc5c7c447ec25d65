// Keys of what plans are pieced together from: equal keys mean pieces that differ in bound values only.
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import type { Filter, Groups, Keyset, OrderTerm, Page, RecordRoot } from "../read-plan.ts"

// Names of a model hold letters and digits only, so that none of these signs can be part of one.

export function filterKey(filter: Filter | undefined): string {
  return filter === undefined ? "" : textOf(filter)
}

const textOf = (filter: Filter): string =>
  match(filter, {
    and: ({ of }) => `&(${severalOf(of)})`,
    or: ({ of }) => `|(${severalOf(of)})`,
    not: ({ of }) => `!${textOf(of)}`,
    compare: ({ subject, operator, operand }) => `${subjectKey(subject)}${operator}${operand.slot};`,
    isNull: ({ subject, is }) => `${subjectKey(subject)}${is ? "null" : "given"};`,
    related: ({ relation, of }) => `${relation}(${textOf(of)})`,
    quantified: ({ relation, quantifier, of }) => `${relation}.${quantifier}(${textOf(of)})`,
    together: ({ relation }) => `${relation}.together;`,
    settled: ({ slot }) => `settled${slot};`,
  })

function severalOf(filters: readonly Filter[]): string {
  let text = ""
  for (const filter of filters) text += textOf(filter)
  return text
}

export function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case "id":
      return "#:"
    case "field":
      return `${subject.field}:`
    case "reference":
      return `@${subject.relation}:`
  }
}

export function orderKey(order: readonly OrderTerm[]): string {
  let text = ""
  for (const { path, subject, descending, nulls = "" } of order) {
    const member = subject.kind === "row" ? "*:" : subjectKey(subject)
    text += `${path.join(".")}>${member}${descending ? "-" : "+"}${nulls};`
  }
  return text
}

export function pageKey({ direction, limit, atMost, after, before }: Page): string {
  return `${direction}${limit.slot}/${atMost}${after ? `>${keysetKey(after)}` : ""}${before ? `<${keysetKey(before)}` : ""}`
}

const keysetKey = (keyset: Keyset): string => keyset.map((slot) => slot?.slot ?? "-").join()

export function recordKey(by: RecordRoot["by"] | "missing"): string {
  if (by === "missing") return "-"
  let text = ""
  for (const { subject, slot, former } of by) text += `${former ? "=" : ""}${subjectKey(subject)}${slot};`
  return text
}

export function groupsKey(groups: Omit<Groups, "members"> | undefined): string {
  return groups ? `${groups.by.map(subjectKey).join("")}${groups.limit.slot}` : "-"
}
