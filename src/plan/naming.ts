// Hints for names that do not exist, bounded: a name may come from anybody and be of any length.
import { suggest } from "../base/suggest.ts"

/** Longer names are no slips of the finger, and comparing them would take its time. */
const longestName = 64

export function hintFor(given: string, known: Iterable<string>): string | undefined {
  return given.length > longestName ? undefined : suggest(given, known)
}

/** `eq, ne and in` */
export function listed(names: readonly string[], word: "and" | "or"): string {
  const [last, ...rest] = [...names].reverse()
  return rest.length === 0 ? (last ?? "") : `${rest.reverse().join(", ")} ${word} ${last}`
}
