// A database that has drifted from its service while that is served: when it is seen that something is missing, what there
// is is looked at again, once for all that wait for it, and what was asked is asked once more.
import { Refusal } from "../base/problem.ts"

export interface Drift {
  /** Whether other resources are hurt than when it was looked at before. */
  look(): Promise<boolean>
}

export interface DriftWatch {
  /** How often other resources have been hurt than before. */
  readonly changes: number
  /**
   * What becomes of a request that has failed.
   * @param changes as they were when it began
   * @param ask asks it a second time, where other resources are hurt than was known then
   */
  again<Answer>(fault: unknown, changes: number, ask: () => Promise<Answer>): Promise<Answer>
  /** Looks without being waited for, where the last look is some seconds old: for who asks only how the service is. */
  refresh(): void
}

/** Milliseconds from one look to the next. */
const pause = 1_000
/** Milliseconds after which a look is old. */
const old = 5_000

/** @param forget what was compiled before is of no use */
export function createDriftWatch(drift: Drift, forget: () => void): DriftWatch {
  let last = Number.NEGATIVE_INFINITY
  let changes = 0
  let looking: Promise<void> | undefined
  const lookNow = async (): Promise<void> => {
    const wait = last + pause - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    last = performance.now()
    // Where it cannot be looked at, what was said first stands.
    const changed = await drift.look().catch(() => false)
    if (!changed) return
    changes += 1
    forget()
  }
  const look = (): Promise<void> => {
    looking ??= lookNow().finally(() => {
      looking = undefined
    })
    return looking
  }
  return {
    get changes() {
      return changes
    },
    refresh() {
      if (performance.now() - last > old) void look()
    },
    async again(fault, before, ask) {
      const seen = seenIn(fault)
      if (seen === undefined) throw fault
      const underWay = looking !== undefined
      // Of what is known to be hurt it is asked now and then whether it has been mended.
      const isDue = seen === "new" || performance.now() - last > pause
      if (changes === before && isDue) await look()
      // A look that was under way may have begun before what was seen.
      if (changes === before && seen === "new" && underWay) await look()
      if (changes === before) throw fault
      return ask()
    },
  }
}

function seenIn(fault: unknown): "new" | "known" | undefined {
  if (!(fault instanceof Refusal)) return undefined
  if (fault.problems.some(({ code }) => code === "database_mismatch")) return "new"
  return fault.problems.some(({ code }) => code === "resource_unavailable") ? "known" : undefined
}
