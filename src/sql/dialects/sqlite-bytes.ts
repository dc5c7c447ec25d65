// A statement's columns as bytes: where text is long, SQLite's driver takes longer to make a string of it than the
// statement itself takes.
import type { Statement } from "../statement.ts"

const known = new WeakMap<Statement, string>()

/** The text of a statement with the same parameters and the UTF-8 of its columns. */
export function asBytes(statement: Statement): string {
  let text = known.get(statement)
  if (text === undefined) {
    const columns = statement.columns.filter((column) => column !== undefined)
    text = `SELECT ${columns.map((column) => `CAST("r${column}" AS BLOB)`).join(", ")} FROM (${statement.text})`
    known.set(statement, text)
  }
  return text
}
