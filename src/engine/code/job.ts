// One call of user code in a thread, and its requests to the database.
import { thrownMessage } from "../../base/thrown.ts"
import { type CodePath, type DbCall, emitting } from "./messages.ts"
import { CodeCrash, handleEnded } from "./user-code-error.ts"

/** Address of a function in the service's declaration. */
export interface CodePlace {
  readonly path: CodePath
  /** Its kind: `handler`, for example. */
  readonly kind: string
  /** The handler's name, by which its position is kept. */
  readonly handler?: string
}

type Method = (...given: readonly unknown[]) => Promise<unknown>
export type Db = Readonly<Record<string, Readonly<Record<string, Method>>>>

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
  /** Runs work for the same request or event as the call, which messages of the thread know nothing of. */
  readonly within: <Result>(work: () => Result) => Result
  /** Refusals of `db`, by request. */
  readonly refused: Map<number, unknown>
  resolve(given: unknown): void
  reject(error: unknown): void
}

/** Runs a request by the call's own `db`, under its rules and in its transaction. */
export async function askDb(
  { db, emit }: Pick<Job, "db" | "emit">,
  { resource, method, given }: DbCall,
): Promise<unknown> {
  if (emit && resource === emitting.resource) return emit(...given)
  const asked = db && Object.hasOwn(db, resource) ? db[resource]?.[method] : undefined
  if (!asked) throw handleEnded()
  return asked(...given)
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
