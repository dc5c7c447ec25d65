// Fragments: SQL as a value until the last step. Only text written in the source, quoted names and literals of the
// model, and places for bound values can become SQL; a plain string cannot. Each table whose rows have a rule carries a
// mark, and so does the rule. A statement with one but not the other is refused.
import { invariant } from "../base/invariant.ts"
import type { Bind } from "./statement.ts"

declare const brand: unique symbol

/** A piece of SQL. Only the functions of this file make one. */
export interface Fragment {
  readonly [brand]: true
}

interface Pieces {
  readonly pieces: readonly Piece[]
}

type Piece = string | Bind | Mark

/** `of` is the name under which the table's rows are known. */
interface Mark {
  readonly mark: "table" | "rule"
  readonly of: Fragment
}

const isMark = (piece: Piece): piece is Mark => typeof piece === "object" && "mark" in piece

const make = (pieces: readonly Piece[]): Fragment => ({ pieces }) satisfies Pieces as unknown as Fragment
const piecesOf = (fragment: Fragment): readonly Piece[] => (fragment as unknown as Pieces).pieces

/** SQL as it stands in the source, with fragments in between. */
export function sql(texts: TemplateStringsArray, ...fragments: readonly Fragment[]): Fragment {
  const pieces: Piece[] = []
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
  return make([quotedName(text)])
}

/** A name as a statement's text has it. */
export const quotedName = (text: string): string => `"${text.replaceAll('"', '""')}"`

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

/** A table whose rows, under this name, must meet a rule: the statement holds it as well, by `ruleOn`. */
export const ruled = (table: Fragment, of: Fragment): Fragment =>
  make([...piecesOf(table), { mark: "table", of }])

export const ruleOn = (rule: Fragment, of: Fragment): Fragment =>
  make([{ mark: "rule", of }, ...piecesOf(rule)])

export function join(fragments: readonly Fragment[], separator: Fragment): Fragment {
  const pieces: Piece[] = []
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
  conditions.length === 0 ? sql`TRUE` : balanced(conditions, sql` AND `)

/** At least one of them holds; of nothing at all none does. */
export const anyOf = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`FALSE` : balanced(conditions, sql` OR `)

/** Terms side by side; more of them stand in halves. */
const mostInRow = 8

/**
 * Databases read a row of terms as a tree that is as deep as they are many, and bound its depth (SQLite: 1,000). Halves of
 * halves make it as deep as their logarithm.
 */
function balanced(terms: readonly Fragment[], connective: Fragment): Fragment {
  if (terms.length <= mostInRow) return join(terms, connective)
  const half = Math.ceil(terms.length / 2)
  const halves = [terms.slice(0, half), terms.slice(half)].map((part) => sql`(${balanced(part, connective)})`)
  return join(halves, connective)
}

/**
 * Text and binds, once each table is there with its rule. Each bind has its own placeholder; numbered placeholders are
 * used once per bind, however often it occurs.
 */
export function render(
  fragment: Fragment,
  placeholder: (index: number) => string,
): { readonly text: string; readonly binds: readonly Bind[] } {
  const binds: Bind[] = []
  const numbered = placeholder(0) !== placeholder(1)
  checkRules(fragment)
  let text = ""
  for (const piece of piecesOf(fragment)) {
    if (isMark(piece)) continue
    const known = typeof piece === "string" || !numbered ? -1 : binds.indexOf(piece)
    if (typeof piece === "string") text += piece
    else text += placeholder(known < 0 ? binds.push(piece) - 1 : known)
  }
  return { text, binds }
}

function checkRules(fragment: Fragment): void {
  const marks = piecesOf(fragment).filter(isMark)
  const rules = new Set(marks.filter(({ mark }) => mark === "rule").map(({ of }) => of))
  for (const { mark, of } of marks)
    invariant(mark === "rule" || rules.has(of), "a statement holds the rule of each table that it names")
}

/** Equal SQL with equal binds; finds repeated fragments. */
export function sameFragment(a: Fragment, b: Fragment): boolean {
  const [left, right] = [piecesOf(a), piecesOf(b)]
  return left.length === right.length && left.every((piece, index) => piece === right[index])
}

function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.length - 1
  const before = pieces[last]
  if (typeof piece === "string" && typeof before === "string") pieces[last] = before + piece
  else if (piece !== "") pieces.push(piece)
}

/** The text of a fragment without parameters. */
export const plain = (fragment: Fragment): string => render(fragment, () => "?").text

/** A quoted name (SQL:2016 delimited identifier; the same in both dialects). */
export const quoted = (text: string): string => plain(name(text))
