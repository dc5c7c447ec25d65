// Live answers: the answer to a read, then what changes in it (JSON Patch, RFC 6902), each time that something was written.
import { setTimeout as sleep } from "node:timers/promises"
import { createPatch, type Operation } from "rfc6902"
import type { JsonText } from "../base/json.ts"
import { noteReads } from "../base/reads.ts"
import type { Written } from "./changes.ts"

export type LiveItem =
  | Answered
  | { readonly kind: "patch"; readonly patch: readonly Operation[] }
  /** The answer cannot be given any more. */
  | { readonly kind: "refused"; readonly text: JsonText }

export type Asked =
  | Answered
  | { readonly kind: "refused"; readonly text: JsonText }
  /** Neither is known: it is asked again. */
  | { readonly kind: "later" }

/** The whole answer, as it came. */
interface Answered {
  readonly kind: "answer"
  readonly text: JsonText
  /** Nothing is told of what changed since it, or before it. */
  readonly isWhole?: true
}

export interface LiveOptions {
  readonly ask: () => Promise<Asked>
  readonly writes: AsyncIterable<Written>
  /** Milliseconds between two answers, at the least. */
  readonly interval: number
  readonly signal: AbortSignal
}

/** Milliseconds after which an answer that could not be had is asked for again. */
const retry = 2_000

/** @param first what was answered already, after `writes` began */
export async function* liveItems(
  first: Asked,
  { ask, writes, interval, signal }: LiveOptions,
): AsyncGenerator<LiveItem, void> {
  if (first.kind === "later") return
  yield first
  if (first.kind === "refused") return
  let last = parsed(first)
  let at = performance.now()
  for await (const { catchUp } of writes) {
    await pause(at + interval - performance.now(), signal)
    for (;;) {
      if (signal.aborted) return
      await catchUp()
      at = performance.now()
      const asked = await ask()
      if (asked.kind === "refused") {
        yield asked
        return
      }
      if (asked.kind === "answer") {
        const now = parsed(asked)
        if (!last.isExact || !now.isExact) yield asked
        else {
          const patch = createPatch(last.value, now.value)
          if (patch.length > 0) yield { kind: "patch", patch }
        }
        last = now
        break
      }
      await pause(Math.max(retry, interval), signal)
    }
  }
}

/** Resources that the answers so far were read from. */
export interface Sources {
  /** Makes an answer, and learns what it is read from. */
  reading<Result>(answer: () => Result): Result
  /** Whether a write to the resource may change the answer. */
  concerns(resource: string): boolean
}

export function createSources(): Sources {
  const known = new Set<string>()
  let isAny = false
  return {
    reading: (answer) =>
      noteReads((reads) => {
        if (!reads) isAny = true
        for (const resource of reads ?? []) known.add(resource)
      }, answer),
    concerns: (resource) => isAny || known.has(resource),
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})
}

interface Parsed {
  readonly value: unknown
  /** No number in it has more digits than JavaScript keeps. */
  readonly isExact: boolean
}

function parsed({ text, isWhole }: Answered): Parsed {
  let isExact = !isWhole
  const value: unknown = JSON.parse(text, (_key, part, context?: { readonly source?: string }) => {
    if (typeof part === "number" && !isSafe(part, context?.source)) isExact = false
    return part
  })
  return { value, isExact }
}

const isSafe = (value: number, source: string | undefined): boolean =>
  source === undefined || source.length < 16 || String(value) === source
