// Transactions for user code on a SQLite file: one at a time, each as long as its code takes, while other writes wait.

import { elapsed } from "../../base/clock.ts"
import { type Refusal, refusal } from "../../base/problem.ts"
import { Lanes } from "../fair-slots.ts"
import { tooLate, tooSlow } from "../faults.ts"
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

/** Transactions that may wait; more are refused. */
const mostWaiting = 10_000

export class TransactionQueue {
  readonly #lane = new Lanes({ lanes: 1, waiting: mostWaiting })

  /**
   * Clients take turns, however many calls each of them has: slow code holds up only its own client. Each client's
   * calls keep their order.
   * @param hold further writes wait until it is called with false
   */
  async take(ask: SendToThread, hold: (held: boolean) => void, use: Use, options: Turn): Promise<Outcome> {
    const { request, until } = options
    // The call of a client that is gone is done too, as other writes are.
    const leave = await this.#lane.take(request && { client: request.client }, until)
    try {
      if (elapsed() > until) throw tooLate()
      hold(true)
      return await transact(ask, use, options)
    } finally {
      hold(false)
      leave()
    }
  }

  get use(): Lanes["use"] {
    return this.#lane.use
  }

  /** When no transaction is under way or waits. */
  ended(): Promise<void> {
    return this.#lane.emptied()
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
