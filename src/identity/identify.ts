// Who asks, told from a request's headers.
import type { Model } from "../model/model.ts"
import { type Actor, everybodyOf } from "../plan/actor.ts"

/** Names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** Throws, or rejects with, a Refusal `invalid_credentials` when there are credentials that are not accepted. */
export type Identify = (headers: RequestHeaders) => Actor | Promise<Actor>

/** Everybody is the same, in a service that is open to everybody (`openModel`). */
export function everybodyIn(model: Model): Identify {
  const actor = everybodyOf(model)
  return () => actor
}
