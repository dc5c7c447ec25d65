// Conditions: WHERE text that is true exactly where the condition holds (docs/decisions/0040). SQL's third outcome may
// come up inside. AND, OR, WHERE and EXISTS take it for "does not hold", and every negation is IS NOT TRUE.
import { invariant, present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Condition, Subject } from "../../model/condition.ts"
import type { Relation, Resource } from "../../model/model.ts"
import type { Filter, Slot, Value } from "../../plan/read-plan.ts"
import { conjunctsOf, listsUnique, narrowness, type SemiJoin, semiJoined } from "../../plan/selectivity.ts"
import { type ColumnType, itemType, plainText } from "../column-type.ts"
import {
  asParameter,
  type DeferredParameter,
  encodeKnown,
  isDeferredParameter,
} from "../deferred-parameter.ts"
import { type Dialect, type ListMatch, presence, type TextMatch } from "../dialect.ts"
import { allOf, anyOf, commas, type Fragment, join, name, sql } from "../fragment.ts"
import type { Parameter } from "../statement.ts"
import { collationOf, pairCollation } from "./collation.ts"
import { bindSlot, type Compilation, operand, type Row, resourceOf, tableName } from "./compilation.ts"
import { isRelated, openTable, type Source, watched } from "./row.ts"
import { columnsAt, columnsOf, type SubjectColumn, type SubjectColumns, storedColumn } from "./subject.ts"

export function holds(compilation: Compilation, row: Row, filter: Filter): Fragment {
  return match(filter, {
    and: ({ of }) =>
      of.length === 0 ? sql`TRUE` : sql`(${allOf(of.map((part) => holds(compilation, row, part)))})`,
    or: ({ of }) => {
      const isIndexed = of.every((part) => narrowness(compilation.model, row.resource, part))
      const at = isIndexed ? row : { ...row, filtered: true as const }
      return of.length === 0 ? sql`FALSE` : sql`(${anyOf(of.map((part) => holds(compilation, at, part)))})`
    },
    not: ({ of }) => opposite(holds(compilation, { ...row, filtered: true }, of)),
    compare: (comparison) => compare(compilation, row, comparison),
    isNull: ({ subject, is }) => isMissing(compilation, row, subject, is),
    related: (related) => someMeets(compilation, row, related),
    quantified: (quantified) => quantify(compilation, row, quantified),
    // Where it may hold, the guard has decided it.
    together: () => sql`FALSE`,
    settled: (slot) => sql`CAST(${bindSlot(slot, encodeKnown(textOrNone))} AS text) IS NOT NULL`,
  })
}

export const textOrNone = (value: Value): Parameter => (value === null ? null : String(value))

const opposite = (condition: Fragment): Fragment => sql`(${condition}) IS NOT TRUE`

type Related = Extract<Filter, { readonly kind: "related" | "quantified" }>
type Quantified = Extract<Filter, { readonly kind: "quantified" }>

function quantify(compilation: Compilation, row: Row, quantified: Quantified): Fragment {
  const { quantifier, of } = quantified
  if (quantifier === "some") return someMeets(compilation, row, quantified)
  const wanted = quantifier === "none" ? of : ({ kind: "not", of } as const)
  return sql`NOT ${exists(compilation, row, quantified.relation, wanted)}`
}

/** Some related record meets the condition. A selective condition selects the related records first; any other is tested for each row. */
function someMeets(compilation: Compilation, row: Row, related: Related): Fragment {
  const made = row.made?.get(related.relation)
  if (made) return holds(compilation, made, related.of)
  const found = row.below ? undefined : semiJoined(compilation.model, row.resource, related)
  if (!found) return exists(compilation, row, related.relation, related.of)
  return row.asked && row.asked !== "few" && found.narrowness === "few"
    ? existsFor(compilation, row, found)
    : isAmongOwners(compilation, row, found)
}

function exists(compilation: Compilation, row: Row, called: string, of: Filter): Fragment {
  const { resource } = row
  const relation = present(resource.relations.get(called), `${resource.name} has the relation ${called}`)
  const below = row
    .below?.(relation)
    ?.map((one) => sql`EXISTS (SELECT 1 FROM ${one.from()} WHERE ${holds(compilation, one.row, of)})`)
  if (below) return sql`(${anyOf(below)})`
  const target = openTable(compilation, resourceOf(compilation, relation.target), undefined, row.asked)
  const tests = [
    isRelated(compilation, row, relation, target.row),
    ...target.rules,
    holds(compilation, target.row, of),
  ]
  return subquery(
    compilation,
    sql`EXISTS (SELECT 1 FROM ${target.from()} WHERE ${allOf(watched(compilation, tests))})`,
  )
}

/** A correlated subquery that finds related records by the row, although an index could find them by the condition. */
function existsFor(compilation: Compilation, row: Row, { relation, of }: SemiJoin): Fragment {
  const target = openTable(compilation, resourceOf(compilation, relation.target), undefined, row.asked)
  const related = isRelated(compilation, row, relation, target.row)
  const tests = [...target.rules, ...conjunctsOf(of).map((part) => holds(compilation, target.row, part))]
  return compilation.dialect.related.existsFor(target.from(), related, watched(compilation, tests))
}

/** So many subqueries of one statement may become joins. */
const mostJoined = 16

/**
 * PostgreSQL turns subqueries into joins and searches for the best join order, which takes too long for a hundred. Further
 * subqueries become values (IS TRUE), tested for each row.
 */
function subquery({ subqueries }: Compilation, test: Fragment): Fragment {
  subqueries.count += 1
  return subqueries.count > mostJoined ? sql`((${test}) IS TRUE)` : test
}

/** An uncorrelated subquery: it runs once, and an index can be searched with its result. */
function isAmongOwners(compilation: Compilation, row: Row, found: SemiJoin): Fragment {
  const { narrowness } = found
  const { pairs, rows } = ownersOf(compilation, row, found)
  const ours = tuple(pairs.map(({ ours, collation }) => sql`${row.stored(ours)}${collation}`))
  const query = sql`SELECT ${commas(pairs.map(({ theirs }) => theirs))} ${rows}`
  // A single value gives a single result, and rows can still come in the order of an index.
  if (narrowness === "one") return sql`${ours} = (${query} LIMIT 1)`
  const isAmong =
    row.asked === "few" && pairs.length === 1 ? compilation.dialect.related.isAmongFew : undefined
  return isAmong ? isAmong(ours, query, !row.filtered) : subquery(compilation, sql`${ours} IN (${query})`)
}

interface Owners {
  /** A column of the row's table, and the column that it is compared with. */
  readonly pairs: readonly {
    readonly ours: string
    readonly theirs: Fragment
    readonly collation: Fragment
  }[]
  readonly from: () => Fragment
}

/** The related records that meet the condition; `rows` starts with FROM. */
function ownersOf(
  compilation: Compilation,
  { resource, asked }: Pick<Row, "resource" | "asked">,
  { relation, of }: SemiJoin,
): Pick<Owners, "pairs"> & { readonly rows: Fragment } {
  const target = openTable(compilation, resourceOf(compilation, relation.target), undefined, asked)
  const { pairs, from } = joinedOwners(compilation, resource, relation, target)
  const tests = watched(compilation, [...target.rules, holds(compilation, target.row, of)])
  return { pairs, rows: sql`FROM ${from()} WHERE ${allOf(tests)}` }
}

/**
 * SQL condition: more than `most` related records meet the filter, too many to be selected first. Undefined where none would
 * be selected first, or the database's planner makes the choice.
 */
export function manyMeet(
  compilation: Compilation,
  resource: Resource,
  filter: Filter,
  most: (target: Resource) => Fragment,
): Fragment | undefined {
  if (filter.kind === "and" || filter.kind === "or") {
    const parts = filter.of.flatMap((part) => manyMeet(compilation, resource, part, most) ?? [])
    if (parts.length === 0) return undefined
    return filter.kind === "and" ? sql`(${allOf(parts)})` : sql`(${anyOf(parts)})`
  }
  const found = semiJoined(compilation.model, resource, filter)
  if (found?.narrowness !== "few") return undefined
  const target = resourceOf(compilation, found.relation.target)
  const further = manyMeet(compilation, target, found.of, most)
  const parts = conjunctsOf(found.of)
  // At most as many records as the request lists, except through a join table.
  if (found.columns.length > 0 && parts.some((part) => listsUnique(target, part))) return further
  if (compilation.dialect.related.weighsValues && !parts.some(comparesViewer)) return further
  const { rows } = ownersOf(compilation, { resource, asked: "few" }, found)
  const own = sql`EXISTS (SELECT 1 ${rows} LIMIT 1 OFFSET ${most(target)})`
  // OR tests the second only where the first found few.
  return further ? sql`(${further} OR ${own})` : own
}

/** The statement reads the member of the viewer's record itself, so that no planner knows its value. */
const comparesViewer = (filter: Filter): boolean =>
  filter.kind === "compare" && filter.operand.viewer !== undefined

function joinedOwners(
  compilation: Compilation,
  resource: Resource,
  relation: Relation,
  target: Source,
): Owners {
  if (relation.kind === "one" || !relation.through)
    return {
      pairs: relation.join.map((pair) => ({
        ours: pair.from,
        theirs: target.row.stored(pair.to),
        collation: pairCollation(compilation, resource, relation, pair),
      })),
      from: target.from,
    }
  const { table, near, far } = relation.through
  const alias = compilation.alias()
  const at = (wanted: string): Fragment => sql`${alias}.${name(wanted)}`
  const links = allOf(
    far.map(
      ({ from, to }) => sql`${at(from)} = ${target.row.stored(to)}${collationOf(target.row.resource, to)}`,
    ),
  )
  return {
    pairs: near.map(({ from, to }) => ({
      ours: from,
      theirs: at(to),
      collation: collationOf(resource, from),
    })),
    from: () => sql`${target.from()} JOIN ${tableName(table)} AS ${alias} ON ${links}`,
  }
}

const tuple = (columns: readonly Fragment[]): Fragment =>
  columns.length === 1 ? join(columns, sql``) : sql`(${commas(columns)})`

function isMissing(compilation: Compilation, row: Row, subject: Subject, is: boolean): Fragment {
  const { row: at, columns } = columnsAt(compilation, row, subject)
  const tests = columns.map(({ column, type }) => {
    const value = presence(compilation.dialect, at.column(column), type)
    return is ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`
  })
  return sql`(${is ? anyOf(tests) : allOf(tests)})`
}

function compare(
  compilation: Compilation,
  own: Row,
  { subject, operator, operand: slot }: Extract<Condition<Slot>, { readonly kind: "compare" }>,
): Fragment {
  const { row, ...subjects } = columnsAt(compilation, own, subject)
  const [first] = subjects.columns
  const only = present(first, "a subject has a column")
  // NULL equals nothing: with visibility as a separate test, an index can serve the comparison.
  const seen = row.seen(only.column)
  const at = seen ? { ...row, column: row.stored } : row
  const whereSeen = (test: Fragment): Fragment => (seen ? sql`(${seen} AND ${test})` : test)
  const exact = slot.viewer ? undefined : storedSubjects(compilation, row, subject)
  const [asked, where] = exact ? [exact, { ...row, column: row.stored }] : [subjects, at]
  switch (operator) {
    case "eq":
      return whereSeen(isEqual(compilation, where, asked, slot))
    case "ne":
      return opposite(whereSeen(isEqual(compilation, where, asked, slot)))
    case "in":
      return whereSeen(isOneOf(compilation, where, asked, slot))
    case "notIn":
      return opposite(whereSeen(isOneOf(compilation, where, asked, slot)))
    case "lt":
    case "lte":
    case "gt":
    case "gte": {
      const value = slot.viewer
        ? viewerValue(compilation, slot, 0, compilation.dialect.sortable)
        : operand(compilation, slot, only.type)
      return whereSeen(sql`${ordered(compilation, at, only)} ${ranges[operator]} ${value}`)
    }
    case "contains":
    case "startsWith":
    case "endsWith":
    case "search":
      return whereSeen(matchText(compilation, ordered(compilation, at, only), operator, slot))
    case "has":
    case "hasAny":
    case "hasAll":
      return whereSeen(matchList(compilation, at, only, { operator, slot }))
  }
}

/** Stored columns that an exact comparison can ask in place of a former field's value. */
function storedSubjects({ all }: Compilation, row: Row, subject: Subject): SubjectColumns | undefined {
  // The columns of such rows are a subquery's, or of no table.
  if (subject.kind !== "field" || row.carried || row.image) return undefined
  const field = row.resource.fields.get(subject.field)
  const column = field && storedColumn(all.model, row.resource, field)
  return column && { isKey: false, optional: field.optional, columns: [column] }
}

const ranges = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } as const

const ordered = ({ dialect }: Compilation, row: Row, { column, type }: SubjectColumn): Fragment =>
  dialect.sortable(row.column(column), type)

/** Part by part, for keys; binds the part that belongs to each column. */
export function isEqual(compilation: Compilation, row: Row, subjects: SubjectColumns, slot: Slot): Fragment {
  const { columns, isKey } = subjects
  if (columns[0]?.several) return isOneOf(compilation, row, subjects, slot)
  const tests = columns.map(({ column, type, stored }, part) => {
    const value = slot.viewer
      ? viewerValue(compilation, slot, part, compilation.dialect.comparable)
      : operand(compilation, slot, type, isKey ? (key) => partOf(key, part) : stored && onlyOf(stored))
    return sql`${compilation.dialect.comparable(row.column(column), type)} = ${value}`
  })
  return allOf(tests)
}

const onlyOf =
  (stored: NonNullable<SubjectColumn["stored"]>) =>
  (value: Value): Value =>
    stored(value)[0] ?? null

/** A member of the viewer's record, read once for the statement: part of it, where it is a key. */
function viewerValue(
  compilation: Compilation,
  { slot, viewer }: Slot,
  part: number,
  form: Dialect["comparable"],
): Fragment {
  const resource = resourceOf(compilation, present(compilation.model.viewer, "the service has a viewer"))
  const subject = present(viewer, "the value is of the viewer's record")
  const { column, type } = present(
    columnsOf(compilation, resource, subject).columns[part],
    "a member of the viewer has its column",
  )
  const { row, from } = openTable(compilation, resource)
  const key = isEqual(compilation, row, columnsOf(compilation, resource, { kind: "id" }), { slot })
  return sql`(SELECT ${form(row.column(column), type)} FROM ${from()} WHERE ${key})`
}

export function partOf(key: Value, part: number): Value {
  if (key === null) return null
  invariant(Array.isArray(key), "a key's value is the array of its parts")
  return present((key as readonly Value[])[part], "a key's value has all its parts")
}

export function isOneOf(
  compilation: Compilation,
  row: Row,
  { columns, isKey }: SubjectColumns,
  slot: Slot,
): Fragment {
  const { dialect } = compilation
  const { place, types } = placedSet(compilation, { columns, isKey }, slot)
  const comparable = columns.map(({ column, type }) => dialect.comparable(row.column(column), type))
  const [value] = comparable
  const [type] = types
  if (value && type && columns.length === 1) return dialect.isIn(value, place, type)
  return subquery(compilation, sql`(${commas(comparable)}) IN (${dialect.set(place, types)})`)
}

/** The values of a slot that holds several, as one parameter. */
function placedSet(
  { dialect }: Compilation,
  { columns, isKey }: Pick<SubjectColumns, "columns" | "isKey">,
  slot: Slot,
): { readonly place: Fragment; readonly types: readonly ColumnType[] } {
  const types = columns.map(({ type }) => type)
  const stored = columns[0]?.stored
  const single = (values: readonly Value[]): readonly Value[] => (stored ? values.flatMap(stored) : values)
  const tuples = (values: Value): readonly (readonly Value[])[] =>
    isKey
      ? (valuesOf(values) as readonly (readonly Value[])[])
      : single(Array.isArray(values) ? values : [values]).map((value) => [value])
  const place = bindSlot(slot, (values) =>
    encodeKnownSet(values, types, () => dialect.encodeSet(tuples(values), types)),
  )
  return { place, types }
}

/** A subquery with a row for each of the values, once. */
export function distinctOf(compilation: Compilation, columns: SubjectColumns, slot: Slot): Fragment {
  const { place, types } = placedSet(compilation, columns, slot)
  return sql`SELECT DISTINCT * FROM (${compilation.dialect.set(place, types)}) AS ${compilation.alias()}`
}

/** Keys may come from an earlier command of the same program, some of them or all. */
function encodeKnownSet(values: Value, types: readonly ColumnType[], encode: () => Parameter): Parameter {
  const unknown =
    isDeferredParameter(values) ||
    (Array.isArray(values) &&
      values.some((key) => Array.isArray(key) && key.some((part) => isDeferredParameter(part))))
  return unknown
    ? asParameter({ later: "set", of: values as DeferredParameter | readonly (readonly Value[])[], types })
    : encode()
}

function valuesOf(values: Value): readonly Value[] {
  invariant(Array.isArray(values), "an operand of several values is an array")
  return values as readonly Value[]
}

function matchText(compilation: Compilation, text: Fragment, operator: TextMatch, slot: Slot): Fragment {
  const { dialect } = compilation
  const encode =
    operator === "search"
      ? (value: Value) =>
          dialect.encodeSet(
            words(String(value)).map((word) => [word]),
            [plainText],
          )
      : (value: Value) => dialect.encode(value, plainText)
  const test = dialect.textMatch[operator](text, () => bindSlot(slot, encode))
  return operator === "search" ? subquery(compilation, test) : test
}

/** Lower case for the ASCII letters only, as the databases do it. */
const words = (text: string): readonly string[] =>
  text
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .split(/\s+/u)
    .filter((word) => word !== "")

function matchList(
  compilation: Compilation,
  row: Row,
  { column, type }: SubjectColumn,
  { operator, slot }: { readonly operator: ListMatch; readonly slot: Slot },
): Fragment {
  const { dialect } = compilation
  const encode = (value: Value) =>
    dialect.encodeSet(
      (operator === "has" ? [value] : valuesOf(value)).map((item) => [item]),
      [type],
    )
  return dialect.listMatch[operator](
    dialect.comparable(row.column(column), type),
    bindSlot(slot, encode),
    itemType(type),
  )
}
