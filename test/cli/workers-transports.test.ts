// `bifold serve --workers` by TLS, HTTP/2 without TLS and a unix socket, and signals that come before all workers are there.
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs"
import { copyFile, readFile } from "node:fs/promises"
import { type ClientHttp2Session, connect as connect2 } from "node:http2"
import { connect } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { connect as connectTls } from "node:tls"
import { makeCertificate } from "../support/certificates.ts"
import { cleanUp, type Hooks, temporaryFolder } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"
import { main, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const database = new DatabaseSync(join(cwd, "shop.db"))
database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO book VALUES (1, 'One')")
database.close()
const shop = ["shop.db", "--open", "read", "--workers", "2"] as const
const skip = process.platform === "win32" ? "there are no signals" : false

async function open(context: Hooks, ...given: readonly string[]): Promise<Serving> {
  const server = await serving([...shop, ...given], { cwd })
  context.after(async () => void (await server.end("SIGKILL")))
  return server
}

async function statusOf(session: ClientHttp2Session, path: string): Promise<unknown> {
  const [headers] = await once(session.request({ ":path": path }).resume(), "response")
  return headers[":status"]
}

async function opened(context: Hooks, url: string, options: object = {}): Promise<ClientHttp2Session> {
  const session = connect2(url, options)
  session.on("error", () => {})
  context.after(() => session.destroy())
  await once(session, "connect")
  return session
}

describe("bifold serve --workers", { skip }, () => {
  it("answers by TLS in both protocols, and each worker gets a renewed certificate by SIGHUP", async (context) => {
    const folder = await temporaryFolder(context)
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
    const renew = async (name: string): Promise<string> => {
      const made = await makeCertificate(folder, name)
      await Promise.all([copyFile(made.cert, cert), copyFile(made.key, key)])
      return readFile(made.cert, "utf8")
    }
    const ca = await renew("first")
    const server = await open(context, "--tls-cert", cert, "--tls-key", key)
    const url = server.url.replace("127.0.0.1", "localhost")
    const port = Number(new URL(url).port)
    const organisation = async (): Promise<unknown> => {
      const socket = connectTls({ port, host: "localhost", rejectUnauthorized: false })
      await once(socket, "secureConnect")
      const { subject } = socket.getPeerCertificate()
      socket.destroy()
      return subject["O"]
    }
    const sessions = await Promise.all([1, 2, 3, 4].map(() => opened(context, url, { ca })))
    for (const session of sessions) assert.equal(await statusOf(session, "/books/1"), 200)
    const socket = connectTls({ port, host: "localhost", ca })
    socket.write("GET /books/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert.match(await text(socket), /^HTTP\/1\.1 200 /)
    await renew("second")
    process.kill(server.pid ?? 0, "SIGHUP")
    const all = async (): Promise<readonly unknown[]> => Promise.all([1, 2, 3, 4].map(() => organisation()))
    const until = performance.now() + 60_000
    while ((await all()).some((name) => name !== "second")) {
      assert.ok(performance.now() < until, "a worker has the first certificate still")
      await sleep(20)
    }
    const gone = sessions.map((session) => once(session, "close"))
    const { code, stderr } = await server.end()
    await Promise.all(gone)
    assert.equal(code, 0, stderr)
    assert.ok((stderr.match(/The certificate was renewed/g)?.length ?? 0) >= 2, stderr)
    assert.doesNotMatch(stderr, /being replaced/)
  })

  it("answers by HTTP/2 without TLS beside HTTP/1.1", async (context) => {
    const server = await open(context, "--h2c")
    const sessions = await Promise.all([1, 2, 3, 4].map(() => opened(context, server.url)))
    for (const session of sessions) assert.equal(await statusOf(session, "/books/1"), 200)
    const answer = await fetch(`${server.url}/books/1`, { headers: { connection: "close" } })
    assert.equal(answer.status, 200)
    await answer.text()
    const gone = sessions.map((session) => once(session, "close"))
    assert.equal((await server.end()).code, 0)
    await Promise.all(gone)
  })

  it("answers by a socket, which is removed at the end and replaced after a crash", async (context) => {
    const path = join(await temporaryFolder(context), "http.sock")
    const ask = (): Promise<string> => {
      const socket = connect({ path })
      socket.write("GET /books/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      return text(socket)
    }
    const crashed = await open(context, "--socket", path)
    for (let count = 0; count < 4; count += 1) assert.match(await ask(), /^HTTP\/1\.1 200 /)
    await crashed.end("SIGKILL")
    assert.ok(existsSync(path))
    const server = await open(context, "--socket", path)
    for (let count = 0; count < 4; count += 1) assert.match(await ask(), /^HTTP\/1\.1 200 /)
    assert.equal((await server.end()).code, 0)
    assert.ok(!existsSync(path))
  })

  it("drains for a signal that comes before all of them are there", async (context) => {
    const port = await freePort()
    const given = ["serve", "shop.db", "--open", "read", "--workers", "4", "--port", String(port)]
    const child = spawn(process.execPath, [main, ...given], { cwd, stdio: ["ignore", "ignore", "pipe"] })
    context.after(() => void child.kill("SIGKILL"))
    const said = text(child.stderr)
    const ask = (path: string): Promise<number> =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } }).then(
        ({ status }) => status,
        () => 0,
      )
    while ((await ask("/livez")) !== 200) assert.equal(child.exitCode, null)
    child.kill("SIGTERM")
    const [code, signal] = await once(child, "exit")
    assert.deepEqual([code, signal], [0, null], await said)
  })

  for (const count of [1, 2])
    it(`ends although nobody reads its log (${count})`, {
      skip: process.platform === "linux" ? false : "pipes are opened by /proc",
    }, async (context) => {
      const [port, pipe] = [await freePort(), join(await temporaryFolder(context), "log")]
      assert.equal(spawnSync("mkfifo", [pipe]).status, 0)
      const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
      const fill = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
      assert.throws(() => {
        for (;;) writeSync(fill, "x".repeat(4_096))
      }, /EAGAIN/)
      const stderr = openSync(pipe, "w")
      context.after(() => {
        for (const fd of [reader, fill, stderr]) closeSync(fd)
      })
      const given = ["serve", "shop.db", "--open", "read", "--workers", String(count), "--port", String(port)]
      const child = spawn(process.execPath, [main, ...given], { cwd, stdio: ["ignore", "ignore", stderr] })
      const exit = once(child, "exit")
      context.after(() => void child.kill("SIGKILL"))
      const live = async (): Promise<boolean> =>
        (await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined))?.ok === true
      while (!(await live())) assert.equal(child.exitCode, null)
      child.kill("SIGTERM")
      const ended = await Promise.race([exit, sleep(90_000, undefined, { ref: false })])
      assert.deepEqual(ended, [0, null])
    })

  it("goes on for SIGHUP, which has nothing to read again", async (context) => {
    const server = await open(context)
    process.kill(server.pid ?? 0, "SIGHUP")
    for (let count = 0; count < 4; count += 1) {
      const answer = await fetch(`${server.url}/books/1`, { headers: { connection: "close" } })
      assert.equal(answer.status, 200)
      await answer.text()
    }
    const { code, stderr } = await server.end()
    assert.equal(code, 0)
    assert.match(stderr, /SIGHUP changes nothing/)
    assert.doesNotMatch(stderr, /being replaced/)
  })
})
