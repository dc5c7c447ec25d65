// The columns that a condition looks at, of its own record and of others, and the columns that a write changes.
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import type { Model, Relation, Resource, TableName } from "../../model/model.ts"
import { everyRecord, noRecord } from "../every-record.ts"
import { placedParts } from "../fold.ts"
import { fieldNamed, relationNamed, resourceNamed, targetOf } from "../lookup.ts"
import { columnsBehind, relationsBehind } from "../read/computed.ts"
import type { Filter } from "../read-plan.ts"
import { columnsOf } from "../selectivity.ts"
import type { Write } from "../write-plan.ts"

interface LooksAt {
  /** Columns of the record itself. */
  readonly own: ReadonlySet<string>
  /** Columns of the records that paths lead to, by table; of a join table none is named. */
  readonly others: ReadonlyMap<string, ReadonlySet<string>>
  /** The condition depends on the history of records. */
  readonly history: boolean
}

/** Tables that a write changes; without columns where it makes or removes rows. */
export interface Touch {
  readonly table: string
  readonly columns?: ReadonlySet<string>
  readonly logged?: true
  /** The write may make a row. */
  readonly makes?: true
}

const keyOf = ({ schema, name }: TableName): string => JSON.stringify([schema, name])

/** @param model the whole service */
export function looksAt(model: Model, of: Resource, condition: Filter): LooksAt {
  const looking = { model, own: new Set<string>(), others: new Map<string, Set<string>>(), history: false }
  for (const { filter, resource, isOwn } of placedParts(model, of, condition)) {
    const alongPath = ({ relation }: { readonly relation: string }): void =>
      follow(looking, resource, relationNamed(resource, relation), isOwn)
    match<Filter, void>(filter, {
      ...{ and: () => {}, or: () => {}, not: () => {}, settled: () => {} },
      compare: ({ subject, operand: { viewer } }) => {
        look(looking, resource, subject, isOwn)
        if (viewer) look(looking, resourceNamed(model, model.viewer ?? ""), viewer, false)
      },
      isNull: ({ subject }) => look(looking, resource, subject, isOwn),
      together: ({ relation }) =>
        note(looking, resource, joinColumns(relationNamed(resource, relation)), isOwn),
      related: alongPath,
      quantified: alongPath,
    })
  }
  return looking
}

interface Looking {
  readonly model: Model
  readonly own: Set<string>
  readonly others: Map<string, Set<string>>
  history: boolean
}

const joinColumns = (relation: Relation): readonly string[] =>
  (relation.kind === "many" && relation.through ? relation.through.near : relation.join).map(
    ({ from }) => from,
  )

function note(looking: Looking, { table }: Resource, columns: readonly string[], isOwn: boolean): void {
  const known = isOwn ? looking.own : (looking.others.get(keyOf(table)) ?? new Set())
  for (const column of columns) known.add(column)
  if (!isOwn) looking.others.set(keyOf(table), known)
}

function follow(looking: Looking, resource: Resource, relation: Relation, isOwn: boolean): void {
  const target = targetOf(looking.model, resource, relation.name)
  note(looking, resource, joinColumns(relation), isOwn)
  if (relation.kind === "many" && relation.history) looking.history = true
  const { through } = relation.kind === "many" ? relation : { through: undefined }
  if (through) looking.others.set(keyOf(through.table), new Set())
  const far = through ? through.far : relation.join
  note(
    looking,
    target,
    far.map(({ to }) => to),
    false,
  )
}

function look(looking: Looking, resource: Resource, subject: Subject, isOwn: boolean): void {
  const field = subject.kind === "field" ? fieldNamed(resource, subject.field) : undefined
  if (!field?.computed) {
    note(looking, resource, columnsOf(resource, subject), isOwn)
    return
  }
  const followed = relationsBehind(looking.model, resource, field)
  for (const { resource: from, relation } of followed) {
    const owns = isOwn && from === resource
    follow(looking, from, relationNamed(from, relation), owns)
  }
  // A path may come back to the same table.
  for (const { resource: of, column } of columnsBehind(looking.model, resource, field)) {
    if (of === resource) note(looking, of, [column], isOwn)
    if (of !== resource || followed.length > 0) note(looking, of, [column], false)
  }
}

/** @param model the whole service */
export function touchesOf(model: Model, write: Write): readonly Touch[] {
  const resource = resourceNamed(model, write.resource)
  const own = { table: keyOf(resource.table), ...(resource.logged && { logged: true as const }) }
  switch (write.kind) {
    case "insert":
    case "upsert":
      return [{ ...own, makes: true }]
    case "delete":
      return [own]
    case "update": {
      if (write.looks || write.emits) return []
      const set = write.sets.map(({ subject }) => subject)
      // A hook may set more.
      const subjects = resource.before?.update ? [...set, ...settableOf(resource)] : set
      return [{ ...own, columns: new Set(subjects.flatMap((subject) => columnsOf(resource, subject))) }]
    }
    case "link":
    case "unlink": {
      const relation = relationNamed(resource, write.relation)
      const through = relation.kind === "many" ? relation.through : undefined
      return through ? [{ table: keyOf(through.table) }] : []
    }
    default:
      return []
  }
}

/** Members that a hook may set. */
const settableOf = ({ fields, relations }: Resource): readonly Subject[] => [
  ...[...fields.values()].flatMap(({ name, computed, state }): readonly Subject[] =>
    computed || state ? [] : [{ kind: "field", field: name }],
  ),
  ...[...relations.values()].map(({ name }): Subject => ({ kind: "reference", relation: name })),
]

/** Whether one of the writes may change the destinations of the paths. */
export function isReached({ others, history }: LooksAt, touches: readonly Touch[]): boolean {
  return touches.some(({ table, columns, logged }) => {
    if (history && logged) return true
    const found = others.get(table)
    return found !== undefined && (!columns || [...columns].some((column) => found.has(column)))
  })
}

/** Whether one of the writes sets a member of its record that the condition looks at. */
export const isOwnSet = (
  { own }: Pick<LooksAt, "own">,
  { table }: Resource,
  touches: readonly Touch[],
): boolean =>
  touches.some(
    ({ table: touched, columns }) =>
      touched === keyOf(table) && columns && [...columns].some((column) => own.has(column)),
  )

/** Whether one of the writes may make a record of the resource. */
export const mayMake = ({ table }: Resource, touches: readonly Touch[]): boolean =>
  touches.some((touch) => touch.makes && touch.table === keyOf(table))

/** Whether it looks at other records at all. */
export const hasPaths = ({ others, history }: LooksAt): boolean => history || others.size > 0

// Conditions on a record as a step would leave it, asked before any effect of the step.
interface Lasting {
  readonly whole: Model
  /** Rows that the step adds as they are known before it. */
  readonly added: readonly Touch[]
  /** All other changes. */
  readonly changed: readonly Touch[]
  /** All records below a new one are known. */
  readonly isListed: boolean
}

/**
 * The condition without parts that the step may still end. If it holds before the step, it holds after it, together with the
 * records that the step makes below a new one.
 */
export function lasting(
  whole: Model,
  writes: readonly Write[],
  { resource, isNew }: { readonly resource: Resource; readonly isNew: boolean },
  filter: Filter,
): Filter {
  const touches = (isWanted: boolean): readonly Touch[] =>
    writes.filter((write) => adds(whole, write) === isWanted).flatMap((write) => touchesOf(whole, write))
  const state = { whole, added: touches(true), changed: touches(false), isListed: !writes.some(isChosen) }
  return lasts(state, { resource, isOwn: true, isNew }, filter, true)
}

/** A hook may set other members of a record that it makes. */
const adds = (whole: Model, write: Write): boolean =>
  write.kind === "link" || (write.kind === "insert" && !resourceNamed(whole, write.resource).before?.create)

/** The caller chose the key of a record that the step makes. */
const isChosen = (write: Write): boolean =>
  write.kind === "link" ? write.made === true : "sets" in write && write.sets.some(({ made }) => made)

interface Place {
  readonly resource: Resource
  /** The record that is asked about, and not one that a path leads to. */
  readonly isOwn: boolean
  readonly isNew: boolean
}

/** @param wanted whether the condition has to hold, or must not */
function lasts(state: Lasting, place: Place, filter: Filter, wanted: boolean): Filter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, of: filter.of.map((part) => lasts(state, place, part, wanted)) }
    case "not":
      return { ...filter, of: lasts(state, place, filter.of, !wanted) }
    case "related":
    case "quantified": {
      if (isPathOpen(state, place, filter, wanted)) return wanted ? noRecord : everyRecord
      const turned = filter.kind === "quantified" && filter.quantifier === "none"
      const resource = targetOf(state.whole, place.resource, filter.relation)
      const of = lasts(state, { resource, isOwn: false, isNew: false }, filter.of, wanted !== turned)
      return { ...filter, of }
    }
    case "compare":
    case "isNull":
      return isValueOpen(state, place, filter) ? (wanted ? noRecord : everyRecord) : filter
    default:
      return filter
  }
}

/** Whether the step may lead the path elsewhere. Additional records cannot end a condition that one of them has to meet. */
function isPathOpen(
  { whole, added, changed, isListed }: Lasting,
  { resource, isNew }: Place,
  filter: Extract<Filter, { readonly kind: "related" | "quantified" }>,
  wanted: boolean,
): boolean {
  const path = looksAt(whole, resource, { ...filter, of: everyRecord })
  if (path.history || isReached(path, changed)) return true
  if (filter.kind === "related" || (isNew && isListed)) return false
  return (filter.quantifier === "some") !== wanted && isReached(path, added)
}

function isValueOpen(
  { whole, added, changed, isListed }: Lasting,
  { resource, isOwn, isNew }: Place,
  filter: Extract<Filter, { readonly kind: "compare" | "isNull" }>,
): boolean {
  const looked = looksAt(whole, resource, filter)
  if (isReached(looked, changed) || (!isOwn && isOwnSet(looked, resource, changed))) return true
  if (filter.subject.kind !== "field" || !isReached(looked, added)) return false
  const behind = relationsBehind(whole, resource, fieldNamed(resource, filter.subject.field))
  return behind.length > 0 && !(isNew && isListed && behind.every((one) => one.resource === resource))
}
