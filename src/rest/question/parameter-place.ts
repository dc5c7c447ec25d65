// The place that a parameter's name spells. Brackets and points are equal, and the position of an item in a list is no
// part of the place: `fields`, `fields[]` and `fields[0]` are one.
import type { Place } from "../../base/problem.ts"
import { isOperatorName } from "../../model/operators.ts"
import { isMemberName } from "./rest-query.ts"

export interface ParameterPlace {
  /** The path of the included relation that the parameter is about, with points; undefined for the outermost question. */
  readonly path: string | undefined
  /** `filter`, `fields`, …, or another name. */
  readonly member: string
  /** The rest of the name. In a filter: members and indexes, and the operator as the last one. */
  readonly steps: readonly string[]
  /** Empty for `[]`, digits for `[0]`; undefined for the list as a whole and for single values. */
  readonly item: string | undefined
}

/** The same for all spellings of one place. */
export const stepsOf = ({ path, member, steps }: ParameterPlace): readonly string[] =>
  path === undefined ? [member, ...steps] : ["include", path, member, ...steps]

/** The place of the question that the parameter is about. */
export const placeOfQuestion = ({ path }: Pick<ParameterPlace, "path">): Place =>
  path === undefined ? [] : ["include", path]

const none: readonly string[] = []

/** @param parts of the parameter's name */
export function findPlace(parts: readonly [string, ...string[]]): ParameterPlace {
  const [head] = parts
  if (parts.length === 1) return { path: undefined, member: head, steps: none, item: undefined }
  const second = parts[1] ?? ""
  if (head !== "include" || (parts.length === 2 && isItem(second)))
    return findMember(undefined, head, parts.slice(1))
  const at = parts.findIndex((part, index) => index > 1 && isMemberName(part))
  const end = at > 0 ? at : Math.max(2, parts.length - (isItem(parts.at(-1) ?? "") ? 2 : 1))
  const path = end === 2 ? second : parts.slice(1, end).join(".")
  return findMember(path, parts[end] ?? "", parts.slice(end + 1))
}

const isItem = (part: string): boolean => part === "" || isIndex(part)

export const isIndex = (part: string): boolean => {
  // Almost no part of a name begins with a digit.
  const first = part.charCodeAt(0)
  return first >= 48 && first <= 57 && /^(?:0|[1-9][0-9]*)$/.test(part)
}

export const isConnective = (name: string): boolean => name === "and" || name === "or"

function findMember(path: string | undefined, member: string, parts: readonly string[]): ParameterPlace {
  const last = parts.at(-1)
  const whole = last === undefined || !isItem(last) || (member === "filter" && !isOperand(parts))
  const steps = whole ? parts : parts.slice(0, -1)
  return {
    path,
    member,
    steps: member === "filter" ? filterSteps(steps) : steps,
    item: whole ? undefined : last,
  }
}

/** The last part is an item of an operand, and not of `and` or `or`. */
function isOperand(parts: readonly string[]): boolean {
  const before = parts.at(-2)
  return before !== undefined && !isConnective(lastName(before))
}

const lastName = (part: string): string => part.slice(part.lastIndexOf(".") + 1)

/**
 * Points taken apart, and the operator `eq` where none is given: the last bracket is an operator when it has the name of
 * one and a member stands before it.
 */
function filterSteps(parts: readonly string[]): readonly string[] {
  const last = parts.at(-1)
  if (last === undefined) return none
  const before = parts.at(-2)
  const explicit = before !== undefined && isOperatorName(last) && !isStart(lastName(before))
  const steps: string[] = []
  for (let index = 0; index < parts.length - (explicit ? 1 : 0); index++) {
    const part = parts[index] ?? ""
    if (part.includes(".")) steps.push(...part.split("."))
    else steps.push(part)
  }
  steps.push(explicit ? last : "eq")
  return steps
}

/** A condition begins behind it. */
const isStart = (part: string): boolean => isIndex(part) || isConnective(part) || part === "not"
