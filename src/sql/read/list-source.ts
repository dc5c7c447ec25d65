// The source of a list: its table under a new name, and the conditions on its rows on any page.
import type { Relation, Resource } from "../../model/model.ts"
import type { List, Member } from "../../plan/read-plan.ts"
import { narrowness } from "../../plan/selectivity.ts"
import type { ColumnType } from "../column-type.ts"
import { allOf, type Fragment, sql } from "../fragment.ts"
import type { TextPiece } from "../json-text.ts"
import { type Compilation, operand, type Row, resourceOf } from "./compilation.ts"
import { holds, manyMeet } from "./condition.ts"
import { askedAs, isRelated, openTable, ruleOf, type Source, watched } from "./row.ts"

export interface ListQuery {
  readonly resource: Resource
  readonly list: List
  /** Whose list it is; absent for the list of all. */
  readonly owner?: { readonly row: Row; readonly relation: Relation }
  /** members.ts, which comes after lists and is what their rows are made of. */
  readonly rowText: RowText
}

export type RowText = (context: RowContext, members: readonly Member[]) => readonly TextPiece[]

/** The row at hand, and its cursor where it is one of a page. */
export interface RowContext {
  readonly row: Row
  readonly cursor?: () => readonly TextPiece[]
  /** How many such rows an answer has at most; 1 when absent. */
  readonly times?: number
}

export interface Listed {
  readonly source: Source
  readonly conditions: readonly Fragment[]
  /** There is nothing but a watch among them. */
  readonly unconditional: boolean
}

export function openListed(compilation: Compilation, query: ListQuery): Listed {
  const { resource, list, owner } = query
  const opened = openTable(compilation, resource)
  const isHistory = owner?.relation.kind === "many" && owner.relation.history
  const source = isHistory ? { ...opened, row: { ...opened.row, of: owner.row } } : opened
  const conditions = [
    ...(owner ? rulesOfOwned(compilation, query, source) : source.rules),
    ...(owner ? [isRelated(compilation, owner.row, owner.relation, source.row)] : []),
    ...(list.where ? [holds(compilation, source.row, list.where)] : []),
  ]
  return { source, conditions: watched(compilation, conditions), unconditional: conditions.length === 0 }
}

/** The rows of one record are found by it: their rule is asked of each, where not few related records meet it. */
function rulesOfOwned(compilation: Compilation, query: ListQuery, source: Source): readonly Fragment[] {
  const isMany = compilation.dialect.related.weighsValues ? undefined : manyByRule(compilation, query)
  if (!isMany) return source.rules
  const { rules } = askedAs(compilation, source, "each")
  return [sql`CASE WHEN ${isMany} THEN ${allOf(rules)} ELSE ${allOf(source.rules)} END`]
}

/** The same rows, with related records asked for in another way. */
export function listedAs(
  compilation: Compilation,
  { list }: ListQuery,
  { source }: Listed,
  asked: Row["asked"],
): Listed {
  const { row, rules } = askedAs(compilation, source, asked)
  const conditions = [...rules, ...(list.where ? [holds(compilation, row, list.where)] : [])]
  return { source, conditions: watched(compilation, conditions), unconditional: conditions.length === 0 }
}

const counted: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/** A number made of the page's limit, which is bound. */
export type Limited = (pick: (limit: number) => number) => Fragment

/** An expression, if only just: SQLite prepares a statement anew whenever a bare parameter of a LIMIT is bound. */
export const limitedBy =
  (compilation: Compilation, { list: { page } }: ListQuery): Limited =>
  (pick) =>
    sql`+${operand(compilation, page.limit, counted, (value) => pick(Number(value)))}`

/**
 * Whether so many related records meet the list's condition, or its rule. With an index on both sides a page costs least by
 * the one way if fewer than this, and by the other if more, whatever the sizes of the tables.
 */
export function manyRelated(compilation: Compilation, query: ListQuery): Fragment | undefined {
  const { list, resource } = query
  const { model, dialect } = compilation
  // What names its rows itself is found by that.
  if (dialect.related.weighsValues && list.where && narrowness(model, resource, list.where)) return undefined
  const parts = [
    manyByRule(compilation, query),
    list.where && manyMeet(compilation, resource, list.where, mostOf(compilation, query)),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : sql`(${allOf(parts)})`
}

function manyByRule(compilation: Compilation, query: ListQuery): Fragment | undefined {
  const { all } = compilation
  const rule = ruleOf(compilation, query.resource)
  return rule && manyMeet(all, resourceOf(all, query.resource.name), rule, mostOf(compilation, query))
}

function mostOf(compilation: Compilation, query: ListQuery): (target: Resource) => Fragment {
  const { rowsIn, weighsValues } = compilation.dialect.related
  const limited = limitedBy(compilation, query)
  const assumed = rowsIn && weighsValues ? anyNumber : assumedFew
  return (target) =>
    limited((limit) => fewRelated(limit, rowsIn?.(target.table), rowsIn?.(query.resource.table)) ?? assumed)
}

/** The threshold without statistics. */
const assumedFew = 250
/** Without statistics PostgreSQL may read all related records for each row, so rows are never asked in turn. */
const anyNumber = Number.MAX_SAFE_INTEGER
/** A row that is found by a related one, fetched and sorted, costs as much as so many that are asked in turn. */
const found = 3

/**
 * Asking rows in turn until the page is full takes `limit * among / few` of them; finding the few related records first takes
 * those, and their rows. At this number both are the same; undefined without statistics.
 */
function fewRelated(limit: number, among: number | undefined, all: number | undefined): number | undefined {
  if (among === undefined || all === undefined) return undefined
  return Math.ceil(among * Math.sqrt(limit / Math.max(1, found * all + among)))
}
