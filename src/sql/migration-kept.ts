// What Bifold keeps in its own tables of a resource that is renamed: it is brought along, so that a record has the history
// that it had and handlers go on where they were, also when the resource is renamed again.
import type { Dialect } from "./dialect.ts"
import { handlerRecordTable, handlerTable } from "./handler-tables.ts"
import type { FoundTable, KeptOf } from "./migration-steps.ts"
import { textOf } from "./migration-values.ts"
import { logTable, ownTableNames } from "./own-tables.ts"
import { quoted } from "./schema.ts"
import type { RenamedResource } from "./tables.ts"

/** Undefined where nothing is kept. */
export function keptOf(
  resource: RenamedResource | undefined,
  found: readonly FoundTable[],
): KeptOf | undefined {
  const tables = (["log", "handler", "handlerRecord"] as const).filter((own) =>
    found.some(({ name, visible }) => visible && name.name === ownTableNames[own]),
  )
  return resource && tables.length > 0 ? { resource, tables } : undefined
}

/** One after the other, and again wherever it was cut short. */
export const renameKept = (dialect: Dialect, kept: KeptOf): readonly string[] => [
  ...renameLog(dialect, kept),
  ...renameHandlers(kept),
  ...renameWaiting(dialect, kept),
]

/** @param batch how many rows at once; all when absent. PostgreSQL */
export function renameLog(dialect: Dialect, { resource, tables }: KeptOf, batch?: number): readonly string[] {
  if (!tables.includes("log")) return []
  const { name, was, prefix } = resource
  const { resource: of, record, type } = logTable.columns
  const table = quoted(logTable.name)
  const old = `${quoted(of)} IN (${was.map(textOf).join(", ")})`
  const some =
    batch === undefined
      ? old
      : `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${old} LIMIT ${batch})) AND ${old}`
  const sets = [
    `${quoted(of)} = ${textOf(name)}`,
    `${quoted(record)} = ${withBeginning(dialect, record, { beginning: prefix, mark: "_" })}`,
    `${quoted(type)} = ${withBeginning(dialect, type, { beginning: name, mark: "." })}`,
  ]
  return [`UPDATE ${table} SET ${sets.join(", ")} WHERE ${some}`]
}

/** The column's text with another beginning in place of what is before the first mark. */
function withBeginning(
  { name }: Dialect,
  column: string,
  { beginning, mark }: { readonly beginning: string; readonly mark: string },
): string {
  const place = `${name === "postgres" ? "strpos" : "instr"}(${quoted(column)}, ${textOf(mark)})`
  return `${textOf(beginning)} || substr(${quoted(column)}, ${place})`
}

/** Handlers that are called by their events are called by these still. */
function renameHandlers({ resource: { name, was, handlers }, tables }: KeptOf): readonly string[] {
  if (!tables.includes("handler") || !tables.includes("handlerRecord")) return []
  const [table, records] = [quoted(handlerTable.name), quoted(handlerRecordTable.name)]
  const [called, handler] = [quoted(handlerTable.columns.name), quoted(handlerRecordTable.columns.handler)]
  return handlers
    .filter((now) => now.startsWith(`${name}.`))
    .flatMap((now) =>
      was.flatMap((former) => {
        const before = textOf(`${former}${now.slice(name.length)}`)
        const isNew = `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${called} = ${textOf(now)})`
        return [
          `UPDATE ${records} SET ${handler} = ${textOf(now)} WHERE ${handler} = ${before} AND ${isNew}`,
          `UPDATE ${table} SET ${called} = ${textOf(now)} WHERE ${called} = ${before} AND ${isNew}`,
        ]
      }),
    )
}

/** Records that wait are known by their public ids, which begin like all of the resource. */
function renameWaiting(
  dialect: Dialect,
  { resource: { prefix, handlers }, tables }: KeptOf,
): readonly string[] {
  if (!tables.includes("handlerRecord") || handlers.length === 0) return []
  const { handler, record } = handlerRecordTable.columns
  const fresh = withBeginning(dialect, record, { beginning: prefix, mark: "_" })
  return [
    `UPDATE ${quoted(handlerRecordTable.name)} SET ${quoted(record)} = ${fresh} WHERE ${quoted(handler)} IN (${handlers.map(textOf).join(", ")})`,
  ]
}
