// A record as it was, from bound values: what a table's row would have been, under the same rules.
import { present } from "../../base/invariant.ts"
import type { Resource } from "../../model/model.ts"
import type { RecordImage, Value } from "../../plan/read-plan.ts"
import type { ColumnType } from "../column-type.ts"
import { bound, commas, type Fragment, name, sql } from "../fragment.ts"
import type { Parameter } from "../statement.ts"
import { type Compilation, tableOf } from "./compilation.ts"
import { partOf } from "./condition.ts"
import { columnNames, openTable, type Source } from "./row.ts"
import { columnsOf } from "./subject.ts"

/** A column of the row, and its value in the array that the slot holds. */
interface ImageColumn {
  readonly type: ColumnType
  readonly pick: (values: Value) => Value
}

export function openImage(compilation: Compilation, resource: Resource, image: RecordImage): Source {
  const source = openTable(compilation, resource, imageTable(compilation, resource, image))
  return { ...source, row: { ...source.row, image: true } }
}

function imageTable(compilation: Compilation, { name: called }: Resource, image: RecordImage): Fragment {
  const { dialect, all } = compilation
  const { slot } = image
  const resource = present(all.model.resources.get(called), `there is a resource ${called}`)
  const columns = imageColumns(compilation, resource, image)
  const encode = ({ type, pick }: ImageColumn, values: Value): Parameter =>
    dialect.writes.store(pick(values), type)
  if (dialect.habits.fillsRows) {
    const json = (values: Value): string =>
      JSON.stringify(Object.fromEntries([...columns].map(([column, of]) => [column, encode(of, values)])))
    return sql`json_populate_record(NULL::${tableOf(resource)}, ${bound({ slot, encode: json })}::json)`
  }
  const cells = [...columnNames(resource)].map((column) => {
    const of = columns.get(column)
    const value = of ? bound({ slot, encode: (values) => encode(of, values) }) : sql`NULL`
    return sql`${value} AS ${name(column)}`
  })
  return sql`(SELECT ${commas(cells)})`
}

function imageColumns(
  { all }: Compilation,
  resource: Resource,
  { subjects }: RecordImage,
): ReadonlyMap<string, ImageColumn> {
  const columns = new Map<string, ImageColumn>()
  for (const [place, subject] of subjects.entries()) {
    const { columns: own, isKey } = columnsOf(all, resource, subject)
    for (const [part, { column, type }] of own.entries())
      columns.set(column, {
        type,
        pick: (values) => {
          const value = (values as readonly Value[])[place] ?? null
          return isKey ? partOf(value, part) : value
        },
      })
  }
  return columns
}
