// The writer thread's half of a transaction for user code. Messages begin it, run it step by step and end it, and
// nothing else is written meanwhile (writer.ts sees to that).
import { type Mark, savepointCommands } from "../serial-session.ts"
import type { Cells, IdempotencyRecord, Outcome, Ran, Work } from "../write-request.ts"
import { type SqliteConnection, TimeOver } from "./connection.ts"
import { findKept, keep, runWithin, sqliteViolation } from "./work.ts"

export type SessionRequest =
  | { readonly session: "begin"; readonly until: number; readonly once?: IdempotencyRecord }
  | { readonly session: "run"; readonly work: Work; readonly until: number }
  | { readonly session: "mark"; readonly mark: Mark; readonly depth: number }
  | { readonly session: "commit"; readonly row: Cells; readonly once?: IdempotencyRecord }
  | { readonly session: "rollback" }

type BeginAsk = Extract<SessionRequest, { readonly session: "begin" }>

export type SessionEvent =
  | Ran
  | Outcome
  /** `gone`: what was refused before has ended the transaction. */
  | { readonly kind: "begun" | "marked" | "ended" | "late" | "gone" }
  | { readonly kind: "fault"; readonly fault: unknown }

export const isSessionRequest = (message: object): message is SessionRequest => "session" in message

/** After a fault the transaction is rolled back, where it is still open. */
export function runSession(connection: SqliteConnection, asked: SessionRequest): SessionEvent {
  const within = asked.session !== "begin" && asked.session !== "rollback"
  if (within && !connection.database.isTransaction) return { kind: "gone" }
  try {
    switch (asked.session) {
      case "begin":
        return begin(connection, asked)
      case "run":
        return runWithin(connection, asked.work, asked.until)
      case "mark":
        for (const command of savepointCommands(asked.mark, asked.depth)) connection.execute(command)
        return { kind: "marked" }
      case "commit":
        return commit(connection, asked.row, asked.once)
      case "rollback":
        connection.attempt("ROLLBACK")
        return { kind: "ended" }
    }
  } catch (fault) {
    if (asked.session === "begin") connection.attempt("ROLLBACK")
    return fault instanceof TimeOver ? { kind: "late" } : { kind: "fault", fault }
  }
}

function begin(connection: SqliteConnection, { until, once }: BeginAsk): SessionEvent {
  connection.begin(until)
  const known = once && findKept(connection, once)
  if (!known) return { kind: "begun" }
  connection.attempt("ROLLBACK")
  return known
}

function commit(connection: SqliteConnection, row: Cells, once: IdempotencyRecord | undefined): SessionEvent {
  if (once) keep(connection, once, [row])
  try {
    connection.execute("COMMIT")
    return { kind: "done", rows: [row] }
  } catch (fault) {
    connection.attempt("ROLLBACK")
    // A constraint that is deferred does not say whose it is.
    const violation = sqliteViolation(fault)
    if (!violation) throw fault
    return { kind: "violated", command: 0, violation }
  }
}
