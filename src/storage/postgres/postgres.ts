// A PostgreSQL database: prompt statements go to a few shared connections, slow ones to a pool of their own.
import pg from "pg"
import { elapsed } from "../../base/clock.ts"
import { refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { TableName } from "../../model/model.ts"
import type { Statistics } from "../../plan/cost/access-paths.ts"
import { type Dialect, type TableTraits, withStatistics } from "../../sql/dialect.ts"
import { postgres, postgresGeneric, postgresIdempotency } from "../../sql/dialects/postgres.ts"
import { captureTrigger, ownWrites } from "../../sql/log/capture.ts"
import { Lanes } from "../fair-slots.ts"
import { readFault, tooSlow } from "../faults.ts"
import { createLog, observedTransact } from "../log.ts"
import {
  defaultStorageOptions,
  type Row,
  type Storage,
  type StorageOptions,
  unremarkable,
} from "../storage.ts"
import type { Outcome, TransactOptions, Use, Work } from "../write-request.ts"
import { sharesSessions, unreachable, withClient } from "./client.ts"
import { rawTypes } from "./connections.ts"
import type { Passenger } from "./group-commit.ts"
import { createNotifications } from "./notifications.ts"
import { PostgresPipelines } from "./pipeline.ts"
import { PostgresPool } from "./pool.ts"
import type { PostgresQuery } from "./query.ts"
import { firstStatisticsQuery, readPostgresStatistics, statisticsQuery } from "./statistics.ts"
import { longestWait, PostgresWriter } from "./writer.ts"

export interface PostgresAddress {
  readonly url: string
  /** Without the password. */
  readonly shown: string
}

/** How long to wait for a connection, in milliseconds. */
const patience = 10_000
/** Connections for prompt statements. */
const connections = 4
/** Milliseconds after which a statement that was thought to be prompt is taken for slow. */
const longestPrompt = 1_000
/** Milliseconds between the server's looks whether the connection of a slow statement is still there. */
const goneCheck = 500
/** Milliseconds beyond a deadline after which the server is out of reach. */
const grace = 2_000
/** Milliseconds after which the tables are looked at again. */
const refreshed = 60_000
/** Texts that get a name, and so stay prepared on each connection; any beyond are sent as they are. */
const mostNamed = 500
const oldestServer = 140_000

/** Connects once, so that a wrong address is found at the start. Throws a Refusal when the database cannot be had. */
export async function openPostgres(address: PostgresAddress, options: StorageOptions): Promise<Storage> {
  // Before anything is set: other clients of a pooler would find it in their sessions.
  await checkSessions(address)
  const connected = connect(address, options)
  const { lines, pool, lanes, names, sent } = connected
  const writing = options.writes === "none" ? undefined : connectWriting(address, options, longestWait)
  // User code may take its time: it has connections of its own, so that it keeps no other write waiting for one.
  const lending = options.writes === "none" ? undefined : connectWriting(address, options, 0)
  const { deadline, makesLog, telemetry } = options
  const [writer, patient] = [writing, lending].map((loans) => {
    const naming = (text: string): string | undefined => nameOf(names, text)
    return loans && new PostgresWriter({ loans, deadline, makesLog, nameOf: naming, telemetry })
  })
  const signal = options.writes === "none" ? undefined : createNotifications(configOf(address.url, deadline))
  const close = (): Promise<unknown> =>
    Promise.all([lines.close(), pool.end(), writing?.close(), lending?.close(), signal?.close()])
  const seen = await firstLook(pool, address, options).catch(async (fault: unknown) => {
    await close()
    throw readFault(fault) === fault ? fault : unreachable(address.shown, fault)
  })
  const tables = followTables(seen, () => lookAround(address, options))
  const read = createRead(connected, options)
  const write = (work: Work, request?: Request): Promise<Outcome> => {
    sent.statements += work.shape.commands.length
    return writer ? writer.write(work, request) : Promise.reject(new Error("nothing can be written"))
  }
  return {
    get dialects() {
      return tables.dialects
    },
    get statistics() {
      return tables.latest.statistics
    },
    lanes: () => [
      { lane: "prompt", ...lines.use },
      { lane: "slow", ...lanes.use },
      ...(writing ? [{ lane: "write", ...writing.use } as const] : []),
      ...(lending ? [{ lane: "code", ...lending.use } as const] : []),
    ],
    get sent() {
      return sent.statements
    },
    read,
    ...(writer && { write, log: createLog(postgres, read, write) }),
    ...(signal && { signal }),
    ...(patient && {
      transact: observedTransact(telemetry, (use: Use, given: TransactOptions) =>
        patient.transact(use, given),
      ),
    }),
    async close() {
      lanes.close()
      await Promise.all([tables.close(), close()])
    },
  }
}

interface Seen {
  readonly statistics: Statistics
  readonly odd: readonly TraitRow[]
}

async function firstLook(pool: pg.Pool, address: PostgresAddress, options: StorageOptions): Promise<Seen> {
  await checkServer(pool, address)
  if (options.writes === "durable") await checkDurable(pool, address)
  const statistics = readPostgresStatistics((await pool.query(firstStatisticsQuery)).rows)
  return { statistics, odd: (await pool.query<TraitRow>(traitsQuery)).rows }
}

/** Tables are looked at now and then. The last that was seen stays while the database cannot be asked. */
function followTables({ statistics, odd: first }: Seen, see: () => Promise<Seen>) {
  let odd = JSON.stringify(first)
  const latest = { statistics }
  const tables = {
    latest,
    dialects: dialectsWith(first, () => latest.statistics),
    close(): Promise<void> {
      clearInterval(looking)
      return looked
    },
  }
  const look = async (): Promise<void> => {
    const seen = await see().catch(() => undefined)
    if (!seen) return
    latest.statistics = seen.statistics
    if (JSON.stringify(seen.odd) === odd) return
    odd = JSON.stringify(seen.odd)
    tables.dialects = dialectsWith(seen.odd, () => latest.statistics)
  }
  let looked = look()
  const looking = setInterval(() => {
    looked = looked.then(look)
  }, refreshed).unref()
  return tables
}

function createRead(
  { lines, pool, lanes, names, sent }: ReturnType<typeof connect>,
  { telemetry, deadline }: StorageOptions,
): Storage["read"] {
  /** Texts of slow statements that were thought to be prompt. */
  const known = new Set<string>()
  const observed = <Result>(text: string, request: Request | undefined, run: () => Promise<Result>) =>
    telemetry
      ? telemetry.awaited({ kind: "read", commands: [{ text }], record: request?.record }, run)
      : run()
  const readSlow = async (asked: PostgresQuery, request: Request | undefined): Promise<Row> => {
    const until = (request?.since ?? elapsed()) + deadline
    const leave = await lanes.take(request, until)
    try {
      const client = await pool.connect()
      return await observed(asked.text, request, () => readOn(client, asked, { until, request }))
    } finally {
      leave()
    }
  }
  return async ({ text }, parameters, { pace } = unremarkable, request) => {
    sent.statements++
    const name = nameOf(names, text)
    const asked = { text, values: parameters, name }
    // Its like may be found slow while it runs: that is no reason to refuse it.
    const isSlow = pace === "slow" || known.has(text)
    try {
      if (isSlow) return await readSlow(asked, request)
      const [row] = await (telemetry
        ? observed(text, request, () => lines.query(asked, request))
        : lines.query(asked, request))
      return row ?? []
    } catch (fault) {
      if (isSlow || !isTimedOut(fault)) throw readFault(fault)
    }
    // The read was expected to be prompt and is not: from now on it runs in the slow lane.
    if (known.size < mostNamed) known.add(text)
    sent.statements++
    return readSlow(asked, request).catch((fault: unknown) => Promise.reject(readFault(fault)))
  }
}

/** SQLSTATE query_canceled: `statement_timeout` has passed. */
const isTimedOut = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && fault.code === "57014"

/** @param until as of `elapsed()` */
async function readOn(
  client: pg.PoolClient,
  { text, values, name }: PostgresQuery,
  { until, request }: { readonly until: number; readonly request: Request | undefined },
): Promise<Row> {
  let isLent = true
  const release = (lost: boolean): void => {
    if (isLent) client.release(lost)
    isLent = false
  }
  // The server notices that the connection is gone, and ends the statement.
  const unwatch = request?.whenGone?.(() => release(true))
  const raw = { rowMode: "array", types: rawTypes } as const
  const named = name === undefined ? {} : { name }
  try {
    if (elapsed() >= until) throw tooSlow()
    await client.query(`SET statement_timeout = ${Math.max(Math.ceil(until - elapsed()), 1)}`)
    const { rows } = await client.query<(string | null)[]>({ text, values: [...values], ...raw, ...named })
    release(false)
    return rows[0] ?? []
  } catch (fault) {
    release(!isTimedOut(fault))
    throw fault
  } finally {
    unwatch?.()
  }
}

/** @param patience milliseconds until a connection has to be there */
const configOf = (url: string, patience: number) => ({
  connectionString: url,
  application_name: "bifold",
  keepAlive: true,
  connectionTimeoutMillis: patience,
})

/** Prompt statements share a few connections, each slow one has one for itself; the server ends either at its deadline. */
function connect({ url }: PostgresAddress, options: StorageOptions) {
  const config = configOf(url, patience)
  const prompt = Math.min(longestPrompt, options.deadline)
  const lines = new PostgresPipelines({
    config,
    settings: readSettings({ ...options, deadline: prompt }),
    connections,
    deadline: options.deadline,
    patience: options.patience,
    silence: prompt + grace,
  })
  const pool = new pg.Pool({
    ...config,
    max: options.slow,
    connectionTimeoutMillis: options.deadline,
    query_timeout: options.deadline + grace,
    onConnect: async (client) => {
      // The pool listens only to idle connections: one lost between two statements of a read would end the process.
      client.on("error", () => {})
      // A slow read is worth a plan of its own for its values.
      await client.query(`${readSettings(options)}; SET plan_cache_mode = force_custom_plan`)
      // Where the server's system cannot tell, a statement whose client is gone runs until its deadline.
      await client.query(`SET client_connection_check_interval = ${goneCheck}`).catch(() => {})
    },
  })
  // The loss of an idle connection is no fault of any request.
  pool.on("error", () => {})
  const lanes = new Lanes({ lanes: options.slow, waiting: options.waiting })
  return { lines, pool, lanes, names: new Map<string, string>(), sent: { statements: 0 } }
}

/** Connections for writes: a commit waits for the disk, and those that wait together share one wait. */
const writingConnections = 12

/**
 * Connections of a process at the most: for prompt and slow reads, for the tables' sizes, for writes, for user code, and for
 * signals.
 */
export const mostConnections = connections + defaultStorageOptions.slow + 1 + 2 * writingConnections + 1
/** Milliseconds after which an unused one is closed. */
const unused = 10_000

/** @param wait milliseconds for a lock; 0 for as long as a statement may take */
function connectWriting(
  { url }: PostgresAddress,
  options: StorageOptions,
  wait: number,
): PostgresPool<Passenger> {
  const { deadline, patience: waits } = options
  return new PostgresPool({
    patience: waits,
    config: configOf(url, deadline),
    settings: writeSettings(options, wait),
    connections: writingConnections,
    silence: deadline + grace,
    unused,
  })
}

async function checkSessions({ url, shown }: PostgresAddress): Promise<void> {
  // A pooler whose sessions are taken lets questions wait.
  const config = { ...configOf(url, patience), query_timeout: patience }
  const isShared = await withClient(config, (one) =>
    withClient(config, (other) => sharesSessions(one, other)),
  ).catch((fault: unknown) => Promise.reject(readFault(fault) === fault ? fault : unreachable(shown, fault)))
  if (!isShared) return
  throw refusal("storage_unavailable", `A pooler at ${shown} gives each transaction another session.`, {
    hint: `Connect to the server itself, or set the pooler to session mode: a process shares at most ${mostConnections} connections on its own.`,
  })
}

async function checkDurable(pool: pg.Pool, { shown }: PostgresAddress): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'",
  )
  const [first] = rows
  if (!first) return
  throw refusal(
    "storage_unavailable",
    `The PostgreSQL server of ${shown} has ${rows.map(({ name }) => `${name} = off`).join(" and ")}: what it acknowledges may be lost when it crashes.`,
    { hint: "Set it to on. To accept the loss of acknowledged writes, serve with --accept-data-loss." },
  )
}

function dialectsWith(odd: readonly TraitRow[], statistics: () => Statistics): Storage["dialects"] {
  const made = (dialect: Dialect): Dialect => withStatistics(withTraits(dialect, odd), statistics)
  const own = made(postgres)
  return { prompt: own, usual: made(postgresGeneric), slow: made(postgresIdempotency), write: own }
}

/** On a connection of its own, so that no read waits for it. */
async function lookAround({ url }: PostgresAddress, options: StorageOptions): Promise<Seen> {
  const { deadline } = options
  return withClient({ ...configOf(url, deadline), query_timeout: deadline + grace }, async (client) => {
    await client.query(readSettings(options))
    const statistics = readPostgresStatistics((await client.query(statisticsQuery)).rows)
    return { statistics, odd: (await client.query<TraitRow>(traitsQuery)).rows }
  })
}

function nameOf(names: Map<string, string>, text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= mostNamed) return known
  const name = `bifold_${names.size + 1}`
  names.set(text, name)
  return name
}

async function checkServer(pool: pg.Pool, { shown }: PostgresAddress): Promise<void> {
  const { rows } = await pool.query<{ version: number; encoding: string }>(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  )
  const [server] = rows
  if (!server || server.version < oldestServer)
    throw refusal("storage_unavailable", `The PostgreSQL server of ${shown} is too old.`, {
      hint: "Bifold needs PostgreSQL 14 or later.",
    })
  if (server.encoding !== "UTF8")
    throw refusal("storage_unavailable", `The database at ${shown} has the encoding ${server.encoding}.`, {
      hint: "Bifold needs a database with the encoding UTF8.",
    })
}

// Settings that a session of Bifold begins with. Each is a statement of its own: poolers refuse unknown settings at a
// connection's start.

/** The SQL of postgres.ts relies on them, whatever the database or the role has set: they decide the text of values. */
const forms = "SET TIME ZONE 'UTC'; SET datestyle = 'ISO'; SET extra_float_digits = 1"

/** Does nothing in an engine that speaks PostgreSQL's protocol and has no such setting. */
export const setWhereKnown = (name: string, value: string): string =>
  `SELECT set_config('${name}', '${value}', false) WHERE current_setting('${name}', true) IS NOT NULL`

/** Rules that lead through relations look expensive to the planner, and compiling them takes seconds that nothing can end. */
const compiling = (jit: StorageOptions["jit"]): string =>
  jit === "server" ? "" : `; ${setWhereKnown("jit", "off")}`

type Given = Pick<StorageOptions, "deadline" | "jit" | "serializable">

/**
 * PostgreSQL looks for conflicts among serializable transactions only. A table read from its beginning counts as read
 * entirely, so an index is worth more than its pages. A standby refuses all statements of such a session; when it is
 * promoted, its sessions must not be of another kind.
 */
const besideCode = `; ${setWhereKnown("random_page_cost", "0.1")}; SET default_transaction_isolation = 'serializable'`

/** Nothing is written. */
export const readSettings = ({ deadline, jit }: Given): string =>
  `${forms}; SET statement_timeout = ${deadline}; SET default_transaction_read_only = on${compiling(jit)}`

/** `remote_apply` waits for more than `on`: for standbys that show what was written. */
const synced =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') <> 'remote_apply'"

/**
 * A commit is acknowledged when it is on disk, whatever the database's own setting. Triggers that capture changes by
 * other programs pass over the writes of these sessions.
 * @param wait milliseconds for a lock; 0 for as long as a statement may take
 */
export const writeSettings = ({ deadline, jit, serializable = false }: Given, wait: number): string =>
  `${forms}; SET statement_timeout = ${deadline}; SET idle_in_transaction_session_timeout = ${deadline}; SET lock_timeout = ${wait}; ${synced}; ${ownWrites}${compiling(jit)}${serializable ? besideCode : ""}`

// Traits of PostgreSQL tables, from its catalogs (PostgreSQL documentation, chapter "System Catalogs").
export interface TraitRow {
  readonly schema: string
  readonly name: string
  readonly visible: boolean
  readonly triggered: boolean
  readonly bare: boolean
  readonly deferred: boolean
}

/**
 * Triggers and rules of users, without Bifold's own that capture changes for the log; triggers of partitions count for
 * their table. A foreign key may follow changes of a unique key after the statement has answered; no primary key is
 * ever changed here. Partitioned tables return no system columns of written rows, nor do tables that the role may read
 * by columns only. Views and foreign tables have none.
 */
export const traitsQuery = `
  WITH RECURSIVE triggered AS (
    SELECT tgrelid AS oid FROM pg_trigger
    WHERE NOT tgisinternal AND tgenabled <> 'D' AND NOT starts_with(tgname, '${captureTrigger}')
    UNION
    SELECT ev_class FROM pg_rewrite WHERE rulename <> '_RETURN' AND ev_enabled <> 'D'
    UNION
    SELECT confrelid FROM pg_constraint AS k
    WHERE contype = 'f' AND confupdtype IN ('c', 'n', 'd') AND NOT EXISTS (
      SELECT FROM pg_index AS i WHERE i.indexrelid = k.conindid AND i.indisprimary)
    UNION
    SELECT i.inhparent FROM pg_inherits AS i JOIN triggered AS part ON part.oid = i.inhrelid
  )
  SELECT * FROM (
    SELECT n.nspname AS schema, c.relname AS name, pg_table_is_visible(c.oid) AS visible,
      c.oid IN (SELECT oid FROM triggered) AS triggered, c.relkind <> 'r' OR NOT has_table_privilege(c.oid, 'SELECT') AS bare,
      c.oid IN (SELECT indrelid FROM pg_index WHERE indisunique AND NOT indimmediate) AS deferred
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'f')
      AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')
  ) AS found WHERE triggered OR bare OR deferred ORDER BY schema, name`

/** The dialect with the traits of the tables; the same dialect if no table has any. */
export function withTraits(dialect: Dialect, rows: readonly TraitRow[]): Dialect {
  if (rows.length === 0) return dialect
  const known = new Map(
    rows.flatMap(({ schema, name, visible, triggered, bare, deferred }) => {
      const found: TableTraits = {
        ...(triggered && { triggered }),
        ...(bare && { bare }),
        ...(deferred && { deferred }),
      }
      const named: readonly [string, TableTraits] = [placeOf({ schema, name }), found]
      return visible ? [named, [placeOf({ name }), found] as const] : [named]
    }),
  )
  return { ...dialect, writes: { ...dialect.writes, oddities: (table) => known.get(placeOf(table)) } }
}

const placeOf = ({ schema, name }: TableName): string => JSON.stringify([schema ?? null, name])
