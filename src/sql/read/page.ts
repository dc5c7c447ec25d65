// Pages: the rows between two positions as an array, with their surroundings. The order decides how the rows are found.
// page-materialized.ts reads rows that have to be sorted, and orders by an index of SQLite. Orders by an index of PostgreSQL
// are read below.

import { present } from "../../base/invariant.ts"
import { dependsOnValues, isIndexScan, isKeyLookup, type Subjected } from "../../plan/cost/access-paths.ts"
import { cursorScope } from "../../plan/draft/cursor.ts"
import type { ListMember, Member, PageInfo } from "../../plan/read-plan.ts"
import { type Fragment, sql, whole } from "../fragment.ts"
import { concatenated, type TextPiece } from "../json-text.ts"
import { type Compilation, resourceOf } from "./compilation.ts"
import {
  clausesBetween,
  cursorText,
  type Ends,
  needsOf,
  ofFull,
  type Page,
  pageInfoText,
  type RequestedPageInfo,
  rowItself,
  same,
  withNumbers,
} from "./keyset.ts"
import { type ListQuery, limitedBy, openListed } from "./list-source.ts"
import { sortParts } from "./order.ts"
import { materialize, readByIndexScan } from "./page-materialized.ts"
import { isRuled, openPage, type PageSource } from "./row.ts"
import { toOne } from "./subject.ts"

/** The page that the members need; undefined when none of them is about the page. */
export function compilePage(compilation: Compilation, query: ListQuery): Page | undefined {
  const members = flatten(query.list.members)
  const rows = members.flatMap((member) => (member.kind === "rows" ? [member] : []))
  const facts = new Set(
    members.flatMap((member): PageInfo[] => (member.kind === "page" ? [member.fact] : [])),
  )
  if (rows.length + facts.size === 0) return undefined
  const asked: RequestedPageInfo = { rows, facts, needs: needsOf(query, facts) }
  const { model, dialect } = compilation
  const subjected = subjectOf(query)
  const inOrder = isIndexScan(model, subjected)
  if (dialect.habits.readAtOnce && (inOrder || isKeyLookup(subjected))) {
    const bounded = dialect.habits.boundsAll || !dependsOnValues(model, subjected)
    return readAggregated(compilation, query, { ...asked, bounded })
  }
  const sieved =
    dialect.habits.sievesJoined && rows.some(({ members }) => joinsRuled(compilation, query, members))
  if (!inOrder || sieved) return materialize(compilation, query, asked)
  // Backward, the array is turned round, for which the rows are numbered.
  return query.list.page.direction === "backward"
    ? materialize(compilation, query, asked)
    : readByIndexScan(compilation, query, asked)
}

const flatten = (members: readonly ListMember[]): readonly ListMember[] =>
  members.flatMap((member) => (member.kind === "object" ? flatten(member.members) : [member]))

/** Whether the query joins records of a resource whose rule may hide some of them. */
const joinsRuled = (
  compilation: Compilation,
  { resource }: Pick<ListQuery, "resource">,
  members: readonly Member[],
): boolean =>
  members.some((member) => {
    if (member.kind === "object") return joinsRuled(compilation, { resource }, member.members)
    if (member.kind !== "one") return false
    const target = resourceOf(compilation, toOne(resource, member.relation).target)
    return isRuled(compilation, target) || joinsRuled(compilation, { resource: target }, member.members)
  })

const subjectOf = ({ resource, list, owner }: ListQuery): Subjected => ({
  resource,
  list,
  ...(owner && { owner: { resource: owner.row.resource, relation: owner.relation } }),
})

// A page read at once: the subquery that finds a row makes its text. Arrays of the ordering values give the page's
// ends. This is for a database that makes texts only for the rows that it keeps.
interface AskedAtOnce extends RequestedPageInfo {
  /** The statement says how large a page is at most. */
  readonly bounded: boolean
}

function readAggregated(
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
      // A subquery of its own, so that the text around it is one text with the text around the list.
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

/** The page's rows as arrays, read at one place. */
function pickedFrom(page: PageSource, inOrder: Fragment, place: Fragment): Pick<PageSource, "row" | "carry"> {
  const pick = (column: Fragment): Fragment => sql`(array_agg(${column}${inOrder}))[${place}]`
  return {
    row: { ...page.row, column: (column) => pick(page.row.column(column)) },
    carry: (expression, called) => pick(page.carry(expression, called)),
  }
}
