// The statements that keep an answer with what was written, so that asking again gives it again.

import { plainText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { bound, commas, type Fragment, name, render, sql } from "../fragment.ts"
import { idempotencyTable } from "../schema/system-tables.ts"
import type { Parameter } from "../statement.ts"

export interface IdempotencyStatements {
  /** Parameters: scope, key, since. Row: fingerprint, answer. */
  readonly find: string
  /** Parameters: scope, key, fingerprint, answer, now. */
  readonly keep: string
  /** Parameters: since. A part of what counts no more. */
  readonly forget: string
  /** A moment as a parameter. */
  readonly moment: (canonical: string) => Parameter
}

export function idempotencyStatements(dialect: Dialect): IdempotencyStatements {
  const table = name(idempotencyTable.name)
  const { scope, key, fingerprint, answer, madeAt } = idempotencyTable.columns
  const column = (of: string): Fragment => name(of)
  const place = (): Fragment => bound({ slot: 0, encode: () => null })
  const text = (fragment: Fragment): string => render(fragment, dialect.placeholder).text
  const columns = [scope, key, fingerprint, answer, madeAt].map(column)
  const changed = [fingerprint, answer, madeAt].map((one) => sql`${column(one)} = excluded.${column(one)}`)
  return {
    find: text(
      sql`SELECT ${column(fingerprint)}, ${column(answer)} FROM ${table} WHERE ${column(scope)} = ${place()} AND ${column(key)} = ${place()} AND ${column(madeAt)} >= ${place()}`,
    ),
    keep: text(
      sql`INSERT INTO ${table} (${commas(columns)}) VALUES (${commas(columns.map(place))}) ON CONFLICT (${column(scope)}, ${column(key)}) DO UPDATE SET ${commas(changed)}`,
    ),
    forget: text(
      sql`DELETE FROM ${table} WHERE (${column(scope)}, ${column(key)}) IN (SELECT ${column(scope)}, ${column(key)} FROM ${table} WHERE ${column(madeAt)} < ${place()} LIMIT 1000)`,
    ),
    moment: (canonical) => dialect.encode(canonical, { ...plainText, scalar: "timestamp" }),
  }
}
