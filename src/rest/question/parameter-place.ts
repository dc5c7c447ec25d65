// The place that a parameter's name spells. Brackets and points are equal. The position of an item in a list is no
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

/** The place in the request. */
export const placeOf = ({ path, member, steps }: ParameterPlace): readonly string[] =>
  path === undefined ? [member, ...steps] : ["include", path, member, ...steps]

/** A text that is the same for all spellings of one place, and for no other: no step holds a bracket. */
export function keyOf({ path, member, steps }: ParameterPlace): string {
  const inner = steps.length === 0 ? member : `${member}][${steps.join("][")}`
  return path === undefined ? inner : `include][${path}][${inner}`
}

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
    return findMember(undefined, head, { parts, from: 1 })
  const at = parts.findIndex((part, index) => index > 1 && isMemberName(part))
  const end = at > 0 ? at : Math.max(2, parts.length - (isItem(parts.at(-1) ?? "") ? 2 : 1))
  const path = end === 2 ? second : parts.slice(1, end).join(".")
  return findMember(path, parts[end] ?? "", { parts, from: end + 1 })
}

const isItem = (part: string): boolean => part === "" || isIndex(part)

export const isIndex = (part: string): boolean => {
  // Almost no part of a name begins with a digit.
  const first = part.charCodeAt(0)
  return first >= 48 && first <= 57 && /^(?:0|[1-9][0-9]*)$/.test(part)
}

export const isConnective = (name: string): boolean => name === "and" || name === "or"

interface Rest {
  readonly parts: readonly string[]
  /** The index of its first part. */
  readonly from: number
}

function findMember(path: string | undefined, member: string, { parts, from }: Rest): ParameterPlace {
  const end = parts.length - 1
  const last = parts[end] ?? ""
  const isFilter = member === "filter"
  const item = end >= from && isItem(last) && !(isFilter && isCondition(parts[end - 1], end > from))
  const rest = item ? parts.slice(from, end) : from > end ? none : parts.slice(from)
  return { path, member, steps: isFilter ? filterSteps(rest) : rest, item: item ? last : undefined }
}

/** The part behind is a condition of `and` or `or`, or begins a path: no item of an operand. */
const isCondition = (before: string | undefined, within: boolean): boolean =>
  !within || before === undefined || isConnective(lastName(before))

const lastName = (part: string): string => part.slice(part.lastIndexOf(".") + 1)

/**
 * Splits at points, and adds the operator `eq` where absent. The last bracket is an operator when it has the name of one
 * and a member stands before it.
 */
function filterSteps(parts: readonly string[]): readonly string[] {
  const last = parts.at(-1)
  if (last === undefined) return none
  const before = parts.at(-2)
  const explicit = before !== undefined && isOperatorName(last) && !isStart(lastName(before))
  const steps = parts.some(hasPoint) ? parts.flatMap((part) => part.split(".")) : parts
  return explicit ? steps : [...steps, "eq"]
}

const hasPoint = (part: string): boolean => part.includes(".")

/** A condition begins behind it. */
const isStart = (part: string): boolean => isIndex(part) || isConnective(part) || part === "not"
