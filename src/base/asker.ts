// The client of the request under way, and its start: known to all work for the request, without being handed on.
import { AsyncLocalStorage } from "node:async_hooks"

export interface Asker {
  /** The same for all requests of one credential's owner, or of one address without credentials. */
  readonly client: string
  /** When the whole request was there, as of `Date.now()`. */
  readonly since: number
}

const asking = new AsyncLocalStorage<Asker>()

/** Undefined for what no request has asked for. */
export const currentAsker = (): Asker | undefined => asking.getStore()

export const answering = <Result>(asker: Asker, answer: () => Result): Result => asking.run(asker, answer)
