// Admission under overload, by a clock of the test: which requests are refused, and when all are taken again.
import assert from "node:assert/strict"
import type { Socket } from "node:net"
import { it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { refuseCredentials } from "../../src/identity/credential-error.ts"
import { Admission } from "../../src/server/admission.ts"
import { anyone, dial, exchange, openLibrary, received } from "./open.ts"

/** A server that serves one request after the other, each in its time. */
function simulate(most = 2_000) {
  let time = 0
  const admission = new Admission({ most, patience: 2_000, now: () => time })
  const waiting: { readonly leave: () => void; readonly since: number }[] = []
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
    /**
     * @param arrivals each millisecond
     * @param each milliseconds that a request takes
     */
    run(milliseconds: number, arrivals: number, each: number, arrival = { client: "a", isSignedIn: true }) {
      for (let step = 0; step < milliseconds; step++) {
        debt += arrivals
        for (; debt >= 1; debt--) {
          arrived += 1
          const client = `${arrival.client}${arrived % 50}`
          const leave = admission.enter({ ...arrival, client })
          if (leave) waiting.push({ leave, since: time })
          else refused += 1
        }
        time += 1
        for (let served = 0; served < Math.round(1 / each); served++) {
          const next = waiting.shift()
          if (!next) break
          taken.push(time - next.since)
          next.leave()
        }
      }
    },
  }
}

it("never refuses 32 requests of one client for their time alone", () => {
  let time = 0
  const admission = new Admission({ most: 2_000, patience: 2_000, now: () => time })
  const one = { client: "a", isSignedIn: false }
  // Each takes a second, as on a database that is busy with something else, after a first one that was fast.
  admission.enter(one)?.()
  let lowest = admission.bound
  for (let second = 0; second < 60; second++) {
    const leaves = Array.from({ length: 32 }, () => admission.enter(one))
    time += 1_000
    for (const leave of leaves) {
      assert.ok(leave, `refused in second ${second}, with a bound of ${admission.bound}`)
      leave()
    }
    lowest = Math.min(lowest, admission.bound)
  }
  assert.equal(lowest, 64)
})

it("takes everything while it can", () => {
  const server = simulate()
  server.run(5_000, 0.7, 1)
  assert.equal(server.counts().refused, 0)
  assert.equal(server.admission.bound, 2_000)
})

it("keeps waits short and goes on answering at ten times of what it can, and forgets it soon", () => {
  const server = simulate()
  server.run(2_000, 0.7, 1)
  server.run(10_000, 10, 1)
  server.forget()
  // Longer than times are remembered for.
  server.run(200_000, 10, 1)
  const { answered, refused } = server.counts()
  assert.ok(answered > 180_000, `${answered} of 200,000 are answered`)
  assert.ok(refused > 1_600_000, String(refused))
  assert.ok(server.slowest() < 400, `${server.slowest()} ms`)
  server.run(5_000, 0.7, 1)
  server.forget()
  server.run(1_000, 0.7, 1)
  assert.equal(server.counts().refused, 0)
})

it("takes a far database for what it is: slow answers alone are no overload", () => {
  let time = 0
  const far = new Admission({ most: 100, patience: 2_000, now: () => time })
  const open: { readonly leave: (() => void) | undefined; readonly ends: number }[] = []
  for (; time < 20_000; time += 10) {
    open.push({ leave: far.enter({ client: `c${time % 7}`, isSignedIn: true }), ends: time + 200 })
    while (open[0] && open[0].ends <= time) open.shift()?.leave?.()
  }
  assert.equal(far.bound, 100)
})

it("keeps the last places for callers that were signed in", () => {
  const admission = new Admission({ most: 100, patience: 2_000, now: () => 0 })
  const enter = (client: string, isSignedIn: boolean) => admission.enter({ client, isSignedIn })
  for (let index = 0; index < 80; index++) assert.ok(enter(`anonymous ${index % 10}`, false))
  assert.equal(enter("another", false), undefined)
  const leave = enter("signed in", true)
  assert.ok(leave)
  leave()
  leave()
  for (let index = 0; index < 20; index++) assert.ok(enter(`actor ${index}`, true))
  assert.equal(enter("one too many", true), undefined)
})

it("gives one client half of the places", () => {
  const admission = new Admission({ most: 100, patience: 2_000, now: () => 0 })
  const greedy = { client: "greedy", isSignedIn: true }
  const leaves = Array.from({ length: 60 }, () => admission.enter(greedy))
  assert.equal(leaves.filter((leave) => leave !== undefined).length, 50)
  assert.ok(admission.enter({ client: "modest", isSignedIn: false }))
  leaves[0]?.()
  assert.ok(admission.enter(greedy))
  assert.equal(admission.enter(greedy), undefined)
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
