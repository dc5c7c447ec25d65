// Whole tables of a migration: which one was which, and which of those that no resource has are Bifold's to remove.

import { versionColumn } from "../../model/declaration/default-names.ts"
import type { TableName } from "../../model/model.ts"
import { camelCase } from "../../model/names.ts"
import { systemTableNames } from "../schema/system-tables.ts"
import type { TableForeignKey, WantedTable } from "../schema/tables.ts"
import type { FoundTable, Step } from "./steps.ts"

/** A table with what it was found as. */
export interface Taken {
  readonly table: WantedTable
  readonly source: FoundTable | undefined
}

export const named = ({ schema, name }: TableName): string =>
  schema === undefined ? name : `${schema}.${name}`

/** As a person calls it: without the schema where it is found without. */
export const displayName = ({ name, visible }: FoundTable): string => (visible ? name.name : named(name))

export const isCalled = (found: FoundTable, { schema, name }: TableName): boolean =>
  found.name.name === name && (schema === undefined ? found.visible : found.name.schema === schema)

/** The table of that name, or the first that it was. */
export function takeTable(
  wanted: WantedTable,
  found: readonly FoundTable[],
): { readonly source: FoundTable | undefined } {
  const names = [wanted.name, ...wanted.was]
  const at = (name: TableName) => found.find((table) => isCalled(table, name))
  return { source: names.map(at).find((table) => table !== undefined) }
}

/** Made by Bifold: it counts its records' writes, or is nothing but a link between two such tables. */
export function isOurs(table: FoundTable, found: readonly FoundTable[]): boolean {
  if (Object.values(systemTableNames).includes(table.name.name)) return false
  if (counts(table)) return true
  const linked = table.foreignKeys.map(({ target }) => found.find((other) => isCalled(other, target)))
  const inKeys = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  return (
    linked.length === 2 &&
    linked.every((other) => other !== undefined && counts(other)) &&
    table.columns.every(({ name }) => inKeys.has(name) && table.key.includes(name))
  )
}

const counts = ({ columns }: FoundTable): boolean => columns.some(({ name }) => name === versionColumn)

export const targetsOf = (keys: readonly TableForeignKey[]): readonly string[] => [
  ...new Set(keys.map(({ target }) => target.name)),
]

/** @param rest `needs`: the steps without which something would lead to nowhere */
export function dropTable(table: FoundTable, rest: Pick<Step, "needs" | "questions" | "renamed">): Step {
  return {
    name: `drop:${camelCase(table.name.name)}`,
    says: `remove the table ${displayName(table)} and all of its records`,
    loses: true,
    leftover: true,
    holds: targetsOf(table.foreignKeys),
    ...rest,
    changes: [{ kind: "dropTable", table }],
  }
}
