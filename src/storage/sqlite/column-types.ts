// A function for statements: whether columns of a STRICT table hold nothing but their types. It is looked up once
// for each version of the schema, and the version is read in the statement's own snapshot.
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { createRecent } from "../../base/caches.ts"

/** Questions of one connection that are kept. */
const mostKept = 500

/** As `holdTypes` writes it. */
type Question = readonly [
  table: string,
  ...columns: readonly (readonly [name: string, type: string, notNull: 0 | 1])[],
]

/** Registers `bifold_columns(question)`. It is for statements only: a trigger or a view may not call it. */
export function registerColumnTypes(database: DatabaseSync): void {
  const start = () => createRecent<string, boolean>({ count: mostKept, weight: mostKept })
  let answers = start()
  let version: unknown
  let readVersion: StatementSync | undefined
  const ask = (question: unknown): bigint => {
    readVersion ??= database.prepare("PRAGMA schema_version")
    const now = readVersion.get()?.["schema_version"]
    if (now !== version) {
      answers = start()
      version = now
    }
    const text = String(question)
    const known = answers.get(text)
    if (known !== undefined) return known ? 1n : 0n
    const holds = haveTypes(database, JSON.parse(text) as Question)
    answers.set(text, holds, 1)
    return holds ? 1n : 0n
  }
  database.function("bifold_columns", { directOnly: true }, ask)
}

function haveTypes(database: DatabaseSync, [table, ...wanted]: Question): boolean {
  const strict = database
    .prepare('SELECT "strict" FROM pragma_table_list(?) WHERE "schema" = \'main\'')
    .get(table)?.["strict"]
  if (strict !== 1) return false
  const found = new Map(
    database
      .prepare('SELECT "name", "type", "notnull" FROM pragma_table_xinfo(?)')
      .all(table)
      .map((column) => [column["name"], column]),
  )
  return wanted.every(([name, type, notNull]) => {
    const column = found.get(name)
    return column !== undefined && column["type"] === type && Number(column["notnull"]) >= notNull
  })
}
