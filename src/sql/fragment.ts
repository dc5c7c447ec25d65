// Fragments: SQL as a value until the last step. Text written here in the source, quoted names and literals of the
// model, and places for bound values are all that can become SQL; a string by itself cannot.
import { invariant } from "../base/invariant.ts"
import type { Bind } from "./statement.ts"

declare const brand: unique symbol

/** A piece of SQL. Only the functions of this file make one. */
export interface Fragment {
  readonly [brand]: true
}

interface Pieces {
  readonly pieces: readonly (string | Bind)[]
}

const make = (pieces: readonly (string | Bind)[]): Fragment =>
  ({ pieces }) satisfies Pieces as unknown as Fragment
const piecesOf = (fragment: Fragment): readonly (string | Bind)[] => (fragment as unknown as Pieces).pieces

/** SQL as it stands in the source, with fragments in between. */
export function sql(texts: TemplateStringsArray, ...fragments: readonly Fragment[]): Fragment {
  const pieces: (string | Bind)[] = []
  for (const [index, text] of texts.entries()) {
    const fragment = fragments[index]
    append(pieces, text)
    if (fragment) for (const piece of piecesOf(fragment)) append(pieces, piece)
  }
  return make(pieces)
}

/** A quoted name (SQL:2016 delimited identifier; the same in both dialects). */
export function name(text: string): Fragment {
  invariant(text !== "" && !text.includes("\0"), "a name in SQL holds at least one character and no U+0000")
  return make([`"${text.replaceAll('"', '""')}"`])
}

/** A quoted text from the model or the plan's shape, never from a plan's values. */
export function literal(text: string): Fragment {
  invariant(!text.includes("\0"), "a literal in SQL holds no U+0000")
  return make([`'${text.replaceAll("'", "''")}'`])
}

/** A whole number from the model or the plan's shape. */
export function whole(value: number): Fragment {
  invariant(Number.isSafeInteger(value), "a number in SQL is whole")
  return make([String(value)])
}

/** The place of a bound value. */
export const bound = (bind: Bind): Fragment => make([bind])

export function join(fragments: readonly Fragment[], separator: Fragment): Fragment {
  const pieces: (string | Bind)[] = []
  for (const [index, fragment] of fragments.entries()) {
    if (index > 0) for (const piece of piecesOf(separator)) append(pieces, piece)
    for (const piece of piecesOf(fragment)) append(pieces, piece)
  }
  return make(pieces)
}

export const commas = (fragments: readonly Fragment[]): Fragment => join(fragments, sql`, `)

/** The WHERE clause, with a space before it; nothing for no conditions. */
export const where = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`` : sql` WHERE ${allOf(conditions)}`

/** All of them hold; nothing at all always does. */
export const allOf = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`TRUE` : join(conditions, sql` AND `)

/** Text and binds, each bind at its placeholder: at one, where placeholders have numbers, however often it stands there. */
export function render(
  fragment: Fragment,
  placeholder: (index: number) => string,
): { readonly text: string; readonly binds: readonly Bind[] } {
  const binds: Bind[] = []
  const numbered = placeholder(0) !== placeholder(1)
  let text = ""
  for (const piece of piecesOf(fragment)) {
    const known = typeof piece === "string" || !numbered ? -1 : binds.indexOf(piece)
    if (typeof piece === "string") text += piece
    else text += placeholder(known < 0 ? binds.push(piece) - 1 : known)
  }
  return { text, binds }
}

/** Equal SQL with equal binds; for finding what is already there. */
export function sameFragment(a: Fragment, b: Fragment): boolean {
  const [left, right] = [piecesOf(a), piecesOf(b)]
  return left.length === right.length && left.every((piece, index) => piece === right[index])
}

function append(pieces: (string | Bind)[], piece: string | Bind): void {
  const last = pieces.length - 1
  const before = pieces[last]
  if (typeof piece === "string" && typeof before === "string") pieces[last] = before + piece
  else if (piece !== "") pieces.push(piece)
}
