// `bifold serve --workers`: real processes that share one address.
import assert from "node:assert/strict"
import { once } from "node:events"
import { existsSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { dial, received } from "../server/open.ts"
import { cleanUp, type Hooks, temporaryFolder } from "../support/database.ts"
import { alive, childrenOf, until } from "./processes.ts"
import { bifoldProcess, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const database = new DatabaseSync(join(cwd, "shop.db"))
database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
for (let id = 1; id <= 30; id++) database.prepare("INSERT INTO book VALUES (?, ?)").run(id, `Book ${id}`)
database.close()
const shop = ["shop.db", "--open", "read"] as const
const skip = process.platform === "win32" ? "processes are listed by ps" : false

async function open(context: Hooks, ...given: readonly string[]): Promise<Serving> {
  const server = await serving([...shop, ...given], { cwd })
  context.after(async () => void (await server.end("SIGKILL")))
  return server
}

/** A request on a connection of its own, so that workers take turns. */
const ask = (server: Serving, path: string): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers: { connection: "close" } })

describe("bifold serve --workers", { skip }, () => {
  it("shares one address and one secret among its processes, and ends them all", async (context) => {
    const server = await open(context, "--workers", "2", "--compression", "off")
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    const workers = childrenOf(server.pid)
    assert.equal((await ask(server, "/openapi.json")).headers.get("content-encoding"), null)
    let cursor = ""
    const seen: string[] = []
    // Every page is asked for with the cursor that another worker may have sealed.
    do {
      const answer = await ask(server, `/books?limit=3${cursor === "" ? "" : `&after=${cursor}`}`)
      assert.equal(answer.status, 200)
      const { data, page } = (await answer.json()) as { data: { id: string }[]; page: { next: string } }
      seen.push(...data.map(({ id }) => id))
      cursor = page.next
    } while (cursor !== null)
    assert.equal(seen.length, 30)
    const ran = await server.end()
    assert.equal(ran.code, 0)
    assert.equal(
      ran.stderr,
      "2 processes share the work.\nCursors become invalid on restart; set BIFOLD_SECRET.\nShutting down; draining requests.\n",
    )
    assert.deepEqual(workers.filter(alive), [])
  })

  it("ends once for the signals of one Ctrl+C that every process gets", async (context) => {
    const server = await open(context, "--workers", "2")
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    const workers = childrenOf(server.pid)
    for (const worker of workers) process.kill(worker, "SIGINT")
    const { code, stderr } = await server.end("SIGINT")
    assert.equal(code, 0)
    assert.doesNotMatch(stderr, /being replaced/)
    assert.deepEqual(workers.filter(alive), [])
  })

  it("answers what was asked before it ends", async (context) => {
    const server = await open(context, "--workers", "2")
    const port = Number(new URL(server.url).port)
    const sockets = await Promise.all(Array.from({ length: 4 }, () => dial(port)))
    const answers = Promise.all(sockets.map(received))
    for (const socket of sockets) socket.write("GET /books/1 HTTP/1.1\r\nHost: localhost\r\n")
    await sleep(300)
    const ended = server.end()
    await sleep(300)
    for (const socket of sockets) socket.write("\r\n")
    for (const answer of await answers) assert.match(answer, /^connection: close\r$/im)
    const statuses = (await answers).map((answer) => answer.split("\r\n", 1)[0])
    assert.deepEqual(
      statuses,
      Array.from({ length: 4 }, () => "HTTP/1.1 200 OK"),
    )
    assert.equal((await ended).code, 0)
  })

  for (const count of [1, 2])
    it(`ends at once for a second signal, with what it waits for (${count})`, async (context) => {
      const server = await open(context, "--workers", String(count))
      const workers = childrenOf(server.pid)
      const port = Number(new URL(server.url).port)
      const sockets = await Promise.all(Array.from({ length: 4 }, () => dial(port)))
      for (const socket of sockets) {
        socket.on("error", () => {})
        socket.write("GET /books/1 HTTP/1.1\r\nHost: localhost\r\n")
      }
      await sleep(300)
      const ended = server.end()
      await sleep(1_000)
      const again = server.end("SIGINT")
      // By itself it would have ended with 0, when it had cut them. 130 names the signal.
      assert.equal((await ended).code, 130)
      await again
      await until(() => workers.every((pid) => !alive(pid)), "the workers are gone")
    })

  it("answers what a worker was given that is told to end by itself", async (context) => {
    const server = await open(context, "--workers", "2")
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    const [first = 0] = childrenOf(server.pid)
    let ended = false
    const asking = Array.from({ length: 4 }, async () => {
      while (!ended) assert.equal((await ask(server, "/books/1")).status, 200)
    })
    await sleep(200)
    process.kill(first, "SIGTERM")
    await until(() => childrenOf(server.pid).filter((pid) => pid !== first).length === 2, "two workers again")
    ended = true
    await Promise.all(asking)
  })

  for (const count of [1, 2])
    it(`moves the log of a SQLite file into it when it ends (${count})`, async (context) => {
      const folder = await temporaryFolder(context)
      const file = new DatabaseSync(join(folder, "notes.db"))
      file.exec("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
      file.close()
      const server = await serving(["notes.db", "--open", "write", "--workers", String(count)], {
        cwd: folder,
      })
      context.after(async () => void (await server.end("SIGKILL")))
      const headers = { "content-type": "application/json", connection: "close" }
      const body = JSON.stringify({ body: "kept" })
      const made = await fetch(`${server.url}/notes`, { method: "POST", headers, body })
      assert.equal(made.status, 201)
      assert.ok(existsSync(join(folder, "notes.db-wal")))
      assert.equal((await server.end()).code, 0)
      // Workers that close at the same moment leave an empty one.
      assert.equal(statSync(join(folder, "notes.db-wal"), { throwIfNoEntry: false })?.size ?? 0, 0)
    })

  it("replaces a worker that crashes, and serves meanwhile", async (context) => {
    const server = await open(context, "--workers", "2")
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    const [first = 0] = childrenOf(server.pid)
    process.kill(first, "SIGKILL")
    await until(() => !alive(first), "the worker is gone")
    assert.equal((await ask(server, "/books/1")).status, 200)
    await until(() => childrenOf(server.pid).filter((pid) => pid !== first).length === 2, "two workers again")
    for (let count = 0; count < 6; count++) assert.equal((await ask(server, "/books/1")).status, 200)
    const { stderr, code } = await server.end()
    assert.equal(code, 0)
    assert.equal(stderr.split(`Worker ${first} ended (SIGKILL) and is being replaced.`).length, 2, stderr)
  })

  it("leaves no worker behind when it is killed itself", async (context) => {
    const server = await open(context, "--workers", "2")
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    const workers = childrenOf(server.pid)
    await server.end("SIGKILL")
    await until(() => workers.every((pid) => !alive(pid)), "the workers are gone")
  })

  it("says once that the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const ran = await bifoldProcess(["serve", ...shop, "--workers", "3", "--port", String(port)], { cwd })
    other.close()
    assert.deepEqual(ran, {
      code: 1,
      stdout: "",
      stderr: `✗ Port ${port} of 127.0.0.1 is in use already.\n  → Choose another with --port (0 takes any that is free), or end the program that uses it.\n`,
    })
  })

  it("takes as many as there are processors", async (context) => {
    const server = await open(context, "--workers", "auto")
    assert.notEqual((await ask(server, "/openapi.json")).headers.get("content-encoding"), null)
    const count = availableParallelism()
    await until(() => childrenOf(server.pid).length === (count === 1 ? 0 : count), "a worker per processor")
    assert.equal((await server.end()).code, 0)
  })

  for (const count of ["0", "many", "1.5", "257"])
    it(`refuses ${count} workers`, async () => {
      const { code, stderr } = await bifoldProcess(["serve", ...shop, "--workers", count], { cwd })
      assert.equal(code, 2)
      assert.match(stderr, /Give a number from 1 to 256, or auto/)
    })
})
