// Statements for the state of handlers: positions, records that wait, and the processes that run them.
import { present } from "../../base/invariant.ts"
import { plainText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, commas, type Fragment, literal, name, sql, where, whole } from "../fragment.ts"
import { type Places, prepareQuestion } from "../internal-query.ts"
import { arrayText, concatenated, objectText, type TextMember } from "../json-text.ts"
import {
  allPartitions,
  firstEpoch,
  handlerRecordTable,
  handlerTable,
  leaseTable,
  partitionMark,
} from "../schema/system-tables.ts"
import { epochAt, isInLog, isLost, type LogPlace, placeParameters } from "./epochs.ts"

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
const partitionsByLease = new Map(allPartitions.map((partition) => [leaseOf(partition), partition]))

/** A kept position with its mark. If `place` is about this position, it has the epoch; otherwise the log has it. */
const position = sql`${handlers}.${name(of.position)}`
const place = sql`${handlers}.${name(of.place)}`
const epochLength = firstEpoch.length
const epoch = sql`CASE WHEN substr(${place}, ${whole(epochLength + 2)}) = CAST(${position} AS text) THEN substr(${place}, 1, ${whole(epochLength)}) ELSE ${epochAt(position)} END`
const placeAt = (at: Fragment): Fragment => sql`${epochAt(at)} || '_' || CAST(${at} AS text)`
const isAstray = (dialect: Dialect): Fragment => isLost(dialect, epoch, position)

/** A record that waits, as its row keeps it. */
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
export const addHandler = prepareQuestion<Pick<Moved, "handler" | "position">>((_, { value, int64 }) => {
  const before = sql`SELECT ${name(of.position)} FROM ${handlers} WHERE ${name(of.name)} = ${value(({ handler }) => handler)}`
  const begin = sql`coalesce((${before}), ${int64(({ position }) => position)})`
  const rows = allPartitions.map(
    (partition) =>
      sql`(${value(({ handler }) => handler + partitionMark(partition))}, ${begin}, ${placeAt(begin)})`,
  )
  return sql`INSERT INTO ${handlers} (${name(of.name)}, ${name(of.position)}, ${name(of.place)}) VALUES ${commas(rows)} ON CONFLICT (${name(of.name)}) DO NOTHING`
})

/**
 * A JSON array of `{ name, position, epoch, begins }`, with the marks of partitions. `begins`: the position behind which it goes
 * on, 0 where the log does not have the place. An epoch says nothing about rows that were written before it began.
 */
export const allHandlers = prepareQuestion((dialect) => {
  const begin = sql`CASE WHEN ${isAstray(dialect)} THEN 0 ELSE ${position} END`
  const members = [
    textMember(dialect, of.name),
    numberMember(of.position),
    { key: "epoch", text: ['"', epoch, '"'] },
    { key: "begins", text: ['"', sql`CAST(${begin} AS text)`, '"'] },
  ]
  return rowsAsJson(dialect, handlers, members, [of.name])
})

/** Removes records that wait of handlers whose places the log does not have. */
export const forgetAstray = prepareQuestion((dialect) => {
  const marked = allPartitions.map(
    (partition) => sql`${records}.${name(columns.handler)} || ${literal(partitionMark(partition))}`,
  )
  const lost = sql`SELECT 1 FROM ${handlers} WHERE ${handlers}.${name(of.name)} IN (${commas(marked)}) AND ${isAstray(dialect)}`
  return sql`DELETE FROM ${records} WHERE EXISTS (${lost})`
})

/** Handlers whose places the log does not have go back to its start. */
export const setBackAstray = prepareQuestion(
  (dialect) =>
    sql`UPDATE ${handlers} SET ${name(of.position)} = 0, ${name(of.place)} = NULL WHERE ${name(of.name)} IN (SELECT ${handlers}.${name(of.name)} FROM ${handlers} WHERE ${isAstray(dialect)}) RETURNING '1'`,
)

/** Undefined for what has no mark. @param called as in the table */
export function readMark(
  called: string,
): { readonly handler: string; readonly partition: number } | undefined {
  const partition = allPartitions.find((one) => called.endsWith(partitionMark(one)))
  return partition === undefined
    ? undefined
    : { handler: called.slice(0, -partitionMark(partition).length), partition }
}

/** A JSON array of records that wait, each with its pending command. */
export const waitingRecords = prepareQuestion<{ readonly handler?: string; readonly asked?: true }>(
  (dialect, { value }, wanted) => {
    const { handler, record, position, attempts, due, error, asked } = columns
    const members = [
      ...[handler, record, error, asked].map((column) => textMember(dialect, column)),
      ...[position, attempts, due].map(numberMember),
      { key: "epoch", text: ['"', epochAt(name(position)), '"'] },
    ]
    const tests = [
      ...(wanted.handler === undefined
        ? []
        : [sql`${name(handler)} = ${value((one) => one.handler ?? null)}`]),
      ...(wanted.asked ? [sql`${name(asked)} IS NOT NULL`] : []),
    ]
    return rowsAsJson(dialect, sql`${records}${where(tests)}`, members, [handler, position])
  },
  ({ handler, asked }) => `${handler === undefined ? "" : "handler"} ${asked ? "asked" : ""}`,
)

function rowsAsJson(
  dialect: Dialect,
  from: Fragment,
  members: readonly TextMember[],
  order: readonly string[],
): Fragment {
  const by = commas(order.map(name))
  const row = concatenated(dialect, objectText(members))
  const text = concatenated(dialect, arrayText(row, sql` ORDER BY ${by}`))
  return sql`SELECT ${text} FROM ${from}`
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
const holds = <Given extends OfRecord>(dialect: Dialect, places: Places<Given>): Fragment =>
  sql`${isInLog(
    dialect,
    placeParameters(places, ({ seen }) => seen),
  )} AND EXISTS (SELECT 1 FROM ${leases} WHERE ${name(lease.name)} = ${places.value(({ partition }) => leaseOf(partition))} AND ${isHolder(places)})`

const isHolder = <Given extends { readonly holder: string }>({ value }: Places<Given>): Fragment =>
  sql`${name(lease.holder)} = ${value(({ holder }) => holder)}`

export interface Moved {
  readonly handler: string
  readonly partitions: readonly number[]
  readonly position: bigint
}

/** A process with leases, and a place of the log that it follows: in another log it writes nothing. */
interface Holding {
  readonly holder: string
  readonly seen: LogPlace
}

/** Forward only, and only where the lease is held. */
export const moveHandler = prepareQuestion<Holding & Moved>((dialect, places) => {
  const { value, int64, isIn } = places
  const called = sql`${value(({ handler }) => handler)} || substr(${name(lease.name)}, ${whole(task.length + 1)})`
  const wanted = isIn(name(lease.name), ({ partitions }) => partitions.map(leaseOf))
  const held = sql`SELECT ${called} FROM ${leases} WHERE ${wanted} AND ${isHolder(places)}`
  const to = int64((moved) => moved.position)
  const isKnown = isInLog(
    dialect,
    placeParameters(places, ({ seen }) => seen),
  )
  return sql`UPDATE ${handlers} SET ${name(of.position)} = ${to}, ${name(of.place)} = ${placeAt(to)} WHERE ${isKnown} AND ${name(of.name)} IN (${held}) AND ${name(of.position)} < ${to}`
})

interface Removed {
  readonly holder: string
  readonly handler: string
}

const takesPart = (places: Places<Removed>): Fragment =>
  sql`EXISTS (SELECT 1 FROM ${leases} WHERE ${isHolder(places)})`

/** By a process that takes part. */
export const removeHandler = prepareQuestion<Removed>((_, places) => {
  const names = places.isIn(name(of.name), ({ handler }) => [
    handler,
    ...allPartitions.map((one) => handler + partitionMark(one)),
  ])
  return sql`DELETE FROM ${handlers} WHERE ${names} AND ${takesPart(places)}`
})

/** The records of a handler that wait. By a process that takes part. */
export const removeWaiting = prepareQuestion<Removed>(
  (_, places) =>
    sql`DELETE FROM ${records} WHERE ${name(columns.handler)} = ${places.value(({ handler }) => handler)} AND ${takesPart(places)}`,
)

/** A process with the lease of the record's partition: no other process writes the record's state. */
interface OfRecord extends Holding {
  readonly partition: number
}

/** A command that arrived meanwhile is kept. */
export const keepRecord = prepareQuestion<OfRecord & WaitingRecord>((dialect, places) => {
  const { handler, record, position, attempts, due, error } = columns
  const { value, int64 } = places
  const values: readonly (readonly [column: string, value: Fragment])[] = [
    [handler, value((one) => one.handler)],
    [record, value((one) => one.record)],
    [position, int64((one) => one.position)],
    [attempts, int64((one) => one.attempts)],
    [due, int64((one) => one.due)],
    [error, value((one) => one.error)],
  ]
  const changed = [position, attempts, due, error].map(
    (column) => sql`${name(column)} = excluded.${name(column)}`,
  )
  return sql`INSERT INTO ${records} (${commas(values.map(([column]) => name(column)))}) SELECT ${commas(values.map(([, given]) => given))} WHERE ${holds(dialect, places)} ON CONFLICT (${name(handler)}, ${name(record)}) DO UPDATE SET ${commas(changed)}`
})

type RecordName = Pick<WaitingRecord, "handler" | "record">

export const forgetRecord = prepareQuestion<OfRecord & RecordName>(
  (dialect, places) => sql`DELETE FROM ${records} WHERE ${isRecord(places)} AND ${holds(dialect, places)}`,
)

const isRecord = <Given extends RecordName>({ value }: Places<Given>): Fragment =>
  sql`${name(columns.handler)} = ${value(({ handler }) => handler)} AND ${name(columns.record)} = ${value(({ record }) => record)}`

interface Asked extends RecordName {
  readonly asked: HandlerStatement
}

/** By the process that handles the record. */
export const askFor = prepareQuestion<Asked>(
  (_, places) =>
    sql`UPDATE ${records} SET ${name(columns.asked)} = ${places.value(({ asked }) => asked)} WHERE ${isRecord(places)}`,
)

/** The command is being done; one that came since then stays. */
export const takeAsked = prepareQuestion<Asked>(
  (_, places) =>
    sql`UPDATE ${records} SET ${name(columns.asked)} = NULL WHERE ${isRecord(places)} AND ${name(columns.asked)} = ${places.value(({ asked }) => asked)}`,
)

/** Milliseconds since 1970, by the clock that all processes have in common. */
const now = ({ name: called }: Dialect): Fragment =>
  called === "postgres"
    ? sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`
    : sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`

interface Renewed {
  readonly holder: string
  /** Milliseconds. */
  readonly length: number
}

const until = <Given extends Renewed>(dialect: Dialect, { int64 }: Places<Given>): Fragment =>
  sql`${now(dialect)} + ${int64(({ length }) => length)}`

function insertLeases<Given extends Renewed>(
  dialect: Dialect,
  places: Places<Given>,
  names: readonly ((of: Given) => string)[],
): Fragment {
  const holder = places.value((one) => one.holder)
  const end = until(dialect, places)
  const rows = names.map((one) => sql`(${places.value(one)}, ${holder}, ${end})`)
  const set = [lease.holder, lease.until].map((column) => sql`${name(column)} = excluded.${name(column)}`)
  return sql`INSERT INTO ${leases} (${commas([lease.name, lease.holder, lease.until].map(name))}) VALUES ${commas(rows)} ON CONFLICT (${name(lease.name)}) DO UPDATE SET ${commas(set)}`
}

interface Taken extends Renewed {
  readonly partitions: readonly number[]
  /** Holders that are gone. */
  readonly gone: readonly string[]
}

/** Takes partitions that are free, or whose holder is gone. */
export const takeLeases = prepareQuestion<Taken>(
  (dialect, places, { partitions }) => {
    const names = partitions.map(
      (_, index) => (of: Taken) => leaseOf(present(of.partitions[index], "as many as it was made for")),
    )
    const known = places.isIn(sql`${leases}.${name(lease.holder)}`, ({ holder, gone }) => [holder, ...gone])
    const free = sql`${known} OR ${leases}.${name(lease.until)} < ${now(dialect)}`
    return sql`${insertLeases(dialect, places, names)} WHERE ${free}`
  },
  ({ partitions }) => String(partitions.length),
)

/** A process says that it takes part. */
export const joinLeases = prepareQuestion<Renewed>((dialect, places) =>
  insertLeases(dialect, places, [({ holder }) => member + holder]),
)

/** All that the process has. */
export const renewLeases = prepareQuestion<Renewed>(
  (dialect, places) =>
    sql`UPDATE ${leases} SET ${name(lease.until)} = ${until(dialect, places)} WHERE ${isHolder(places)}`,
)

/** Those that took part and are gone no longer do. */
export const removeGone = prepareQuestion(
  (dialect) =>
    sql`DELETE FROM ${leases} WHERE ${name(lease.name)} LIKE ${literal(`${member}%`)} AND ${name(lease.until)} < ${now(dialect)}`,
)

export type LeaseRow =
  | { readonly kind: "member"; readonly holder: string; readonly isOver: boolean }
  | {
      readonly kind: "partition"
      readonly partition: number
      readonly holder: string
      readonly isOver: boolean
    }

/** A JSON array for `readLease`. */
export const allLeases = prepareQuestion((dialect) => {
  const left = { key: "left", text: ['"', sql`CAST(${name(lease.until)} - ${now(dialect)} AS text)`, '"'] }
  const members = [textMember(dialect, lease.name), textMember(dialect, lease.holder), left]
  return rowsAsJson(dialect, leases, members, [lease.name])
})

/** Undefined for a lease of something else. */
export function readLease(row: Readonly<Record<string, string | null>>): LeaseRow | undefined {
  const [called, holder] = [String(row[lease.name]), String(row[lease.holder])]
  const isOver = Number(row["left"]) < 0
  if (called.startsWith(member)) return { kind: "member", holder, isOver }
  const partition = partitionsByLease.get(called)
  return partition === undefined ? undefined : { kind: "partition", partition, holder, isOver }
}

interface Left {
  readonly holder: string
  /** Everything when absent. */
  readonly partitions: readonly number[] | undefined
}

export const leaveLeases = prepareQuestion<Left>(
  (_, places, { partitions }) => {
    const some = places.isIn(name(lease.name), (of) => (of.partitions ?? []).map(leaseOf))
    return sql`DELETE FROM ${leases} WHERE ${allOf([isHolder(places), ...(partitions ? [some] : [])])}`
  },
  ({ partitions }) => (partitions ? "some" : ""),
)

/** Fails where the tables are not there, or of an earlier version. */
export const touchHandlers = prepareQuestion(
  () => sql`SELECT ${place} FROM ${handlers}, ${records}, ${leases} WHERE 1 = 0`,
)
