// Logged writes: the SQL around the command that changes a row, so that the log has the change in the same transaction.
// On PostgreSQL it is one statement, which locks the row before it reads it. SQLite has one writer at a time, so one
// command keeps the old values before and another adds the new ones afterwards (docs/decisions/0147).
import { present } from "../../base/invariant.ts"
import type { Model, Resource } from "../../model/model.ts"
import type { Slot } from "../../plan/read-plan.ts"
import type { Kind, Logged, Write } from "../../plan/write-plan.ts"
import { asParameter } from "../deferred-parameter.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, bound, commas, type Fragment, name, sql } from "../fragment.ts"
import { type Compilation, type Row, resourceOf, tableOf } from "../read/compilation.ts"
import { isEqual } from "../read/condition.ts"
import { openTable, reference } from "../read/row.ts"
import { wholeRow } from "../read/start-compilation.ts"
import { columnsOf, keyOf } from "../read/subject.ts"
import { logTable } from "../schema/system-tables.ts"
import { type Entry, type EntryValue, entryNames, entryValues, namedRow } from "./log-entry.ts"
import { allColumns, isTriggered, systemColumns } from "./table-traits.ts"
import {
  assigned,
  assignedTo,
  deleteRows,
  insertRow,
  isForLinks,
  keyColumns,
  madeOf,
  moved,
  namesRecord,
  openWritten,
  type Query,
  ruledBy,
  targeted,
  updateRows,
  updateSets,
  updateTests,
  valuesOf,
} from "./write-rows.ts"

type Change = Kind<"insert" | "update" | "delete">
export type LoggedChange = Change & { readonly log: Logged }
export type LoggedUpsert = Kind<"upsert"> & { readonly log: Logged }

export const isLogged = <Of extends Write>(write: Of): write is Of & { readonly log: Logged } =>
  write.log !== undefined

/** The first column of the first row of a command of the same program; NULL where it returned none. */
const given = (write: LoggedUpsert, command: number): Fragment =>
  bound({ ...write.key, encode: () => asParameter({ later: "value", command, column: 0 }) })

const log = name(logTable.name)
const before = name("bifold_before")
export const written = name("bifold_written")

/** Slots of assigned columns. Without parts of keys, what may stay, and sums, which come from another command; none in unmanaged tables, whose triggers may change values. */
function givenSlots(
  compilation: Compilation,
  resource: Resource,
  sets: Kind<"update">["sets"],
): ReadonlyMap<string, Slot> {
  if (!compilation.model.managed) return new Map()
  const keys = new Set(keyOf(resource).parts.map(({ column }) => column))
  const sums = new Set(sets.flatMap(({ isSum, slot }) => (isSum ? [slot] : [])))
  return new Map(
    assigned(compilation, resource, sets)
      .filter(
        ({ column, from, stays }) =>
          from.part === undefined && !stays && !keys.has(column) && !sums.has(from.slot),
      )
      .map(({ column, from: { slot } }) => [column, { slot }]),
  )
}

const changedColumns = (compilation: Compilation, resource: Resource, sets: Kind<"update">["sets"]) =>
  new Set(assigned(compilation, resource, sets).map(({ column }) => column))

// PostgreSQL

const called = ({ column }: EntryValue): Fragment => name(`bifold_log_${column}`)

/** The RETURNING list: the row, and its entry for the log. */
function returnedEntry(
  compilation: Compilation,
  star: Fragment,
  entry: Entry,
): readonly [Fragment, Fragment] {
  const values = entryValues(compilation.all, entry)
  const version = systemColumns(compilation, entry.resource)
  const own = values.map((one) => sql`${one.value} AS ${called(one)}`)
  return [
    commas([sql`${star}${entry.after ? version : sql``}`, ...own]),
    sql`bifold_logged AS (INSERT INTO ${log} (${entryNames(values)}) SELECT ${commas(values.map(called))} FROM ${written})`,
  ]
}

/** The common table expressions that change rows and log it: `written` has the rows. @param given the condition of an insert */
export function loggedRows(compilation: Compilation, write: LoggedChange, given?: Fragment): Fragment {
  const { all } = compilation
  const resource = resourceOf(all, write.resource)
  let logged = sql``
  const returned = (star: Fragment, entry: Omit<Entry, "resource" | "log">): Fragment => {
    const [list, rows] = returnedEntry(compilation, star, { ...entry, resource, log: write.log })
    logged = rows
    return list
  }
  const star = allColumns(all, write.resource)
  switch (write.kind) {
    case "insert": {
      const { query } = insertRow(compilation, write, returned(star, { after: namedRow(resource) }), given)
      return sql`${written} AS (${query}), ${logged}`
    }
    case "delete": {
      const { query } = deleteRows(compilation, write, (row) =>
        returned(star, { before: wholeRow(all, row) }),
      )
      return sql`${written} AS (${query}), ${logged}`
    }
    case "update":
      return lockedRows(compilation, write, (row) => changedTests(compilation, row, write))
  }
}

const changedTests = (
  compilation: Compilation,
  row: Row,
  write: Kind<"update" | "delete">,
): readonly Fragment[] => [
  ...updateTests(compilation, row, write),
  ...(write.kind === "update" ? moved(compilation, write) : []),
]

type Changing = Pick<Kind<"update">, "sets" | "touch" | "fires" | "emits" | "judged"> & {
  readonly resource: string
  readonly log: Logged
}

/** Locks the rows first, so that concurrent changes are seen. */
function lockedRows(
  compilation: Compilation,
  write: Changing,
  tests: (row: Row) => readonly Fragment[],
): Fragment {
  const { all } = compilation
  const { alias, row, rules } = openWritten(compilation, { ...write, target: { by: [], several: true } })
  const table = reference(tableOf(row.resource), alias, rules)
  const found = allOf([...tests(row), ...rules])
  const locked = sql`SELECT ${allColumns(all, write.resource, sql`${alias}.`)} FROM ${table} AS ${alias} WHERE ${found} FOR NO KEY UPDATE OF ${alias}`
  const resource = resourceOf(all, write.resource)
  const target = openTable(all, resource)
  const old = namedRow(resource, before)
  const [list, logged] = returnedEntry(compilation, allColumns(all, write.resource, sql`${target.alias}.`), {
    resource,
    log: write.log,
    before: old,
    after: target.row,
    changed: changedColumns(compilation, resource, write.sets),
    ...(write.fires && { fires: write.fires }),
    ...(write.emits && { emits: write.emits }),
  })
  const same = keyOf(resource).parts.map(
    ({ column }) => sql`${target.row.stored(column)} = ${old.stored(column)}`,
  )
  const sets = updateSets(compilation, target.row, { ...write, kind: "update" } as Kind<"update">)
  const rows = sql`${tableOf(resource)} AS ${target.alias}`
  // Where Bifold counts no versions, a record that is only told of is not written.
  const change =
    sets.length === 0
      ? sql`SELECT ${list} FROM ${rows}, ${before} WHERE ${allOf(same)}`
      : sql`UPDATE ${rows} SET ${commas(sets)} FROM ${before} WHERE ${allOf(same)} RETURNING ${list}`
  return sql`${before} AS MATERIALIZED (${locked}), ${written} AS (${change}), ${logged}`
}

function loggedAtOnce(compilation: Compilation, write: LoggedChange): Query {
  const rows = loggedRows(compilation, write)
  const resource = resourceOf(compilation.all, write.resource)
  const triggered = isTriggered(compilation.dialect, resource)
  const key = write.kind === "insert" && (triggered || write.keyFrom === "database")
  const wanted =
    (write.kind === "insert" && triggered) ||
    (write.kind === "update" && !write.target.several && !isForLinks(write)) ||
    (write.kind === "delete" && !write.any && !write.target.several)
  return {
    query: sql`WITH ${rows} SELECT ${key ? keyColumns(compilation, resource) : sql`1`} FROM ${written}`,
    ...(wanted && { present: true }),
  }
}

// SQLite

const insertEntry = (values: readonly EntryValue[], from: Fragment): Fragment =>
  sql`INSERT INTO ${log} (${entryNames(values)}) SELECT ${commas(values.map(({ value }) => value))} FROM ${from}`

/** The row after the write: its present values, but for those that the write sets. */
function changedRow(compilation: Compilation, row: Row, sets: Kind<"update">["sets"]): Row {
  const { resource } = row
  const values = new Map(
    assignedTo(compilation, row, sets).map(({ column, value }) => [column, value] as const),
  )
  if (resource.version.kind === "column") {
    const { column } = resource.version
    values.set(column, sql`${row.stored(column)} + 1`)
  }
  const column = (wanted: string): Fragment => values.get(wanted) ?? row.stored(wanted)
  return { ...row, column, stored: column }
}

/** Before the change, under its conditions: what does not meet them is not logged, and not changed either. */
function logBefore(
  compilation: Compilation,
  write: Changing | (Kind<"delete"> & { readonly log: Logged }),
  tests: (row: Row) => readonly Fragment[],
): Fragment {
  const { all } = compilation
  const { alias, row, rules } = openWritten(compilation, { ...write, target: { by: [], several: true } })
  const old = wholeRow(all, row)
  const { resource } = old
  const changing = "sets" in write ? write : undefined
  const entry: Entry = {
    resource,
    log: write.log,
    before: old,
    ...(changing && { changed: changedColumns(compilation, resource, changing.sets) }),
    ...(changing?.fires && { fires: changing.fires }),
    ...(changing?.emits && { emits: changing.emits }),
    ...(changing &&
      (resource.version.kind === "column"
        ? {
            after: changedRow(compilation, old, changing.sets),
            given: givenSlots(compilation, resource, changing.sets),
          }
        : { afterwards: true as const })),
  }
  const table = sql`${reference(tableOf(row.resource), alias, rules)} AS ${alias}`
  const found = allOf([...tests(row), ...rules])
  return sql`${insertEntry(entryValues(all, entry), table)} WHERE ${found}`
}

/** Rows of unmanaged tables after the change: their versions follow from their content. */
function logAfter({ all }: Compilation, write: Changing, tests: (row: Row) => readonly Fragment[]): Fragment {
  const resource = resourceOf(all, write.resource)
  const { row, from } = openTable(all, resource)
  const values = entryValues(all, {
    resource,
    log: write.log,
    after: row,
    changed: changedColumns(all, resource, write.sets),
  })
  const valueIn = (column: string): Fragment =>
    present(values.find((one) => one.column === column)?.value, `an entry has its ${column}`)
  const { columns } = logTable
  const sets = [columns.version, columns.new].map((column) => sql`${name(column)} = ${valueIn(column)}`)
  const own = (column: string): Fragment => sql`${log}.${name(column)}`
  const pending = [
    sql`${own(columns.record)} = ${valueIn(columns.record)}`,
    sql`${own(columns.version)} = ''`,
    ...tests(row),
  ]
  return sql`UPDATE ${log} SET ${commas(sets)} FROM ${from()} WHERE ${allOf(pending)}`
}

/** The record that was made, as it is. */
function logMade(
  { all }: Compilation,
  write: Kind<"insert" | "upsert"> & { readonly log: Logged },
  tests: readonly Fragment[] = [],
): Fragment {
  const { row, from } = openTable(all, resourceOf(all, write.resource))
  const { resource } = row
  const given = write.kind === "insert" ? givenSlots(all, resource, write.sets) : undefined
  const values = entryValues(all, { resource, log: write.log, after: row, ...(given && { given }) })
  const key = isEqual(all, row, columnsOf(all, resource, { kind: "id" }), write.key)
  return sql`${insertEntry(values, from())} WHERE ${allOf([key, ...tests])}`
}

// Either

type Make = (compilation: Compilation) => Query

export interface LoggedCommands {
  readonly before: readonly Make[]
  /** The change itself. */
  readonly change: Make
  readonly after: readonly Make[]
}

/** The commands of a change that is kept in the log. */
/** @param model the whole service */
export function loggedCommands(dialect: Dialect, model: Model, write: LoggedChange): LoggedCommands {
  if (dialect.writes.readsBack)
    return { before: [], change: (compilation) => loggedAtOnce(compilation, write), after: [] }
  if (write.kind === "insert")
    return {
      before: [],
      change: (compilation) => insertRow(compilation, write),
      after: [(compilation) => ({ query: logMade(compilation, write) })],
    }
  const several = write.target.several
  const must =
    !several && !(write.kind === "delete" && write.any) && !(write.kind === "update" && isForLinks(write))
  const first: Make = (compilation) => ({
    query: logBefore(compilation, write, (row) => changedTests(compilation, row, write)),
    ...(must && { present: true }),
  })
  const looksAgain = write.kind === "update" && resourceOf({ model }, write.resource).version.kind === "row"
  return {
    before: [first],
    change: (compilation) => changeLogged(compilation, write, must),
    after: looksAgain
      ? [
          (compilation) => ({
            query: logAfter(compilation, write, (row) =>
              targeted(compilation.all, row, { target: write.target }),
            ),
          }),
        ]
      : [],
  }
}

/** @param met its conditions, as what was logged before says */
export function changeLogged(
  compilation: Compilation,
  write: Exclude<LoggedChange, { readonly kind: "insert" }>,
  met: boolean,
  returned?: Parameters<typeof updateRows>[2],
): Query {
  const within = met ? compilation.all : compilation
  const { match, rule, ...named } = write
  if (named.kind === "delete") return deleteRows(within, met ? named : (write as Kind<"delete">), returned)
  const { fires: _, ...bare } = named
  return updateRows(within, met ? bare : (write as Kind<"update">), returned)
}

/** Makes the record unless it is there. PostgreSQL. */
export function makeUnlessThere(compilation: Compilation, write: LoggedUpsert): Query {
  const { all } = compilation
  const resource = resourceOf(all, write.resource)
  const unique = write.unique.flatMap((subject) =>
    columnsOf(all, resource, subject).columns.map(({ column }) => name(column)),
  )
  const [list, logged] = returnedEntry(compilation, allColumns(all, write.resource), {
    resource,
    log: write.log,
    after: namedRow(resource),
  })
  const make = sql`INSERT INTO ${tableOf(resource)} ${valuesOf(madeOf(compilation, resource, write))} ON CONFLICT (${commas(unique)}) DO NOTHING RETURNING ${list}`
  return {
    query: sql`WITH ${written} AS (${make}), ${logged} SELECT ${keyColumns(compilation, resource)} FROM ${written}`,
  }
}

/** Changes the record that was there. @param made the command that has made it, if any has. PostgreSQL. */
export function changeWhatWasThere(compilation: Compilation, write: LoggedUpsert, made: number): Query {
  const { all } = compilation
  const isMade = sql`CAST(${given(write, made)} AS text) IS NOT NULL`
  const tests = (row: Row): readonly Fragment[] => [
    ...namesRecord(all, row, write),
    ...ruledBy(compilation, row, write),
  ]
  const { alias, row, rules } = openTable(compilation, resourceOf(compilation, write.resource))
  const table = reference(tableOf(row.resource), alias, rules)
  const key = commas(keyOf(row.resource).parts.map(({ column }) => row.stored(column)))
  if (write.changes.length === 0)
    return {
      query: sql`SELECT ${key}, ${isMade} FROM ${table} AS ${alias} WHERE ${allOf(namesRecord(all, row, write))} AND (${isMade} OR ${allOf([...ruledBy(compilation, row, write), ...rules])})`,
      present: true,
    }
  const { resource, log: kept, changes: sets } = write
  const rows = lockedRows(compilation, { resource, log: kept, sets }, (locked) => [
    ...tests(locked),
    sql`NOT (${isMade})`,
  ])
  const fresh = openTable(all, resourceOf(all, write.resource))
  const own = commas(keyOf(row.resource).parts.map(({ column }) => fresh.row.stored(column)))
  const there = allOf([...namesRecord(all, fresh.row, write), isMade])
  return {
    query: sql`WITH ${rows} SELECT ${keyColumns(compilation, row.resource)}, FALSE FROM ${written} UNION ALL SELECT ${own}, TRUE FROM ${fresh.from()} WHERE ${there}`,
    present: true,
  }
}

/** Around an upsert on SQLite. @param model the whole service @param there the command that says whether the record is there */
export function aroundUpsert(
  model: Model,
  write: LoggedUpsert,
  there: number,
): Pick<LoggedCommands, "before" | "after"> {
  const { resource, log: kept, changes: sets } = write
  const changing: Changing = { resource, log: kept, sets }
  const looksAgain = resourceOf({ model }, resource).version.kind === "row"
  const changes = sets.length > 0
  return {
    before: changes
      ? [
          (own) => ({
            query: logBefore(own, changing, (row) => [
              ...namesRecord(own.all, row, write),
              ...ruledBy(own, row, write),
            ]),
          }),
        ]
      : [],
    after: [
      ...(changes && looksAgain
        ? [
            (own: Compilation) => ({
              query: logAfter(own, changing, (row) => namesRecord(own.all, row, write)),
            }),
          ]
        : []),
      (own) => ({ query: logMade(own, write, [sql`${given(write, there)} IS NULL`]) }),
    ],
  }
}
