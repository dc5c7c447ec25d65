// The epochs of the log: a table of Bifold's own (system-tables.ts makes it).
import { plainText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { type Fragment, literal, name, sql } from "../fragment.ts"

export const epochTable = {
  name: "bifold_epoch",
  columns: {
    /** The last position of the log when the epoch began: those behind it are given in this epoch, or in a later one. */
    begins: "begins",
    name: "name",
    /** The start of the database in which it began. */
    start: "start",
  },
} as const

/** The name of what was logged before there were epochs. */
export const firstEpoch = "6465760000"

/** Ten hexadecimal digits. */
export const randomEpoch = ({ name: database }: Dialect): Fragment =>
  database === "postgres"
    ? sql`left(replace(CAST(gen_random_uuid() AS text), '-', ''), 10)`
    : sql`lower(hex(randomblob(5)))`

interface BegunEpoch {
  /** Behind which it begins. */
  readonly position: Fragment
  readonly name: Fragment
  readonly start: Fragment
  readonly condition: Fragment
}

/** An epoch replaces one that begins at the same position, since no row is of that one. */
export function insertEpoch({ position, name: called, start, condition }: BegunEpoch): Fragment {
  const { columns } = epochTable
  const [begins, own, since] = [name(columns.begins), name(columns.name), name(columns.start)]
  return sql`INSERT INTO ${name(epochTable.name)} (${begins}, ${own}, ${since}) SELECT ${position}, ${called}, ${start} WHERE ${condition} ON CONFLICT (${begins}) DO UPDATE SET ${own} = excluded.${own}, ${since} = excluded.${since}`
}

/** Rows that the log has already are of the first epoch. @param log its name */
export function makeEpochs(dialect: Dialect, log: string): readonly Fragment[] {
  const { made } = dialect
  const { columns } = epochTable
  const table = name(epochTable.name)
  const text = made.columnType(plainText, undefined)
  const int64 = made.columnType({ scalar: "int64", list: false, stored: "plain" }, undefined)
  return [
    sql`CREATE TABLE IF NOT EXISTS ${table} (${name(columns.begins)} ${int64} NOT NULL PRIMARY KEY, ${name(columns.name)} ${text} NOT NULL, ${name(columns.start)} ${text} NOT NULL)${made.options}`,
    insertEpoch({
      position: sql`0`,
      name: sql`CASE WHEN EXISTS (SELECT 1 FROM ${name(log)}) THEN ${literal(firstEpoch)} ELSE ${randomEpoch(dialect)} END`,
      start: literal(""),
      condition: sql`NOT EXISTS (SELECT 1 FROM ${table})`,
    }),
  ]
}
