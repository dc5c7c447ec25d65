// Positions in an order: a row's as a cursor, and the rows that come after one as a predicate that is exact under ties
// and missing values.
import { invariant } from "../../base/invariant.ts"
import { cursorBegin, cursorEnd } from "../../plan/placeholders.ts"
import type { Keyset } from "../../plan/read-plan.ts"
import type { ColumnType } from "../column-type.ts"
import { commas, type Fragment, join, sql } from "../fragment.ts"
import { concatenated, type TextPiece } from "../json-text.ts"
import { type Compilation, operand, placeholderText, type Row } from "./compilation.ts"
import { partOf } from "./condition.ts"
import type { SortPart } from "./order.ts"
import type { PageSource } from "./row.ts"

interface Step extends SortPart {
  /** The position's value; undefined when it has none. */
  readonly at: (() => Fragment) | undefined
}

/** Rows strictly after the position in the order of the parts; give them reversed for the rows before it. */
export function isAfter(compilation: Compilation, parts: readonly SortPart[], position: Keyset): Fragment {
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
