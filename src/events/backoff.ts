// How long an event that failed waits before it is tried again.

/** Milliseconds. */
const first = 1_000
const longest = 3_600_000

export const longestPause = 1.2 * longest

/**
 * Milliseconds: twice as long each time, and a fifth more or less, so that what failed together is not tried together.
 * @param attempts how often it has been tried, from 1 on
 * @param chance from 0 to 1
 */
export const pauseAfter = (attempts: number, chance: number): number =>
  Math.round(Math.min(first * 2 ** (attempts - 1), longest) * (0.8 + 0.4 * chance))
