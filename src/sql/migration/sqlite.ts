// Steps as commands of SQLite: plain ALTER TABLE where it suffices, and tables made anew for the rest
// (https://www.sqlite.org/lang_altertable.html, section 7).

import { match } from "../../base/match.ts"
import type { TableName } from "../../model/model.ts"
import { sqlite } from "../dialects/sqlite.ts"
import { quoted } from "../fragment.ts"
import { columnText, createIndex, createTable, tableText } from "../schema/schema.ts"
import {
  type Table,
  type TableCheck,
  type TableColumn,
  type TableForeignKey,
  type WantedTable,
  withDefault,
} from "../schema/tables.ts"
import { renamedText, takeTable } from "./renamed.ts"
import { renameHandlers, renameIds, renameKept } from "./renamed-log.ts"
import { type Change, changesOf, type FoundTable, type Step } from "./steps.ts"

export type SqliteWork =
  | { readonly kind: "commands"; readonly commands: readonly string[] }
  /** Indexes and triggers of the table that are neither `made` nor `dropped` are made again as they were. */
  | {
      readonly kind: "rebuild"
      readonly table: string
      readonly made: readonly string[]
      readonly dropped: readonly string[]
      readonly commands: readonly string[]
    }

/** All in one transaction, with foreign keys off. */
export function sqliteWorks(steps: readonly Step[], found: readonly FoundTable[]): readonly SqliteWork[] {
  const changes = changesOf(steps)
  const rebuilt = new Set(changes.flatMap((change) => (needsRebuild(change) ? [change.table] : [])))
  const works = (some: readonly Change[]): readonly SqliteWork[] =>
    some
      .map((change) => commandsOf(change, "table" in change && rebuilt.has(change.table as WantedTable)))
      .filter((commands) => commands.length > 0)
      .map((commands) => ({ kind: "commands", commands }))
  return [
    ...works(changes.filter(({ kind }) => early.has(kind))),
    ...[...rebuilt].map((table) => rebuild(table, changes, found)),
    ...works(changes.filter(({ kind }) => !early.has(kind))),
  ]
}

/** Done to a table before it is made anew. */
const early: ReadonlySet<Change["kind"]> = new Set(["renameTable", "renameColumn", "dropIndex", "renameMade"])

type TableChange = Extract<Change, { readonly table: WantedTable }>

function needsRebuild(change: Change): change is TableChange {
  switch (change.kind) {
    case "addColumn":
      return !isAddable(change)
    case "dropIndex":
      return change.index.constraint
    case "dropConstraint":
    case "dropColumn":
    case "remakeColumn":
    case "changeType":
    case "setOptional":
    case "renameValues":
    case "setCheck":
    case "setRequired":
    case "addForeignKey":
      return true
    default:
      return false
  }
}

/** Columns that ALTER TABLE adds without a look at the rows (section 4). */
function isAddable({ table, column }: Extract<Change, { readonly kind: "addColumn" }>): boolean {
  const bound = [
    ...table.checks.map((check) => check.column),
    ...table.foreignKeys.flatMap(({ columns }) => columns),
  ]
  return (column.nullable || column.default !== undefined) && !bound.includes(column.name)
}

function commandsOf(change: Change, rebuilt: boolean): readonly string[] {
  const none = (): readonly string[] => []
  const unlessRebuilt = (...commands: readonly string[]) => (rebuilt ? [] : commands)
  return match<Change, readonly string[]>(change, {
    renameTable: ({ from, to, kept }) => [
      `ALTER TABLE ${tableText(from)} RENAME TO ${quoted(to.name)}`,
      ...(kept ? renameKept(sqlite, kept) : []),
    ],
    renameIds: ({ kept, from }) => renameIds(sqlite, kept, from),
    renameColumn: ({ table, from, to }) => [
      `ALTER TABLE ${tableText(table.name)} RENAME COLUMN ${quoted(from)} TO ${quoted(to)}`,
    ],
    renameMade: ({ table, from, index }) =>
      index ? [`DROP INDEX ${quoted(from)}`, ...unlessRebuilt(createIndex(table.name, index))] : [],
    dropIndex: ({ index }) => (index.constraint ? [] : [`DROP INDEX ${quoted(index.name)}`]),
    createTable: ({ table }) => [
      createTable(sqlite, table),
      ...table.indexes.map((index) => createIndex(table.name, index)),
    ],
    addColumn: ({ table, column }) =>
      unlessRebuilt(`ALTER TABLE ${tableText(table.name)} ADD COLUMN ${columnText(sqlite, table, column)}`),
    createUnique: ({ table, index }) => unlessRebuilt(createIndex(table.name, index)),
    createIndex: ({ table, index }) => unlessRebuilt(createIndex(table.name, index)),
    dropTable: ({ table }) => [`DROP TABLE ${tableText(table.name)}`],
    makeOwn: ({ commands }) => commands,
    fillColumn: ({ table, column: { name, fill } }) =>
      unlessRebuilt(
        `UPDATE ${tableText(table.name)} SET ${quoted(name)} = ${fill ?? "NULL"} WHERE ${quoted(name)} IS NULL`,
      ),
    dropConstraint: none,
    dropColumn: none,
    remakeColumn: none,
    changeType: none,
    setOptional: none,
    setCounted: none,
    renameValues: ({ kept }) => (kept ? renameHandlers(kept) : []),
    setCheck: none,
    setRequired: none,
    addForeignKey: none,
    validate: none,
  })
}

// A table made anew

/** The found table, by its new names. */
interface Before extends Omit<FoundTable, "name" | "visible" | "checks"> {
  readonly checks: readonly TableCheck[]
}

function rebuild(table: WantedTable, changes: readonly Change[], found: readonly FoundTable[]): SqliteWork {
  const own = changes.filter((change): change is TableChange => "table" in change && change.table === table)
  const old = inNewNames(table, changes, found)
  const added = new Set(own.flatMap((change) => (isAdded(change) ? [change.column] : [])))
  const dropped = new Set(
    own.flatMap((change) =>
      change.kind === "dropColumn"
        ? [change.column]
        : change.kind === "remakeColumn"
          ? [change.column.name]
          : [],
    ),
  )
  const wanted = new Set(table.columns.map(({ name }) => name))
  const left = old.columns.filter(({ name }) => !wanted.has(name) && !dropped.has(name))
  const leftOver = new Set(left.map(({ name }) => name))
  const target: Table = {
    ...table,
    columns: [...table.columns.map((column) => (added.has(column) ? withDefault(column) : column)), ...left],
    foreignKeys: [
      ...table.foreignKeys,
      ...old.foreignKeys.filter(({ columns }) => columns.some((column) => leftOver.has(column))),
    ],
    checks: [...table.checks, ...old.checks.filter(({ column }) => leftOver.has(column))],
  }
  const values = target.columns.map((column) => oldValue(column, own))
  const fresh: TableName = { name: `bifold_new_${table.name.name}` }
  const unusable = old.indexes.filter(
    ({ columns, constraint }) => !constraint && columns.some((column) => dropped.has(column)),
  )
  return {
    kind: "rebuild",
    table: table.name.name,
    made: table.indexes.map(({ name }) => name),
    dropped: unusable.map(({ name }) => name),
    commands: [
      createTable(sqlite, target, fresh),
      `INSERT INTO ${tableText(fresh)} (${target.columns.map(({ name }) => quoted(name)).join(", ")}) SELECT ${values.join(", ")} FROM ${tableText(table.name)}`,
      `DROP TABLE ${tableText(table.name)}`,
      `ALTER TABLE ${tableText(fresh)} RENAME TO ${quoted(table.name.name)}`,
      ...table.indexes.map((index) => createIndex(table.name, index)),
    ],
  }
}

const isAdded = (
  change: TableChange,
): change is Extract<Change, { readonly kind: "addColumn" | "remakeColumn" }> =>
  change.kind === "addColumn" || change.kind === "remakeColumn"

/** The value of one column, from the row as it was. */
function oldValue(column: TableColumn, changes: readonly TableChange[]): string {
  const renamed = changes.find((change) => change.kind === "renameValues" && change.column === column.name)
  const plain = quoted(column.name)
  const name = renamed?.kind === "renameValues" ? renamedText(plain, renamed.renames) : plain
  const filled = changes.flatMap((change) =>
    (change.kind === "setRequired" || change.kind === "fillColumn") && change.column.name === column.name
      ? [change.column.fill]
      : [],
  )[0]
  for (const change of changes) {
    if (!("column" in change) || typeof change.column === "string" || change.column.name !== column.name)
      continue
    const { fill, default: usual, nullable } = change.column
    if (isAdded(change)) return filled ?? (nullable ? "NULL" : (usual ?? fill ?? "NULL"))
    if (change.kind === "changeType") {
      const required = changes.some(
        (other) => other.kind === "setRequired" && other.column.name === column.name,
      )
      return required && fill !== undefined ? `coalesce(${change.convert}, ${fill})` : change.convert
    }
    if ((change.kind === "setRequired" || change.kind === "fillColumn") && fill !== undefined)
      return `coalesce(${name}, ${fill})`
  }
  return name
}

function inNewNames(table: WantedTable, changes: readonly Change[], found: readonly FoundTable[]): Before {
  const { source } = takeTable(table, found)
  if (!source) return { columns: [], key: [], indexes: [], foreignKeys: [], checks: [] }
  const here = renamer(changes, table.name.name)
  return {
    columns: source.columns.map((column) => ({ ...column, name: here(column.name) })),
    key: source.key.map(here),
    indexes: source.indexes.map((index) => ({ ...index, columns: index.columns.map(here) })),
    foreignKeys: source.foreignKeys.map((key): TableForeignKey & { readonly valid: boolean } => {
      const target = renamedTable(changes, key.target)
      return {
        ...key,
        columns: key.columns.map(here),
        target,
        targetColumns: key.targetColumns.map(renamer(changes, target.name)),
      }
    }),
    checks: source.checks.flatMap(({ name, column, of }) =>
      of === "filled" ? [] : [{ name, column: here(column), of }],
    ),
  }
}

function renamer(changes: readonly Change[], table: string): (column: string) => string {
  const names = new Map(
    changes.flatMap((change) =>
      change.kind === "renameColumn" && change.table.name.name === table
        ? [[change.from, change.to] as const]
        : [],
    ),
  )
  return (column) => names.get(column) ?? column
}

function renamedTable(changes: readonly Change[], name: TableName): TableName {
  const renamed = changes.find((change) => change.kind === "renameTable" && change.from.name === name.name)
  return renamed?.kind === "renameTable" ? renamed.to : name
}
