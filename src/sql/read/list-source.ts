// The source of a list: its table under a new name, and the conditions on its rows on any page.
import type { Relation, Resource } from "../../model/model.ts"
import type { List, Member } from "../../plan/read-plan.ts"
import type { Fragment } from "../fragment.ts"
import type { TextPiece } from "../json-text.ts"
import type { Compilation, Row } from "./compilation.ts"
import { holds } from "./condition.ts"
import { askedAs, isRelated, openTable, type Source, watched } from "./row.ts"

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

export function openListed(compilation: Compilation, { resource, list, owner }: ListQuery): Listed {
  const opened = openTable(compilation, resource)
  const isHistory = owner?.relation.kind === "many" && owner.relation.history
  const source = isHistory ? { ...opened, row: { ...opened.row, of: owner.row } } : opened
  const conditions = [
    ...source.rules,
    ...(owner ? [isRelated(compilation, owner.row, owner.relation, source.row)] : []),
    ...(list.where ? [holds(compilation, source.row, list.where)] : []),
  ]
  return { source, conditions: watched(compilation, conditions), unconditional: conditions.length === 0 }
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
