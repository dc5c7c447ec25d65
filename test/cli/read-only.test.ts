// A database that can only be read for a while: a service starts on it and answers reads, refuses writes for the time being,
// says so once, and writes again as soon as it may. By the command line, with handlers, keys, history and idempotency.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { chmodSync, chownSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, it, type TestContext } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { ownPostgres } from "../support/own-postgres.ts"
import { bifold, type Serving, serving } from "./run.ts"

/** Whether every user comes through to it. */
const isOpenToAll = (path: string): boolean =>
  (statSync(path).mode & 0o005) === 0o005 && (dirname(path) === path || isOpenToAll(dirname(path)))

const shop = `import { anyone, f, handler, operation, resource, service, withCode } from "bifold"
const shop = service({
  name: "shop",
  roles: ["staff"],
  identity: { keys: true },
  resources: {
    order: resource({
      id: "ord",
      history: true,
      fields: { number: f.text({ unique: true }) },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: anyone } } },
      allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
    }),
    note: resource({ fields: { text: f.text() }, allow: { read: anyone, create: anyone } }),
  },
})
export default withCode(shop, {
  on: { "order.paid": handler({ run() {} }) },
  before: { note: { create: ({ new: note }) => ({ text: note.text + "!" }) } },
  operations: {
    remark: operation({
      allow: anyone,
      async run({ db }) {
        await db.note.create({ text: "said" }).catch(() => {})
      },
    }),
  },
})
`

async function folder(t: TestContext): Promise<string> {
  const cwd = await temporaryFolder(t)
  writeFileSync(join(cwd, "shop.ts"), shop)
  return cwd
}

const several = 100
/** Looks at so many rows that it is answered beside the others: by a thread that has the file open from then on. */
const slowRead = `{ ${Array.from({ length: several }, (_, at) => `a${at}: orders(first: 1) { totalCount }`).join(" ")} }`

interface Ready {
  /** Of an order, and the key of somebody. */
  readonly id: string
  readonly token: string
}

/** The tables, an order that was changed, and a key, while everything can be written. */
async function prepare(cwd: string, database: string): Promise<Ready> {
  const given = ["shop.ts", "--database", database]
  const applied = await bifold(["migrate", "apply", ...given], { cwd })
  assert.equal(applied.code, 0, applied.stderr)
  const key = await bifold(
    ["key", "create", ...given, "--accept-data-loss", "--name", "till", "--role", "staff"],
    { cwd },
  )
  assert.equal(key.code, 0, key.stderr)
  const token = /shop_\w{43}/.exec(key.stdout)?.[0] ?? ""
  const server = await serving([...given, "--accept-data-loss"], { cwd })
  const made = await send(server, "POST", "/orders", { number: "1" })
  assert.equal(made.status, 201, made.text)
  const { id } = JSON.parse(made.text)
  assert.equal((await send(server, "POST", `/orders/${id}/transitions/pay`, {})).status, 200)
  const more = Array.from({ length: several }, (_, at) => ({
    method: "POST",
    path: "/orders",
    body: { number: `more ${at}` },
  }))
  assert.equal((await send(server, "POST", "/batch", { requests: more })).status, 200)
  await server.end()
  return { id, token }
}

async function send(
  { url }: Serving,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get("retry-after"),
  }
}

async function assertReads(server: Serving, { id, token }: Ready): Promise<void> {
  const authorization = { authorization: `Bearer ${token}` }
  for (const path of [
    "/orders",
    `/orders/${id}`,
    `/orders/${id}/history`,
    "/orders?include=history",
    "/health",
  ]) {
    const { status, text } = await send(server, "GET", path)
    assert.equal(status, 200, `${path}: ${text}`)
  }
  const known = await send(server, "GET", `/orders/${id}`, undefined, authorization)
  assert.equal(known.status, 200, known.text)
  const { status, text } = await send(server, "POST", "/graphql", {
    query: "{ orders { nodes { number history { nodes { at } } } } }",
  })
  assert.equal(status, 200)
  assert.equal(JSON.parse(text).errors, undefined, text)
  const beside = await send(server, "POST", "/graphql", { query: slowRead })
  assert.equal(JSON.parse(beside.text).data?.a99.totalCount >= several, true, beside.text)
}

async function assertNoWrites(server: Serving, { id }: Ready): Promise<void> {
  const keyed = { "idempotency-key": `"${randomUUID()}"` }
  for (const [method, path, body, headers] of [
    ["POST", "/orders", { number: "2" }, {}],
    ["POST", "/orders", { number: "2" }, keyed],
    ["PATCH", `/orders/${id}`, { number: "2" }, {}],
    ["DELETE", `/orders/${id}`, undefined, {}],
    // In transactions of user code, also where it catches what the database says.
    ...Array.from({ length: 3 }, () => ["POST", "/notes", { text: "said" }, {}] as const),
    ...Array.from({ length: 3 }, () => ["POST", "/actions/remark", {}, {}] as const),
    ["POST", "/batch", { requests: [{ method: "POST", path: "/orders", body: { number: "3" } }] }, {}],
  ] as const) {
    const { status, text, retryAfter } = await send(server, method, path, body, headers)
    assert.equal(status, 503, `${method} ${path}: ${status} ${text}`)
    assert.equal(JSON.parse(text).code, "storage_unavailable")
    assert.match(JSON.parse(text).detail, saysSo)
    assert.ok(retryAfter)
  }
  const mutation = 'mutation { createOrder(input: { number: "4" }) { order { id } } }'
  const { text } = await send(server, "POST", "/graphql", { query: mutation })
  assert.equal(JSON.parse(text).data, null)
  assert.equal(JSON.parse(text).errors[0].extensions.code, "storage_unavailable")
}

async function assertWritesAgain(server: Serving): Promise<void> {
  for (const [path, body] of [
    ["/orders", { number: "again" }],
    ["/notes", { text: "again" }],
    ["/actions/remark", {}],
  ] as const)
    for (let tries = 0; ; tries += 1) {
      const { status, text } = await send(server, "POST", path, body)
      if (status < 300) break
      assert.ok(status === 503 && tries < 200, `${path}: ${status} ${text}`)
      await sleep(50)
    }
}

/** A role that may only read is another fault than a database that can only be read. */
const saysSo = /^.*(database can only be read now|database's role may not write what the request changes)\./m

/** Told a few times, however many were refused, and without a word of where in the code. */
async function assertSaidOnce(server: Serving): Promise<void> {
  const { stderr } = await server.end()
  assert.match(stderr, saysSo)
  assert.ok(stderr.split("\n").length < 40, stderr)
  assert.doesNotMatch(stderr, /Something went wrong|\n +at .*\.ts/)
}

async function administer(url: string, ...commands: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const command of commands) await client.query(command)
  await client.end()
}

async function open(
  t: TestContext,
  cwd: string,
  database: string,
  options: { readonly user?: number } = {},
): Promise<Serving> {
  const server = await serving(["shop.ts", "--database", database, "--accept-data-loss"], { cwd, ...options })
  t.after(async () => void (await server.end()))
  return server
}

async function assertWhole(server: Serving, ready: Ready, mend: () => Promise<void>): Promise<void> {
  await assertReads(server, ready)
  await assertNoWrites(server, ready)
  await assertReads(server, ready)
  await mend()
  await assertWritesAgain(server)
  await assertReads(server, ready)
  await assertSaidOnce(server)
}

/** As a process leaves it that was killed after it had written. */
async function leaveLog(file: string): Promise<void> {
  const script = `
    const database = new (require("node:sqlite").DatabaseSync)(${JSON.stringify(file)})
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE left_behind (a); INSERT INTO left_behind VALUES (1)")
    process.kill(process.pid, "SIGKILL")`
  await once(spawn(process.execPath, ["--eval", script], { stdio: "inherit" }), "close")
  assert.ok(statSync(`${file}-wal`).size > 0)
}

/** @param last what becomes of the file before its folder may not be written any more */
async function assertFolder(t: TestContext, last: (file: string) => Promise<void> | void): Promise<void> {
  const cwd = await folder(t)
  // Beside the others, where another user may come through.
  const kept = mkdtempSync("/tmp/bifold-read-only-")
  t.after(() => rm(kept, { recursive: true, force: true }))
  const user = process.getuid?.() === 0 ? 65_534 : undefined
  if (user !== undefined && !isOpenToAll(import.meta.dirname))
    return t.skip("root may write anywhere, and another user cannot read this checkout")
  const file = join(kept, "shop.db")
  const ready = await prepare(cwd, file)
  await last(file)
  for (const path of [cwd, join(cwd, "shop.ts")]) chmodSync(path, 0o755)
  const files = readdirSync(kept).map((name) => join(kept, name))
  for (const one of files) chmodSync(one, 0o444)
  chmodSync(kept, 0o555)
  const server = await open(t, cwd, file, user === undefined ? {} : { user })
  await assertWhole(server, ready, async () => {
    chmodSync(kept, 0o755)
    for (const one of files) chmodSync(one, 0o644)
    if (user !== undefined) for (const one of [kept, ...files]) chownSync(one, user, user)
  })
}

describe("a database that can only be read", () => {
  it("by its settings, on PostgreSQL", { timeout: 120_000 }, async (t) => {
    const cwd = await folder(t)
    const database = await temporaryPostgres(t)
    const name = new URL(database).pathname.slice(1)
    const ready = await prepare(cwd, database)
    const set = (on: boolean) =>
      administer(
        database,
        "SET default_transaction_read_only = off",
        `ALTER DATABASE "${name}" SET default_transaction_read_only = ${on}`,
      )
    await set(true)
    await assertWhole(await open(t, cwd, database), ready, () => set(false))
  })

  it("as a standby is, until it is promoted", { timeout: 120_000 }, async (t) => {
    const cwd = await folder(t)
    const server = await ownPostgres(t)
    const ready = await prepare(cwd, server.url)
    const client = new pg.Client({ connectionString: server.url })
    client.on("error", () => {}) // the server is killed
    await client.connect()
    const { rows } = await client.query("SHOW data_directory")
    await client.end().catch(() => {})
    await server.kill()
    writeFileSync(join(rows[0].data_directory, "standby.signal"), "")
    await server.revive()
    await assertWhole(await open(t, cwd, server.url), ready, () =>
      administer(server.url, "SELECT pg_promote()"),
    )
  })

  it("as a role that may only read", { timeout: 120_000 }, async (t) => {
    const cwd = await folder(t)
    const database = await temporaryPostgres(t)
    const ready = await prepare(cwd, database)
    const role = `reader_${new URL(database).pathname.slice(1)}`
    await administer(
      database,
      `CREATE ROLE "${role}" LOGIN`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${role}"`,
    )
    t.after(() => administer(database, `DROP OWNED BY "${role}"; DROP ROLE "${role}"`).catch(() => {}))
    const address = Object.assign(new URL(database), { username: role }).href
    await assertWhole(await open(t, cwd, address), ready, () =>
      administer(
        database,
        `GRANT ALL ON ALL TABLES IN SCHEMA public TO "${role}"; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO "${role}"`,
      ),
    )
  })

  it("in a folder that may not be written, on SQLite", { timeout: 120_000 }, async (t) => {
    // The last connection to close takes the log into the file.
    await assertFolder(t, (file) => {
      const last = new DatabaseSync(file)
      last.exec("PRAGMA wal_checkpoint(TRUNCATE)")
      last.close()
    })
  })

  it("in a folder with a log that nobody took into the file, on SQLite", { timeout: 120_000 }, async (t) => {
    await assertFolder(t, leaveLog)
  })
})
