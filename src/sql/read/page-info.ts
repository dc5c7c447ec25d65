// Page info: whether rows follow, and the cursors of the page's ends.
import type { ListMember, Member, PageInfo } from "../../plan/read-plan.ts"
import { type Fragment, sql, where } from "../fragment.ts"
import type { TextPiece } from "../json-text.ts"
import type { Compilation } from "./compilation.ts"
import { isAfter } from "./keyset.ts"
import type { Limited, Listed, ListQuery } from "./list-source.ts"
import { orderBy, reversed, type SortPart } from "./order.ts"

export interface Page {
  /** JSON text of the array of rows that these members make. */
  rows(members: readonly Member[]): readonly TextPiece[]
  fact(fact: PageInfo): readonly TextPiece[]
  /** An expression: the text, which is made of the rows and facts, and what it is taken from; absent where each has that itself. */
  query?(pieces: readonly TextPiece[]): Fragment
}

/** The members of a list that are about its page. */
export interface RequestedPageInfo {
  readonly rows: readonly Extract<ListMember, { readonly kind: "rows" }>[]
  readonly facts: ReadonlySet<PageInfo>
  readonly needs: Needs
}

/** Needs of the facts: one row more than the page has, and the cursor of a row. */
interface Needs {
  readonly more: boolean
  readonly cursor: boolean
}

export function needsOf({ list: { page } }: ListQuery, facts: ReadonlySet<PageInfo>): Needs {
  const backward = page.direction === "backward"
  const has = (...names: readonly PageInfo[]): boolean => names.some((fact) => facts.has(fact))
  const open = backward ? page.after === undefined : page.before === undefined
  const behind = backward ? page.before !== undefined : page.after !== undefined
  const [ahead, aheadCursor, behindCursor] = backward
    ? (["hasPrevious", "previous", "next"] as const)
    : (["hasNext", "next", "previous"] as const)
  return {
    more: open && has(ahead, aheadCursor),
    cursor: has("startCursor", "endCursor", aheadCursor) || (behind && has(behindCursor)),
  }
}

/** The clauses from FROM on, without a limit: from the start of the page, from its end backward. */
export function rowsBetween(
  compilation: Compilation,
  query: ListQuery,
  listed: Listed,
  order: readonly SortPart[],
): Fragment {
  const clauses = clausesBetween(compilation, query, listed, order)
  return sql`FROM ${listed.source.from()}${clauses}`
}

/** The same without FROM. */
export function clausesBetween(
  compilation: Compilation,
  { list: { page } }: ListQuery,
  { conditions }: Listed,
  order: readonly SortPart[],
): Fragment {
  const { direction, after, before } = page
  const back = reversed(order)
  const between = [
    ...conditions,
    ...(after ? [isAfter(compilation, order, after)] : []),
    ...(before ? [isAfter(compilation, back, before)] : []),
  ]
  const sorted = orderBy(compilation, direction === "backward" ? back : order)
  return sql`${where(between)} ORDER BY ${sorted}`
}

export const same = (limit: number): number => limit
export const atMostOne = (limit: number): number => Math.min(limit, 1)
/** How many rows of a full page stand before its last. */
export const beforeLast = (limit: number): number => Math.max(0, limit - 1)

/** How the rows of a page that has been found are come by once more. */
export interface Ends {
  /** The text of the cursor of the first row that was found; NULL of no rows. */
  readonly first: () => Fragment
  /** The same of the last row. */
  readonly last: () => Fragment
  /** The same, where it is found sooner, of a full page; NULL of any other. */
  readonly end?: () => Fragment
  /** A condition: a row follows those of the page. */
  readonly follows: () => Fragment
  /** The text is an aggregate over the page's rows. */
  readonly aggregated: boolean
}

/** A page that is not full has no next row, so the database is not asked. @param next a condition */
export const ofFull = (limited: Limited, next: Fragment): Fragment =>
  sql`count(*) = ${limited(same)} AND ${next}`

export function pageInfoText(
  ends: Ends,
  { list: { page } }: ListQuery,
  fact: PageInfo,
): readonly TextPiece[] {
  const { direction, after, before } = page
  const backward = direction === "backward"
  const first = (): Fragment => sql`coalesce(${ends.first()}, 'null')`
  const end = ends.end ?? ends.last
  const last = (): Fragment =>
    ends.end ? sql`coalesce(${ends.end()}, ${ends.last()}, 'null')` : sql`coalesce(${ends.last()}, 'null')`
  // On the side the page grows to, rows may follow; on the other, only what the request said is known.
  const ahead = (beyond: unknown): readonly TextPiece[] =>
    beyond ? ["true"] : [sql`CASE WHEN ${ends.follows()} THEN 'true' ELSE 'false' END`]
  const aheadCursor = (beyond: unknown): readonly TextPiece[] =>
    beyond ? [last()] : [sql`CASE WHEN ${ends.follows()} THEN coalesce(${end()}, 'null') ELSE 'null' END`]
  const behind = (beyond: unknown): readonly TextPiece[] => [beyond ? "true" : "false"]
  const behindCursor = (beyond: unknown): readonly TextPiece[] => (beyond ? [first()] : ["null"])
  switch (fact) {
    case "hasNext":
      return backward ? behind(before) : ahead(before)
    case "hasPrevious":
      return backward ? ahead(after) : behind(after)
    case "next":
      return backward ? behindCursor(before) : aheadCursor(before)
    case "previous":
      return backward ? aheadCursor(after) : behindCursor(after)
    case "startCursor":
      return [backward ? last() : first()]
    case "endCursor":
      return [backward ? first() : last()]
  }
}

/** The rows with their number in the order that they come in. */
export function withNumbers(compilation: Compilation, rows: Fragment, number: Fragment): Fragment {
  const alias = compilation.alias()
  return sql`SELECT ${alias}.*, row_number() OVER () AS ${number} FROM ${rows} AS ${alias}`
}
