// The tables that a model needs on a database, as data: what schema.ts prints, and what migration.ts compares with those
// that were found.
import { invariant, present } from "../../base/invariant.ts"
import { namesOfType } from "../../model/event-types.ts"
import type {
  ColumnPair,
  Field,
  Machine,
  Model,
  Resource,
  TableName,
  Through,
  ToOne,
} from "../../model/model.ts"
import { snakeCase } from "../../model/names.ts"
import type { Value } from "../../plan/read-plan.ts"
import { readValue, valueTypeOf } from "../../plan/values/values.ts"
import { type ColumnType, fieldType, keyPartType } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import type { Parameter } from "../statement.ts"

export interface Table<Column extends TableColumn = TableColumn> {
  readonly name: TableName
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  readonly indexes: readonly TableIndex[]
  readonly foreignKeys: readonly TableForeignKey[]
  readonly checks: readonly TableCheck[]
}

export interface TableColumn {
  readonly name: string
  /** As the database shows it; as `Dialect.made.shownType` says it. */
  readonly type: string
  readonly nullable: boolean
  /** SQL, of Bifold's own column. */
  readonly default?: string
  /** PostgreSQL counts its values up for new records; SQLite needs no default to do so for a key that is a whole number. */
  readonly counted?: true
}

export interface TableIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
}

export interface TableForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  readonly target: TableName
  readonly targetColumns: readonly string[]
}

/** A check that the database's own type leaves open: one of some texts, 0 or 1, or JSON. */
export interface TableCheck {
  readonly name: string
  readonly column: string
  readonly of: readonly string[] | "bits" | "json"
}

/** A table with what tells how to get there from an earlier one. */
export interface WantedTable extends Table<WantedColumn> {
  /** The resource, or the join table's own name. */
  readonly called: string
  /** Tables that it was. */
  readonly was: readonly TableName[]
  /** The table of a resource. */
  readonly kept?: KeptResource
}

/** Former names and ids of a resource, for renaming its rows in Bifold's own tables. */
export interface KeptResource {
  readonly name: string
  /** Names that it had. */
  readonly was: readonly string[]
  /** The prefix of its public ids, before `_`. */
  readonly prefix: string
  readonly handlers: readonly KeptHandler[]
}

/** Under its name its position is kept. */
interface KeptHandler {
  readonly name: string
  /** Names that it had as its event had them. */
  readonly was: readonly string[]
}

export interface WantedColumn extends TableColumn {
  /** The field, the relation, or the column itself. */
  readonly called: string
  /** Columns that it was. */
  readonly was: readonly string[]
  /** SQL of the value for records that have none. */
  readonly fill?: string
  /** For records from before it: what `from` of the field says. */
  readonly from?: { readonly model: Model; readonly resource: Resource; readonly field: Field }
  /** For a column of states or of an enumeration: renamed ones. */
  readonly renames?: { readonly of: "state" | "value"; readonly values: readonly RenamedValue[] }
}

/**
 * The default of the column as well as the backfill of existing records. So the previous version, which does not know
 * the column, can still make records. The new version always gives the value itself.
 */
export const withDefault = (column: WantedColumn): WantedColumn =>
  column.nullable || column.default !== undefined || column.fill === undefined
    ? column
    : { ...column, default: `(${column.fill})` }

export interface RenamedValue {
  readonly from: string
  readonly to: string
}

/** Tables of resources in the order of the declaration, then join tables. */
export function tablesOf(model: Model, dialect: Dialect): readonly WantedTable[] {
  return [
    ...[...model.resources.values()].map((resource) => resourceTable(model, dialect, resource)),
    ...linksOf(model).map((link) => {
      const near = link.near.map(({ from, to }) => ({ from: to, to: from }))
      const columns = [
        ...endColumns(model, dialect, link.from, near),
        ...endColumns(model, dialect, link.to, link.far),
      ]
      const [here, there] = [near.map(({ from }) => from), link.far.map(({ from }) => from)]
      return {
        name: link.table,
        called: link.table.name,
        was: [],
        columns,
        key: [...here, ...there],
        checks: [],
        foreignKeys: [
          foreignKey(link.table, link.from.table, near),
          foreignKey(link.table, link.to.table, link.far),
        ],
        indexes: [{ name: indexName(link.table, there), columns: [...there, ...here], unique: false }],
      }
    }),
  ]
}

function resourceTable(model: Model, dialect: Dialect, resource: Resource): WantedTable {
  const { table, name, key } = resource
  const columns = resourceColumns(model, resource)
  return {
    name: table,
    called: name,
    was: (resource.was ?? []).map((former) => ({ ...table, name: snakeCase(former) })),
    kept: keptResource(model, resource),
    columns: [
      ...columns.map((column) => wantedColumn(model, dialect, resource, column)),
      ...versionColumns(dialect, resource),
    ],
    key: key?.parts.map(({ column }) => column) ?? [],
    indexes: [
      ...uniqueColumns(resource).map((unique) => ({
        name: constraintName(table, unique, "key"),
        columns: unique,
        unique: true,
      })),
      ...plainIndexes(model, resource),
    ],
    foreignKeys: ownForeignKeys(model, resource).map(({ target, join }) =>
      foreignKey(table, targetOf(model, target).table, join),
    ),
    checks: columns.flatMap((column) => checkOf(dialect, table, column)),
  }
}

function keptResource({ handlers }: Model, resource: Resource): KeptResource {
  const { name, prefix, was = [] } = resource
  /** A handler without a name of its own is called by its event. */
  const formerNames = (handler: string): readonly string[] =>
    handler.startsWith(`${name}.`)
      ? [name, ...was].flatMap((former) =>
          namesOfType(resource, handler).map((type) => `${former}${type.slice(name.length)}`),
        )
      : []
  const own = [...(handlers?.values() ?? [])].filter((one) => one.resource === name)
  return {
    name,
    was,
    prefix,
    handlers: own.map((one) => ({
      name: one.name,
      was: formerNames(one.name).filter((former) => !handlers?.has(former)),
    })),
  }
}

/** Rows that are written past Bifold begin where its own do. */
function versionColumns(dialect: Dialect, { version }: Resource): readonly WantedColumn[] {
  if (version.kind === "row") return []
  const type = dialect.made.shownType({ scalar: "int64", list: false, stored: "plain" }, undefined)
  const { column } = version
  return [{ name: column, called: column, was: [], type, nullable: false, default: "1" }]
}

// Columns

interface Column {
  readonly name: string
  readonly called: string
  readonly was: readonly string[]
  readonly type: ColumnType
  readonly optional: boolean
  readonly field?: Field
}

function wantedColumn(model: Model, dialect: Dialect, resource: Resource, column: Column): WantedColumn {
  const { name, called, was, type, optional, field } = column
  const counted = dialect.made.countsColumns && isCounted(resource, name)
  const fill = field && backfill(model, dialect, field)
  const machine = field?.state && resource.machines.get(field.name)
  const values = renamedValues(model, field)
  return {
    name,
    called,
    was,
    type: dialect.made.shownType(type, field?.constraints.precision),
    nullable: optional,
    ...(fill === undefined ? {} : { fill }),
    ...(field?.from !== undefined && { from: { model, resource, field } }),
    ...(machine
      ? { renames: { of: "state", values: renamedStates(machine) } }
      : values && { renames: { of: "value", values } }),
    ...(counted && { counted }),
  }
}

function renamedValues({ enums }: Model, field: Field | undefined): readonly RenamedValue[] | undefined {
  const was = field?.enumeration === undefined ? undefined : enums.get(field.enumeration)?.was
  return was && !field?.list ? [...was].map(([from, to]) => ({ from, to })) : undefined
}

const renamedStates = ({ states }: Machine): readonly RenamedValue[] =>
  [...states.values()].flatMap(({ name, was = [] }) => was.map((from) => ({ from, to: name })))

/** A key of one whole number that the database makes. */
export function isCounted({ key }: Resource, column: string): boolean {
  const [part, ...more] = key?.parts ?? []
  return (
    key?.origin === "database" &&
    more.length === 0 &&
    part?.column === column &&
    (part.scalar === "integer" || part.scalar === "int64")
  )
}

/** The key, foreign keys and fields, each column once: a natural key's columns are all of these. */
function resourceColumns(model: Model, resource: Resource): readonly Column[] {
  const columns = new Map<string, Column>()
  const add = (column: Column): void => {
    if (!columns.has(column.name)) columns.set(column.name, column)
  }
  const keyed = new Set(resource.key?.parts.map(({ column }) => column))
  const stored = [...resource.fields.values()].filter(({ computed }) => !computed)
  const fields = new Map(stored.map((field) => [field.column, field]))
  const relations = ownForeignKeys(model, resource)
  const owner = new Map(relations.flatMap((one) => one.join.map(({ from }) => [from, one] as const)))
  for (const part of resource.key?.parts ?? []) {
    const field = fields.get(part.column)
    add(field ? fieldColumn(model, field) : keyColumn(part.column, keyPartType(part), owner.get(part.column)))
  }
  for (const field of fields.values()) add(fieldColumn(model, field))
  for (const relation of relations)
    for (const { column, type } of foreignColumns(model, resource, relation))
      add({ ...keyColumn(column, type, relation), optional: relation.optional && !keyed.has(column) })
  return [...columns.values()]
}

const fieldColumn = (model: Model, field: Field): Column => ({
  name: field.column,
  called: field.name,
  was: (field.was ?? []).map(snakeCase),
  type: fieldType(model, field),
  optional: field.optional,
  field,
})

const keyColumn = (name: string, type: ColumnType, relation: ToOne | undefined): Column => ({
  name,
  called: relation?.name ?? name,
  was: (relation?.was ?? []).map((former) => `${snakeCase(former)}_id`),
  type,
  optional: false,
})

function checkOf(dialect: Dialect, table: TableName, { name: column, type }: Column): readonly TableCheck[] {
  const { scalar, list, values } = type
  const check = (of: TableCheck["of"]) => [{ name: constraintName(table, [column], "check"), column, of }]
  if (!list && scalar === "oneOf" && values) return check(values)
  const form = dialect.made.check(type)
  return form ? check(form) : []
}

// Relations

const targetOf = (model: Model, name: string): Resource =>
  present(model.resources.get(name), `the model has the resource ${name}`)

/** To-one relations whose foreign key is here, and not on the far side of a one-to-one. */
const ownForeignKeys = (model: Model, resource: Resource): readonly ToOne[] =>
  [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && isForeignKey(model, resource, relation) ? [relation] : [],
  )

function isForeignKey(model: Model, resource: Resource, { target, join, reference }: ToOne): boolean {
  if (reference !== undefined) return true
  const other = targetOf(model, target)
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
  { name, target, join }: ToOne,
): readonly { column: string; type: ColumnType }[] {
  const known = targetTypes(model, targetOf(model, target))
  return join.map(({ from, to }) => ({
    column: from,
    type: present(known.get(to), `${resource.name}.${name} names a column of ${target}`),
  }))
}

function targetTypes(model: Model, target: Resource): ReadonlyMap<string, ColumnType> {
  const key = (target.key?.parts ?? []).map((part) => [part.column, keyPartType(part)] as const)
  return new Map([
    ...key,
    ...[...target.fields.values()].map((field) => [field.column, fieldType(model, field)] as const),
  ])
}

const foreignKey = (table: TableName, target: TableName, join: readonly ColumnPair[]): TableForeignKey => {
  const columns = join.map(({ from }) => from)
  return {
    name: constraintName(table, columns, "fkey"),
    columns,
    target,
    targetColumns: join.map(({ to }) => to),
  }
}

/** A join table's column that is named after the resource was named after what that was. */
function endColumns(
  model: Model,
  dialect: Dialect,
  end: Resource,
  join: readonly ColumnPair[],
): readonly WantedColumn[] {
  const known = targetTypes(model, end)
  return join.map(({ from, to }) => {
    const type = present(known.get(to), `a join table names a column of ${end.name}`)
    const was = from === `${snakeCase(end.name)}_id` ? (end.was ?? []) : []
    return {
      name: from,
      called: from,
      was: was.map((former) => `${snakeCase(former)}_id`),
      type: dialect.made.shownType(type, undefined),
      nullable: false,
    }
  })
}

// Indexes

/**
 * Each index ends with the key, which makes its order total, so that it serves the order as a whole. The same holds for
 * one record's children, which the foreign key's index finds.
 */
function plainIndexes(model: Model, resource: Resource): readonly TableIndex[] {
  const key = resource.key?.parts.map(({ column }) => column) ?? []
  const wanted = [
    ...resource.indexes.map(({ columns }) => columns),
    ...ownForeignKeys(model, resource).map(({ join }) => join.map(({ from }) => from)),
  ]
  const have = [key, ...uniqueColumns(resource)]
  const made: TableIndex[] = []
  for (const named of wanted) {
    const columns = [...named, ...key.filter((column) => !named.includes(column))]
    if (have.some((other) => columns.every((column, index) => other[index] === column))) continue
    have.push(columns)
    made.push({ name: indexName(resource.table, named), columns, unique: false })
  }
  return made
}

/** Named after the columns that are asked for. */
const indexName = (table: TableName, named: readonly string[]): string =>
  constraintName(table, named, "index")

function uniqueColumns(resource: Resource): readonly (readonly string[])[] {
  const all = resource.uniques.map(({ members }) =>
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
  return all.filter(
    (columns, index) => all.findIndex((other) => other.join("\0") === columns.join("\0")) === index,
  )
}

// The pure join tables of a model, each once: both ends of a many-to-many relation may be declared.
interface Link extends Through {
  readonly from: Resource
  readonly to: Resource
}

function linksOf(model: Model): readonly Link[] {
  const resources = [...model.resources.values()]
  const called = ({ schema, name }: TableName): string => JSON.stringify([schema, name])
  const tables = new Set(resources.map(({ table }) => called(table)))
  const links = new Map<string, Link>()
  for (const from of resources)
    for (const relation of from.relations.values()) {
      if (relation.kind !== "many" || !relation.through) continue
      const name = called(relation.through.table)
      const to = present(
        model.resources.get(relation.target),
        `the model has the resource ${relation.target}`,
      )
      if (!tables.has(name) && !links.has(name)) links.set(name, { ...relation.through, from, to })
    }
  return [...links.values()]
}

// The default of a field as SQL, for records that were there before the field.

/** Undefined when the field has no default, or one that only the database knows. */
function backfill(model: Model, dialect: Dialect, field: Field): string | undefined {
  const { default: given } = field
  const now: Readonly<Record<string, string>> = dialect.made.now
  if (given === undefined || given.kind === "database") return undefined
  if (given.kind === "now") return now[field.scalar]
  const value = given.value === null ? null : canonical(model, field, given.value)
  return value === null || value === undefined
    ? undefined
    : constant(dialect, dialect.encode(value, fieldType(model, field)))
}

function canonical(model: Model, field: Field, value: unknown): Value | undefined {
  const read = readValue(valueTypeOf(model, field), value, "json")
  return read.ok ? read.value : undefined
}

/** Without a type, which the column gives; whole numbers of SQLite need not be quoted. */
export function constant(dialect: Dialect, value: Parameter): string {
  if (value === null) return "NULL"
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`
  if (typeof value === "bigint" || typeof value === "number") return String(value)
  return dialect.made.bytes(Buffer.from(value).toString("hex"))
}

// Names that Bifold gives in a database: the names of indexes and constraints follow from their table and columns.
type ConstraintKind = "key" | "index" | "fkey" | "check"

/** PostgreSQL cuts names at 63 bytes, so a long one gets a shorter form of its own. */
export function constraintName(table: TableName, columns: readonly string[], kind: ConstraintKind): string {
  const long = [table.name, ...columns, kind].join("_")
  if (Buffer.byteLength(long) <= 63) return long
  return `${cut(long, 45)}_${checksum(long)}_${kind}`
}

/** At most 63 bytes, as PostgreSQL allows. */
export const shortName = (long: string): string =>
  Buffer.byteLength(long) <= 63 ? long : `${cut(long, 55)}_${checksum(long)}`

/** At most so many bytes, and no half characters. */
function cut(text: string, bytes: number): string {
  let kept = ""
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break
    kept += character
  }
  return kept
}

/** FNV-1a, 32 bits: tells names apart that begin alike. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(36)
}
