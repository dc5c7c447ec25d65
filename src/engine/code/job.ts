// One call of user code that a thread is given, and what it asks of the database while it runs.
import { thrownMessage } from "../../base/thrown.ts"
import type { CodePath, DbCall } from "./messages.ts"
import { CodeCrash, handleEnded } from "./user-code-error.ts"

/** A function of the service's code, by where it stands. */
export interface CodePlace {
  readonly path: CodePath
  /** What it is, in a word: `handler`. */
  readonly kind: string
  /** Of a handler: under which its position is kept. */
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
  readonly signal: AbortSignal
  /** What `db` has refused with, by ask. */
  readonly refused: Map<number, unknown>
  resolve(given: unknown): void
  reject(error: unknown): void
}

/** Through the handle of the call, so that rules and transactions are where they always are. */
export async function askDb({ db }: Pick<Job, "db">, { resource, method, given }: DbCall): Promise<unknown> {
  const asked = db && Object.hasOwn(db, resource) ? db[resource]?.[method] : undefined
  if (!asked) throw handleEnded()
  return asked(...given)
}

/** @param how in words, where no error has been thrown */
export function crashOf({ kind }: Pick<CodePlace, "kind">, thrown: unknown, how?: string): CodeCrash {
  const said =
    how ?? (thrown instanceof Error ? `${thrown.name}: ${thrownMessage(thrown)}` : thrownMessage(thrown))
  const crash = new CodeCrash(`The ${kind} ended its thread: ${said}`, { cause: thrown })
  // Where it was thrown is what helps to mend it, and nothing of Bifold's own.
  const from = thrown instanceof Error ? (thrown.stack ?? "").split("\n").filter(isFrame) : []
  crash.stack = [`${crash.name}: ${crash.message}`, ...from].join("\n")
  return crash
}

const isFrame = (line: string): boolean => /^\s+at /.test(line)
