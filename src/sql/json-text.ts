// JSON as text in SQL: what is the same in every row is joined to literals here, the rest by the dialect.
import type { Dialect } from "./dialect.ts"
import { type Fragment, join, literal, sql } from "./fragment.ts"

/** Text that is the same in every row, or an expression that gives text; side by side they are the JSON text. */
export type TextPiece = string | Fragment

/** SQLite by its defaults takes 127 or more; PostgreSQL nests operators as deep as they are many. */
const mostArguments = 90

export interface TextMember {
  readonly key: string
  readonly text: readonly TextPiece[]
}

/** `{"key":text,…}` */
export function objectText(members: readonly TextMember[]): readonly TextPiece[] {
  const inner = members.flatMap(({ key, text }, index): TextPiece[] => [
    `${index === 0 ? "" : ","}${JSON.stringify(key)}:`,
    ...text,
  ])
  return ["{", ...inner, "}"]
}

/** The rows of a FROM clause as an array; `order` is what the aggregate takes besides. */
export function arrayText(row: Fragment, order: Fragment = sql``): readonly TextPiece[] {
  return ["[", sql`coalesce(string_agg(${row}, ','${order}), '')`, "]"]
}

/** One expression for the pieces, of type text when they are several or a literal. */
export function concatenated({ sideBySide }: Dialect, pieces: readonly TextPiece[]): Fragment {
  const merged = mergeTexts(pieces)
  const [only] = merged
  if (only && typeof only !== "string" && merged.length === 1) return only
  const parts = merged.map((piece) => (typeof piece === "string" ? literal(piece) : piece))
  return parts.length === 1 ? join(parts, sql``) : inGroups(sideBySide, parts)
}

/** The same, but NULL when a piece is. */
export function joined(pieces: readonly TextPiece[]): Fragment {
  const parts = mergeTexts(pieces).map((piece) => (typeof piece === "string" ? literal(piece) : piece))
  return join(parts, sql` || `)
}

function inGroups(sideBySide: Dialect["sideBySide"], parts: readonly Fragment[]): Fragment {
  if (parts.length <= mostArguments) return sideBySide(parts)
  const groups: Fragment[] = []
  for (let from = 0; from < parts.length; from += mostArguments)
    groups.push(sideBySide(parts.slice(from, from + mostArguments)))
  return inGroups(sideBySide, groups)
}

function mergeTexts(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const merged: TextPiece[] = []
  for (const piece of pieces) {
    if (piece === "") continue
    const last = merged[merged.length - 1]
    if (typeof piece === "string" && typeof last === "string") merged[merged.length - 1] = last + piece
    else merged.push(piece)
  }
  return merged
}
