// The columns that a condition looks at, the record's own and those of other records; and those that a write changes.
import type { Subject } from "../../model/condition.ts"
import type { Model, Relation, Resource, TableName } from "../../model/model.ts"
import { fieldNamed, relationNamed, resourceNamed, targetOf } from "../lookup.ts"
import { columnsBehind, relationsBehind } from "../read/computed.ts"
import type { Filter } from "../read-plan.ts"
import { columnsOf } from "../selectivity.ts"
import type { Write } from "../write-plan.ts"

export interface LooksAt {
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
export function looksAt(model: Model, resource: Resource, filter: Filter): LooksAt {
  const looking = { model, own: new Set<string>(), others: new Map<string, Set<string>>(), history: false }
  walk(looking, resource, filter, true)
  return looking
}

interface Looking {
  readonly model: Model
  readonly own: Set<string>
  readonly others: Map<string, Set<string>>
  history: boolean
}

function walk(looking: Looking, resource: Resource, filter: Filter, isOwn: boolean): void {
  switch (filter.kind) {
    case "and":
    case "or":
      for (const part of filter.of) walk(looking, resource, part, isOwn)
      return
    case "not":
      walk(looking, resource, filter.of, isOwn)
      return
    case "compare": {
      look(looking, resource, filter.subject, isOwn)
      const { viewer } = filter.operand
      if (viewer) look(looking, resourceNamed(looking.model, looking.model.viewer ?? ""), viewer, false)
      return
    }
    case "isNull":
      look(looking, resource, filter.subject, isOwn)
      return
    case "together":
      note(looking, resource, joinColumns(relationNamed(resource, filter.relation)), isOwn)
      return
    case "settled":
      return
    case "related":
    case "quantified": {
      const relation = relationNamed(resource, filter.relation)
      follow(looking, resource, relation, isOwn)
      walk(looking, targetOf(looking.model, resource, filter.relation), filter.of, false)
    }
  }
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

/** Whether one of the writes may change what the paths lead to. */
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
