// Migrations from the tables of a database to the tables that a model needs. Steps are data: each says in words what it
// does, whether it loses anything, and what has to hold before. Nothing is guessed and nothing is run here.

import { match } from "../../base/match.ts"
import { camelCase } from "../../model/names.ts"
import type { Dialect } from "../dialect.ts"
import {
  addColumns,
  lackedColumns,
  type SystemTable,
  systemTableNames,
  systemTables,
} from "../schema/system-tables.ts"
import type { WantedTable } from "../schema/tables.ts"
import { compareTable } from "./compare.ts"
import { noneLeads, nothingNeeds } from "./preconditions.ts"
import { dropTable, isCalled, isOurs, named, renamedTables, type Taken, takeTable } from "./renamed.ts"
import { type Change, type FoundTable, plain, type Question, type Step } from "./steps.ts"

/**
 * The steps from the found tables to the wanted ones; none when nothing differs.
 * @param own the tables of Bifold's own that are needed
 */
export function planMigration(
  wanted: readonly WantedTable[],
  found: readonly FoundTable[],
  dialect: Dialect,
  own: readonly SystemTable[] = ["idempotency"],
): readonly Step[] {
  const taken = wanted.map((table) => ({ table, ...takeTable(table, found) }))
  const kept = new Set(taken.flatMap(({ source }) => (source ? [source] : [])))
  const renames = { found, taken }
  const steps = taken.flatMap(({ table, source }) =>
    source ? compareTable({ dialect, table, source, renames }) : [addTable(dialect, table)],
  )
  const left = found.filter((table) => !kept.has(table) && isOurs(table, found))
  const come = taken.flatMap(({ table, source }) => (source ? [] : [table]))
  const logged = found.flatMap(({ beginnings = [] }) => beginnings)
  const renamed = renamedTables(left, come, logged)
  return [
    ...steps,
    ...left.map((table) => {
      const others = found.filter((one) => !kept.has(one) && !left.includes(one))
      const as = renamed.get(table)
      return dropTable(table, {
        needs: leading(table, taken, left),
        questions: standing(dialect, table, others),
        ...(as && { renamed: as }),
      })
    }),
    ...own.flatMap((one) => addOwn(found, dialect, one)),
  ]
}

/** The steps without which something that stays would lead to a table that is gone. */
function leading(
  target: FoundTable,
  taken: readonly Taken[],
  left: readonly FoundTable[],
): readonly string[] {
  const leads = (table: FoundTable) => table.foreignKeys.filter((key) => isCalled(target, key.target))
  const columns = taken.flatMap(({ table, source }) => {
    const kept = new Set(table.columns.flatMap(({ name, was }) => [name, ...was]))
    const gone = source
      ? leads(source).flatMap((key) => key.columns.filter((column) => !kept.has(column)))
      : []
    return gone.map((column) => `drop:${table.called}.${camelCase(column)}`)
  })
  const tables = left.filter((table) => table !== target && leads(table).length > 0)
  return [...columns, ...tables.map((table) => `drop:${camelCase(table.name.name)}`)]
}

/** Obstacles to removing it. @param others tables that Bifold did not make */
const standing = (
  dialect: Dialect,
  target: FoundTable,
  others: readonly FoundTable[],
): readonly Question[] => [
  ...(dialect.made.keepsNeeded ? [nothingNeeds(target)] : []),
  ...others.flatMap((table) =>
    table.foreignKeys
      .filter((key) => isCalled(target, key.target))
      .map(({ columns }) => noneLeads(dialect, target, { table, columns })),
  ),
]

function addTable(dialect: Dialect, table: WantedTable): Step {
  const keys = dialect.made.altersConstraints ? table.foreignKeys : []
  return {
    name: `add:${table.called}`,
    says: `make the table ${named(table.name)}`,
    loses: false,
    leftover: false,
    questions: [],
    changes: [
      { kind: "createTable", table },
      ...keys.map((key): Change => ({ kind: "addForeignKey", table, key })),
    ],
  }
}

/** One of Bifold's own tables; one of an earlier version may lack columns. */
function addOwn(found: readonly FoundTable[], dialect: Dialect, own: SystemTable): readonly Step[] {
  const name = systemTableNames[own]
  const there = found.find((table) => table.name.name === name && table.visible)
  if (there) {
    const columns = there.columns.map((column) => column.name)
    return addOwnColumns(dialect, own, lackedColumns(own, columns))
  }
  return [
    {
      name: `add:${name}`,
      says: `make Bifold's own table ${name}`,
      loses: false,
      leftover: false,
      questions: [],
      changes: [{ kind: "makeOwn", commands: systemTables(dialect, [own]) }],
    },
  ]
}

/** Columns of Bifold's own table that a later version has. */
export const addOwnColumns = (
  dialect: Dialect,
  own: SystemTable,
  columns: readonly string[],
): readonly Step[] =>
  columns.map((column) => ({
    ...plain,
    name: `add:${systemTableNames[own]}.${column}`,
    says: `add the column ${column} to Bifold's own table ${systemTableNames[own]}`,
    changes: [{ kind: "makeOwn", commands: addColumns(dialect, own, [column]) }],
  }))

// Steps that leave the previous version of the service working (expand, then contract). The previous version neither
// fails by them nor meets unknown values in rows that the new version writes.

/** A database default fills the column, which the previous version does not know. */
const isOptional = ({ column }: Extract<Change, { readonly kind: "addColumn" }>): boolean =>
  column.nullable || column.default !== undefined || column.fill !== undefined

export const isSafe = ({ changes, refused }: Step): boolean =>
  refused === undefined && changes.every((change) => isSafeChange(change) || isOfNew(change, changes))

/** A rule of a table or a column that the same step adds, which the previous version does not write. */
function isOfNew(change: Change, changes: readonly Change[]): boolean {
  if (change.kind === "addForeignKey")
    return changes.some(
      (other) =>
        (other.kind === "createTable" && other.table === change.table) ||
        (other.kind === "addColumn" &&
          other.table === change.table &&
          change.key.columns.every((column) => column === other.column.name)),
    )
  if (change.kind !== "setCheck" || change.drop.length > 0) return false
  return changes.some((other) => other.kind === "addColumn" && other.column.name === change.add?.column)
}

const isSafeChange = (change: Change): boolean =>
  match<Change, boolean>(change, {
    createTable: () => true,
    addColumn: isOptional,
    createIndex: () => true,
    // Without it the previous version does not start again, and its upserts may need it.
    dropIndex: () => false,
    makeOwn: () => true,
    validate: () => true,
    renameMade: () => true,
    // Names and values that the previous version asks for, or asks others to have.
    renameTable: () => false,
    renameIds: () => false,
    renameColumn: () => false,
    renameValues: () => false,
    dropColumn: () => false,
    dropTable: () => false,
    changeType: () => false,
    // Records that it makes meanwhile are without the value.
    fillColumn: () => true,
    remakeColumn: () => false,
    setRequired: () => false,
    setCounted: () => false,
    createUnique: () => false,
    addForeignKey: () => false,
    dropConstraint: () => false,
    // The previous version would read values that it does not know: a missing one, a new state.
    setOptional: () => false,
    setCheck: () => false,
  })
