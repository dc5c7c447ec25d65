// Live answers: the answer to a read, then its changes (JSON Patch, RFC 6902) after each write.
import { hash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { createPatch, type Operation } from "rfc6902"
import type { JsonText } from "../base/json.ts"
import { type Request, startRequest } from "../base/request.ts"
import type { Awaited } from "./changes.ts"

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
  /** Sent whole: no patch leads to this answer, or from it. */
  readonly isWhole?: true
}

export interface LiveOptions {
  readonly ask: () => Promise<Asked>
  readonly awaited: Awaited
  /** Milliseconds between two answers, at the least. */
  readonly interval: number
  readonly signal: AbortSignal
  readonly encode: (item: LiveItem) => string
}

/** Milliseconds after which an answer that could not be had is asked for again. */
const retry = 2_000

/** Each item as a frame. @param first the answer that was read after `awaited` began */
export function liveFrames(first: Asked, options: LiveOptions): AsyncGenerator<string, void> {
  return framesOf(new LastAnswer(options.awaited.keep, first), options)
}

/** A generator would keep its arguments for as long as it lasts: the first answer is taken out of `last`. */
async function* framesOf(
  last: LastAnswer,
  { ask, awaited: { writes, frame }, interval, signal, encode }: LiveOptions,
): AsyncGenerator<string, void> {
  let at = performance.now()
  let told: Asked["kind"] = "later"
  const isTold = (kind: Asked["kind"]): boolean => told === kind
  const tell = (asked: Asked): string => {
    told = asked.kind
    const item = last.next(asked)
    return item ? encode(item) : ""
  }
  try {
    yield* frame(() => tell(last.first()), last.size)
    if (!isTold("answer")) return
    for await (const { catchUp } of writes) {
      await pause(at + interval - performance.now(), signal)
      for (;;) {
        if (signal.aborted) return
        yield* frame(async () => {
          await catchUp()
          at = performance.now()
          return tell(await ask())
        }, last.size)
        if (isTold("refused")) return
        if (isTold("answer")) break
        await pause(Math.max(retry, interval), signal)
      }
    }
  } finally {
    last.release()
  }
}

const sizeOf = ({ text }: Pick<Answered, "text">): number => Buffer.byteLength(text)

/** The last answer is kept while there is room for it. Without it, a change is sent as the whole answer. */
class LastAnswer {
  readonly #keep: Awaited["keep"]
  #first: Asked | undefined
  #known: Answered | undefined
  #digest = ""
  #release: (() => void) | undefined
  /** Bytes of the answer, kept or not. */
  size: number

  constructor(keep: Awaited["keep"], first: Asked) {
    this.#keep = keep
    this.#first = first
    this.size = first.kind === "later" ? 0 : sizeOf(first)
  }

  first(): Asked {
    const first = this.#first
    this.#first = undefined
    return first ?? { kind: "later" }
  }

  /** Undefined for an unchanged answer. */
  next(asked: Asked): LiveItem | undefined {
    if (asked.kind === "refused") return asked
    if (asked.kind === "later") return undefined
    const known = this.#known
    if (known ? known.text === asked.text : this.#digest === digestOf(asked)) return undefined
    this.#replace(asked)
    const patch = known && patchOf(known, asked)
    if (!patch) return asked
    return patch.length > 0 ? { kind: "patch", patch } : undefined
  }

  #replace(answer: Answered): void {
    this.release()
    this.size = sizeOf(answer)
    this.#release = this.#keep(this.size)
    this.#known = this.#release && answer
    this.#digest = this.#known ? "" : digestOf(answer)
  }

  release(): void {
    this.#release?.()
    this.#release = undefined
  }
}

const digestOf = ({ text }: Answered): string => hash("sha256", text, "base64url")

/** Undefined where the answers cannot be compared. */
function patchOf(one: Answered, other: Answered): readonly Operation[] | undefined {
  const [before, now] = [parsed(one), parsed(other)]
  return before.isExact && now.isExact ? createPatch(before.value, now.value) : undefined
}

/** Resources that the answers so far were read from. */
export interface Sources {
  /** The request for an answer, which learns its sources. */
  noted(request: Request | undefined): Request
  /** Whether a write to the resource may change the answer. */
  concerns(resource: string): boolean
}

export function createSources(): Sources {
  const known = new Set<string>()
  let isAny = false
  return {
    noted: (request = startRequest("")) => ({
      ...request,
      note(reads) {
        if (!reads) isAny = true
        for (const resource of reads ?? []) known.add(resource)
      },
    }),
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
