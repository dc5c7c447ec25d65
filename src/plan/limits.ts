// How large one request may be: below what a database takes of one statement, and told before anything is asked of it.
import type { Place } from "../base/problem.ts"
import type { Draft } from "./draft.ts"

const requestLimits = {
  /** Comparisons in all conditions of a request. SQLite compiles an expression at most 1,000 deep, and binds 32,766 values. */
  terms: 1_000,
  /** Steps to related records in all conditions of a request: each is a subquery, of which a database plans few at a time. */
  relations: 100,
} as const

/**
 * Counts the terms of a condition before it is read, and of all conditions before it.
 * @returns false when there are too many, which the draft's problems then say
 */
export function countTerms({ counted, problems }: Draft, input: unknown, place: Place): boolean {
  counted.terms += termsIn(input)
  if (counted.terms <= requestLimits.terms) return true
  problems.add(
    "too_large",
    place,
    `The conditions of the request have ${counted.terms} terms; at most ${requestLimits.terms} are read (limit \`terms\`).`,
    "Compare with several values by `in`, or send several requests.",
  )
  return false
}

/** A comparison is a term, and so is what is empty; a list of values is part of one. With a stack of its own. */
function termsIn(input: unknown): number {
  let terms = 0
  const waiting: unknown[] = [input]
  while (waiting.length > 0) {
    const next = waiting.pop()
    const inner = typeof next === "object" && next !== null ? Object.values(next) : []
    const holders = inner.filter((value) => typeof value === "object" && value !== null)
    terms +=
      Array.isArray(next) && inner.length > 0 ? Number(holders.length === 0) : inner.length - holders.length
    if (inner.length === 0) terms += 1
    for (const holder of holders) waiting.push(holder)
  }
  return terms
}

/** The same of a step to related records. */
export function countRelation({ counted, problems }: Draft, place: Place): boolean {
  counted.relations += 1
  if (counted.relations <= requestLimits.relations) return true
  if (counted.relations > requestLimits.relations + 1) return false
  problems.add(
    "too_large",
    place,
    `The conditions of the request go to related records more than ${requestLimits.relations} times (limit \`relations\`).`,
    "Put what is asked of the same records into one condition, or send several requests.",
  )
  return false
}
