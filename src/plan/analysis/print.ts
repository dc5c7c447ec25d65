// Prints the question that a plan asks, for people and for comparing: what is asked of which records, not how the
// answer is put together. Output keys, envelopes, constants, cursors and page facts are left out, members are in one
// order and each once, so that the same question by either face prints the same text. Behind the name of a resource, or of
// a field, stands in brackets for which records the actor is given it, where that is not all.
import { match } from "../../base/match.ts"
import type { Resource } from "../../model/model.ts"
import { resourceNamed, subjectName, targetOf } from "../lookup.ts"
import { memberNames } from "../member.ts"
import { ownEqualities } from "../read/record.ts"
import type {
  AggregateMember,
  Groups,
  List,
  ListMember,
  Member,
  Page,
  ReadPlan,
  RecordRoot,
  Root,
} from "../read-plan.ts"
import { printFilter, printKeyset, printOrder, printRowRule, printSlot, printSubject } from "./print-terms.ts"

/** Lines of text; what belongs to a line follows it, indented. */
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

/** Scalars in the order of the declaration, then relations; what is asked several times stands once. */
function printMembers(plan: ReadPlan, resource: Resource, members: readonly Member[]): Lines {
  const scalars = new Map<string, string>()
  const ones = new Map<string, Member[]>()
  const lists = new Set<string>()
  const asked = new Set<string>()
  const computed = new Set<string>()
  for (const member of members.flatMap(flattened)) {
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

/** @param asked what is asked of each, and the empty text where anything is */
function printTransitions(asked: ReadonlySet<string>): Lines {
  const facts = ["allowed", "reasons"].filter((fact) => asked.has(fact))
  return asked.has("") ? [`transitions${facts.length > 0 ? `: ${facts.join(", ")}` : ""}`] : []
}

/** The members of one record, whatever objects they are wrapped in. */
function flattened(member: Member): readonly Member[] {
  return member.kind === "object" ? member.members.flatMap(flattened) : [member]
}

function printList(plan: ReadPlan, resource: Resource, list: List): Lines {
  const members = list.members.flatMap(flattenedOfList)
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

function flattenedOfList(member: ListMember): readonly ListMember[] {
  return member.kind === "object" ? member.members.flatMap(flattenedOfList) : [member]
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
  for (const member of members.flatMap(flattenedOfAggregate)) {
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

function flattenedOfAggregate(member: AggregateMember): readonly AggregateMember[] {
  return member.kind === "object" ? member.members.flatMap(flattenedOfAggregate) : [member]
}

function indented(lines: Lines): Lines {
  return lines.map((line) => `  ${line}`)
}
