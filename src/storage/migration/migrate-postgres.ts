// Migrates a PostgreSQL database: one process at a time, no lock waited for longer than others can bear.

import { setTimeout as pause } from "node:timers/promises"
import type { ClientBase } from "pg"
import pg from "pg"
import { type Problem, Refusal } from "../../base/problem.ts"
import { readChoice } from "../../model/introspection/check-constraints.ts"
import type { Model } from "../../model/model.ts"
import { postgres } from "../../sql/dialects/postgres.ts"
import { captureFunctions } from "../../sql/log/capture.ts"
import { type FoundCapture, planCapture } from "../../sql/migration/capture.ts"
import { planMigration } from "../../sql/migration/migration.ts"
import { filledPrefix, type PostgresWork, postgresStages } from "../../sql/migration/postgres.ts"
import { beginningsIn, readBeginning } from "../../sql/migration/renamed-log.ts"
import type { FoundCheck, FoundTable, Step } from "../../sql/migration/steps.ts"
import { schemasOf } from "../../sql/schema/schema.ts"
import { logTable, systemTableNames, systemTablesOf } from "../../sql/schema/system-tables.ts"
import { tablesOf } from "../../sql/schema/tables.ts"
import { type TableRow, tables } from "../postgres/catalog.ts"
import { unreachable, withClient } from "../postgres/client.ts"
import {
  answered,
  chooseSteps,
  failed,
  type Migrated,
  type MigrationRun,
  problemOf,
  settle,
} from "./migrate-choice.ts"

/** Everybody who migrates this database takes it: "bifold", as a number. */
export const migrationLock = "108170553681764"
/** While a lock is waited for, everybody who comes later waits behind: give up, and try again. */
const lockTimeout = "2s"
const attempts = 30

interface PostgresDatabase {
  readonly url: string
  readonly shown: string
}

export const comparePostgres = (address: PostgresDatabase, model: Model): Promise<readonly Step[]> =>
  connected(address, (client) => stepsFor(client, model))

/** An unmanaged service is given what the log needs, and nothing else. */
async function stepsFor(client: pg.Client, model: Model): Promise<readonly Step[]> {
  if (!model.managed) return planCapture(model, await foundCapture(client))
  const wanted = tablesOf(model, postgres)
  const found = await foundPostgres(client, schemasOf(wanted))
  return planMigration(wanted, found, postgres, systemTablesOf(model))
}

/** Obstacles to these steps. */
export async function checkPostgres(
  address: PostgresDatabase,
  steps: readonly Step[],
  allow: readonly string[],
): Promise<readonly Problem[]> {
  const { problems, asked } = chooseSteps(steps, allow)
  return [...problems, ...(await connected(address, (client) => ask(client, asked)))]
}

export async function migratePostgres(
  address: PostgresDatabase,
  model: Model,
  run: MigrationRun,
): Promise<Migrated> {
  return connected(address, async (client) => {
    await takeLock(client, run)
    const steps = await stepsFor(client, model)
    const { done, kept, problems, asked } = chooseSteps(steps, run.allow)
    settle([...problems, ...(await ask(client, asked))])
    for (const { begun, works } of postgresStages(done)) {
      for (const { says } of begun) run.say?.(says)
      for (const work of works) await doWork(client, work, run)
    }
    return { done, kept }
  })
}

async function connected<Result>(
  { url, shown }: PostgresDatabase,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const inside = (client: pg.Client): Promise<Result> =>
    work(client).catch((fault: unknown) => {
      throw failed(shown, fault)
    })
  try {
    return await withClient({ connectionString: url }, inside)
  } catch (fault) {
    // Anything but a Refusal comes from opening the connection.
    throw fault instanceof Refusal ? fault : unreachable(shown, fault)
  }
}

/** Polls: CREATE INDEX CONCURRENTLY would wait for a session that waits for the lock in one statement. */
async function takeLock(client: pg.Client, { say }: MigrationRun): Promise<void> {
  for (let asked = 0; ; asked += 1) {
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(${migrationLock}) AS taken`,
    )
    if (rows[0]?.taken === true) return
    if (asked === 0) say?.("wait for another process that migrates this database")
    await pause(100)
  }
}

async function ask(client: pg.Client, steps: readonly Step[]): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const step of steps)
    for (const question of step.questions) {
      const { rows } = await client.query<Record<string, unknown>>(question.text)
      if (rows.length > 0) problems.push(problemOf(step, answered(question, rows)))
    }
  return problems
}

async function doWork(client: pg.Client, work: PostgresWork, run: MigrationRun): Promise<void> {
  await client.query(`SET lock_timeout = '${work.kind === "alone" ? "0" : lockTimeout}'`)
  for (let attempt = 1; ; attempt += 1)
    try {
      return await attemptWork(client, work, run)
    } catch (fault) {
      await client.query("ROLLBACK")
      if (!isBusy(fault) || attempt === attempts || work.kind === "alone") throw fault
      await pause(Math.min(100 * 2 ** attempt, 5_000))
    }
}

/** lock_not_available, and deadlock_detected (PostgreSQL documentation, appendix A). */
const isBusy = (fault: unknown): boolean =>
  fault instanceof pg.DatabaseError && (fault.code === "55P03" || fault.code === "40P01")

async function attemptWork(client: pg.Client, work: PostgresWork, { say }: MigrationRun): Promise<void> {
  if (work.kind === "alone") {
    await client.query(work.command)
    return
  }
  if (work.kind === "batches") {
    let done = 0
    for (;;) {
      const { rowCount } = await client.query(work.command)
      if (!rowCount) return
      done += rowCount
      say?.(`… ${done.toLocaleString("en")} ${done === 1 ? "record" : "records"}`)
    }
  }
  await client.query("BEGIN")
  for (const command of work.commands) await client.query(command)
  await client.query("COMMIT")
}

// Triggers of a PostgreSQL database that log what other programs write, and the tables that they can be on.

/** A row with one JSON object. $1: how the functions' names begin; $2: the name of the log. */
const question = `
WITH log AS (SELECT to_regclass(quote_ident($2::text)) AS oid)
SELECT json_build_object(
  'schema', coalesce((SELECT n.nspname FROM log JOIN pg_class c ON c.oid = log.oid JOIN pg_namespace n ON n.oid = c.relnamespace),
    current_schema()),
  'hasLog', (SELECT oid IS NOT NULL FROM log),
  'logColumns', (SELECT coalesce(json_agg(a.attname), '[]') FROM log JOIN pg_attribute a ON a.attrelid = log.oid WHERE a.attnum > 0 AND NOT a.attisdropped),
  'tables', (SELECT coalesce(json_agg(json_build_object('schema', n.nspname, 'name', c.relname,
      'visible', pg_table_is_visible(c.oid), 'bare', c.relkind <> 'r',
      'kind', CASE WHEN c.relkind = 'v' THEN 'view' WHEN c.relkind = 'f' THEN 'foreign'
        WHEN c.relkind = 'r' AND EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid) THEN 'parent' ELSE 'table' END)
      ORDER BY n.nspname, c.relname), '[]')
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')),
  'functions', (SELECT coalesce(json_agg(json_build_object('schema', n.nspname, 'name', p.proname, 'body', p.prosrc,
      'definer', p.prosecdef, 'settings', coalesce(to_json(p.proconfig), '[]'),
      'shared', EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a WHERE a.grantee <> p.proowner),
      'triggers', (SELECT coalesce(json_agg(json_build_object('name', t.tgname, 'schema', tn.nspname, 'table', c.relname,
          'enabled', t.tgenabled IN ('O', 'A'), 'events', t.tgtype, 'conditional', t.tgqual IS NOT NULL)), '[]')
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace tn ON tn.oid = c.relnamespace
        WHERE t.tgfoid = p.oid AND t.tgparentid = 0)) ORDER BY p.proname), '[]')
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE starts_with(p.proname, $1) AND p.prorettype = 'trigger'::regtype)) AS found`

export async function foundCapture(client: ClientBase): Promise<FoundCapture> {
  const { rows } = await client.query<{ found: FoundCapture }>(question, [
    captureFunctions,
    systemTableNames.log,
  ])
  const [row] = rows
  if (!row) throw new Error("a question about the catalog has an answer")
  return row.found
}

// The tables of a PostgreSQL database for a migration: with the names of all indexes and constraints, and whether their
// creation was cut short.
export async function foundPostgres(
  client: ClientBase,
  schemas: readonly string[],
): Promise<readonly FoundTable[]> {
  const { rows: all } = await client.query<TableRow>(tables, [schemas, true])
  const rows = all.filter(({ kind }) => kind === "r")
  const isLog = ({ name, visible }: Pick<TableRow, "name" | "visible">): boolean =>
    visible && name === logTable.name
  const logged = rows.some(isLog) ? (await client.query(beginningsIn(postgres))).rows : []
  return rows.map(({ schema, name, visible, columns, indexes, constraints: found }): FoundTable => {
    const constraints = found.toSorted((one, other) => (one.name < other.name ? -1 : 1))
    return {
      name: { schema, name },
      visible,
      columns: columns.map(({ name: column, shown, collation, required, default: usual, identity }) => ({
        name: column,
        type: collation === null || shown.endsWith("[]") ? shown : `${shown} COLLATE "${collation}"`,
        nullable: !required,
        ...(usual === null ? {} : { default: usual }),
        ...(identity !== "" && { counted: true }),
      })),
      key: indexes.find(({ primary }) => primary)?.columns ?? [],
      indexes: indexes
        .filter(({ primary, descending }) => !primary && !descending)
        .map(({ primary: _, descending: __, ...index }) => index),
      foreignKeys: constraints.flatMap(({ kind, target, name: key, columns: own, targetColumns, valid }) =>
        kind === "f" && target ? [{ name: key, columns: own, target, targetColumns, valid }] : [],
      ),
      checks: constraints.flatMap(readCheck),
      ...(isLog({ name, visible }) && { beginnings: logged.map(readBeginning) }),
    }
  })
}

function readCheck({
  kind,
  name,
  columns,
  condition,
  valid,
}: TableRow["constraints"][number]): readonly FoundCheck[] {
  const [column, ...more] = columns
  if (kind !== "c" || column === undefined || more.length > 0) return []
  if (name.startsWith(filledPrefix)) return [{ name, column, of: "filled", valid }]
  const choice = readChoice(condition ?? "")
  return choice
    ? [{ name, column, of: choice.values, valid }]
    : single(condition ?? "", { name, column, valid })
}

/** PostgreSQL writes a choice of one value as an equation. */
function single(condition: string, rest: Omit<FoundCheck, "of">): readonly FoundCheck[] {
  const value = /^\(+[^=]+ = '((?:[^']|'')*)'::text\)+$/.exec(condition)?.[1]
  return value === undefined ? [] : [{ ...rest, of: [value.replaceAll("''", "'")] }]
}
