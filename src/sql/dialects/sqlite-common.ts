// Values of tables that are not STRICT, in the form that columns usually hold them in. One test for a row, made of operators,
// which SQLite runs faster than functions, shows that it has no others. The text is exactly that of sqlite-affinity.ts. A sign
// before a column takes its affinity from the comparison: a text of digits is no number.
import type { ColumnType } from "../column-type.ts"
import type { CommonForm } from "../dialect.ts"
import { type Fragment, join, literal, sql, whole } from "../fragment.ts"
import { quoted } from "./sqlite-print.ts"

/** Undefined for types whose values come in several common forms. */
export function commonForm(value: Fragment, type: ColumnType, optional: boolean): CommonForm | undefined {
  if (type.stored === "plain" || type.list) return undefined
  const isSame = optional ? sql`IS` : sql`=`
  const truncated = sql`(${value} | 0)`
  switch (type.scalar) {
    case "integer":
      // The shifts take all but 32 bits, and a fraction.
      return {
        test: sql`${value} << 32 >> 32 ${isSame} +${value}`,
        text: [optional ? orNull(truncated) : truncated],
      }
    case "int64":
      return {
        test: sql`${value} | 0 ${isSame} +${value}`,
        text: optional ? [orNull(quoted(truncated))] : ['"', truncated, '"'],
      }
    case "decimal":
      return commonDecimal(value, type, optional)
    case "text":
    case "email":
    case "url":
    case "slug": {
      // For NULL the text is `null`.
      const text = [sql`json_quote(CAST(${value} AS TEXT))`]
      return optional ? { text } : { test: sql`${value} IS NOT NULL`, text }
    }
    case "boolean":
      return { test: isWhole(value, 1), text: [sql`iif(${value}, 'true', 'false')`], alone: true }
    case "float":
      return commonFloat(value)
    case "date":
      return { test: isMoment(value, sql`date`), text: ['"', value, '"'], alone: true }
    case "timestamp":
      return {
        test: isMoment(value, sql`datetime`),
        text: ['"', sql`replace(${value}, ' ', 'T')`, 'Z"'],
        alone: true,
      }
    default:
      return undefined
  }
}

/** Significant decimal digits that every double holds. */
const mostDigits = 15

/** The double that is nearest to a decimal of the scale, and not negative. */
function commonDecimal(value: Fragment, { scale }: ColumnType, optional: boolean): CommonForm | undefined {
  if (scale === undefined || scale > mostDigits) return undefined
  const unit = whole(10 ** scale)
  const units = sql`CAST(${value} * ${unit} + 0.5 AS INTEGER)`
  const range = sql`+${value} BETWEEN 0 AND ${whole(10 ** (mostDigits - scale) - 1)}`
  const test = sql`${range} AND ${units} / ${unit}.0 = +${value}`
  const parts =
    scale === 0 ? [units] : [sql`${units} / ${unit}`, ".", sql`substr(${unit} + ${units} % ${unit}, 2)`]
  if (!optional) return { test, text: ['"', ...parts, '"'] }
  const texts = parts.map((part) => (typeof part === "string" ? literal(part) : sql`(${part})`))
  return { test: sql`(${test} OR ${value} IS NULL)`, text: [orNull(quoted(join(texts, sql` || `)))] }
}

const orNull = (text: Fragment): Fragment => sql`coalesce(${text}, 'null')`

/** An INTEGER from 0 on: of a REAL the half stays, so that it is another number. */
const isWhole = (value: Fragment, most: number): Fragment =>
  sql`+${value} BETWEEN 0 AND ${whole(most)} AND (${value} * 2 + 1) / 2 = +${value}`

/** A whole number, or up to six digits after the point: no more than `format` shows, so that they need not be read back. */
function commonFloat(value: Fragment): CommonForm {
  const range = sql`+${value} BETWEEN -1000000000 AND 1000000000`
  const millionths = sql`(CAST((${value} + 1000000000) * 1000000 + 0.5 AS INTEGER) - 1000000000000000)`
  return {
    test: sql`${range} AND ${millionths} / 1000000.0 = +${value}`,
    text: [sql`format('%.15g', ${value})`],
    alone: true,
  }
}

/** The text that SQLite's own function makes, in the years from 1 on. */
const isMoment = (value: Fragment, made: Fragment): Fragment =>
  sql`+${value} COLLATE BINARY >= '0001-' AND ${made}(${value}) = +${value} COLLATE BINARY`

/** As a part of an id that is no text: the value itself. */
export function commonKeyPart(value: Fragment, { scalar }: ColumnType): Fragment | undefined {
  switch (scalar) {
    case "integer":
      return isWhole(value, 2_147_483_647)
    case "int64":
    case "row":
      return sql`typeof(${value}) = 'integer'`
    default:
      return undefined
  }
}
