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
  /** The FROM clause; none when everything asked is known without the rows. */
  readonly from: Fragment | undefined
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
  const [number, size] = [page.fresh("number"), page.fresh("size")]
  const at = (called: Fragment): Fragment => sql`${page.alias}.${called}`
  const sorted = backward || (page.joined() && !compilation.dialect.keepsOrder)
  const cut = { compilation, query, conditions, source, order }
  const cursors = needs.first || needs.last || needs.end ? concatenated(cursor()) : sql`NULL`
  const selected = page.selected()
  const subquery = sql`SELECT ${selected} ${rowsBetween(cut, needs.more)}`
  const numbered = sorted || needs.more || needs.first || needs.last || needs.end
  const limit = (): Fragment => operand(compilation, list.page.limit, counted)
  const facing = { cursors, number: at(number), size: at(size), limit, needs, query }
  const known = rows.length === 0 && [...facts].every((fact) => isKnown(factText(facing, fact)))
  return {
    rows: (members) => {
      const text = concatenated(present(texts.get(members), "the page's rows were compiled"))
      const direction = backward ? sql` DESC` : sql``
      const ordered = sorted ? sql` ORDER BY ${at(number)}${direction}` : sql``
      const filter = needs.more ? sql` FILTER (WHERE ${at(number)} <= ${limit()})` : sql``
      return arrayText(text, ordered, filter)
    },
    fact: (fact) => factText(facing, fact),
    from: known
      ? undefined
      : page.fromSubquery(
          numbered ? withNumbers(compilation, subquery, number, needs.last ? size : undefined) : subquery,
        ),
  }
}

/** Without an aggregate the query would have as many rows as the page. */
const isKnown = (text: readonly TextPiece[]): boolean => text.every((piece) => typeof piece === "string")

const counted: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/** What the facts take: one row more than the page has, or the cursor of its first, last or limit-th row. */
interface Needs {
  readonly more: boolean
  readonly first: boolean
  readonly last: boolean
  readonly end: boolean
}

/** Rows are numbered from where the page starts: from its end, backward. */
function needsOf({ list: { page } }: ListQuery, facts: ReadonlySet<PageFact>): Needs {
  const backward = page.direction === "backward"
  const has = (...names: readonly PageFact[]): boolean => names.some((fact) => facts.has(fact))
  const open = backward ? page.after === undefined : page.before === undefined
  const [ahead, aheadCursor, lastCursor] = backward
    ? (["hasPrevious", "previous", "startCursor"] as const)
    : (["hasNext", "next", "endCursor"] as const)
  const [behindCursor, firstCursor] = backward
    ? (["next", "endCursor"] as const)
    : (["previous", "startCursor"] as const)
  const behind = backward ? page.before !== undefined : page.after !== undefined
  return {
    more: open && has(ahead, aheadCursor),
    first: has(firstCursor) || (behind && has(behindCursor)),
    last: has(lastCursor) || (!open && has(aheadCursor)),
    end: open && has(aheadCursor),
  }
}

interface Cut {
  readonly compilation: Compilation
  readonly query: ListQuery
  readonly conditions: readonly Fragment[]
  readonly source: ReturnType<typeof openListed>["source"]
  readonly order: ReturnType<typeof sortParts>
}

function rowsBetween({ compilation, query, conditions, source, order }: Cut, more: boolean): Fragment {
  const { direction, limit, after, before } = query.list.page
  const back = reversed(order)
  const between = [
    ...conditions,
    ...(after ? [isAfter(compilation, order, after)] : []),
    ...(before ? [isAfter(compilation, back, before)] : []),
  ]
  const sorted = orderBy(compilation, direction === "backward" ? back : order)
  const rows = more
    ? operand(compilation, limit, counted, (value) => Number(value) + 1)
    : operand(compilation, limit, counted)
  return sql`FROM ${source.from()}${where(between)} ORDER BY ${sorted} LIMIT ${rows}`
}

function withNumbers(
  compilation: Compilation,
  subquery: Fragment,
  number: Fragment,
  size: Fragment | undefined,
): Fragment {
  const alias = compilation.alias()
  const total = size ? sql`, count(*) OVER () AS ${size}` : sql``
  return sql`SELECT ${alias}.*, row_number() OVER () AS ${number}${total} FROM (${subquery}) AS ${alias}`
}

interface Facing {
  readonly cursors: Fragment
  readonly number: Fragment
  readonly size: Fragment
  readonly limit: () => Fragment
  readonly needs: Needs
  readonly query: ListQuery
}

function factText(facing: Facing, fact: PageFact): readonly TextPiece[] {
  const { needs, limit, query, number, size } = facing
  const { direction, after, before } = query.list.page
  const backward = direction === "backward"
  const hasMore = (): Fragment => sql`count(*) > ${limit()}`
  const atLast = (): Fragment =>
    needs.more
      ? sql`${number} = CASE WHEN ${size} > ${limit()} THEN ${limit()} ELSE ${size} END`
      : sql`${number} = ${size}`
  const cursorWhere = (row: Fragment): Fragment =>
    sql`coalesce(max(${facing.cursors}) FILTER (WHERE ${row}), 'null')`
  // A page of no rows has no first one, though a row may be there to say that more follow.
  const first = (): Fragment =>
    cursorWhere(needs.more ? sql`${number} = 1 AND ${number} <= ${limit()}` : sql`${number} = 1`)
  const last = (): Fragment => cursorWhere(atLast())
  // On the side the page grows to, rows may follow; on the other, only what the request said is known.
  const ahead = (beyond: unknown): readonly TextPiece[] =>
    beyond ? ["true"] : [sql`CASE WHEN ${hasMore()} THEN 'true' ELSE 'false' END`]
  const aheadCursor = (beyond: unknown): readonly TextPiece[] =>
    beyond
      ? [last()]
      : [sql`CASE WHEN ${hasMore()} THEN ${cursorWhere(sql`${number} = ${limit()}`)} ELSE 'null' END`]
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
