// Preconditions of a step on the records: queries that find a row where one does not hold.
import type { Dialect } from "../dialect.ts"
import { quoted } from "../fragment.ts"
import { listed, tableText } from "../schema/schema.ts"
import type { WantedColumn, WantedTable } from "../schema/tables.ts"
import { displayName, textOf } from "./renamed.ts"
import type { FoundTable, Question } from "./steps.ts"

/** The owner of a column: only fields have defaults. */
interface Wanted {
  readonly table: WantedTable
  readonly column: WantedColumn
}

const isField = ({ table, column: { name } }: Wanted): boolean =>
  !table.foreignKeys.some(({ columns }) => columns.includes(name))

/** @param change the step that gives the column another type; the column is new without it */
export const noRecords = (source: FoundTable, wanted: Wanted, change?: string): Question => ({
  text: `SELECT 1 FROM ${tableText(source.name)} LIMIT 1`,
  message: `Records of ${displayName(source)} are there already, and nothing says which ${wanted.table.called}.${wanted.column.called} they have.`,
  hint:
    change !== undefined
      ? `Say in \`from\` what their values become. To lose them, give the field a default or make it optional, and --allow ${change}.`
      : isField(wanted)
        ? "Give the field a default, or make it optional first and required when every record has a value."
        : "Make the relation optional first, and required when every record has one.",
})

/** @param column as it was found */
export const noneNull = (source: FoundTable, column: string, wanted: Wanted): Question => ({
  text: `SELECT 1 FROM ${tableText(source.name)} WHERE ${quoted(column)} IS NULL LIMIT 1`,
  message: `Records of ${displayName(source)} have no ${column}, which would be required.`,
  hint: isField(wanted) ? "Fill them in first, or give the field a default." : "Fill them in first.",
})

export const onlyThese = (table: FoundTable, column: string, values: readonly string[]): Question => ({
  text: `SELECT 1 FROM ${tableText(table.name)} WHERE ${quoted(column)} NOT IN (${values.map(textOf).join(", ")}) LIMIT 1`,
  message: `Records of ${displayName(table)} have another ${column} than ${values.join(", ")}.`,
  hint: "Change them first, or keep the value in the declaration.",
})

/** @param states those that will be there, and those that are renamed to one of them */
export const onlyInThese = (table: FoundTable, column: string, states: readonly string[]): Question => ({
  text: `SELECT ${quoted(column)} AS value, count(*) AS count FROM ${tableText(table.name)} WHERE ${quoted(column)} NOT IN (${states.map(textOf).join(", ")}) GROUP BY ${quoted(column)} ORDER BY ${quoted(column)} LIMIT 20`,
  finds: "counts",
  message: `Records of ${displayName(table)} are in states that are not declared`,
  hint: "Add each to `was` of the state that takes its records over, or keep it in `states` while a record is in it.",
})

/** @param values those that are allowed; absent where there must be one */
export const noneComesTo = (
  table: FoundTable,
  column: string,
  { test, values }: { readonly test: string; readonly values?: readonly string[] },
): Question => ({
  text: `SELECT 1 FROM ${tableText(table.name)} WHERE ${test} LIMIT 1`,
  message: `Records of ${displayName(table)} come by \`from\` to ${values ? `another ${column} than ${values.join(", ")}` : `no ${column}, which would be required`}.`,
  hint: values
    ? "Say in `from` what each of their values becomes."
    : "Say what stands instead with `coalesce` or `else`, or give the field a default.",
})

/** @param test holds where the value of the column is a number that it has no room for */
export const noneBeyond = (table: FoundTable, column: string, test: string): Question => ({
  text: `SELECT 1 FROM ${tableText(table.name)} WHERE ${test} LIMIT 1`,
  message: `Records of ${displayName(table)} come by \`from\` to a number that ${column} has no room for.`,
  hint: "Give the field more digits, or change these records first.",
})

export const noneTwice = (table: FoundTable, columns: readonly string[]): Question => ({
  text: `SELECT 1 FROM ${tableText(table.name)} WHERE ${columns.map((column) => `${quoted(column)} IS NOT NULL`).join(" AND ")} GROUP BY ${listed(columns)} HAVING count(*) > 1 LIMIT 1`,
  message: `Records of ${displayName(table)} have the same ${columns.join(", ")}, which would be unique.`,
  hint: "Change them first.",
})

interface End {
  readonly table: FoundTable
  readonly columns: readonly string[]
}

export const allLead = (here: End, there: End): Question => {
  const met = here.columns.map(
    (column, index) => `t.${quoted(there.columns[index] ?? "")} = h.${quoted(column)}`,
  )
  const given = here.columns.map((column) => `h.${quoted(column)} IS NOT NULL`)
  return {
    text: `SELECT 1 FROM ${tableText(here.table.name)} AS h WHERE ${given.join(" AND ")} AND NOT EXISTS (SELECT 1 FROM ${tableText(there.table.name)} AS t WHERE ${met.join(" AND ")}) LIMIT 1`,
    message: `Records of ${displayName(here.table)} lead by ${here.columns.join(", ")} to records of ${displayName(there.table)} that are not there.`,
    hint: "Correct or remove them first.",
  }
}

/** For a removed table: no records of unmanaged tables refer to it, and on PostgreSQL they cannot either. */
export const noneLeads = (dialect: Dialect, there: FoundTable, { table, columns }: End): Question => ({
  text: dialect.made.keepsNeeded
    ? "SELECT 1"
    : `SELECT 1 FROM ${tableText(table.name)} WHERE ${columns.map((column) => `${quoted(column)} IS NOT NULL`).join(" AND ")} LIMIT 1`,
  message: `${displayName(table)}, which is not of this service, leads to ${displayName(there)} by ${columns.join(", ")}.`,
  hint: "Remove what leads there first.",
})

/** Bytes of values in a row of an index: 2,704 with its header (PostgreSQL, access/nbtree.h). */
const indexRow = 2_688

/** Columns of these may hold more than an index of PostgreSQL has room for. */
const long = /^(text|bytea|character|json)|\[\]$/

/** None where every value is short by its type. */
export function fitIndex(table: FoundTable, columns: readonly string[]): readonly Question[] {
  const types = table.columns.filter((column) => columns.includes(column.name)).map(({ type }) => type)
  if (!types.some((type) => long.test(type))) return []
  const most = indexRow - 8 * columns.length
  // The size of compressed values as they are stored; an index compresses likewise.
  const size = columns.map((column) => `coalesce(pg_column_size(${quoted(column)}), 0)`).join(" + ")
  const { together, them } =
    columns.length > 1 ? { together: " together", them: "these fields" } : { together: "", them: "the field" }
  return [
    {
      text: `SELECT 1 FROM ${tableText(table.name)} WHERE ${size} > ${most} LIMIT 1`,
      message: `Records of ${displayName(table)} have more than ${most} bytes in ${columns.join(", ")}${together}, for which an index has no room.`,
      hint: `Shorten them first, or leave out the index or \`unique\` of ${them}.`,
    },
  ]
}

/**
 * For PostgreSQL: views, rules, triggers, policies and functions that keep a column from changing its type, or a table
 * from going.
 * @param column the whole table when absent; objects on the table itself go with it
 */
export function nothingNeeds(table: FoundTable, column?: string): Question {
  const here = `${textOf(tableText(table.name))}::regclass`
  const which =
    column === undefined
      ? `NOT EXISTS (SELECT 1 FROM pg_depend AS o WHERE o.classid = d.classid AND o.objid = d.objid AND o.refclassid = d.refclassid AND o.refobjid = d.refobjid AND o.deptype <> 'n')`
      : `d.refobjsubid = (SELECT attnum FROM pg_attribute WHERE attrelid = ${here} AND attname = ${textOf(column)})`
  const kinds = ["pg_rewrite", "pg_trigger", "pg_policy", "pg_proc"].map((kind) => `'${kind}'::regclass`)
  // A view is a rule of its own.
  const called = `CASE WHEN v.relkind IN ('v', 'm') THEN pg_describe_object('pg_class'::regclass, v.oid, 0) ELSE pg_describe_object(d.classid, d.objid, 0) END`
  const views = `LEFT JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid LEFT JOIN pg_class AS v ON v.oid = r.ev_class`
  return {
    text: `SELECT DISTINCT ${called} AS value FROM pg_depend AS d ${views} WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = ${here} AND d.deptype = 'n' AND d.classid IN (${kinds.join(", ")}) AND ${which} ORDER BY value LIMIT 20`,
    finds: "names",
    message: `Something in the database needs ${column === undefined ? displayName(table) : `${column} of ${displayName(table)}`} as it is`,
    hint: "Remove it first, and make it again afterwards.",
  }
}
