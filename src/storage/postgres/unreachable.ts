// Why a PostgreSQL server takes no connection, and what to do next. The server's own words may be in any language, so its
// code and the name of the place in its source that refused (`routine`) are read instead.
import { Refusal } from "../../base/problem.ts"

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
    "The server has no role of this user's name that may log in: correct the user in the address (without one it is the user of this machine), or run CREATE ROLE … LOGIN there.",
  "28000 ClientAuthentication":
    "The server does not let this user in from here: add a line for user, database and address to its pg_hba.conf, or ask for TLS (?sslmode=require) if it lets in nothing else.",
  "28000 auth_failed":
    "The server did not believe that this is the user: its pg_hba.conf asks for something other than a password, such as the same user name on this machine (peer).",
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
    "It takes connections and does not answer: where a pooler is before it, all of its sessions may be taken.",
  ],
  [/does not support SSL/, "The server has no TLS: leave ?sslmode out of the address."],
]
