// The plans by which one kind of subscriber sees events of a resource. They give entries of visible records, and whether a
// former state of a record was visible.

import { invariant, present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import { type LoggedMember, loggedMembers } from "../../model/declaration/logged-members.ts"
import type { Model, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { isStep, prices } from "../../plan/cost/points.ts"
import { noCursors } from "../../plan/draft/cursor.ts"
import { type Draft, startDraft } from "../../plan/draft/draft.ts"
import { isForAll } from "../../plan/every-record.ts"
import { partsIn } from "../../plan/fold.ts"
import { wholeOf } from "../../plan/lookup.ts"
import { memberOf, subjectOf } from "../../plan/member.ts"
import { readList, readWhere } from "../../plan/read/list.ts"
import type { Filter, List, Member, ReadPlan, Slot, Value } from "../../plan/read-plan.ts"
import { readId } from "../../plan/values/ids.ts"
import type { Encoding } from "../../plan/values/values.ts"
import {
  batch,
  type Concerns,
  certainModel,
  concernsOf,
  feedModel,
  loggedEntries,
  rowNumber,
} from "./feed-model.ts"

export interface SightOptions {
  /** Visible model of the subscriber. */
  readonly model: Model
  readonly resource: string
  readonly conditions: readonly ConditionPart[]
  /** The place of the conditions in the request. */
  readonly place: Place
  /** Members of the record as it is now, which come with its entries; none when absent. */
  readonly record?: (resource: Resource) => readonly Member[]
}

/** A condition on records; of several all hold. */
export interface ConditionPart {
  readonly encoding: Encoding
  readonly value: unknown
}

export interface Sight {
  readonly resource: Resource
  /** The resource's name in the subscriber's version. */
  readonly called: string
  /** The resource in the whole service. */
  readonly whole: Resource
  readonly concerns: Concerns
  /** Whether its conditions allow the record, as far as its id tells; a record that they do not never comes into sight. */
  allows(record: string): boolean
  /** A list of visible records with the entries of these rows, at most `batch` of each. */
  entries(keys: readonly Value[], rows: readonly bigint[]): ReadPlan
  /** Whether other records decide who sees one, or whether it meets the condition. */
  readonly dependsOnOthers: boolean
  /** Comparisons of its condition, with ten for each step to related records. */
  readonly comparisons: number
  /** Whether these are members of the record besides. */
  readonly hasRecord: boolean
  /** The entry of a row whose record is not there any more; undefined where that depends on the record. */
  readonly gone: { readonly model: Model; readonly plan: (key: Value, row: bigint) => ReadPlan } | undefined
  /** The members of an image, in the order of its values. */
  readonly image: readonly LoggedMember[]
  /** Answers nothing where the state is not visible. */
  matches(values: readonly Value[]): ReadPlan
}

/** Throws a Refusal for a condition that cannot be asked. */
export function createSight({ model: visible, resource: name, ...asked }: SightOptions): Sight {
  const { conditions, place, record } = asked
  const model = feedModel(visible)
  const seen = present(visible.resources.get(name), `there is a resource ${name}`)
  const resource = present(model.resources.get(name), `there is a resource ${name}`)
  const whole = present(wholeOf(model).resources.get(name), `there is a resource ${name}`)
  const start = (): Draft => startDraft({ model, cursors: noCursors })
  const filterIn = (draft: Draft): Filter | undefined => {
    // By the subscriber's names: the names of the feed's own model, such as numbers in the log, are not for its use.
    const reading = { ...draft, model: visible }
    const of = conditions.flatMap(
      ({ encoding, value }) => readWhere(reading, seen, { input: value, encoding, place }) ?? [],
    )
    return of.length > 0 ? { kind: "and", of } : undefined
  }
  const { read } = resource.access ?? {}
  invariant(read, `somebody has said who may see ${name}`)
  const draft = start()
  const filter = filterIn(draft)
  draft.problems.settle()
  const image = imageMembers(whole)
  const members = record?.(resource) ?? [{ kind: "id", key: "id" }]
  const entries = entriesOf(draft, { resource, filter, record: members })
  const named = filter && namedIn(filter, entries([], []).values)
  return {
    resource,
    called: apiName(seen),
    whole,
    allows: (id) => named?.has(textOfKey(readId(whole, id) ?? null)) ?? true,
    concerns: concernsOf({ whole, seen, isFormer: visible.newest !== undefined }, { read, filter }),
    image,
    dependsOnOthers: hasSteps(read) || (filter !== undefined && hasSteps(filter)),
    comparisons: filter ? comparisonsIn(filter) : 0,
    hasRecord: record !== undefined,
    gone: isForAll(read) && !filter ? goneIn(certainModel(model), name) : undefined,
    entries,
    matches: matchesOf(start(), {
      resource,
      filterIn,
      image: image.map((member) => subjectIn(whole, member)),
    }),
  }
}

const hasSteps = (filter: Filter): boolean => partsIn(filter).some(isStep)

/** Comparisons that each kind of condition counts for, without the conditions in it. */
const comparisons: Readonly<Record<Filter["kind"], number>> = {
  and: 0,
  or: 0,
  not: 0,
  compare: 1,
  isNull: 1,
  related: prices.step,
  quantified: prices.step,
  together: 0,
  settled: 0,
}

const comparisonsIn = (filter: Filter): number =>
  partsIn(filter).reduce((sum, { kind }) => sum + comparisons[kind], 0)

/** The keys that a condition names; undefined where it is about others, too. */
function namedIn(filter: Filter, values: readonly Value[]): ReadonlySet<string> | undefined {
  if (filter.kind === "and") {
    for (const one of filter.of) {
      const named = namedIn(one, values)
      if (named) return named
    }
    return undefined
  }
  if (filter.kind !== "compare" || filter.subject.kind !== "id") return undefined
  const value = values[filter.operand.slot] ?? null
  if (filter.operator === "eq") return new Set([textOfKey(value)])
  return filter.operator === "in" && Array.isArray(value) ? new Set(value.map(textOfKey)) : undefined
}

const textOfKey = (key: Value): string =>
  JSON.stringify(key, (_, part) => (typeof part === "bigint" ? `${part}n` : part))

/** Members that a table's row can be made of again. */
const imageMembers = (whole: Resource): readonly LoggedMember[] =>
  loggedMembers(whole, whole).filter(({ field }) => !field || (field.scalar !== "json" && !field.computed))

function subjectIn(whole: Resource, { name }: LoggedMember): Subject {
  const member = present(memberOf(whole, name), `${whole.name} has the member ${name}`)
  return subjectOf(present(member.kind === "relation" ? undefined : member, `${name} holds a value`))
}

interface Listing {
  readonly resource: Resource
  readonly filter: Filter | undefined
  /** The id among them. */
  readonly record: readonly Member[]
}

function entriesOf(draft: Draft, { resource, filter, record }: Listing): Sight["entries"] {
  const ids = draft.bind([])
  const named: Filter = { kind: "compare", subject: { kind: "id" }, operator: "in", operand: ids }
  const { rows, member } = entriesIn(draft, resource)
  const list: List = {
    ...listOf(draft, resource, filter ? { kind: "and", of: [named, filter] } : named),
    members: [{ kind: "rows", key: "rows", members: [...record, member] }],
  }
  const plan = draft.finish([{ kind: "list", key: "records", resource: resource.name, list }])
  return (keys, numbers) => ({
    ...plan,
    values: plan.values.with(ids.slot, keys).with(rows.slot, numbers),
  })
}

const listOf = (draft: Draft, of: Resource, where: Filter): Omit<List, "members"> => ({
  ...readList(draft, of, { encoding: "json", first: batch }, []),
  where,
})

/** Entries of a record, of the rows whose numbers the slot holds. */
function entriesIn(draft: Draft, resource: Resource): { readonly rows: Slot; readonly member: Member } {
  const relation = present(resource.relations.get(loggedEntries), `changes of ${resource.name} are logged`)
  const history = present(draft.model.histories.get(relation.target), "a history is a resource")
  const rows = draft.bind([])
  const numbered: Filter = {
    kind: "compare",
    subject: { kind: "field", field: rowNumber },
    operator: "in",
    operand: rows,
  }
  const members: readonly Member[] = [...history.fields.keys()].map((field) => ({
    kind: "field",
    key: field,
    field,
  }))
  const list: List = {
    ...listOf(draft, history, numbered),
    members: [{ kind: "rows", key: "rows", members }],
  }
  return { rows, member: { kind: "many", key: loggedEntries, relation: loggedEntries, list } }
}

/** @param model without members whose visibility depends on the record: of the image there is the key alone */
function goneIn(model: Model, name: string): NonNullable<Sight["gone"]> {
  const draft = startDraft({ model, cursors: noCursors })
  const resource = present(model.resources.get(name), `there is a resource ${name}`)
  const { slot } = draft.bind([])
  const { rows, member } = entriesIn(draft, resource)
  const plan = draft.finish([
    {
      kind: "record",
      key: "record",
      resource: name,
      by: [],
      image: { subjects: [{ kind: "id" }], slot },
      members: [member],
    },
  ])
  return {
    model,
    plan: (key, row) => ({ ...plan, values: plan.values.with(slot, [key]).with(rows.slot, [row]) }),
  }
}

interface Matching {
  readonly resource: Resource
  readonly filterIn: (draft: Draft) => Filter | undefined
  readonly image: readonly Subject[]
}

function matchesOf(draft: Draft, { resource, filterIn, image }: Matching): Sight["matches"] {
  const where = filterIn(draft)
  const { slot } = draft.bind([])
  const subjects: readonly Subject[] = [{ kind: "id" }, ...image]
  const plan = draft.finish([
    {
      kind: "record",
      key: "record",
      resource: resource.name,
      by: [],
      image: { subjects, slot, ...(where && { where }) },
      members: [{ kind: "constant", key: "seen", json: "true" }],
    },
  ])
  return (values) => ({ ...plan, values: plan.values.with(slot, values) })
}
