// Many rows of one table at once, for filling a database: examples and tests.
import { invariant, present } from "../../base/invariant.ts"
import type { Model, Resource, TableName } from "../../model/model.ts"
import type { Value } from "../../plan/read-plan.ts"
import { type ColumnType, fieldType, keyPartType } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { bound, commas, type Fragment, name, render, sql } from "../fragment.ts"
import { countOn } from "../schema/schema.ts"
import { isCounted } from "../schema/tables.ts"
import type { Parameter } from "../statement.ts"

/**
 * Members by name, in canonical form: `id` is the bare key, `customerId` the bare key of its customer. A key of several
 * parts is their array, in the order of the relation's columns.
 */
export type Row = Readonly<Record<string, Value>>

export interface Records {
  /** By resource. */
  readonly records: ReadonlyMap<string, readonly Row[]>
  /** For many-to-many relations: bare keys of the record and of the target. */
  readonly links: readonly {
    readonly resource: string
    readonly relation: string
    readonly pairs: readonly (readonly [Value, Value])[]
  }[]
}

export interface Command {
  readonly text: string
  readonly parameters: readonly Parameter[]
  /** How many it inserts. */
  readonly rows?: number
}

interface Column {
  readonly name: string
  readonly type: ColumnType
}

interface TableRows {
  readonly table: TableName
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Value[])[]
}

/** Both databases take a few ten thousand parameters in one statement. */
const parametersPerCommand = 8_000

/** In the order of the records, so a record must stand before the records that refer to it. */
export function* insertRecords(
  model: Model,
  dialect: Dialect,
  { records, links }: Records,
): Iterable<Command> {
  for (const [resource, rows] of records)
    yield* insertRows(dialect, tableRows(model, resourceOf(model, resource), rows))
  // Numbers that were given are not counted.
  if (model.managed && dialect.made.countsColumns)
    for (const name of records.keys()) {
      const { key, table } = resourceOf(model, name)
      for (const { column } of key?.parts ?? [])
        if (isCounted(resourceOf(model, name), column)) yield { text: countOn(table, column), parameters: [] }
    }
  for (const { resource, relation, pairs } of links) {
    const linked = linkRows(model, resourceOf(model, resource), relation)
    yield* insertRows(dialect, { ...linked, rows: pairs })
  }
}

function* insertRows(dialect: Dialect, { table, columns, rows }: TableRows): Iterable<Command> {
  const size = Math.max(1, Math.floor(parametersPerCommand / columns.length))
  for (let start = 0; start < rows.length; start += size) {
    const batch = rows.slice(start, start + size)
    yield {
      text: textFor(dialect, { table, columns, rows: batch }),
      parameters: parametersFor(dialect, columns, batch),
      rows: batch.length,
    }
  }
}

function textFor(dialect: Dialect, { table, columns, rows }: TableRows): string {
  const place = (): Fragment => bound({ slot: 0, encode: () => null })
  const names = commas(columns.map((column) => name(column.name)))
  const values = commas(rows.map(() => sql`(${commas(columns.map(place))})`))
  return render(sql`INSERT INTO ${tableName(table)} (${names}) VALUES ${values}`, dialect.placeholder).text
}

const tableName = (table: TableName): Fragment =>
  table.schema === undefined ? name(table.name) : sql`${name(table.schema)}.${name(table.name)}`

function parametersFor(
  dialect: Dialect,
  columns: readonly Column[],
  rows: TableRows["rows"],
): readonly Parameter[] {
  return rows.flatMap((row) =>
    columns.map(({ type }, index): Parameter => dialect.encode(row[index] ?? null, type)),
  )
}

function resourceOf(model: Model, resource: string): Resource {
  return present(model.resources.get(resource), `the model has the resource ${resource}`)
}

function tableRows(model: Model, resource: Resource, rows: readonly Row[]): TableRows {
  const members = Object.keys(rows[0] ?? {}).map((member) => ({
    member,
    columns: columnsOf(model, resource, member),
  }))
  return {
    table: resource.table,
    columns: members.flatMap(({ columns }) => columns),
    rows: rows.map((row) => members.flatMap(({ member, columns }) => partsOf(row[member] ?? null, columns))),
  }
}

/** A composite key's value has a part per column. */
function partsOf(value: Value, columns: readonly Column[]): readonly Value[] {
  if (columns.length === 1) return [value]
  if (value === null) return columns.map(() => null)
  invariant(
    Array.isArray(value) && value.length === columns.length,
    "a composite key has a value for each part",
  )
  return value
}

function columnsOf(model: Model, resource: Resource, member: string): readonly Column[] {
  const field = resource.fields.get(member)
  if (field) return [{ name: field.column, type: fieldType(model, field) }]
  if (member === "id") return keyColumns(resource)
  const relation = [...resource.relations.values()].find(
    (one) => one.kind === "one" && one.reference === member,
  )
  invariant(relation?.kind === "one", `${resource.name} has the member ${member}`)
  return keyColumns(resourceOf(model, relation.target)).map((column) => {
    const pair = relation.join.find(({ to }) => to === column.name)
    return { ...column, name: present(pair, "a reference names the whole key").from }
  })
}

function linkRows(model: Model, resource: Resource, relationName: string): Omit<TableRows, "rows"> {
  const relation = present(
    resource.relations.get(relationName),
    `${resource.name} has the relation ${relationName}`,
  )
  invariant(relation.kind === "many" && relation.through, `${resource.name}.${relationName} has a join table`)
  const { table, near, far } = relation.through
  const [nearKey, farKey] = [onlyPart(resource), onlyPart(resourceOf(model, relation.target))]
  const [from, to] = [present(near[0], "a join table has a near column"), present(far[0], "and a far column")]
  return {
    table,
    columns: [
      { ...nearKey, name: from.to },
      { ...farKey, name: to.from },
    ],
  }
}

function keyColumns(resource: Resource): readonly Column[] {
  const key = present(resource.key, `${resource.name} has a key`)
  return key.parts.map((part) => ({ name: part.column, type: keyPartType(part) }))
}

function onlyPart(resource: Resource): Column {
  const [part, ...more] = keyColumns(resource)
  invariant(part && more.length === 0, `${resource.name} has a key of one part`)
  return part
}
