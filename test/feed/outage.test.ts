// Followers when their database goes away: each ends whole, with the problem, and the log has few entries, none of them a fault.
import assert from "node:assert/strict"
import { renameSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { describe, test } from "node:test"
import pg from "pg"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Frame, openDatabase, openServer, openStream, type Stream, until } from "./open.ts"
import { openSubscription } from "./subscriber.ts"

const staff = "role:staff"

async function administer(url: string, ...commands: readonly string[]): Promise<void> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: "/postgres" }).href,
  })
  await client.connect()
  for (const command of commands) await client.query(command)
  await client.end()
}

const losses = {
  "the database is away": {
    async sqlite(path: string) {
      renameSync(path, `${path}.away`)
    },
    async postgres(url: string) {
      const name = new URL(url).pathname.slice(1)
      await administer(
        url,
        `ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      )
    },
  },
  "the log is gone": {
    async sqlite(path: string) {
      const database = new DatabaseSync(path)
      database.exec("ALTER TABLE bifold_log RENAME TO bifold_log_away")
      database.close()
    },
    async postgres(url: string) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query("ALTER TABLE bifold_log RENAME TO bifold_log_away")
      await client.end()
    },
  },
} as const

/** The code of the problem that the last frame, or the one before the end of a GraphQL operation, tells of. */
function codeAtEnd({ frames }: Stream): unknown {
  const last = frames.findLast(({ event }: Frame) => event !== "complete")
  if (last?.event === "problem") return last.data["code"]
  const [error] = (last?.data["errors"] ?? []) as readonly {
    readonly extensions: { readonly code: string }
  }[]
  return error?.extensions.code
}

for (const database of dialects)
  describe(`followers in an outage, ${database}`, () => {
    for (const [name, lose] of Object.entries(losses))
      test(name, async (context) => {
        const hooks = cleanUp(context.after.bind(context))
        const at = await openDatabase(hooks, database)
        const server = await openServer(hooks, at)
        const graphql = (query: string) =>
          openStream(
            `${server.url}/graphql`,
            staff,
            { "content-type": "application/json" },
            JSON.stringify({ query }),
          )
        const streams = await Promise.all([
          ...Array.from({ length: 20 }, () => openStream(`${server.url}/events/stream`, staff)),
          openStream(`${server.url}/notes?live=true&interval=0.1`, staff),
          graphql("query @live(interval: 0.1) { notes { nodes { text } } }"),
          graphql("subscription { noteChanges { cursor } }"),
        ])
        const socket = openSubscription(server.url, staff, "noteChanges", {})
        await socket.begun
        const { body } = await server.send("POST", "/people", staff, { name: "Ada" })
        await server.send("POST", "/notes", staff, { text: "before", ownerId: body.id })
        await until(() => socket.changes.length === 1 && streams.every(({ frames }) => frames.length > 0))

        await lose[database](at)
        const ends = await Promise.all(streams.map(async (one) => [await one.ended, codeAtEnd(one)]))
        await socket.ended
        const code = name === "the log is gone" ? "database_mismatch" : "storage_unavailable"
        assert.deepEqual(
          ends,
          streams.map(() => [true, code]),
        )
        const kinds = server.observed.map(({ kind }) => kind)
        assert.ok(!kinds.includes("failed"), kinds.join())
        const unanswered = server.observed.filter((one) => one.kind === "unanswered")
        assert.ok(
          unanswered.length > 0 && unanswered.length < 6,
          `${unanswered.length} of ${streams.length + 1}`,
        )
        assert.ok(unanswered.every(({ problem, cause }) => problem.code === code && cause instanceof Error))
      })
  })
