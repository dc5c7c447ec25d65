// `bifold serve` where few files may be open, and where workers take no connections: it goes on, says why, and ends when it is told to.
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { backlog } from "../../src/server/listening.ts"
import { cleanUp, type Hooks, temporaryFolder } from "../support/database.ts"
import { childrenOf, until } from "./processes.ts"
import { main, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const database = new DatabaseSync(join(cwd, "shop.db"))
database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
database.exec("INSERT INTO book VALUES (1, 'One')")
database.close()
const shop = ["shop.db", "--open", "read"] as const
const skip = process.platform === "linux" ? false : "limits are those of Linux"

interface Opening {
  readonly files?: number
  readonly workers?: number
}

async function open(context: Hooks, { files, workers = 1 }: Opening): Promise<Serving> {
  const server = await serving([...shop, "--workers", String(workers)], {
    cwd,
    ...(files !== undefined && { files }),
  })
  context.after(async () => void (await server.end("SIGKILL")))
  return server
}

/** The status of the answer on a connection of its own, which stays open; or how it ended without one. */
function asked(server: Serving, sockets: Socket[] = []): Promise<string> {
  const { hostname, port, host } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  return new Promise((resolve) => {
    socket.setTimeout(20_000, () => resolve("silence"))
    socket.once("connect", () => socket.write(`GET /books/1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`))
    socket.once("data", (data) => resolve(data.toString().slice(9, 12)))
    socket.on("error", () => resolve("reset"))
    socket.once("close", () => resolve("reset"))
  })
}

/** `3 of 200, 1 of 503` */
const countsOf = (answers: readonly string[]): string =>
  [...Map.groupBy(answers, (answer) => answer)]
    .map(([answer, all]) => `${all.length} of ${answer}`)
    .join(", ")

async function ends(server: Serving, within: number): Promise<string> {
  const since = performance.now()
  const { code, stderr } = await server.end()
  assert.equal(code, 0, stderr)
  assert.ok(performance.now() - since < within, `ended after ${performance.now() - since} ms`)
  return stderr
}

describe("a process that may have few files open", { skip }, () => {
  for (const [files, workers] of [
    [64, 1],
    [40, 2],
  ] as const)
    it(`says why it refuses connections, and goes on (${files} files, ${workers})`, async (context) => {
      const server = await open(context, { files, workers })
      for (let round = 0; round < 3; round++) {
        const sockets: Socket[] = []
        const answers = await Promise.all(Array.from({ length: 90 }, () => asked(server, sockets)))
        assert.ok(answers.includes("200"), answers.join())
        assert.ok(answers.includes("503"), answers.join())
        assert.deepEqual(
          [...new Set(answers)].filter((answer) => !["200", "503", "reset"].includes(answer)),
          [],
        )
        for (const socket of sockets) socket.destroy()
        await until(async () => (await asked(server)) === "200", "it answers again")
      }
      const said = await ends(server, 8_000)
      assert.match(
        said,
        new RegExp(`A process may have ${files} files open, which leaves room for \\d+ connections`),
      )
      assert.match(
        said,
        new RegExp(
          `A connection was refused. The process may have ${files} files open, and no more of them are left for connections. Raise the limit: LimitNOFILE`,
        ),
      )
      assert.match(said, /\d+ more connections were refused/)
      // Of each process the first, and how many more there were.
      assert.ok(said.split("refused").length <= 2 * (workers + 1) + 1, said)
    })

  it("says nothing where there are enough", async (context) => {
    const server = await open(context, { files: 4_096 })
    assert.equal(await asked(server), "200")
    assert.doesNotMatch(await ends(server, 8_000), /files/)
  })

  it("outlives a worker that cannot take connections for want of descriptors", async (context) => {
    const server = await open(context, { workers: 2 })
    for (let count = 0; count < 4; count++) assert.equal(await asked(server), "200")
    const workers = childrenOf(server.pid)
    const allow = (files: number): void => {
      for (const worker of workers) {
        const { status, stderr } = spawnSync("prlimit", ["--pid", `${worker}`, `--nofile=${files}:`])
        assert.equal(status, 0, String(stderr))
      }
    }
    let ended = false
    const asking = Array.from({ length: 8 }, async () => {
      while (!ended) await asked(server)
    })
    for (let round = 0; round < 8; round++) {
      allow(20)
      await sleep(50)
      // Some are on their way when there is room again.
      allow(1_024)
      await sleep(50)
    }
    ended = true
    await Promise.all(asking)
    assert.equal(await asked(server), "200")
    assert.deepEqual(childrenOf(server.pid), workers)
    await ends(server, 8_000)
  })
})

describe("workers that take no connections", { skip }, () => {
  it("gives the connections of one that hangs to others", async (context) => {
    const server = await open(context, { workers: 2 })
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    const [first = 0] = childrenOf(server.pid)
    process.kill(first, "SIGSTOP")
    const answers = Array.from({ length: 40 }, () => asked(server))
    await sleep(6_000)
    const answered = await Promise.all(answers.map((answer) => Promise.race([answer, "waiting"])))
    // Of the one that hangs: a connection that it had already, and the next.
    assert.equal(answered.filter((answer) => answer === "200").length, 38, answered.join())
    for (let count = 0; count < 6; count++) assert.equal(await asked(server), "200")
    process.kill(first, "SIGCONT")
    assert.equal((await Promise.all(answers)).filter((answer) => answer === "200").length, 39)
    const said = await ends(server, 8_000)
    assert.match(said, new RegExp(`Worker ${first} has taken no connection for 5 s; others get them.`))
    assert.match(said, new RegExp(`Worker ${first} takes connections again.`))
  })

  it("gives those of one that is killed while it hangs to others", async (context) => {
    const server = await open(context, { workers: 2 })
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    const [first = 0] = childrenOf(server.pid)
    process.kill(first, "SIGSTOP")
    const answers = Array.from({ length: 20 }, () => asked(server))
    await sleep(500)
    process.kill(first, "SIGKILL")
    const statuses = await Promise.all(answers)
    // One was in its hands.
    assert.ok(statuses.filter((answer) => answer === "200").length >= 19, statuses.join())
    for (let count = 0; count < 6; count++) assert.equal(await asked(server), "200")
    await ends(server, 8_000)
  })

  it("refuses those that wait for too long, and too many of them", { timeout: 60_000 }, async (context) => {
    const server = await open(context, { workers: 2 })
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    for (const worker of childrenOf(server.pid)) process.kill(worker, "SIGSTOP")
    const sockets: Socket[] = []
    let refused = 0
    for (let count = 0; count < backlog + 10; count++)
      void asked(server, sockets).then((answer) => {
        if (answer === "503") refused += 1
      })
    // Each worker has two that it does not take.
    await until(() => refused >= 6, "those beyond are refused")
    assert.equal(refused, 6)
    while (refused < backlog + 6) await sleep(50)
    for (const worker of childrenOf(server.pid)) process.kill(worker, "SIGCONT")
    for (const socket of sockets) socket.destroy()
    assert.equal(await asked(server), "200")
    assert.match(
      await ends(server, 8_000),
      /A connection was refused. No worker is there to take connections./,
    )
  })

  it("answers all of 1,500 that come at once", {
    timeout: 60_000,
  }, async (context) => {
    const server = await open(context, { workers: 2 })
    await until(() => childrenOf(server.pid).length === 2, "two workers")
    const sockets: Socket[] = []
    // The system alone keeps them, and a client whose connection it does not keep is not connected.
    process.kill(server.pid ?? 0, "SIGSTOP")
    const answers = Array.from({ length: 1_500 }, () => asked(server, sockets))
    await Promise.all(sockets.map((socket) => once(socket, "connect")))
    process.kill(server.pid ?? 0, "SIGCONT")
    assert.equal(countsOf(await Promise.all(answers)), "1500 of 200")
    for (const socket of sockets) socket.destroy()
    await ends(server, 8_000)
  })

  it("ends when it is told to before all of them serve", async (context) => {
    const child = spawn(process.execPath, [main, "serve", ...shop, "--port", "0", "--workers", "2"], {
      cwd,
      stdio: "ignore",
    })
    context.after(() => void child.kill("SIGKILL"))
    let second: number | undefined
    await until(() => {
      ;[, second] = childrenOf(child.pid)
      return second !== undefined
    }, "a second worker")
    process.kill(second ?? 0, "SIGSTOP")
    await sleep(500)
    child.kill("SIGTERM")
    await Promise.race([once(child, "exit"), sleep(18_000)])
    assert.equal(child.exitCode, 0)
  })
})
