// The ends of a page in the order of one column that no row is without: the greatest and least value that its rows have,
// and rows follow when there is one beyond. Going along the index once more would read every row again as soon as a rule,
// or another condition that the index does not hold, has to be looked at.

import { type Fragment, name, sameFragment, sql, where } from "../fragment.ts"
import { concatenated } from "../json-text.ts"
import type { Compilation } from "./compilation.ts"
import { cursorText } from "./keyset.ts"
import { type Limited, type ListQuery, openListed } from "./list-source.ts"
import { orderBy, type SortPart, sortParts } from "./order.ts"
import { type Ends, ofFull, same } from "./page-info.ts"

/** The page's rows, as the query around them sees them. */
export interface KeyedRows {
  /** The value that they are ordered by. */
  readonly value: Fragment
  readonly scope: string
  readonly limited: Limited
  /** A condition: a row follows a full page; for one of no rows. */
  readonly next: () => Fragment
}

/** The column by which the page is ordered, and by nothing else; undefined where its values alone do not tell the order. */
export function keyOf({ dialect }: Compilation, order: readonly SortPart[]): SortPart | undefined {
  const [key, ...others] = order
  if (!key || others.length > 0 || key.own === undefined || key.nulls !== undefined) return undefined
  return dialect.trusts(key.type) && sameFragment(key.value, key.column) ? key : undefined
}

/** The name under which a page's rows hand on their key. */
export const keyName = name("key")

/** For a forward page whose rows are aggregated. */
export function endsByKeyBounds(
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
