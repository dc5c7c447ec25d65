// Options that several commands take, read once from their text.
import { InvalidArgumentError } from "commander"

export function wholeNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Give a whole number.")
}

export function atLeastOne(text: string): number {
  const number = wholeNumber(text)
  if (number > 0) return number
  throw new InvalidArgumentError("Give a whole number above 0.")
}

/** Collects an option given several times. */
export const several = (text: string, before: readonly string[]): readonly string[] => [...before, text]

const hour = 3_600_000
const units: Readonly<Record<string, number>> = {
  h: hour,
  d: 24 * hour,
  w: 7 * 24 * hour,
  y: 365 * 24 * hour,
}

/** Milliseconds from `90d`. */
export function lifetime(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([hdwy])$/.exec(text) ?? []
  const time = Number(count) * (units[unit ?? ""] ?? Number.NaN)
  if (time <= 100 * 365 * 24 * hour) return time
  throw new InvalidArgumentError("Give a time such as 12h, 90d, 8w or 1y; a century at the most.")
}

/** RFC 3339, full-date. */
export function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))) return text
  throw new InvalidArgumentError("Give a date such as 2027-06-01.")
}
