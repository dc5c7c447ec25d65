// Turns database errors into Problems where an operator can mend them; anything else is our bug and passes through.
// A database's own words stay in `cause`, for the log.

import { type BigIntStats, statSync } from "node:fs"
import type { Code } from "../base/codes.ts"
import { Refusal } from "../base/problem.ts"

interface Meaning {
  readonly code: Code
  readonly message: string
  readonly hint?: string
}

const unreachable: Meaning = { code: "storage_unavailable", message: "The database cannot be reached." }
const silent: Meaning = { code: "storage_unavailable", message: "The database does not answer any more." }
const busy: Meaning = {
  code: "overloaded",
  message: "The database is busy.",
  hint: "Try again in a moment.",
}
const locked: Meaning = {
  code: "storage_unavailable",
  message: "Another program has locked the database's file.",
  hint: "Try again in a moment.",
}
const taken: Meaning = {
  code: "storage_unavailable",
  message: "The database takes no more connections.",
  hint: "Try again in a moment.",
}
const slow: Meaning = {
  code: "deadline_exceeded",
  message: "The database took too long to answer.",
  hint: "Ask for less at once.",
}
const crowded: Meaning = {
  code: "overloaded",
  message: "Too many requests are being answered.",
  hint: "Try again in a moment, or ask for less at once.",
}
const congested: Meaning = {
  code: "overloaded",
  message: "Requests wait too long for the database.",
  hint: "Try again in a moment, or ask for less at once.",
}
const closing: Meaning = {
  code: "storage_unavailable",
  message: "The service is closing its database.",
  hint: "Try again in a moment.",
}
const turnless: Meaning = {
  code: "deadline_exceeded",
  message: "The time of the request was over before its turn at the database came.",
  hint: "Try again in a moment.",
}
const unwritable: Meaning = {
  code: "storage_unavailable",
  message: "The database can only be read now.",
  hint: "Nothing was changed. Try again later.",
}
const unpermitted: Meaning = {
  code: "storage_unavailable",
  message: "The database's role may not write what the request changes.",
  hint: "Nothing was changed. The log names the table.",
}
const moved: Meaning = {
  code: "storage_unavailable",
  message:
    "The database's file has been removed or replaced since it was opened, or its folder may not be searched.",
  hint: "Nothing is answered until it is back in its place, or the service is started again.",
}
const full: Meaning = {
  code: "storage_full",
  message: "The disk is full.",
  hint: "Try again later.",
}
const broken: Meaning = {
  code: "storage_unavailable",
  message: "The database's file cannot be read or written.",
}
const differs: Meaning = {
  code: "database_mismatch",
  message: "The database does not have what the service needs.",
  hint: "Compare the service with the database: `bifold introspect` shows its tables.",
}
const forgetful: Meaning = {
  code: "storage_unavailable",
  message: "The database has lost a statement that a session had prepared.",
  hint: "A pooler before it has to keep sessions (pool_mode = session).",
}
const foreignCode: Meaning = {
  code: "resource_unavailable",
  message:
    "The database needs a function or a collation of another application, which the service does not have.",
  hint: "The log names it. Whatever does not need it is served.",
}
const tooGreat: Meaning = {
  code: "result_out_of_range",
  message: "A result is beyond the numbers that the database can hold.",
  hint: "Narrow the condition, or leave out the sum or the average.",
}

/** The deadline has passed. */
export const tooSlow = (): Refusal => new Refusal([slow])

/** The deadline has passed before anything began. */
export const tooLate = (): Refusal => new Refusal([turnless])

/** The service closes: nothing more is begun. */
export const closed = (): Refusal => new Refusal([closing])

/** A server that says nothing for longer than it takes to end a statement, or a thread that has ended unexpectedly. A write may be on disk. */
export const goneSilent = (): Refusal => new Refusal([silent])

/** The process answers as many requests as it may. */
export const overloaded = (): Refusal => new Refusal([crowded])

/** A fault of user code, which asks too late. */
export const handleEnded = (): Error =>
  new Error(
    "The transaction of this handle has ended: nothing is done. Await everything that is asked of `db` before the code returns.",
  )

/** As many wait for the database as may wait, or for longer than one may. */
export const waitsTooLong = (): Refusal => new Refusal([congested])

/** The fault as a Refusal when it has a meaning, otherwise the fault itself. */
export function readFault(fault: unknown): unknown {
  const meaning = sqliteMeaning(fault) ?? postgresMeaning(fault)
  return meaning ? new Refusal([meaning], { cause: fault }) : fault
}

/** The fault of a write. */
export function readWriteFault(fault: unknown): unknown {
  const meaning = isMoved(fault)
    ? moved
    : isDenied(fault)
      ? unpermitted
      : isReadOnlyFile(fault)
        ? unwritable
        : undefined
  return meaning ? new Refusal([meaning], { cause: fault }) : readFault(fault)
}

const isDenied = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && fault.code === "42501"

/** Whether a write was refused because the database, or what its role may write of it, can only be read now. */
export const isUnwritable = (fault: unknown): boolean =>
  fault instanceof Refusal &&
  fault.problems.some(({ message }) => message === unwritable.message || message === unpermitted.message)

/** How a passed deadline may show: PostgreSQL ends the session of a transaction that outlasts its limit. */
const shownWhenLate = new Set([slow, unreachable, silent].map(({ message }) => message))

/** Whether the deadline may be the cause; other faults name their own. */
export const mayBeLate = (fault: unknown): fault is Refusal =>
  fault instanceof Refusal && shownWhenLate.has(fault.problems[0].message)

/** Whether it was ended, or not begun, because its time was over. */
export const isLate = (fault: unknown): boolean =>
  fault instanceof Refusal && fault.problems[0].code === "deadline_exceeded"

/** Whether the session takes no writes: another one may, when the server is a standby no more or its settings are others. */
export const isReadOnlySession = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && (fault.code === "25006" || isOfStandby(fault))

/** A standby has no serializable transactions. PostgreSQL has one code for all that it does not support. */
const isOfStandby = (fault: Error): boolean =>
  "code" in fault &&
  fault.code === "0A000" &&
  "routine" in fault &&
  /^(GetSerializableTransactionSnapshot|call_enum_check_hook)$/.test(String(fault.routine))

/** Whether a file, or the folder in which its log is kept, may not be written. */
export const isReadOnlyFile = (fault: unknown): boolean =>
  fault instanceof Error &&
  "errcode" in fault &&
  !isMoved(fault) &&
  (Number(fault.errcode) === 14 || (Number(fault.errcode) & 0xff) === 8)

/** Primary result codes (https://sqlite.org/rescode.html). */
const sqliteMeanings: Readonly<Record<number, Meaning>> = {
  5: locked,
  6: locked,
  8: unwritable,
  10: broken,
  11: broken,
  13: full,
  14: unreachable,
  26: broken,
}

/** SQLite has one code for all of these: a table, a column or a unique key that a statement needs is missing. */
const drifted =
  /^(no such (table|column)|table .+ has no column named|foreign key mismatch|ON CONFLICT clause does not match)/s

/** Triggers, indexes, CHECKs, defaults and generated columns may need what only the application registers that made them. */
export const lacksCode = (fault: unknown): boolean =>
  fault instanceof Error && lackingCode.test(fault.message)
const lackingCode = /^(no such function|unknown function|no such collation sequence): /

function sqliteMeaning(fault: unknown): Meaning | undefined {
  if (!(fault instanceof Error) || !("errcode" in fault)) return undefined
  if (isMoved(fault)) return moved
  if (drifted.test(fault.message)) return differs
  if (lacksCode(fault)) return foreignCode
  return sqliteMeanings[Number(fault.errcode) & 0xff]
}

/** SQLSTATE (PostgreSQL documentation, appendix A), by code or by its class. */
const postgresMeanings: Readonly<Record<string, Meaning>> = {
  "08": unreachable,
  "28": unreachable,
  "3D": unreachable,
  "53": busy,
  "53100": full,
  "53300": taken,
  // Another session uses or locks it.
  "55006": busy,
  "55P03": busy,
  // A standby, or `default_transaction_read_only`.
  "25006": unwritable,
  // The server has ended the session: its transaction was idle, or lasted, for longer than it may.
  "25P03": unreachable,
  "25P04": unreachable,
  // A view that is not filled.
  "55000": differs,
  "57014": slow,
  "57": unreachable,
  "22003": tooGreat,
  // Still in each other's way after all tries.
  "40": busy,
  // A value of an enumeration that the database's own does not have; a text that is no value of the declared type.
  "22P02": differs,
  "22007": differs,
  "22008": differs,
  "22023": differs,
  // A prepared statement is missing, or is there already: the session is another one than before.
  "26000": forgetful,
  "42P05": forgetful,
  "42P01": differs,
  // A column is of another type than it was declared as: no such operator, cast, function, array, collation.
  "42704": differs,
  "42804": differs,
  "42809": differs,
  "42846": differs,
  "42725": differs,
  "42883": differs,
  "42P18": differs,
  "42P21": differs,
  "42P22": differs,
  "42703": differs,
  // A unique key that an upsert needs is missing.
  "42P10": differs,
  "42501": { ...differs, message: "The database's role may not do what the service offers." },
}

/** Errors of the driver itself when a connection cannot be had or is lost. */
const lost =
  /^(Connection terminated|timeout exceeded|timeout expired|Client has encountered a connection error)/

/** The server's own names of where a number is read from its text. */
const readsText = /^(pg_strto|float[48]in|int8in|scanint8|numeric_in)/

function postgresMeaning(fault: unknown): Meaning | undefined {
  if (!(fault instanceof Error)) return undefined
  if (lost.test(fault.message)) return unreachable
  if (fault.message === "Query read timeout") return silent
  const code = "code" in fault ? String(fault.code) : ""
  if (/^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|ENOENT)/.test(code)) return unreachable
  if (isOfStandby(fault)) return unwritable
  // Values were checked against the declared types: a column is of another type, or was when its text was read.
  if (code === "22003" && "routine" in fault && readsText.test(String(fault.routine))) return differs
  // A database that takes no connections, by the server's own name for where it says so.
  if (code === "55000" && "routine" in fault && fault.routine === "CheckMyDatabase") return unreachable
  return /^[0-9A-Z]{5}$/.test(code)
    ? (postgresMeanings[code] ?? postgresMeanings[code.slice(0, 2)])
    : undefined
}

// Notices that a SQLite file, or its write-ahead log, has been removed or replaced while it is open. SQLite goes on with the
// files that it has open, so that what it commits is nowhere: https://www.sqlite.org/howtocorrupt.html section 2.4.
interface OpenFile {
  /** Whether the names still lead to the files that are open; true again when these are put back. */
  isInPlace(): boolean
}

/** @param withLog after a commit there is a write-ahead log, for as long as anybody has the file open */
export function watchFile(path: string, withLog: boolean): OpenFile {
  const file = identityOf(path)
  let log: string | undefined
  return {
    isInPlace() {
      if (identityOf(path) !== file) return false
      if (!withLog) return true
      const now = identityOf(`${path}-wal`)
      log ??= now
      return now === log
    },
  }
}

/** Undefined where there is no such file. */
function identityOf(path: string): string | undefined {
  try {
    const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found && `${found.dev}:${found.ino}`
  } catch {
    // A part of the path is no folder any more, or may not be searched.
    return undefined
  }
}

/** SQLITE_READONLY_DBMOVED (https://sqlite.org/rescode.html#readonly_dbmoved), which SQLite itself does not look for with a log. */
const movedCode = 1032

export const movedFault = (): Error =>
  Object.assign(
    new Error(
      "the file has been moved, removed or replaced since it was opened, or its folder may not be searched",
    ),
    {
      errcode: movedCode,
    },
  )

/** The driver's error, or `movedFault`. */
export const isMoved = (fault: unknown): boolean =>
  fault instanceof Error &&
  (("errcode" in fault && Number(fault.errcode) === movedCode) || isMoved(fault.cause))
