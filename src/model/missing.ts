// What a service's resources need of a database and it does not have: tables and columns, all at once.
import type { Problem } from "../base/problem.ts"
import { suggest } from "../base/suggest.ts"
import type { TableList } from "./catalog.ts"
import type { Model, Relation, Resource, TableName } from "./model.ts"

/** One problem per missing table, and per column missing in a table that is there; places are the declaration's. */
export function findMissing(model: Model, database: TableList): readonly Problem[] {
  const found = [...model.resources.values()].flatMap((resource) => {
    const place = ["resources", resource.name]
    const own = inTable(database, resource.table, { place, columns: columnsOf(resource) })
    const joins = [...resource.relations.values()].flatMap((relation) => {
      if (relation.kind !== "many" || !relation.through) return []
      const { table, near, far } = relation.through
      const columns = [...near.map(({ to }) => to), ...far.map(({ from }) => from)]
      return inTable(database, table, { place: [...place, "relations", relation.name], columns })
    })
    return [...own, ...joins]
  })
  return found
}

function columnsOf(resource: Resource): readonly string[] {
  const keys = resource.key?.parts.map(({ column }) => column) ?? []
  const fields = [...resource.fields.values()].flatMap(({ column, computed }) => (computed ? [] : [column]))
  const near = [...resource.relations.values()].flatMap(nearColumns)
  const version = resource.version.kind === "column" ? [resource.version.column] : []
  return [...new Set([...keys, ...fields, ...near, ...version])]
}

function nearColumns(relation: Relation): readonly string[] {
  const pairs = relation.kind === "many" && relation.through ? relation.through.near : relation.join
  return pairs.map(({ from }) => from)
}

interface Wanted {
  readonly place: readonly string[]
  readonly columns: readonly string[]
}

function inTable(database: TableList, name: TableName, { place, columns }: Wanted): readonly Problem[] {
  const fold = (text: string): string => (database.dialect === "sqlite" ? text.toLowerCase() : text)
  const table = database.tables.find((candidate) => isNamed(candidate, name, fold))
  if (!table) {
    const hint = suggest(
      name.name,
      database.tables.map((candidate) => candidate.name),
    )
    return [problem(place, `The database has no table "${name.name}".`, hint)]
  }
  const known = new Set(table.columns.map((column) => fold(column.name)))
  return columns
    .filter((column) => !known.has(fold(column)))
    .map((column) =>
      problem(
        place,
        `The table "${name.name}" has no column "${column}".`,
        suggest(
          column,
          table.columns.map((candidate) => candidate.name),
        ),
      ),
    )
}

function isNamed(
  table: TableList["tables"][number],
  wanted: TableName,
  fold: (text: string) => string,
): boolean {
  if (fold(table.name) !== fold(wanted.name)) return false
  return wanted.schema === undefined
    ? table.schema === undefined || table.visible
    : table.schema === wanted.schema
}

function problem(place: readonly string[], message: string, hint: string | undefined): Problem {
  return { code: "database_mismatch", message, place, ...(hint === undefined ? {} : { hint }) }
}
