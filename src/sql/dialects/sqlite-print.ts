// JSON text of values as Bifold's own SQLite tables hold them. Other programs may have changed a column since, and a
// STRICT table keeps any text in a column of text. So the statement judges each value, and a value that does not fit
// has no text.
import type { ColumnType } from "../column-type.ts"
import type { Printed } from "../dialect.ts"
import { commas, type Fragment, join, literal, sql, whole } from "../fragment.ts"

export function printPlain(value: Fragment, type: ColumnType): Printed {
  if (type.list) return { text: listText(value, type), partial: true }
  const inId = () => fitting(value, type)
  switch (type.scalar) {
    case "integer":
      return { text: inId(), inId: inId(), partial: true }
    case "int64":
    case "row":
    case "date":
    case "uuid":
      return { text: quoted(inId()), bare: inId(), inId: inId(), partial: true }
    case "json":
      return {
        text: sql`CASE WHEN json_valid(${value}) AND json_type(${value}) <> 'null' THEN ${value} END`,
        partial: true,
      }
    case "boolean":
      return { text: sql`CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`, partial: true }
    case "decimal":
      return inQuotes(judgedScaled(value, type.scale ?? 0))
    case "float":
      return { text: printFloat(value), partial: true }
    case "time":
      return inQuotes(sql`CASE WHEN ${value} GLOB ${clock} THEN rtrim(rtrim(${value}, '0'), '.') END`)
    case "timestamp":
      return inQuotes(
        sql`CASE WHEN ${value} GLOB '????-??-??T??:??:??.??????Z' AND unixepoch(${value}) IS NOT NULL THEN rtrim(rtrim(substr(${value}, 1, 26), '0'), '.') || 'Z' END`,
      )
    case "bytes":
      return inQuotes(sql`bifold_base64(${value})`)
    case "oneOf":
      return {
        text: sql`CASE WHEN ${value} IN (${commas((type.values ?? []).map(literal))}) THEN json_quote(${value}) END`,
        partial: true,
      }
    default:
      return { text: sql`CASE typeof(${value}) WHEN 'text' THEN json_quote(${value}) END`, partial: true }
  }
}

const inQuotes = (bare: Fragment): Printed => ({ text: quoted(bare), bare, partial: true })

export const quoted = (text: Fragment): Fragment => sql`'"' || ${text} || '"'`

const day = literal("[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]")
const clock = literal("[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]")

/** The value itself if nothing in it needs escaping; NULL for any other. */
export function fitting(value: Fragment, { scalar }: ColumnType): Fragment {
  switch (scalar) {
    case "integer":
      return sql`CASE WHEN typeof(${value}) = 'integer' AND ${value} BETWEEN -2147483648 AND 2147483647 THEN ${value} END`
    case "date":
      return sql`CASE WHEN ${value} GLOB ${day} THEN ${value} END`
    case "uuid":
      return sql`CASE WHEN length(${value}) = 36 AND octet_length(unhex(${value}, '-')) = 16 THEN ${value} END`
    default:
      return sql`CASE typeof(${value}) WHEN 'integer' THEN ${value} END`
  }
}

/** The JSON type of items, by their scalar; text where none is given. */
const itemKinds: Partial<Readonly<Record<ColumnType["scalar"], readonly string[]>>> = {
  integer: ["integer"],
  float: ["integer", "real"],
  boolean: ["true", "false"],
}

/** The JSON array, if all of its items are of the kind that they are declared as. */
export function listText(value: Fragment, { scalar, values }: ColumnType): Fragment {
  const kinds = commas((itemKinds[scalar] ?? ["text"]).map(literal))
  const others = values ? sql` OR item."value" NOT IN (${commas(values.map(literal))})` : sql``
  const isOdd = scalar === "json" ? sql`item."type" = 'null'` : sql`item."type" NOT IN (${kinds})${others}`
  const fit = sql` AND NOT EXISTS (SELECT 1 FROM json_each(${value}) AS item WHERE ${isOdd})`
  return sql`CASE WHEN json_valid(${value}) AND json_type(${value}) = 'array'${fit} THEN ${value} END`
}

/** The shortest text that reads back to the same double; NULL for a value that is not finite, or no number. */
export const printFloat = (value: Fragment): Fragment =>
  sql`CASE WHEN typeof(${value}) IN ('real', 'integer') AND ${value} BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN CASE ${value} WHEN CAST(format('%.15g', ${value}) AS REAL) THEN format('%.15g', ${value}) WHEN CAST(format('%.16g', ${value}) AS REAL) THEN format('%.16g', ${value}) ELSE format('%!.17g', ${value}) END END`

/** A decimal that is held as a whole number of its smallest unit; NULL for any other value. */
const judgedScaled = (value: Fragment, scale: number): Fragment =>
  sql`CASE typeof(${value}) WHEN 'integer' THEN ${printScaled(value, scale)} END`

/** The same of a whole number. */
export const printScaled = (value: Fragment, scale: number): Fragment =>
  join(
    scaledParts(value, scale).map((part) => (typeof part === "string" ? literal(part) : part)),
    sql` || `,
  )

/** Side by side they are its text. */
export function scaledParts(value: Fragment, scale: number): readonly (string | Fragment)[] {
  if (scale === 0) return [value]
  const unit = whole(10 ** scale)
  // The least of all whole numbers has no opposite: so it is divided first. A digit before the fraction keeps its zeros.
  const sign = sql`CASE WHEN ${value} < 0 THEN '-' ELSE '' END`
  const fraction = sql`substr(${unit} + abs(${value} % ${unit}), 2)`
  return [sign, sql`abs(${value} / ${unit})`, ".", fraction]
}
