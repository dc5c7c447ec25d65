// JSON as text in SQL. Parts that are the same in every row become literals here; the dialect joins the rest.
import type { Dialect } from "./dialect.ts"
import { type Fragment, join, literal, sql } from "./fragment.ts"

/** Text that is the same in every row, or what differs; side by side they are the JSON text. */
export type TextPiece = string | Fragment | Enclosing

/** Becomes one expression with the texts beside it that are the same in every row. */
type Enclosing = (left: string, right: string) => Fragment

/** SQLite by its defaults takes 127 or more; PostgreSQL nests operators as deep as they are many. */
const mostArguments = 90

export interface TextMember {
  readonly key: string
  readonly text: readonly TextPiece[]
  /** The text holds several members with their keys, and this is the first of them. */
  readonly whole?: true
}

/** `{"key":text,…}` */
export function objectText(members: readonly TextMember[]): readonly TextPiece[] {
  return ["{", ...membersText(members), "}"]
}

/** The same without the braces. */
export const membersText = (members: readonly TextMember[]): readonly TextPiece[] =>
  members.flatMap(({ key, text, whole }, index): TextPiece[] => [
    `${index === 0 ? "" : ","}${whole ? "" : `${JSON.stringify(key)}:`}`,
    ...text,
  ])

/** The rows of a FROM clause as an array, or those that meet a condition; `order` is what the aggregate takes besides. */
export function arrayText(
  row: Fragment,
  order: Fragment = sql``,
  condition?: Fragment,
): readonly TextPiece[] {
  const filter = condition ? sql` FILTER (WHERE ${condition})` : sql``
  return ["[", sql`coalesce(string_agg(${row}, ','${order})${filter}, '')`, "]"]
}

/** One expression for the pieces, of type text when they are several or a literal. */
export function concatenated({ sideBySide }: Dialect, pieces: readonly TextPiece[]): Fragment {
  const merged = mergeTexts(pieces)
  const [only] = merged
  if (only && typeof only !== "string" && merged.length === 1) return only
  const parts = merged.map(asFragment)
  return parts.length === 1 ? join(parts, sql``) : inGroups(sideBySide, parts)
}

/** The same, but NULL when a piece is. */
export const joined = (pieces: readonly TextPiece[]): Fragment =>
  join(mergeTexts(pieces).map(asFragment), sql` || `)

const asFragment = (piece: string | Fragment): Fragment =>
  typeof piece === "string" ? literal(piece) : piece

function inGroups(sideBySide: Dialect["sideBySide"], parts: readonly Fragment[]): Fragment {
  if (parts.length <= mostArguments) return sideBySide(parts)
  const groups: Fragment[] = []
  for (let from = 0; from < parts.length; from += mostArguments)
    groups.push(sideBySide(parts.slice(from, from + mostArguments)))
  return inGroups(sideBySide, groups)
}

/** Texts that meet are one; a value that is enclosed takes those on both its sides. */
function mergeTexts(pieces: readonly TextPiece[]): readonly (string | Fragment)[] {
  const merged: (string | Fragment)[] = []
  let text = ""
  let open: ((after: string) => Fragment) | undefined
  const close = (): void => {
    if (open) merged.push(open(text))
    else if (text !== "") merged.push(text)
    text = ""
    open = undefined
  }
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece
      continue
    }
    const encloses = typeof piece === "function"
    const left = encloses && !open ? text : ""
    if (left !== "") text = ""
    close()
    if (encloses) open = (right) => piece(left, right)
    else merged.push(piece)
  }
  close()
  return merged
}

/**
 * A value with text around it, or another text if the value is missing.
 * @param test whether the value is there; the value itself says so when absent
 */
export function enclosing(
  [before, value, after]: readonly [before: string, value: Fragment, after: string],
  otherwise: string | Fragment,
  test?: Fragment,
): TextPiece {
  return (left, right) => {
    const there = joined([left + before, value, after + right])
    const absent = joined([left, otherwise, right])
    return test ? sql`CASE WHEN ${test} THEN ${there} ELSE ${absent} END` : sql`coalesce(${there}, ${absent})`
  }
}
