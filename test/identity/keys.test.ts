// API keys: who they stand for, how soon they end, and what is kept of them, on both databases.
import assert from "node:assert/strict"
import { createHash, randomBytes } from "node:crypto"
import { Agent, get } from "node:http"
import { after, describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { refusal } from "../../src/base/problem.ts"
import { canonicalDateTime } from "../../src/model/values/datetime.ts"
import { digestOf, isKeyText, makeKey } from "../../src/plan/values/typeid.ts"
import { cleanUp, type Hooks } from "../support/database.ts"
import { customersOf, openShop, type Shop } from "./shop.ts"

/** Keys that staff may manage. */
const identity = { keys: { manage: { role: "staff" } } } as const

/** A clock that is set by hand. */
const clock = (start = Date.now()) => {
  let at = start
  const set = (milliseconds: number): void => {
    at = milliseconds
  }
  return { now: () => at, set }
}

for (const database of ["sqlite", "postgres"] as const)
  describe(`keys on ${database}`, () => {
    const hooks = cleanUp(after)
    const open = (options: Partial<Parameters<typeof openShop>[1]> = {}): Promise<Shop> =>
      openShop(hooks, { identity, database, ...options })

    test("a key signs in as its owner, with its roles and its scopes", async () => {
      const shop = await open()
      const [own, staff, reports, plain] = await Promise.all([
        shop.makeKey({ ownerId: "cus_2" }),
        shop.makeKey({ roles: ["staff", "admin"] }),
        shop.makeKey({ scopes: ["reports"], ownerId: "cus_1" }),
        shop.makeKey(),
      ])
      assert.deepEqual(
        await Promise.all([own, staff, reports, plain].map(({ secret }) => customersOf(shop, secret))),
        [["Zoë"], ["Ada", "Zoë"], ["Ada"], 404],
      )
      const reading = async ({ secret }: { secret: string }) =>
        (await fetch(`${shop.url}/reports/1`, { headers: { authorization: `Bearer ${secret}` } })).status
      assert.deepEqual([await reading(reports), await reading(own)], [200, 404])
      assert.equal(await customersOf(shop), 401)
    })

    test("owners see and revoke their own keys, managers all, and nobody a digest", async () => {
      const shop = await open()
      const [ada, zoe, staff] = await Promise.all([
        shop.makeKey({ ownerId: "cus_1" }),
        shop.makeKey({ ownerId: "cus_2" }),
        shop.makeKey({ roles: ["staff"] }),
      ])
      const ask = (path: string, secret: string, method = "GET") =>
        fetch(`${shop.url}${path}`, { method, headers: { authorization: `Bearer ${secret}` } })
      const listed = async (secret: string) =>
        ((await (await ask("/api-keys", secret)).json()) as { data: { id: string }[] }).data
      assert.deepEqual(
        (await listed(ada.secret)).map(({ id }) => id),
        [ada.id],
      )
      assert.equal((await listed(staff.secret)).length, 3)
      const shown = JSON.stringify(await listed(staff.secret))
      assert.match(shown, /"hint":"shop_\w{6}"/)
      assert.ok(!shown.includes("digest") && !shown.includes(digestOf(ada.secret)))
      for (const probe of ["filter[digest]=x", "sort=digest", "fields=digest"])
        assert.equal((await ask(`/api-keys?${probe}`, staff.secret)).status, 400, probe)
      assert.equal((await ask(`/api-keys/${zoe.id}`, ada.secret)).status, 404)
    })

    test("nothing but the digest of a key is stored", async () => {
      const shop = await open()
      const { secret } = await shop.makeKey()
      const kept = createHash("sha256").update(secret).digest("base64url")
      const { DatabaseSync } = await import("node:sqlite")
      const { default: pg } = await import("pg")
      let rows: unknown
      if (database === "sqlite") {
        const file = new DatabaseSync(shop.database)
        rows = file.prepare("SELECT * FROM api_key").all()
        file.close()
      } else {
        const client = new pg.Client({ connectionString: shop.database })
        await client.connect()
        rows = (await client.query("SELECT * FROM api_key")).rows
        await client.end()
      }
      const text = JSON.stringify(rows)
      assert.ok(text.includes(kept) && !text.includes(secret.slice(12)))
    })

    test("a revoked key ends as soon as what is known of it is old", async () => {
      const time = clock()
      const shop = await open({ now: time.now })
      const { id, secret } = await shop.makeKey({ ownerId: "cus_1" })
      const start = time.now()
      assert.deepEqual(await customersOf(shop, secret), ["Ada"])
      await shop.removeKey(id)
      time.set(start + 2_999)
      assert.deepEqual(await customersOf(shop, secret), ["Ada"])
      time.set(start + 3_000)
      assert.equal(await customersOf(shop, secret), 401)
    })

    test("what is known of a key does not last longer because the clock was set back", async () => {
      const time = clock()
      const shop = await open({ now: time.now })
      const { id, secret } = await shop.makeKey({ ownerId: "cus_1" })
      assert.deepEqual(await customersOf(shop, secret), ["Ada"])
      await shop.removeKey(id)
      time.set(time.now() - 3_600_000)
      assert.equal(await customersOf(shop, secret), 401)
    })

    test("a key ends when it expires, also while it is known", async () => {
      const time = clock()
      const shop = await open({ now: time.now })
      const end = time.now() + 1_000
      const { secret } = await shop.makeKey({ ownerId: "cus_1", expiresAt: canonicalDateTime(end) })
      assert.deepEqual(await customersOf(shop, secret), ["Ada"])
      time.set(end - 1)
      assert.deepEqual(await customersOf(shop, secret), ["Ada"])
      time.set(end)
      assert.equal(await customersOf(shop, secret), 401)
      time.set(end + 60_000)
      assert.equal(await customersOf(shop, secret), 401)
    })

    test("when it was used last is written down once a minute, and nobody waits for it", async () => {
      const time = clock(Date.UTC(2030, 0, 1))
      const shop = await open({ now: time.now, lifetimes: { keys: 0 } })
      const { secret, id } = await shop.makeKey({ roles: ["staff"] })
      const used = async (): Promise<unknown> => {
        const headers = { authorization: `Bearer ${secret}` }
        return (
          (await (await fetch(`${shop.url}/api-keys/${id}`, { headers })).json()) as { lastUsedAt: unknown }
        ).lastUsedAt
      }
      const until = async (moment: string): Promise<void> => {
        for (let tries = 0; (await used()) !== moment; tries++) {
          assert.ok(tries < 100, `lastUsedAt becomes ${moment}`)
          await sleep(10)
        }
      }
      await until("2030-01-01T00:00:00Z")
      time.set(Date.UTC(2030, 0, 1, 0, 0, 59))
      await used()
      await sleep(100)
      assert.equal(await used(), "2030-01-01T00:00:00Z")
      time.set(Date.UTC(2030, 0, 1, 0, 1))
      await until("2030-01-01T00:01:00Z")
    })

    test("one statement finds a key for all requests of its time, also for those that come together", async () => {
      const shop = await open({ writes: false })
      const { secret } = await shop.makeKey({ ownerId: "cus_1" })
      const before = shop.sent()
      // The document asks the database nothing, so what is sent is for the key.
      const url = `${shop.url}/graphql?query={__typename}`
      const ask = async () => (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status
      assert.deepEqual(new Set(await Promise.all(Array.from({ length: 20 }, ask))), new Set([200]))
      assert.equal(await ask(), 200)
      assert.equal(shop.sent() - before, 1)
    })

    test("a key that nobody has is looked for once, however often it is shown", async () => {
      const shop = await open()
      const { secret } = makeKey("shop", (bytes) => new Uint8Array(bytes).fill(7))
      const before = shop.sent()
      for (let tries = 0; tries < 5; tries++) assert.equal(await customersOf(shop, secret), 401)
      assert.equal(shop.sent() - before, 1)
    })
  })

test("a key that is revoked ends within five seconds on a connection that stays open", async (t) => {
  const shop = await openShop(t as Hooks, { identity })
  const { id, secret } = await shop.makeKey({ ownerId: "cus_1" })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const sockets = new Set<unknown>()
  const ask = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${secret}` }
      get(`${shop.url}/customers`, { agent, headers }, (answer) => {
        sockets.add(answer.socket)
        answer.resume().once("end", () => resolve(answer.statusCode))
      }).once("error", reject)
    })
  assert.equal(await ask(), 200)
  await shop.removeKey(id)
  const revoked = performance.now()
  while ((await ask()) === 200) {
    assert.ok(performance.now() - revoked < 5_000, "it still works after five seconds")
    await sleep(50)
  }
  assert.equal(await ask(), 401)
  assert.equal(sockets.size, 1)
})

test("a database that does not answer is 503, not a refusal of the key", async (t) => {
  const broken = refusal("storage_unavailable", "The database does not answer.")
  const shop = await openShop(t as Hooks, { identity, answer: () => Promise.reject(broken) })
  const { secret } = await shop.makeKey({ ownerId: "cus_1" })
  assert.equal(await customersOf(shop, secret), 503)
  assert.equal(await customersOf(shop, secret), 503)
})

test("a key is 43 letters and digits after the service's name, evenly from chance", () => {
  const counts = new Map<string, number>()
  for (let made = 0; made < 10_000; made++) {
    const { secret, hint, digest } = makeKey("my-shop_2", randomBytes)
    assert.match(secret, /^my-shop_2_[0-9A-Za-z]{43}$/)
    assert.ok(isKeyText("my-shop_2", secret) && !isKeyText("shop", secret))
    assert.deepEqual([hint, digest], [secret.slice(0, 16), digestOf(secret)])
    for (const character of secret.slice(10)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  assert.equal(counts.size, 62)
  const [least, greatest] = [Math.min(...counts.values()), Math.max(...counts.values())]
  assert.ok(greatest < least * 1.15, `${least} to ${greatest}`)
})
