// Constraint violations of SQLite: extended result codes (https://sqlite.org/rescode.html), and its messages.
import type { ConstraintViolation } from "../../plan/write/problems.ts"
import { violation } from "../violations.ts"

const read: Readonly<Record<number, (message: string) => ConstraintViolation>> = {
  // SQLITE_TOOBIG
  18: () => violation("tooLong"),
  // SQLITE_MISMATCH: no whole number for a rowid
  20: () => violation("check"),
  // SQLITE_CONSTRAINT_CHECK
  275: (message) => ({ ...violation("check"), constraint: after(message) }),
  // SQLITE_CONSTRAINT_FOREIGNKEY: nothing says which, nor from which side
  787: () => violation("reference"),
  // SQLITE_CONSTRAINT_NOTNULL
  1299: (message) => ({ rule: "required", ...columnsIn(after(message)) }),
  // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE, _ROWID
  1555: unique,
  2067: unique,
  2579: unique,
  // SQLITE_CONSTRAINT_TRIGGER: a trigger of somebody's, or the one by which SQLite itself does ON DELETE RESTRICT
  1811: (message) => violation(message === "FOREIGN KEY constraint failed" ? "referenced" : "check"),
  // SQLITE_CONSTRAINT_DATATYPE: of a STRICT table
  3091: (message) => ({ rule: "check", ...columnsIn(/ column (.*)$/s.exec(message)?.[1] ?? "") }),
}

/** Undefined for any other fault. @param fault as node:sqlite throws it */
export function sqliteViolation(fault: unknown): ConstraintViolation | undefined {
  if (!(fault instanceof Error) || !("errcode" in fault)) return undefined
  return read[Number(fault.errcode)]?.(fault.message)
}

function unique(message: string): ConstraintViolation {
  const index = /^index '(.*)'$/s.exec(after(message))?.[1]
  if (index !== undefined) return { ...violation("unique"), constraint: index }
  return { rule: "unique", ...columnsIn(after(message)) }
}

/** The columns behind `UNIQUE constraint failed: `. */
const after = (message: string): string => message.slice(message.indexOf(": ") + 2)

/** `customers.email, customers.region`; a table's name that has a point in it cannot be told from a column's. */
function columnsIn(list: string): Pick<ConstraintViolation, "table" | "columns"> {
  const end = list.indexOf(".")
  if (end < 0) return { columns: [] }
  const table = list.slice(0, end)
  return { table, columns: list.slice(end + 1).split(`, ${table}.`) }
}
