// Pages: which rows of an ordered list are asked for (docs/guide/reading.md, "Pages").
import type { Place } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import { cursorScope } from "../draft/cursor.ts"
import type { Draft } from "../draft/draft.ts"
import { quoteInput } from "../quote-input.ts"
import type { Keyset, OrderTerm, Page } from "../read-plan.ts"
import { readKeyset } from "./keyset.ts"

export interface PageInput {
  readonly first?: number | undefined
  readonly last?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
  /** The last page, of the size that `first` says, or the usual one. */
  readonly fromEnd?: boolean
}

/** The face's names of its arguments, and their places. */
export interface PagePlaces {
  readonly names: Readonly<Record<"first" | "last" | "after" | "before", string>>
  readonly place: Place
}

export interface OrderedResource {
  readonly resource: Resource
  readonly order: readonly OrderTerm[]
  /** The scope of its cursors, computed once for each list. */
  readonly scope?: string
}

/** Wrong arguments are left out of the page, and are in the draft's problems. */
export function readPage(draft: Draft, list: OrderedResource, input: PageInput, places: PagePlaces): Page {
  const { names, place } = places
  if (input.first !== undefined && input.last !== undefined) {
    const message = `\`${names.first}\` and \`${names.last}\` cannot both be given.`
    draft.problems.add(
      "invalid_value",
      [...place, names.last],
      message,
      "Ask for the first rows or for the last.",
    )
  }
  const at = (side: keyof typeof names): Argument => ({ name: names[side], place: [...place, names[side]] })
  for (const side of ["first", "last"] as const)
    if (input[side] !== undefined) readLimit(draft, input[side], at(side))
  const cursorAt = (side: "after" | "before"): Keyset | undefined => {
    const text = input[side]
    return text === undefined ? undefined : readCursor(draft, list, text, at(side))
  }
  const [after, before] = [cursorAt("after"), cursorAt("before")]
  const limit = input.first ?? input.last ?? draft.model.limits.page.default
  return {
    direction: isBackward(input) ? "backward" : "forward",
    limit: draft.bind(limit),
    atMost: roundedUp(limit),
    ...(after ? { after } : {}),
    ...(before ? { before } : {}),
  }
}

/** To a power of ten, so that the pages of a service have few such sizes: 10, 100, 1000. */
function roundedUp(limit: number): number {
  let size = 10
  while (size < limit) size *= 10
  return size
}

export interface Argument {
  readonly name: string
  readonly place: Place
}

/** Adds a problem unless the number is absent or a whole number within the service's page limit. */
export function readLimit(
  draft: Pick<Draft, "model" | "problems">,
  limit: number | undefined,
  { name, place }: Argument,
): void {
  const { max } = draft.model.limits.page
  if (limit === undefined || (Number.isInteger(limit) && limit >= 0 && limit <= max)) return
  draft.problems.add(
    "invalid_value",
    place,
    `\`${name}\` must be a whole number from 0 to ${max}, not ${quoteInput(limit)}.`,
  )
}

function isBackward(input: PageInput): boolean {
  if (input.last !== undefined || input.fromEnd === true) return true
  return input.first === undefined && input.before !== undefined && input.after === undefined
}

function readCursor(
  draft: Draft,
  { resource, order, scope }: OrderedResource,
  text: string,
  { name, place }: Argument,
): Keyset | undefined {
  const values = draft.cursors.open(scope ?? cursorScope(draft.model, resource, order), text)
  const keyset = values && readKeyset(draft, resource, order, values)
  if (!keyset) {
    const message = `\`${name}\` is not a cursor of this list in this order.`
    draft.problems.add(
      "invalid_cursor",
      place,
      message,
      "Take it, unchanged, from an answer to the same list in the same order.",
    )
  }
  return keyset
}
