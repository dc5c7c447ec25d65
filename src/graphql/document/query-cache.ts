// A cache of recent queries by the text of the request's body. A repeated query, as from clients that watch a list,
// is not read and planned anew. For an actor's model, a plan follows from the text alone.
import type { RequestCache } from "../../base/caches.ts"
import type { ReadPlan } from "../../plan/read-plan.ts"
import type { Operation } from "./operation.ts"
import type { Output } from "./planned-operation.ts"
import type { Sent } from "./request.ts"
import type { VariableRequest } from "./variables.ts"

/** The cache entry of an operation when its answer comes. */
export interface Executable {
  readonly operation: Operation
  readonly asked: VariableRequest
  readonly outputs: readonly Output[]
  /** The text's own document, where this one is shared: it has the locations of errors. */
  readonly own?: () => Executable
}

export interface Query extends Executable {
  readonly plan: ReadPlan
}

export interface Queries {
  find(sent: Sent): Query | undefined
  /** Keeps the query unless it is the first time that it is asked. */
  keep(sent: Sent, query: Query): void
}

/** Bytes, as if no other query had the same document and plan, which are kept with it: so many, and so many for each character. */
const leastWeight = 2_000
const bytesPerCharacter = 120

export function createQueries(cache: RequestCache): Queries {
  const known = cache.open<string, Query>()
  return {
    find: (sent) => (sent.kind === "json" ? known.get(sent.text) : undefined),
    keep(sent, query) {
      if (sent.kind === "json" && cache.seen(sent.text))
        known.set(
          sent.text,
          { ...query, plan: { ...query.plan, kept: {} } },
          leastWeight + bytesPerCharacter * sent.text.length,
        )
    },
  }
}
