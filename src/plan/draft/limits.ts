// Limits of a request, lower than the databases' own, checked before a statement is sent.
import { type Place, type Problems, refusal } from "../../base/problem.ts"
import { fixedLimits, overLimit } from "../../model/limits.ts"
import type { Model } from "../../model/model.ts"
import type { Root } from "../read-plan.ts"

interface Sized {
  readonly model: Model
}

/** A request whose parts are counted as they are read. */
export interface Counting extends Sized {
  readonly counted: { terms: number; relations: number }
  readonly problems: Problems
}

/**
 * Counts the terms of a condition before it is read, and of all conditions before it.
 * @returns false when there are too many, which the draft's problems then say
 */
export function countTerms({ model, counted, problems }: Counting, input: unknown, place: Place): boolean {
  const { terms } = model.limits
  counted.terms += termsIn(input)
  if (counted.terms <= terms) return true
  problems.add(
    "too_large",
    place,
    overLimit(`The conditions of the request have ${counted.terms} terms`, "terms", terms),
    "Compare with several values by `in`, or send several requests.",
  )
  return false
}

/** A comparison is a term, and so is an empty object; a list of values is part of one. With a stack of its own. */
function termsIn(input: unknown): number {
  let terms = 0
  const waiting: unknown[] = [input]
  while (waiting.length > 0) {
    const next = waiting.pop()
    const isList = Array.isArray(next)
    const inner = isList ? next : typeof next === "object" && next !== null ? Object.values(next) : []
    let holders = 0
    for (const value of inner)
      if (typeof value === "object" && value !== null) {
        holders += 1
        waiting.push(value)
      }
    terms += isList && inner.length > 0 ? Number(holders === 0) : inner.length - holders
    if (inner.length === 0) terms += 1
  }
  return terms
}

/** False when a list of operands is too long, which the draft's problems then say. */
export function boundValues({ model, problems }: Counting, operand: unknown, place: Place): boolean {
  const { values } = model.limits
  if (!Array.isArray(operand) || operand.length <= values) return true
  problems.add("too_large", place, overLimit(`The list has ${operand.length} values`, "values", values))
  return false
}

/** The same of a step to related records. */
export function countRelation({ model, counted, problems }: Counting, place: Place): boolean {
  const { relations } = model.limits
  counted.relations += 1
  if (counted.relations <= relations) return true
  if (counted.relations > relations + 1) return false
  problems.add(
    "too_large",
    place,
    `The conditions of the request go to related records more than ${relations} times (limit \`relations\`).`,
    "Put conditions on the same records into one, or send several requests.",
  )
  return false
}

/** Bounds the number of roots of a request, and the members that they ask for. @throws Refusal */
export function boundRoots({ model }: Sized, roots: readonly Root[]): void {
  const { lookups, members: most } = model.limits
  const looked = roots.flatMap((root) => (root.kind === "records" || root.kind === "object" ? root.of : root))
  const asked = looked.filter(({ kind }) => kind !== "constant")
  if (asked.length > lookups)
    throw refusal(
      "too_large",
      overLimit(`The request looks for ${asked.length} lists and records`, "lookups", lookups),
      { hint: "Send several requests." },
    )
  if (asked.length < 2) return
  const sizes = new Map<object, number>()
  const members = asked.reduce((sum, root) => sum + membersIn(root, sizes), 0)
  if (members <= most) return
  throw refusal(
    "too_large",
    overLimit(`The request asks for ${members} members in its lookups`, "members", most),
    { hint: "Ask for fewer members, or send several requests." },
  )
}

/** Several records by their ids have the same members each. */
function membersIn(root: Root, sizes: Map<object, number>): number {
  const of: object = root.kind === "record" ? root.members : root
  const known = sizes.get(of)
  if (known !== undefined) return known
  let members = 0
  const waiting: unknown[] = [of]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== "object" || next === null) continue
    if ("key" in next) members += 1
    for (const inner of Object.values(next)) if (typeof inner === "object") waiting.push(inner)
  }
  sizes.set(of, members)
  return members
}

/** Bounds the values of a statement, whose number depends on the dialect. @throws Refusal */
export function boundParameters(count: number): void {
  const { parameters } = fixedLimits
  if (count <= parameters) return
  throw refusal(
    "too_large",
    overLimit(`The request needs ${count} values in one statement`, "parameters", parameters),
    { hint: "Ask for less at once, or send several requests." },
  )
}
