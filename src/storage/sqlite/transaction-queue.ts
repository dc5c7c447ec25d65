// Transactions for user code on a SQLite file: one at a time, each as long as its code takes, while other writes wait.

import { currentAsker } from "../../base/asker.ts"
import { elapsed } from "../../base/clock.ts"
import { type Refusal, refusal } from "../../base/problem.ts"
import { overloaded, tooSlow } from "../faults.ts"
import { serialSession } from "../serial-session.ts"
import type { Outcome, Ran, TransactOptions, Use } from "../write-request.ts"
import type { SessionRequest } from "./session.ts"
import type { SessionReply } from "./writer-thread.ts"

type Told = Exclude<SessionReply["told"], { readonly kind: "fault" }>

/** Asks the thread; rejects with what it reports, or when it has ended. */
export type SendToThread = (asked: SessionRequest) => Promise<Told>

interface Turn extends TransactOptions {
  /** As of `elapsed()`: when it must have begun. */
  readonly until: number
}

export class TransactionQueue {
  /** By client, in the order in which each had its last turn: who has waited longest for one comes next. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #busy = false
  #ended: PromiseWithResolvers<void> | undefined

  /**
   * Clients take turns, however many each of them waits for: one whose code is slow holds up its own. Each client's are in the
   * order in which they came.
   * @param hold what is written meanwhile waits until it is called with false
   */
  async take(ask: SendToThread, hold: (held: boolean) => void, use: Use, options: Turn): Promise<Outcome> {
    await this.#turn(currentAsker()?.client ?? "", options.until)
    try {
      if (elapsed() > options.until) throw tooSlow()
      hold(true)
      return await transact(ask, use, options)
    } finally {
      hold(false)
      this.#next()
    }
  }

  get isBusy(): boolean {
    return this.#busy
  }

  /** Transactions that wait for their turn. */
  get waiting(): number {
    let count = 0
    for (const { length } of this.#waiting.values()) count += length
    return count
  }

  /** When nobody has a turn, or waits for one. */
  async ended(): Promise<void> {
    if (!this.#busy) return
    this.#ended ??= Promise.withResolvers()
    await this.#ended.promise
  }

  async #turn(client: string, until: number): Promise<void> {
    if (!this.#busy) {
      this.#busy = true
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = this.#waiting.get(client) ?? []
    waiting.push(resolve)
    this.#waiting.set(client, waiting)
    // Nothing has begun: it is told so, and not that its code was slow.
    const late = setTimeout(
      () => {
        const at = waiting.indexOf(resolve)
        if (at >= 0) waiting.splice(at, 1)
        reject(overloaded())
      },
      Math.max(0, until - elapsed()),
    )
    await promise.finally(() => clearTimeout(late))
  }

  #next(): void {
    for (const [client, waiting] of this.#waiting) {
      const next = waiting.shift()
      this.#waiting.delete(client)
      if (waiting.length > 0) this.#waiting.set(client, waiting)
      if (!next) continue
      next()
      return
    }
    this.#busy = false
    this.#ended?.resolve()
    this.#ended = undefined
  }
}

async function transact(ask: SendToThread, use: Use, { until, lasts, once }: Turn): Promise<Outcome> {
  const given = once && { once }
  const begun = await ask({ session: "begin", until, ...given })
  if (begun.kind === "replayed" || begun.kind === "mismatch") return begun
  if (begun.kind !== "begun") throw tooSlow()
  const end = elapsed() + lasts
  const session = serialSession({
    async run(work): Promise<Ran> {
      const told = await ask({ session: "run", work, until: end })
      if (told.kind === "ran" || told.kind === "refused" || told.kind === "violated") return told
      throw told.kind === "gone" ? endedByRule() : tooSlow()
    },
    async mark(mark, depth) {
      const told = await ask({ session: "mark", mark, depth })
      if (told.kind === "gone") throw endedByRule()
    },
  })
  try {
    const row = await session.used(use)
    const told = await ask({ session: "commit", row, ...given })
    if (told.kind === "done" || told.kind === "violated") return told
    throw told.kind === "gone" ? endedByRule() : tooSlow()
  } catch (fault) {
    await ask({ session: "rollback" }).catch(() => {}) // with the thread the transaction has ended
    throw fault
  }
}

/** Whatever user code makes of it: nothing of the transaction is there any more. */
const endedByRule = (): Refusal =>
  refusal("rule_violated", "A rule of the database has ended everything that was to be done.", {
    hint: "Nothing was changed.",
  })
