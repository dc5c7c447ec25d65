// The end of `bifold serve` as a balancer and an operator see it: readiness first, then the port, then the process.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { cleanUp, type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { bifoldProcess, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const database = new DatabaseSync(join(cwd, "shop.db"))
database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO book VALUES (1, 'One')")
database.close()
const shop = ["shop.db", "--open", "read"] as const

async function open(context: Hooks, ...given: readonly string[]): Promise<Serving> {
  const server = await serving([...shop, ...given], { cwd })
  context.after(async () => void (await server.end("SIGKILL")))
  return server
}

/** On a connection of its own, so that workers take turns. */
const statusOf = async ({ url }: Serving, path: string): Promise<number> =>
  (await fetch(`${url}${path}`, { headers: { connection: "close" } })).status

async function drained(server: Serving): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await statusOf(server, "/readyz")) === 503) return
    await sleep(10)
  }
  assert.fail("it is ready still")
}

describe("a process that is told to end", () => {
  for (const workers of [1, 2])
    it(`is not ready, and answers new connections until the delay is over (${workers})`, async (context) => {
      const server = await open(context, "--drain-delay", "3", "--workers", String(workers))
      assert.equal(await statusOf(server, "/readyz"), 200)
      const ended = server.end("SIGTERM")
      await drained(server)
      for (let count = 0; count < 10; count += 1) {
        assert.equal(await statusOf(server, "/readyz"), 503)
        assert.equal(await statusOf(server, "/books/1"), 200)
      }
      assert.equal(await statusOf(server, "/livez"), 200)
      const { code, stderr } = await ended
      assert.equal(code, 0)
      assert.match(
        stderr,
        /Not ready any more; closes in 3 s\. Another signal ends it at once\.\nShutting down; draining requests\.\n$/,
      )
      await assert.rejects(statusOf(server, "/livez"))
    })

  it("ends at once for a second signal within the delay, and its code names it", async (context) => {
    const server = await open(context, "--drain-delay", "3600")
    const ended = server.end("SIGTERM")
    await drained(server)
    // One that comes sooner is the same.
    await sleep(600)
    process.kill(server.pid ?? 0, "SIGTERM")
    const { code, stderr } = await ended
    assert.equal(code, 143)
    assert.doesNotMatch(stderr, /Shutting down/)
  })

  it("keeps its workers for the delay when each process gets the signal", {
    skip: process.platform === "win32" ? "processes are listed by ps" : false,
  }, async (context) => {
    const server = await open(context, "--drain-delay", "3", "--workers", "2")
    const { stdout } = spawnSync("ps", ["-A", "-o", "ppid=,pid="], { encoding: "utf8" })
    const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
    const workers = pairs.flatMap(([parent, child]) => (parent === server.pid ? [child ?? 0] : []))
    assert.ok(workers.length >= 2)
    for (const worker of workers) process.kill(worker, "SIGTERM")
    const ended = server.end("SIGTERM")
    await drained(server)
    await sleep(500)
    for (let count = 0; count < 4; count += 1) assert.equal(await statusOf(server, "/books/1"), 200)
    assert.equal((await ended).code, 0)
  })
})

const service = `import { anyone, f, resource, service, withCode } from "bifold"
const shop = service({
  name: "shop",
  resources: {
    order: resource({ id: "ord", fields: { number: f.text() }, allow: { read: anyone, create: anyone } }),
  },
})
export default withCode(shop, { on: { "order.created": async () => {} } })
`

for (const kind of dialects)
  it(`leaves no lease of handlers behind, on ${kind}`, async (context) => {
    const folder = await temporaryFolder(context)
    writeFileSync(join(folder, "shop.ts"), service)
    const address = kind === "sqlite" ? join(folder, "leases.db") : await temporaryPostgres(context)
    const server = await serving(
      ["shop.ts", "--database", address, "--dev", "--accept-data-loss", "--drain-delay", "0"],
      { cwd: folder },
    )
    context.after(async () => void (await server.end("SIGKILL")))
    for (let tries = 0; (await leasesIn(address)) === 0 && tries < 500; tries += 1) await sleep(20)
    assert.ok((await leasesIn(address)) > 0, "the process holds partitions")
    assert.equal((await server.end("SIGTERM")).code, 0)
    assert.equal(await leasesIn(address), 0)
  })

async function leasesIn(address: string): Promise<number> {
  const held = "SELECT count(*) AS count FROM bifold_lease"
  if (address.startsWith("postgres:")) {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    const { rows } = await client.query<{ count: string }>(held)
    await client.end()
    return Number(rows[0]?.count)
  }
  const file = new DatabaseSync(address)
  try {
    return Number(file.prepare(held).get()?.["count"])
  } finally {
    file.close()
  }
}

describe("two processes on one port", () => {
  it("the second says so and has made nothing", async (context) => {
    const first = await open(context)
    const folder = await temporaryFolder(context)
    writeFileSync(join(folder, "shop.ts"), service)
    const { port } = new URL(first.url)
    const given = ["serve", "shop.ts", "--database", "new.db", "--dev", "--port", port]
    const ran = await bifoldProcess(given, { cwd: folder })
    assert.deepEqual(ran, {
      code: 1,
      stdout: "",
      stderr: `✗ Port ${port} of 127.0.0.1 is in use already.\n  → Choose another with --port (0 takes any that is free), or end the program that uses it.\n`,
    })
    assert.equal(existsSync(join(folder, "new.db")), false)
    assert.equal(await statusOf(first, "/books/1"), 200, "the first goes on")
  })

  it("a delay that is no time is refused", async () => {
    const { code, stderr } = await bifoldProcess(["serve", ...shop, "--drain-delay", "soon"], { cwd })
    assert.equal(code, 2)
    assert.match(stderr, /Give seconds from 0 to 3600\./)
  })
})
