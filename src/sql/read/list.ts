// Lists as one expression each: a page of rows, the facts of the page, and what holds of all pages.
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import type { AggregateFunction, AggregateMember, Groups, ListMember } from "../../plan/read-plan.ts"
import { type ColumnType, fieldType } from "../column-type.ts"
import { allOf, commas, type Fragment, name, sql, where, whole } from "../fragment.ts"
import { arrayText, concatenated, objectText, type TextPiece } from "../json-text.ts"
import { guarded, keyValueText } from "./column-json.ts"
import { type Compilation, operand, type Row, resourceOf } from "./compilation.ts"
import type { Page } from "./keyset.ts"
import { type Listed, type ListQuery, openListed } from "./list-source.ts"
import { compilePage } from "./page.ts"
import { columnsAt, keyOf, toOne } from "./subject.ts"

/** JSON text of the list's members. */
export function listText(compilation: Compilation, query: ListQuery): readonly TextPiece[] {
  const page = compilePage(compilation, query)
  const pieces = membersText(compilation, query, query.list.members, page)
  return page?.query ? [page.query(pieces)] : pieces
}

function membersText(
  compilation: Compilation,
  query: ListQuery,
  members: readonly ListMember[],
  page: Page | undefined,
): readonly TextPiece[] {
  const text = (member: ListMember): readonly TextPiece[] =>
    match(member, {
      constant: ({ json }) => [json],
      object: ({ members }) => membersText(compilation, query, members, page),
      rows: ({ members }) => present(page, "a list with rows has a page").rows(members),
      page: ({ fact }) => present(page, "a list with page facts has a page").fact(fact),
      total: () => [totalText(compilation, query)],
      aggregate: ({ members }) => [aggregateText(compilation, openListed(compilation, query), members)],
      groups: ({ groups }) => [groupsText(compilation, openListed(compilation, query), groups)],
    })
  return objectText(members.map((member) => ({ key: member.key, text: text(member) })))
}

function totalText(compilation: Compilation, query: ListQuery): Fragment {
  const { source, conditions, unconditional } = openListed(compilation, query)
  // Without a condition the database counts pages, and a watch would have it look at rows.
  if (unconditional) return sql`(SELECT count(*) FROM ${source.from()})`
  return sql`(SELECT count(*) FROM ${source.from()}${where(conditions)})`
}

// Aggregates and groups: a subquery that aggregates, and around it the JSON text of what it found.

/** An expression: JSON text of an object, over all rows. */
function aggregateText(
  compilation: Compilation,
  { source, conditions }: Listed,
  members: readonly AggregateMember[],
): Fragment {
  const found = openFindings(compilation, source.row)
  const text = concatenated(compilation.dialect, aggregateMembers(found, members, []))
  return sql`(SELECT ${text} FROM (SELECT ${found.selected()} FROM ${source.from()}${where(conditions)}) AS ${found.alias})`
}

/** An expression: JSON text of an array of groups, in their order. */
function groupsText(
  compilation: Compilation,
  { source, conditions }: Listed,
  { by, limit, members }: Groups,
): Fragment {
  const found = openFindings(compilation, source.row)
  const keys = by.map((subject) => groupKey(found, subject))
  const positions = keys.flatMap(({ columns }) => columns).map((_, index) => whole(index + 1))
  const text = concatenated(compilation.dialect, aggregateMembers(found, members, keys))
  const order = commas(positions.map((position) => sql`${position} NULLS LAST`))
  const rows = operand(compilation, limit, counted)
  const groups = sql`SELECT ${found.selected()} FROM ${source.from()}${where(conditions)} GROUP BY ${commas(positions)} ORDER BY ${order} LIMIT +${rows}`
  return sql`(SELECT ${concatenated(compilation.dialect, arrayText(text))} FROM (${groups}) AS ${found.alias})`
}

const counted: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/** The columns of the subquery, as they turn out to be needed. */
interface Findings {
  readonly compilation: Compilation
  readonly row: Row
  readonly alias: Fragment
  readonly selected: () => Fragment
  /** The expression's column, as it is called outside. */
  find(expression: Fragment): Fragment
}

function openFindings(compilation: Compilation, row: Row): Findings {
  const alias = compilation.alias()
  const expressions: Fragment[] = []
  return {
    compilation,
    row,
    alias,
    // Where nothing is asked of the rows it is still an aggregate, with one row.
    selected: () =>
      expressions.length === 0
        ? sql`count(*)`
        : commas(expressions.map((expression, index) => sql`${expression} AS ${name(`a${index + 1}`)}`)),
    find: (expression) => sql`${alias}.${name(`a${expressions.push(expression)}`)}`,
  }
}

function aggregateMembers(
  found: Findings,
  members: readonly AggregateMember[],
  keys: readonly GroupKey[],
): readonly TextPiece[] {
  const text = (member: AggregateMember): readonly TextPiece[] =>
    match(member, {
      constant: ({ json }) => [json],
      object: ({ members }) => aggregateMembers(found, members, keys),
      count: () => [found.find(sql`count(*)`)],
      measure: ({ measure, field }) => [measureText(found, measure, field)],
      group: ({ index }) => present(keys[index], "the group has this member").text,
    })
  return objectText(members.map((member) => ({ key: member.key, text: text(member) })))
}

function measureText(found: Findings, measure: AggregateFunction, fieldName: string): Fragment {
  const { compilation, row } = found
  const field = present(row.resource.fields.get(fieldName), `${row.resource.name} has the field ${fieldName}`)
  const type = fieldType(compilation.model, field)
  const measured = compilation.dialect.figures.measure(measure, row.column(field.column), type)
  const parts = measured.parts.map(found.find)
  const column = present(parts[0], "a measure aggregates something")
  return guarded(compilation, { printed: measured.print(parts), column, optional: true })
}

interface GroupKey {
  readonly columns: readonly Fragment[]
  readonly text: readonly TextPiece[]
}

function groupKey(found: Findings, subject: Subject): GroupKey {
  const { compilation } = found
  const { dialect } = compilation
  const { row, columns, optional } = columnsAt(compilation, found.row, subject)
  const types = columns.map(({ type }) => type)
  const values = columns.map(({ column, type }) => {
    // A key of several parts is missing when one of them is.
    const others = columns.filter((other) => other.column !== column)
    const value = dialect.sortable(row.column(column), type)
    const complete = allOf(others.map((other) => sql`${row.column(other.column)} IS NOT NULL`))
    return found.find(optional && others.length > 0 ? sql`CASE WHEN ${complete} THEN ${value} END` : value)
  })
  if (subject.kind === "field") {
    const [column, type] = [
      present(values[0], "a field has a column"),
      present(types[0], "a field has a type"),
    ]
    const text = guarded(compilation, { printed: dialect.print(column, type), column, optional })
    return { columns: values, text: [text] }
  }
  const target =
    subject.kind === "id"
      ? row.resource
      : resourceOf(compilation, toOne(found.row.resource, subject.relation).target)
  const text = keyValueText(compilation, {
    prefix: target.prefix,
    key: keyOf(target),
    values,
    types,
    optional,
  })
  return { columns: values, text }
}
