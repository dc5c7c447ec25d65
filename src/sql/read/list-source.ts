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
  /** No condition limits the rows. */
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

/**
 * The list within one record: the relation finds its rows. If many related records meet the rule, the statement tests it for
 * each row.
 */
function rulesOfOwned(compilation: Compilation, query: ListQuery, source: Source): readonly Fragment[] {
  const isMany = compilation.dialect.related.weighsValues ? undefined : manyByRule(compilation, query)
  if (!isMany) return source.rules
  const { rules } = askedAs(compilation, source, "each")
  return [sql`CASE WHEN ${isMany} THEN ${allOf(rules)} ELSE ${allOf(source.rules)} END`]
}

/** The same list, with conditions on related records tested in another way (`Row.asked`). */
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

/** The `+` makes it an expression: SQLite prepares a statement again whenever a bare parameter of a LIMIT is bound. */
export const limitedBy =
  (compilation: Compilation, { list: { page } }: ListQuery): Limited =>
  (pick) =>
    sql`+${operand(compilation, page.limit, counted, (value) => pick(Number(value)))}`

/**
 * SQL condition: more related records than the threshold meet the list's condition or rule. Then it is cheaper to test each
 * row in the list's order (`each`), otherwise to select the related records first (`few`). Undefined where there is no choice.
 */
export function manyRelated(compilation: Compilation, query: ListQuery): Fragment | undefined {
  const { list, resource } = query
  const { model, dialect } = compilation
  // The condition selects few rows by an index itself.
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
/** Without statistics PostgreSQL may read all related records for each row, so that testing each row is never chosen. */
const anyNumber = Number.MAX_SAFE_INTEGER
/** To find, fetch and sort one row by its related record costs as much as to test so many rows in order. */
const found = 3

/**
 * The number of related records at which both ways cost the same. Testing rows in order until the page is full reads
 * `limit * among / few` rows; selecting related records first reads those and their rows. Undefined without statistics.
 */
function fewRelated(limit: number, among: number | undefined, all: number | undefined): number | undefined {
  if (among === undefined || all === undefined) return undefined
  return Math.ceil(among * Math.sqrt(limit / Math.max(1, found * all + among)))
}
