// What own code may do with its transaction: programs one after the other, none once it has ended, and nothing at all of it
// once one has failed in a way that is not about what was written.
import { overloaded } from "./faults.ts"
import type { Cells, Ran, Session, Use, Work } from "./work.ts"

export interface SerialSession {
  /** Rejects with a fault of the database's even where that was caught by whoever used it. Nothing is under way then. */
  used(use: Use): Promise<Cells>
}

export function serialSession(run: (work: Work) => Promise<Ran>): SerialSession {
  let last: Promise<unknown> = Promise.resolve()
  let ended = false
  let fault: { readonly of: unknown } | undefined
  const attempt = async (work: Work): Promise<Ran> => {
    if (fault) throw fault.of
    // What was waiting when it ended is not done any more.
    if (ended) throw overloaded()
    try {
      return await run(work)
    } catch (error) {
      // What ends too late to be heard of says nothing of why it ended.
      if (!ended) fault = { of: error }
      throw error
    }
  }
  const session: Session = {
    run(work) {
      const ran = last.then(() => attempt(work))
      last = ran.catch(() => {}) // whoever asked for it hears of it
      return ran
    },
  }
  return {
    async used(use) {
      const made = await use(session).then(
        (row) => ({ row }),
        (thrown: unknown) => ({ thrown }),
      )
      ended = true
      await last
      if (fault) throw fault.of
      if ("thrown" in made) throw made.thrown
      return made.row
    },
  }
}
