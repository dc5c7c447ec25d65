// Positions in an order. A row's position becomes a cursor. The rows after a position become a predicate, which is
// exact under ties and missing values.
import { invariant } from "../../base/invariant.ts"
import { cursorBegin, cursorEnd } from "../../plan/placeholders.ts"
import type { Keyset, ListMember, Member, PageInfo } from "../../plan/read-plan.ts"
import type { ColumnType } from "../column-type.ts"
import { commas, type Fragment, join, sql, where } from "../fragment.ts"
import { concatenated, type TextPiece } from "../json-text.ts"
import { type Compilation, operand, placeholderText, type Row } from "./compilation.ts"
import { partOf } from "./condition.ts"
import type { Limited, Listed, ListQuery } from "./list-source.ts"
import { orderBy, reversed, type SortPart } from "./order.ts"
import type { PageSource } from "./row.ts"

interface Step extends SortPart {
  /** The position's value; undefined when it has none. */
  readonly at: (() => Fragment) | undefined
}

/** Rows strictly after the position in the order of the parts; give them reversed for the rows before it. */
function isAfter(compilation: Compilation, parts: readonly SortPart[], position: Keyset): Fragment {
  const steps = parts.map((sort): Step => {
    const { term, part, type } = sort
    const slot = position[term]
    invariant(slot !== undefined, "a position has an entry for each term of the order")
    const pick = part === undefined ? undefined : (key: Parameters<typeof partOf>[0]) => partOf(key, part)
    return { ...sort, at: slot === null ? undefined : () => operand(compilation, slot, widened(type), pick) }
  })
  return isUniform(steps) ? compareRows(steps) : bounded(steps)
}

/** The column may have become wider than it was, and a position is of what it holds. */
const widened = (type: ColumnType): ColumnType =>
  type.scalar === "integer" ? { ...type, scalar: "int64" } : type

const isUniform = (steps: readonly Step[]): boolean =>
  steps.every(({ at, nulls, descending }) => at && nulls === undefined && descending === steps[0]?.descending)

/** `(a, b) > (x, y)`: an index on both serves as a whole. */
function compareRows(steps: readonly Step[]): Fragment {
  const tuple = (values: readonly Fragment[]): Fragment =>
    values.length === 1 ? join(values, sql``) : sql`(${commas(values)})`
  const left = tuple(steps.map(({ value }) => value))
  const right = tuple(steps.flatMap(({ at }) => (at ? [at()] : [])))
  return steps[0]?.descending ? sql`${left} < ${right}` : sql`${left} > ${right}`
}

/** Adds a bound on the first value alone where there is one: an index can start there. */
function bounded(steps: readonly Step[]): Fragment {
  const [first] = steps
  const exact = after(steps)
  if (!first?.at || first.nulls === "last" || steps.length === 1) return exact
  const bound = first.descending ? sql`${first.value} <= ${first.at()}` : sql`${first.value} >= ${first.at()}`
  return sql`(${bound} AND ${exact})`
}

/** Greater first value, or an equal first value and a greater rest. */
function after([first, ...rest]: readonly Step[]): Fragment {
  if (!first) return sql`FALSE`
  const past = isPast(first)
  if (rest.length === 0) return past ?? sql`FALSE`
  const tied = sql`${isAt(first)} AND ${after(rest)}`
  return past ? sql`(${past} OR ${tied})` : sql`(${tied})`
}

function isPast({ value, at, descending, nulls }: Step): Fragment | undefined {
  if (!at) return nulls === "first" ? sql`${value} IS NOT NULL` : undefined
  const past = descending ? sql`${value} < ${at()}` : sql`${value} > ${at()}`
  return nulls === "last" ? sql`(${past} OR ${value} IS NULL)` : past
}

const isAt = ({ value, at }: Step): Fragment => (at ? sql`${value} = ${at()}` : sql`${value} IS NULL`)

/** Where a cursor's values are taken from: a page cut out before, or the row itself. */
type Carrier = Pick<PageSource, "row" | "carry">

export const rowItself = (row: Row): Carrier => ({ row, carry: (expression) => expression })

/** The placeholder for the cursor of a page's row (plan/placeholders.ts): an array with the row's value of each term. */
export function cursorText(
  compilation: Compilation,
  page: Carrier,
  parts: readonly SortPart[],
  scope: string,
): readonly TextPiece[] {
  const found = compilation.cursors.indexOf(scope)
  const index = found >= 0 ? found : compilation.cursors.push(scope) - 1
  const terms = Map.groupBy(parts, ({ term }) => term)
  const values = [...terms.values()].flatMap((of, at): TextPiece[] => [
    at === 0 ? "" : ",",
    ...termText(compilation, page, of),
  ])
  return [
    placeholderText(compilation, cursorBegin),
    `${index}[`,
    ...values,
    "]",
    placeholderText(compilation, cursorEnd),
  ]
}

function termText(compilation: Compilation, page: Carrier, parts: readonly SortPart[]): readonly TextPiece[] {
  const { dialect } = compilation
  const columns = parts.map(({ own, column }) =>
    own === undefined ? page.carry(column, "sort") : page.row.column(own),
  )
  const optional = parts.some(({ nulls }) => nulls !== undefined)
  const texts = parts.map(({ type }, index) => {
    const column = columns[index]
    invariant(column, "each part has its column")
    const { text, position } = dialect.print(column, type)
    return position ? sql`coalesce(${text}, ${position}, 'null')` : sql`coalesce(${text}, 'null')`
  })
  if (parts.every(({ part }) => part === undefined)) return texts
  const array: TextPiece[] = [
    "[",
    ...texts.flatMap((text, index): TextPiece[] => (index === 0 ? [text] : [",", text])),
    "]",
  ]
  if (!optional) return array
  const missing = join(
    columns.map((column) => sql`${column} IS NULL`),
    sql` OR `,
  )
  return [sql`CASE WHEN ${missing} THEN 'null' ELSE ${concatenated(dialect, array)} END`]
}

// Page info: whether rows follow, and the cursors of the page's ends.
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
  /** A condition: a row follows the rows of the page. */
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
