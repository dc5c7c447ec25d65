// The two clocks: a calendar that people may set back, and one that only moves on. How long something has lasted, or lasts
// yet, is told by the second.

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds of this thread, from some moment on. */
  readonly elapsed: () => number
}

const monotonic = (): number => performance.now()

/** @param given clocks of a test; without another, its calendar tells both */
export const clockOf = ({ now, elapsed = now }: Partial<Clock>): Clock => ({
  now: now ?? Date.now,
  elapsed: elapsed ?? monotonic,
})
