// Runs writes on a connection to a SQLite file: as many as wait share one commit, and one that fails takes no other along.
// In the writer's thread (writer-thread.ts).
import { elapsed } from "../../base/clock.ts"
import type { ConstraintViolation } from "../../plan/write/problems.ts"
import { resolve } from "../../sql/deferred-parameter.ts"
import { sqlite } from "../../sql/dialects/sqlite.ts"
import { idempotencyStatements } from "../../sql/log/idempotency-records.ts"
import { mendingOf } from "../../sql/schema/system-tables.ts"
import type { Parameter } from "../../sql/statement.ts"
import { violation } from "../storage.ts"
import {
  type Cells,
  type IdempotencyRecord,
  keptText,
  type Outcome,
  type Ran,
  readKept,
  refusedRows,
  type Work,
  type WorkCommand,
} from "../write-request.ts"
import { type SqliteConnection, TimeOver } from "./connection.ts"

export type WorkResult =
  | Outcome
  /** Its time was over before it began, or while it looked for something; nothing was done. */
  | { readonly kind: "late" }
  | { readonly kind: "fault"; readonly fault: unknown }

export interface WorkTask {
  readonly work: Work
  /** As of `elapsed()`: it is not begun after that. */
  readonly until: number
}

const once = idempotencyStatements(sqlite)

/** Milliseconds of a transaction after which it ends where another process waits: writes that are left have the next one. */
const longestTurn = 10

/**
 * All results are there when the commit is on disk. Hardly any write fails after it has changed something, so none has
 * a savepoint at first. When one does fail, all are done again, each in a savepoint of its own.
 * @param gather called when a transaction has begun, which may have waited for others: adds tasks that have come
 * meanwhile
 */
export function runTasks(
  connection: SqliteConnection,
  tasks: readonly WorkTask[],
  gather: () => void = () => {},
): readonly WorkResult[] {
  const results: WorkResult[] = []
  while (results.length < tasks.length) {
    const rest = results.length === 0 ? tasks : tasks.slice(results.length)
    const some = runSome(connection, rest, gather)
    if ("ended" in some) results.push(...runTasks(connection, rest.slice(0, some.ended)), some.result)
    else results.push(...some)
  }
  return results
}

function runSome(
  connection: SqliteConnection,
  tasks: readonly WorkTask[],
  gather: () => void,
): readonly WorkResult[] | Ended {
  const begin = (): void => {
    const now = elapsed()
    const ends = tasks.map(({ until }) => until).filter((until) => until > now)
    connection.begin(ends.length > 0 ? Math.min(...ends) : now)
    gather()
  }
  try {
    return (
      runTogether(connection, tasks, { begin, run: runBare }) ??
      runTogether(connection, tasks, { begin, run: runApart }) ??
      tasks.flatMap((task) => runAlone(connection, task))
    )
  } catch (fault) {
    connection.attempt("ROLLBACK")
    return tasks.map(() => ({ kind: "fault", fault }))
  }
}

/**
 * A refusal by an unmanaged database that ends the whole transaction: RAISE(ROLLBACK), ON CONFLICT ROLLBACK. Work
 * before it is done again in a transaction of its own, at most twice, and then the work after it.
 */
interface Ended {
  /** The index of the write that it is about. */
  readonly ended: number
  readonly result: WorkResult
}

interface Together {
  readonly begin: () => void
  /** Undefined: what was done so far has to be done again. */
  readonly run: (connection: SqliteConnection, task: WorkTask) => WorkResult | undefined
}

/** Results of the first tasks, where the transaction ends before the others. */
function runTogether(
  connection: SqliteConnection,
  tasks: readonly WorkTask[],
  { begin, run }: Together,
): readonly WorkResult[] | Ended | undefined {
  begin()
  const began = elapsed()
  const results: WorkResult[] = []
  for (const task of tasks) {
    const result = run(connection, task)
    if (!result) {
      connection.attempt("ROLLBACK")
      return undefined
    }
    results.push(result)
    // Some faults end the whole transaction (https://www.sqlite.org/lang_transaction.html section 3).
    if (!connection.database.isTransaction)
      return result.kind === "violated"
        ? { ended: results.length - 1, result }
        : lost(tasks, results, faultIn(result))
    if (elapsed() - began > longestTurn && connection.isAwaited()) break
  }
  try {
    connection.execute("COMMIT")
    return results
  } catch (fault) {
    connection.attempt("ROLLBACK")
    // A constraint that is deferred does not say whose it is.
    return sqliteViolation(fault) ? undefined : lost(tasks.slice(0, results.length), results, fault)
  }
}

/** A transaction of its own: what a deferred constraint says at its end is said of its first command. */
function runAlone(connection: SqliteConnection, task: WorkTask): readonly WorkResult[] {
  connection.begin(task.until)
  const result = runApart(connection, task)
  if (!connection.database.isTransaction) return [result]
  try {
    connection.execute(isFailure(result) ? "ROLLBACK" : "COMMIT")
    return [result]
  } catch (fault) {
    connection.attempt("ROLLBACK")
    const violation = sqliteViolation(fault)
    return [violation ? { kind: "violated", command: 0, violation } : { kind: "fault", fault }]
  }
}

/** Whatever was found may have been written by another of the same transaction: nothing of it can be told. */
const lost = (
  tasks: readonly WorkTask[],
  results: readonly WorkResult[],
  fault: unknown,
): readonly WorkResult[] =>
  tasks.map((_, index) => (results[index]?.kind === "late" ? { kind: "late" } : { kind: "fault", fault }))

const faultIn = (result: WorkResult): unknown =>
  result.kind === "fault" ? result.fault : new Error("The transaction was ended.")

/** A failed command has changed nothing: only commands before it in the same task leave changes behind. */
function runBare(connection: SqliteConnection, task: WorkTask): WorkResult | undefined {
  if (elapsed() > task.until) return { kind: "late" }
  const { result, begun } = attemptWork(connection, task)
  return isFailure(result) && begun && connection.database.isTransaction ? undefined : result
}

const isFailure = ({ kind }: WorkResult): boolean => kind !== "done"

function runApart(connection: SqliteConnection, task: WorkTask): WorkResult {
  if (elapsed() > task.until) return { kind: "late" }
  connection.execute("SAVEPOINT one")
  const { result } = attemptWork(connection, task)
  if (!connection.database.isTransaction) return result
  if (isFailure(result)) connection.execute("ROLLBACK TO one")
  connection.execute("RELEASE one")
  return result
}

interface Attempted {
  readonly result: WorkResult
  /** Commands before the one that failed have run. */
  readonly begun: boolean
}

function attemptWork(connection: SqliteConnection, { work, until }: WorkTask): Attempted {
  const progress = { begun: false }
  try {
    const known = work.once && findKept(connection, work.once)
    return { result: known ?? runCommands(connection, work, until, progress), ...progress }
  } catch (fault) {
    return { result: fault instanceof TimeOver ? { kind: "late" } : { kind: "fault", fault }, ...progress }
  }
}

function runCommands(
  connection: SqliteConnection,
  work: Work,
  until: number,
  progress: { begun: boolean },
): WorkResult {
  const ran = runAll(connection, work, until, progress)
  if (ran.kind !== "ran") return ran
  const { shape, once: given } = work
  const wanted = shape.wanted.map((command) => ran.rows[command]?.[0])
  if (given) keep(connection, given, wanted)
  return { kind: "done", rows: wanted }
}

function runAll(
  connection: SqliteConnection,
  { shape, parameters, most }: Work,
  until: number,
  progress: { begun: boolean },
): Ran {
  const rows: (readonly Cells[])[] = []
  let at = 0
  for (const [index, command] of shape.commands.entries()) {
    const own: Parameter[] = []
    for (let place = at; place < at + command.takes; place += 1)
      own.push(resolve(parameters[place] ?? null, rows, sqlite.encodeSet))
    at += command.takes
    progress.begun = index > 0
    let found: readonly Cells[]
    try {
      found = withTables(connection, () => connection.all(command.text, own, until))
    } catch (fault) {
      const violation = sqliteViolation(fault)
      if (violation) return { kind: "violated", command: index, violation }
      throw fault
    }
    // The result is not the expected one, and the command may have changed something all the same.
    const why = refusedRows(command, found, most?.[index])
    if (why === "flawed" || (why === "absent" && mayTrigger(connection, command))) progress.begun = true
    if (why) return { kind: "refused", command: index, why }
    rows.push(found)
  }
  progress.begun = true
  return { kind: "ran", rows }
}

/**
 * A trigger may replace the effect of a command, which then gives no row
 * (https://www.sqlite.org/lang_createtrigger.html section 6). The trigger is looked for only in that case.
 */
const mayTrigger = (connection: SqliteConnection, { text }: WorkCommand): boolean =>
  connection.all(triggersIn, [text]).length > 0

const triggersIn = `SELECT 1 FROM sqlite_schema WHERE type = 'trigger'
  AND instr(lower(?), lower(replace(tbl_name, '"', '""'))) > 0 LIMIT 1`

/** Within a transaction that goes on; throws TimeOver, or what the driver throws. */
export function runWithin(connection: SqliteConnection, work: Work, until: number): Ran {
  connection.execute("SAVEPOINT one")
  const ran = runAll(connection, work, until, { begun: false })
  // An unmanaged database may end the transaction when it refuses a command: then none of it is done.
  if (!connection.database.isTransaction) return ran
  if (ran.kind !== "ran") connection.execute("ROLLBACK TO one")
  connection.execute("RELEASE one")
  return ran
}

export function findKept(
  connection: SqliteConnection,
  { scope, key, since, fingerprint }: IdempotencyRecord,
): Outcome | undefined {
  const [found] = withTables(connection, () => connection.all(once.find, [scope, key, once.moment(since)]))
  if (!found) return undefined
  const [same, answer] = found
  return same === fingerprint ? { kind: "replayed", rows: readKept(String(answer)) } : { kind: "mismatch" }
}

/** A thread has one file, and one setting. */
let makesLog = true
/** A missing log is not made. */
export const leaveLog = (): void => {
  makesLog = false
}

/** A table of Bifold's own is made when it is first needed, and one of an earlier version gets its columns. */
function withTables<Result>(connection: SqliteConnection, run: () => Result): Result {
  try {
    return run()
  } catch (fault) {
    for (const statement of mending(fault)) connection.execute(statement)
    // A statement may need more than one.
    return withTables(connection, run)
  }
}

/** Throws the fault where no table of Bifold's own is the reason. */
function mending(fault: unknown): readonly string[] {
  const statements = mendingOf(sqlite, {
    makesLog,
    lacksTable: (table) => lacks(fault, table),
    lacksColumn: (table, column) => lacksColumn(fault, table, column),
  })
  if (!statements) throw fault
  return statements
}

const lacksColumn = (fault: unknown, table: string, column: string): boolean =>
  fault instanceof Error &&
  [`table ${table} has no column named ${column}`, `no such column: ${table}.${column}`].includes(
    fault.message,
  )

const lacks = (fault: unknown, table: string): boolean =>
  fault instanceof Error && new RegExp(`^no such table: (main\\.)?${table}$`).test(fault.message)

/** Removes old rows now and then, a part at a time. */
const forgetting = 100
let keptSince = 0

export function keep(
  connection: SqliteConnection,
  given: IdempotencyRecord,
  rows: readonly (Cells | undefined)[],
): void {
  const { scope, key, fingerprint, now, since } = given
  connection.all(once.keep, [scope, key, fingerprint, keptText(rows), once.moment(now)])
  keptSince = (keptSince + 1) % forgetting
  if (keptSince === 0) connection.all(once.forget, [once.moment(since)])
}

// Constraint violations of SQLite: extended result codes (https://sqlite.org/rescode.html), and its messages.
const read: Readonly<Record<number, (message: string) => ConstraintViolation>> = {
  // SQLITE_TOOBIG
  18: () => violation("tooLong"),
  // SQLITE_MISMATCH: no whole number for a rowid
  20: () => violation("check"),
  // SQLITE_CONSTRAINT_CHECK
  275: (message) => ({ ...violation("check"), constraint: after(message) }),
  // SQLITE_CONSTRAINT_FOREIGNKEY: nothing says which, nor from which side
  787: () => violation("reference"),
  // SQLITE_CONSTRAINT_NOTNULL
  1299: (message) => ({ rule: "required", ...columnsIn(after(message)) }),
  // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE, _ROWID
  1555: unique,
  2067: unique,
  2579: unique,
  // SQLITE_CONSTRAINT_TRIGGER: a trigger of the schema, or the one by which SQLite itself does ON DELETE RESTRICT
  1811: (message) => violation(message === "FOREIGN KEY constraint failed" ? "referenced" : "check"),
  // SQLITE_CONSTRAINT_DATATYPE: of a STRICT table
  3091: (message) => ({ rule: "check", ...columnsIn(/ column (.*)$/s.exec(message)?.[1] ?? "") }),
}

/** Undefined for any other fault. @param fault as node:sqlite throws it */
export function sqliteViolation(fault: unknown): ConstraintViolation | undefined {
  if (!(fault instanceof Error) || !("errcode" in fault)) return undefined
  return read[Number(fault.errcode)]?.(fault.message)
}

function unique(message: string): ConstraintViolation {
  const index = /^index '(.*)'$/s.exec(after(message))?.[1]
  if (index !== undefined) return { ...violation("unique"), constraint: index }
  return { rule: "unique", ...columnsIn(after(message)) }
}

/** The columns behind `UNIQUE constraint failed: `. */
const after = (message: string): string => message.slice(message.indexOf(": ") + 2)

/** `customers.email, customers.region`; a table's name that has a point in it cannot be told from a column's. */
function columnsIn(list: string): Pick<ConstraintViolation, "table" | "columns"> {
  const end = list.indexOf(".")
  if (end < 0) return { columns: [] }
  const table = list.slice(0, end)
  return { table, columns: list.slice(end + 1).split(`, ${table}.`) }
}
