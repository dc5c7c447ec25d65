// Runs writes on a connection to a SQLite file: as many as wait share one commit, each in a savepoint of its own, so that
// one that fails takes no other along. In the writer's thread (sqlite-writer-thread.ts).
import { resolve } from "../sql/later.ts"
import { onceStatements } from "../sql/once.ts"
import { ownTables } from "../sql/own-tables.ts"
import { sqlite } from "../sql/sqlite.ts"
import type { SqliteConnection } from "./sqlite-connection.ts"
import { sqliteViolation } from "./violations-sqlite.ts"
import {
  type Cells,
  keptText,
  type OnceOnly,
  type Outcome,
  readKept,
  refusedRows,
  type Work,
} from "./work.ts"

export type WorkResult =
  | Outcome
  | { readonly kind: "late" }
  | { readonly kind: "fault"; readonly fault: unknown }

export interface WorkTask {
  readonly work: Work
  /** As of `Date.now()`: it is not begun after that. */
  readonly until: number
}

const once = onceStatements(sqlite)

/** All results are there when the commit is on disk. */
export function runTasks(connection: SqliteConnection, tasks: readonly WorkTask[]): readonly WorkResult[] {
  try {
    connection.execute("BEGIN IMMEDIATE")
  } catch (fault) {
    return tasks.map(() => ({ kind: "fault", fault }))
  }
  const results: WorkResult[] = []
  for (const task of tasks) {
    const result = runApart(connection, task)
    results.push(result)
    // Some faults end the whole transaction (https://www.sqlite.org/lang_transaction.html section 3).
    if (!connection.database.isTransaction) return lostTogether(tasks, results)
  }
  try {
    connection.execute("COMMIT")
    return results
  } catch (fault) {
    connection.attempt("ROLLBACK")
    return results.map((result) => (result.kind === "done" ? { kind: "fault", fault } : result))
  }
}

function lostTogether(tasks: readonly WorkTask[], results: readonly WorkResult[]): readonly WorkResult[] {
  const last = results.at(-1)
  const fault = last?.kind === "fault" ? last.fault : new Error("The transaction was ended.")
  return tasks.map((_, index) => {
    const result = results[index]
    return result && result.kind !== "done" ? result : { kind: "fault", fault }
  })
}

function runApart(connection: SqliteConnection, { work, until }: WorkTask): WorkResult {
  if (Date.now() > until) return { kind: "late" }
  connection.execute("SAVEPOINT one")
  const result = attemptWork(connection, work, until)
  if (!connection.database.isTransaction) return result
  if (result.kind !== "done") connection.execute("ROLLBACK TO one")
  connection.execute("RELEASE one")
  return result
}

function attemptWork(connection: SqliteConnection, work: Work, until: number): WorkResult {
  try {
    const known = work.once && findKept(connection, work.once)
    if (known) return known
    return runCommands(connection, work, until)
  } catch (fault) {
    return { kind: "fault", fault }
  }
}

function runCommands(connection: SqliteConnection, { commands, once }: Work, until: number): WorkResult {
  const rows: (readonly Cells[])[] = []
  for (const [index, command] of commands.entries()) {
    const parameters = command.parameters.map((bound) => resolve(bound, rows, sqlite.encodeSet))
    let found: readonly Cells[]
    try {
      found = connection.all(command.text, parameters, until)
    } catch (fault) {
      const violation = sqliteViolation(fault)
      if (violation) return { kind: "violated", command: index, violation }
      throw fault
    }
    const why = refusedRows(command, found)
    if (why) return { kind: "refused", command: index, why }
    rows.push(found)
  }
  const firsts = rows.map(([first]) => first)
  if (once) keep(connection, once, firsts)
  return { kind: "done", rows: firsts }
}

function findKept(
  connection: SqliteConnection,
  { scope, key, since, fingerprint }: OnceOnly,
): Outcome | undefined {
  const [found] = withTables(connection, () => connection.all(once.find, [scope, key, once.moment(since)]))
  if (!found) return undefined
  const [same, answer] = found
  return same === fingerprint ? { kind: "replayed", rows: readKept(String(answer)) } : { kind: "mismatch" }
}

/** In a database of somebody else's the table is made when it is first needed. */
function withTables<Result>(connection: SqliteConnection, run: () => Result): Result {
  try {
    return run()
  } catch (fault) {
    if (!(fault instanceof Error && fault.message.startsWith("no such table"))) throw fault
    for (const statement of ownTables(sqlite)) connection.execute(statement)
    return run()
  }
}

/** What is old goes now and then, a part at a time. */
const forgetting = 100
let keptSince = 0

function keep(connection: SqliteConnection, given: OnceOnly, rows: readonly (Cells | undefined)[]): void {
  const answer = keptText(given.kept.map((command) => rows[command]))
  const { scope, key, fingerprint, now, since } = given
  connection.all(once.keep, [scope, key, fingerprint, answer, once.moment(now)])
  keptSince = (keptSince + 1) % forgetting
  if (keptSince === 0) connection.all(once.forget, [once.moment(since)])
}
