// A PostgreSQL database as an operator sees it: settings, role, pooler, statistics, indexes and dead rows.
import type pg from "pg"
import { sharesSessions, withClient } from "../../storage/postgres/client.ts"
import { bad, type Finding, findingsOf, good, type Judged, listed, unknown, warning } from "./finding.ts"

/** Last days of security fixes, by major version (https://www.postgresql.org/support/versioning/). */
const serverEnds: Readonly<Record<number, string>> = {
  14: "2026-11-12",
  15: "2027-11-11",
  16: "2028-11-09",
  17: "2029-11-08",
  18: "2030-11-14",
}

export interface PostgresDoctorOptions {
  readonly url: string
  /** `2026-11-26` */
  readonly today: string
  /** Connections of one serving process, at the most. */
  readonly connections: number
  /** Names of the tables that are served. */
  readonly tables: readonly string[]
  /** The setting of that name. */
  readonly jit: "off" | "server"
}

/** Rejects with what the driver reports. */
export const postgresFindings = (options: PostgresDoctorOptions): Promise<readonly Finding[]> =>
  withClient({ connectionString: options.url }, async (client) => {
    const server = await readServer(client)
    const setting = (name: string): string => server.settings[name] ?? ""
    const tables = await readTables(client, options.tables)
    return findingsOf("database", {
      version: judgeVersion(server, options.today),
      durability: judgeDurability(setting),
      writable: judgeWritable(server, setting),
      isolation: judgeIsolation(setting),
      connections: judgeConnections(server, setting, options.connections),
      encryption: judgeEncryption(server),
      role: judgeRole(server),
      rights: judgeRights(server, await readLacking(client, options.tables)),
      pooler: await judgePooler(client, options.url),
      clock: await judgeClock(client),
      jit: judgeJit(setting, options.jit),
      vacuum: judgeVacuum(server, setting),
      statistics: judgeStatistics(tables),
      dead_rows: judgeDeadRows(tables),
      broken_indexes: judgeBroken(await readBroken(client, options.tables)),
      unused_indexes: judgeUnused(server, await readUnused(client, options.tables)),
    })
  })

interface Server {
  readonly settings: Readonly<Record<string, string>>
  readonly version: number
  readonly standby: boolean
  readonly superuser: boolean
  readonly roleName: string
  /** Connections that the role and the database may have at the most, and have; -1: any number. */
  readonly roleLimit: number
  readonly roleUsed: number
  readonly databaseLimit: number
  readonly databaseUsed: number
  readonly encrypted: boolean
  readonly local: boolean
  readonly used: number
  readonly age: number
  /** Days since counting of use began. */
  readonly counted: number
}

async function readServer(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Server>(`
    SELECT (SELECT json_object_agg(name, setting) FROM pg_settings WHERE name IN ('fsync', 'full_page_writes',
        'synchronous_commit', 'default_transaction_isolation', 'default_transaction_read_only', 'max_connections',
        'superuser_reserved_connections', 'autovacuum', 'jit', 'track_counts')) AS settings,
      current_setting('server_version_num')::int AS version,
      pg_is_in_recovery() AS standby,
      (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
      current_user AS "roleName",
      (SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user) AS "roleLimit",
      (SELECT count(*)::int FROM pg_stat_activity WHERE usename = session_user) AS "roleUsed",
      (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS "databaseLimit",
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS "databaseUsed",
      coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
      coalesce(inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true) AS local,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
      (SELECT age(datfrozenxid)::float8 FROM pg_database WHERE datname = current_database()) AS age,
      (SELECT extract(epoch FROM now() - greatest(stats_reset, pg_postmaster_start_time()))::float8 / 86400
        FROM pg_stat_database WHERE datname = current_database()) AS counted`)
  const [server] = rows
  if (!server) throw new Error("the server said nothing of itself")
  return server
}

function judgeVersion({ version }: Server, today: string): Judged {
  const major = Math.floor(version / 10_000)
  const name = `PostgreSQL ${major}.${version % 10_000}`
  const end = serverEnds[major]
  if (end === undefined) return unknown(`${name} is not known to this version of Bifold.`)
  return end < today
    ? bad(`${name} has had no security fixes since ${end}.`, "Upgrade to a newer major version.")
    : good(`${name} gets security fixes until ${end}.`)
}

function judgeDurability(setting: (name: string) => string): Judged {
  const off = ["fsync", "full_page_writes"].filter((name) => setting(name) === "off")
  if (off.length > 0)
    return bad(
      `${off.join(" and ")} ${off.length === 1 ? "is" : "are"} off: a crash may destroy the database.`,
      "Set them to on. bifold serve refuses to write until then.",
    )
  return setting("synchronous_commit") === "off"
    ? warning(
        "synchronous_commit is off: the last moments before a crash may be lost.",
        "Bifold sets it for its own writes. Set it to on for the writes of other programs.",
      )
    : good("Commits are on disk before they are acknowledged.")
}

function judgeWritable({ standby }: Server, setting: (name: string) => string): Judged {
  if (standby)
    return warning("The server is a standby: it can only be read.", "Name the primary to serve writes.")
  return setting("default_transaction_read_only") === "on"
    ? warning(
        "default_transaction_read_only is on: nothing can be written.",
        "Set it to off for the role or the database.",
      )
    : good("The server takes writes.")
}

function judgeIsolation(setting: (name: string) => string): Judged {
  const level = setting("default_transaction_isolation")
  return level === "read committed"
    ? good("Transactions begin as read committed.")
    : good(`Transactions begin as ${level}; Bifold says for each of its own what it needs.`)
}

function judgeConnections(server: Server, setting: (name: string) => string, needed: number): Judged {
  const all = Number(setting("max_connections")) - Number(setting("superuser_reserved_connections"))
  const bounds = [
    { most: all, used: server.used, whose: "", raise: "Raise max_connections" },
    {
      most: server.roleLimit,
      used: server.roleUsed,
      whose: " of the role",
      raise: "Raise the role's limit (ALTER ROLE … CONNECTION LIMIT)",
    },
    {
      most: server.databaseLimit,
      used: server.databaseUsed,
      whose: " of the database",
      raise: "Raise the database's limit (ALTER DATABASE … CONNECTION LIMIT)",
    },
  ]
  const [least] = bounds
    .filter(({ most }) => most >= 0)
    .toSorted((one, other) => one.most - one.used - (other.most - other.used))
  if (!least) return unknown("The server does not say how many connections it takes.")
  const free = Math.max(0, least.most - least.used)
  return free >= needed
    ? good(
        `${free} of ${least.most} connections${least.whose} are free; a serving process takes up to ${needed}.`,
      )
    : warning(
        `Only ${free} of ${least.most} connections${least.whose} are free; a serving process takes up to ${needed}.`,
        `${least.raise}, or run fewer processes.`,
      )
}

function judgeEncryption({ encrypted, local }: Server): Judged {
  if (encrypted) return good("The connection is encrypted.")
  return local
    ? good("The server is on this machine.")
    : warning(
        "The connection is not encrypted, and the server is on another machine.",
        "Add ?sslmode=verify-full to the address.",
      )
}

const judgeRole = ({ superuser }: Server): Judged =>
  superuser
    ? warning(
        "The role is a superuser: a mistake reaches the whole server.",
        "Serve with a role that owns no more than the service's tables; migrate with their owner.",
      )
    : good("The role is no superuser.")

interface Lacking {
  readonly name: string
  readonly reads: boolean
  readonly rights: readonly string[]
}

/** Tables of the service and of Bifold that the role may not use as serving does. */
async function readLacking(client: pg.Client, tables: readonly string[]): Promise<readonly Lacking[]> {
  const { rows } = await client.query<Lacking>(
    `SELECT * FROM (SELECT c.oid::regclass::text AS name, has_table_privilege(c.oid, 'SELECT') AS reads,
       ARRAY(SELECT r FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS r
         WHERE NOT has_table_privilege(c.oid, r)) AS rights
       FROM pg_class AS c WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid)
         AND (c.relname = ANY ($1) OR starts_with(c.relname, 'bifold_'))) AS found
     WHERE rights <> '{}' ORDER BY reads, name LIKE 'bifold\\_%', name`,
    [tables],
  )
  return rows
}

function judgeRights({ roleName }: Server, lacking: readonly Lacking[]): Judged {
  const [first] = lacking
  if (!first) return good("The role may read and write the tables.")
  const names = listed(lacking.map(({ name }) => name))
  const advice = `Run GRANT ${first.rights.join(", ")} ON ${first.name} TO "${roleName}"; and the like of the others, as their owner.`
  return first.reads
    ? warning(`The role may not write to ${names}.`, advice)
    : bad(`The role may not read ${names}.`, advice)
}

/** A pooler that gives a session to each transaction has other processes behind one connection. */
async function judgePooler(client: pg.Client, url: string): Promise<Judged> {
  const isShared = await withClient({ connectionString: url }, (other) => sharesSessions(client, other))
  return isShared
    ? bad(
        "A pooler gives each transaction another session, and prepared statements are lost: bifold serve refuses it.",
        "Connect to the server itself, or set the pooler to session mode: Bifold shares connections on its own.",
      )
    : good("Sessions are the server's own.")
}

/** Milliseconds. */
const mostApart = 1_000

/** Ends of keys and of budgets are compared with either clock. */
async function judgeClock(client: pg.Client): Promise<Judged> {
  const before = Date.now()
  const { rows } = await client.query<{ readonly now: number }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now",
  )
  const after = Date.now()
  const now = rows[0]?.now ?? before
  const apart = now < before ? before - now : now > after ? now - after : 0
  return apart <= mostApart
    ? good("The clocks of the server and of this machine agree.")
    : warning(
        `The clocks of the server and of this machine are ${(apart / 1_000).toFixed(1)} s apart.`,
        "Keep both by NTP.",
      )
}

/** Undefined for a server that compiles no statement anyway. */
function judgeJit(setting: (name: string) => string, jit: PostgresDoctorOptions["jit"]): Judged | undefined {
  if (setting("jit") !== "on") return undefined
  return jit === "off"
    ? good("The server compiles statements that look expensive (jit = on); sessions of Bifold turn it off.")
    : warning(
        "The server compiles statements that look expensive (jit = on): that takes seconds, and cannot be ended.",
        "Leave the setting jit off, unless long reports gain by it.",
      )
}

/** Transactions after which the server insists on a vacuum of its own. */
const oldTransactions = 1_000_000_000

function judgeVacuum({ age }: Server, setting: (name: string) => string): Judged {
  const off = ["autovacuum", "track_counts"].find((name) => setting(name) === "off")
  if (off !== undefined)
    return bad(`${off} is off: dead rows stay, and statistics get old.`, `Set ${off} to on.`)
  return age > oldTransactions
    ? bad(
        `${(age / 1e6).toFixed(0)} million transactions have passed since the database was frozen.`,
        "Run VACUUM (FREEZE), and look for what holds old transactions: replication slots, prepared transactions.",
      )
    : good("Autovacuum is on.")
}

interface TableUse {
  readonly name: string
  readonly live: number
  readonly dead: number
  readonly analysed: boolean
}

async function readTables(client: pg.Client, tables: readonly string[]): Promise<readonly TableUse[]> {
  const { rows } = await client.query<TableUse>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(relname) AS name, n_live_tup::float8 AS live,
       n_dead_tup::float8 AS dead, coalesce(last_analyze, last_autoanalyze) IS NOT NULL AS analysed
     FROM pg_stat_user_tables WHERE relname = ANY ($1) ORDER BY n_live_tup DESC`,
    [tables],
  )
  return rows
}

const manyRows = 10_000

function judgeStatistics(tables: readonly TableUse[]): Judged {
  const names = tables.filter(({ live, analysed }) => live > manyRows && !analysed).map(({ name }) => name)
  return names.length === 0
    ? good("The planner has statistics of each large table.")
    : warning(`The planner has no statistics of ${listed(names)}.`, `Run ANALYZE ${names[0]};`)
}

function judgeDeadRows(tables: readonly TableUse[]): Judged {
  const names = tables.filter(({ live, dead }) => dead > manyRows && dead > live / 4).map(({ name }) => name)
  return names.length === 0
    ? good("Few rows are dead.")
    : warning(
        `More than a fifth of the rows of ${listed(names)} are dead.`,
        `Run VACUUM (ANALYZE) ${names[0]}; and look for transactions that stay open.`,
      )
}

/** Left by a `CREATE INDEX CONCURRENTLY` that failed. */
async function readBroken(client: pg.Client, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class AS t ON t.oid = indrelid
     WHERE NOT indisvalid AND t.relname = ANY ($1) ORDER BY 1`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

const judgeBroken = (names: readonly string[]): Judged =>
  names.length === 0
    ? good("Each index is whole.")
    : bad(
        `${listed(names)} ${names.length === 1 ? "is" : "are"} not whole, and used by no statement.`,
        `Run DROP INDEX CONCURRENTLY ${names[0]}; and make it again.`,
      )

/** Bytes of an index that is worth a word. */
const largeIndex = 1_000_000

async function readUnused(client: pg.Client, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly name: string }>(
    `SELECT s.indexrelid::regclass::text AS name FROM pg_stat_user_indexes AS s JOIN pg_index AS i USING (indexrelid)
     WHERE s.idx_scan = 0 AND NOT i.indisunique AND s.relname = ANY ($1)
       AND pg_relation_size(s.indexrelid) > ${largeIndex}
       AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = s.indexrelid) ORDER BY 1`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

/** Days of counting that say something of an index. */
const longEnough = 7

function judgeUnused({ counted }: Server, names: readonly string[]): Judged {
  if (names.length === 0) return good("Each large index has been used.")
  if (counted < longEnough)
    return unknown(
      `${listed(names)} ${names.length === 1 ? "has" : "have"} not been used in ${counted.toFixed(1)} days; ask again after ${longEnough}.`,
    )
  return warning(
    `${listed(names)} ${names.length === 1 ? "has" : "have"} not been used in ${counted.toFixed(0)} days.`,
    "Look at the standbys, too; then leave it out of the declaration, or drop it.",
  )
}
