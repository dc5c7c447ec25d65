// A page whose rows an index hands out in their order: the text of each is made where it is found, and the ends of the
// page are found by going along the index once more, which reads little of the rows.
import { present } from "../../base/invariant.ts"
import { cursorScope } from "../../plan/draft/cursor.ts"
import { commas, type Fragment, name, sql } from "../fragment.ts"
import { concatenated, type TextPiece } from "../json-text.ts"
import type { Compilation } from "./compilation.ts"
import { cursorText, rowItself } from "./keyset.ts"
import { type Limited, type ListQuery, limitedBy, openListed } from "./list-source.ts"
import { sortParts } from "./order.ts"
import {
  beforeLast,
  type Ends,
  ofFull,
  type Page,
  pageInfoText,
  type RequestedPageInfo,
  rowsBetween,
  same,
  withNumbers,
} from "./page-info.ts"
import { endsByKeyBounds, type KeyedRows, keyName, keyOf } from "./page-key-bounds.ts"
import { openPage } from "./row.ts"

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

interface Walk {
  readonly scope: string
  readonly limited: Limited
  readonly aggregated: boolean
}

function walkOn(
  compilation: Compilation,
  query: ListQuery,
  { scope, limited, aggregated }: Walk,
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
