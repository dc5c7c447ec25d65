// JSON as text in SQL: what is the same in every row is joined to literals here, the rest by one concat.
import { commas, type Fragment, join, literal, sql } from "./fragment.ts"

/** Text that is the same in every row, or an expression that gives text; side by side they are the JSON text. */
export type TextPiece = string | Fragment

/** PostgreSQL takes at most 100 arguments, SQLite by its defaults 127 or more. */
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

/** The rows of a FROM clause as an array; `order` and `filter` are what the aggregate takes besides. */
export function arrayText(
  row: Fragment,
  order: Fragment = sql``,
  filter: Fragment = sql``,
): readonly TextPiece[] {
  return ["[", sql`coalesce(string_agg(${row}, ','${order})${filter}, '')`, "]"]
}

/** One expression for the pieces, of type text when they are several or a literal. */
export function concatenated(pieces: readonly TextPiece[]): Fragment {
  const merged = mergeTexts(pieces)
  const [only] = merged
  if (only && typeof only !== "string" && merged.length === 1) return only
  return concat(merged.map((piece) => (typeof piece === "string" ? literal(piece) : piece)))
}

/** The same, but NULL when a piece is. */
export function joined(pieces: readonly TextPiece[]): Fragment {
  const parts = mergeTexts(pieces).map((piece) => (typeof piece === "string" ? literal(piece) : piece))
  return join(parts, sql` || `)
}

function concat(parts: readonly Fragment[]): Fragment {
  if (parts.length <= mostArguments) return sql`concat(${commas(parts)})`
  const groups: Fragment[] = []
  for (let from = 0; from < parts.length; from += mostArguments)
    groups.push(sql`concat(${commas(parts.slice(from, from + mostArguments))})`)
  return concat(groups)
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
