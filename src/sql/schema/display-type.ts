// The type of a column as the database shows it, so that what is wanted and what was found compare as text. SQLite has five
// types for all scalars: there a comment in the table's definition, which SQLite keeps, says what the values mean.
import type { ColumnType } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { render } from "../fragment.ts"

/** `numeric(12,2)` and `text COLLATE "C"`; on SQLite `INTEGER` and a comment, `decimal(12,2)`. */
export function displayType(dialect: Dialect, type: ColumnType, precision: number | undefined): string {
  const { text } = render(dialect.made.columnType(type, precision), dialect.placeholder)
  if (dialect.name === "postgres")
    return text
      .replace(/^timestamptz\b/, "timestamp with time zone")
      .replace(/^time(?=$|\[)/, "time without time zone")
      .replace(/^numeric\((\d+), (\d+)\)/, "numeric($1,$2)")
  const meaning = meaningOf(type, precision)
  return meaning === undefined ? text : `${text} /* ${meaning} */`
}

/** Undefined of plain text, whichever scalar checks it. */
function meaningOf({ scalar, list, scale }: ColumnType, precision: number | undefined): string | undefined {
  const isText = ["text", "email", "url", "slug", "oneOf"].includes(scalar)
  const one = scalar === "decimal" ? `decimal(${precision ?? 18},${scale ?? 0})` : isText ? "text" : scalar
  if (list) return `list of ${one}`
  return isText ? undefined : one
}
