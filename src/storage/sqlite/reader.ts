// A thread that reads a SQLite file for statements that may be slow (readers.ts starts it).

import { parentPort, workerData } from "node:worker_threads"
import { elapsed } from "../../base/clock.ts"
import type { Parameter } from "../../sql/statement.ts"
import type { ColumnMeanings } from "./column-meanings.ts"
import { connectSqlite, type SqliteConnection, TimeOver } from "./connection.ts"

/** Options of the thread. */
export interface ReaderData {
  readonly path: string
  /** The number of the task whose client is gone, in shared memory. */
  readonly gone: Int32Array
  /** As the process found them when it opened the file. */
  readonly meanings: ColumnMeanings
}

export interface ReaderTask {
  readonly number: number
  readonly text: string
  readonly parameters: readonly Parameter[]
  /** As of `elapsed()`. */
  readonly until: number
}

export type ReaderReply =
  /** Buffers arrive as plain arrays of bytes. */
  | { readonly kind: "row"; readonly row: readonly (string | Uint8Array | null)[] }
  | { readonly kind: "late" }
  /** Errors lose their members on the way between threads. */
  | { readonly kind: "fault"; readonly message: string; readonly errcode?: unknown }

let connection: SqliteConnection | undefined

const { path, gone, meanings } = workerData as ReaderData

function connect(): SqliteConnection {
  const opened = connectSqlite(path)
  opened.expect(meanings)
  return opened
}

function answer({ number, text, parameters, until }: ReaderTask): ReaderReply {
  const isOver = (): boolean => elapsed() > until || Atomics.load(gone, 0) === number
  try {
    connection ??= connect()
    return { kind: "row", row: connection.read(text, parameters, isOver) }
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
