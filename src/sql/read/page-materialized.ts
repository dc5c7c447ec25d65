// A page whose rows have to be sorted: a subquery selects the rows with the columns that they need, before joins and
// JSON text. The subquery runs once, even if its rows are read several times.
import { present } from "../../base/invariant.ts"
import { isIndexScan } from "../../plan/cost/access-paths.ts"
import { cursorScope } from "../../plan/draft/cursor.ts"
import { commas, type Fragment, name, sameFragment, sql, where, whole } from "../fragment.ts"
import { arrayText, concatenated, type TextPiece } from "../json-text.ts"
import type { Compilation, Row } from "./compilation.ts"
import {
  atMostOne,
  beforeLast,
  cursorText,
  type Ends,
  ofFull,
  type Page,
  pageInfoText,
  type RequestedPageInfo,
  rowItself,
  rowsBetween,
  same,
  withNumbers,
} from "./keyset.ts"
import {
  type Limited,
  type Listed,
  type ListQuery,
  limitedBy,
  listedAs,
  manyRelated,
  openListed,
} from "./list-source.ts"
import { orderBy, type SortPart, sortParts } from "./order.ts"
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

/** UNION ALL of both ways. The one that is not chosen has a limit of 0 and does not run. */
function eitherWay(
  { dialect, alias }: Compilation,
  { isMany, each, few }: Ways,
  {
    all,
    most,
    limit,
  }: { readonly all: (from: Listed) => Fragment; readonly most: Fragment; readonly limit: Fragment },
): Fragment {
  const [chosen, many] = [alias(), name("many")]
  const some = (from: Listed, isWanted: Fragment): Fragment => {
    const wanted = sql`(SELECT CASE WHEN ${isWanted} THEN ${limit} ELSE 0 END FROM ${chosen})`
    return sql`SELECT * FROM (${dialect.related.startOf(all(from), wanted, { most, alias: alias() })}) AS ${alias()}`
  }
  return sql`WITH ${chosen} AS MATERIALIZED (SELECT ${isMany} AS ${many}) ${some(each, many)} UNION ALL ${some(few, sql`NOT ${many}`)}`
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
): { readonly isOnPage: Fragment; readonly follows: Fragment } | undefined {
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

// A page whose rows an index gives in their order: the text of each row is made where the row is found. A second scan
// of the index, which reads little of the rows, finds the page's ends.
export function readByIndexScan(
  compilation: Compilation,
  query: ListQuery,
  { rows, needs }: RequestedPageInfo,
): Page {
  const limited = limitedBy(compilation, query)
  const listed = openListed(compilation, query)
  const { row } = listed.source
  const order = sortParts(compilation, listed.source, query.list.order)
  const scope = cursorScope(compilation.model, query.resource, query.list.order)
  const cursor = (): readonly TextPiece[] => cursorText(compilation, rowItself(row), order, scope)
  const alias = compilation.alias()
  const items = rows.map(({ members }, index) => ({
    members,
    called: name(index === 0 ? "item" : `item${index + 1}`),
    text: concatenated(compilation.dialect, query.rowText({ row, cursor }, members)),
  }))
  const walk = walkOn(compilation, query, { scope, limited, aggregated: rows.length > 0 })
  const key = rows.length > 0 && (needs.more || needs.cursor) ? keyOf(compilation, order) : undefined
  const keyed = (): KeyedRows => ({ value: sql`${alias}.${keyName}`, scope, limited, next: walk.next })
  const ends = key ? endsByKeyBounds(compilation, query, key, keyed()) : walk
  // Nothing but the rows' texts is an aggregate.
  const isWhole = items.length <= 1 && !needs.more && !needs.cursor
  const found = (): Fragment => {
    const selected = commas([
      ...items.map((item) => sql`${item.text} AS ${item.called}`),
      ...(key ? [sql`${key.value} AS ${keyName}`] : []),
    ])
    const between = rowsBetween(compilation, query, listed, order)
    return sql`(SELECT ${selected} ${between} LIMIT ${limited(same)}) AS ${alias}`
  }
  return {
    rows: (wanted) => {
      const item = items.find(({ members }) => members === wanted)
      const { called } = present(item, "the page's rows were compiled")
      const all = sql`coalesce(string_agg(${alias}.${called}, ','), '')`
      return ["[", isWhole ? sql`(SELECT ${all} FROM ${found()})` : all, "]"]
    },
    fact: (fact) => pageInfoText(ends, query, fact),
    ...(!isWhole && {
      query: (pieces) => {
        const text = concatenated(compilation.dialect, pieces)
        return items.length === 0 ? text : sql`(SELECT ${text} FROM ${found()})`
      },
    }),
  }
}

function walkOn(
  compilation: Compilation,
  query: ListQuery,
  {
    scope,
    limited,
    aggregated,
  }: { readonly scope: string; readonly limited: Limited; readonly aggregated: boolean },
): Ends & Pick<KeyedRows, "next"> {
  const listed = openListed(compilation, query)
  const order = sortParts(compilation, listed.source, query.list.order)
  const page = openPage(compilation, listed.source)
  const cursors = (): Fragment =>
    concatenated(compilation.dialect, cursorText(compilation, page, order, scope))
  const between = rowsBetween(compilation, query, listed, order)
  const number = page.fresh("number")
  const cursorOf = (rows: () => Fragment): Fragment => {
    const text = cursors() // Says which columns the rows need.
    return sql`SELECT ${text} FROM (${rows()}) AS ${page.alias}`
  }
  const numbered = (): Fragment =>
    withNumbers(compilation, sql`(SELECT ${page.selected()} ${between} LIMIT ${limited(same)})`, number)
  // A page of no rows has no ends.
  const one = (): Fragment => limited((limit) => Math.min(1, limit))
  const at = (offset: Fragment): Fragment =>
    sql`(${cursorOf(() => sql`SELECT ${page.selected()} ${between} LIMIT ${one()} OFFSET ${offset}`)})`
  const next = (): Fragment => sql`EXISTS (SELECT 1 ${between} LIMIT 1 OFFSET ${limited(same)})`
  return {
    aggregated,
    first: () => at(sql`0`),
    end: () => at(limited(beforeLast)),
    last: () => sql`(${cursorOf(numbered)} ORDER BY ${page.alias}.${number} DESC LIMIT 1)`,
    next,
    follows: () => (aggregated ? ofFull(limited, next()) : next()),
  }
}

// The ends of a page that is ordered by one column without missing values: the least and greatest value of its rows.
// Rows follow if one is beyond. A second scan of the index would read every row again for a rule, or for another
// condition that the index does not hold.

/** The page's rows, as the query around them sees them. */
interface KeyedRows {
  /** The value that they are ordered by. */
  readonly value: Fragment
  readonly scope: string
  readonly limited: Limited
  /** A condition: a row follows a full page; for one of no rows. */
  readonly next: () => Fragment
}

/** The column by which the page is ordered, and by nothing else; undefined where its values alone do not tell the order. */
function keyOf({ dialect }: Compilation, order: readonly SortPart[]): SortPart | undefined {
  const [key, ...others] = order
  if (!key || others.length > 0 || key.own === undefined || key.nulls !== undefined) return undefined
  return dialect.trusts(key.type) && sameFragment(key.value, key.column) ? key : undefined
}

/** The name under which a page's rows hand on their key. */
const keyName = name("key")

/** For a forward page whose rows are aggregated. */
function endsByKeyBounds(
  compilation: Compilation,
  query: ListQuery,
  key: SortPart,
  { value, scope, limited, next: nextOfNone }: KeyedRows,
): Ends {
  const [least, greatest] = [sql`min(${value})`, sql`max(${value})`]
  const [first, last] = key.descending ? [greatest, least] : [least, greatest]
  const listed = openListed(compilation, query)
  const order = sortParts(compilation, listed.source, query.list.order)
  const cursor = (end: Fragment): Fragment => {
    const row = { ...listed.source.row, column: () => end }
    const text = cursorText(compilation, { row, carry: () => end }, order, scope)
    return sql`CASE WHEN count(*) > 0 THEN ${concatenated(compilation.dialect, text)} END`
  }
  const beyond = (): Fragment => {
    const [{ value: next } = key] = order
    // In SQLite a condition takes no aggregate of the query around it, but as a subquery.
    const past = key.descending ? sql`${next} < (SELECT ${last})` : sql`${next} > (SELECT ${last})`
    const conditions = where([...listed.conditions, past])
    return sql`EXISTS (SELECT 1 FROM ${listed.source.from()}${conditions} ORDER BY ${orderBy(compilation, order)} LIMIT 1)`
  }
  return {
    aggregated: true,
    first: () => cursor(first),
    last: () => cursor(last),
    follows: () =>
      ofFull(limited, sql`CASE WHEN ${limited(same)} > 0 THEN ${beyond()} ELSE ${nextOfNone()} END`),
  }
}
