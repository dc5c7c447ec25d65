// A unix socket in place of an address: its mode, what stands in its place, and who listens there already.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { lstat, stat, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { connect } from "node:http2"
import { join } from "node:path"
import { test } from "node:test"
import { createTrustedProxies } from "../../src/access/limits/trusted-proxies.ts"
import { Refusal } from "../../src/base/problem.ts"
import { temporaryFolder } from "../support/database.ts"
import { openLibrary } from "./open.ts"

function ask(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path, agent: false, headers: { host: "localhost" } }, async (response) => {
      let body = ""
      for await (const chunk of response) body += chunk
      resolve(body)
    })
      .on("error", reject)
      .end()
  })
}

test("a service is reached by its socket, whose mode says by whom", async (context) => {
  const path = join(await temporaryFolder(context), "library.sock")
  const library = await openLibrary(context, { socket: { path, mode: 0o620 }, mostConnections: 1, h2c: true })
  assert.equal((await stat(path)).mode & 0o777, 0o620)
  assert.equal(library.url, `http://unix:${path}:`)
  // All of them are one address: a bound of connections would be one of the proxy.
  const answers = await Promise.all([1, 2, 3].map((id) => ask(path, `/books/${id}`)))
  assert.deepEqual(
    answers.map((text) => JSON.parse(text).id),
    ["book_1", "book_2", "book_3"],
  )
  const session = connect("http://localhost", { createConnection: () => dialed(path) })
  const stream = session.request({ ":path": "/books/1" })
  const [headers] = await once(stream.resume(), "response")
  assert.equal(headers[":status"], 200)
  session.destroy()
  await library.close()
  await assert.rejects(lstat(path), { code: "ENOENT" })
})

function dialed(path: string) {
  return process.getBuiltinModule("node:net").connect(path)
}

test("a socket that a dead process has left is replaced, one in use is not", async (context) => {
  const path = join(await temporaryFolder(context), "library.sock")
  const script = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`
  await once(spawn(process.execPath, ["-e", script], { stdio: "ignore" }), "exit")
  assert.ok((await lstat(path)).isSocket())
  const socket = { path, mode: 0o600 }
  const library = await openLibrary(context, { socket })
  await refused(openLibrary(context, { socket }), `The socket ${path} is in use already.`)
  assert.match(await ask(path, "/books/1"), /book_1/)
  assert.deepEqual(library.observed, [])
})

test("what is no socket is left as it is, and a path that cannot be one is refused", async (context) => {
  const folder = await temporaryFolder(context)
  const path = join(folder, "notes.txt")
  await writeFile(path, "precious")
  await refused(
    openLibrary(context, { socket: { path, mode: 0o600 } }),
    `${path} is no socket, and is left as it is.`,
  )
  assert.equal((await stat(path)).size, 8)
  const nowhere = join(folder, "absent", "a.sock")
  await refused(
    openLibrary(context, { socket: { path: nowhere, mode: 0o600 } }),
    `There is no folder for the socket ${nowhere}.`,
  )
  const long = join(folder, "x".repeat(200))
  await refused(
    openLibrary(context, { socket: { path: long, mode: 0o600 } }),
    `The path ${long} is too long for a socket.`,
  )
})

async function refused(opening: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(opening, (error) => {
    assert.ok(error instanceof Refusal, String(error))
    assert.equal(error.problems[0].message, message)
    return true
  })
}

test("a proxy that comes by the socket says who its clients are, where it is trusted", async (context) => {
  const path = join(await temporaryFolder(context), "library.sock")
  const proxies = createTrustedProxies(["unix"], "x-forwarded-for")
  await openLibrary(context, { socket: { path, mode: 0o600 }, proxies })
  assert.match(await ask(path, "/books/1"), /book_1/)
})
