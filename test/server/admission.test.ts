// Admission under overload, by a clock of the test: which requests are refused, and when all are taken again.
import assert from "node:assert/strict"
import type { Socket } from "node:net"
import { it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { refuseCredentials } from "../../src/access/identity/credential-error.ts"
import { FairQueue } from "../../src/base/fair-queue.ts"
import { Admission } from "../../src/server/admission.ts"
import { anyone, dial, exchange, openLibrary, received } from "./open.ts"

/** A server that serves one request after the other, each in its time; what waits does so in turns of its clients. */
function simulate({ most = 2_000, patience = 200, clients = 2_000 } = {}) {
  let time = 0
  const queue = new FairQueue<{ readonly leave: () => void; readonly since: number }>(() => time)
  const waitOf = (client: string) => queue.waitOf(client)
  const admission = new Admission({ most, patience, waitOf, now: () => time })
  const taken: number[] = []
  let refused = 0
  let debt = 0
  let arrived = 0
  return {
    admission,
    counts: () => ({ answered: taken.length, refused }),
    forget() {
      taken.length = 0
      refused = 0
    },
    slowest: () => taken.reduce((most, one) => Math.max(most, one), 0),
    /** @param arrivals each millisecond, of which one is served */
    run(milliseconds: number, arrivals: number) {
      for (let step = 0; step < milliseconds; step++) {
        debt += arrivals
        for (; debt >= 1; debt--) {
          arrived += 1
          const client = `${arrived % clients}`
          const leave = admission.enter({ client, isSignedIn: true })
          if (leave) queue.push(client, { leave, since: time })
          else refused += 1
        }
        time += 1
        const next = queue.shift()
        if (!next) continue
        taken.push(time - next.since)
        next.leave()
      }
    },
  }
}

it("takes everything while it can", () => {
  const server = simulate()
  server.run(5_000, 0.7)
  assert.equal(server.counts().refused, 0)
})

it("keeps waits within its patience and goes on answering at ten times of what it can, and forgets it soon", () => {
  const server = simulate()
  server.run(2_000, 0.7)
  server.run(10_000, 10)
  server.forget()
  server.run(100_000, 10)
  const { answered, refused } = server.counts()
  assert.ok(answered > 90_000, `${answered} of 100,000 are answered`)
  assert.ok(refused > 800_000, String(refused))
  assert.ok(server.slowest() < 400, `${server.slowest()} ms`)
  server.run(1_000, 0.7)
  server.forget()
  server.run(1_000, 0.7)
  assert.equal(server.counts().refused, 0)
  server.run(10_000, 10)
  // What waits is served, and then there is a second of rest.
  server.run(1_300, 0)
  server.forget()
  // As many at once as may be under way.
  server.run(1, 1_000)
  assert.equal(server.counts().refused, 0, "after a rest all is taken again")
})

it("refuses sooner with less patience, and nothing with more than there are places", () => {
  const refusedWith = (patience: number): number => {
    const server = simulate({ patience, most: 1_000, clients: 500 })
    server.run(20_000, 1.02)
    return server.counts().refused
  }
  const [least, more, all] = [refusedWith(50), refusedWith(200), refusedWith(10_000)]
  assert.ok(least > more && more > 0, `${least}, ${more}`)
  assert.equal(all, 0)
})

it("takes as many requests of one client as there are places, but for the last that are kept for others", () => {
  const server = simulate({ clients: 1 })
  server.run(1_800, 2)
  assert.equal(server.counts().refused, 0, "it waits behind itself alone")
  const greedy = { client: "greedy", isSignedIn: true }
  const admission = new Admission({ most: 20_000, patience: 1, now: () => 0 })
  const leaves = Array.from({ length: 20_001 }, () => admission.enter(greedy))
  assert.equal(leaves.filter((leave) => leave !== undefined).length, 19_900)
  for (let at = 0; at < 100; at += 1) assert.ok(admission.enter({ client: `modest ${at}`, isSignedIn: true }))
  assert.equal(admission.enter({ client: "one too many", isSignedIn: true }), undefined)
  leaves[0]?.()
  assert.equal(admission.enter(greedy), undefined)
  assert.ok(admission.enter({ client: "modest", isSignedIn: true }))
})

it("takes a far or slow database for what it is: the time of answers is no overload", () => {
  let time = 0
  const far = new Admission({ most: 1_000, patience: 100, now: () => time })
  const one = { client: "a", isSignedIn: true }
  far.enter(one)?.()
  for (let second = 0; second < 60; second++) {
    const leaves = Array.from({ length: 900 }, () => far.enter(one))
    time += 1_000
    for (const leave of leaves) {
      assert.ok(leave, `refused in second ${second}`)
      leave()
    }
  }
})

it("keeps the last places for callers that were signed in", () => {
  const admission = new Admission({ most: 100, patience: 100, now: () => 0 })
  const enter = (client: string, isSignedIn: boolean) => admission.enter({ client, isSignedIn })
  for (let index = 0; index < 90; index++) assert.ok(enter(`anonymous ${index % 10}`, false))
  assert.equal(enter("another", false), undefined)
  const leave = enter("signed in", true)
  assert.ok(leave)
  leave()
  leave()
  for (let index = 0; index < 10; index++) assert.ok(enter(`actor ${index}`, true))
  assert.equal(enter("one too many", true), undefined)
})

it("takes few requests while the process has hardly any memory left", () => {
  let time = 0
  let isShort = true
  const admission = new Admission({ most: 2_000, patience: 100, lacksMemory: () => isShort, now: () => time })
  const enter = () => admission.enter({ client: "a", isSignedIn: true })
  for (let index = 0; index < 64; index++) assert.ok(enter())
  assert.equal(enter(), undefined)
  isShort = false
  assert.equal(enter(), undefined, "it looks now and then")
  time += 100
  assert.ok(enter())
})

/** A server with four places, whose callers with credentials wait to be known once `hold` was called, until each `held` is. */
async function openHeld(test: Parameters<typeof openLibrary>[0]) {
  const held: (() => void)[] = []
  let holds = false
  const server = await openLibrary(test, {
    mostRequests: 4,
    identify: async ({ authorization }) => {
      if (holds && authorization !== undefined) await new Promise<void>((resolve) => held.push(resolve))
      if (authorization?.startsWith("forged")) throw refuseCredentials("there is no such key")
      return authorization === undefined ? anyone : { ...anyone, name: authorization }
    },
  })
  const hold = (): void => {
    holds = true
  }
  return { server, held, hold }
}

it("gives credentials that were never accepted no place of signed-in callers", async (test) => {
  const { server, held, hold } = await openHeld(test)
  const ask = (authorization: string) => fetch(`${server.url}/authors/1`, { headers: { authorization } })
  // Both have been seen before; one of them was accepted.
  for (const name of ["good", "forged 0"]) await (await ask(name)).text()
  hold()
  const waiting = ["forged 0", "forged 1"].map(ask)
  for (let tries = 0; held.length < 2 && tries < 2_000; tries++) await sleep(5)
  const forged = await ask("forged 2")
  assert.equal(forged.status, 503, "one client, by whatever it forges, has half of the places")
  const good = ask("good")
  for (let tries = 0; held.length < 3 && tries < 2_000; tries++) await sleep(5)
  for (const go of held) go()
  assert.deepEqual(
    (await Promise.all([...waiting, good])).map(({ status }) => status),
    [401, 401, 200],
  )
})

it("refuses at once by both faces what is beyond its places, and never its health check", async (test) => {
  const { server, held, hold } = await openHeld(test)
  for (const name of ["a", "b", "c", "d"])
    await (await fetch(`${server.url}/authors/1`, { headers: { authorization: name } })).text()
  hold()
  const waiting = ["a", "b", "c", "d"].map((name) =>
    fetch(`${server.url}/authors/1`, { headers: { authorization: name } }),
  )
  for (let tries = 0; held.length < 4 && tries < 2_000; tries++) await sleep(5)
  const rest = await fetch(`${server.url}/authors/1`)
  assert.deepEqual([rest.status, rest.headers.get("retry-after")], [503, "1"])
  const problem = (await rest.json()) as { code: string; requestId: string }
  assert.deepEqual([problem.code, problem.requestId], ["overloaded", rest.headers.get("x-request-id")])
  const body = JSON.stringify({ query: "{ __typename }" })
  const headers = { "content-type": "application/json" }
  const graphql = await fetch(`${server.url}/graphql`, { method: "POST", body, headers })
  assert.equal(graphql.status, 503)
  const { data, errors } = (await graphql.json()) as {
    data: null
    errors: { extensions: { code: string } }[]
  }
  assert.deepEqual([data, errors[0]?.extensions.code], [null, "overloaded"])
  assert.equal((await fetch(`${server.url}/health`)).status, 200)
  for (const go of held) go()
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal((await fetch(`${server.url}/authors/1`)).status, 200)
})

it("refuses connections of one address beyond its share, and takes them when others have ended", async (test) => {
  const { port } = await openLibrary(test, { mostConnections: 3 })
  const request = "GET /authors/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
  const idle = await Promise.all([dial(port), dial(port), dial(port)])
  const refused = await received(await dial(port))
  assert.match(refused, /^HTTP\/1\.1 503 Service Unavailable\r\n[\s\S]*"code":"overloaded"/)
  idle[0]?.write(request)
  assert.match(await received(idle[0] as Socket), /^HTTP\/1\.1 200 OK/)
  // The server lets a connection go once its client has closed it.
  let next = ""
  for (let tries = 0; !next.startsWith("HTTP/1.1 200") && tries < 100; tries++) {
    next = await exchange(port, request)
    await sleep(50)
  }
  assert.match(next, /^HTTP\/1\.1 200 OK/)
  for (const socket of idle) socket.destroy()
})
