// Steps as commands of PostgreSQL that hold no table for long. Indexes are built beside the running service,
// constraints are added first and validated afterwards, and values are filled in by batches.

import { type Cases, match } from "../../base/match.ts"
import type { TableName } from "../../model/model.ts"
import { postgres } from "../dialects/postgres.ts"
import { quoted } from "../fragment.ts"
import {
  addForeignKey,
  checkText,
  columnText,
  countOn,
  createIndex,
  createTable,
  identity,
  tableText,
} from "../schema/schema.ts"
import { type TableCheck, type WantedColumn, type WantedTable, withDefault } from "../schema/tables.ts"
import { renamedText, textOf } from "./renamed.ts"
import { renameHandlers, renameIds, renameIdsInLog, renameKept, renameLog } from "./renamed-log.ts"
import type { Change, Step } from "./steps.ts"
import { changesOf } from "./steps.ts"

export type PostgresWork =
  /** In one transaction. */
  | { readonly kind: "together"; readonly commands: readonly string[] }
  /** Outside of one. */
  | { readonly kind: "alone"; readonly command: string }
  /** Again and again, until it changes nothing. */
  | { readonly kind: "batches"; readonly command: string }

/** Records filled in at once. */
const batch = 5_000

/** Works that belong together, with the steps that begin with them. */
interface Stage {
  readonly begun: readonly Step[]
  readonly works: readonly PostgresWork[]
}

export function postgresStages(steps: readonly Step[]): readonly Stage[] {
  const begun = new Set<Step>()
  const beginning = (change: Change): readonly Step[] =>
    steps.filter((step) => step.changes.includes(change) && !begun.has(step) && begun.add(step))
  const changes = changesOf(steps)
  const stages = changes
    .filter(({ kind }) => kind !== "dropTable")
    .map((change) => ({ begun: beginning(change), works: match(change, worksOf) }))
  const last = changes.filter((change) => change.kind === "dropTable")
  return last.length === 0
    ? stages
    : [...stages, { begun: last.flatMap(beginning), works: [dropTables(last)] }]
}

function dropTables(changes: readonly Extract<Change, { readonly kind: "dropTable" }>[]): PostgresWork {
  const dropped = changes.map(({ table }) => table)
  // In whatever order they lead to each other.
  const apart = dropped.flatMap(({ name, foreignKeys }) =>
    foreignKeys.map((key) => `ALTER TABLE ${tableText(name)} DROP CONSTRAINT ${quoted(key.name)}`),
  )
  return together(...apart, ...dropped.map(({ name }) => `DROP TABLE ${tableText(name)}`))
}

const together = (...commands: readonly string[]): PostgresWork => ({ kind: "together", commands })
const alone = (command: string): PostgresWork => ({ kind: "alone", command })
const inBatches = (command: string): PostgresWork => ({ kind: "batches", command })

const alter = ({ name }: { readonly name: TableName }, ...actions: readonly string[]): string =>
  `ALTER TABLE ${tableText(name)} ${actions.join(", ")}`

const validate = (table: { readonly name: TableName }, name: string): PostgresWork =>
  together(alter(table, `VALIDATE CONSTRAINT ${quoted(name)}`))

const beside = ({ name: { schema } }: { readonly name: TableName }, name: string): string =>
  tableText(schema === undefined ? { name } : { schema, name })

const worksOf: Cases<Change, readonly PostgresWork[]> = {
  renameTable,
  renameIds: ({ kept, from }) => [
    ...renameIdsInLog(postgres, kept, from, batch).map(inBatches),
    together(...renameIds(postgres, kept, from)),
  ],
  renameColumn: ({ table, from, to }) => [
    together(alter(table, `RENAME COLUMN ${quoted(from)} TO ${quoted(to)}`)),
  ],
  renameMade: ({ table, what, from, to }) => [
    together(
      what === "index"
        ? `ALTER INDEX ${beside(table, from)} RENAME TO ${quoted(to)}`
        : alter(table, `RENAME CONSTRAINT ${quoted(from)} TO ${quoted(to)}`),
    ),
  ],
  dropConstraint: ({ table, name }) => [together(alter(table, `DROP CONSTRAINT ${quoted(name)}`))],
  dropIndex: ({ table, index }) => [
    index.constraint
      ? together(alter(table, `DROP CONSTRAINT ${quoted(index.name)}`))
      : alone(`DROP INDEX CONCURRENTLY ${beside(table, index.name)}`),
  ],
  createTable: ({ table }) => [
    together(
      ...(table.name.schema === undefined
        ? []
        : [`CREATE SCHEMA IF NOT EXISTS ${quoted(table.name.schema)}`]),
      createTable(postgres, table),
      ...table.indexes.map((index) => createIndex(table.name, index)),
    ),
  ],
  dropColumn: ({ table, column }) => [together(alter(table, `DROP COLUMN ${quoted(column)}`))],
  remakeColumn: ({ table, column }) => [
    together(alter(table, `DROP COLUMN ${quoted(column.name)}`), alter(table, addColumn(column))),
  ],
  addColumn: ({ table, column, filling }) => [
    together(alter(table, addColumn(column), ...(filling ? [addMark(column)] : []))),
  ],
  fillColumn: ({ table, column }) => [
    ...fillIn(table, column),
    together(alter(table, `DROP CONSTRAINT IF EXISTS ${quoted(filledName(column.name))}`)),
  ],
  changeType: ({ table, column, convert }) => [
    together(
      alter(
        table,
        // A default of the former type stands in the way.
        ...(column.from ? [`ALTER COLUMN ${quoted(column.name)} DROP DEFAULT`] : []),
        `ALTER COLUMN ${quoted(column.name)} TYPE ${column.type} USING ${convert}`,
      ),
    ),
  ],
  setOptional: ({ table, column }) => [
    together(alter(table, `ALTER COLUMN ${quoted(column.name)} DROP NOT NULL`)),
  ],
  renameValues,
  setCheck: ({ table, drop, add }) => [
    replaceCheck(table, drop, add),
    ...(add ? [validate(table, add.name)] : []),
  ],
  setRequired,
  setCounted: ({ table, column }) => [
    together(alter(table, `ALTER COLUMN ${quoted(column)} ADD ${identity}`), countOn(table.name, column)),
  ],
  createUnique: ({ table, index }) => [alone(createIndex(table.name, index, "CONCURRENTLY "))],
  addForeignKey: ({ table, key }) => [
    together(`${addForeignKey(table.name, key)} NOT VALID`),
    validate(table, key.name),
  ],
  validate: ({ table, name }) => [validate(table, name)],
  createIndex: ({ table, index }) => [alone(createIndex(table.name, index, "CONCURRENTLY "))],
  dropTable: () => [],
  makeOwn: ({ commands }) => [together(...commands)],
}

/**
 * Bifold's own rows are renamed before the table is, so that the next run can end one that was cut short. Rows written
 * in between are renamed together with the table.
 */
function renameTable({
  from,
  to,
  kept,
}: Extract<Change, { readonly kind: "renameTable" }>): readonly PostgresWork[] {
  const rename = alter({ name: from }, `RENAME TO ${quoted(to.name)}`)
  if (!kept) return [together(rename)]
  return [...renameLog(postgres, kept, batch).map(inBatches), together(rename, ...renameKept(postgres, kept))]
}

function renameValues({
  table,
  column,
  renames,
  kept,
  drop,
  meanwhile,
}: Extract<Change, { readonly kind: "renameValues" }>): readonly PostgresWork[] {
  const [here, name] = [tableText(table.name), quoted(column)]
  const old = `${name} IN (${renames.map(({ from }) => textOf(from)).join(", ")})`
  const some = `SELECT ctid FROM ${here} WHERE ${old} LIMIT ${batch}`
  const command = `UPDATE ${here} SET ${name} = ${renamedText(name, renames)} WHERE ctid = ANY (ARRAY(${some})) AND ${old}`
  const handlers = kept ? renameHandlers(kept) : []
  return [
    ...(meanwhile ? [replaceCheck(table, drop, meanwhile)] : []),
    { kind: "batches", command },
    ...(handlers.length > 0 ? [together(...handlers)] : []),
  ]
}

/** Existing rows are not looked at. */
const replaceCheck = (
  table: { readonly name: TableName },
  drop: readonly string[],
  add: TableCheck | undefined,
): PostgresWork =>
  together(
    alter(
      table,
      ...drop.map((name) => `DROP CONSTRAINT ${quoted(name)}`),
      ...(add ? [`ADD CONSTRAINT ${quoted(add.name)} ${checkText(add)} NOT VALID`] : []),
    ),
  )

const addColumn = (column: WantedColumn): string =>
  `ADD COLUMN ${columnText(postgres, { checks: [] }, withDefault(column))}`

/** Stands until every record has its value, and forbids nothing. */
const addMark = ({ name }: WantedColumn): string =>
  `ADD CONSTRAINT ${quoted(filledName(name))} CHECK (${quoted(name)} IS NULL OR ${quoted(name)} IS NOT NULL) NOT VALID`

function fillIn(table: WantedTable, { name, fill }: WantedColumn): readonly PostgresWork[] {
  if (fill === undefined) return []
  const [here, column] = [tableText(table.name), quoted(name)]
  const missing = `SELECT ctid FROM ${here} WHERE ${column} IS NULL AND (${fill}) IS NOT NULL LIMIT ${batch}`
  return [
    inBatches(
      `UPDATE ${here} SET ${column} = ${fill} WHERE ctid = ANY (ARRAY(${missing})) AND ${column} IS NULL`,
    ),
  ]
}

/** A valid check spares the scan while the table is locked (ALTER TABLE, SET NOT NULL). */
function setRequired({
  table,
  column: wanted,
}: Extract<Change, { readonly kind: "setRequired" }>): readonly PostgresWork[] {
  const [column, helper] = [quoted(wanted.name), quoted(filledName(wanted.name))]
  return [
    ...fillIn(table, wanted),
    together(alter(table, `ADD CONSTRAINT ${helper} CHECK (${column} IS NOT NULL) NOT VALID`)),
    // Records that were written without a value between the two.
    ...fillIn(table, wanted),
    together(alter(table, `VALIDATE CONSTRAINT ${helper}`)),
    together(alter(table, `ALTER COLUMN ${column} SET NOT NULL`, `DROP CONSTRAINT ${helper}`)),
  ]
}

/** The name of the check that stands while a column is being made required. */
export const filledPrefix = "bifold_filled_"
const filledName = (column: string): string => `${filledPrefix}${column}`
