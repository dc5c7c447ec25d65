// One reader for the spellings of all parameters: repeated, comma-separated, with brackets and with indexes. Parameters
// are put together by their place; two spellings of one place are refused. docs/reference/rest.md lists them ("Spellings").
import type { Problems } from "../../base/problem.ts"
import { fixedLimits, overLimit } from "../../model/limits.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { type QueryParameter, readQuery } from "../http/query.ts"
import {
  findPlace,
  isIndex,
  keyOf,
  type ParameterPlace,
  placeOf,
  placeOfQuestion,
} from "./parameter-place.ts"

/** All parameters that spell one place; `item` belongs to the first one. */
export interface Spelled extends ParameterPlace {
  /** In the order of the request. */
  readonly written: readonly [QueryParameter, ...QueryParameter[]]
}

const { steps: mostSteps } = fixedLimits

/**
 * The places of a query string in the order of the request.
 * @throws Refusal when the query is no list of parameters
 */
export function readSpellings(query: string, problems: Problems): readonly Spelled[] {
  const byPlace = new Map<string, QueryParameter[]>()
  const all: Spelled[] = []
  for (const parameter of readQuery(query)) {
    const found = findPlace(parameter.parts)
    const { path, member, steps, item } = found
    const key = keyOf(found)
    const known = byPlace.get(key)
    if (known) known.push(parameter)
    else if (steps.length > mostSteps) refuseSteps(parameter, found, problems)
    else {
      const written: [QueryParameter] = [parameter]
      byPlace.set(key, written)
      all.push({ path, member, steps, item, written })
    }
  }
  return all
}

/** The name of the first parameter. */
export const nameOf = ({ written }: Spelled): string => written[0].name

function refuseSteps({ name }: QueryParameter, found: ParameterPlace, problems: Problems): void {
  const what = `${quoteInput(name)} has ${found.steps.length} steps`
  const place = [...placeOfQuestion(found), found.member]
  problems.add("too_deep", place, overLimit(what, "steps", mostSteps))
}

/** Single text; undefined, with a problem, for anything else. */
export function readText(spelled: Spelled, problems: Problems, hint = "Give it once."): string | undefined {
  const [first, second] = spelled.written
  if (!second && spelled.item === undefined) return first.value
  const also = second && second.name !== first.name ? `, also as ${second.name}` : ""
  const message = second
    ? `${first.name} is given more than once${also}.`
    : `${first.name} is an item of a list, and ${baseOf(first)} takes one value.`
  problems.add("invalid_value", placeOf(spelled), message, hint)
  return undefined
}

/**
 * Items of a list in any of its spellings; undefined, with a problem, when they contradict one another.
 * Between commas `\,` is a comma within an item and `\\` a backslash; empty text is no item. Items in brackets are
 * taken as they are.
 */
export function readItems(spelled: Spelled, problems: Problems): readonly string[] | undefined {
  const { written, item } = spelled
  const [first, second] = written
  if (!second && item === undefined) return splitItems(first.value)
  const other = written.find((one) => spellingOf(one) !== spellingOf(first))
  if (other) {
    problems.add(
      "invalid_value",
      placeOf(spelled),
      `${first.name} and ${other.name} are two spellings of one list.`,
      "Write all of its items in the same way.",
    )
    return undefined
  }
  if (item === undefined) return readRepeated(spelled, problems)
  if (item === "") return !second && first.bare ? [] : written.map(({ value }) => value)
  return readIndexed(spelled, problems)
}

function readRepeated(spelled: Spelled, problems: Problems): readonly string[] | undefined {
  const { written } = spelled
  const items = written.map(({ value }) => (value === "" ? [""] : splitItems(value)))
  const several = items.findIndex(({ length }) => length > 1)
  if (several < 0) return items.flat()
  const name = nameOf(spelled)
  problems.add(
    "invalid_value",
    placeOf(spelled),
    `${name} is repeated, and has commas in ${quoteInput(written[several]?.value)}: these are two spellings of one list.`,
    `Repeat it for each item or separate all by commas; a comma within an item is \`\\,\`, and plain in \`${name}[]\`.`,
  )
  return undefined
}

function readIndexed(spelled: Spelled, problems: Problems): readonly string[] | undefined {
  const sorted = spelled.written
    .map((parameter) => ({ ...parameter, index: itemOf(parameter) ?? "" }))
    .sort((a, b) => Number(a.index) - Number(b.index))
  const gap = sorted.findIndex(({ index }, position) => index !== String(position))
  const found = sorted[gap]
  if (!found) return sorted.map(({ value }) => value)
  const message =
    sorted[gap - 1]?.index === found.index
      ? `${found.name} is given more than once.`
      : `${baseOf(found)} has no item ${gap}, and has ${found.name}.`
  problems.add("invalid_value", placeOf(spelled), message, indexHint)
  return undefined
}

export const indexHint = "Indexes are 0, 1, 2 and so on, each of them once."

const itemOf = ({ parts }: QueryParameter): string | undefined => findPlace(parts).item

/** The kind of spelling: equal for all items of one list. */
function spellingOf(parameter: QueryParameter): string {
  const item = itemOf(parameter)
  return `${baseOf(parameter)}${item === undefined ? "" : isIndex(item) ? "[0]" : "[]"}`
}

/** The name without the position of the item. */
function baseOf(parameter: QueryParameter): string {
  const { name } = parameter
  const item = itemOf(parameter)
  if (item === undefined) return name
  return name.slice(0, -(item.length + (name.endsWith("]") ? 2 : 1)))
}

function splitItems(text: string): readonly string[] {
  if (text === "") return []
  if (!text.includes("\\")) return text.split(",")
  const items = [""]
  for (const [piece] of text.matchAll(/\\[\\,]|,|[^\\,]+|\\/g)) {
    if (piece === ",") items.push("")
    else items[items.length - 1] += piece === "\\," || piece === "\\\\" ? piece.slice(1) : piece
  }
  return items
}
