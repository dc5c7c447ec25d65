// Probes: the process and its readiness, whatever the database, the caller or the load is, and what a balancer is told
// before the server closes.
import assert from "node:assert/strict"
import { once } from "node:events"
import type { Socket } from "node:net"
import { describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { Refusal, refusal } from "../../src/base/problem.ts"
import { anyone, dial, exchange, openLibrary } from "./open.ts"

const wrong = { authorization: "Bearer wrong", "api-version": "1999-01-01" }
const answerOf = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers })
  const body = JSON.parse(await answer.text())
  // Its own modules are loaded meanwhile: test/cli/replaced-package.test.ts.
  const { program } = body.checks ?? {}
  assert.ok(program === undefined || program === "ok" || program === "unchecked", program)
  if (program !== undefined) body.checks.program = "any"
  return { status: answer.status, headers: answer.headers, body }
}
const ready = {
  status: "ready",
  checks: { database: "ok", migrations: "ok", program: "any", shutdown: "ok" },
}
const draining = {
  status: "unready",
  checks: { database: "unchecked", migrations: "unchecked", program: "any", shutdown: "draining" },
}

describe("probes", () => {
  it("are at the root, say nothing of credentials and are kept by nobody", async (test) => {
    const { url } = await openLibrary(test, { base: "/api" })
    for (const headers of [{}, wrong]) {
      const live = await answerOf(`${url}/livez`, headers)
      assert.deepEqual([live.status, live.body], [200, { status: "ok" }])
      const well = await answerOf(`${url}/readyz`, headers)
      assert.deepEqual([well.status, well.body], [200, ready])
      for (const { headers: sent } of [live, well]) assert.equal(sent.get("cache-control"), "no-store")
    }
    for (const path of ["/livez", "/readyz"]) {
      assert.equal((await fetch(`${url}/api${path}`)).status, 404)
      assert.equal((await fetch(`${url}${path}`, { method: "POST" })).status, 405)
      const head = await fetch(`${url}${path}`, { method: "HEAD" })
      assert.deepEqual([head.status, await head.text()], [200, ""])
    }
  })

  it("ask nothing of the database for credentials", async (test) => {
    const asked: unknown[] = []
    const { url } = await openLibrary(test, {
      identify: ({ authorization }) => {
        if (authorization === undefined) return anyone
        asked.push(authorization)
        throw refusal("storage_unavailable", "The database is away.")
      },
    })
    for (const path of ["/livez", "/readyz"])
      assert.equal((await answerOf(`${url}${path}`, wrong)).status, 200)
    assert.deepEqual(asked, [])
    assert.equal((await answerOf(`${url}/authors`, wrong)).status, 503)
    assert.deepEqual(asked, [wrong.authorization])
  })

  it("are in the log once when readiness is lost, and once when it is there again", async (test) => {
    let away = true
    const driver = new Error("connect ECONNREFUSED 10.0.0.7:5432")
    const { url, observed } = await openLibrary(test, {
      health: async () => {
        if (away)
          throw new Refusal([{ code: "storage_unavailable", message: "It is away." }], { cause: driver })
        return { unavailable: 0 }
      },
    })
    for (let count = 0; count < 5; count += 1) assert.equal((await answerOf(`${url}/readyz`)).status, 503)
    away = false
    for (let count = 0; count < 5; count += 1) assert.equal((await answerOf(`${url}/readyz`)).status, 200)
    const [lost, regained, ...more] = observed
    assert.ok(lost?.kind === "unready" && lost.fault instanceof Refusal)
    assert.deepEqual([lost.check, lost.fault.cause], ["database", driver])
    assert.ok(regained?.kind === "ready" && regained.after > 0)
    assert.deepEqual(more, [])
  })

  it("tell a database that does not answer by words of ours", async (test) => {
    const { url } = await openLibrary(test, {
      health: () => Promise.reject(new Error("password of shop at 10.0.0.7")),
    })
    assert.equal((await answerOf(`${url}/livez`)).status, 200)
    const { status, headers, body } = await answerOf(`${url}/readyz`)
    assert.deepEqual([status, headers.get("retry-after")], [503, "5"])
    assert.deepEqual(body, {
      status: "unready",
      checks: { database: "unavailable", migrations: "unchecked", program: "any", shutdown: "ok" },
    })
  })

  for (const [what, managed, health, status, migrations] of [
    ["a table of ours that lacks something", true, async () => ({ unavailable: 1 }), 503, "mismatch"],
    ["a part of somebody else's database", false, async () => ({ unavailable: 1 }), 200, "partial"],
    [
      "all of somebody else's database",
      false,
      () => Promise.reject(refusal("resource_unavailable", "It lacks what each resource needs.")),
      503,
      "mismatch",
    ],
  ] as const)
    it(`tell ${what}`, async (test) => {
      const { url } = await openLibrary(test, { managed, health })
      const found = await answerOf(`${url}/readyz`)
      assert.equal(found.status, status)
      assert.deepEqual(found.body.checks, { database: "ok", migrations, program: "any", shutdown: "ok" })
    })

  it("ask the database once for all who ask at the same time", async (test) => {
    let asked = 0
    const { url } = await openLibrary(test, {
      health: async () => {
        asked += 1
        await sleep(300)
        return { unavailable: 0 }
      },
    })
    const paths = ["/readyz", "/health"]
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => answerOf(`${url}${paths[index % 2]}`)),
    )
    assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
    assert.ok(asked < 10, `${asked}`)
  })

  it("answer while 2,000 requests are under way", async (test) => {
    const held = Promise.withResolvers<void>()
    let waiting = 0
    const { url, port } = await openLibrary(test, {
      identify: ({ authorization }) => {
        if (authorization === undefined) return anyone
        waiting += 1
        return held.promise.then(() => anyone)
      },
    })
    const sockets: Socket[] = []
    // Each client may have half of the places, and each connection some requests under way.
    for (let connection = 0; connection < 250; connection += 1) {
      const socket = await dial(port)
      socket.resume()
      sockets.push(socket)
      const request = `GET /authors/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: client ${connection % 8}\r\n\r\n`
      socket.write(request.repeat(8))
    }
    for (let tries = 0; waiting < 2_000 && tries < 1_000; tries += 1) await sleep(10)
    const refused = await fetch(`${url}/authors/1`, { headers: { authorization: "one more" } })
    assert.equal(refused.status, 503, "the places are taken")
    for (const path of ["/livez", "/readyz", "/health"])
      assert.equal((await fetch(`${url}${path}`)).status, 200, path)
    // Work that a probe does not have to make waits its turn.
    for (const [path, init] of [
      ["/livez", { method: "POST", body: "x".repeat(1_000) }],
      ["/readyz", { method: "POST" }],
      ["/health", { headers: { authorization: "one more" } }],
    ] as const)
      assert.equal((await fetch(`${url}${path}`, init)).status, 503, path)
    for (const socket of sockets) socket.destroy()
    held.resolve()
  })
})

describe("a server that drains", () => {
  const request = "GET /authors/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
  const closes = /\r\nconnection: close\r\n/i

  it("is not ready, whatever the database says, and answers everything", async (test) => {
    let answers = true
    const { url, drain } = await openLibrary(test, {
      health: () => (answers ? Promise.resolve({ unavailable: 0 }) : new Promise(() => {})),
    })
    assert.equal((await answerOf(`${url}/readyz`)).status, 200)
    answers = false
    drain(60_000)
    const found = await answerOf(`${url}/readyz`)
    assert.deepEqual([found.status, found.body], [503, draining])
    assert.equal((await answerOf(`${url}/livez`)).status, 200)
    const fresh = await fetch(`${url}/authors/1`, { headers: { connection: "close" } })
    assert.equal(fresh.status, 200)
  })

  it("is not ready when the signal comes while the database is asked", async (test) => {
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<{ unavailable: number }>()
    const { url, drain } = await openLibrary(test, {
      health: () => {
        asked.resolve()
        return answer.promise
      },
    })
    const found = answerOf(`${url}/readyz`)
    await asked.promise
    drain(60_000)
    answer.resolve({ unavailable: 0 })
    const { status, body } = await found
    assert.deepEqual([status, body.checks.shutdown], [503, "draining"])
  })

  it("keeps connections at first, and sends clients away at the end, while it listens", async (test) => {
    const { port, drain } = await openLibrary(test)
    const socket = await dial(port)
    let answers = ""
    socket.setEncoding("latin1").on("data", (text: string) => {
      answers += text
    })
    drain(60_000)
    socket.write(request)
    for (let tries = 0; !answers.endsWith("}") && tries < 500; tries += 1) await sleep(10)
    assert.match(answers, /^HTTP\/1\.1 200 /)
    assert.doesNotMatch(answers, closes)
    drain(1)
    await sleep(10)
    socket.write(request)
    await once(socket, "close")
    assert.match(answers.slice(answers.lastIndexOf("HTTP/1.1")), closes)
    assert.match(await exchange(port, request), closes)
  })
})
