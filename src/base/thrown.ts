// Prints a value thrown by user code, which need not be an error, in one line of bounded length.
import { inspect } from "node:util"

/** Characters. */
const longest = 1_000

/** The message of an error; any other value as `node:util` shows it. */
export const thrownMessage = (thrown: unknown): string =>
  cut(thrown instanceof Error ? String(thrown.message) : valueText(thrown))

/** An error with the places from which it came; its message may have several lines. */
export function thrownTrace(thrown: unknown): string {
  if (!(thrown instanceof Error)) return thrownMessage(thrown)
  const text = String(thrown.stack ?? thrown.message)
  const places = text.search(/\n +at /)
  return places < 0 ? cut(text) : `${cut(text.slice(0, places))}${text.slice(places)}`
}

/** No code of the value's own is run. */
const valueText = (value: unknown): string =>
  typeof value === "string"
    ? value
    : inspect(value, {
        breakLength: Number.POSITIVE_INFINITY,
        compact: true,
        customInspect: false,
        maxStringLength: longest,
      }).replaceAll(/\s*\n\s*/g, " ")

const cut = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
