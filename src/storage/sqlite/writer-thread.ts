// The thread that writes a SQLite file (writer.ts starts it): the only writer of its process.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads"
import { elapsed } from "../../base/clock.ts"
import { present } from "../../base/invariant.ts"
import type { Bound } from "../../sql/deferred-parameter.ts"
import { sqlite } from "../../sql/dialects/sqlite.ts"
import { beginEpochNow } from "../../sql/log/epochs.ts"
import { systemTableNames, systemTables } from "../../sql/schema/system-tables.ts"
import { isReadOnlyFile, movedFault, watchFile } from "../faults.ts"
import type { Work, WorkShape } from "../write-request.ts"
import { readMeanings } from "./column-meanings.ts"
import { connectSqlite, moveLog, type SqliteConnection, tidy } from "./connection.ts"
import { isSessionRequest, runSession, type SessionEvent, type SessionRequest } from "./session.ts"
import { leaveLog, runTasks, type WorkResult, type WorkTask } from "./work.ts"

/** The start data of the thread. */
export interface WriterSettings {
  readonly path: string
  /** Milliseconds to wait for another process that writes. */
  readonly patience: number
  readonly makesLog: boolean
}

/** Errors lose their members on the way between threads. */
export type WriterReply =
  | Exclude<WorkResult, { readonly kind: "fault" }>
  | { readonly kind: "fault"; readonly message: string; readonly errcode?: unknown }

/** To what was asked of a transaction for user code; there is one at a time. */
export interface SessionReply {
  readonly told:
    | Exclude<SessionEvent, { readonly kind: "fault" }>
    | Extract<WriterReply, { readonly kind: "fault" }>
}

/** The first message of the thread: the file can be written, or the reason why not. */
export type WriterReady = { readonly kind: "ready" } | Extract<WriterReply, { readonly kind: "fault" }>

/** Told to the thread when nothing more is to be written. */
export const leave = "leave"

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

/** Works of one turn, as they are sent: few objects, because each takes its time on the way between threads. */
export interface SentWorks {
  /** The deadline of each work, as of `elapsed()`. */
  readonly untils: readonly number[]
  /** The number of each work's shape. */
  readonly numbers: readonly number[]
  /** Shapes that the thread has not seen, by number. */
  readonly shapes: readonly (readonly [number, WorkShape])[]
  /** Parameters of all works, one after the other. */
  readonly parameters: readonly Bound[]
  /** Rare parts of works, by their place among the works. */
  readonly rest: ReadonlyMap<number, Pick<Work, "most" | "once">>
}

/** A text: what most writes give, the only column of one row. */
export type SentReply = string | WriterReply

const shapes = new Map<number, WorkShape>()

function received({ untils, numbers, shapes: fresh, parameters, rest }: SentWorks): readonly WorkTask[] {
  for (const [number, shape] of fresh) {
    // Numbers begin anew: those that were known are not used any more.
    if (number === 0) shapes.clear()
    shapes.set(number, shape)
  }
  let at = 0
  return numbers.map((number, index) => {
    const shape = present(shapes.get(number), "a shape is sent before it is used")
    const own = parameters.slice(at, at + shape.takes)
    at += shape.takes
    const until = present(untils[index], "each work has a deadline")
    return { work: { shape, parameters: own, ...rest.get(index) }, until }
  })
}

function sent(result: WorkResult, { shape }: Work): SentReply {
  if (result.kind !== "done" || !shape.single) return reply(result)
  const only = result.rows[0]?.[0]
  return typeof only === "string" ? only : result
}

const gone = { kind: "fault", fault: movedFault() } as const

function serve({ path, patience, makesLog }: WriterSettings, port: Port): void {
  if (!makesLog) leaveLog()
  let connection = connectSqlite(path, "write", patience)
  const meanings = readMeanings(connection.database)
  connection.expect(meanings)
  beginLog(connection, patience)
  let file = watchFile(path, true)
  /** A file that was opened when it could only be read stays so for its connection (sqlite.ts). */
  let isOutdated = false
  const note = (fault: unknown): void => {
    if (!isReadOnlyFile(fault)) return
    isOutdated = true
    connection.close()
  }
  /** Gives why the file cannot be opened again. */
  const renew = (): { readonly kind: "fault"; readonly fault: unknown } | undefined => {
    if (!isOutdated) return undefined
    try {
      connection = connectSqlite(path, "write", patience)
      connection.expect(meanings)
      file = watchFile(path, true)
      isOutdated = false
      return undefined
    } catch (fault) {
      return { kind: "fault", fault }
    }
  }
  let isGone = false
  /** A commit to a file that was moved away is not acknowledged, and nothing more is written to it. */
  const inPlace = <Result>(write: () => Result): Result | typeof gone => {
    const result = isGone && !file.isInPlace() ? gone : write()
    isGone = !file.isInPlace()
    return isGone ? gone : result
  }
  const session = (asked: SessionRequest): ReturnType<typeof runSession> => {
    if (asked.session === "begin" && !file.isInPlace()) return gone
    const told = runSession(connection, asked)
    return asked.session === "commit" && !file.isInPlace() ? gone : told
  }
  /** The transaction went with its connection; only another one opens the file again. */
  const lost = ({ session }: SessionRequest): SessionEvent | undefined =>
    isOutdated && session !== "begin" ? { kind: session === "rollback" ? "ended" : "gone" } : undefined
  const answer = (asked: SessionRequest): void => {
    const told = lost(asked) ?? renew() ?? session(asked)
    if (told.kind === "fault") note(told.fault)
    port.postMessage({ told: told.kind === "fault" ? faultOf(told.fault) : told } satisfies SessionReply)
    if (asked.session === "commit" && !isOutdated) tidy(connection, path)
  }
  port.on("message", (first: SentWorks | SessionRequest | typeof leave) => {
    if (first === leave) {
      if (!isOutdated) moveLog(connection)
      connection.close()
      end(port)
      return
    }
    if (isSessionRequest(first)) return answer(first)
    const tasks = [...received(first)]
    let asked: SessionRequest | undefined
    /** Whatever came in while the last commit was written to disk, and while another process wrote. */
    const gather = (): void => {
      asked ??= takeMore(port, tasks)
    }
    const done = renew() ?? inPlace(() => runTasks(connection, tasks, gather))
    const results = "kind" in done ? tasks.map(() => done) : done
    for (const result of results) if (result.kind === "fault") note(result.fault)
    port.postMessage(tasks.map(({ work }, index) => sent(present(results[index], "each has a result"), work)))
    if (!isOutdated) tidy(connection, path)
    if (asked) answer(asked)
  })
}

/** Gives the request of a session before which no more are taken. */
function takeMore(port: Port, tasks: ReturnType<typeof received>[number][]): SessionRequest | undefined {
  while (tasks.length < most) {
    const next = receive(port) as { readonly message: SentWorks | SessionRequest } | undefined
    if (!next) return undefined
    if (isSessionRequest(next.message)) return next.message
    tasks.push(...received(next.message))
  }
  return undefined
}

/** A file may be a copy of earlier days, so its log begins a new epoch before the first write. */
function beginLog(connection: SqliteConnection, patience: number): void {
  if (connection.all(logIn, []).length === 0) return
  connection.begin(elapsed() + patience)
  try {
    for (const statement of [...systemTables(sqlite, ["epoch"]), ...beginEpochNow(sqlite)])
      connection.execute(statement)
    connection.execute("COMMIT")
  } catch (fault) {
    connection.attempt("ROLLBACK")
    connection.close()
    throw fault
  }
}

const logIn = `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '${systemTableNames.log}'`

type Port = NonNullable<typeof parentPort>

const isDeno = process.versions["deno"] !== undefined

/** Deno cannot poll the port of a thread, so there each message is committed alone. */
const receive = isDeno ? (): undefined => undefined : receiveMessageOnPort

/** The thread ends: nothing else keeps it. */
const end = (port: Port): void => (isDeno ? (globalThis as unknown as Pick<Port, "close">) : port).close()

if (parentPort) {
  try {
    serve(workerData as WriterSettings, parentPort)
    parentPort.postMessage({ kind: "ready" } satisfies WriterReady)
  } catch (fault) {
    parentPort.postMessage(faultOf(fault) satisfies WriterReady)
  }
}
