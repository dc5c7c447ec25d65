// `bifold serve --metrics` and `--server-timing`: as an operator runs them.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { cleanUp, type Hooks, temporaryFolder } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"
import { bifoldProcess, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const database = new DatabaseSync(join(cwd, "shop.db"))
database.exec(
  "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL); INSERT INTO book VALUES (1, 'One')",
)
database.close()
const shop = ["shop.db", "--open", "read"] as const

async function open(context: Hooks, ...given: readonly string[]): Promise<Serving> {
  const server = await serving([...shop, ...given], { cwd })
  context.after(async () => void (await server.end("SIGKILL")))
  return server
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text()

/** The sum over all series of the name that have these labels. */
function sumOf(text: string, name: string, labels = ""): number {
  const lines = text.split("\n").filter((line) => line.startsWith(name) && line.includes(labels))
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)
}

async function ask(server: Serving, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const answer = await fetch(`${server.url}/books/1`, { headers: { connection: "close" } })
    assert.equal(answer.status, 200)
    await answer.text()
  }
}

/** Resolves with the processes that a process has started, once there are so many, and none of the others. */
async function startedBy(
  pid: number | undefined,
  count: number,
  others: readonly number[] = [],
): Promise<readonly number[]> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { stdout } = spawnSync("ps", ["-A", "-o", "ppid=,pid="], { encoding: "utf8" })
    const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
    const found = pairs.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []))
    if (found.length === count && !found.some((child) => others.includes(child))) return found
    await sleep(50)
  }
  return assert.fail("there are no other workers after half a minute")
}

describe("bifold serve --metrics", () => {
  it("serves figures that fit on a port of its own", async (context) => {
    const server = await open(context, "--metrics", "0", "--server-timing")
    const [, url = ""] = /Metrics\s+(http:\/\/127\.0\.0\.1:\d+\/metrics)/.exec(server.said) ?? []
    await ask(server, 5)
    const text = await textOf(url)
    const own = 'face="rest",method="GET",route="/books/{id}"'
    assert.equal(sumOf(text, "bifold_requests_total", own), 5)
    assert.equal(sumOf(text, "bifold_request_duration_seconds_count", own), 5)
    assert.equal(sumOf(text, 'bifold_request_stage_seconds_count{face="rest",stage="statement"}'), 5)
    assert.equal(sumOf(text, "bifold_database_up"), 1)
    assert.equal((await fetch(url.replace("/metrics", "/other"))).status, 404)
    assert.equal((await fetch(url, { method: "POST" })).status, 405)
    // A page of another site may have its own name lead to this machine.
    const foreign = request(url, { headers: { host: "evil.example:9464" } }).end()
    const [answer] = (await once(foreign, "response")) as [IncomingMessage]
    assert.equal(answer.statusCode, 400)
    assert.doesNotMatch(Buffer.concat(await answer.toArray()).toString(), /bifold_/)
    const { headers } = await fetch(`${server.url}/books`)
    assert.match(headers.get("server-timing") ?? "", /statement;dur=[\d.]+, total;dur=[\d.]+$/)
    assert.equal((await server.end()).code, 0)
    await assert.rejects(fetch(url))
  })

  it("serves them on a path, and on none when not asked", async (context) => {
    const server = await open(context, "--metrics", "/ops/metrics")
    await ask(server, 2)
    const answer = await fetch(`${server.url}/ops/metrics`)
    assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    assert.equal(sumOf(await answer.text(), "bifold_requests_total", 'route="/books/{id}"'), 2)
    const plain = await open(context)
    const without = await fetch(`${plain.url}/metrics`)
    assert.deepEqual([without.status, without.headers.get("server-timing")], [404, null])
    await without.text()
  })

  it("adds up those of several workers", async (context) => {
    const server = await open(context, "--metrics", "0", "--workers", "2")
    const [, url = ""] = /Metrics\s+(http:\S+)/.exec(server.said) ?? []
    await ask(server, 6)
    const text = await textOf(url)
    assert.equal(sumOf(text, "bifold_requests_total", 'route="/books/{id}"'), 6)
    assert.equal(sumOf(text, "bifold_requests_limit"), 4_000)
    assert.equal(sumOf(text, "bifold_database_up"), 1)
  })

  it("loses nothing that workers have counted when they end or do not answer", {
    skip: process.platform === "win32" ? "no signals" : false,
  }, async (context) => {
    const server = await open(context, "--metrics", "0", "--workers", "2")
    const [, url = ""] = /Metrics\s+(http:\S+)/.exec(server.said) ?? []
    const counted = async (): Promise<number> =>
      sumOf(await textOf(url), "bifold_requests_total", 'route="/books/{id}"')
    const [first = 0, second = 0] = await startedBy(server.pid, 2)
    await ask(server, 6)
    assert.equal(await counted(), 6)
    // One that is killed while it is asked is not waited for.
    process.kill(first, "SIGSTOP")
    const asked = counted()
    await sleep(200)
    process.kill(first, "SIGKILL")
    assert.equal(await asked, 6)
    await startedBy(server.pid, 2, [first])
    await ask(server, 6)
    assert.equal(await counted(), 12)
    // One that ends by itself tells what nobody has asked for.
    await ask(server, 6)
    process.kill(second, "SIGTERM")
    const [third = 0] = await startedBy(server.pid, 2, [first, second])
    assert.equal(await counted(), 18)
    process.kill(third, "SIGSTOP")
    const text = await textOf(url)
    process.kill(third, "SIGCONT")
    assert.equal(sumOf(text, "bifold_requests_total", 'route="/books/{id}"'), 18)
    assert.equal(sumOf(text, "bifold_requests_limit"), 2_000)
  })

  it("refuses a port in use, and leaves nothing that listens", async () => {
    const holder = createServer().listen(0, "127.0.0.1")
    await once(holder, "listening")
    const taken = (holder.address() as { port: number }).port
    const port = await freePort()
    for (const more of [[], ["--workers", "2"]]) {
      const args = ["serve", ...shop, "--port", String(port), "--metrics", String(taken), ...more]
      const ran = await bifoldProcess(args, { cwd })
      assert.equal(ran.code, 1)
      assert.match(
        ran.stderr,
        new RegExp(`Port ${taken} of 127\\.0\\.0\\.1, for metrics, is in use already\\.`),
      )
      assert.match(ran.stderr, /Choose another with --metrics/)
      await assert.rejects(fetch(`http://127.0.0.1:${port}/health`))
    }
    holder.close()
  })

  it("refuses a path that is the service's own, one for several workers, and what is no place", async () => {
    const refused = async (...given: readonly string[]): Promise<string> => {
      const ran = await bifoldProcess(["serve", ...shop, "--port", "0", ...given], { cwd })
      assert.notEqual(ran.code, 0)
      return ran.stderr
    }
    assert.match(await refused("--metrics", "/books/metrics"), /\/books is the service's own/)
    assert.match(await refused("--metrics", "/metrics", "--workers", "2"), /need a port of their own/)
    assert.match(await refused("--metrics", "99999"), /Give a port, an address of this machine with a port/)
  })
})
