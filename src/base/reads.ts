// Which resources the plans of an answer read, for what has to know when to ask for it again.
import { AsyncLocalStorage } from "node:async_hooks"

/** Names of resources; undefined where the answer may depend on what no log tells of. */
export type Reads = ReadonlySet<string> | undefined

const noting = new AsyncLocalStorage<(reads: Reads) => void>()

/** Undefined where nobody wants to know. */
export const currentNote = (): ((reads: Reads) => void) | undefined => noting.getStore()

/** Tells of each plan that is read for the answer. */
export const noteReads = <Result>(note: (reads: Reads) => void, answer: () => Result): Result =>
  noting.run(note, answer)
