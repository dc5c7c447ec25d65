// A thread that reads a SQLite file for statements that may be slow (readers.ts starts it).
import { parentPort, workerData } from "node:worker_threads"
import type { Parameter } from "../../sql/statement.ts"
import { connectSqlite, type SqliteConnection, TimeOver } from "./connection.ts"

export interface ReaderTask {
  readonly text: string
  readonly parameters: readonly Parameter[]
  /** As of `Date.now()`. */
  readonly until: number
}

export type ReaderReply =
  /** Buffers arrive as plain arrays of bytes. */
  | { readonly kind: "row"; readonly row: readonly (string | Uint8Array | null)[] }
  | { readonly kind: "late" }
  /** Errors lose their members on the way between threads. */
  | { readonly kind: "fault"; readonly message: string; readonly errcode?: unknown }

let connection: SqliteConnection | undefined

function answer({ text, parameters, until }: ReaderTask): ReaderReply {
  try {
    connection ??= connectSqlite(String(workerData))
    return { kind: "row", row: connection.read(text, parameters, until) }
  } catch (fault) {
    if (fault instanceof TimeOver) return { kind: "late" }
    if (!(fault instanceof Error)) return { kind: "fault", message: String(fault) }
    return {
      kind: "fault",
      message: fault.message,
      ...("errcode" in fault ? { errcode: fault.errcode } : {}),
    }
  }
}

parentPort?.on("message", (task: ReaderTask) => parentPort?.postMessage(answer(task)))
