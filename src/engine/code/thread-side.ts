// The thread's side: runs functions of the service with a `db` that asks the main thread, and reports errors with their call.

import { AsyncLocalStorage, createHook } from "node:async_hooks"
import { promiseHooks } from "node:v8"
import type { MessagePort } from "node:worker_threads"
import { handleEnded } from "../../storage/faults.ts"
import {
  attempting,
  type CodePath,
  current,
  type DbShape,
  emitting,
  type FromThread,
  marked,
  packError,
  type SentError,
  type ThreadData,
  type ToThread,
  unpackError,
} from "./messages.ts"
import { notAwaited } from "./user-code-error.ts"

type CallMessage = Extract<ToThread, { readonly kind: "call" }>
/** Messages about a call that has begun. */
type CallNews = Extract<ToThread, { readonly kind: "answered" | "refused" | "abort" }>
type Members = Readonly<Record<string, unknown>>
type Run = (...given: readonly unknown[]) => unknown

/** A call that is under way. */
interface Running {
  readonly call: number
  readonly over: AbortController
  readonly asks: Map<number, PromiseWithResolvers<unknown>>
  /** Faults thrown by `db`, each with its request. */
  readonly refused: WeakMap<object, number>
  asked: number
  /** Attempts that have begun. */
  attempted: number
  ended: boolean
}

interface Side {
  readonly port: MessagePort
  readonly marks: Int32Array
  readonly running: Map<number, Running>
  readonly course: AsyncLocalStorage<Course>
  readonly inTrace: InTrace | undefined
}

/** The call that code runs in, and the attempt of it. */
interface Course {
  readonly call: number
  readonly attempt?: number
}

/** Runs work as part of a trace, which the code reads by its own means. */
type InTrace = (traceparent: string | undefined, work: () => void) => void

/**
 * Begins to listen, and to report uncaught errors, also from code that `load` runs.
 * @param load gives the code of the service
 * @param inTrace absent where the thread collects no spans
 */
export async function serveCode(
  port: MessagePort,
  { marks }: Pick<ThreadData, "marks">,
  load: () => Promise<unknown>,
  inTrace?: InTrace,
): Promise<void> {
  const side: Side = {
    port,
    marks: new Int32Array(marks),
    running: new Map(),
    course: new AsyncLocalStorage(),
    inTrace,
  }
  watchCourse(side)
  let code: unknown
  try {
    code = await load()
  } catch (error) {
    tell(side, { kind: "unready", error: packError(error) })
    return
  }
  let shape: DbShape = { resources: [], methods: [], attempts: false }
  port.on("message", (message: ToThread) => {
    if (message.kind === "call") {
      shape = message.db ?? shape
      begin(side, message, { run: () => functionAt(code, message.path), shape })
    } else hear(side, message)
  })
  tell(side, { kind: "ready" })
}

const tell = ({ port }: Side, message: FromThread): void => port.postMessage(message)

/** Marks the running call for the main thread, which looks at the mark of a thread that stopped answering. */
function watchCourse(side: Side): void {
  const { course, marks } = side
  /** The calls that ran before: code may run another's within its own (`AsyncResource.runInAsyncScope`). */
  const around: number[] = []
  const mark = (): void => void Atomics.store(marks, current, course.getStore()?.call ?? 0)
  const before = (): void => {
    around.push(Atomics.load(marks, current))
    mark()
  }
  const after = (): void => void Atomics.store(marks, current, around.pop() ?? 0)
  createHook({ before, after, trackPromises: false }).enable()
  // A promise that one call resolves goes on with another.
  promiseHooks.onBefore(mark)
  process.on("uncaughtException", (error) =>
    tell(side, { kind: "crashed", call: course.getStore()?.call, error: packError(error) }),
  )
  process.on("exit", (code) => tell(side, { kind: "exited", call: course.getStore()?.call, code }))
}

function hear(side: Side, message: Exclude<ToThread, CallMessage>): void {
  if (message.kind === "ping") tell(side, { kind: "pong" })
  else if (message.kind === "end") side.port.unref()
  else hearOf(side, message)
}

function hearOf(side: Side, message: CallNews): void {
  const { running, marks } = side
  const known = running.get(message.call)
  if (message.kind === "abort") {
    tell(side, { kind: "aborted", call: message.call })
    Atomics.store(marks, current, message.call)
    side.course.run({ call: message.call }, () => known?.over.abort(unpackError(message.reason)))
    return
  }
  const asking = known?.asks.get(message.ask)
  if (!known || !asking) return
  known.asks.delete(message.ask)
  if (message.kind === "answered") asking.resolve(message.given)
  else {
    const error = unpackError(message.error)
    if (typeof error === "object" && error !== null) known.refused.set(error, message.ask)
    asking.reject(error)
  }
}

function begin(side: Side, message: CallMessage, { run, shape }: { run: () => Run; shape: DbShape }): void {
  const { call, slot, given, hasDb, emits, settle, trace } = message
  const { marks, running, course, inTrace } = side
  // The main thread may have given it to another.
  if (Atomics.compareExchange(marks, slot, marked.sent, marked.begun) !== marked.sent) {
    tell(side, { kind: "passed", slot })
    return
  }
  Atomics.store(marks, current, call)
  const one: Running = {
    call,
    over: new AbortController(),
    asks: new Map(),
    refused: new WeakMap(),
    asked: 0,
    attempted: 0,
    ended: false,
  }
  running.set(call, one)
  const context = {
    ...(given.at(-1) as object),
    ...(hasDb && { db: createDb(side, one, shape) }),
    ...(emits && { emit: asked(side, one, emitting.resource, emitting.method) }),
    signal: one.over.signal,
  }
  const work = async (): Promise<unknown> => run()(...given.slice(0, -1), context)
  const start = (): void =>
    void work()
      .then(
        (result): FromThread =>
          one.asks.size > 0 ? { kind: "threw", call, error: packError(notAwaited()) } : gave(call, result),
      )
      .catch((error: unknown): FromThread => ({ kind: "threw", call, error: sendError(one, error) }))
      .then((outcome) => {
        one.ended = true
        // Errors thrown outside the promise come first.
        const end = (): void => void setImmediate(() => finish(side, one, outcome))
        if (settle > 0) setTimeout(end, settle)
        else end()
      })
  course.run({ call }, () => (inTrace ? inTrace(trace, start) : start()))
}

function finish(side: Side, { call }: Running, outcome: FromThread): void {
  side.running.delete(call)
  try {
    tell(side, outcome)
  } catch (error) {
    tell(side, { kind: "threw", call, error: packError(error) })
  }
}

const gave = (call: number, given: unknown): FromThread => {
  if (!Array.isArray(given) || !given.some((one) => one instanceof Error))
    return { kind: "gave", call, given }
  const errors = new Map<number, SentError>()
  for (const [index, one] of given.entries()) if (one instanceof Error) errors.set(index, packError(one))
  return {
    kind: "gave",
    call,
    given: given.map((one: unknown) => (one instanceof Error ? null : one)),
    errors,
  }
}

function sendError({ refused }: Running, thrown: unknown): SentError {
  const ask = typeof thrown === "object" && thrown !== null ? refused.get(thrown) : undefined
  return ask === undefined ? packError(thrown) : { kind: "refusal", ask }
}

/** A function that the main thread runs. */
const asked = (side: Side, one: Running, resource: string, method: string) => {
  const ask = async (given: readonly unknown[]): Promise<unknown> => {
    if (one.ended) throw handleEnded()
    const { call } = one
    const asking = Promise.withResolvers<unknown>()
    const number = ++one.asked
    const within = side.course.getStore()
    const attempt = within?.call === call ? within.attempt : undefined
    tell(side, {
      kind: "asked",
      call,
      ask: number,
      resource,
      method,
      given,
      ...(attempt !== undefined && { attempt }),
    })
    one.asks.set(number, asking)
    return asking.promise
  }
  return (...given: readonly unknown[]): Promise<unknown> => {
    const answer = ask(given)
    // Code that does not await the call fails when it returns.
    answer.catch(() => {})
    return answer
  }
}

/** The same resources and methods as in the main thread. */
function createDb(side: Side, one: Running, { resources, methods, attempts }: DbShape): object {
  const of = (resource: string): object =>
    Object.freeze(Object.fromEntries(methods.map((method) => [method, asked(side, one, resource, method)])))
  const own = Object.fromEntries(resources.map((resource) => [resource, of(resource)]))
  const db: object = Object.freeze({ ...(attempts && { attempt: attemptOf(side, one, () => db) }), ...own })
  return db
}

/** Requests of `use` belong to the attempt; the main thread hears of its end. */
function attemptOf(side: Side, one: Running, db: () => object) {
  const begin = asked(side, one, attempting.resource, attempting.begin)
  const settle = asked(side, one, attempting.resource, attempting.end)
  const attempt = async (use: (db: object) => unknown): Promise<unknown> => {
    const number = ++one.attempted
    await begin(number)
    let given: unknown
    try {
      given = await side.course.run({ call: one.call, attempt: number }, async () => use(db()))
    } catch (error) {
      await settle(number, false)
      throw error
    }
    await settle(number, true)
    return given
  }
  return (use: (db: object) => unknown): Promise<unknown> => {
    const answer = attempt(use)
    answer.catch(() => {})
    return answer
  }
}

function functionAt(code: unknown, path: CodePath): Run {
  let owner: unknown
  let found = code
  for (const part of path) {
    owner = found
    found = typeof found === "object" && found !== null ? (found as Members)[part] : undefined
  }
  if (typeof found === "function") return found.bind(owner)
  throw new Error(
    `The service file has no function ${path.join(".")} any more: it was changed while it is served.`,
  )
}
