// Orders: terms as sort expressions, and the first of the related records in an order that a version of the API declares.
import { present } from "../../base/invariant.ts"
import type { FirstRelated } from "../../model/condition.ts"
import type { ToOne } from "../../model/model.ts"
import { newestOf } from "../../plan/lookup.ts"
import type { OrderTerm } from "../../plan/read-plan.ts"
import type { ColumnType } from "../column-type.ts"
import { allOf, commas, type Fragment, sql } from "../fragment.ts"
import { type Compilation, type Row, resourceOf } from "./compilation.ts"
import { columnNames, isRelated, openTable, type Source, watched } from "./row.ts"
import { columnsAt, follow, keyOf } from "./subject.ts"

/** One sort expression. A key of several parts is as many of them. */
export interface SortPart {
  /** Index of the term. */
  readonly term: number
  /** Which part of the term's value; undefined when the value has no parts. */
  readonly part: number | undefined
  readonly column: Fragment
  /** The column's name when it is one of the listed row itself. */
  readonly own: string | undefined
  readonly value: Fragment
  readonly type: ColumnType
  readonly descending: boolean
  readonly nulls: "first" | "last" | undefined
}

export function sortParts(
  compilation: Compilation,
  source: Source,
  order: readonly OrderTerm[],
): readonly SortPart[] {
  return order.flatMap((term, index) => termParts(compilation, source, term, index))
}

const counted: ColumnType = { scalar: "int64", list: false, stored: "plain" }
const rowType: ColumnType = { scalar: "row", list: false, stored: "plain" }

function termParts(
  compilation: Compilation,
  source: Source,
  term: OrderTerm,
  index: number,
): readonly SortPart[] {
  const { dialect } = compilation
  const shared = { term: index, descending: term.descending, nulls: term.nulls }
  if (term.subject.kind === "row") {
    const { resource } = source.row
    if (resource.historyOf) {
      const { order: own } = resource.historyOf
      const value = source.row.column(own)
      return [{ ...shared, part: undefined, own, column: value, value, type: counted }]
    }
    const identity = dialect.row(source.alias, columnNames(resource))
    return [{ ...shared, part: undefined, own: undefined, column: identity, value: identity, type: rowType }]
  }
  const { row, columns, isKey } = columnsAt(compilation, follow(source.row, term.path), term.subject)
  return columns.map(({ column, type }, part) => {
    // A key of several parts is missing when one of them is.
    const others = columns.filter((other) => other.column !== column)
    const complete = others.map((other) => sql`${row.column(other.column)} IS NOT NULL`)
    const value = dialect.sortable(row.column(column), type)
    const whole = term.nulls === undefined || complete.length === 0
    return {
      ...shared,
      part: isKey ? part : undefined,
      column: row.column(column),
      own: row === source.row ? column : undefined,
      value: whole ? value : sql`CASE WHEN ${allOf(complete)} THEN ${value} END`,
      type,
    }
  })
}

/** The list behind ORDER BY. */
export function orderBy({ dialect }: Compilation, parts: readonly SortPart[]): Fragment {
  return commas(
    parts.map(({ value, descending, nulls }) => {
      const direction = descending ? sql` DESC` : sql``
      // Written only where it differs from the database's default, so that its indexes serve.
      const byItself = (dialect.habits.missingAre === "greatest") === descending ? "first" : "last"
      const rank =
        nulls === undefined || nulls === byItself
          ? sql``
          : nulls === "first"
            ? sql` NULLS FIRST`
            : sql` NULLS LAST`
      return sql`${value}${direction}${rank}`
    }),
  )
}

/** The same order from its other end. */
export const reversed = (parts: readonly SortPart[]): readonly SortPart[] =>
  parts.map((part) => ({
    ...part,
    descending: !part.descending,
    nulls: part.nulls === undefined ? undefined : part.nulls === "first" ? "last" : "first",
  }))

const byKey: OrderTerm = { path: [], subject: { kind: "id" }, descending: false }

/** Its key: a value, or several in parentheses. Another one than a list of the newest version begins with would show more than that. */
export function firstKey(compilation: Compilation, row: Row, first: FirstRelated): Fragment {
  const { order } = first
  const { newest, target, tests } = openRelated(compilation, row, first)
  const terms = sortParts(newest, target, [
    ...order.map(({ subject, descending }): OrderTerm => {
      const nulls = subject.kind === "id" ? {} : ({ nulls: "last" } as const)
      return { path: [], subject, descending, ...nulls }
    }),
    ...(order.some(({ subject }) => subject.kind === "id") ? [] : [byKey]),
  ])
  const key = commas(keyOf(target.row.resource).parts.map(({ column }) => target.row.stored(column)))
  return sql`(SELECT ${key} FROM ${target.from()} WHERE ${allOf(tests)} ORDER BY ${orderBy(newest, terms)} LIMIT 1)`
}

/** Rows of the related records that the caller sees besides the first. @param relation to that one */
export function othersThanFirst(compilation: Compilation, row: Row, relation: ToOne): Fragment {
  const { target, tests } = openRelated(
    compilation,
    row,
    present(relation.first, `${relation.name} leads to the first`),
  )
  const first = row.one(relation)
  const same = keyOf(first.resource).parts.map(
    ({ column }) => sql`${target.row.stored(column)} = ${first.stored(column)}`,
  )
  return sql`SELECT 1 FROM ${target.from()} WHERE ${allOf([...tests, sql`NOT (${allOf(same)})`])}`
}

/** The related records that the caller sees, in the names of the newest version. */
function openRelated(compilation: Compilation, row: Row, { relation }: FirstRelated) {
  const newest: Compilation = { ...compilation, model: newestOf(compilation.model) }
  const owner: Row = { ...row, resource: resourceOf(newest, row.resource.name) }
  const to = present(owner.resource.relations.get(relation), `there is ${relation}`)
  const target = openTable(newest, resourceOf(newest, to.target))
  const tests = watched(newest, [isRelated(newest, owner, to, target.row), ...target.rules])
  return { newest, target, tests }
}
