// Statements that held the process although their cost said prompt: their like goes to a reader thread from then on.
// Time on the wall is cheap to read, but includes the work of others. This thread's processor time is exact but costly,
// so only statements that took long before are measured by it.

export interface SlowStatements {
  has(text: string): boolean
  /** Runs it, and takes note when it held the process for too long. */
  timed<Result>(text: string, run: () => Result): Result
}

export interface Clock {
  /** Milliseconds on the wall. */
  now(): number
  /** Milliseconds that this thread has worked. */
  worked(): number
}

/** Milliseconds that a prompt statement may hold the process: some ten times what 5,000 rows take. */
const longest = 25
/** Milliseconds after which a statement is slow at once. */
const tooLong = 250
/** Times that a statement is watched after it took long once; if it never does again, other work was the cause. */
const trial = 100
/** Milliseconds after which it is tried again, as there may be an index now. */
const remembered = 600_000
/** Texts that are kept in mind; the oldest go. */
const most = 500

type Known =
  | { readonly kind: "suspect"; readonly left: number }
  | { readonly kind: "slow"; readonly until: number }

export function createSlowStatements(clock: Clock = threadClock): SlowStatements {
  const known = new Map<string, Known>()
  const note = (text: string, state: Known): void => {
    known.delete(text)
    known.set(text, state)
    for (const oldest of known.keys()) {
      if (known.size <= most) break
      known.delete(oldest)
    }
  }
  const suspected = <Result>(text: string, left: number, run: () => Result): Result => {
    const began = clock.worked()
    try {
      return run()
    } finally {
      if (clock.worked() - began > longest) note(text, { kind: "slow", until: clock.now() + remembered })
      else if (left > 1) note(text, { kind: "suspect", left: left - 1 })
      else known.delete(text)
    }
  }
  return {
    has(text) {
      const state = known.get(text)
      if (state?.kind !== "slow") return false
      if (clock.now() < state.until) return true
      return !known.delete(text)
    },
    timed(text, run) {
      const state = known.get(text)
      if (state?.kind === "suspect") return suspected(text, state.left, run)
      const began = clock.now()
      try {
        return run()
      } finally {
        const took = clock.now() - began
        if (took > tooLong) note(text, { kind: "slow", until: clock.now() + remembered })
        else if (took > longest) note(text, { kind: "suspect", left: trial })
      }
    },
  }
}

const threadClock: Clock = {
  now: () => performance.now(),
  worked: () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  },
}
