// Pages: which rows of an ordered list are asked for (docs/guide/reading.md, "Pages").
import type { Place } from "../../base/problem.ts"
import type { Field, Resource } from "../../model/model.ts"
import { isTextual, type ValueType } from "../../model/scalars.ts"
import { cursorScope } from "../draft/cursor.ts"
import type { Draft } from "../draft/draft.ts"
import { endOf, fieldNamed, targetOf } from "../lookup.ts"
import { quoteInput } from "../quote-input.ts"
import type { Keyset, OrderTerm, Page, Value } from "../read-plan.ts"
import { readValue } from "../values/values.ts"

export interface PageInput {
  readonly first?: number | undefined
  readonly last?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
  /** The last page, of the size that `first` says, or the usual one. */
  readonly fromEnd?: boolean
}

/** The face's names of its arguments, and their places. */
interface PagePlaces {
  readonly names: Readonly<Record<"first" | "last" | "after" | "before", string>>
  readonly place: Place
}

interface OrderedResource {
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

interface Argument {
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

// Keysets: reads the content of a cursor as the position in an order that it stands for.

/** The position, or undefined when the values do not fit this order. */
function readKeyset(
  draft: Draft,
  resource: Resource,
  order: readonly OrderTerm[],
  values: readonly unknown[],
): Keyset | undefined {
  if (values.length !== order.length) return undefined
  const keyset: (Value | null)[] = []
  for (const term of order) {
    const input = values[keyset.length]
    const value = input === null ? null : readTermValue(draft, resource, term, input)
    if (value === undefined || (value === null && term.nulls === undefined)) return undefined
    keyset.push(value)
  }
  return keyset.map((value) => (value === null ? null : draft.bind(value)))
}

function readTermValue(draft: Draft, resource: Resource, term: OrderTerm, input: unknown): Value | undefined {
  const { model } = draft
  const { subject } = term
  const holder = endOf(model, resource, term.path)
  switch (subject.kind) {
    case "row":
      return readTyped({ scalar: holder.historyOf ? "int64" : "text", list: false }, input)
    case "id":
      return readKey(holder, input)
    case "reference":
      return readKey(targetOf(model, holder, subject.relation), input)
    case "field":
      return readTyped(storedType(fieldNamed(holder, subject.field)), input)
  }
}

function readKey(resource: Resource, input: unknown): Value | undefined {
  const parts = resource.key?.parts ?? []
  if (!Array.isArray(input) || input.length !== parts.length) return undefined
  const key: Value[] = []
  for (const { scalar } of parts) {
    const value = readTyped({ scalar, list: false }, input[key.length])
    if (value === undefined) return undefined
    key.push(value)
  }
  return key
}

/** A cursor may stand at a row that breaks its declaration; only the kind of value counts, and a decimal's scale. */
function storedType({ scalar, constraints: { scale } }: Field): ValueType {
  const text = isTextual(scalar)
  return { scalar: text ? "text" : scalar, list: false, constraints: scale === undefined ? {} : { scale } }
}

/** A value without a JSON text stands in a cursor by its name and text in the database (sql/dialect.ts, `position`). */
function readTyped(type: ValueType, input: unknown): Value | undefined {
  if (Array.isArray(input)) return input.length === 2 ? input.map(String) : undefined
  const read = readValue(type, input, "json")
  return read.ok ? read.value : undefined
}
