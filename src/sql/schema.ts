// The tables of a declared service, for a database that has none of them yet.
import { invariant, present } from "../base/invariant.ts"
import type { ColumnPair, Field, Model, Resource, TableName, Through, ToOne } from "../model/model.ts"
import { type ColumnType, fieldType, keyPartType } from "./column-type.ts"
import { tableName } from "./compilation.ts"
import type { Dialect } from "./dialect.ts"
import { commas, type Fragment, join, literal, name, render, sql } from "./fragment.ts"
import { ownTables } from "./own-tables.ts"

interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly optional: boolean
  readonly field?: Field
}

/** Statements in the order in which they can run: tables, then foreign keys where they cannot be part of those, then indexes. */
export function createSchema(model: Model, dialect: Dialect): readonly string[] {
  const resources = [...model.resources.values()]
  const links = [...linksOf(model).values()]
  const statements = [
    ...new Set(
      [...resources.map(({ table }) => table), ...links.map(({ table }) => table)].flatMap(schemaOf),
    ),
  ].map((schema) => sql`CREATE SCHEMA IF NOT EXISTS ${name(schema)}`)
  // SQLite checks foreign keys only when rows are written, PostgreSQL wants the other table to be there first.
  const inline = dialect.name === "sqlite"
  const foreign = resources.flatMap((resource) => foreignKeys(model, resource))
  for (const resource of resources) {
    const own = inline ? foreign.filter(({ table }) => table === resource.table).map(foreignKeyClause) : []
    statements.push(createTable(model, dialect, resource, own))
  }
  if (!inline) statements.push(...foreign.map(addForeignKey))
  statements.push(...links.map((link) => createLinks(model, dialect, link)))
  statements.push(...resources.flatMap((resource) => createIndexes(model, resource)))
  statements.push(
    ...links.map(({ table, near, far }) => {
      const [here, there] = [near.map(({ to }) => to), far.map(({ from }) => from)]
      return createIndex(table, there, [...there, ...here])
    }),
  )
  return [
    ...statements.map((statement) => render(statement, dialect.placeholder).text),
    ...(model.managed ? ownTables(dialect) : []),
  ]
}

const schemaOf = ({ schema }: TableName): readonly string[] => (schema === undefined ? [] : [schema])

// Tables

function createTable(
  model: Model,
  dialect: Dialect,
  resource: Resource,
  foreign: readonly Fragment[],
): Fragment {
  const columns = columnsOfTable(model, resource)
  const key = resource.key
    ? [sql`PRIMARY KEY (${names(resource.key.parts.map(({ column }) => column))})`]
    : []
  const uniques = uniqueColumns(resource).map((unique) => sql`UNIQUE (${names(unique)})`)
  const lines = [
    ...columns.map((column) => columnClause(dialect, column)),
    ...versionClause(dialect, resource),
    ...key,
    ...uniques,
    ...foreign,
  ]
  return sql`CREATE TABLE ${tableName(resource.table)} (\n  ${join(lines, sql`,\n  `)}\n)${dialect.made.options}`
}

/** Rows that are written past Bifold begin where its own do. */
function versionClause(dialect: Dialect, { version }: Resource): readonly Fragment[] {
  if (version.kind === "row") return []
  return [sql`${name(version.column)} ${dialect.made.columnType(wholeNumber, undefined)} NOT NULL DEFAULT 1`]
}

const wholeNumber: ColumnType = { scalar: "int64", list: false, stored: "plain" }

const names = (columns: readonly string[]): Fragment => commas(columns.map(name))

function columnClause(dialect: Dialect, { name: column, type, optional, field }: Column): Fragment {
  const always = optional ? sql`` : sql` NOT NULL`
  return sql`${name(column)} ${dialect.made.columnType(type, field?.constraints.precision)}${always}${checkClause(dialect, column, type)}`
}

/** What the database's own type leaves open. */
function checkClause(dialect: Dialect, column: string, { scalar, list, values }: ColumnType): Fragment {
  const one = name(column)
  if (dialect.name === "sqlite" && (list || scalar === "json")) return sql` CHECK (json_valid(${one}))`
  if (list) return sql``
  if (scalar === "oneOf" && values) return sql` CHECK (${one} IN (${commas(values.map(literal))}))`
  if (dialect.name === "sqlite" && scalar === "boolean") return sql` CHECK (${one} IN (0, 1))`
  return sql``
}

/** The key, foreign keys and fields, each column once: a natural key's columns are all of these. */
function columnsOfTable(model: Model, resource: Resource): readonly Column[] {
  const columns = new Map<string, Column>()
  const add = (column: Column): void => {
    if (!columns.has(column.name)) columns.set(column.name, column)
  }
  const keyed = new Set(resource.key?.parts.map(({ column }) => column))
  const fields = new Map([...resource.fields.values()].map((field) => [field.column, field]))
  for (const part of resource.key?.parts ?? []) {
    const field = fields.get(part.column)
    add(field ? fieldColumn(model, field) : { name: part.column, type: keyPartType(part), optional: false })
  }
  for (const field of fields.values()) add(fieldColumn(model, field))
  for (const relation of ownForeignKeys(model, resource))
    for (const { column, type } of foreignColumns(model, resource, relation))
      add({ name: column, type, optional: relation.optional && !keyed.has(column) })
  return [...columns.values()]
}

const fieldColumn = (model: Model, field: Field): Column => ({
  name: field.column,
  type: fieldType(model, field),
  optional: field.optional,
  field,
})

// Relations

/** To-one relations whose foreign key is here, and not on the far side of a one-to-one. */
const ownForeignKeys = (model: Model, resource: Resource): readonly ToOne[] =>
  [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && isForeignKey(model, resource, relation) ? [relation] : [],
  )

function isForeignKey(model: Model, resource: Resource, { target, join, reference }: ToOne): boolean {
  if (reference !== undefined) return true
  const other = present(model.resources.get(target), `the model has the resource ${target}`)
  const wanted = join.map(({ to }) => to)
  const isFarSide = [...other.relations.values()].some(
    (relation) =>
      relation.kind === "one" &&
      relation.reference !== undefined &&
      relation.target === resource.name &&
      sameColumns(
        relation.join.map(({ from }) => from),
        wanted,
      ),
  )
  return !isFarSide && uniqueColumns(other).some((unique) => sameColumns(unique, wanted))
}

const sameColumns = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((column) => b.includes(column))

/** The columns of a foreign key have the types of those that it names. */
function foreignColumns(
  model: Model,
  resource: Resource,
  relation: ToOne,
): readonly { column: string; type: ColumnType }[] {
  const target = present(
    model.resources.get(relation.target),
    `the model has the resource ${relation.target}`,
  )
  const known = new Map(targetColumns(model, target).map(({ name: column, type }) => [column, type]))
  return relation.join.map(({ from, to }) => {
    const type = present(known.get(to), `${resource.name}.${relation.name} names a column of ${target.name}`)
    return { column: from, type }
  })
}

function targetColumns(model: Model, target: Resource): readonly Column[] {
  const key =
    target.key?.parts.map((part) => ({ name: part.column, type: keyPartType(part), optional: false })) ?? []
  return [...key, ...[...target.fields.values()].map((field) => fieldColumn(model, field))]
}

interface ForeignKey {
  readonly table: TableName
  readonly target: TableName
  readonly join: readonly ColumnPair[]
}

const foreignKeys = (model: Model, resource: Resource): readonly ForeignKey[] =>
  ownForeignKeys(model, resource).map(({ target, join }) => ({
    table: resource.table,
    target: present(model.resources.get(target), `the model has the resource ${target}`).table,
    join,
  }))

const foreignKeyClause = ({ target, join }: Omit<ForeignKey, "table">): Fragment =>
  sql`FOREIGN KEY (${names(join.map(({ from }) => from))}) REFERENCES ${tableName(target)} (${names(join.map(({ to }) => to))})`

const addForeignKey = (foreign: ForeignKey): Fragment =>
  sql`ALTER TABLE ${tableName(foreign.table)} ADD ${foreignKeyClause(foreign)}`

// Join tables

interface Links extends Through {
  readonly from: Resource
  readonly to: Resource
}

/** By table: both ends of a many-to-many relation may be declared. */
function linksOf(model: Model): ReadonlyMap<string, Links> {
  const resources = [...model.resources.values()]
  const links = new Map<string, Links>()
  for (const from of resources)
    for (const relation of from.relations.values()) {
      if (relation.kind !== "many" || !relation.through) continue
      const { table } = relation.through
      const called = JSON.stringify([table.schema, table.name])
      const isResource = resources.some(
        (one) => JSON.stringify([one.table.schema, one.table.name]) === called,
      )
      const to = present(
        model.resources.get(relation.target),
        `the model has the resource ${relation.target}`,
      )
      if (!isResource && !links.has(called)) links.set(called, { ...relation.through, from, to })
    }
  return links
}

function createLinks(model: Model, dialect: Dialect, { table, near, far, from, to }: Links): Fragment {
  const outward = near.map(({ from, to }) => ({ from: to, to: from }))
  const columns = [...endColumns(model, from, outward), ...endColumns(model, to, far)]
  const lines = [
    ...columns.map((column) => columnClause(dialect, column)),
    sql`PRIMARY KEY (${names(columns.map(({ name }) => name))})`,
    foreignKeyClause({ target: from.table, join: outward }),
    foreignKeyClause({ target: to.table, join: far }),
  ]
  return sql`CREATE TABLE ${tableName(table)} (\n  ${join(lines, sql`,\n  `)}\n)${dialect.made.options}`
}

function endColumns(model: Model, end: Resource, join: readonly ColumnPair[]): readonly Column[] {
  const known = new Map(targetColumns(model, end).map((column) => [column.name, column.type]))
  return join.map(({ from, to }) => {
    const type = present(known.get(to), `a join table names a column of ${end.name}`)
    return { name: from, type, optional: false }
  })
}

// Indexes

/**
 * Each with the key at its end, so that it serves the order by its columns as a whole, which the key makes total; also of
 * one record's children, which the foreign key's index finds.
 */
function createIndexes(model: Model, resource: Resource): readonly Fragment[] {
  const key = resource.key?.parts.map(({ column }) => column) ?? []
  const wanted = [
    ...resource.indexes.map(({ columns }) => columns),
    ...ownForeignKeys(model, resource).map(({ join }) => join.map(({ from }) => from)),
  ]
  const have = [key, ...uniqueColumns(resource)]
  const made: Fragment[] = []
  for (const named of wanted) {
    const columns = [...named, ...key.filter((column) => !named.includes(column))]
    if (have.some((other) => columns.every((column, index) => other[index] === column))) continue
    have.push(columns)
    made.push(createIndex(resource.table, named, columns))
  }
  return made
}

/** Named after its table and the columns that are asked for; PostgreSQL cuts names at 63 bytes, so a long one gets a shorter form itself. */
function createIndex(
  table: TableName,
  named: readonly string[],
  columns: readonly string[] = named,
): Fragment {
  const long = [table.name, ...named, "index"].join("_")
  const short = Buffer.byteLength(long) <= 63 ? long : `${long.slice(0, 45)}_${checksum(long)}_index`
  return sql`CREATE INDEX ${name(short)} ON ${tableName(table)} (${names(columns)})`
}

/** FNV-1a, 32 bits: tells names apart that begin alike. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(36)
}

function uniqueColumns(resource: Resource): readonly (readonly string[])[] {
  return resource.uniques.map(({ members }) =>
    members.flatMap((member) => {
      if (member.kind === "field")
        return [
          present(resource.fields.get(member.field), `${resource.name} has the field ${member.field}`).column,
        ]
      const relation = resource.relations.get(member.relation)
      invariant(relation?.kind === "one", `${resource.name}.${member.relation} leads to one record`)
      return relation.join.map(({ from }) => from)
    }),
  )
}
