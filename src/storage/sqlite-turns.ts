// Transactions for own code on a SQLite file: one at a time, each as long as its code takes, while other writes wait.
import { type Refusal, refusal } from "../base/problem.ts"
import { tooSlow } from "./faults.ts"
import { serialSession } from "./serial-session.ts"
import type { SessionAsk } from "./sqlite-session.ts"
import type { SessionReply } from "./sqlite-writer-thread.ts"
import type { Outcome, Ran, TransactOptions, Use } from "./work.ts"

type Told = Exclude<SessionReply["told"], { readonly kind: "fault" }>

/** Asks the thread; rejects with what it reports, or when it has ended. */
export type AskThread = (asked: SessionAsk) => Promise<Told>

export class SqliteTurns {
  /** Ends with the last of those that wait. */
  #last: Promise<void> = Promise.resolve()

  /** First come, first served. @param hold what is written meanwhile waits until it is called with false */
  async take(
    ask: AskThread,
    hold: (held: boolean) => void,
    use: Use,
    options: TransactOptions,
  ): Promise<Outcome> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    try {
      if (Date.now() > options.until) throw tooSlow()
      hold(true)
      return await transact(ask, use, options)
    } finally {
      hold(false)
      resolve()
    }
  }

  /** When nobody has a turn, or waits for one. */
  async ended(): Promise<void> {
    await this.#last
  }
}

async function transact(ask: AskThread, use: Use, { until, once }: TransactOptions): Promise<Outcome> {
  const given = once && { once }
  const begun = await ask({ session: "begin", ...given })
  if (begun.kind === "replayed" || begun.kind === "mismatch") return begun
  if (begun.kind !== "begun") throw tooSlow()
  const session = serialSession({
    async run(work): Promise<Ran> {
      const told = await ask({ session: "run", work, until })
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

/** Whatever own code makes of it: nothing of the transaction is there any more. */
const endedByRule = (): Refusal =>
  refusal("rule_violated", "A rule of the database has ended everything that was to be done.", {
    hint: "Nothing was changed.",
  })
