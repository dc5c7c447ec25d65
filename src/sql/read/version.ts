// The version of a row: what `ifMatch` and `ETag` are made of.

import { present } from "../../base/invariant.ts"
import type { ColumnType } from "../column-type.ts"
import { isBare } from "../dialect.ts"
import { type Fragment, name, sql } from "../fragment.ts"
import type { Compilation, Row } from "./compilation.ts"
import { columnNames } from "./row.ts"

const counter: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/** Text of letters, digits, `-` and `_`. */
export function versionText({ dialect }: Compilation, { resource, column }: Row): Fragment {
  const { version } = resource
  if (version.kind === "column") {
    const { inId } = dialect.print(column(version.column), counter)
    return sql`coalesce(CAST(${present(inId, "a whole number is part of ids")} AS text), '0')`
  }
  const { rowVersion, contentVersion = rowVersion } = dialect.writes
  return (isBare(dialect, resource) ? contentVersion : rowVersion)(column, columnNames(resource))
}

/** Another one for a row that is written, where Bifold counts. */
export const nextVersion = ({ resource, column }: Row): readonly Fragment[] =>
  resource.version.kind === "column"
    ? [sql`${name(resource.version.column)} = ${column(resource.version.column)} + 1`]
    : []
