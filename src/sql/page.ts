// Pages: the rows between two positions, cut out by a subquery before anything is joined to them or made into text.
import { present } from "../base/invariant.ts"
import { cursorScope } from "../plan/cursor.ts"
import type { ListMember, Member, PageFact } from "../plan/types.ts"
import type { ColumnType } from "./column-type.ts"
import { type Compilation, operand } from "./compilation.ts"
import { type Fragment, sql, where } from "./fragment.ts"
import { arrayText, concatenated, type TextPiece } from "./json-text.ts"
import { cursorText, isAfter } from "./keyset.ts"
import { type ListQuery, openListed } from "./listed.ts"
import { orderBy, reversed, sortParts } from "./order.ts"
import { openPage } from "./row.ts"

export interface Page {
  /** JSON text of the array of rows that these members make. */
  rows(members: readonly Member[]): readonly TextPiece[]
  fact(fact: PageFact): readonly TextPiece[]
  /** An expression: the text, which is made of the rows and facts, and what it is taken from. */
  query(text: Fragment): Fragment
}

type RowsMember = Extract<ListMember, { readonly kind: "rows" }>

/** The page that the members speak of; undefined when none of them does. */
export function compilePage(compilation: Compilation, query: ListQuery): Page | undefined {
  const members = flatten(query.list.members)
  const rows = members.flatMap((member) => (member.kind === "rows" ? [member] : []))
  const facts = new Set(members.flatMap((member) => (member.kind === "page" ? [member.fact] : [])))
  return rows.length + facts.size === 0 ? undefined : cutPage(compilation, query, { rows, facts })
}

const flatten = (members: readonly ListMember[]): readonly ListMember[] =>
  members.flatMap((member) => (member.kind === "object" ? flatten(member.members) : [member]))

interface Asked {
  readonly rows: readonly RowsMember[]
  readonly facts: ReadonlySet<PageFact>
}

function cutPage(compilation: Compilation, query: ListQuery, { rows, facts }: Asked): Page {
  const { dialect } = compilation
  const { list, resource } = query
  const backward = list.page.direction === "backward"
  const { source, conditions } = openListed(compilation, query)
  const order = sortParts(compilation, source, list.order)
  const page = openPage(compilation, source)
  const scope = cursorScope(compilation.model, resource, list.order)
  const cursor = (): readonly TextPiece[] => cursorText(compilation, page, order, scope)
  const texts = new Map(
    rows.map(({ members }) => [members, query.rowText({ row: page.row, cursor }, members)]),
  )
  const needs = needsOf(query, facts)
  const cursors = needs.cursor ? concatenated(dialect, cursor()) : sql`NULL`
  // Only now is it known which columns the page has, and whether others are joined to it.
  const isSorted = rows.length > 0 && (backward || (page.joined() && !dialect.habits.keepOrder))
  const number = page.fresh("number")
  const between = rowsBetween({ compilation, query, conditions, source, order })
  const cut = (limit: Fragment): Fragment => {
    const subquery = sql`SELECT ${page.selected()} ${between} LIMIT ${limit}`
    return isSorted ? withNumbers(compilation, sql`(${subquery})`, number) : subquery
  }
  const found = findRows({ compilation, query, cut }, needs)
  const numbered = isSorted ? found.page : sql`(${withNumbers(compilation, found.page, number)})`
  const last = sql`SELECT ${cursors} FROM ${numbered} AS ${page.alias} ORDER BY ${page.alias}.${number} DESC LIMIT 1`
  const aggregated = rows.length > 0
  return {
    rows: (members) => {
      const text = concatenated(dialect, present(texts.get(members), "the page's rows were compiled"))
      const direction = backward ? sql` DESC` : sql``
      return arrayText(text, isSorted ? sql` ORDER BY ${page.alias}.${number}${direction}` : sql``)
    },
    fact: (fact) => factText({ found, alias: page.alias, cursors, last, query, aggregated }, fact),
    query: (text) => {
      if (!aggregated && !needs.more && !needs.cursor) return text
      const from = aggregated ? sql` FROM ${page.fromRows(found.page)}` : sql``
      return sql`(${found.before}SELECT ${text}${from})`
    },
  }
}

function withNumbers(compilation: Compilation, rows: Fragment, number: Fragment): Fragment {
  const alias = compilation.alias()
  return sql`SELECT ${alias}.*, row_number() OVER () AS ${number} FROM ${rows} AS ${alias}`
}

const counted: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/** What the facts take: one row more than the page has, and the cursor of a row. */
interface Needs {
  readonly more: boolean
  readonly cursor: boolean
}

function needsOf({ list: { page } }: ListQuery, facts: ReadonlySet<PageFact>): Needs {
  const backward = page.direction === "backward"
  const has = (...names: readonly PageFact[]): boolean => names.some((fact) => facts.has(fact))
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

interface Cut {
  readonly compilation: Compilation
  readonly query: ListQuery
  readonly conditions: readonly Fragment[]
  readonly source: ReturnType<typeof openListed>["source"]
  readonly order: ReturnType<typeof sortParts>
}

/** From the start of the page: from its end, backward. */
function rowsBetween({ compilation, query, conditions, source, order }: Cut): Fragment {
  const { direction, after, before } = query.list.page
  const back = reversed(order)
  const between = [
    ...conditions,
    ...(after ? [isAfter(compilation, order, after)] : []),
    ...(before ? [isAfter(compilation, back, before)] : []),
  ]
  const sorted = orderBy(compilation, direction === "backward" ? back : order)
  return sql`FROM ${source.from()}${where(between)} ORDER BY ${sorted}`
}

interface Found {
  /** What comes before SELECT. */
  readonly before: Fragment
  /** For FROM: the rows of the page, and these with the one that may follow, in their order. */
  readonly page: Fragment
  readonly withNext: Fragment
  /** A number made of the limit, which is bound. */
  readonly limited: (pick: (limit: number) => number) => Fragment
}

interface Finding {
  readonly compilation: Compilation
  readonly query: ListQuery
  readonly cut: (limit: Fragment) => Fragment
}

function findRows({ compilation, query, cut }: Finding, { more, cursor }: Needs): Found {
  // An expression, if only just: SQLite prepares a statement anew whenever a bare parameter of a LIMIT is bound.
  const limited = (pick: (limit: number) => number): Fragment =>
    sql`+${operand(compilation, query.list.page.limit, counted, (value) => pick(Number(value)))}`
  const [limit, withNext] = [limited(same), limited((value) => value + 1)]
  // Found once and read several times, unless the database would find them again for each reading all the same.
  const remembered = query.owner === undefined || compilation.dialect.habits.rememberRows
  if (!remembered || !(more || cursor))
    return { before: sql``, page: sql`(${cut(limit)})`, withNext: sql`(${cut(withNext)})`, limited }
  const name = compilation.alias()
  const before = sql`WITH ${name} AS MATERIALIZED (${cut(more ? withNext : limit)}) `
  return { before, page: more ? sql`(SELECT * FROM ${name} LIMIT ${limit})` : name, withNext: name, limited }
}

const same = (limit: number): number => limit

interface Facing {
  readonly found: Found
  readonly alias: Fragment
  /** The text of a row's cursor, and a query of the last row's. */
  readonly cursors: Fragment
  readonly last: Fragment
  readonly query: ListQuery
  /** The text is an aggregate over the page's rows. */
  readonly aggregated: boolean
}

function factText(facing: Facing, fact: PageFact): readonly TextPiece[] {
  const { found, alias, cursors, query, aggregated } = facing
  const { direction, after, before } = query.list.page
  const backward = direction === "backward"
  // A page that is not full has no row after it.
  const isFull = aggregated ? sql`count(*) = ${found.limited(same)} AND ` : sql``
  const follows = (): Fragment =>
    sql`${isFull}EXISTS (SELECT 1 FROM ${found.withNext} AS ${alias} LIMIT 1 OFFSET ${found.limited(same)})`
  const at = (offset: Fragment): Fragment =>
    sql`(SELECT ${cursors} FROM ${found.page} AS ${alias} LIMIT 1 OFFSET ${offset})`
  const first = (): Fragment => sql`coalesce(${at(sql`0`)}, 'null')`
  // Of a full page it is found without numbers.
  const end = (): Fragment => at(found.limited((limit) => Math.max(0, limit - 1)))
  const last = (): Fragment => sql`coalesce(${end()}, (${facing.last}), 'null')`
  // On the side the page grows to, rows may follow; on the other, only what the request said is known.
  const ahead = (beyond: unknown): readonly TextPiece[] =>
    beyond ? ["true"] : [sql`CASE WHEN ${follows()} THEN 'true' ELSE 'false' END`]
  const aheadCursor = (beyond: unknown): readonly TextPiece[] =>
    beyond ? [last()] : [sql`CASE WHEN ${follows()} THEN coalesce(${end()}, 'null') ELSE 'null' END`]
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
