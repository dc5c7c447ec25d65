// Constraint violations of PostgreSQL: SQLSTATE (documentation, appendix A) and the fields of its report (section
// "Error and Notice Message Fields"). Messages are never read: they may be in any language.
import { invariant } from "../../base/invariant.ts"
import type { ConstraintViolation, TypedColumn } from "../../plan/write/problems.ts"
import { postgres } from "../../sql/dialects/postgres.ts"
import { mendingOf } from "../../sql/schema/system-tables.ts"
import { type Attempt, violation } from "../storage.ts"

interface PostgresViolation {
  readonly violation: ConstraintViolation
  /** Where the columns are to be asked for (`constraintQuery`), when the report does not have them. */
  readonly constraint?: PostgresConstraint
  /** A domain, whose columns are to be asked for (`domainQuery`). */
  readonly domain?: PostgresDomain
}

interface PostgresDomain {
  readonly schema: string
  readonly name: string
}

interface PostgresConstraint {
  readonly schema: string
  readonly table: string
  readonly name: string
}

/** The fields of a report that say where; each only where it is known. `routine` is where in the server's own source. */
type Report = Partial<Record<"schema" | "table" | "column" | "constraint" | "dataType" | "routine", string>>

const rules: Readonly<Record<string, ConstraintViolation["rule"]>> = {
  // unique_violation, exclusion_violation
  "23505": "unique",
  "23P01": "unique",
  // foreign_key_violation, restrict_violation (ON DELETE RESTRICT, from version 18 on)
  "23503": "reference",
  "23001": "referenced",
  // datetime_field_overflow
  "22008": "range",
  // not_null_violation
  "23502": "required",
  // string_data_right_truncation; program_limit_exceeded: an index takes no value so long
  "22001": "tooLong",
  "54000": "tooLong",
  // numeric_value_out_of_range
  "22003": "range",
}

/**
 * Classes of faults that are no rule about the written values. They concern the connection, the transaction, privileges,
 * mistakes in a statement, missing room, other sessions, or the server itself. Any other class, a trigger's own codes
 * included, comes from a rule: a CHECK, a trigger, or a type that refuses a value.
 */
const unruled: ReadonlySet<string> = new Set(
  "08 0A 25 26 28 34 3B 3D 3F 40 42 53 54 55 57 58 72 F0 HV XX".split(" "),
)

/**
 * The server's own names for refusals. They are a RAISE in a function, a policy or view that rejects a row, and a rule in
 * place of a command.
 */
const refusing: ReadonlySet<string> = new Set(["exec_stmt_raise", "ExecWithCheckOptions", "RewriteQuery"])

/** Serialization failures and the like: what was refused would be taken at another time. */
const transient = "40"

function ruleOf(code: string, { routine = "" }: Report): ConstraintViolation["rule"] | undefined {
  const rule = rules[code]
  const kind = code.slice(0, 2)
  if (rule || !/^[0-9A-Z]{5}$/.test(code) || kind === transient) return rule
  return refusing.has(routine) || !unruled.has(kind) ? "check" : undefined
}

/**
 * Undefined for any other fault.
 * @param fault as pg throws it
 * @param attempt tells from which side a foreign key was broken; without it, from the one that refers
 */
export function postgresViolation(fault: unknown, attempt?: Attempt): PostgresViolation | undefined {
  if (!(fault instanceof Error) || !("code" in fault)) return undefined
  const rule = ruleOf(String(fault.code), fault as Error & Report)
  if (rule === undefined) return undefined
  const { schema, table, column, constraint, dataType } = fault as Error & Report
  const found: ConstraintViolation = {
    ...violation(rule === "reference" && isReferenced(table, attempt) ? "referenced" : rule),
    ...(table === undefined ? {} : { table }),
    ...(column === undefined ? {} : { columns: [column] }),
    ...(constraint === undefined ? {} : { constraint }),
  }
  if (schema !== undefined && dataType !== undefined && table === undefined)
    return { violation: found, domain: { schema, name: dataType } }
  if (schema === undefined || table === undefined || constraint === undefined) return { violation: found }
  return { violation: found, constraint: { schema, table, name: constraint } }
}

/** The report names the table that refers, whichever was written. */
const isReferenced = (refers: string | undefined, attempt: Attempt | undefined): boolean =>
  attempt?.kind === "delete" || (attempt?.kind === "update" && attempt.table !== refers)

/** Parameters: schema, table, constraint. One row, one column: a JSON text for `withColumns`. */
export const constraintQuery = `
WITH own AS (
  SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2
), part AS (
  SELECT part.number, part.position
  FROM pg_constraint k CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS part(number, position)
  WHERE k.conrelid = (SELECT oid FROM own) AND k.conname = $3
  UNION ALL
  SELECT part.number, part.position
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
    CROSS JOIN LATERAL unnest((i.indkey::int2[])[0:i.indnkeyatts - 1]) WITH ORDINALITY AS part(number, position)
  WHERE i.indrelid = (SELECT oid FROM own) AND x.relname = $3
  UNION ALL
  -- What an index's expressions are made of stands among the things that it depends on, beside what its condition is made of.
  SELECT d.refobjsubid, 1000 + d.refobjsubid
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = x.oid AND d.refobjid = i.indrelid
  WHERE i.indrelid = (SELECT oid FROM own) AND x.relname = $3
    AND i.indexprs::text ~ (':varattno ' || d.refobjsubid || ' ')
), named AS (
  SELECT a.attname, min(part.position) AS position
  FROM part JOIN pg_attribute a ON a.attrelid = (SELECT oid FROM own) AND a.attnum = part.number AND a.attnum > 0
  GROUP BY a.attname
)
SELECT coalesce(json_agg(attname ORDER BY position), '[]')::text AS columns FROM named`

export const constraintParameters = ({ schema, table, name }: PostgresConstraint): string[] => [
  schema,
  table,
  name,
]

/** Parameters: schema, domain. One row, one column: a JSON text for `withTyped`. Domains and arrays are made of others. */
export const domainQuery = `
WITH RECURSIVE made AS (
  SELECT t.oid FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE n.nspname = $1 AND t.typname = $2
  UNION
  SELECT t.oid FROM pg_type t JOIN made ON t.typbasetype = made.oid OR (t.typelem = made.oid AND t.typcategory = 'A')
)
SELECT coalesce(json_agg(json_build_object('schema', n.nspname, 'table', c.relname, 'column', a.attname,
  'type', json_build_object('schema', tn.nspname, 'name', t.typname)) ORDER BY a.attrelid, a.attnum), '[]')::text
FROM made JOIN pg_attribute a ON a.atttypid = made.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p') JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace tn ON tn.oid = t.typnamespace`

/** @param typed what `domainQuery` gave */
export const withTyped = (found: ConstraintViolation, typed: string): ConstraintViolation => ({
  ...found,
  typed: JSON.parse(typed) as readonly TypedColumn[],
})

/** @param columns what `constraintQuery` gave; columns that the report named itself stay */
export function withColumns(found: ConstraintViolation, columns: string): ConstraintViolation {
  if (found.columns.length > 0) return found
  const names: unknown = JSON.parse(columns)
  invariant(
    Array.isArray(names) && names.every((name) => typeof name === "string"),
    "a constraint's columns are an array of names",
  )
  return { ...found, columns: names }
}

// Faults of a transaction as the server says them: whose fault it is, and whether the connection can go on.

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
