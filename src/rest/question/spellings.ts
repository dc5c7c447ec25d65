// One reader for the spellings of all parameters: repeated, comma-separated, with brackets and with indexes. Parameters
// are put together by their place; two spellings of one place are refused. docs/reference/rest.md lists them ("Spellings").
import type { Place, Problems } from "../../base/problem.ts"
import { fixedLimits, overLimit } from "../../model/limits.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { type QueryParameter, readQuery } from "../http/query.ts"
import { findPlace, isIndex, type ParameterPlace, placeOfQuestion, stepsOf } from "./parameter-place.ts"

/** Everything that was written at one place. */
export interface Spelled extends Omit<ParameterPlace, "item"> {
  /** The place in the request. */
  readonly place: Place
  /** In the order of the request. */
  readonly written: readonly [Written, ...Written[]]
}

interface Written extends Omit<QueryParameter, "parts"> {
  readonly item: string | undefined
}

const { steps: mostSteps } = fixedLimits

/**
 * The places of a query string in the order of the request.
 * @throws Refusal when the query is no list of parameters
 */
export function readSpellings(query: string, problems: Problems): readonly Spelled[] {
  const byPlace = new Map<string, Written[]>()
  const all: Spelled[] = []
  for (const parameter of readQuery(query)) {
    const found = findPlace(parameter.parts)
    const { path, member, steps, item } = found
    const place = stepsOf(found)
    // No step holds a bracket.
    const key = place.length === 1 ? member : place.join("][")
    const { name, value, bare } = parameter
    const written = { name, value, bare, item }
    const known = byPlace.get(key)
    if (known) known.push(written)
    else if (steps.length > mostSteps) refuseSteps(parameter, found, problems)
    else {
      const list: [Written] = [written]
      byPlace.set(key, list)
      all.push({ path, member, steps, place, written: list })
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
export function readText(
  { written, place }: Spelled,
  problems: Problems,
  hint = "Give it once.",
): string | undefined {
  const [first, second] = written
  if (second) {
    const also = second.name === first.name ? "" : `, also as ${second.name}`
    problems.add("invalid_value", place, `${first.name} is given more than once${also}.`, hint)
  } else if (first.item !== undefined)
    problems.add(
      "invalid_value",
      place,
      `${first.name} is an item of a list, and ${baseOf(first)} takes one value.`,
      hint,
    )
  else return first.value
  return undefined
}

/**
 * Items of a list in any of its spellings; undefined, with a problem, when they contradict one another.
 * Between commas `\,` is a comma within an item and `\\` a backslash; empty text is no item. Items in brackets are
 * taken as they are.
 */
export function readItems(spelled: Spelled, problems: Problems): readonly string[] | undefined {
  const { written, place } = spelled
  const [first, second] = written
  if (!second && first.item === undefined) return splitItems(first.value)
  const other = written.find((one) => spellingOf(one) !== spellingOf(first))
  if (other) {
    problems.add(
      "invalid_value",
      place,
      `${first.name} and ${other.name} are two spellings of one list.`,
      "Write all of its items in the same way.",
    )
    return undefined
  }
  if (first.item === undefined) return readRepeated(spelled, problems)
  if (first.item === "") return written.length === 1 && first.bare ? [] : written.map(({ value }) => value)
  return readIndexed(spelled, problems)
}

function readRepeated({ written, place }: Spelled, problems: Problems): readonly string[] | undefined {
  const [first] = written
  const items = written.map(({ value }) => (value === "" ? [""] : splitItems(value)))
  const several = items.findIndex(({ length }) => length > 1)
  if (several < 0) return items.flat()
  problems.add(
    "invalid_value",
    place,
    `${first.name} is repeated, and has commas in ${quoteInput(written[several]?.value)}: these are two spellings of one list.`,
    `Repeat it for each item or separate all by commas; a comma within an item is \`\\,\`, and plain in \`${first.name}[]\`.`,
  )
  return undefined
}

function readIndexed({ written, place }: Spelled, problems: Problems): readonly string[] | undefined {
  const sorted = written.toSorted((a, b) => Number(a.item) - Number(b.item))
  const wrong = sorted.findIndex(({ item }, index) => item !== String(index))
  const one = sorted[wrong]
  if (!one) return sorted.map(({ value }) => value)
  const before = sorted[wrong - 1]
  problems.add(
    "invalid_value",
    place,
    before?.item === one.item
      ? `${one.name} is given more than once.`
      : `${baseOf(one)} has no item ${wrong}, and has ${one.name}.`,
    indexHint,
  )
  return undefined
}

export const indexHint = "Indexes are 0, 1, 2 and so on, each of them once."

/** The kind of spelling: equal for all items of one list. */
const spellingOf = (written: Written): string =>
  `${baseOf(written)}${written.item === undefined ? "" : isIndex(written.item) ? "[0]" : "[]"}`

/** The name without the position of the item. */
function baseOf({ name, item }: Written): string {
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
