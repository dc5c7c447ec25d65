// A page read at once: the text of each row is made in the subquery that finds it, and the page's ends are picked from
// arrays of what its rows are ordered by. For a database that makes texts of the rows it keeps only.
import { present } from "../../base/invariant.ts"
import { cursorScope } from "../../plan/draft/cursor.ts"
import { type Fragment, sql, whole } from "../fragment.ts"
import { concatenated, type TextPiece } from "../json-text.ts"
import type { Compilation } from "./compilation.ts"
import { cursorText, rowItself } from "./keyset.ts"
import { type ListQuery, limitedBy, openListed } from "./list-source.ts"
import { sortParts } from "./order.ts"
import {
  clausesBetween,
  type Ends,
  ofFull,
  type Page,
  pageInfoText,
  type RequestedPageInfo,
  same,
  withNumbers,
} from "./page-info.ts"
import { openPage, type PageSource } from "./row.ts"

interface AskedAtOnce extends RequestedPageInfo {
  /** The statement says how large a page is at most. */
  readonly bounded: boolean
}

export function readAggregated(
  compilation: Compilation,
  query: ListQuery,
  { rows, needs, bounded }: AskedAtOnce,
): Page {
  const { resource, list } = query
  const listed = openListed(compilation, query)
  const { source } = listed
  const order = sortParts(compilation, source, list.order)
  const clauses = clausesBetween(compilation, query, listed, order)
  // Rows beyond the page are only counted, so nothing is joined to them but what they are ordered by.
  const unread = source.from()
  const limit = limitedBy(compilation, query)(same)
  const page = openPage(compilation, source)
  const scope = cursorScope(compilation.model, resource, list.order)
  const cursor = (): readonly TextPiece[] => cursorText(compilation, rowItself(source.row), order, scope)
  const items = new Map(
    rows.map(({ members }) => {
      const text = concatenated(compilation.dialect, query.rowText({ row: source.row, cursor }, members))
      return [members, page.carry(text, "item")]
    }),
  )
  const backward = list.page.direction === "backward"
  const number = page.fresh("number")
  const most = bounded ? sql` LIMIT ${whole(list.page.atMost + 1)}` : sql``
  const found = (): Fragment => {
    const all = sql`SELECT ${page.selected()} FROM ${source.from()}${clauses}`
    const rows = bounded
      ? sql`(SELECT * FROM (${all}${most}) AS ${page.alias} LIMIT ${limit})`
      : sql`(${all} LIMIT ${limit})`
    return page.fromRows(backward ? sql`(${withNumbers(compilation, rows, number)})` : rows)
  }
  // In each aggregate or in none: one that has it may hand its order on to those that have none.
  const inOrder = backward ? sql` ORDER BY ${page.alias}.${number} DESC` : sql``
  const endAt = (place: Fragment): Fragment => {
    const text = cursorText(compilation, pickedFrom(page, inOrder, place), order, scope)
    return sql`CASE WHEN count(*) > 0 THEN ${concatenated(compilation.dialect, text)} END`
  }
  const ends: Ends = {
    aggregated: true,
    first: () => endAt(backward ? sql`count(*)` : sql`1`),
    last: () => endAt(backward ? sql`1` : sql`count(*)`),
    follows: () =>
      ofFull(
        () => limit,
        sql`EXISTS (SELECT 1 FROM (SELECT 1 FROM ${unread}${clauses}${most}) AS ${page.alias} LIMIT 1 OFFSET ${limit})`,
      ),
  }
  // Neither the rows' number nor their ends are asked for: nothing but the rows' texts is an aggregate.
  const isWhole = items.size <= 1 && !needs.more && !needs.cursor
  const joined = new Set<TextPiece>()
  return {
    rows: (members) => {
      const item = present(items.get(members), "the page's rows were compiled")
      const all = sql`coalesce(string_agg(${item}, ','${inOrder}), '')`
      // By itself, so that what stands around it is one text with what stands around the list.
      const piece = isWhole ? sql`(SELECT ${all} FROM ${found()})` : all
      joined.add(piece)
      return ["[", piece, "]"]
    },
    fact: (fact) => pageInfoText(ends, query, fact),
    ...(!isWhole && {
      query: (pieces) =>
        sql`(SELECT ${concatenated(compilation.dialect, afterwards(compilation, pieces, joined))} FROM ${found()})`,
    }),
  }
}

/** Texts behind the rows are joined before they are put behind them, as each text put behind a long one copies that. */
function afterwards(
  { dialect }: Compilation,
  pieces: readonly TextPiece[],
  long: ReadonlySet<TextPiece>,
): readonly TextPiece[] {
  const next = pieces.findLastIndex((piece) => long.has(piece)) + 1
  return next === 0 ? pieces : [...pieces.slice(0, next), concatenated(dialect, pieces.slice(next))]
}

/** The page's rows as arrays, of which one place is read. */
function pickedFrom(page: PageSource, inOrder: Fragment, place: Fragment): Pick<PageSource, "row" | "carry"> {
  const pick = (column: Fragment): Fragment => sql`(array_agg(${column}${inOrder}))[${place}]`
  return {
    row: { ...page.row, column: (column) => pick(page.row.column(column)) },
    carry: (expression, called) => pick(page.carry(expression, called)),
  }
}
