// Hints for names that do not exist, bounded: any client may send a name, of any length.
import { didYouMean, suggest } from "../base/suggest.ts"
import { camelCase, kebabCase, singularise } from "../model/names.ts"

/** Longer names are no slips of the finger, and comparing them would take its time. */
const longestName = 64

export function hintFor(given: string, known: Iterable<string>): string | undefined {
  return given.length > longestName ? undefined : suggest(given, known)
}

/** The same for a path: its words come before its letters, in whatever casing and number they are. */
export function hintForPath(given: string, known: readonly string[]): string | undefined {
  if (given.length > longestName) return undefined
  const wanted = wordsOf(given)
  const same = known.filter((path) => wordsOf(path).join("") === wanted.join(""))
  if (same.length > 0) return didYouMean(same)
  const hint = suggest(given, known)
  if (hint?.startsWith("Did")) return hint
  const within = known.filter((path) => {
    const words = wordsOf(path)
    return wanted.length > 0 && (isWithin(wanted, words) || (words.length > 0 && isWithin(words, wanted)))
  })
  return within.length > 0 ? didYouMean(within.slice(0, 3)) : hint
}

const isWithin = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((word) => all.includes(word))

/** In the singular and in lower case, without the `list` that distinguishes a list from a record of the same name. */
const wordsOf = (path: string): readonly string[] => {
  const words = kebabCase(singularise(camelCase(path)))
    .split("-")
    .filter(Boolean)
  const bare = words.length > 1 && words.at(-1) === "list" ? words.slice(0, -1) : words
  return bare.map(singularise)
}

/** `eq, ne and in` */
export function listed(names: readonly string[], word: "and" | "or"): string {
  const [last, ...rest] = [...names].reverse()
  return rest.length === 0 ? (last ?? "") : `${rest.reverse().join(", ")} ${word} ${last}`
}
