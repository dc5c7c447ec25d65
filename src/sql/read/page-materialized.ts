// A page whose rows have to be sorted: a subquery selects the rows with the columns that they need, before joins and JSON
// text. It runs once, even if its rows are read several times.

import { present } from "../../base/invariant.ts"
import { isIndexScan } from "../../plan/cost/access-paths.ts"
import { cursorScope } from "../../plan/draft/cursor.ts"
import { type Fragment, name, sql, whole } from "../fragment.ts"
import { arrayText, concatenated, type TextPiece } from "../json-text.ts"
import type { Compilation, Row } from "./compilation.ts"
import { cursorText } from "./keyset.ts"
import {
  type Limited,
  type Listed,
  type ListQuery,
  limitedBy,
  listedAs,
  manyRelated,
  openListed,
} from "./list-source.ts"
import { type SortPart, sortParts } from "./order.ts"
import {
  atMostOne,
  beforeLast,
  ofFull,
  type Page,
  pageInfoText,
  type RequestedPageInfo,
  rowsBetween,
  same,
  withNumbers,
} from "./page-info.ts"
import { endsByKeyBounds, keyOf } from "./page-key-bounds.ts"
import { openPage, type PageSource } from "./row.ts"

export function materialize(
  compilation: Compilation,
  query: ListQuery,
  { rows, needs }: RequestedPageInfo,
): Page {
  const { dialect } = compilation
  const { list, resource } = query
  const backward = list.page.direction === "backward"
  const listed = openListed(compilation, query)
  const order = sortParts(compilation, listed.source, list.order)
  const page = openPage(compilation, listed.source)
  const scope = cursorScope(compilation.model, resource, list.order)
  const cursor = (): readonly TextPiece[] => cursorText(compilation, page, order, scope)
  const texts = new Map(
    rows.map(({ members }) => [members, query.rowText({ row: page.row, cursor }, members)]),
  )
  const cursors = needs.cursor ? concatenated(dialect, cursor()) : sql`NULL`
  const byKey = keyed(compilation, query, { order, page, needs, rows })
  // The texts above decide which columns and joins the page needs.
  const isSorted = rows.length > 0 && (backward || (page.joined() && !dialect.habits.keepOrder))
  const number = page.fresh("number")
  const limited = limitedBy(compilation, query)
  const ways = weigh(compilation, query, listed)
  const most = whole(list.page.atMost + 1)
  const cut = (limit: Fragment): Fragment => {
    const all = (from: Listed): Fragment =>
      sql`SELECT ${page.selected()} ${rowsBetween(compilation, query, from, order)}`
    const subquery = ways
      ? eitherWay(compilation, ways, { all, most, limit })
      : dialect.habits.boundsAll
        ? sql`SELECT * FROM (${all(listed)} LIMIT ${most}) AS ${page.alias} LIMIT ${limit}`
        : sql`${all(listed)} LIMIT ${limit}`
    return isSorted ? withNumbers(compilation, sql`(${subquery})`, number) : subquery
  }
  const found = findRows({ compilation, query, cut, limited }, needs)
  const apart = isSorted
    ? undefined
    : tellApart({ compilation, query, page, order, found, limited }, { rows, needs })
  const numbered = isSorted ? found.page : sql`(${withNumbers(compilation, found.page, number)})`
  // A page of no rows has no first one, though one may follow it.
  const at = (offset: Fragment): Fragment =>
    sql`(SELECT ${cursors} FROM ${found.single} AS ${page.alias} LIMIT ${limited(atMostOne)} OFFSET ${offset})`
  const next = (): Fragment =>
    sql`EXISTS (SELECT 1 FROM ${found.withNext} AS ${page.alias} LIMIT 1 OFFSET ${limited(same)})`
  const walk = {
    first: () => at(sql`0`),
    end: () => at(limited(beforeLast)),
    last: () =>
      sql`(SELECT ${cursors} FROM ${numbered} AS ${page.alias} ORDER BY ${page.alias}.${number} DESC LIMIT 1)`,
    follows: () => apart?.follows ?? (rows.length > 0 ? ofFull(limited, next()) : next()),
    aggregated: rows.length > 0,
  }
  const ends = byKey
    ? endsByKeyBounds(compilation, query, byKey.key, { ...byKey, scope, limited, next })
    : walk
  return {
    rows: (members) => {
      const text = concatenated(dialect, present(texts.get(members), "the page's rows were compiled"))
      const direction = backward ? sql` DESC` : sql``
      const sorted = isSorted ? sql` ORDER BY ${page.alias}.${number}${direction}` : sql``
      return arrayText(text, sorted, apart?.isOnPage)
    },
    fact: (fact) => pageInfoText(ends, query, fact),
    query: (pieces) => {
      const text = concatenated(dialect, pieces)
      if (!ends.aggregated && !needs.more && !needs.cursor) return text
      const from = ends.aggregated ? sql` FROM ${page.fromRows(apart ? found.withNext : found.page)}` : sql``
      return sql`(${found.before}SELECT ${text}${from})`
    },
  }
}

interface Choosing {
  readonly all: (from: Listed) => Fragment
  readonly most: Fragment
  readonly limit: Fragment
}

/** UNION ALL of both ways. The one that is not chosen has a limit of 0 and does not run. */
function eitherWay(
  { dialect, alias }: Compilation,
  { isMany, each, few }: Ways,
  { all, most, limit }: Choosing,
): Fragment {
  const [chosen, many] = [alias(), name("many")]
  const some = (from: Listed, isWanted: Fragment): Fragment => {
    const wanted = sql`(SELECT CASE WHEN ${isWanted} THEN ${limit} ELSE 0 END FROM ${chosen})`
    return sql`SELECT * FROM (${dialect.related.startOf(all(from), wanted, { most, alias: alias() })}) AS ${alias()}`
  }
  return sql`WITH ${chosen} AS MATERIALIZED (SELECT ${isMany} AS ${many}) ${some(each, many)} UNION ALL ${some(few, sql`NOT ${many}`)}`
}

interface Apart {
  readonly isOnPage: Fragment
  readonly follows: Fragment
}

interface Telling {
  readonly compilation: Compilation
  readonly query: ListQuery
  readonly page: PageSource
  readonly order: readonly SortPart[]
  readonly found: Found
  readonly limited: Limited
}

/**
 * Excludes the row after the page by its key, where rows are read in the order of the subquery. A second LIMIT would copy each
 * column of each row once more. Undefined where the second LIMIT is needed.
 */
function tellApart(
  { compilation, query, page, order, found, limited }: Telling,
  { rows, needs }: Pick<RequestedPageInfo, "rows" | "needs">,
): Apart | undefined {
  const { dialect } = compilation
  // Joins would read the row after the page too.
  if (rows.length === 0 || !needs.more || !needs.cursor || page.joined() || dialect.habits.boundsAll)
    return undefined
  const key = isRemembered(compilation, query) ? singleKeyIn(query, order) : undefined
  if (key === undefined) return undefined
  const value = page.row.column(key)
  const beyond = sql`(SELECT ${value} FROM ${found.withNext} AS ${page.alias} LIMIT 1 OFFSET ${limited(same)})`
  return { isOnPage: sql`${value} IS DISTINCT FROM ${beyond}`, follows: sql`count(*) > ${limited(same)}` }
}

/** The key's column, with which every total order ends; undefined for a key of several columns. */
function singleKeyIn({ list }: ListQuery, order: readonly SortPart[]): string | undefined {
  const last = list.order.length - 1
  const term = list.order[last]
  if (term?.subject.kind !== "id" || term.path.length > 0) return undefined
  const [part, ...others] = order.filter((one) => one.term === last)
  return others.length > 0 ? undefined : part?.own
}

/** Where each end would run the subquery again: a forward list within one record. */
function keyed(
  compilation: Compilation,
  query: ListQuery,
  {
    order,
    page,
    needs,
    rows,
  }: Pick<RequestedPageInfo, "needs" | "rows"> & {
    readonly order: readonly SortPart[]
    readonly page: PageSource
  },
): { readonly key: SortPart; readonly value: Fragment } | undefined {
  if (isRemembered(compilation, query) || rows.length === 0 || !(needs.more || needs.cursor)) return undefined
  const key = query.list.page.direction === "backward" ? undefined : keyOf(compilation, order)
  return key?.own === undefined ? undefined : { key, value: page.row.column(key.own) }
}

/** The subquery runs once for all readings; SQLite runs one that depends on an outer row again each time. */
const isRemembered = ({ dialect }: Compilation, { owner }: ListQuery): boolean =>
  owner === undefined || dialect.habits.rememberRows

interface Found {
  /** The clauses before SELECT. */
  readonly before: Fragment
  /** For FROM: the rows of the page, and these with the one that may follow, in their order. */
  readonly page: Fragment
  readonly withNext: Fragment
  /** For FROM where one row is read by its offset, so that the page needs no limit of its own. */
  readonly single: Fragment
}

interface Finding {
  readonly compilation: Compilation
  readonly query: ListQuery
  readonly cut: (limit: Fragment) => Fragment
  readonly limited: Limited
}

function findRows(
  { compilation, query, cut, limited }: Finding,
  { more, cursor }: RequestedPageInfo["needs"],
): Found {
  const [limit, withNext] = [limited(same), limited((value) => value + 1)]
  if (!isRemembered(compilation, query) || !(more || cursor)) return foundAnew(cut(limit), cut(withNext))
  const name = compilation.alias()
  const before = sql`WITH ${name} AS MATERIALIZED (${cut(more ? withNext : limit)}) `
  const page = more ? sql`(SELECT * FROM ${name} LIMIT ${limit})` : name
  return { before, page, withNext: name, single: name }
}

function foundAnew(rows: Fragment, more: Fragment): Found {
  const page = sql`(${rows})`
  return { before: sql``, page, withNext: sql`(${more})`, single: page }
}

/** Two ways to the rows of a list, and the condition that chooses `each`. */
interface Ways {
  readonly isMany: Fragment
  readonly each: Listed
  readonly few: Listed
}

/** Undefined where no index gives the order: then all rows are read anyway. */
function weigh(compilation: Compilation, query: ListQuery, listed: Listed): Ways | undefined {
  if (query.owner) return undefined
  const { access: _, ...resource } = query.resource
  const { where: __, ...list } = query.list
  if (!isIndexScan(compilation.model, { resource, list })) return undefined
  const isMany = manyRelated(compilation, query)
  const asked = (how: Row["asked"]): Listed => listedAs(compilation, query, listed, how)
  return isMany && { isMany, each: asked("each"), few: asked("few") }
}
