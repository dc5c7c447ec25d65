// JSON text of values as Bifold's own SQLite tables hold them.
import type { ColumnType } from "./column-type.ts"
import type { Printed } from "./dialect.ts"
import { type Fragment, literal, sql, whole } from "./fragment.ts"

export function printPlain(value: Fragment, type: ColumnType): Printed {
  if (type.list) return { text: sql`${value}`, partial: false }
  switch (type.scalar) {
    case "int64":
    case "row":
    case "date":
    case "uuid":
      return inQuotes(value)
    case "integer":
    case "json":
      return { text: value, partial: false }
    case "boolean":
      return { text: sql`CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`, partial: false }
    case "decimal":
      return printScaled(value, type.scale ?? 0)
    case "float":
      return { text: printFloat(value), partial: true }
    case "time":
      return inQuotes(sql`rtrim(rtrim(${value}, '0'), '.')`)
    case "timestamp":
      return inQuotes(sql`rtrim(rtrim(substr(${value}, 1, 26), '0'), '.')`, "Z")
    case "bytes":
      return inQuotes(sql`bifold_base64(${value})`)
    default:
      return { text: sql`json_quote(${value})`, partial: false }
  }
}

const inQuotes = (text: Fragment, end = ""): Printed => ({
  text: quoted(end === "" ? text : sql`${text} || ${literal(end)}`),
  pieces: ['"', text, `${end}"`],
  partial: false,
})

export const quoted = (text: Fragment): Fragment => sql`'"' || ${text} || '"'`

/** The shortest of the texts that read back to the same double; NULL for what is not finite. */
export const printFloat = (value: Fragment): Fragment =>
  sql`CASE WHEN abs(${value}) < 9e999 THEN CASE ${value} WHEN CAST(format('%.15g', ${value}) AS REAL) THEN format('%.15g', ${value}) WHEN CAST(format('%.16g', ${value}) AS REAL) THEN format('%.16g', ${value}) ELSE format('%!.17g', ${value}) END END`

/** A decimal that is held as a whole number of its smallest unit. */
function printScaled(value: Fragment, scale: number): Printed {
  if (scale === 0) return inQuotes(value)
  const unit = whole(10 ** scale)
  // A digit before the fraction keeps its zeros; it is cut off again.
  const digits = (sign: Fragment): Fragment => sql`substr(${unit} ${sign} (${value} % ${unit}), 2)`
  const above = sql`concat('"', ${value} / ${unit}, '.', ${digits(sql`+`)}, '"')`
  const below = sql`concat('"-', -(${value} / ${unit}), '.', ${digits(sql`-`)}, '"')`
  // The least of all whole numbers has no opposite: so it is divided first.
  const sign = sql`CASE WHEN ${value} < 0 THEN '-' ELSE '' END`
  const fraction = sql`substr(${unit} + abs(${value} % ${unit}), 2)`
  return {
    // concat overlooks what is missing, so that both cases are named.
    text: sql`CASE WHEN ${value} >= 0 THEN ${above} WHEN ${value} < 0 THEN ${below} END`,
    pieces: ['"', sign, sql`abs(${value} / ${unit})`, ".", fraction, '"'],
    partial: false,
  }
}
