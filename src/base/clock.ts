// The two clocks: a calendar that may be set back or forward, and one that only moves on. Durations and deadlines go by the
// second.

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds from some moment on. */
  readonly elapsed: () => number
}

/** `performance.now()` begins with its thread: this much before, the machine's monotonic clock began. */
const before = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Milliseconds from some moment on, the same in all threads of this process, so that threads can share deadlines. */
export const elapsed = (): number => before + performance.now()

/**
 * A calendar for values that are stored with the time of their end: setting the clock forward does not age them. Values
 * stored after the clock was set back are compared with the calendar itself.
 */
export function unhurried({ now, elapsed: passed }: Clock): () => number {
  const began = now() - passed()
  return () => Math.min(now(), began + passed())
}

/** @param given clocks of a test; one calendar alone serves as both */
export const clockOf = ({ now, elapsed: passed = now }: Partial<Clock>): Clock => ({
  now: now ?? Date.now,
  elapsed: passed ?? elapsed,
})
