// The version of a row: what `ifMatch` and `ETag` are made of.
import type { Compilation, Row } from "./compilation.ts"
import { type Fragment, name, sql } from "./fragment.ts"
import { columnNames } from "./row.ts"

/** Text of letters, digits, `-` and `_`. */
export function versionText({ dialect }: Compilation, { resource, column }: Row): Fragment {
  const { version } = resource
  return version.kind === "column"
    ? sql`CAST(${column(version.column)} AS text)`
    : dialect.writes.rowVersion(column, columnNames(resource))
}

/** Another one for a row that is written, where Bifold counts. */
export const nextVersion = ({ resource, column }: Row): readonly Fragment[] =>
  resource.version.kind === "column"
    ? [sql`${name(resource.version.column)} = ${column(resource.version.column)} + 1`]
    : []
