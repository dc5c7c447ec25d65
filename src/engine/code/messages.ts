// Messages between the main thread and a thread of user code: calls, their database requests and results.
// Errors are data, since a structured clone keeps neither classes nor identity.

import { type Problem, Refusal } from "../../base/problem.ts"
import { thrownMessage } from "../../base/thrown.ts"

/** From the service's code on: `["actions", "order", "applyCoupon", "run"]`. */
export type CodePath = readonly (string | number)[]

export type ToThread =
  | {
      readonly kind: "call"
      readonly call: number
      /** The slot of the mark by which the thread claims the call (`marks`). */
      readonly slot: number
      readonly path: CodePath
      /** The last one is the context, without members that cannot be sent. */
      readonly given: readonly unknown[]
      readonly hasDb: boolean
      readonly emits: boolean
      /** Resources and methods of `db`, when the thread does not know them. */
      readonly db?: DbShape
      /** Milliseconds after which work that the code has begun may still fail the call. */
      readonly settle: number
      /** The `traceparent` of the call. */
      readonly trace?: string
    }
  | { readonly kind: "answered"; readonly call: number; readonly ask: number; readonly given: unknown }
  | { readonly kind: "refused"; readonly call: number; readonly ask: number; readonly error: SentError }
  | { readonly kind: "abort"; readonly call: number; readonly reason: SentError }
  | { readonly kind: "ping" }
  /** No more calls: the thread ends as soon as it has no work left. */
  | { readonly kind: "end" }

export type FromThread =
  | { readonly kind: "ready" }
  /** The service file cannot be run in it. */
  | { readonly kind: "unready"; readonly error: SentError }
  | ({ readonly kind: "asked"; readonly call: number; readonly ask: number } & DbCall)
  | {
      readonly kind: "gave"
      readonly call: number
      readonly given: unknown
      /** By their positions in the given list. */
      readonly errors?: ReadonlyMap<number, SentError>
    }
  | { readonly kind: "threw"; readonly call: number; readonly error: SentError }
  | { readonly kind: "aborted"; readonly call: number }
  /** A call that was taken back before it began: its slot is free. */
  | { readonly kind: "passed"; readonly slot: number }
  /** An uncaught error. @param call the call that threw it, if any */
  | { readonly kind: "crashed"; readonly call: number | undefined; readonly error: SentError }
  /** The code ended the thread. Last message. */
  | { readonly kind: "exited"; readonly call: number | undefined; readonly code: number }
  | { readonly kind: "pong" }

export interface DbCall {
  readonly resource: string
  readonly method: string
  readonly given: readonly unknown[]
  /** The attempt that it is a part of. */
  readonly attempt?: number
}

/** An attempt begins, and ends: its number, and whether its changes stay. */
export const attempting = { resource: "", begin: "attempt", end: "settle" } as const

/** A call of `emit` is asked for as one of `db` is; no resource has this name. */
export const emitting = { resource: "", method: "emit" } as const

export interface DbShape {
  readonly resources: readonly string[]
  readonly methods: readonly string[]
  /** Whether parts of the transaction can be attempted. */
  readonly attempts: boolean
}

/** Data that a thread is started with. */
export interface ThreadData {
  readonly file: string
  /** `Int32Array`: the call that runs now, then one mark for each slot. */
  readonly marks: SharedArrayBuffer
}

/** States of a call, as its slot's mark. */
export const marked = { sent: 1, begun: 2, withdrawn: 3 } as const
/** The mark that names the call that runs now, 0 where none is known. */
export const current = 0
/** Calls that a thread can have at a time. */
export const mostCalls = 2_000

export type SentError =
  | {
      readonly kind: "error"
      readonly name: string
      readonly message: string
      readonly stack: string | undefined
      readonly members: Readonly<Record<string, unknown>>
      /** For a Refusal. */
      readonly problems?: readonly [Problem, ...Problem[]]
      readonly cause?: SentError
    }
  /** The exact error with which `db` refused this request of the call. */
  | { readonly kind: "refusal"; readonly ask: number }
  | { readonly kind: "value"; readonly value: unknown }

/** Errors that cause errors. */
const deepest = 8

export function packError(thrown: unknown, depth = 0): SentError {
  if (!(thrown instanceof Error))
    return { kind: "value", value: isSendable(thrown) ? thrown : thrownMessage(thrown) }
  const { name, message, stack, cause } = thrown
  const own = Object.entries(thrown).filter(
    ([member, value]) =>
      !["name", "message", "stack", "cause", "problems"].includes(member) && isSendable(value),
  )
  return {
    kind: "error",
    name: String(name),
    message: String(message),
    stack: stack === undefined ? undefined : String(stack),
    members: Object.fromEntries(own),
    ...(thrown instanceof Refusal && isSendable(thrown.problems) && { problems: thrown.problems }),
    ...(cause !== undefined && depth < deepest && { cause: packError(cause, depth + 1) }),
  }
}

/** @param refused errors with which `db` refused requests, by ask */
export function unpackError(sent: SentError, refused?: ReadonlyMap<number, unknown>): unknown {
  if (sent.kind === "value") return sent.value
  if (sent.kind === "refusal") return refused?.get(sent.ask)
  const { name, message, stack, members, problems } = sent
  const options = sent.cause && { cause: unpackError(sent.cause, refused) }
  const error = problems ? new Refusal(problems, options) : new Error(message, options)
  const hidden = { enumerable: false, configurable: true, writable: true }
  if (!problems) Object.defineProperty(error, "name", { ...hidden, value: name })
  return Object.assign(Object.defineProperty(error, "stack", { ...hidden, value: stack }), members)
}

function isSendable(value: unknown): boolean {
  if (typeof value !== "object" || value === null)
    return typeof value !== "function" && typeof value !== "symbol"
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}
