// Commands that look before something is written: which records a bulk write is about, and where a relation leads.
import { present } from "../../base/invariant.ts"
import { unitsWithin } from "../../model/bounds.ts"
import type { Subject } from "../../model/condition.ts"
import type { Field, Model } from "../../model/model.ts"
import { wholeOf } from "../../plan/lookup.ts"
import type { Filter, Value } from "../../plan/read-plan.ts"
import type { Kind, Setting } from "../../plan/write-plan.ts"
import { type ColumnType, fieldType } from "../column-type.ts"
import { encodeKnown } from "../deferred-parameter.ts"
import type { Dialect, Numbers, Range } from "../dialect.ts"
import { allOf, anyOf, commas, type Fragment, name, render, sql, whole } from "../fragment.ts"
import { bindSlot, type Compilation, operand, type Row, resourceOf } from "../read/compilation.ts"
import { holds, isEqual, isOneOf, partOf } from "../read/condition.ts"
import { rangeOf } from "../read/expression.ts"
import { othersThanFirst } from "../read/order.ts"
import { openNamed, openTable, watched } from "../read/row.ts"
import { startCompilation } from "../read/start-compilation.ts"
import { columnsAt, columnsOf, toOne } from "../read/subject.ts"
import type { Statement } from "../statement.ts"
import { canonical } from "./canonical-reference.ts"
import { namesRecord, type Query, targeted } from "./write-rows.ts"

const counted: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/**
 * Reads one key more than allowed, so that too many are noticed. The keys have one order, so that two writes that find
 * the same rows do not deadlock.
 */
export function findKeys(compilation: Compilation, { resource, where, most }: Kind<"find">): Query {
  const { row, rules, from } = openTable(compilation, resourceOf(compilation, resource))
  const { columns } = columnsOf(compilation, row.resource, { kind: "id" })
  const key = commas(columns.map(({ column, type }) => canonical(compilation, row.column(column), type)))
  const order = commas(columns.map(({ column }) => row.column(column)))
  const tests = watched(compilation, [...rules, holds(compilation, row, where)])
  const limit = operand(compilation, most, counted, (value) => Number(value) + 1)
  return {
    query: sql`SELECT ${key} FROM ${from()} WHERE ${allOf(tests)} ORDER BY ${order} LIMIT ${limit}${compilation.dialect.writes.forUpdate}`,
    most,
  }
}

export function locateKey(compilation: Compilation, write: Kind<"locate">): Query {
  const { resource, target, relation, optional } = write
  const { row, rules, from } = openNamed(compilation, resourceOf(compilation, resource), !target.several)
  const found = relation === undefined ? { kind: "id" as const } : ({ kind: "reference", relation } as const)
  const columns = columnsOf(compilation, row.resource, found).columns.map(({ column, type }) =>
    canonical(compilation, row.column(column), type),
  )
  const tests = allOf([...targeted(compilation, row, { target }), ...rules])
  return {
    query: sql`SELECT ${commas(columns)} FROM ${from()} WHERE ${tests}${compilation.dialect.writes.forUpdate}`,
    ...(!optional && { present: true }),
  }
}

/** A row with the key of the only related record, which is missing without one. */
export function onlyRelated(compilation: Compilation, write: Kind<"only">): Query {
  const { resource, target, relation, to, optional } = write
  const { row, rules, from } = openNamed(compilation, resourceOf(compilation, resource), true)
  const subject = { kind: "reference", relation } as const
  const { row: first, ...key } = columnsAt(compilation, row, subject)
  const parts = key.columns.map(({ column, type }) => canonical(compilation, first.column(column), type))
  const others = sql`EXISTS (${othersThanFirst(compilation, row, toOne(row.resource, relation))})`
  const ways = [sql`NOT ${others}`, ...(to ? [isEqual(compilation, first, key, to)] : [])]
  const isThere = [...targeted(compilation, row, { target }), ...rules]
  const found = sql`SELECT 1, ${commas(parts)} FROM ${from()} WHERE ${allOf([...isThere, sql`(${anyOf(ways)})`])}`
  const none = sql`SELECT 1, ${commas(parts.map(() => sql`NULL`))} WHERE NOT EXISTS (SELECT 1 FROM ${from()} WHERE ${allOf(isThere)})`
  return { query: optional ? sql`${found} UNION ALL ${none}` : found, present: true }
}

/** The sum as the column holds it, and as JSON. Without a value in the field, or out of its bounds, the sum is missing. */
export function sumOf(compilation: Compilation, { resource, target, field: called, by }: Kind<"sum">): Query {
  const { dialect } = compilation
  const { row, rules, from } = openNamed(compilation, resourceOf(compilation, resource), true)
  const field = present(row.resource.fields.get(called), `there is ${called}`)
  const type = fieldType(compilation.model, field)
  const number = (value: Fragment): Numbers => ({ kind: "column", value, type })
  const of = [number(row.stored(field.column)), number(operand(compilation, by, type))]
  const sum = dialect.figures.settle({ kind: "arithmetic", operator: "add", of }, allowedRange(field))
  const tests = allOf([...targeted(compilation, row, { target }), ...rules])
  return {
    query: sql`SELECT ${sum}, ${dialect.print(sum, type).text} FROM ${from()} WHERE ${tests}${dialect.writes.forUpdate}`,
    present: true,
  }
}

function allowedRange(field: Field): Range {
  const range = rangeOf(field)
  const { least = range.least, greatest = range.greatest } = unitsWithin(field.constraints, range.scale)
  return { ...range, ...(least > range.least && { least }), ...(greatest < range.greatest && { greatest }) }
}

/** A row where each record meets what it has to, as it is stored. */
export function meetsCheck({ all }: Compilation, write: Kind<"check">): Query {
  const { resource, key, several, that, count, locks } = write
  const { row, from } = openNamed(all, resourceOf(all, resource), !several)
  const columns = columnsOf(all, row.resource, { kind: "id" })
  if (count !== undefined) {
    const named = sql`SELECT count(*) FROM ${from()} WHERE ${isOneOf(all, row, columns, key)}`
    return { query: sql`SELECT 1 WHERE (${named}) = ${whole(count)}`, present: true }
  }
  const lock = locks ? all.dialect.writes.forUpdate : sql``
  const query = several
    ? sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${from()} WHERE ${isOneOf(all, row, columns, key)} AND (${holds(all, row, that)}) IS NOT TRUE)`
    : sql`SELECT 1 FROM ${from()} WHERE ${isEqual(all, row, columns, key)} AND ${holds(all, row, that)}${lock}`
  return { query, present: true }
}

/** A row if all targeted records are gone: a trigger of an unmanaged table may have kept some. */
export function areGone({ all }: Compilation, { resource, target }: Kind<"delete">): Query {
  const { row, from } = openTable(all, resourceOf(all, resource))
  const left = sql`SELECT 1 FROM ${from()} WHERE ${allOf(targeted(all, row, { target }))}`
  return { query: sql`SELECT 1 WHERE NOT EXISTS (${left})`, present: true }
}

/** A row where the record of an upsert's unique key exists already, visible or not. */
export function isThere(
  { all: compilation }: Compilation,
  { resource, unique, sets }: Kind<"upsert">,
): Query {
  const { row, from } = openTable(compilation, resourceOf(compilation, resource))
  return {
    query: sql`SELECT 1 FROM ${from()} WHERE ${allOf(namesRecord(compilation, row, { unique, sets }))}`,
  }
}

/** A row where the actor sees the record of an upsert's unique key, and it is not so. */
export function seesNamed(model: Model, dialect: Dialect, write: Kind<"upsert">, unless?: Filter): Statement {
  const compilation = startCompilation(model, dialect)
  const { row, rules, from } = openNamed(compilation, resourceOf(compilation, write.resource))
  const other = unless ? [sql`(${holds(compilation, row, unless)}) IS NOT TRUE`] : []
  const tests = [...rules, ...namesRecord(compilation, row, write), ...other]
  return statementOf(dialect, sql`SELECT '1' FROM ${from()} WHERE ${allOf(tests)}`)
}

/** A row where the actor sees the record that a write is about: whatever its version, and whatever the rule, unless they are asked. */
export function stillThere(
  model: Model,
  dialect: Dialect,
  { resource, ...named }: Pick<Kind<"update" | "delete">, "resource" | "target" | "match">,
  rule?: Filter,
): Statement {
  const compilation = startCompilation(model, dialect)
  const { row, rules, from } = openNamed(
    compilation,
    resourceOf(compilation, resource),
    !named.target.several,
  )
  const asked = rule ? [compilation.holds(row, rule)] : []
  const tests = [...targeted(compilation, row, named), ...rules, ...asked]
  return statementOf(dialect, sql`SELECT '1' FROM ${from()} WHERE ${allOf(tests)} LIMIT 1`)
}

interface Typed {
  readonly subject: Subject
  readonly slot: number
  readonly column: string
  readonly type: { readonly schema: string; readonly name: string }
}

/** A row where the value that is set is one of its column's type; PostgreSQL fails where a rule of a domain refuses it. */
export function isOfType(
  model: Model,
  dialect: Dialect,
  called: string,
  { subject, slot, column, type }: Typed,
): Statement {
  const compilation = startCompilation(model, dialect)
  const { columns, isKey } = columnsOf(compilation, resourceOf(compilation, called), subject)
  const part = columns.findIndex((one) => one.column === column)
  const own = present(columns[part], "the column is one of the subject's").type
  const store = encodeKnown((value) => dialect.writes.store(value, own))
  const value = bindSlot({ slot }, (given) => store(isKey ? partOf(given, part) : given))
  const cast = sql`CAST(${value} AS ${name(type.schema)}.${name(type.name)})`
  return statementOf(dialect, sql`SELECT '1' WHERE ${cast} IS NOT NULL`)
}

/**
 * A row if the actor sees a record with the values that a write would give to another record. Values are also equal if
 * the database itself takes them for equal.
 */
export function seesAnother(
  model: Model,
  dialect: Dialect,
  write: Kind<"insert" | "update" | "upsert">,
  columns: readonly string[],
): Statement | undefined {
  const { resource: called, sets } = write
  const compilation = startCompilation(model, dialect)
  const resource = resourceOf(compilation, called)
  const { row, rules, from } = openTable(compilation, resource)
  const own = sets.filter(({ subject }) => {
    const named = columnsOf(compilation.all, resourceOf(compilation.all, called), subject).columns
    return named.some(({ column }) => columns.includes(column))
  })
  const isKnown = own.every(({ subject }) => subject.kind !== "field" || resource.fields.has(subject.field))
  if (own.length === 0 || !isKnown) return undefined
  const tests = own.map((set) => {
    const same = holdsValue(compilation, row, set)
    const taken = model.managed ? undefined : takenForSame(compilation, row, set)
    return taken ? sql`(${same} OR ${taken})` : same
  })
  const itself = isOwn(compilation, row, { write, columns })
  const others = itself ? [sql`(${itself}) IS NOT TRUE`] : []
  return statementOf(
    dialect,
    sql`SELECT '1' FROM ${from()} WHERE ${allOf([...tests, ...others, ...rules])} LIMIT 1`,
  )
}

/** Whether the row is the record that the write makes or changes; undefined if the compared columns are its key. */
function isOwn(
  compilation: Compilation,
  row: Row,
  {
    write,
    columns,
  }: { readonly write: Kind<"insert" | "update" | "upsert">; readonly columns: readonly string[] },
): Fragment | undefined {
  if (write.kind === "update")
    return write.target.several ? undefined : allOf(targeted(compilation, row, { target: write.target }))
  if (write.kind === "upsert") return allOf(namesRecord(compilation, row, write))
  const key = columnsOf(compilation, row.resource, { kind: "id" })
  return key.columns.some(({ column }) => columns.includes(column))
    ? undefined
    : isEqual(compilation, row, key, write.key)
}

/** By whatever collation a unique key of an unmanaged table may have. */
function takenForSame(compilation: Compilation, row: Row, { subject, slot }: Setting): Fragment | undefined {
  const { alike } = compilation.dialect.writes
  const named = columnsOf(compilation, row.resource, subject)
  const { columns, isKey } = named
  if (columns.some(({ type }) => type.stored === "folded")) {
    const asKey = columns.map((each) => ({ ...each, type: { ...each.type, refers: true as const } }))
    return isEqual(compilation, row, { ...named, columns: asKey }, { slot })
  }
  const pick = (part: number) => (value: Value) => (isKey ? partOf(value, part) : value)
  return (
    alike &&
    allOf(
      columns.map(({ column, type }, part) =>
        alike(row.column(column), operand(compilation, { slot }, type, pick(part))),
      ),
    )
  )
}

/** A hidden value has none. */
function holdsValue(compilation: Compilation, row: Row, { subject, slot }: Setting): Fragment {
  return holds(compilation, row, { kind: "compare", subject, operator: "eq", operand: { slot } })
}

interface MissingTarget {
  readonly statement: Statement
  readonly columns: readonly string[]
  /** The key of the target. */
  readonly slot: number
  /** Its resource. */
  readonly target: string
}

/**
 * For each reference that a write sets: a row where its target is there, and the columns that name it.
 * @param seen relations whose targets have to be seen by the actor: what they do not see is as if it were not there
 */
export function missingTargets(
  model: Model,
  dialect: Dialect,
  { resource: name, sets }: Kind<"insert" | "update" | "upsert">,
  seen: ReadonlySet<string>,
): readonly MissingTarget[] {
  const resource = resourceOf({ model: wholeOf(model) }, name)
  return sets.flatMap(({ subject, slot }) => {
    if (subject.kind !== "reference") return []
    const own = startCompilation(model, dialect)
    const columns = columnsOf(own.all, resource, subject).columns.map(({ column }) => column)
    const { target: called } = toOne(resource, subject.relation)
    const compilation = seen.has(subject.relation) ? own : own.all
    // A transition may set a reference to a record that the actor does not see.
    if (!compilation.model.resources.has(called))
      return { statement: statementOf(dialect, sql`SELECT '1' WHERE FALSE`), columns, slot, target: called }
    const target = resourceOf(compilation, called)
    const { row, rules, from } = openNamed(compilation, target)
    const named = isEqual(compilation, row, columnsOf(compilation, target, { kind: "id" }), { slot })
    return {
      statement: statementOf(dialect, sql`SELECT '1' FROM ${from()} WHERE ${allOf([named, ...rules])}`),
      columns,
      slot,
      target: called,
    }
  })
}

/** For each reference to a record that is deleted by its id: a row where there is one, and the table that it is in. */
export function referrers(
  model: Model,
  dialect: Dialect,
  { resource: deleted, target }: Kind<"delete">,
): readonly { readonly statement: Statement; readonly table: string }[] {
  const [only, ...more] = target.by
  if (only?.subject.kind !== "id" || more.length > 0 || target.several) return []
  const owned = new Set(
    [...resourceOf({ model: wholeOf(model) }, deleted).relations.values()].flatMap((relation) =>
      relation.kind === "many" && relation.owned ? [relation.target] : [],
    ),
  )
  return [...wholeOf(model).resources.values()].flatMap((resource) =>
    [...resource.relations.values()].flatMap((relation) => {
      if (relation.kind !== "one" || relation.target !== deleted || relation.reference === undefined)
        return []
      // Its cascades are there again, since nothing was done.
      if (owned.has(resource.name)) return []
      const { all: compilation } = startCompilation(model, dialect)
      const { row, from } = openTable(compilation, resource)
      const subject = { kind: "reference", relation: relation.name } as const
      const named = isEqual(compilation, row, columnsOf(compilation, resource, subject), { slot: only.slot })
      const statement = statementOf(dialect, sql`SELECT '1' FROM ${from()} WHERE ${named} LIMIT 1`)
      return [{ statement, table: resource.table.name }]
    }),
  )
}

const statementOf = (dialect: Dialect, query: Fragment): Statement => ({
  ...render(query, dialect.placeholder),
  columns: [0],
  cursors: [],
  flaws: false,
})
