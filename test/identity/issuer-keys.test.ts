// Keys that an issuer publishes: fetched once, again when a token names another, and kept when it does not answer.
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type TestContext, test } from "node:test"
import type { Hooks } from "../support/database.ts"
import {
  claims,
  compact,
  customersOf,
  inSeconds,
  jwtOf,
  openShop,
  type SigningKey,
  signingKey,
} from "./shop.ts"

const minute = 60_000
const one = signingKey("ES256", "one")
const two = signingKey("ES256", "two")
const three = signingKey("ES256", "three")

interface Issuer {
  readonly url: string
  /** From now on it closes a connection when a second request comes on it, as one whose patience has just ended. */
  keepNoConnection(): void
  /** What it answers: keys, or a status, or a text. */
  publish(what: readonly SigningKey[] | number | string): void
  readonly asked: () => number
  stop(): Promise<void>
}

async function openIssuer(hooks: Hooks): Promise<Issuer> {
  let answer: { readonly status: number; readonly body: string } = { status: 500, body: "" }
  let asked = 0
  let keepsConnections = true
  const used = new WeakSet<object>()
  const server = createServer((request, response) => {
    if (used.has(request.socket) && !keepsConnections) return void request.socket.destroy()
    used.add(request.socket)
    asked += 1
    response.writeHead(answer.status, answer.status === 302 ? { location: "/other" } : {}).end(answer.body)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, "close")
  }
  hooks.after(stop)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    publish(what) {
      if (typeof what === "number") answer = { status: what, body: "" }
      else if (typeof what === "string") answer = { status: 200, body: what }
      else answer = { status: 200, body: JSON.stringify({ keys: what.map(({ jwk }) => jwk) }) }
    },
    keepNoConnection() {
      keepsConnections = false
    },
    asked: () => asked,
    stop,
  }
}

async function open(t: TestContext) {
  const issuer = await openIssuer(t as Hooks)
  let now = Date.now()
  const shop = await openShop(t as Hooks, {
    identity: { jwt: jwtOf(issuer.url, ["ES256"]) },
    now: () => now,
    lifetimes: { tokens: 0 },
    // However busy the machine is.
    issuerDeadline: minute,
  })
  const ask = ({ sign, jwk }: SigningKey) =>
    customersOf(
      shop,
      compact({ alg: "ES256", kid: jwk["kid"] }, claims({ exp: inSeconds(now) + 60, customer: 1 }), sign),
    )
  const later = (milliseconds: number): void => {
    now += milliseconds
  }
  return { issuer, shop, ask, later }
}

test("keys are fetched once, also for tokens that come together", async (t) => {
  const { issuer, ask } = await open(t)
  issuer.publish([one])
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(one)))
  assert.deepEqual(new Set(answers.flat()), new Set(["Ada"]))
  assert.equal(issuer.asked(), 1)
})

test("a new key is found at once, and an old one is gone with its set", async (t) => {
  const { issuer, ask, later } = await open(t)
  issuer.publish([one])
  assert.deepEqual(await ask(one), ["Ada"])
  later(minute)
  issuer.publish([two])
  assert.deepEqual(await Promise.all([ask(two), ask(two)]), [["Ada"], ["Ada"]])
  assert.equal(issuer.asked(), 2)
  assert.equal(await ask(one), 401)
})

test("tokens that name keys that do not exist have the issuer asked twice a minute at most", async (t) => {
  const { issuer, ask, later } = await open(t)
  issuer.publish([one])
  assert.deepEqual(await ask(one), ["Ada"])
  for (let tries = 0; tries < 20; tries++) assert.equal(await ask(three), 401)
  assert.equal(issuer.asked(), 1)
  later(30_000)
  for (let tries = 0; tries < 20; tries++) assert.equal(await ask(three), 401)
  assert.equal(issuer.asked(), 2)
})

test("known keys are good for a day while the issuer does not answer, and no longer", async (t) => {
  const { issuer, shop, ask, later } = await open(t)
  issuer.publish([one])
  assert.deepEqual(await ask(one), ["Ada"])
  await issuer.stop()
  later(23 * 60 * minute)
  assert.deepEqual(await ask(one), ["Ada"])
  assert.equal(await ask(two), 401)
  later(60 * minute)
  assert.equal(await ask(one), 503)
  const failed = shop.observed.filter(({ kind }) => kind === "failed")
  assert.deepEqual(failed, [])
})

test("keys are fetched anew from time to time, beside what is asked", async (t) => {
  const { issuer, ask, later } = await open(t)
  issuer.publish([one])
  assert.deepEqual(await ask(one), ["Ada"])
  issuer.publish([two])
  later(10 * minute)
  assert.deepEqual(await ask(one), ["Ada"], "nobody waits for them")
  for (let tries = 0; (await ask(one)) !== 401; tries++) assert.ok(tries < 200, "the new set comes")
  assert.deepEqual(await ask(two), ["Ada"])
})

for (const [what, answer] of [
  ["a fault", 500],
  ["a redirection", 302],
  ["no JSON", "keys"],
  ["no set", '{"keys":{}}'],
  ["what is no key", '{"keys":[1]}'],
  ["more than is read", `{"keys":[],"x":"${"x".repeat(300_000)}"}`],
] as const)
  test(`an issuer that answers ${what} is as one that does not answer`, async (t) => {
    const { issuer, ask, later } = await open(t)
    issuer.publish(answer)
    assert.equal(await ask(one), 503)
    assert.equal(await ask(one), 503)
    assert.equal(issuer.asked(), 1, "not with every token")
    issuer.publish([one])
    later(2_000)
    assert.deepEqual(await ask(one), ["Ada"])
  })

test("keys are found although the issuer closes the connection of the fetch before", async (t) => {
  const { issuer, ask, later } = await open(t)
  issuer.keepNoConnection()
  issuer.publish("no keys yet")
  assert.equal(await ask(one), 503)
  issuer.publish([one])
  later(2_000)
  assert.deepEqual(await ask(one), ["Ada"])
})

test("a secret that an issuer publishes is no key", async (t) => {
  const { issuer, ask } = await open(t)
  const secret = { ...one, jwk: { kty: "oct", k: "AAAA", kid: "one" } }
  issuer.publish([secret, two])
  assert.equal(await ask(one), 401)
  assert.deepEqual(await ask(two), ["Ada"])
})
