// The code of a service in threads of its own: functions of a declaration call the same functions of the service file in a
// thread. The engine does not know the difference. Handlers have their own threads, so that they never hold up a request.
import { AsyncLocalStorage } from "node:async_hooks"
import { traceHeader } from "../../base/tracing.ts"
import type { CodeDeclaration, ServiceDeclaration } from "../../model/declaration/declaration.ts"
import { isObject } from "../../plan/pending-key.ts"
import { startsWith } from "./deadline.ts"
import { type CodePlace, crashOf, type Db, type Job } from "./job.ts"
import { CodeLane } from "./lane.ts"
import { CallInterrupted, CodeCrash } from "./user-code-error.ts"

export interface CodeThreadsOptions {
  /** The file that exports the declaration. */
  readonly file: string
  /** The module that a thread begins with, which calls `serveCode`. Throws if its file has changed. */
  readonly entry: () => URL
}

/** Reports code that ended a thread outside any call. */
interface StrayCrash {
  /** Such as `actions.order.applyCoupon`; undefined where it is not known. */
  readonly what: string | undefined
  readonly error: unknown
  /** For a handler: the event. */
  readonly handled?: HandledCall
}

interface HandledCall {
  readonly handler: string
  /** The event's. */
  readonly id: string
  readonly position: bigint
  /** The record's public id. */
  readonly record: string
}

export interface CodeThreads {
  /** With functions that run in threads. */
  readonly declaration: ServiceDeclaration
  /** At most one hears it. */
  watch(hear: (crash: StrayCrash) => void): void
  /** Starts the threads that the code needs. Without it the first call does. */
  warm(): void
  close(): Promise<void>
}

/** No thread is begun before its first call, or `warm`. */
export function codeInThreads(declaration: ServiceDeclaration, options: CodeThreadsOptions): CodeThreads {
  const threads = new Threads(options)
  const { code } = declaration
  return {
    declaration: code ? { ...declaration, code: threads.codeOf(code) } : declaration,
    watch: (hear) => {
      threads.hear = hear
    },
    warm: () => threads.warm(code ?? {}),
    close: () => threads.close(),
  }
}

/** Parts of the longest path of a function: `actions.order.applyCoupon.run`. */
const deepest = 4
/** Calls of handlers that are remembered when they have ended. */
const mostRemembered = 5_000
/** Milliseconds after a handler has returned in which work that it has begun may still fail it. */
const settle = 1

interface Remembered {
  readonly what: string
  readonly key: string | undefined
  readonly handled: HandledCall | undefined
}

class Threads {
  readonly #handlers: CodeLane
  readonly #requests: CodeLane
  /** By call, the latest. */
  readonly #calls = new Map<number, Remembered>()
  /** Events during which a thread has ended: they are handled in a thread of their own. */
  readonly #suspects = new Set<string>()
  #count = 0
  hear: (crash: StrayCrash) => void = () => {}

  constructor(options: CodeThreadsOptions) {
    const lane = { ...options, settle, stray: (error: unknown, call?: number) => this.#stray(error, call) }
    this.#handlers = new CodeLane(lane)
    this.#requests = new CodeLane(lane)
  }

  codeOf(code: CodeDeclaration): CodeDeclaration {
    return this.#inThreads(code, [], undefined) as CodeDeclaration
  }

  warm({ on, ...others }: CodeDeclaration): void {
    if (on && Object.keys(on).length > 0) this.#handlers.warm()
    if (Object.values(others).some((each) => isObject(each) && Object.keys(each).length > 0))
      this.#requests.warm()
  }

  async close(): Promise<void> {
    await Promise.all([this.#handlers.close(), this.#requests.close()])
  }

  /** The same value where no function is in it. @param owner the object that has the value as a member */
  #inThreads(value: unknown, path: CodePlace["path"], owner: unknown): unknown {
    if (path.length > deepest) return value
    if (typeof value === "function") return this.#remote(placeOf(path, owner))
    if (Array.isArray(value)) {
      const all = value.map((one: unknown, index) => this.#inThreads(one, [...path, index], value))
      return all.some((one, index) => one !== value[index]) ? all : value
    }
    if (!isObject(value)) return value
    const members = Object.entries(value).map(
      ([name, one]) => [name, this.#inThreads(one, [...path, name], value)] as const,
    )
    return members.some(([name, one]) => one !== value[name])
      ? { ...value, ...Object.fromEntries(members) }
      : value
  }

  #remote(place: CodePlace): (...given: readonly unknown[]) => Promise<unknown> {
    const lane = place.handler === undefined ? this.#requests : this.#handlers
    const run = (...given: readonly unknown[]): Promise<unknown> => {
      const { db, emit, signal, ...context } = given.at(-1) as Context
      const handled = place.handler === undefined ? undefined : handledOf(place.handler, context.event)
      const key = handled && `${handled.handler} ${handled.position}`
      const call = ++this.#count
      this.#remember(call, { what: nameOf(place), key, handled })
      const sent = [...given.slice(0, -1), context]
      return new Promise((resolve, reject) => {
        const job: Job = {
          call,
          place,
          given: sent,
          db,
          emit,
          signal,
          trace: traceHeader().traceparent,
          within: AsyncLocalStorage.snapshot(),
          attempts: new Map(),
          refused: new Map(),
          resolve: (result) => {
            if (key !== undefined) this.#suspects.delete(key)
            resolve(result)
          },
          reject: (error) => {
            if (key !== undefined && isSuspicious(error)) this.#suspect(key)
            reject(error)
          },
        }
        if (key !== undefined && this.#suspects.has(key)) void lane.runAlone(job)
        else lane.run(job)
      })
    }
    startsWith(run, () => lane.loading())
    return run
  }

  #remember(call: number, remembered: Remembered): void {
    this.#calls.set(call, remembered)
    this.#calls.delete(call - mostRemembered)
  }

  #suspect(key: string): void {
    this.#suspects.add(key)
    const [first] = this.#suspects
    if (this.#suspects.size > mostRemembered && first !== undefined) this.#suspects.delete(first)
  }

  #stray(error: unknown, call: number | undefined): void {
    const known = call === undefined ? undefined : this.#calls.get(call)
    if (known?.key !== undefined) this.#suspect(known.key)
    const handled = known?.handled
    this.hear({
      what: known?.what,
      ...(handled ? { error: crashOf({ kind: "handler" }, error), handled } : { error }),
    })
  }
}

interface Context {
  readonly db?: Db
  readonly emit?: Job["emit"]
  readonly signal: AbortSignal
  readonly event?: { readonly id: string; readonly position: string; readonly recordId: string }
}

/** `actions.order.applyCoupon` */
const nameOf = ({ path }: CodePlace): string =>
  (path.length > 2 && path.at(-1) === "run" ? path.slice(0, -1) : path).join(".")

const isSuspicious = (error: unknown): boolean =>
  error instanceof CodeCrash || error instanceof CallInterrupted

const handledOf = (handler: string, event: Context["event"]): HandledCall | undefined =>
  event && { handler, id: event.id, position: BigInt(event.position), record: event.recordId }

const kinds: Readonly<Record<string, string>> = {
  actions: "action",
  operations: "operation",
  before: "hook",
  computed: "computed field",
  versions: "function of a version",
  on: "handler",
}

function placeOf(path: CodePlace["path"], owner: unknown): CodePlace {
  const [kind, event] = path
  const place = { path, kind: kinds[String(kind)] ?? "code" }
  if (kind !== "on") return place
  const named =
    isObject(owner) && path.at(-1) === "run" && typeof owner["name"] === "string" ? owner["name"] : undefined
  return { ...place, handler: named ?? String(event) }
}
