// Statements for the state of handlers: positions, records that wait, and the processes that run them.
import type { Value } from "../../plan/read-plan.ts"
import { type ColumnType, plainText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, commas, type Fragment, literal, name, sql, whole } from "../fragment.ts"
import { internalParameter, numeric, type Question, question } from "../internal-query.ts"
import { arrayText, concatenated, objectText, type TextMember } from "../json-text.ts"
import { firstEpoch } from "../schema/epoch-table.ts"
import {
  allPartitions,
  handlerRecordTable,
  handlerTable,
  leaseTable,
  partitionMark,
} from "../schema/handler-tables.ts"
import { epochAt, isInLog, isLost, type LogPlace } from "./epochs.ts"

const int64: ColumnType = { scalar: "int64", list: false, stored: "plain" }
const [handlers, records, leases] = [handlerTable, handlerRecordTable, leaseTable].map((one) =>
  name(one.name),
) as [Fragment, Fragment, Fragment]
const { columns: of } = handlerTable
const { columns } = handlerRecordTable
const { columns: lease } = leaseTable
/** Names of leases, before the mark of a partition, or the name of a process that takes part. */
const task = "handlers"
const member = "member/"

const leaseOf = (partition: number): string => `${task}${partitionMark(partition)}`

/** A kept position with its mark: its epoch is that of `place`, where it is the place of this position. */
const position = sql`${handlers}.${name(of.position)}`
const place = sql`${handlers}.${name(of.place)}`
const epochLength = firstEpoch.length
const epoch = sql`CASE WHEN substr(${place}, ${whole(epochLength + 2)}) = CAST(${position} AS text) THEN substr(${place}, 1, ${whole(epochLength)}) ELSE ${epochAt(position)} END`
const placeAt = (at: Fragment): Fragment => sql`${epochAt(at)} || '_' || CAST(${at} AS text)`
const isAstray = (dialect: Dialect): Fragment => isLost(dialect, epoch, position)

/** A record that waits: what is kept of it. */
export interface WaitingRecord {
  readonly handler: string
  readonly record: string
  readonly position: bigint
  readonly attempts: number
  /** Milliseconds since 1970; null where it is left to people. */
  readonly due: number | null
  readonly error: string | null
}

export type HandlerStatement = "retry" | "skip"

/** In all partitions, where it is new; one that is known stays where it is. */
export function addHandler(dialect: Dialect, handler: string, position: bigint): Question {
  const before = sql`SELECT ${name(of.position)} FROM ${handlers} WHERE ${name(of.name)} = ${internalParameter(dialect, handler)}`
  const begin = sql`coalesce((${before}), ${numeric(dialect, position)})`
  const rows = allPartitions.map(
    (partition) =>
      sql`(${internalParameter(dialect, handler + partitionMark(partition))}, ${begin}, ${placeAt(begin)})`,
  )
  return question(
    dialect,
    sql`INSERT INTO ${handlers} (${name(of.name)}, ${name(of.position)}, ${name(of.place)}) VALUES ${commas(rows)} ON CONFLICT (${name(of.name)}) DO NOTHING`,
  )
}

/**
 * A JSON array of `{ name, position, epoch, begins }`, with the marks of partitions. `begins`: the position behind which it goes
 * on, 0 where the log does not have the place. An epoch says nothing about rows that were written before it began.
 */
export const allHandlers = (dialect: Dialect): Question => {
  const begin = sql`CASE WHEN ${isAstray(dialect)} THEN 0 ELSE ${position} END`
  const members = [
    textMember(dialect, of.name),
    numberMember(of.position),
    { key: "epoch", text: ['"', epoch, '"'] },
    { key: "begins", text: ['"', sql`CAST(${begin} AS text)`, '"'] },
  ]
  return rowsAsJson(dialect, handlers, members, [of.name])
}

/** Handlers whose places the log does not have go back to its start, without records that wait. */
export function setBackHandlers(dialect: Dialect): readonly Question[] {
  const marked = allPartitions.map(
    (partition) => sql`${records}.${name(columns.handler)} || ${literal(partitionMark(partition))}`,
  )
  const lost = sql`SELECT 1 FROM ${handlers} WHERE ${handlers}.${name(of.name)} IN (${commas(marked)}) AND ${isAstray(dialect)}`
  return [
    question(dialect, sql`DELETE FROM ${records} WHERE EXISTS (${lost})`),
    question(
      dialect,
      sql`UPDATE ${handlers} SET ${name(of.position)} = 0, ${name(of.place)} = NULL WHERE ${name(of.name)} IN (SELECT ${handlers}.${name(of.name)} FROM ${handlers} WHERE ${isAstray(dialect)}) RETURNING '1'`,
    ),
  ]
}

/** Undefined for what has no mark. @param called as in the table */
export function readMark(
  called: string,
): { readonly handler: string; readonly partition: number } | undefined {
  const partition = allPartitions.find((one) => called.endsWith(partitionMark(one)))
  return partition === undefined
    ? undefined
    : { handler: called.slice(0, -partitionMark(partition).length), partition }
}

/** A JSON array of records that wait, with what is asked of them. */
export function waitingRecords(
  dialect: Dialect,
  wanted: { readonly handler?: string; readonly asked?: true } = {},
): Question {
  const { handler, record, position, attempts, due, error, asked } = columns
  const members = [
    ...[handler, record, error, asked].map((column) => textMember(dialect, column)),
    ...[position, attempts, due].map(numberMember),
    { key: "epoch", text: ['"', epochAt(name(position)), '"'] },
  ]
  const tests = [
    ...(wanted.handler === undefined
      ? []
      : [sql`${name(handler)} = ${internalParameter(dialect, wanted.handler)}`]),
    ...(wanted.asked ? [sql`${name(asked)} IS NOT NULL`] : []),
  ]
  return rowsAsJson(dialect, records, members, [handler, position], tests)
}

function rowsAsJson(
  dialect: Dialect,
  table: Fragment,
  members: readonly TextMember[],
  order: readonly string[],
  tests: readonly Fragment[] = [],
): Question {
  const by = commas(order.map(name))
  const row = concatenated(dialect, objectText(members))
  const text = concatenated(dialect, arrayText(row, sql` ORDER BY ${by}`))
  const where = tests.length === 0 ? sql`` : sql` WHERE ${allOf(tests)}`
  return question(dialect, sql`SELECT ${text} FROM ${table}${where}`)
}

const textMember = (dialect: Dialect, column: string): TextMember => ({
  key: column,
  text: [sql`coalesce(${dialect.print(name(column), plainText).text}, 'null')`],
})

/** As a text, since JSON's numbers are smaller. */
const numberMember = (column: string): TextMember => ({
  key: column,
  text: [sql`coalesce('"' || CAST(${name(column)} AS text) || '"', 'null')`],
})

/** Writes nothing once the lease of the partition is lost, or the log is another one. */
const holds = (dialect: Dialect, { holder, seen, partition }: OfRecord): Fragment =>
  sql`${isInLog(dialect, seen)} AND EXISTS (SELECT 1 FROM ${leases} WHERE ${name(lease.name)} = ${internalParameter(dialect, leaseOf(partition))} AND ${name(lease.holder)} = ${internalParameter(dialect, holder)})`

const takesPart = (dialect: Dialect, holder: string): Fragment =>
  sql`EXISTS (SELECT 1 FROM ${leases} WHERE ${name(lease.holder)} = ${internalParameter(dialect, holder)})`

export interface Moved {
  readonly handler: string
  readonly partitions: readonly number[]
  readonly position: bigint
}

/** A process with leases, and a place of the log that it follows: in another log it writes nothing. */
export interface Holding {
  readonly holder: string
  readonly seen: LogPlace
}

/** Forward only, and only where the lease is held. */
export function moveHandler(
  dialect: Dialect,
  { holder, seen }: Holding,
  { handler, partitions, position }: Moved,
): Question {
  const wanted = partitions.map((one) => internalParameter(dialect, leaseOf(one)))
  const called = sql`${internalParameter(dialect, handler)} || substr(${name(lease.name)}, ${whole(task.length + 1)})`
  const held = sql`SELECT ${called} FROM ${leases} WHERE ${name(lease.name)} IN (${commas(wanted)}) AND ${name(lease.holder)} = ${internalParameter(dialect, holder)}`
  return question(
    dialect,
    sql`UPDATE ${handlers} SET ${name(of.position)} = ${numeric(dialect, position)}, ${name(of.place)} = ${placeAt(numeric(dialect, position))} WHERE ${isInLog(dialect, seen)} AND ${name(of.name)} IN (${held}) AND ${name(of.position)} < ${numeric(dialect, position)}`,
  )
}

/** With its records that wait. By a process that takes part. */
export const removeHandler = (dialect: Dialect, holder: string, handler: string): readonly Question[] => {
  const remove = (table: Fragment, column: string, names: readonly string[]): Question =>
    question(
      dialect,
      sql`DELETE FROM ${table} WHERE ${name(column)} IN (${commas(names.map((one) => internalParameter(dialect, one)))}) AND ${takesPart(dialect, holder)}`,
    )
  return [
    remove(records, columns.handler, [handler]),
    remove(handlers, of.name, [handler, ...allPartitions.map((one) => handler + partitionMark(one))]),
  ]
}

/** A process with the lease of the record's partition: nobody else writes anything of the record. */
export interface OfRecord extends Holding {
  readonly partition: number
}

/** A command that arrived meanwhile is kept. */
export function keepRecord(dialect: Dialect, own: OfRecord, waiting: WaitingRecord): Question {
  const { handler, record, position, attempts, due, error } = columns
  const values: readonly (readonly [column: string, value: Value, type: ColumnType])[] = [
    [handler, waiting.handler, plainText],
    [record, waiting.record, plainText],
    [position, waiting.position, int64],
    [attempts, BigInt(waiting.attempts), int64],
    [due, waiting.due === null ? null : BigInt(waiting.due), int64],
    [error, waiting.error, plainText],
  ]
  const changed = [position, attempts, due, error].map(
    (column) => sql`${name(column)} = excluded.${name(column)}`,
  )
  return question(
    dialect,
    sql`INSERT INTO ${records} (${commas(values.map(([column]) => name(column)))}) SELECT ${commas(values.map(([, value, type]) => internalParameter(dialect, value, type)))} WHERE ${holds(dialect, own)} ON CONFLICT (${name(handler)}, ${name(record)}) DO UPDATE SET ${commas(changed)}`,
  )
}

export const forgetRecord = (
  dialect: Dialect,
  own: OfRecord,
  { handler, record }: Pick<WaitingRecord, "handler" | "record">,
): Question =>
  question(
    dialect,
    sql`DELETE FROM ${records} WHERE ${isRecord(dialect, handler, record)} AND ${holds(dialect, own)}`,
  )

const isRecord = (dialect: Dialect, handler: string, record: string): Fragment =>
  sql`${name(columns.handler)} = ${internalParameter(dialect, handler)} AND ${name(columns.record)} = ${internalParameter(dialect, record)}`

/** By the process that handles the record. */
export const askFor = (
  dialect: Dialect,
  handler: string,
  record: string,
  asked: HandlerStatement,
): Question =>
  question(
    dialect,
    sql`UPDATE ${records} SET ${name(columns.asked)} = ${internalParameter(dialect, asked)} WHERE ${isRecord(dialect, handler, record)}`,
  )

/** The command is being done; one that came since then stays. */
export const takeAsked = (
  dialect: Dialect,
  handler: string,
  record: string,
  asked: HandlerStatement,
): Question =>
  question(
    dialect,
    sql`UPDATE ${records} SET ${name(columns.asked)} = NULL WHERE ${isRecord(dialect, handler, record)} AND ${name(columns.asked)} = ${internalParameter(dialect, asked)}`,
  )

/** Milliseconds since 1970, by the clock that all processes have in common. */
const now = ({ name: called }: Dialect): Fragment =>
  called === "postgres"
    ? sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`
    : sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`

const insertLeases = (
  dialect: Dialect,
  holder: string,
  names: readonly string[],
  length: number,
): Fragment => {
  const row = (one: string): Fragment =>
    sql`(${internalParameter(dialect, one)}, ${internalParameter(dialect, holder)}, ${now(dialect)} + ${numeric(dialect, BigInt(length))})`
  const set = [lease.holder, lease.until].map((column) => sql`${name(column)} = excluded.${name(column)}`)
  return sql`INSERT INTO ${leases} (${commas([lease.name, lease.holder, lease.until].map(name))}) VALUES ${commas(names.map(row))} ON CONFLICT (${name(lease.name)}) DO UPDATE SET ${commas(set)}`
}

/**
 * Takes partitions that are free, or whose holder is gone.
 * @param length milliseconds
 */
export function takeLeases(
  dialect: Dialect,
  holder: string,
  { partitions, length, gone }: Taken & { readonly gone: readonly string[] },
): Question {
  const known = [holder, ...gone].map((one) => internalParameter(dialect, one))
  const free = sql`${leases}.${name(lease.holder)} IN (${commas(known)}) OR ${leases}.${name(lease.until)} < ${now(dialect)}`
  return question(
    dialect,
    sql`${insertLeases(dialect, holder, partitions.map(leaseOf), length)} WHERE ${free}`,
  )
}

interface Taken {
  readonly partitions: readonly number[]
  /** Milliseconds. */
  readonly length: number
}

/** All that the process has, and that it takes part; those that took part and are gone no longer do. */
export const renewLeases = (dialect: Dialect, holder: string, length: number): readonly Question[] => [
  question(dialect, insertLeases(dialect, holder, [member + holder], length)),
  question(
    dialect,
    sql`UPDATE ${leases} SET ${name(lease.until)} = ${now(dialect)} + ${numeric(dialect, BigInt(length))} WHERE ${name(lease.holder)} = ${internalParameter(dialect, holder)}`,
  ),
  question(
    dialect,
    sql`DELETE FROM ${leases} WHERE ${name(lease.name)} LIKE ${internalParameter(dialect, `${member}%`)} AND ${name(lease.until)} < ${now(dialect)}`,
  ),
]

export type LeaseRow =
  | { readonly kind: "member"; readonly holder: string; readonly isOver: boolean }
  | {
      readonly kind: "partition"
      readonly partition: number
      readonly holder: string
      readonly isOver: boolean
    }

/** A JSON array for `readLease`. */
export function allLeases(dialect: Dialect): Question {
  const left = { key: "left", text: ['"', sql`CAST(${name(lease.until)} - ${now(dialect)} AS text)`, '"'] }
  return rowsAsJson(
    dialect,
    leases,
    [textMember(dialect, lease.name), textMember(dialect, lease.holder), left],
    [lease.name],
  )
}

/** Undefined for a lease of something else. */
export function readLease(row: Readonly<Record<string, string | null>>): LeaseRow | undefined {
  const [called, holder] = [String(row[lease.name]), String(row[lease.holder])]
  const isOver = Number(row["left"]) < 0
  if (called.startsWith(member)) return { kind: "member", holder, isOver }
  const partition = allPartitions.find((one) => leaseOf(one) === called)
  return partition === undefined ? undefined : { kind: "partition", partition, holder, isOver }
}

/** @param partitions everything when absent */
export function leaveLeases(dialect: Dialect, holder: string, partitions?: readonly number[]): Question {
  const some =
    partitions === undefined
      ? []
      : [
          sql`${name(lease.name)} IN (${commas(partitions.map((one) => internalParameter(dialect, leaseOf(one))))})`,
        ]
  const own = sql`${name(lease.holder)} = ${internalParameter(dialect, holder)}`
  return question(dialect, sql`DELETE FROM ${leases} WHERE ${allOf([own, ...some])}`)
}

/** Statements that fail where the tables are not there, or of an earlier version. */
export const touchHandlers = (dialect: Dialect): readonly Question[] => [
  question(dialect, sql`SELECT ${place} FROM ${handlers} WHERE 1 = 0`),
  ...[records, leases].map((table) => question(dialect, sql`SELECT 1 FROM ${table} WHERE 1 = 0`)),
]
