// A clock for tests: it stands still until the test moves it.
import { refusal } from "../base/problem.ts"

export interface Clock {
  readonly now: Date
  /** @param moment a Date, or a text that `Date.parse` reads, such as `2026-11-21T12:00:00Z` */
  set(moment: Date | string): void
  /** Forward; back where it is less than nothing. */
  advance(span: Span): void
}

export interface Span {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

const inMilliseconds: Readonly<Record<keyof Span, number>> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
}
const units = Object.keys(inMilliseconds) as (keyof Span)[]

/** @param start the moment of the call when absent */
export function createClock(start?: Date | string): Clock {
  let moment = start === undefined ? Date.now() : readMoment(start)
  return {
    get now() {
      return new Date(moment)
    },
    set(next) {
      moment = readMoment(next)
    },
    advance(span) {
      moment = within(units.reduce((sum, unit) => sum + (span[unit] ?? 0) * inMilliseconds[unit], moment))
    },
  }
}

const readMoment = (given: Date | string): number => within(new Date(given).getTime())

/** Ids are made of the moment, from 1970 on (RFC 9562 section 5.7); a timestamp has four digits for the year. */
function within(moment: number): number {
  if (moment >= 0 && moment < Date.UTC(10_000, 0)) return Math.round(moment)
  throw refusal("invalid_value", "The clock of a test shows moments of the years 1970 to 9999.", {
    hint: "Give a Date, or a text such as 2026-11-21T12:00:00Z.",
  })
}
