// Schema drift while serving: a statement that misses a table or column has the catalog read again, once for all waiting
// requests. The request is then repeated once.
import { Refusal } from "../base/problem.ts"

export interface Drift {
  /** Reads the catalog. Resolves to whether other resources are affected than before. */
  look(): Promise<boolean>
  /** Whether the database had all that the model needs when the catalog was last read; absent where a part of it will do. */
  readonly isWhole?: () => boolean
}

/** For work that is begun only on a database that has all that the model needs. */
export interface SchemaWatch {
  /** When the catalog was last read. */
  isWhole(): boolean
  /** Reads the catalog as it is from now on. Rejects where it cannot be read. */
  look(): Promise<void>
  /** Reads the catalog in the background if the last reading is some seconds old. */
  refresh(): void
}

export interface DriftWatch {
  /** Number of times that the affected resources changed. */
  readonly changes: number
  /**
   * Handles a failed request.
   * @param changes as they were when it began
   * @param ask repeats the request, if the affected resources changed since it began
   */
  again<Answer>(fault: unknown, changes: number, ask: () => Promise<Answer>): Promise<Answer>
  /** Reads the catalog in the background if the last reading is some seconds old: for health checks. */
  refresh(): void
  /** Reads the catalog as it is from now on. Rejects where it cannot be read. */
  look(): Promise<void>
}

/** Milliseconds from one look to the next. */
const pause = 1_000
/** Milliseconds after which a look is old. */
const old = 5_000

/** @param forget drops compiled statements */
export function createDriftWatch(drift: Drift, forget: () => void): DriftWatch {
  let last = Number.NEGATIVE_INFINITY
  let changes = 0
  let looking: Promise<void> | undefined
  const lookNow = async (): Promise<void> => {
    const wait = last + pause - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    last = performance.now()
    if (!(await drift.look())) return
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
      if (performance.now() - last > old) look().catch(() => {})
    },
    async look() {
      // A look under way may have begun before.
      await looking?.catch(() => {})
      await look()
    },
    async again(fault, before, ask) {
      const seen = seenIn(fault)
      if (seen === undefined) throw fault
      const underWay = looking !== undefined
      // Affected resources are checked from time to time, as they may have been repaired.
      const isDue = seen === "new" || performance.now() - last > pause
      // If the catalog cannot be read, the first fault stands.
      if (changes === before && isDue) await look().catch(() => {})
      // A reading that was under way may have begun before the fault.
      if (changes === before && seen === "new" && underWay) await look().catch(() => {})
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
