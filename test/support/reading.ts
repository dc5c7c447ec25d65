// How a database goes about a plan: what it reads from end to end, and how many rows it looks at.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import type pg from "pg"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import type { Dialect } from "../../src/sql/dialect.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite, sqliteWatched } from "../../src/sql/dialects/sqlite.ts"
import { sqliteFunctions } from "../../src/sql/dialects/sqlite-functions.ts"
import { compile } from "../../src/sql/read/compile.ts"
import type { Parameter } from "../../src/sql/statement.ts"
import { registerColumnTypes } from "../../src/storage/sqlite/connection.ts"
import type { Hooks } from "./database.ts"

export interface Reading {
  /** Tables that are read from an end, in an index's order or in none; a limit may stop that early. */
  readonly scanned: readonly string[]
  /** Rows taken from tables and indexes, those that a condition then left out among them. */
  readonly rows: number
}

interface SqliteReading extends Reading {
  readonly sorts: boolean
  /** What SQLite says that it does, step by step. */
  readonly steps: readonly string[]
}

export interface SqliteReader {
  readonly database: DatabaseSync
  read(plan: ReadPlan): SqliteReading
}

export const parametersOf = ({ values }: ReadPlan, binds: ReturnType<typeof compile>["binds"]): Parameter[] =>
  binds.map(({ slot, encode }) => encode(values[slot] ?? null))

/**
 * SQLite tells its steps, not its rows: these are counted by the watch, which a watched statement asks for each row of a
 * list, a condition and an aggregate. Joined to-one records are not among them; each is a SEARCH for one.
 */
export function openSqliteReader(hooks: Hooks, file: string): SqliteReader {
  const database = new DatabaseSync(file)
  hooks.after(() => database.close())
  for (const [name, { length, call }] of Object.entries(sqliteFunctions))
    database.function(
      name,
      { deterministic: true, useBigIntArguments: true, varargs: length === undefined },
      Object.defineProperty(call.bind(undefined), "length", { value: length ?? 0 }),
    )
  registerColumnTypes(database)
  let looked = 0
  database.function("bifold_watch", { deterministic: false }, () => {
    looked += 1
    return 1
  })
  return {
    database,
    read(plan) {
      const { text, binds } = compile(plan, sqlite)
      const explained = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parametersOf(plan, binds))
      const steps = explained.map((step) => String(step["detail"]))
      const watched = compile(plan, sqliteWatched)
      looked = 0
      database.prepare(watched.text).all(...parametersOf(plan, watched.binds))
      return {
        scanned: scannedBy(plan, text, steps),
        rows: looked,
        sorts: steps.includes("USE TEMP B-TREE FOR ORDER BY"),
        steps,
      }
    },
  }
}

/** An index that SQLite makes for itself is a scan: it reads the table to make it. */
function scannedBy({ model }: ReadPlan, text: string, steps: readonly string[]): readonly string[] {
  const tables = new Map([...text.matchAll(/"(\w+)" AS "(t\d+)"/g)].map(([, table, alias]) => [alias, table]))
  const known = new Set([...model.resources.values()].flatMap(tablesOf))
  return steps.flatMap((step) => {
    const table = tables.get(/^(?:SCAN (t\d+)\b|SEARCH (t\d+)\b.*AUTOMATIC)/.exec(step)?.slice(1).join(""))
    return table !== undefined && known.has(table) ? [table] : []
  })
}

type Resource = ReadPlan["model"]["resources"] extends ReadonlyMap<string, infer Held> ? Held : never

const tablesOf = ({ table, relations }: Resource): readonly string[] => [
  table.name,
  ...[...relations.values()].flatMap((relation) =>
    relation.kind === "many" && relation.through ? [relation.through.table.name] : [],
  ),
]

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Parent Relationship"?: string
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: readonly Node[]
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

export interface PostgresReading extends Reading {
  /** Tables that are read in a subquery of its own for each row, not in a join or once for all. */
  readonly perRow: readonly string[]
  /** Entries of indexes that were put together in bitmaps, before any row was taken. */
  readonly inBitmaps: number
}

/** Rows per loop are told as a whole number by servers before 18, so that the sum may be off by half a row a loop. */
export async function readPostgres(
  client: pg.Client,
  plan: ReadPlan,
  dialect: Dialect = postgres,
): Promise<PostgresReading> {
  const { text, binds } = compile(plan, dialect)
  const { rows } = await client.query<{ "QUERY PLAN": readonly [{ Plan: Node }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    parametersOf(plan, binds),
  )
  const [row] = rows
  assert.ok(row)
  const nodes = nodesOf(row["QUERY PLAN"][0].Plan)
  const scans = nodes.filter((node) => node["Relation Name"] !== undefined)
  const touched = scans.map((node) => {
    const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)
    return (node["Actual Rows"] + removed) * node["Actual Loops"]
  })
  return {
    scanned: scans.flatMap((node) =>
      node["Node Type"] === "Seq Scan" && node["Actual Loops"] > 0 ? [String(node["Relation Name"])] : [],
    ),
    rows: touched.reduce((sum, each) => sum + each, 0),
    inBitmaps: nodes
      .filter((node) => node["Node Type"] === "Bitmap Index Scan")
      .reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0),
    perRow: nodes
      .filter((node) => node["Parent Relationship"] === "SubPlan")
      .flatMap(nodesOf)
      .flatMap((node) => node["Relation Name"] ?? []),
  }
}
