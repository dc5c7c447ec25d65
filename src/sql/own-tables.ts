// Bifold's own tables: what it keeps in the database of a service whose tables it makes, besides the records.
import type { Dialect } from "./dialect.ts"
import { commas, type Fragment, name, render, sql } from "./fragment.ts"

/** The answers to writes that came with an Idempotency-Key, so that asking again gives the same one. */
export const idempotencyTable = {
  name: "bifold_idempotency",
  columns: {
    /** Who asked, and of which service: keys of different people are different keys. */
    scope: "scope",
    key: "key",
    /** Of the request: another one under the same key is a mistake. */
    fingerprint: "fingerprint",
    answer: "answer",
    /** A moment, in the form that the dialect stores a `timestamp` in. */
    madeAt: "made_at",
  },
} as const

/** Statements that make them where they are not there; running them again changes nothing. */
export function ownTables(dialect: Dialect): readonly string[] {
  const text = dialect.made.columnType({ scalar: "text", list: false, stored: "plain" }, undefined)
  const moment = dialect.made.columnType({ scalar: "timestamp", list: false, stored: "plain" }, undefined)
  const { scope, key, fingerprint, answer, madeAt } = idempotencyTable.columns
  const lines: readonly Fragment[] = [
    ...[scope, key, fingerprint, answer].map((column) => sql`${name(column)} ${text} NOT NULL`),
    sql`${name(madeAt)} ${moment} NOT NULL`,
    sql`PRIMARY KEY (${commas([scope, key].map(name))})`,
  ]
  const table = name(idempotencyTable.name)
  const index = name(`${idempotencyTable.name}_${madeAt}_index`)
  return [
    sql`CREATE TABLE IF NOT EXISTS ${table} (${commas(lines)})${dialect.made.options}`,
    sql`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${name(madeAt)})`,
  ].map((statement) => render(statement, dialect.placeholder).text)
}
