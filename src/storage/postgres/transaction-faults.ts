// Faults of a transaction as the server says them: whose fault it is, and whether the connection can go on.
import { postgres } from "../../sql/dialects/postgres.ts"
import { mendingOf } from "../../sql/schema/system-tables.ts"

/** A command of a transaction failed; the cause is what the server says. */
export class Failed extends Error {
  readonly command: number

  constructor(command: number, cause: unknown) {
    super("A command of a transaction failed.", { cause })
    this.command = command
  }
}

export const stateOf = (fault: unknown): string => {
  if (fault instanceof Failed) return stateOf(fault.cause)
  return fault instanceof Error && "code" in fault ? String(fault.code) : ""
}

/** The server reported an error and goes on; any other failure makes the connection useless. */
export const isStated = (fault: unknown): boolean => /^(?!57P|08|25P0[34])[0-9A-Z]{5}$/.test(stateOf(fault))

/** Statements for tables of Bifold's own: any other that is missing is looked for at the start. */
export function mendingFor(fault: unknown, makesLog: boolean): readonly string[] | undefined {
  const [text, state] = [String(fault), stateOf(fault)]
  return mendingOf(postgres, {
    makesLog,
    lacksTable: (table) => state === "42P01" && text.includes(`"${table}"`),
    lacksColumn: (table, column) =>
      state === "42703" &&
      (text.includes(`"${column}" of relation "${table}"`) || text.includes(`${table}.${column} `)),
  })
}

/** By another process: IF NOT EXISTS does not see uncommitted objects. */
export const isMadeMeanwhile = (fault: unknown): boolean =>
  ["23505", "42P07", "42710"].includes(stateOf(fault))

/** `lock_timeout` has passed. */
export const lockTimeout = "55P03"
/** `statement_timeout` has passed. */
export const timedOut = "57014"

/** Other transactions have changed what this one has read or changed. */
export const unserializable = "40001"

/** With deadlock (PostgreSQL documentation, section 13.5). */
export const isOthersFault = (fault: unknown): boolean =>
  [unserializable, "40P01", lockTimeout].includes(stateOf(fault))
