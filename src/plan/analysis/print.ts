// Prints the question that a plan asks, for people and for comparison: the members and records, not the form of the answer.
// Output keys, envelopes, constants, cursors and page facts are left out. Members stand in one order, each once, so that
// the same question by either face prints the same text. Brackets after a resource or field hold the actor's condition, if
// the actor does not see it for all records.

import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import type { Model, Resource } from "../../model/model.ts"
import { foldFilter, withoutObjects } from "../fold.ts"
import { resourceNamed, subjectName, targetOf, wholeOf } from "../lookup.ts"
import { memberNames } from "../member.ts"
import { ownEqualities } from "../read/record.ts"
import type {
  AggregateMember,
  Filter,
  Groups,
  Keyset,
  List,
  Member,
  OrderTerm,
  Page,
  ReadPlan,
  RecordRoot,
  Root,
  Slot,
  Value,
} from "../read-plan.ts"
import type { Setting, Write, WritePlan } from "../write-plan.ts"
import { printCondition, wordingOf } from "./print-policy.ts"

/** Lines of text; details of a line follow it, indented. */
type Lines = readonly string[]

export function printPlan(plan: ReadPlan): string {
  return plan.roots.flatMap((root) => printRoot(plan, root)).join("\n")
}

function printRoot(plan: ReadPlan, root: Root): Lines {
  return match(root, {
    record: (record) => printRecord(plan, record),
    records: ({ of }) => [
      "records",
      ...indented(of.flatMap((one) => (one.kind === "record" ? printRecord(plan, one) : ["missing"]))),
    ],
    object: ({ of }) => of.flatMap((one) => (one.kind === "record" ? printRecord(plan, one) : [])),
    list: ({ resource, list }) => [
      `list of ${resource}${printRowRule(plan.model, resourceNamed(plan.model, resource))}`,
      ...indented(printList(plan, resourceNamed(plan.model, resource), list)),
    ],
    constant: () => [],
  })
}

function printRecord(plan: ReadPlan, record: RecordRoot): Lines {
  const resource = resourceNamed(plan.model, record.resource)
  const by = ownEqualities(record.by).map(
    (one) => `${printSubject(plan.model, resource, one.subject)} eq ${printSlot(plan, one)}`,
  )
  return [
    `${resource.name}${printRowRule(plan.model, resource)} where ${by.join(" and ")}`,
    ...indented(printMembers(plan, resource, record.members)),
  ]
}

/** Scalars in the order of the declaration, then relations; a repeated member stands once. */
function printMembers(plan: ReadPlan, resource: Resource, members: readonly Member[]): Lines {
  const scalars = new Map<string, string>()
  const ones = new Map<string, Member[]>()
  const lists = new Set<string>()
  const asked = new Set<string>()
  const computed = new Set<string>()
  for (const member of withoutObjects(members)) {
    if (member.kind === "id" || member.kind === "field" || member.kind === "reference") {
      scalars.set(subjectName(resource, member), printSubject(plan.model, resource, member))
    } else if (member.kind === "computed") {
      computed.add(`${member.field}, by user code`)
    } else if (member.kind === "one") {
      ones.set(member.relation, [...(ones.get(member.relation) ?? []), ...member.members])
    } else if (member.kind === "many") {
      const target = targetOf(plan.model, resource, member.relation)
      const title = `${member.relation}: list of ${target.name}${printRowRule(plan.model, target)}`
      lists.add([title, ...indented(printList(plan, target, member.list))].join("\n"))
    } else if (member.kind === "transitions") {
      for (const { kind } of member.members) if (kind === "allowed" || kind === "reasons") asked.add(kind)
      asked.add("")
    }
  }
  const nested = [...ones].map(([relation, inner]) => {
    const target = targetOf(plan.model, resource, relation)
    const title = `${relation}: ${target.name}${printRowRule(plan.model, target)}`
    return [title, ...indented(printMembers(plan, target, inner))].join("\n")
  })
  return [
    ...memberNames(resource).flatMap((name) => scalars.get(name) ?? []),
    ...printTransitions(asked),
    ...[...computed].toSorted(),
    ...[...nested, ...lists].toSorted().flatMap((text) => text.split("\n")),
  ]
}

/** @param asked facts asked about each transition, and the empty text where there are any */
function printTransitions(asked: ReadonlySet<string>): Lines {
  const facts = ["allowed", "reasons"].filter((fact) => asked.has(fact))
  return asked.has("") ? [`transitions${facts.length > 0 ? `: ${facts.join(", ")}` : ""}`] : []
}

function printList(plan: ReadPlan, resource: Resource, list: List): Lines {
  const members = withoutObjects(list.members)
  const rows = members.flatMap((member) => (member.kind === "rows" ? member.members : []))
  const each = printMembers(plan, resource, rows)
  const totals = members.some((member) => member.kind === "total") ? ["total"] : []
  const aggregates = members.flatMap((member) => (member.kind === "aggregate" ? member.members : []))
  const groups = members.flatMap((member) =>
    member.kind === "groups" ? [printGroups(plan, resource, member.groups).join("\n")] : [],
  )
  return [
    ...(list.where ? [`where ${printFilter(plan, resource, list.where)}`] : []),
    `order by ${printOrder(plan.model, resource, list.order)}`,
    printPage(plan, list.page),
    ...(each.length > 0 ? ["each", ...indented(each)] : []),
    ...totals,
    ...printAggregates(plan, resource, aggregates, []),
    ...[...new Set(groups)].toSorted().flatMap((text) => text.split("\n")),
  ]
}

function printPage(plan: ReadPlan, { direction, limit, after, before }: Page): string {
  const parts = [`${direction === "forward" ? "first" : "last"} ${printSlot(plan, limit)}`]
  if (after) parts.push(`after ${printKeyset(plan, after)}`)
  if (before) parts.push(`before ${printKeyset(plan, before)}`)
  return parts.join(" ")
}

function printGroups(plan: ReadPlan, resource: Resource, { by, limit, members }: Groups): Lines {
  const names = by.map((subject) => printSubject(plan.model, resource, subject))
  return [
    `groups by ${names.join(", ")} first ${printSlot(plan, limit)}`,
    ...indented(printAggregates(plan, resource, members, names)),
  ]
}

/** Keys in the order of the groups, then count, then measures by name. */
function printAggregates(
  plan: ReadPlan,
  resource: Resource,
  members: readonly AggregateMember[],
  names: readonly string[],
): Lines {
  const measured = (field: string): string => printSubject(plan.model, resource, { kind: "field", field })
  const keys = new Set<string>()
  const measures = new Set<string>()
  let count = false
  for (const member of withoutObjects(members)) {
    if (member.kind === "count") count = true
    else if (member.kind === "measure") measures.add(`${member.measure} of ${measured(member.field)}`)
    else if (member.kind === "group") keys.add(names[member.index] ?? "")
  }
  return [
    ...names.filter((name) => keys.has(name)).map((name) => `key ${name}`),
    ...(count ? ["count"] : []),
    ...[...measures].toSorted(),
  ]
}

function indented(lines: Lines): Lines {
  return lines.map((line) => `  ${line}`)
}

// Prints a line of a printed plan: resources and members with their rules, conditions, orders, positions and bound values.

/** `[customer.id = viewer.id]`: the records that the actor sees; empty where the actor sees all of them. */
const printRowRule = (model: Model, resource: Resource): string =>
  bracketed(model, resource, resource.access?.read)

/** `email`, or `email [id = viewer.id]` where the actor sees it only in those records. */
function printSubject(model: Model, resource: Resource, subject: Subject): string {
  const seen = subject.kind === "field" ? resource.fields.get(subject.field)?.seen : undefined
  return `${subjectName(resource, subject)}${bracketed(model, resource, seen)}`
}

function bracketed(model: Model, { name }: Resource, rule: Filter | undefined): string {
  if (!rule || (rule.kind === "and" && rule.of.length === 0)) return ""
  return ` [${printCondition(wordingOf(model), resourceNamed(wholeOf(model), name), rule)}]`
}

/** `status eq "paid" and some lines (quantity gt 2)` */
function printFilter(plan: ReadPlan, of: Resource, filter: Filter): string {
  const subjectText = (resource: Resource, subject: Subject): string =>
    printSubject(plan.model, resource, subject)
  const all = (parts: readonly string[], word: string, none: string): string =>
    parts.length === 0 ? none : parts.map((part) => `(${part})`).join(word)
  const through = (relation: string, inner: string, resource: Resource): string =>
    `${relation}${printRowRule(plan.model, targetOf(plan.model, resource, relation))} (${inner})`
  return foldFilter<string>(plan.model, of, filter, {
    and: (_, parts) => all(parts, " and ", "anything"),
    or: (_, parts) => all(parts, " or ", "nothing"),
    not: (_, inner) => `not (${inner})`,
    compare: ({ subject, operator, operand }, _, at) =>
      `${subjectText(at, subject)} ${operator} ${printSlot(plan, operand)}`,
    isNull: ({ subject, is }, _, at) => `${subjectText(at, subject)} is ${is ? "missing" : "present"}`,
    related: ({ relation }, inner, at) => through(relation, inner, at),
    quantified: ({ quantifier, relation }, inner, at) => `${quantifier} ${through(relation, inner, at)}`,
    together: ({ relation }) => `${relation} made together`,
    settled: () => "the state before the step",
  })
}

/** `-placedAt nulls last, customer.name nulls first, id` */
function printOrder(model: Model, resource: Resource, order: readonly OrderTerm[]): string {
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

function printKeyset(plan: ReadPlan, keyset: Keyset): string {
  return `[${keyset.map((slot) => (slot ? printSlot(plan, slot) : "null")).join(", ")}]`
}

/** The value that is bound there, as JSON; int64 in digits. */
function printSlot({ model, values }: ReadPlan, { slot }: Slot): string {
  // The guard fills it in, after a plan has been made.
  if (slot === 0 && model.audience) return "viewer.id"
  return printValue(present(values[slot], `nothing is bound to slot ${slot}`))
}

function printValue(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`
  return typeof value === "bigint" ? String(value) : JSON.stringify(value)
}

// Prints a write step by step, for people: its lookups, changes and checks, in the order in which they run.
export function printWrite(plan: WritePlan): string {
  const { model } = plan
  const { values } = asRead(plan, model)
  return plan.steps
    .flatMap(({ writes, call, answer }, index) => [
      `step ${index + 1}`,
      ...writes.flatMap((write) => printed(plan, write)).map((line) => `  ${line}`),
      ...(call ? [`  call ${call.name}`] : []),
      ...answerLines({ kind: "read", model, values, roots: [answer] }),
    ])
    .join("\n")
}

const answerLines = (read: ReadPlan): readonly string[] => {
  const text = printPlan(read)
  return text === "" ? [] : ["  answer", ...text.split("\n").map((line) => `    ${line}`)]
}

function printed(plan: WritePlan, write: Write): readonly string[] {
  const { resource: name } = write
  const whole: Model = wholeOf(plan.model)
  const resource = resourceNamed(whole, name)
  const under = (rule: Filter | undefined): string =>
    rule ? ` where ${ruleText(plan, whole, resource, rule)}` : ""
  const several = "several" in write && write.several ? " each of" : ""
  const line = match(write, {
    find: ({ where }) =>
      `find ${name} where ${printFilter(asRead(plan, plan.model), resourceNamed(plan.model, name), where)}`,
    locate: ({ relation }) => `find ${name}${relation === undefined ? "" : ` by ${relation}`}`,
    only: ({ relation }) => `find the only ${relation} of ${name}`,
    sum: ({ field }) => `add to ${name}.${field}`,
    insert: ({ sets }) => `insert ${name}${membersOf(resource, sets)}`,
    upsert: ({ sets, rule }) => `upsert ${name}${membersOf(resource, sets)}${under(rule)}`,
    update: ({ sets, fires, looks, rule }) =>
      `${looks ? "look at" : "update"} ${name}${membersOf(resource, sets)}${fires ? ` by ${fires.transition}` : ""}${under(rule)}`,
    delete: ({ rule }) => `delete ${name}${under(rule)}`,
    link: ({ relation }) => `link ${name} by ${relation}`,
    unlink: ({ relation }) => `unlink ${name} by ${relation}`,
    may: ({ action }) => `check that the actor may ${action}${several} ${name}`,
    check: ({ that }) => `check${several} ${name}${under(that)}`,
    judge: ({ asks }) =>
      `ask of ${name}, as it will be,${asks.map(({ that }) => ` whether ${ruleText(plan, whole, resource, that)}`).join(" and")}`,
    refers: ({ relation }) => `check that the actor sees ${relation}`,
    collect: () => "",
  })
  return line === "" ? [] : [`${line}${write.log ? ", logged" : ""}`]
}

const membersOf = (resource: Resource, sets: readonly Setting[]): string =>
  sets.length === 0 ? "" : ` (${sets.map(({ subject }) => subjectName(resource, subject)).join(", ")})`

/** Rules are in the terms of the whole service. */
const ruleText = (plan: WritePlan, whole: Model, resource: Resource, rule: Filter): string =>
  printFilter(asRead(plan, whole), resource, rule)

const asRead = ({ values }: WritePlan, model: Model): ReadPlan => ({
  kind: "read",
  model,
  roots: [],
  // Keys of records that the write makes or finds.
  values: values.map((value) => value ?? "(known when it runs)"),
})
