// An upsert by a unique key that the database may look at when a transaction ends: ON CONFLICT is refused there.
import type { Kind } from "../../plan/write-plan.ts"
import { allOf, commas, name, sql } from "../fragment.ts"
import { type Compilation, resourceOf, tableOf } from "../read/compilation.ts"
import { nextVersion, openTable } from "../read/row.ts"
import { columnsOf } from "../read/subject.ts"
import { assigned, assignedTo, keyColumns, namesRecord, type Query, ruledBy } from "./write-rows.ts"

/** As `upsertRow`. Of two that make the same record at the same time, one violates the key. */
export function upsertDeferred(compilation: Compilation, write: Kind<"upsert">): Query {
  const { all } = compilation
  const resource = resourceOf(compilation, write.resource)
  const { alias, row, rules } = openTable(compilation, resource)
  const key = keyColumns(compilation, resource)
  const changes = assignedTo(compilation, row, write.changes).map(
    ({ column, value }) => sql`${name(column)} = ${value}`,
  )
  const kept = write.unique.flatMap((subject) =>
    columnsOf(all, resource, subject).columns.map(
      ({ column }) => sql`${name(column)} = ${row.stored(column)}`,
    ),
  )
  const tests = [...namesRecord(all, row, write), ...ruledBy(compilation, row, write), ...rules]
  const values = assigned(compilation, resource, write.sets)
  const columns = commas(values.map(({ column }) => name(column)))
  const other = openTable(all, resourceOf(all, write.resource))
  const there = sql`SELECT 1 FROM ${other.from()} WHERE ${allOf(namesRecord(all, other.row, write))}`
  const table = tableOf(resource)
  // The table says what type each column has, a value that is bound does not.
  const typed = sql`SELECT ${columns} FROM ${table} WHERE FALSE`
  const rows = sql`${typed} UNION ALL SELECT ${commas(values.map(({ value }) => value))} WHERE NOT EXISTS (${there})`
  const [changed, made] = [compilation.alias(), compilation.alias()]
  const sets = changes.length > 0 ? [...changes, ...nextVersion(row)] : kept
  return {
    query: sql`WITH ${changed} AS (UPDATE ${table} AS ${alias} SET ${commas(sets)} WHERE ${allOf(tests)} RETURNING ${key}, FALSE), ${made} AS (INSERT INTO ${table} (${columns}) ${rows} RETURNING ${key}, TRUE) SELECT * FROM ${changed} UNION ALL SELECT * FROM ${made}`,
    present: true,
  }
}
