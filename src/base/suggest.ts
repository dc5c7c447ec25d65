// "Did you mean …?" for names a person may have mistyped.
import { distance } from "fastest-levenshtein"

/** A hint that names up to three near candidates, or all of them when they are few, or nothing. */
export function suggest(given: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates]
  const near = all
    .map((candidate) => ({ candidate, steps: stepsBetween(given, candidate) }))
    .filter(({ candidate, steps }) => steps <= mostSteps(given, candidate))
    .sort((a, b) => a.steps - b.steps)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
  if (near.length > 0) return didYouMean(near)
  const related = all.filter((candidate) => holds(given, candidate)).slice(0, 3)
  if (related.length > 0) return didYouMean(related)
  return all.length > 0 && all.length <= 12 ? `Known here: ${all.join(", ")}.` : undefined
}

/** Whether one name has each word of the other, in any order: `roomCreate` and `createRoom`, `maxLength` and `max`. */
function holds(given: string, candidate: string): boolean {
  const words = wordsOf(given)
  const wanted = wordsOf(candidate)
  return wanted.length > 0 && wanted.every((word) => words.includes(word))
}

const wordsOf = (name: string): readonly string[] =>
  name
    .split(/[^\p{L}\p{N}]+|(?=\p{Lu})/u)
    .filter(Boolean)
    .map((word) => word.toLowerCase())

/** Letters that may differ. */
const mostSteps = (one: string, other: string): number =>
  Math.max(1, Math.floor(Math.max(one.length, other.length) * 0.4))

export const isNear = (one: string, other: string): boolean =>
  stepsBetween(one, other) <= mostSteps(one, other)

/** A swap of two adjacent letters is one step; upper and lower case are the same. */
function stepsBetween(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  const steps = distance(a, b)
  if (steps !== 2 || a.length !== b.length) return steps
  const at = a.split("").findIndex((letter, index) => letter !== b[index])
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) ? 1 : steps
}

export const didYouMean = (names: readonly string[]): string => `Did you mean ${listed(names)}?`

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`)
  const last = quoted.pop() ?? ""
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`
}
