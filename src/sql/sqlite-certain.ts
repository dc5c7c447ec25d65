// Columns of STRICT tables, which hold nothing but values of their type (https://www.sqlite.org/stricttables.html): what is
// printed of them is judged no further than their type leaves open.
import type { TableName } from "../model/model.ts"
import type { ColumnType } from "./column-type.ts"
import type { CertainColumns, Printed } from "./dialect.ts"
import { commas, type Fragment, literal, sql, whole } from "./fragment.ts"
import { printAs } from "./sqlite-loose.ts"
import { printScaled, quoted } from "./sqlite-print.ts"

export function printCertain(value: Fragment, type: ColumnType): Printed {
  const judged = printAs(value, type)
  if (type.stored !== "plain" || type.list) return judged
  switch (type.scalar) {
    case "integer": {
      const text = sql`CASE WHEN ${value} BETWEEN -2147483648 AND 2147483647 THEN ${value} END`
      return { ...judged, text, inId: text }
    }
    case "int64":
    case "row":
      return { ...judged, text: quoted(value), bare: value, inId: value }
    case "decimal": {
      const bare = printScaled(value, type.scale ?? 0)
      return { ...judged, text: quoted(bare), bare }
    }
    case "text":
    case "email":
    case "url":
    case "slug":
      return { ...judged, text: sql`CASE WHEN ${value} IS NOT NULL THEN json_quote(${value}) END` }
    default:
      return judged
  }
}

/** @param typeOf as the table says it */
export function holdTypes(
  table: TableName,
  columns: CertainColumns,
  typeOf: (type: ColumnType) => string,
): Fragment {
  const wanted = [...columns].map(([name, type]) => sql`(${literal(name)}, ${literal(typeOf(type))})`)
  return sql`(SELECT count(*) = ${whole(wanted.length)} FROM pragma_table_list(${literal(table.name)}) AS found JOIN pragma_table_xinfo(${literal(table.name)}) AS own WHERE found."schema" = 'main' AND found."strict" = 1 AND (own."name", own."type") IN (VALUES ${commas(wanted)}))`
}
