// A statement's columns as bytes: where text is long, SQLite's driver takes longer to make a string of it than the
// statement itself takes.
import { perObject } from "../../base/caches.ts"
import type { Statement } from "../statement.ts"

/** The text of a statement with the same parameters and the UTF-8 of its columns. */
export const asBytes = perObject(({ columns, text }: Statement): string => {
  const bytes = columns.flatMap((column) => (column === undefined ? [] : [`CAST("r${column}" AS BLOB)`]))
  return `SELECT ${bytes.join(", ")} FROM (${text})`
})
