// Settings of PostgreSQL sessions, whatever the database has set, and sessions that a pooler does not keep.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import pg from "pg"
import type { Refusal } from "../../src/base/problem.ts"
import { openStorage } from "../../src/storage/open.ts"
import { mostConnections, setWhereKnown } from "../../src/storage/postgres/postgres.ts"
import { type StorageOptions, unremarkable } from "../../src/storage/storage.ts"
import type { Work } from "../../src/storage/write-request.ts"
import { bifold } from "../cli/run.ts"
import { temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { ownPostgres } from "../support/own-postgres.ts"
import { hasPooler, startPooler } from "../support/pooler.ts"

async function administer(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

const asked = (text: string): Work => ({
  shape: { commands: [{ text, takes: 0 }], wanted: [0], takes: 0, sure: true },
  parameters: [],
})

/** The setting in each kind of session that a storage has. */
async function inSessions(url: string, name: string, options: Partial<StorageOptions> = {}) {
  const storage = await openStorage(url, { writes: "unsafe", ...options })
  const text = `SELECT current_setting('${name}')`
  const statement = { text, binds: [], columns: [0], cursors: [], flaws: false }
  const work = asked(text)
  try {
    const [prompt] = await storage.read(statement, [])
    const [slow] = await storage.read(statement, [], { ...unremarkable, pace: "slow" })
    const written = await storage.write?.(work)
    const lent = await storage.transact?.(
      async (session) => {
        const ran = await session.run(work)
        return (ran.kind === "ran" && ran.rows[0]?.[0]) || []
      },
      { lasts: 10_000 },
    )
    return {
      prompt: String(prompt),
      slow: String(slow),
      write: written?.kind === "done" && written.rows[0]?.[0],
      code: lent?.kind === "done" && lent.rows[0]?.[0],
    }
  } finally {
    await storage.close()
  }
}

const everywhere = (value: string) => ({ prompt: value, slow: value, write: value, code: value })

test("no statement is compiled, unless the server is to decide", async (t) => {
  const url = await temporaryPostgres(t)
  await administer(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET jit = on`)
  assert.deepEqual(await inSessions(url, "jit"), everywhere("off"))
  assert.deepEqual(await inSessions(url, "jit", { jit: "server" }), everywhere("on"))
})

test("a setting that a server does not know is left alone", async (t) => {
  const url = await temporaryPostgres(t)
  await administer(url, `BEGIN; ${setWhereKnown("no_such_setting", "off")}; COMMIT`)
})

test("a commit waits for the disk, and for standbys where the server says so", async (t) => {
  const url = await temporaryPostgres(t)
  const name = new URL(url).pathname.slice(1)
  for (const [set, becomes] of [
    ["off", "on"],
    ["local", "on"],
    ["remote_write", "on"],
    ["on", "on"],
    ["remote_apply", "remote_apply"],
  ] as const) {
    await administer(url, `ALTER DATABASE "${name}" SET synchronous_commit = ${set}`)
    const { write, code } = await inSessions(url, "synchronous_commit")
    assert.deepEqual({ write, code }, { write: becomes, code: becomes }, set)
  }
})

test("a pooler that keeps no sessions is refused at the start, and finds nothing set in its own", {
  skip: !hasPooler && "pgbouncer is not installed",
}, async (t) => {
  const url = await temporaryPostgres(t)
  const folder = await temporaryFolder(t)
  const file = join(folder, "service.ts")
  writeFileSync(
    file,
    `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  resources: { product: resource({ fields: { name: f.text() }, allow: { read: anyone, create: anyone } }) },
})
`,
  )
  assert.equal((await bifold(["migrate", "apply", file, "--database", url])).code, 0)
  for (const [mode, sessions] of [
    ["transaction", 4],
    ["transaction", 1],
    ["statement", 4],
  ] as const) {
    const address = await startPooler(t, url, mode, sessions)
    const { code, stdout, stderr } = await bifold(["serve", file, "--database", address, "--port", "0"])
    assert.notEqual(code, 0)
    assert.match(stdout + stderr, /A pooler at .* gives each transaction another session/)
    assert.match(stdout + stderr, /session mode/)
    const clients = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const client = new pg.Client(address)
        await client.connect()
        return client
      }),
    )
    const seen = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query(
          "SELECT current_setting('default_transaction_read_only') AS a, current_setting('statement_timeout') AS b, current_setting('bifold.writes', true) AS c, pg_sleep(0.05)",
        )
        return [rows[0].a, rows[0].b, rows[0].c ?? ""]
      }),
    )
    assert.deepEqual(new Set(seen.map(String)), new Set(["off,0,"]))
    await Promise.all(clients.map((client) => client.end()))
  }
  const storage = await openStorage(await startPooler(t, url, "session"), { writes: "unsafe" })
  await storage.close()
})

test("sessions that were opened on a standby are serializable when it is promoted", {
  timeout: 120_000,
}, async (t) => {
  const server = await ownPostgres(t)
  const client = new pg.Client(server.url)
  client.on("error", () => {}) // the server is killed
  await client.connect()
  const { rows } = await client.query("SHOW data_directory")
  await client.end()
  await server.kill()
  writeFileSync(join(rows[0].data_directory, "standby.signal"), "")
  await server.revive()
  const storage = await openStorage(server.url, { writes: "unsafe", serializable: true })
  t.after(() => storage.close())
  const { write, transact } = storage
  if (!write || !transact) throw new Error("It can be written.")
  // As many as there may be.
  const work = asked("SELECT current_setting('transaction_isolation'), pg_sleep(0.01)")
  const all = (): Promise<readonly unknown[]> =>
    Promise.all(
      Array.from({ length: 24 }, () =>
        write(work).then(
          (outcome) => outcome.kind === "done" && outcome.rows[0]?.[0],
          (error: { code?: string }) => error.code,
        ),
      ),
    )
  assert.deepEqual(new Set(await all()), new Set(["storage_unavailable"]))
  await administer(server.url, "SELECT pg_promote()")
  assert.deepEqual(new Set(await all()), new Set(["serializable"]))
  const done = await transact(
    async (session) => {
      const ran = await session.run(work)
      return (ran.kind === "ran" && ran.rows[0]?.[0]) || []
    },
    { lasts: 10_000 },
  )
  assert.equal(done.kind === "done" && done.rows[0]?.[0], "serializable")
})

test("a pooler whose sessions are all taken is not waited for without end", {
  skip: !hasPooler && "pgbouncer is not installed",
}, async (t) => {
  const url = await temporaryPostgres(t)
  const refused = (address: string) =>
    assert.rejects(openStorage(address, { writes: "unsafe" }), (error: Refusal) => {
      assert.match(error.problems[0].hint ?? "", /all of its sessions may be taken/)
      return error.problems[0].code === "storage_unavailable"
    })
  const address = await startPooler(t, url, "transaction", 1)
  const other = new pg.Client(address)
  await other.connect()
  await other.query("BEGIN")
  await Promise.all([refused(address), refused(await startPooler(t, url, "session", 1))])
  await other.end()
})

test("the page of deploying has the number of connections", async () => {
  const page = readFileSync(new URL("../../docs/operate/deploying.md", import.meta.url), "utf8")
  const found = /up to (\d+): (\d+) for reads, (\d+) for writes, (\d+) for notifications; (\d+) more/.exec(
    page,
  )
  const [all = 0, reads = 0, writes = 0, signals = 0, code = 0] = (found ?? []).slice(1).map(Number)
  assert.equal(all, reads + writes + signals)
  assert.equal(all + code, mostConnections)
})
