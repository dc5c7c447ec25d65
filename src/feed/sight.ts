// The plans by which one kind of subscriber sees events of a resource: entries of visible records, and whether a former state
// of a record was visible.
import { invariant, present } from "../base/invariant.ts"
import type { Place } from "../base/problem.ts"
import type { Subject } from "../model/condition.ts"
import { type LoggedMember, loggedMembers } from "../model/declaration/logged-members.ts"
import type { Model, Resource } from "../model/model.ts"
import { historyMember } from "../model/reserved.ts"
import { type Draft, startDraft } from "../plan/draft/draft.ts"
import { wholeOf } from "../plan/lookup.ts"
import { memberOf, subjectOf } from "../plan/member.ts"
import { readList, readWhere } from "../plan/read/list.ts"
import type { Filter, List, Member, ReadPlan, Value } from "../plan/read-plan.ts"
import type { Encoding } from "../plan/values/values.ts"
import { type Concerns, concernsOf } from "./concerns.ts"
import { batch, feedModel, rowNumber } from "./feed-model.ts"

export interface SightOptions {
  /** Visible model of the subscriber. */
  readonly model: Model
  readonly resource: string
  readonly conditions: readonly ConditionPart[]
  /** The place of the conditions in the request. */
  readonly place: Place
}

/** A condition on records; of several all hold. */
export interface ConditionPart {
  readonly encoding: Encoding
  readonly value: unknown
}

export interface Sight {
  readonly resource: Resource
  /** The resource in the whole service. */
  readonly whole: Resource
  readonly concerns: Concerns
  /** A list of visible records with the entries of these rows, at most `batch` of each. */
  entries(keys: readonly Value[], rows: readonly bigint[]): ReadPlan
  /** The members of an image, in the order of its values. */
  readonly image: readonly LoggedMember[]
  /** Answers nothing where the state is not visible. */
  matches(values: readonly Value[]): ReadPlan
}

const noCursors = { seal: () => "", open: () => undefined }

/** Throws a Refusal for a condition that cannot be asked. */
export function createSight({ model: visible, resource: name, conditions, place }: SightOptions): Sight {
  const model = feedModel(visible)
  const resource = present(model.resources.get(name), `there is a resource ${name}`)
  const whole = present(wholeOf(model).resources.get(name), `there is a resource ${name}`)
  const start = (): Draft => startDraft({ model, cursors: noCursors })
  const filterIn = (draft: Draft): Filter | undefined => {
    const of = conditions.flatMap(
      ({ encoding, value }) => readWhere(draft, resource, { input: value, encoding, place }) ?? [],
    )
    return of.length > 0 ? { kind: "and", of } : undefined
  }
  const { read } = resource.access ?? {}
  invariant(read, `somebody has said who may see ${name}`)
  const draft = start()
  const filter = filterIn(draft)
  draft.problems.settle()
  const image = imageMembers(whole)
  return {
    resource,
    whole,
    concerns: concernsOf(whole, [read, ...(filter ? [filter] : [])]),
    image,
    entries: entriesOf(draft, { resource, filter }),
    matches: matchesOf(start(), {
      resource,
      filterIn,
      image: image.map((member) => subjectIn(whole, member)),
    }),
  }
}

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
}

function entriesOf(draft: Draft, { resource, filter }: Listing): Sight["entries"] {
  const { model } = draft
  const relation = present(resource.relations.get(historyMember), `${resource.name} has a history`)
  const history = present(model.histories.get(relation.target), "a history is a resource")
  const ids = draft.bind([])
  const rows = draft.bind([])
  const named: Filter = { kind: "compare", subject: { kind: "id" }, operator: "in", operand: ids }
  const numbered: Filter = {
    kind: "compare",
    subject: { kind: "field", field: rowNumber },
    operator: "in",
    operand: rows,
  }
  const listOf = (of: Resource, where: Filter): Omit<List, "members"> => ({
    ...readList(draft, of, { encoding: "json", first: batch }, []),
    where,
  })
  const members: readonly Member[] = [...history.fields.keys()].map((field) => ({
    kind: "field",
    key: field,
    field,
  }))
  const entries: List = {
    ...listOf(history, numbered),
    members: [{ kind: "rows", key: "rows", members }],
  }
  const record: readonly Member[] = [
    { kind: "id", key: "id" },
    { kind: "many", key: "entries", relation: historyMember, list: entries },
  ]
  const list: List = {
    ...listOf(resource, filter ? { kind: "and", of: [named, filter] } : named),
    members: [{ kind: "rows", key: "rows", members: record }],
  }
  const plan = draft.finish([{ kind: "list", key: "records", resource: resource.name, list }])
  return (keys, numbers) => ({
    ...plan,
    values: plan.values.with(ids.slot, keys).with(rows.slot, numbers),
  })
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
