// Expressions of computed fields as SQL: values in the form in which a table of Bifold's own would hold them. Expressions
// see the whole service, for any caller: the author of a field decides its content, and a rule decides who sees it.
import { present } from "../../base/invariant.ts"
import type { Expression } from "../../model/expression.ts"
import { isFormerField } from "../../model/former-fields.ts"
import type { Field, Relation, Resource } from "../../model/model.ts"
import { noSlot, whenOf } from "../../plan/read/computed.ts"
import type { Value } from "../../plan/read-plan.ts"
import { readValue, valueTypeOf } from "../../plan/values/values.ts"
import { type ColumnType, fieldType } from "../column-type.ts"
import type { Numbers, Range } from "../dialect.ts"
import { allOf, bound, commas, type Fragment, join, literal, sql, whole } from "../fragment.ts"
import { type Compilation, type Row, resourceOf } from "./compilation.ts"
import { holds } from "./condition.ts"
import { allRows, isRelated, openTable, watched } from "./row.ts"

/** @param all the whole service @param row of the whole service's resource, as it is stored */
export function computedValue(all: Compilation, row: Row, field: Field): Fragment {
  const { computing, expression } = begin(all, row, field)
  const value = isNumber(computing.type)
    ? all.dialect.figures.settle(numbersOf(computing, expression), rangeOf(field))
    : textOf(computing, expression)
  return sql`(${value})`
}

/** The number before the field's bounds limit it, in the database's own form; undefined if the value is no number. */
export function boundlessValue(all: Compilation, row: Row, field: Field): Fragment | undefined {
  const { computing, expression } = begin(all, row, field)
  return isNumber(computing.type)
    ? sql`(${all.dialect.figures.settle(numbersOf(computing, expression))})`
    : undefined
}

function begin(
  all: Compilation,
  row: Row,
  field: Field,
): { readonly computing: Computing; readonly expression: Expression } {
  const expression = present(field.computed, `${field.name} is computed`)
  return { computing: { all, row, field: own(field), type: fieldType(all.model, own(field)) }, expression }
}

/** The enumeration of a former field is an older version's, and its values are texts. */
function own(field: Field): Field {
  if (field.scalar !== "oneOf" || !isFormerField(field)) return field
  const { enumeration: _, ...text } = field
  return { ...text, scalar: "text" }
}

interface Computing {
  readonly all: Compilation
  readonly row: Row
  readonly field: Field
  readonly type: ColumnType
}

const isNumber = ({ scalar }: ColumnType): boolean =>
  scalar === "integer" || scalar === "int64" || scalar === "decimal"

/** In units of the last digit that the field has. */
export function rangeOf({ scalar, constraints: { precision = 0, scale = 0 } }: Field): Range {
  if (scalar === "decimal") {
    const greatest = 10n ** BigInt(precision) - 1n
    return { scalar, scale, least: -greatest, greatest }
  }
  return wholeRange(scalar === "integer" ? scalar : "int64")
}

function wholeRange(scalar: "integer" | "int64"): Range {
  const bits = scalar === "integer" ? 31n : 63n
  return { scalar, scale: 0, least: -(2n ** bits), greatest: 2n ** bits - 1n }
}

function numbersOf(computing: Computing, expression: Expression): Numbers {
  const { all, row } = computing
  const { figures } = all.dialect
  const open = (of: Expression): Fragment => figures.settle(numbersOf(computing, of))
  const exact = (value: Fragment): Numbers => ({ kind: "exact", value })
  switch (expression.kind) {
    case "field": {
      const field = present(row.resource.fields.get(expression.field), `there is ${expression.field}`)
      return { kind: "column", value: row.stored(field.column), type: fieldType(all.model, field) }
    }
    case "related": {
      const { value, of } = relatedValue(computing, expression)
      return { kind: "column", value, type: of }
    }
    case "constant": {
      const digits = String(expression.value)
      const [, after = ""] = digits.split(".")
      const type: ColumnType = { scalar: "decimal", list: false, stored: "plain", scale: after.length }
      return { kind: "column", value: constant(all, expression.value === null ? null : digits, type), type }
    }
    case "arithmetic":
      return {
        kind: "arithmetic",
        operator: expression.operator,
        of: expression.of.map((one) => numbersOf(computing, one)),
      }
    case "coalesce":
      return exact(sql`coalesce(${commas(expression.of.map(open))})`)
    case "choice":
      return exact(chosen(computing, expression, open))
    case "count":
      return exact(overRelated(computing, expression.relation, () => sql`count(*)`))
    case "sum":
      return exact(
        overRelated(computing, expression.relation, (target) => {
          const field = present(target.resource.fields.get(expression.field), `there is ${expression.field}`)
          return figures.sum(target.stored(field.column), fieldType(all.model, field))
        }),
      )
    default:
      throw new Error(`${expression.kind} comes to no number`)
  }
}

function textOf(computing: Computing, expression: Expression): Fragment {
  const { all, row, field, type } = computing
  const inner = (of: Expression): Fragment => textOf(computing, of)
  const plainText = (value: Fragment, of: ColumnType): Fragment =>
    isNumber(of) && type.scalar === "text"
      ? sql`trim(${all.dialect.print(value, of).text}, '"')`
      : all.dialect.figures.plain(value, of)
  switch (expression.kind) {
    case "field": {
      const found = present(row.resource.fields.get(expression.field), `there is ${expression.field}`)
      return plainText(row.stored(found.column), fieldType(all.model, found))
    }
    case "related": {
      const { value, of } = relatedValue(computing, expression)
      return plainText(value, of)
    }
    case "constant": {
      if (expression.value === null) return constant(all, null, type)
      const read = readValue(valueTypeOf(all.model, { ...field, constraints: {} }), expression.value, "json")
      if (!read.ok) throw new Error(`the constant of ${field.name} ${read.wrong}`)
      return all.dialect.figures.plain(constant(all, read.value, type), type)
    }
    case "concat":
      return sql`(${join(expression.of.map(inner), sql` || `)})`
    case "letters":
      return expression.letters === "upper"
        ? sql`upper(${inner(expression.of)})`
        : sql`lower(${inner(expression.of)})`
    case "text":
      return sql`CAST(${all.dialect.figures.settle(numbersOf(computing, expression.of), wholeRange("int64"))} AS TEXT)`
    case "coalesce":
      return sql`coalesce(${commas(expression.of.map(inner))})`
    case "part":
      return partText(all, inner(expression.of), expression)
    case "mapped": {
      const text = inner(expression.of)
      const cases = expression.to.map(([from, to]) => sql` WHEN ${literal(from)} THEN ${literal(to)}`)
      return cases.length === 0 ? text : sql`CASE ${text}${join(cases, sql``)} ELSE ${text} END`
    }
    case "choice":
      return chosen(computing, expression, inner)
    default:
      throw new Error(`${expression.kind} comes to a number`)
  }
}

/** Without the separator the text before it is all, and the text after it empty. */
function partText(
  { dialect }: Compilation,
  text: Fragment,
  of: Extract<Expression, { kind: "part" }>,
): Fragment {
  const separator = literal(of.separator)
  const at = dialect.indexOf(text, separator)
  return of.side === "before"
    ? sql`CASE WHEN ${at} = 0 THEN ${text} ELSE substr(${text}, 1, ${at} - 1) END`
    : sql`CASE WHEN ${at} = 0 THEN '' ELSE substr(${text}, ${at} + ${whole([...of.separator].length)}) END`
}

/** A value of the model's own. */
const constant = ({ dialect }: Compilation, value: Value, type: ColumnType): Fragment =>
  dialect.parameter(bound({ slot: noSlot, encode: () => dialect.encode(value, type) }), type)

type Choice = Extract<Expression, { readonly kind: "choice" }>

function chosen({ all, row }: Computing, choice: Choice, inner: (of: Expression) => Fragment): Fragment {
  const { give, otherwise } = choice
  const { filter, resource } = whenOf(all.model, row.resource, choice)
  const condition = holds(all, choice.fields ? rowOf(all, row, resource) : row, filter)
  const other = otherwise ? sql` ELSE ${inner(otherwise)}` : sql``
  return sql`CASE WHEN ${condition} THEN ${inner(give)}${other} END`
}

/** The row with the fields of an older version. */
function rowOf(all: Compilation, row: Row, resource: Resource): Row {
  const formers = new Map(
    [...resource.fields.values()].filter(isFormerField).map((field) => [field.column, field]),
  )
  const stored = (column: string): Fragment => {
    const field = formers.get(column)
    return field ? computedValue(all, row, field) : row.stored(column)
  }
  return { ...row, resource, column: stored, stored, seen: () => undefined }
}

/** A value of the record that a to-one relation leads to, visible or not; NULL without such a record. */
function relatedValue(
  computing: Computing,
  { relation, field: called }: Extract<Expression, { readonly kind: "related" }>,
): { readonly value: Fragment; readonly of: ColumnType } {
  const { all, row } = computing
  const { target } = present(row.resource.relations.get(relation), `there is ${relation}`)
  const field = present(resourceOf(all, target).fields.get(called), `there is ${called}`)
  const made = row.made?.get(relation)
  const value = made
    ? made.stored(field.column)
    : overRelated(computing, relation, (one) => one.stored(field.column))
  return { value, of: fieldType(all.model, field) }
}

/** Over all related records, visible or not. */
function overRelated({ all, row }: Computing, called: string, of: (target: Row) => Fragment): Fragment {
  const relation: Relation = present(row.resource.relations.get(called), `there is ${called}`)
  const target = openTable(all, resourceOf(all, relation.target))
  const below = row.below?.(relation)
  if (below) {
    // The table says what type each column has.
    const typed = { row: target.row, from: () => sql`${target.from()} WHERE FALSE` }
    const rows = allRows(target.row.resource, [typed, ...below])
    return sql`(SELECT ${of(target.row)} FROM (${rows}) AS ${target.alias})`
  }
  const value = of(target.row)
  const tests = watched(all, [isRelated(all, row, relation, target.row), ...target.rules])
  return sql`(SELECT ${value} FROM ${target.from()} WHERE ${allOf(tests)})`
}
