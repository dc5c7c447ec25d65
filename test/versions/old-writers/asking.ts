// One write that is asked for: by which version, of which record, by what input; and the records that it leaves.
import type { Random } from "../../../examples/storefront/random.ts"
import { valueFor } from "./changes.ts"
import { type Item, type Json, type Mode, repeated, takes, type Written, written } from "./naive.ts"
import type { Evolved, Names } from "./services.ts"

/** A record as the newest version stores it. */
export interface Stored {
  readonly resource: "item" | "slot"
  readonly code: string
  readonly sku: string
  readonly id: string
  readonly item: Item
  readonly box: string | null
  readonly state: string
  /** In their order. */
  readonly labels: readonly string[]
}

export interface Answer {
  readonly done: boolean
  readonly text: string
  /** The written record, or records. */
  readonly body: unknown
}

export interface Asking {
  readonly evolved: Evolved
  readonly at: number
  readonly random: Random
  readonly records: readonly Stored[]
  readonly fresh: () => string
  rest(
    method: string,
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  graphql(query: string, variables: Readonly<Record<string, unknown>>): Promise<Answer>
}

/** A record that a write leaves, with what it was just before. */
export interface Left {
  readonly resource: "item" | "slot"
  readonly code: string
  readonly sku: string
  readonly old?: Item
  readonly now: Item
  readonly box?: string | null
  readonly state?: string
  readonly labels?: readonly string[]
  readonly move?: Move
  /** It is deleted. */
  readonly isGone?: true
}

/** A transition that was fired, with states as the newest version has them. */
export interface Move {
  readonly name: "ship" | "back" | "hold" | "drop"
  readonly from: string
  readonly to: string
  readonly stamp?: string
}

export interface Tried {
  readonly answer: Answer
  /** Undefined: it is refused. */
  readonly left: readonly Left[] | undefined
  readonly input: unknown
  /** Members of each input: how each was given. */
  readonly inputs: readonly Item[]
}

export type Door = (asking: Asking) => Promise<Tried | undefined>

export const plural = (of: Names): string => `${of.item}s`
export const typeOf = (name: string): string => name[0]?.toUpperCase() + name.slice(1)

export const namesOf = ({ evolved, at }: Asking): Names => evolved.names[at] as Names

interface Drawn {
  readonly input: Item
  readonly written: Written
}

/** One in ten is left as it is where it is refused. */
export function drawInput(asking: Asking, modes: readonly Mode[]): Drawn {
  const isTried = asking.random.oneIn(10)
  for (let turn = 0; ; turn += 1) {
    const input = drawMembers(asking, { isUpdate: modes.join() === "update", isTried })
    const all = modes.map((mode) => written(asking.evolved.versions, asking.at, input, mode))
    const refused = all.includes(undefined)
    if (!refused || isTried || turn === 30) return { input, written: refused ? undefined : all[0] }
  }
}

interface Drawing {
  readonly isUpdate: boolean
  /** With mistakes. */
  readonly isTried: boolean
}

function drawMembers({ evolved, at, random }: Asking, { isUpdate, isTried }: Drawing): Item {
  const input: Record<string, Json> = {}
  const share = random.between(1, 4)
  for (const member of evolved.versions[at]?.members ?? []) {
    const how = takes(evolved.versions, at, member.name)
    const isWrong = isTried && random.oneIn(4)
    if (how === "nothing" && !isWrong) continue
    const isNeeded = !isUpdate && !member.optional && member.preset === undefined && how === "values"
    if (isNeeded ? isWrong : !random.oneIn(share)) continue
    const isNull = member.optional ? random.oneIn(4) : isWrong
    input[member.name] = isNull ? null : valueFor(random, member)
  }
  return input
}

export const keyed = (asking: Asking, input: Item, code: string, sku: string): Record<string, Json> => ({
  [namesOf(asking).code]: code,
  sku: namesOf(asking).keyOf(sku),
  ...input,
})

/** Ids of labels, in their order. */
export const tags = ["tag_a", "tag_b", "tag_c"] as const

interface Links {
  readonly given: Readonly<Record<string, unknown>>
  /** Undefined: they are refused. */
  readonly labels: readonly string[] | undefined
}

/** The one label of older versions, or links of newer ones. @param old labels of the record, where it is there */
export function drawLinks(
  { evolved, at, random }: Asking,
  mode: Mode | "upsert",
  old: readonly string[],
): Links {
  if (at >= evolved.widened) {
    if (mode === "replace" || mode === "upsert" || !random.oneIn(2)) return { given: {}, labels: old }
    const link = random.shuffle(tags.filter((one) => !old.includes(one))).slice(0, random.between(1, 2))
    const unlink = mode === "update" ? old.filter(() => random.oneIn(3)) : []
    const labels = [...old.filter((one) => !unlink.includes(one)), ...link].toSorted()
    const given = { ...(link.length > 0 && { link }), ...(unlink.length > 0 && { unlink }) }
    return { given: Object.keys(given).length > 0 ? { labels: given } : {}, labels }
  }
  // Of several the first one alone may be repeated.
  const isGiven = random.oneIn(old.length > 1 ? 2 : 3)
  if (!isGiven && mode !== "replace") return { given: {}, labels: old }
  const [first = null] = old
  const value = isGiven ? random.pick([...tags, first, null]) : null
  const after = value === null ? [] : [value]
  return {
    given: isGiven ? { labelId: value } : {},
    labels: value === first ? old : old.length > 1 ? undefined : after,
  }
}

/** The sku in an address: as the version shows it, or, one in ten, as it is today, which is refused where that is another. */
export function addressed(
  asking: Asking,
  sku: string,
): { readonly key: string; readonly isRefused: boolean } {
  const shownAs = namesOf(asking).keyOf(sku)
  const isRefused = shownAs !== sku && asking.random.oneIn(10)
  return { key: isRefused ? sku : shownAs, isRefused }
}

export const leftOf = (
  resource: "item" | "slot",
  code: string,
  sku: string,
  now: Item,
  old?: Item,
): Left => ({
  resource,
  code,
  sku,
  now: old ? { ...old, ...now } : now,
  ...(old && { old }),
})

/** What an input leaves of a record that is there. */
export const changed = (
  { evolved, at }: Asking,
  { resource, code, sku, item }: Pick<Stored, "resource" | "code" | "sku" | "item">,
  given: { readonly input: Item; readonly mode: Mode; readonly now: Item },
): Left => leftOf(resource, code, sku, repeated(evolved.versions, at, given, item), item)

export function pickOne({ random, records }: Asking, resource: "item" | "slot"): Stored | undefined {
  const of = records.filter((one) => one.resource === resource)
  return of[random.between(0, Math.max(0, of.length - 1))]
}

/** Members of the version, as a selection. */
export const selection = ({ evolved, at }: Asking): string =>
  (evolved.versions[at]?.members ?? []).map(({ name }) => name).join(" ")

export const patchTo = (asking: Asking, { id }: Stored, body: unknown, type: string): Promise<Answer> =>
  asking.rest("PATCH", `/${plural(namesOf(asking))}/${id}`, body, { "content-type": type })
