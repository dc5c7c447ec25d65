// One PostgreSQL connection for one task: opened, used and closed here. Requests share connections instead (connections.ts).

import { randomUUID } from "node:crypto"
import pg from "pg"
import { Refusal } from "../../base/problem.ts"

/** Milliseconds to wait for a connection. */
const patience = 10_000

/** Rejects with what the driver or `use` reports. The connection is closed in any case. */
export async function withClient<Result>(
  config: pg.ClientConfig & { readonly connectionString: string },
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionTimeoutMillis: patience,
    application_name: "bifold",
    ...config,
  })
  client.on("error", () => {}) // a connection that is lost later fails the query that waits for it
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

// Reasons why a PostgreSQL server takes no connection, and remedies. The server's own words may be in any language. So
// its code is read instead, with the name of the place in its source that refused (`routine`).

/** Names the host, the port and the database; what the driver says is kept for the log as the cause. */
export function unreachable(shown: string, fault: unknown): Refusal {
  const message = `The PostgreSQL database at ${shown} cannot be reached.`
  return new Refusal([{ code: "storage_unavailable", message, hint: hintOf(fault) }], { cause: fault })
}

function hintOf(fault: unknown): string {
  const { code = "", routine = "", message = "" } = fault instanceof Error ? (fault as Error & Report) : {}
  const own = driver.find(([words]) => words.test(message))?.[1]
  return routines[`${code} ${routine}`] ?? codes[code] ?? own ?? anything
}

type Report = Partial<Record<"code" | "routine", string>>

const anything = "Check the host, the port, the database, the user and whether TLS is asked for (?sslmode=…)."

/** One code stands for several causes (PostgreSQL source, `postinit.c`, `miscinit.c` and `auth.c`). */
const routines: Readonly<Record<string, string>> = {
  "28000 InitializeSessionUserId":
    "The server has no role of this user's name that may log in. Correct the user in the address (by default the user of this machine), or run CREATE ROLE … LOGIN there.",
  "28000 ClientAuthentication":
    "The server does not admit this user from this address. Add a line for user, database and address to its pg_hba.conf, or ask for TLS (?sslmode=require) if it admits nothing else.",
  "28000 auth_failed":
    "The server did not accept the proof of the user. Its pg_hba.conf asks for something other than a password, such as the same user name on this machine (peer).",
  "42501 CheckMyDatabase":
    "The role may not connect to this database: run GRANT CONNECT ON DATABASE … TO the role.",
  "55000 CheckMyDatabase":
    "The database takes no connections now: an administrator has said so (datallowconn).",
}

const codes: Readonly<Record<string, string>> = {
  "28P01":
    "The password is wrong, or there is no role of this user's name: the server does not say which. Correct user and password in the address.",
  "28000": "The server does not let this user in.",
  "3D000":
    "There is no database of this name on the server: correct the end of the address, or run CREATE DATABASE there.",
  "42501": "The role may not read the catalogs.",
  "53300": "All connections of the server, or of the role, are taken: try again, or raise max_connections.",
  "57P03": "The server is starting up or shutting down: try again in a moment.",
  ECONNREFUSED: "Nothing listens there: is the server running, and is the port right?",
  ENOTFOUND: "There is no host of this name.",
  EAI_AGAIN: "The host's name cannot be looked up now.",
}

/** The driver's own words, which are English. */
const driver: readonly (readonly [words: RegExp, hint: string])[] = [
  [
    /password must be a (non-empty )?string/,
    "The server asks for a password: put it into the address, postgres://user:password@host/database.",
  ],
  [
    /Query read timeout/,
    "The server takes connections and does not answer. Behind a pooler, all of its sessions may be taken.",
  ],
  [/does not support SSL/, "The server has no TLS: leave ?sslmode out of the address."],
]

// Recognizes a pooler that gives each transaction another session: settings and prepared statements are lost there, and
// other clients find them in theirs.

/** Questions by which a session shows that it is one. */
const looks = 3

const kept = "SELECT coalesce(current_setting('bifold.session', true), '') AS kept"

/** @param one has no transaction, @param other another connection to the same address. Rejects with what the driver reports. */
export async function sharesSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  const own = randomUUID()
  const keepsOwn = async (client: pg.Client): Promise<boolean> =>
    (await client.query<{ readonly kept: string }>(kept)).rows[0]?.kept === own
  await one.query("SELECT set_config('bifold.session', $1, false)", [own])
  for (let at = 0; at < looks; at++) {
    // A transaction takes the session that the pooler gave to the first connection before, or the next one.
    const begun = await other.query("BEGIN").catch((fault: unknown) => fault)
    if (begun instanceof Error) {
      if (takesNoTransactions(begun)) return true
      throw begun
    }
    const isSeen = await keepsOwn(other)
    // Where there is one session, the other connection's transaction has it, and the first would wait for it for ever.
    const isLost = !isSeen && !(await keepsOwn(one))
    await other.query("ROLLBACK")
    if (isSeen || isLost) return true
  }
  return false
}

/** SQLSTATE protocol_violation: a pooler that gives each statement another session. */
const takesNoTransactions = (fault: Error): boolean => "code" in fault && fault.code === "08P01"
