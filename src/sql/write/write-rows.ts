// The commands that change rows, one kind of write each.
import { present } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import type { ColumnPair, Model, Resource } from "../../model/model.ts"
import { transitionNamed } from "../../plan/lookup.ts"
import type { Filter, Slot, Value } from "../../plan/read-plan.ts"
import type { Fixed, Kind, Setting, Target } from "../../plan/write-plan.ts"
import { type ColumnType, keyPartType, plainText } from "../column-type.ts"
import { encodeKnown } from "../deferred-parameter.ts"
import { allOf, anyOf, commas, type Fragment, name, sql, where } from "../fragment.ts"
import { collationOf } from "../read/collation.ts"
import {
  bindSlot,
  type Compilation,
  operand,
  type Row,
  resourceOf,
  tableName,
  tableOf,
} from "../read/compilation.ts"
import { distinctOf, holds, isEqual, isOneOf, partOf } from "../read/condition.ts"
import { nextVersion, openNamed, openTable, reference, type Source, versionText } from "../read/row.ts"
import { columnsOf, keyOf } from "../read/subject.ts"
import { firesHere, startsHere } from "../read/transitions.ts"
import type { ProgramCommand } from "../statement.ts"
import { asStored, canonical, keyAsStored, type SetValue } from "./canonical-reference.ts"
import { isDeferred, isTriggered, tellsNew } from "./table-traits.ts"

export interface Query extends Pick<ProgramCommand, "present" | "most"> {
  readonly query: Fragment
}

/** The RETURNING list for the written row. */
export type Returned = (row: Row) => Fragment

/** A column and the value it is given. */
export interface Assigned {
  readonly column: string
  readonly value: Fragment
  readonly from: { readonly slot: number; readonly part?: number }
  /** Whether a row that is there keeps its value. */
  readonly stays?: (row: Row) => Fragment
}

/**
 * Each column once: a composite key's may belong to several members, which then agree.
 * @param named what names the record, where it may be there already
 */
export function assigned(
  { all: compilation, dialect }: Compilation,
  { name: called }: Resource,
  sets: readonly Setting[],
  named?: readonly Subject[],
): readonly Assigned[] {
  const resource = resourceOf(compilation, called)
  const found = new Map<string, SetValue & Pick<Assigned, "from" | "stays">>()
  for (const { subject, slot, stays } of sets) {
    const own = columnsOf(compilation, resource, subject)
    const { columns, isKey } = own
    for (const [part, { column, type }] of columns.entries()) {
      if (found.has(column)) continue
      const store = encodeKnown((value) => dialect.writes.store(value, type))
      const pick = (value: Value): Value => (isKey ? partOf(value, part) : value)
      found.set(column, {
        type,
        value: bindSlot({ slot }, (given) => store(pick(given))),
        operand: operand(compilation, { slot }, type, pick),
        from: isKey ? { slot, part } : { slot },
        ...(stays && { stays: (row: Row) => keeps(compilation, row, { subject, stays }) }),
        ...(subject.kind === "reference" && { relation: subject.relation }),
      })
    }
  }
  const stored = asStored(compilation, resource, found, named)
  return [...found].map(([column, { from, stays }]) => ({
    column,
    value: stored(column),
    from,
    ...(stays && { stays }),
  }))
}

/** Whether the stored value is one of those that stay, or a list with one. */
function keeps(
  compilation: Compilation,
  row: Row,
  { subject, stays }: { readonly subject: Subject; readonly stays: Slot },
): Fragment {
  const stored = { ...row, column: row.stored }
  const field = subject.kind === "field" ? row.resource.fields.get(subject.field) : undefined
  return field?.list
    ? holds(compilation, stored, { kind: "compare", subject, operator: "hasAny", operand: stays })
    : isOneOf(compilation, stored, columnsOf(compilation, row.resource, subject), stays)
}

/** As `assigned`, to a row that is there. */
export const assignedTo = (
  compilation: Compilation,
  row: Row,
  sets: readonly Setting[],
): readonly Assigned[] =>
  assigned(compilation, row.resource, sets).map((one) => {
    if (!one.stays) return one
    const value = sql`CASE WHEN ${one.stays(row)} THEN ${row.stored(one.column)} ELSE ${one.value} END`
    return { ...one, value }
  })

/** All columns of a new row that have a value. */
export function madeOf(
  compilation: Compilation,
  resource: Resource,
  write: Kind<"insert" | "upsert">,
): readonly Pick<Assigned, "column" | "value">[] {
  const { sets, begins } = write
  const columns = assigned(compilation, resource, sets, write.kind === "upsert" ? write.unique : undefined)
  const { version } = resource
  if (!begins || version.kind !== "column") return columns
  return [...columns, { column: version.column, value: operand(compilation, begins, counted) }]
}

const counted: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/** @param given the condition for making the row */
export function insertRow(
  compilation: Compilation,
  write: Kind<"insert">,
  returned?: Fragment,
  given?: Fragment,
): Query {
  const resource = resourceOf(compilation, write.resource)
  const triggered = isTriggered(compilation.dialect, resource)
  const key = triggered || write.keyFrom === "database" ? keyColumns(compilation, resource) : undefined
  // A trigger of an unmanaged table may skip it.
  const sure = !triggered && (compilation.model.managed || compilation.dialect.writes.readsBack)
  const made = key ?? (sure ? undefined : sql`1`)
  return {
    query: sql`INSERT${orRefuse(compilation, resource)} INTO ${tableOf(resource)} ${valuesOf(madeOf(compilation, resource, write), given)}${returning(returned ?? made)}`,
    ...(!sure && { present: true }),
  }
}

/** Not where it is not needed: triggers on the table would have to do as this says, too. */
const orRefuse = ({ dialect }: Compilation, { onConflict }: Resource): Fragment =>
  (onConflict && dialect.writes.orRefuse) ?? sql``

export function valuesOf(values: readonly Pick<Assigned, "column" | "value">[], given?: Fragment): Fragment {
  if (values.length === 0) return sql`DEFAULT VALUES`
  const columns = sql`(${commas(values.map(({ column }) => name(column)))})`
  const all = commas(values.map(({ value }) => value))
  return given ? sql`${columns} SELECT ${all} WHERE ${given}` : sql`${columns} VALUES (${all})`
}

const returning = (what: Fragment | undefined): Fragment => (what ? sql` RETURNING ${what}` : sql``)

export const keyColumns = (compilation: Compilation, resource: Resource): Fragment =>
  commas(keyOf(resource).parts.map((part) => canonical(compilation, name(part.column), keyPartType(part))))

/** Where each part of a natural key comes from: the settings that its columns belong to. */
export function keyParts(model: Model, write: Kind<"insert">): readonly Assigned["from"][] {
  const resource = resourceOf({ model }, write.resource)
  return keyOf(resource).parts.map((part) => {
    for (const { subject, slot } of write.sets) {
      const { columns, isKey } = columnsOf({ model }, resource, subject)
      const at = columns.findIndex(({ column }) => column === part.column)
      if (at >= 0) return isKey ? { slot, part: at } : { slot }
    }
    throw new Error(`${resource.name} is made without ${part.column} of its key`)
  })
}

/** Nothing is set: that the record is there, and of that version, is all that is asked. */
export const isOnlyCheck = (write: Kind<"update" | "delete">): boolean =>
  write.kind === "update" && write.sets.length === 0 && !write.touch

/** The condition on the row, besides the rule of its visibility. */
export const updateTests = (
  compilation: Compilation,
  row: Row,
  write: Kind<"update" | "delete">,
): readonly Fragment[] => [
  ...targeted(compilation, row, write),
  ...ruledBy(compilation, row, write),
  ...(write.kind === "update" ? firedBy(compilation, row, write) : []),
]

/** Whether the record is written only because links of it are made or taken away. */
export const isForLinks = ({ touch, moves }: Kind<"update">): boolean => touch === true && moves !== undefined

/** The condition of such a write: one of its links is not yet as it asks. */
export const moved = (compilation: Compilation, write: Kind<"update">): readonly Fragment[] => {
  if (!isForLinks(write)) return []
  const { resource, moves = [] } = write
  const each = moves.map((one) => {
    const found = linksFound(compilation, { ...one, resource } as Kind<"link" | "unlink">)
    return one.kind === "link" ? sql`NOT EXISTS (${found})` : sql`EXISTS (${found})`
  })
  return [sql`(${anyOf(each)})`]
}

/** The list behind SET. */
export const updateSets = (
  compilation: Compilation,
  row: Row,
  write: Kind<"update">,
): readonly Fragment[] => [
  ...assignedTo(compilation, row, write.sets).map(({ column, value }) => sql`${name(column)} = ${value}`),
  ...(isOnlyCheck(write) ? [] : nextVersion(row)),
]

/** The written table; without the rule of sight where that was asked before the step. */
export function openWritten(
  compilation: Compilation,
  write: { readonly resource: string; readonly judged?: true; readonly target?: Target },
): Pick<Source, "alias" | "row" | "rules"> {
  const resource = resourceOf(compilation, write.resource)
  const { alias, row, rules } = openNamed(compilation, resource, !write.target?.several)
  return { alias, row, rules: write.judged ? [] : rules }
}

export function updateRows(compilation: Compilation, write: Kind<"update">, returned?: Returned): Query {
  const resource = resourceOf(compilation, write.resource)
  const { alias, row, rules } = openWritten(compilation, write)
  const expected = write.target.several || isForLinks(write) ? {} : ({ present: true } as const)
  const tests = allOf([...updateTests(compilation, row, write), ...moved(compilation, write), ...rules])
  const sets = updateSets(compilation, row, write)
  const table = reference(tableOf(resource), alias, rules)
  if (sets.length === 0)
    return {
      query: sql`SELECT 1 FROM ${table} AS ${alias} WHERE ${tests}${compilation.dialect.writes.forUpdate}`,
      ...expected,
    }
  const change = sql`UPDATE${orRefuse(compilation, resource)} ${table} AS ${alias} SET ${commas(sets)} WHERE ${tests}`
  if (leavesSome(compilation, resource, write)) return eachWritten(compilation, resource, write, change)
  const one = write.target.several ? undefined : sql`1`
  return { query: sql`${change}${returning(returned?.(row) ?? one)}`, ...expected }
}

/** Triggers may leave some of several rows as they are. */
const leavesSome = ({ dialect }: Compilation, resource: Resource, { target }: { readonly target: Target }) =>
  target.several === true && isTriggered(dialect, resource)

/** A row where each of the rows that were found has been changed. */
function eachWritten(
  compilation: Compilation,
  resource: Resource,
  { target }: { readonly target: Target },
  change: Fragment,
): Query {
  const [first] = target.by
  const { subject, slot } = present(first, "several rows are named by a set")
  const named = distinctOf(compilation, columnsOf(compilation, resource, subject), { slot })
  const [all, changed] = [compilation.alias(), compilation.alias()]
  return {
    query: sql`WITH ${changed} AS (${change} RETURNING 1) SELECT 1 WHERE (SELECT count(*) FROM ${changed}) = (SELECT count(*) FROM (${named}) AS ${all})`,
    present: true,
  }
}

export function deleteRows(compilation: Compilation, write: Kind<"delete">, returned?: Returned): Query {
  const resource = resourceOf(compilation, write.resource)
  const { alias, row, rules } = openWritten(compilation, write)
  const wanted = !write.any && !write.target.several
  const tests = allOf([...updateTests(compilation, row, write), ...rules])
  const table = reference(tableOf(resource), alias, rules)
  const change = sql`DELETE FROM ${table} AS ${alias} WHERE ${tests}`
  if (leavesSome(compilation, resource, write)) return eachWritten(compilation, resource, write, change)
  return {
    query: sql`${change}${returning(returned?.(row) ?? (wanted ? sql`1` : undefined))}`,
    ...(wanted && { present: true }),
  }
}

/** An existing row of the same unique key takes the changes instead; where there are none it stays as it is. */
export function upsertRow(compilation: Compilation, write: Kind<"upsert">): Query {
  const resource = resourceOf(compilation, write.resource)
  const { alias, row, rules } = openTable(compilation, resource)
  const unique = write.unique.flatMap((subject) =>
    columnsOf(compilation, resource, subject).columns.map(({ column }) => column),
  )
  const changes = assignedTo(compilation, row, write.changes).map(
    ({ column, value }) => sql`${name(column)} = ${value}`,
  )
  const sets =
    changes.length > 0
      ? [...changes, ...nextVersion(row)]
      : unique.map((column) => sql`${name(column)} = excluded.${name(column)}`)
  const isNew = tellsNew(compilation.dialect, resource) ? compilation.dialect.writes.isNew : undefined
  const table = reference(tableOf(resource), alias, rules)
  const tests = [...rules, ...ruledBy(compilation, row, write), ...sameByApi(compilation, row, write)]
  const returned = isNew
    ? sql`${keyColumns(compilation, resource)}, ${isNew}`
    : keyColumns(compilation, resource)
  return {
    query: sql`INSERT${orRefuse(compilation, resource)} INTO ${table} AS ${alias} ${valuesOf(madeOf(compilation, resource, write))} ON CONFLICT (${commas(unique.map(name))}) DO UPDATE SET ${commas(sets)}${where(tests)}${returning(returned)}`,
    present: true,
  }
}

/** A column of an unmanaged table may take values for equal that the API tells apart: texts in another letter case. */
function sameByApi(
  compilation: Compilation,
  row: Row,
  { unique, sets }: Kind<"upsert">,
): readonly Fragment[] {
  const types = unique.flatMap((subject) => columnsOf(compilation, row.resource, subject).columns)
  return types.some(({ type }) => type.stored !== "plain" && type.stored !== "local")
    ? namesRecord(compilation.all, row, { unique, sets })
    : []
}

/** The conditions that name the record of an upsert's unique key. */
export const namesRecord = (
  compilation: Compilation,
  row: Row,
  { unique, sets }: Pick<Kind<"upsert">, "unique" | "sets">,
): readonly Fragment[] =>
  unique.map((subject) => {
    const set = sets.find((one) => JSON.stringify(one.subject) === JSON.stringify(subject))
    const { slot } = present(set, "a unique key's members are set")
    return isEqual(compilation, row, columnsOf(compilation, row.resource, subject), { slot })
  })

/** The condition of the action's rule on the record as it is, and on members that never change. */
export const ruledBy = (
  compilation: Compilation,
  row: Row,
  { rule, fixed = [] }: { readonly rule?: Filter; readonly fixed?: readonly Fixed[] },
): readonly Fragment[] =>
  [...(rule ? [rule] : []), ...fixed.map(({ that }) => that)].map((filter) => compilation.holds(row, filter))

/** The condition of a transition on the record as it is; several have been checked before, all at once (`eachFires`). */
function firedBy(compilation: Compilation, row: Row, { fires, target }: Kind<"update">): readonly Fragment[] {
  if (!fires) return []
  const transition = transitionNamed(row.resource, fires.transition)
  return target.several ? [startsHere(compilation, row, transition)] : firesHere(compilation, row, transition)
}

/** The conditions that name the row, or the rows, of a target. */
export function targeted(
  compilation: Compilation,
  row: Row,
  { target, match }: { readonly target: Target; readonly match?: Slot },
): readonly Fragment[] {
  const { dialect } = compilation
  const tests = target.by.map(({ subject, slot }) => {
    const columns = columnsOf(compilation, row.resource, subject)
    return target.several
      ? isOneOf(compilation, row, columns, { slot })
      : isEqual(compilation, row, columns, { slot })
  })
  const { linked } = target
  if (linked) tests.push(isLinkedTo(compilation, row, linked))
  if (match) {
    const versions = bindSlot(match, (value) =>
      dialect.encodeSet(
        (value as readonly Value[]).map((version) => [version]),
        [plainText],
      ),
    )
    tests.push(dialect.isIn(versionText(compilation, row), versions, plainText))
  }
  return tests
}

// Join tables

interface Links {
  readonly table: Fragment
  readonly deferred: boolean
  /** Columns of the join table, each with the part of the key that it holds. */
  readonly near: readonly End[]
  readonly far: readonly End[]
}

interface End {
  readonly column: string
  readonly part: number
  readonly type: ColumnType
  /** The end itself, and the column of its own table. */
  readonly of: Resource
  readonly key: string
}

function linksOf({ all: compilation }: Compilation, resource: string, relation: string): Links {
  const from = resourceOf(compilation, resource)
  const found = from.relations.get(relation)
  const through = found?.kind === "many" ? found.through : undefined
  const { table, near, far } = present(through, `${resource}.${relation} has a join table`)
  const to = resourceOf(compilation, present(found, "it is a relation").target)
  return {
    table: tableName(table),
    deferred: isDeferred(compilation.dialect, table),
    near: endsOf(
      from,
      near.map(({ from: key, to: column }): ColumnPair => ({ from: column, to: key })),
    ),
    far: endsOf(to, far),
  }
}

function endsOf(resource: Resource, pairs: readonly ColumnPair[]): readonly End[] {
  const { parts } = keyOf(resource)
  return pairs.map(({ from, to }) => {
    const part = parts.findIndex(({ column }) => column === to)
    const type = keyPartType(present(parts[part], `${to} is part of a key`))
    return { column: from, of: resource, key: to, part, type }
  })
}

const placed = (compilation: Compilation, { of, part }: End, slot: Slot): Fragment =>
  keyAsStored(compilation, of, present(keyOf(of).parts[part], "an end is part of a key"), (one, index) =>
    operand(compilation, slot, keyPartType(one), (key) => partOf(key, index)),
  )

const isPlaced = (compilation: Compilation, column: Fragment, end: End, slot: Slot): Fragment =>
  sql`${column} = ${placed(compilation, end, slot)}${collationOf(end.of, end.key)}`

export function linkRows(compilation: Compilation, write: Kind<"link">): Fragment {
  const { resource, relation, from, to } = write
  const { table, deferred, near, far } = linksOf(compilation, resource, relation)
  const unless = deferred ? sql`` : sql` ON CONFLICT DO NOTHING`
  const ends = [...near.map((end) => ({ end, slot: from })), ...far.map((end) => ({ end, slot: to }))]
  const columns = commas(ends.map(({ end }) => name(end.column)))
  const values = commas(ends.map(({ end, slot }) => placed(compilation, end, slot)))
  // An unmanaged join table may have no key.
  return sql`INSERT INTO ${table} (${columns}) SELECT ${values} WHERE NOT EXISTS (${linksFound(compilation, write)})${unless}`
}

export function unlinkRows(compilation: Compilation, write: Kind<"unlink">): Fragment {
  const { table } = linksOf(compilation, write.resource, write.relation)
  return sql`DELETE FROM ${table} WHERE ${linkTests(compilation, write)}`
}

const linksFound = (compilation: Compilation, write: Kind<"link" | "unlink">): Fragment =>
  sql`SELECT 1 FROM ${linksOf(compilation, write.resource, write.relation).table} WHERE ${linkTests(compilation, write)}`

function linkTests(compilation: Compilation, write: Kind<"link" | "unlink">): Fragment {
  const { near, far } = linksOf(compilation, write.resource, write.relation)
  const { several, keeps }: Pick<Kind<"unlink">, "several" | "keeps"> = write.kind === "unlink" ? write : {}
  return allOf([
    ...(write.from ? endTests(compilation, near, write.from, several) : []),
    ...(write.to ? endTests(compilation, far, write.to, several) : []),
    ...(keeps ? [sql`(${allOf(endTests(compilation, far, keeps, undefined))}) IS NOT TRUE`] : []),
  ])
}

/** One row where the links are as the write has said. */
export function linksStand(compilation: Compilation, write: Kind<"link" | "unlink">): Query {
  const found = linksFound(compilation, write)
  const stand = write.kind === "link" ? sql`EXISTS (${found})` : sql`NOT EXISTS (${found})`
  return { query: sql`SELECT 1 WHERE ${stand}`, present: true }
}

function endTests(
  compilation: Compilation,
  ends: readonly End[],
  slot: Slot,
  several: true | undefined,
): readonly Fragment[] {
  if (!several) return ends.map((end) => isPlaced(compilation, name(end.column), end, slot))
  const inOrder = ends.toSorted((a, b) => a.part - b.part)
  const columns = inOrder.map(({ column, type }) => ({ column, type }))
  const row = { column: name } as Pick<Row, "column"> as Row
  return [isOneOf(compilation, row, { isKey: true, optional: false, columns }, slot)]
}

function isLinkedTo(
  compilation: Compilation,
  row: Row,
  { resource, relation, from }: NonNullable<Target["linked"]>,
): Fragment {
  const { table, near, far } = linksOf(compilation, resource, relation)
  const alias = compilation.alias()
  const tests = [
    ...near.map((end) => isPlaced(compilation, sql`${alias}.${name(end.column)}`, end, from)),
    ...far.map(
      ({ column, of, key }) => sql`${alias}.${name(column)} = ${row.column(key)}${collationOf(of, key)}`,
    ),
  ]
  return sql`EXISTS (SELECT 1 FROM ${table} AS ${alias} WHERE ${allOf(tests)})`
}
