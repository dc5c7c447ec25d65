// A page whose rows have to be sorted: a subquery finds them, with what is needed of them, before anything is joined to
// them or made into text. It runs once, however often its rows are read.
import { present } from "../base/invariant.ts"
import { cursorScope } from "../plan/cursor.ts"
import type { Compilation } from "./compilation.ts"
import { type Fragment, sql, whole } from "./fragment.ts"
import { arrayText, concatenated, type TextPiece } from "./json-text.ts"
import { cursorText } from "./keyset.ts"
import { type ListQuery, openListed } from "./listed.ts"
import { type SortPart, sortParts } from "./order.ts"
import { endsByKey, keyOf } from "./page-by-key.ts"
import {
  type Asked,
  atMostOne,
  beforeLast,
  factText,
  type Limited,
  limitedBy,
  type Page,
  rowsBetween,
  same,
  withNumbers,
} from "./page-facts.ts"
import { openPage, type PageSource } from "./row.ts"

export function cutOut(compilation: Compilation, query: ListQuery, { rows, needs }: Asked): Page {
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
  // Only now is it known which columns the page has, and whether others are joined to it.
  const isSorted = rows.length > 0 && (backward || (page.joined() && !dialect.habits.keepOrder))
  const number = page.fresh("number")
  const between = rowsBetween(compilation, query, listed, order)
  const cut = (limit: Fragment): Fragment => {
    const all = sql`SELECT ${page.selected()} ${between}`
    const subquery = dialect.habits.boundsAll
      ? sql`SELECT * FROM (${all} LIMIT ${whole(list.page.atMost + 1)}) AS ${page.alias} LIMIT ${limit}`
      : sql`${all} LIMIT ${limit}`
    return isSorted ? withNumbers(compilation, sql`(${subquery})`, number) : subquery
  }
  const limited = limitedBy(compilation, query)
  const found = findRows({ compilation, query, cut, limited }, needs)
  const numbered = isSorted ? found.page : sql`(${withNumbers(compilation, found.page, number)})`
  // A page of no rows has no first one, though one may follow it.
  const at = (offset: Fragment): Fragment =>
    sql`(SELECT ${cursors} FROM ${found.single} AS ${page.alias} LIMIT ${limited(atMostOne)} OFFSET ${offset})`
  const walk = {
    limited,
    first: () => at(sql`0`),
    end: () => at(limited(beforeLast)),
    last: () =>
      sql`(SELECT ${cursors} FROM ${numbered} AS ${page.alias} ORDER BY ${page.alias}.${number} DESC LIMIT 1)`,
    follows: () =>
      sql`EXISTS (SELECT 1 FROM ${found.withNext} AS ${page.alias} LIMIT 1 OFFSET ${limited(same)})`,
    aggregated: rows.length > 0,
  }
  const ends = byKey
    ? endsByKey(compilation, query, byKey.key, { ...byKey, scope, limited, follows: walk.follows })
    : walk
  return {
    rows: (members) => {
      const text = concatenated(dialect, present(texts.get(members), "the page's rows were compiled"))
      const direction = backward ? sql` DESC` : sql``
      return arrayText(text, isSorted ? sql` ORDER BY ${page.alias}.${number}${direction}` : sql``)
    },
    fact: (fact) => factText(ends, query, fact),
    query: (pieces) => {
      const text = concatenated(dialect, pieces)
      if (!ends.aggregated && !needs.more && !needs.cursor) return text
      const from = ends.aggregated ? sql` FROM ${page.fromRows(found.page)}` : sql``
      return sql`(${found.before}SELECT ${text}${from})`
    },
  }
}

/** Where the rows would be found again for each end: those of one record, forward. */
function keyed(
  compilation: Compilation,
  query: ListQuery,
  {
    order,
    page,
    needs,
    rows,
  }: Pick<Asked, "needs" | "rows"> & { readonly order: readonly SortPart[]; readonly page: PageSource },
): { readonly key: SortPart; readonly value: Fragment } | undefined {
  if (isRemembered(compilation, query) || rows.length === 0 || !(needs.more || needs.cursor)) return undefined
  const key = query.list.page.direction === "backward" ? undefined : keyOf(compilation, order)
  return key?.own === undefined ? undefined : { key, value: page.row.column(key.own) }
}

/** Found once and read several times, unless the database would find them again for each reading all the same. */
const isRemembered = ({ dialect }: Compilation, { owner }: ListQuery): boolean =>
  owner === undefined || dialect.habits.rememberRows

interface Found {
  /** What comes before SELECT. */
  readonly before: Fragment
  /** For FROM: the rows of the page, and these with the one that may follow, in their order. */
  readonly page: Fragment
  readonly withNext: Fragment
  /** For FROM where a row is wanted by its number, which a limit of its own would only delay. */
  readonly single: Fragment
}

interface Finding {
  readonly compilation: Compilation
  readonly query: ListQuery
  readonly cut: (limit: Fragment) => Fragment
  readonly limited: Limited
}

function findRows({ compilation, query, cut, limited }: Finding, { more, cursor }: Asked["needs"]): Found {
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
