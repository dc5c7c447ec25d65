// Requirements of a service's resources that a database does not meet: tables, and columns of fitting types, all at once.
import { withArticle } from "../../base/article.ts"
import type { Problem } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type { Field, KeyPart, Model, Relation, Resource, TableName } from "../model.ts"
import { isTextual, type ScalarName } from "../scalars.ts"
import type { PostgresType, TableList } from "./catalog.ts"
import { postgresNames } from "./column-types.ts"

/** One problem per missing table, and per column missing in a table that is there; places are the declaration's. */
export function findMismatches(model: Model, database: TableList): readonly Problem[] {
  const isOurs = model.managed
  const found = [...model.resources.values()].flatMap((resource) => {
    const place = ["resources", resource.name]
    const types = typesOf(resource)
    const own = inTable(database, resource.table, { place, columns: columnsOf(resource), types, isOurs })
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

/** Expected column types, as far as fields and the key determine them. */
function typesOf(resource: Resource): NonNullable<Wanted["types"]> {
  const fields = [...resource.fields.values()].filter(({ computed }) => !computed)
  return new Map([...(resource.key?.parts ?? []), ...fields].map((of) => [of.column, of]))
}

function nearColumns(relation: Relation): readonly string[] {
  const pairs = relation.kind === "many" && relation.through ? relation.through.near : relation.join
  return pairs.map(({ from }) => from)
}

interface Wanted {
  readonly place: readonly string[]
  readonly columns: readonly string[]
  /** By column. */
  readonly types?: ReadonlyMap<string, Field | KeyPart>
  /** Bifold has made the table. */
  readonly isOurs?: boolean
}

function inTable(
  database: TableList,
  name: TableName,
  { place, columns, types, isOurs = false }: Wanted,
): readonly Problem[] {
  const fold = (text: string): string => (database.dialect === "sqlite" ? text.toLowerCase() : text)
  const table = database.tables.find((candidate) => isNamed(candidate, name, fold))
  if (!table) {
    const hint = suggest(
      name.name,
      database.tables.map((candidate) => candidate.name),
    )
    return [problem(place, `The database has no table "${name.name}".`, hint)]
  }
  const known = new Map(table.columns.map((column) => [fold(column.name), column]))
  return columns.flatMap((column) => {
    const found = known.get(fold(column))
    if (!found) {
      const names = table.columns.map((candidate) => candidate.name)
      return [problem(place, `The table "${name.name}" has no column "${column}".`, suggest(column, names))]
    }
    const wanted = types?.get(column)
    const shown = wanted && otherType(wanted, found, isOurs)
    if (!wanted || shown === undefined) return []
    const scale = wanted.scalar === "decimal" && /^decimal/.test(shown) ? " of its digits" : ""
    const is = `is of the type ${shown}, which is not ${withArticle(wanted.scalar)}${scale}`
    return [problem(place, `The column "${column}" of the table "${name.name}" ${is}.`, undefined)]
  })
}

/** The type for a message, if the column's values are not of the type that the service takes them for. */
function otherType(
  wanted: Field | KeyPart,
  { type, meaning }: TableList["tables"][number]["columns"][number],
  isOurs: boolean,
): string | undefined {
  if (type?.kind === "postgres") return fitsColumn(wanted, type) ? undefined : type.shown
  if (!isOurs || meaning === undefined || fitsMeaning(wanted, meaning)) return undefined
  return meaning === "" ? "text" : meaning
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

// Whether a PostgreSQL column can be read and written as the service's type. Columns of SQLite take any value.

/** Columns of types without a scalar are left to their declaration. */
function fitsColumn(
  of: Pick<Field, "scalar" | "stored" | "list"> | KeyPart,
  { name, schema, form, dimensions }: PostgresType,
): boolean {
  const isOwn = schema === "pg_catalog" && form === "base"
  const scalar = isOwn ? (postgresNames.get(name) ?? (texts.has(name) ? "text" : undefined)) : undefined
  if (of.stored === "cast" || of.stored === "unordered" || scalar === undefined) return true
  return (
    (holds[kindOf(of.scalar)] ?? [kindOf(of.scalar)]).includes(kindOf(scalar)) &&
    dimensions > 0 === ("list" in of && of.list)
  )
}

/** Whether SQLite's stored values are read as they were written. @param meaning as the dialect shows it behind a type */
function fitsMeaning(of: Field | KeyPart, meaning: string): boolean {
  const [, list, one = ""] = /^(list of )?(.*)$/.exec(meaning) ?? []
  const isList = "list" in of && of.list
  if (isList !== (list !== undefined)) return false
  const scale = /^decimal\(\d+,(\d+)\)$/.exec(one)?.[1] ?? (whole.has(one) ? "0" : undefined)
  if (of.scalar === "decimal") return scale === String(("constraints" in of && of.constraints.scale) || 0)
  if (of.scalar === "integer" || of.scalar === "int64") return scale === "0"
  const kind = kindOf(of.scalar)
  const isText = one === "" || one === "text"
  // Ids that have become texts are those that they were.
  return kind === "text" ? isText : one === of.scalar || (kind === "uuid" && isText)
}

const whole: ReadonlySet<string> = new Set(["integer", "int64"])

/** Served as they are, for reading only. */
const texts: ReadonlySet<string> = new Set(["name"])

/** A column may be narrower than the scalar it is served as. */
const holds: Partial<Readonly<Record<ScalarName, readonly ScalarName[]>>> = {
  decimal: ["decimal", "int64"],
  float: ["float", "decimal", "int64"],
}

/** Scalars of one kind are held by the same columns. */
function kindOf(scalar: ScalarName): ScalarName {
  if (scalar === "integer") return "int64"
  return isTextual(scalar) ? "text" : scalar
}
