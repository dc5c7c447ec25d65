// Columns of STRICT tables, which hold nothing but values of their type (https://www.sqlite.org/stricttables.html): what is
// printed of them is judged no further than their type leaves open.
import type { TableName } from "../../model/model.ts"
import { type ColumnType, isText } from "../column-type.ts"
import type { CertainColumns, Printed } from "../dialect.ts"
import { type Fragment, literal, sql } from "../fragment.ts"
import { printAs } from "./sqlite-affinity.ts"
import { printScaled, quoted, scaledParts } from "./sqlite-print.ts"

export function printCertain(value: Fragment, type: ColumnType): Printed {
  const judged = printAs(value, type)
  if (type.stored !== "plain" || type.list) return judged
  switch (type.scalar) {
    case "integer": {
      const fits = sql`${value} BETWEEN -2147483648 AND 2147483647`
      const text = sql`CASE WHEN ${fits} THEN ${value} END`
      return { ...judged, text, inId: text, fits }
    }
    case "int64":
    case "row":
      return { ...judged, text: quoted(value), bare: value, inId: value }
    case "decimal": {
      const bare = printScaled(value, type.scale ?? 0)
      return { ...judged, text: quoted(bare), bare }
    }
    default:
      return isText(type) && !type.values
        ? { ...judged, text: sql`CASE WHEN ${value} IS NOT NULL THEN json_quote(${value}) END` }
        : judged
  }
}

/** All of a field's JSON text: parts for the one function that joins the record's, as each operator would copy the text. */
export function fieldCertain(
  value: Fragment,
  type: ColumnType,
  optional: boolean,
  mark: Fragment,
): readonly (string | Fragment)[] | undefined {
  if (type.stored !== "plain" || type.list) return undefined
  const inQuotes = (parts: readonly (string | Fragment)[], bare: Fragment): readonly (string | Fragment)[] =>
    optional ? [sql`coalesce(${quoted(bare)}, 'null')`] : ['"', ...parts, '"']
  switch (type.scalar) {
    case "integer": {
      const none = optional ? sql` WHEN ${value} IS NULL THEN 'null'` : sql``
      return [
        sql`CASE WHEN ${value} BETWEEN -2147483648 AND 2147483647 THEN ${value}${none} ELSE ${mark} END`,
      ]
    }
    case "int64":
      return inQuotes([value], value)
    case "decimal": {
      const scale = type.scale ?? 0
      return inQuotes(scaledParts(value, scale), printScaled(value, scale))
    }
    default:
      // For NULL the type is `null`.
      return isText(type) && !type.values ? [sql`json_quote(${value})`] : undefined
  }
}

/**
 * Asked once for a statement, of the storage (`bifold_columns`).
 * @param typeOf as the table says it
 */
export function holdTypes(
  table: TableName,
  columns: CertainColumns,
  typeOf: (type: ColumnType) => string,
): Fragment {
  const wanted = [...columns].map(([name, { type, optional }]) => [name, typeOf(type), optional ? 0 : 1])
  return sql`(SELECT bifold_columns(${literal(JSON.stringify([table.name, ...wanted]))}))`
}
