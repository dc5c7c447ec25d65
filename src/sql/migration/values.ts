// Values of texts in the commands and questions of migrations, which are sent without parameters.
import { literal, render } from "../fragment.ts"
import type { RenamedValue } from "../schema/tables.ts"

export const textOf = (value: string): string => render(literal(value), () => "?").text

/** The column's value under the name that it has now. @param column quoted */
export const renamedText = (column: string, renames: readonly RenamedValue[]): string =>
  `CASE ${column} ${renames.map(({ from, to }) => `WHEN ${textOf(from)} THEN ${textOf(to)}`).join(" ")} ELSE ${column} END`
