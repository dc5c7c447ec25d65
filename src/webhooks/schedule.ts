// When a delivery that failed is tried again: sooner at first, for three days in all.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds after each failure. */
const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  ...[1, 2, 4, 8, 12, 12, 12, 12, 8].map((hours) => hours * hour),
]
/** An endpoint may ask for so much at the most. */
const longest = 24 * hour

export const longestPause = Math.max(longest, ...pauses.map((pause) => 1.2 * pause))

/**
 * After this time of failures alone an endpoint is disabled; and so many attempts of one event, which take half a day: before
 * a start the calendar may have been set forward.
 */
export const disabledAfter = { time: 72 * hour, attempts: 10 } as const

/**
 * Milliseconds; undefined where it is given up.
 * @param attempts how often it has been tried, from 1 on
 * @param retryAfter milliseconds that the endpoint asks for
 * @param chance from 0 to 1
 */
export function pauseAfterAttempt(
  attempts: number,
  retryAfter: number | undefined,
  chance: number,
): number | undefined {
  const pause = pauses[attempts - 1]
  if (pause === undefined) return undefined
  return Math.max(Math.round(pause * (0.8 + 0.4 * chance)), Math.min(retryAfter ?? 0, longest))
}

/** Milliseconds of `Retry-After` (RFC 9110 section 10.2.3): seconds, or a moment. @param now milliseconds since 1970 */
export function readRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined
  const time = /^\d{1,9}$/.test(header) ? Number(header) * second : Date.parse(header) - now
  return Number.isFinite(time) && time > 0 ? time : undefined
}
