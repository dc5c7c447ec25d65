// One call of user code in a thread, and its requests to the database.

import { AsyncLocalStorage } from "node:async_hooks"
import { thrownMessage } from "../../base/thrown.ts"
import { handleEnded } from "../../storage/faults.ts"
import { attempting, type CodePath, type DbCall, emitting } from "./messages.ts"
import { CodeCrash } from "./user-code-error.ts"

/** Address of a function in the service's declaration. */
export interface CodePlace {
  readonly path: CodePath
  /** Its kind: `handler`, for example. */
  readonly kind: string
  /** The handler's name, by which its position is kept. */
  readonly handler?: string
}

type Method = (...given: readonly unknown[]) => Promise<unknown>
export type Db = Readonly<Record<string, Readonly<Record<string, Method>>>> & {
  readonly attempt?: Method | Readonly<Record<string, Method>>
}

/** A part of the transaction, for as long as the code in the thread takes. */
interface Attempt {
  /** Runs a request in it. */
  readonly within: <Result>(work: () => Result) => Result
  readonly settle: (isDone: boolean) => Promise<unknown>
}

export interface Job {
  /** Another for each. */
  readonly call: number
  readonly place: CodePlace
  readonly given: readonly unknown[]
  readonly db: Db | undefined
  /** For an action that emits events. */
  readonly emit: Method | undefined
  readonly signal: AbortSignal
  /** The `traceparent` of the call. */
  readonly trace: string | undefined
  /** Runs work for the same request or event as the call; the thread's messages do not name it. */
  readonly within: <Result>(work: () => Result) => Result
  /** By the number that the thread gives them. */
  readonly attempts: Map<number, Attempt>
  /** Refusals of `db`, by request. */
  readonly refused: Map<number, unknown>
  resolve(given: unknown): void
  reject(error: unknown): void
}

/** Runs a request by the call's own `db`, under its rules and in its transaction. */
export async function askDb(
  job: Pick<Job, "db" | "emit" | "attempts">,
  { attempt, ...call }: DbCall,
): Promise<unknown> {
  const { attempts } = job
  const around = attempt === undefined ? undefined : attempts.get(attempt)
  if (attempt !== undefined && !around) throw handleEnded()
  return around ? around.within(() => askHere(job, call)) : askHere(job, call)
}

async function askHere(
  { db, emit, attempts }: Pick<Job, "db" | "emit" | "attempts">,
  { resource, method, given }: DbCall,
): Promise<unknown> {
  if (resource === attempting.resource && method === attempting.end) {
    const [number, isDone] = given
    return attempts.get(Number(number))?.settle(isDone === true)
  }
  const attempt = db?.attempt
  if (resource === attempting.resource && method === attempting.begin && typeof attempt === "function")
    return beginAttempt(attempt, attempts, Number(given[0]))
  if (emit && resource === emitting.resource) return emit(...given)
  const asked = db && Object.hasOwn(db, resource) ? db[resource]?.[method] : undefined
  if (!asked) throw handleEnded()
  return asked(...given)
}

function beginAttempt(attempt: Method, attempts: Job["attempts"], number: number): Promise<void> {
  return new Promise((begun, failed) => {
    const code = Promise.withResolvers<void>()
    const undone = new Error("The attempt is undone.")
    const ended = attempt(() => {
      const settle = (isDone: boolean): Promise<unknown> => {
        attempts.delete(number)
        if (isDone) code.resolve()
        else code.reject(undone)
        return ended.catch((error: unknown) => (error === undone ? undefined : Promise.reject(error)))
      }
      attempts.set(number, { within: AsyncLocalStorage.snapshot(), settle })
      begun()
      return code.promise
    })
    ended.catch(failed)
  })
}

/** @param how in words, where no error has been thrown */
export function crashOf({ kind }: Pick<CodePlace, "kind">, thrown: unknown, how?: string): CodeCrash {
  const said =
    how ?? (thrown instanceof Error ? `${thrown.name}: ${thrownMessage(thrown)}` : thrownMessage(thrown))
  const crash = new CodeCrash(`The ${kind} ended its thread: ${said}`, { cause: thrown })
  // The user's frames only.
  const from = thrown instanceof Error ? (thrown.stack ?? "").split("\n").filter(isFrame) : []
  crash.stack = [`${crash.name}: ${crash.message}`, ...from].join("\n")
  return crash
}

const isFrame = (line: string): boolean => /^\s+at /.test(line)
