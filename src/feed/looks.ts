// Looks of followers at what was written: each takes some of the process, and thousands of them may want one after a write. A
// few run at a time, for a slice of a turn; then the process has three times as long for others, writers among them.
import { setTimeout as sleep } from "node:timers/promises"
import { FairQueue } from "../base/fair-queue.ts"

export interface Look<Result> {
  readonly result: Promise<Result>
}

export interface Looks {
  /** The look runs in the client's turn: clients take turns, however many looks each of them wants. */
  add<Result>(client: string, work: () => Promise<Result>): Look<Result>
  /** Another client waits for the look too, which runs in the turn that comes first. */
  join(client: string, look: Look<unknown>): void
  /** Looks that waited because their client has much to send may go on. */
  resume(): void
}

/** Looks that run at a time: where the database is another process, they wait for it together. */
const mostAtOnce = 16
/** Looks after a write that run without a rest: so many followers are no burden. */
const mostUnrested = 64
/** Milliseconds. */
const slice = 2
const longestRest = 100
/** A multiple of the time that a slice took. */
const restFactor = 3

interface Waiting extends Look<unknown> {
  begin: (() => Promise<void>) | undefined
}

/** @param mayLook false for a client that has much to send: its looks wait */
export function createLooks(mayLook: (client: string) => boolean = () => true): Looks {
  // A look that several wait for stands in the line of each.
  const waiting = new FairQueue<Waiting>()
  let running = false
  const next = (): Waiting | undefined => {
    const mayGo = (_: Waiting, client: string): boolean => mayLook(client)
    for (let one = waiting.shift(mayGo); one; one = waiting.shift(mayGo)) if (one.begin) return one
    return undefined
  }
  const someNext = (): readonly Promise<void>[] => {
    const begun: Promise<void>[] = []
    while (begun.length < mostAtOnce) {
      const one = next()
      if (!one?.begin) break
      const { begin } = one
      one.begin = undefined
      begun.push(begin())
    }
    return begun
  }
  const run = async (): Promise<void> => {
    if (running) return
    running = true
    // All that want to look in one turn are begun together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    try {
      let unrested = mostUnrested
      for (let since = performance.now(); ; ) {
        const begun = someNext()
        if (begun.length === 0) return
        await Promise.all(begun)
        unrested -= begun.length
        const taken = performance.now() - since
        if (taken < slice || unrested > 0) continue
        await sleep(Math.min(taken * restFactor, longestRest))
        since = performance.now()
      }
    } finally {
      running = false
    }
  }
  const join = (client: string, look: Waiting): void => {
    if (!look.begin) return
    waiting.push(client, look)
    void run()
  }
  return {
    resume: () => void run(),
    add<Result>(client: string, work: () => Promise<Result>) {
      const { promise: result, resolve, reject } = Promise.withResolvers<Result>()
      const look: Waiting & { readonly result: typeof result } = {
        result,
        begin: () => work().then(resolve, reject),
      }
      join(client, look)
      return look
    },
    join: (client, look) => join(client, look as Waiting),
  }
}
