// Rows in reach: a table's own, those joined to it, and the rows of a page that a subquery has cut out.

import { present } from "../../base/invariant.ts"
import type { Field, Relation, Resource, ToMany, ToOne } from "../../model/model.ts"
import { isForAll } from "../../plan/every-record.ts"
import { wholeOf } from "../../plan/lookup.ts"
import type { Filter } from "../../plan/read-plan.ts"
import type { ColumnType } from "../column-type.ts"
import { isBare } from "../dialect.ts"
import { allOf, commas, type Fragment, join, name, ruled, ruleOn, sameFragment, sql } from "../fragment.ts"
import { logTable } from "../schema/system-tables.ts"
import { collationOf, pairCollation } from "./collation.ts"
import { publicId } from "./column-json.ts"
import { type Compilation, type Row, resourceOf, tableName, tableOf } from "./compilation.ts"

/** A FROM clause in the making. */
export interface Source {
  readonly row: Row
  readonly alias: Fragment
  /** The table and what was joined to it so far; to be read with `rules` among the conditions. */
  from(): Fragment
  /** The condition under which a row exists for the actor. */
  readonly rules: readonly Fragment[]
  readonly joined: () => boolean
}

/** The resource's table, or what else has its columns, under a name of its own. */
export function openTable(
  compilation: Compilation,
  resource: Resource,
  table: Fragment = compilation.tables.get(resource.name) ?? tableOf(resource),
  asked?: Row["asked"],
): Source {
  const alias = compilation.alias()
  const joins: Fragment[] = []
  const row = storedRow(compilation, { resource, asked, joins }, (column) => sql`${alias}.${name(column)}`)
  const rules = rulesOn(compilation, row, alias)
  return {
    row,
    alias,
    from: () => join([sql`${reference(table, alias, rules)} AS ${alias}`, ...joins], sql` `),
    rules,
    joined: () => joins.length > 0,
  }
}

/** The table of a record that the statement names by its key: there is one row at the most. */
export const openNamed = (compilation: Compilation, resource: Resource, isAlone = true): Source =>
  openTable(compilation, resource, tableOf(resource), isAlone ? "alone" : undefined)

/** The rule of a row that may be seen, marked for the table's name; none where all rows may. */
function rulesOn(compilation: Compilation, row: Row, alias: Fragment): readonly Fragment[] {
  const rule = ruleOf(compilation, row.resource)
  return rule ? [ruleOn(compilation.holds(row, rule), alias)] : []
}

/** The same row and its rule, with conditions on related records tested in another way (`Row.asked`). */
export function askedAs(
  compilation: Compilation,
  { row, alias }: Source,
  asked: Row["asked"],
): Pick<Source, "row" | "rules"> {
  const other: Row = { ...row, ...(asked && { asked }) }
  return { row: other, rules: rulesOn(compilation, other, alias) }
}

/** Whether the actor may not see all of the resource's records. */
export const isRuled = (compilation: Compilation, resource: Resource): boolean =>
  ruleOf(compilation, resource) !== undefined

/** The rule on the resource's records, in terms of the whole service. */
export function ruleOf({ sight }: Compilation, { name: called, access }: Resource): Filter | undefined {
  if (sight === "all") return undefined
  const { read } = present(access, `somebody has said who may see ${called}`)
  return isForAll(read) ? undefined : read
}

/** A statement that names the table so is made only with the rules. */
export const reference = (table: Fragment, alias: Fragment, rules: readonly Fragment[]): Fragment =>
  rules.length === 0 ? table : ruled(table, alias)

/** A subquery that gives its rows only the columns that turn out to be needed. */
export interface PageSource extends Omit<Source, "rules"> {
  /** The columns that the subquery must select. */
  readonly selected: () => Fragment
  /** An expression of the subquery's, by the name it has outside. */
  carry(expression: Fragment, called: string): Fragment
  /** A name that no column of the subquery has. */
  fresh(called: string): Fragment
  /** The clause, once it is known what the rows are taken from: a name, or a subquery in parentheses. */
  fromRows(rows: Fragment): Fragment
}

export function openPage(compilation: Compilation, inner: Source): PageSource {
  const alias = compilation.alias()
  const { resource } = inner.row
  const columns = new Map<string, Fragment>()
  const joins: Fragment[] = []
  // Computed fields too: the stored value of a masked field must not get the name of the shown value.
  const computed = [...resource.fields.values()].map((field) => field.column)
  // Values of an older version are made of columns that it does not have.
  const newest = wholeOf(compilation.model).resources.get(resource.name)
  const taken = new Set([...columnNames(resource), ...(newest ? columnNames(newest) : []), ...computed])
  const column = (wanted: string): Fragment => {
    columns.set(wanted, inner.row.column(wanted))
    return sql`${alias}.${name(wanted)}`
  }
  const carry = (expression: Fragment, called: string): Fragment => {
    for (const [known, other] of columns)
      if (sameFragment(other, expression)) return sql`${alias}.${name(known)}`
    const free = freeName(called, taken)
    columns.set(free, expression)
    return sql`${alias}.${name(free)}`
  }
  const stored = (wanted: string): Fragment =>
    inner.row.seen(wanted) ? carry(inner.row.stored(wanted), wanted) : column(wanted)
  const row = joinableRow(
    compilation,
    {
      resource,
      column,
      stored,
      seen: () => undefined,
      carried: true,
      ...(inner.row.of && { of: inner.row.of }),
    },
    joins,
  )
  return {
    row,
    alias,
    from: () => join(joins, sql` `),
    joined: () => joins.length > 0,
    selected: () =>
      columns.size === 0
        ? sql`1`
        : commas([...columns].map(([called, expression]) => sql`${expression} AS ${name(called)}`)),
    carry,
    fresh: (called) => name(freeName(called, taken)),
    fromRows: (rows) => join([sql`${rows} AS ${alias}`, ...joins], sql` `),
  }
}

/** The name, lengthened until nothing has it; then it is taken. */
function freeName(called: string, taken: Set<string>): string {
  let free = called
  while (taken.has(free)) free += "_"
  taken.add(free)
  return free
}

/** A row of a table itself, with values that the actor may not see. */
function storedRow(
  compilation: Compilation,
  {
    resource,
    asked,
    joins,
  }: { readonly resource: Resource; readonly asked: Row["asked"]; readonly joins: Fragment[] },
  stored: (column: string) => Fragment,
): Row {
  const masked = withMasks(compilation, resource, stored, () => row)
  const row: Row = joinableRow(compilation, asked ? { ...masked, asked } : masked, joins)
  return row
}

type Columns = Omit<Row, "one">

/** A value that the actor does not see is missing. @param row itself, which rules are about */
export function withMasks(
  compilation: Compilation,
  resource: Resource,
  own: (column: string) => Fragment,
  row: () => Row,
): Columns {
  const stored = withComputed(compilation, resource, own)
  const masked = compilation.sight === "all" ? noMasks : maskedFields(resource)
  const seen = (column: string): Fragment | undefined => {
    const rule = masked.get(column)?.seen
    return rule && compilation.holds(row(), rule)
  }
  const column = (wanted: string): Fragment => {
    const rule = seen(wanted)
    return rule ? sql`CASE WHEN ${rule} THEN ${stored(wanted)} END` : stored(wanted)
  }
  return { resource, column, stored, seen }
}

/** Computed fields stand beside the columns: each once, however often it is asked for. */
function withComputed(
  compilation: Compilation,
  { name: called, fields: shown }: Resource,
  own: (column: string) => Fragment,
): (column: string) => Fragment {
  const resource = resourceOf(compilation.all, called)
  // Computed fields of an older version exist only in the actor's model.
  const fields = new Map(
    [...resource.fields.values(), ...shown.values()].flatMap((field) =>
      field.computed ? [[field.column, field]] : [],
    ),
  )
  if (fields.size === 0) return own
  const known = new Map<string, Fragment>()
  const stored = (column: string): Fragment => {
    const field = fields.get(column)
    if (!field) return own(column)
    const found = known.get(column) ?? compilation.computed({ resource, stored }, field)
    known.set(column, found)
    return found
  }
  return stored
}

const noMasks: ReadonlyMap<string, Field> = new Map()

const maskedFields = ({ fields }: Resource): ReadonlyMap<string, Field> =>
  new Map([...fields.values()].filter(({ seen }) => seen).map((field) => [field.column, field]))

function joinableRow(compilation: Compilation, columns: Columns, joins: Fragment[]): Row {
  const known = new Map<string, Row>()
  const row: Row = {
    ...columns,
    one(relation) {
      const found = known.get(relation.name)
      if (found) return found
      const target = resourceOf(compilation, relation.target)
      const alias = compilation.alias()
      const at = (wanted: string): Fragment => sql`${alias}.${name(wanted)}`
      const on = relation.first
        ? [sql`${keyAt(target, at)} = ${compilation.first(row, relation.first)}`]
        : relation.join.map(
            (pair) =>
              sql`${at(pair.to)} = ${columns.stored(pair.from)}${pairCollation(compilation, columns.resource, relation, pair)}`,
          )
      // Its own joins come after it.
      const place = joins.push(sql``) - 1
      const computing = whereThere(compilation, at(presenceColumn(target, relation)))
      const joined: Row = joinableRow(
        compilation,
        withMasks(computing, target, at, () => joined),
        joins,
      )
      const { weighsValues } = compilation.dialect.related
      const rules = rulesOn(compilation, weighsValues ? joined : { ...joined, asked: "alone" }, alias)
      const table = reference(tableOf(target), alias, rules)
      joins[place] = sql`LEFT JOIN ${table} AS ${alias} ON ${allOf([...on, ...rules])}`
      known.set(relation.name, joined)
      return joined
    },
  }
  return row
}

/** A missing record has no computed fields, not even counts of records. @param key missing there */
const whereThere = (compilation: Compilation, key: Fragment): Compilation => ({
  ...compilation,
  computed: (row, field) => sql`CASE WHEN ${key} IS NOT NULL THEN ${compilation.computed(row, field)} END`,
})

/** Whether a joined row is there: a column that the join compared is not missing then. */
export const isPresent = (row: Row, relation: ToOne): Fragment =>
  sql`${row.stored(presenceColumn(row.resource, relation))} IS NOT NULL`

function presenceColumn({ key }: Resource, { join: [pair], first }: ToOne): string {
  const column = first ? key?.parts[0]?.column : pair?.to
  return present(column, "a to-one relation joins columns")
}

/** The key of a row, as one value. */
function keyAt(resource: Resource, at: (column: string) => Fragment): Fragment {
  const parts = present(resource.key, `${resource.name} has a key`).parts.map(({ column }) => at(column))
  const [only] = parts
  return only && parts.length === 1 ? only : sql`(${commas(parts)})`
}

/** The conditions of rows that there may be many of: the watch comes first, so that no other keeps it from being asked. */
export const watched = ({ dialect }: Compilation, conditions: readonly Fragment[]): readonly Fragment[] =>
  dialect.watch ? [dialect.watch, ...conditions] : conditions

/** Holds for rows of the target that are related to the row. */
export function isRelated(compilation: Compilation, row: Row, relation: Relation, target: Row): Fragment {
  if (relation.kind === "many" && relation.through) return isLinked(compilation, row, relation, target)
  if (relation.kind === "many" && relation.history) return isEntryOf(compilation, row, target)
  if (relation.kind === "one" && relation.first)
    return sql`${keyAt(target.resource, target.stored)} = ${compilation.first(row, relation.first)}`
  return allOf(
    relation.join.map(
      (pair) =>
        sql`${target.stored(pair.to)} = ${row.stored(pair.from)}${pairCollation(compilation, row.resource, relation, pair)}`,
    ),
  )
}

/** An entry of the record's history: of its own, and not of one before it that had its id. */
function isEntryOf({ all }: Compilation, row: Row, target: Row): Fragment {
  const id = publicId(all, { ...row, resource: resourceOf(all, row.resource.name) })
  const { record, seq, new: fresh } = logTable.columns
  const own = sql`${target.stored(record)} = ${id}`
  if (!target.resource.historyOf?.reused || row.image) return own
  const alias = all.alias()
  const at = (wanted: string): Fragment => sql`${alias}.${name(wanted)}`
  const gone = sql`SELECT max(${at(seq)}) FROM ${tableName(logTable)} AS ${alias} WHERE ${at(record)} = ${id} AND ${at(fresh)} IS NULL`
  return sql`${own} AND ${target.stored(seq)} > coalesce((${gone}), 0)`
}

/** Through a join table: IN, so that a pair that stands there twice is one. */
function isLinked(compilation: Compilation, row: Row, { through }: ToMany, target: Row): Fragment {
  const { table, near, far } = present(through, "the relation has a join table")
  const alias = compilation.alias()
  const at = (wanted: string): Fragment => sql`${alias}.${name(wanted)}`
  const targets = far.map(({ to }) => target.stored(to))
  const [first] = targets
  const left = first && targets.length === 1 ? first : sql`(${commas(targets)})`
  const links = commas(far.map(({ from }) => at(from)))
  const ours = allOf(
    near.map(({ from, to }) => sql`${at(to)} = ${row.stored(from)}${collationOf(row.resource, from)}`),
  )
  return sql`${left} IN (SELECT ${links} FROM ${tableName(table)} AS ${alias} WHERE ${ours})`
}

/** The rows of each, with the columns of the resource's table. */
export const allRows = (resource: Resource, sources: readonly Pick<Source, "row" | "from">[]): Fragment =>
  join(
    sources.map(({ row, from }) => {
      const columns = [...columnNames(resource)].map(
        (column) => sql`${row.stored(column)} AS ${name(column)}`,
      )
      return sql`SELECT ${commas(columns)} FROM ${from()}`
    }),
    sql` UNION ALL `,
  )

/** The columns that the model knows of the resource's table. */
export function columnNames(resource: Resource): ReadonlySet<string> {
  const names = new Set<string>()
  for (const part of resource.key?.parts ?? []) names.add(part.column)
  for (const field of resource.fields.values()) if (!field.computed) names.add(field.column)
  for (const relation of resource.relations.values()) {
    const pairs = relation.kind === "many" && relation.through ? relation.through.near : relation.join
    for (const { from } of pairs) names.add(from)
  }
  if (resource.historyOf) names.add(resource.historyOf.order)
  return names
}

// The version of a row: what `ifMatch` and `ETag` are made of

const counter: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/** Text of letters, digits, `-` and `_`. */
export function versionText({ dialect }: Compilation, { resource, column }: Row): Fragment {
  const { version } = resource
  if (version.kind === "column") {
    const { inId } = dialect.print(column(version.column), counter)
    return sql`coalesce(CAST(${present(inId, "a whole number is part of ids")} AS text), '0')`
  }
  const { rowVersion, contentVersion = rowVersion } = dialect.writes
  return (isBare(dialect, resource) ? contentVersion : rowVersion)(column, columnNames(resource))
}

/** Another one for a row that is written, where Bifold counts. */
export const nextVersion = ({ resource, column }: Row): readonly Fragment[] =>
  resource.version.kind === "column"
    ? [sql`${name(resource.version.column)} = ${column(resource.version.column)} + 1`]
    : []
