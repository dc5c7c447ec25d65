// Options that several commands take, read once from their text.
import { InvalidArgumentError } from "commander"
import { readDuration } from "../model/log.ts"

function wholeNumber(text: string): number {
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

/** Milliseconds. */
export function lifetime(text: string): number | "never" {
  const time = text === "never" ? text : readDuration(text)
  if (time !== undefined) return time
  throw new InvalidArgumentError(
    'Give a time such as 12h, 90d, "90 days" or 1y, a century at the most, or never.',
  )
}

/** RFC 3339, full-date. */
export function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))) return text
  throw new InvalidArgumentError("Give a date such as 2027-06-01.")
}
