// The thread that writes a SQLite file (sqlite-writer.ts starts it): the only writer of its process.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads"
import { present } from "../base/invariant.ts"
import { connectSqlite, type SqliteConnection } from "./sqlite-connection.ts"
import { tidy } from "./sqlite-wal.ts"
import { runTasks, type WorkResult, type WorkTask } from "./sqlite-work.ts"
import type { WorkShape } from "./work.ts"

/** Errors lose their members on the way between threads. */
export type WriterReply =
  | Exclude<WorkResult, { readonly kind: "fault" }>
  | { readonly kind: "fault"; readonly message: string; readonly errcode?: unknown }

/** What the thread says once: that the file can be written, or why not. */
export type WriterReady = { readonly kind: "ready" } | Extract<WriterReply, { readonly kind: "fault" }>

/** Writes that share a commit; the others wait for the next. */
const most = 1_000

function reply(result: WorkResult): WriterReply {
  return result.kind === "fault" ? faultOf(result.fault) : result
}

function faultOf(fault: unknown): Extract<WriterReply, { readonly kind: "fault" }> {
  const message = fault instanceof Error ? fault.message : String(fault)
  const errcode = fault instanceof Error && "errcode" in fault ? { errcode: fault.errcode } : {}
  return { kind: "fault", message, ...errcode }
}

/** A work as it is sent: its shape goes along once, and is called by its number then. */
export interface SentTask extends Omit<WorkTask, "work"> {
  readonly work: Omit<WorkTask["work"], "shape">
  readonly number: number
  readonly shape?: WorkShape
}

const shapes = new Map<number, WorkShape>()

function received({ work, number, shape, until }: SentTask): WorkTask {
  if (shape) {
    // Numbers begin anew: those that were known are not used any more.
    if (number === 0) shapes.clear()
    shapes.set(number, shape)
  }
  return { work: { ...work, shape: present(shapes.get(number), "a shape is sent before it is used") }, until }
}

function serve(connection: SqliteConnection, port: NonNullable<typeof parentPort>): void {
  port.on("message", (first: readonly SentTask[]) => {
    const tasks = first.map(received)
    // Whatever came in while the last commit was written to disk.
    while (tasks.length < most) {
      const next = receiveMessageOnPort(port)
      if (!next) break
      tasks.push(...(next.message as readonly SentTask[]).map(received))
    }
    port.postMessage(runTasks(connection, tasks).map(reply))
    tidy(connection, String(workerData))
  })
}

if (parentPort) {
  try {
    serve(connectSqlite(String(workerData), "write"), parentPort)
    parentPort.postMessage({ kind: "ready" } satisfies WriterReady)
  } catch (fault) {
    parentPort.postMessage(faultOf(fault) satisfies WriterReady)
  }
}
