// What an owner of an endpoint cannot learn of what it does not see: names of types, and the events between its own.
import assert from "node:assert/strict"
import { after, describe, type TestContext, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { getIntrospectionQuery } from "graphql"
import { anyone, f, one, only, resource, role, service, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { type FeedServer, openDatabase, openServer, until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { startReceiver, status } from "./receiver.ts"

const staff = role("staff")
const declare = ([first, second]: readonly [string, string]) =>
  service({
    name: "shop",
    roles: ["staff"],
    viewer: "person",
    webhooks: { manage: staff, networks: ["127.0.0.0/8"] },
    resources: {
      person: resource({ id: "per", fields: { name: f.text() }, allow: { read: anyone, create: staff } }),
      audit: resource({
        id: "aud",
        fields: { text: f.text() },
        states: {
          initial: "open",
          transitions: { accuse: { from: "open", to: "guilty", allow: staff } },
        },
        allow: { read: staff, create: staff },
      }),
      order: resource({
        id: "ord",
        fields: { number: f.text() },
        relations: { owner: one("person") },
        states: { initial: first, transitions: { check: { from: first, to: second, allow: staff } } },
        allow: {
          read: [staff, only(["number"], { owner: { id: { eq: viewer.id } } })],
          create: staff,
          update: staff,
        },
      }),
    },
  })

const model = load(withSystem(declare(["fresh", "suspicious"])))

/** Without what an owner does not see, and with other states of what it sees without them. */
function otherWorld(): Model {
  const declared = declare(["other", "another"])
  const { audit: _, ...resources } = declared.resources
  return load(withSystem({ ...declared, resources }))
}

for (const database of ["sqlite", "postgres"] as const)
  test(`an owner does not see which records lent roles showed, on ${database}`, async (t) => {
    const server = await openServer(t, await openDatabase(t, database, model), model)
    const { body: ada } = await server.send("POST", "/people", "role:staff", { name: "Ada" })
    const owner = `person:${ada.id}`
    const receiver = await startReceiver(t)
    const input = { url: receiver.url, ownerId: ada.id }
    const { body: endpoint } = await server.send("POST", "/webhook-endpoints", owner, input)
    const path = `/webhook-endpoints/${endpoint.id}`
    const lend = async (roles: readonly string[]) =>
      assert.equal((await server.send("PATCH", path, "role:staff", { roles })).status, 200)
    const listed = async (actor: string, query = "") => {
      const { status, body } = await server.send("GET", `/webhook-deliveries?sort=createdAt${query}`, actor)
      assert.equal(status, 200, JSON.stringify(body))
      return (body["data"] as readonly Readonly<Record<string, unknown>>[]).map(({ type, record }) => [
        type,
        record,
      ])
    }
    const { body: order } = await server.send("POST", "/orders", "role:staff", {
      number: "1",
      ownerId: ada.id,
    })
    await until(() => receiver.received.length === 1)
    await lend(["staff"])
    // Endpoints are read again twice a second.
    await sleep(1_200)
    const { body: audit } = await server.send("POST", "/audits", "role:staff", { text: "hidden" })
    await until(() => receiver.received.length === 2)
    await until(async () => (await listed("role:staff")).length === 2)
    const own = ["order.created", order.id]
    const hidden = ["audit.created", audit.id]
    const check = async () => {
      assert.deepEqual(await listed(owner), [own, [null, null]])
      assert.deepEqual(await listed("role:staff"), [own, hidden])
      for (const query of [`&filter[record]=${audit.id}`, "&filter[type]=audit.created"]) {
        assert.deepEqual(await listed(owner, query), [], query)
        assert.deepEqual(await listed("role:staff", query), [hidden], query)
      }
      const query = "{ webhookDeliveries(first: 10) { nodes { type record } } }"
      const { body } = await server.send("POST", "/graphql", owner, { query })
      assert.doesNotMatch(JSON.stringify(body), /audit|aud_/)
      assert.match(JSON.stringify(body), /"record":null/)
    }
    await check()
    // What was sent by them stays hidden when they are taken back.
    await lend([])
    await check()
  })

describe("owners of endpoints", () => {
  const hooks = cleanUp(after)
  const open = async (of: Model): Promise<{ readonly server: FeedServer; readonly ownerId: string }> => {
    const server = await openServer(hooks, await openDatabase(hooks, "sqlite", of), of)
    const { body } = await server.send("POST", "/people", "role:staff", { name: "Ada" })
    return { server, ownerId: body.id }
  }
  const opened = open(model)

  test("types of what is hidden are as unknown as those that there are not", async () => {
    const { server, ownerId } = await opened
    const problem = async (types: readonly string[]): Promise<string> => {
      const input = { url: "http://127.0.0.1:9/", ownerId, types }
      const { status, body } = await server.send("POST", "/webhook-endpoints", `person:${ownerId}`, input)
      assert.equal(status, 400, types.join())
      return JSON.stringify((body["errors"] as readonly object[])[0]).replaceAll(types.join(), "…")
    }
    const unknown = await problem(["zzzzzzzzzzzzzzzz"])
    for (const type of ["audit.guilty", "audit.*", "audit.created", "order.suspicious"])
      assert.doesNotMatch(await problem([type]), /audit|guilty|suspicious/, type)
    assert.equal(await problem(["audit.*"]), unknown)
    const seen = { url: "http://127.0.0.1:9/", types: ["audit.guilty", "audit.*", "order.suspicious"] }
    assert.equal((await server.send("POST", "/webhook-endpoints", "role:staff", seen)).status, 201)
  })

  test("documents are those of a service without it", async () => {
    const { server, ownerId } = await opened
    const other = await open(otherWorld())
    const query = getIntrospectionQuery()
    for (const path of ["/openapi.json", "/asyncapi.json", "/graphql"]) {
      const asked = path === "/graphql" ? (["POST", { query }] as const) : (["GET", undefined] as const)
      const [own, others] = await Promise.all([
        server.send(asked[0], path, `person:${ownerId}`, asked[1]),
        other.server.send(asked[0], path, `person:${other.ownerId}`, asked[1]),
      ])
      assert.ok(JSON.stringify(own.body).includes(path === "/graphql" ? "orderChanges" : "order.created"))
      assert.equal(
        JSON.stringify(own.body).replaceAll(server.url, ""),
        JSON.stringify(others.body).replaceAll(other.server.url, ""),
      )
    }
  })

  test("an event that is sent once more tells nothing of the one before it", async (t) => {
    const { server, ownerId } = await opened
    const receiver = await startReceiver(t)
    const owner = `person:${ownerId}`
    const { body } = await server.send("POST", "/webhook-endpoints", owner, { url: receiver.url, ownerId })
    await server.send("POST", "/audits", "role:staff", { text: "hidden" })
    await server.send("POST", "/orders", "role:staff", { number: "1", ownerId })
    await until(() => receiver.received.length === 1)
    const event = receiver.received[0]?.id
    const path = `/webhook-endpoints/${body.id}/transitions/redeliver`
    assert.equal((await server.send("POST", path, owner, { event })).status, 200)
    await until(() => receiver.received.length === 2)
    assert.equal(receiver.received[1]?.id, event)
    const { body: page } = await server.send("GET", "/events", owner)
    const events = page["data"] as readonly { readonly id: string; readonly changes: readonly object[] }[]
    const told = JSON.stringify(events.map(({ changes }) => changes)).match(/evt_[A-Za-z0-9_-]{22}/g) ?? []
    assert.ok(told.length > 0)
    assert.deepEqual(
      told.filter((id) => !events.some((one) => one.id === id)),
      [],
    )
  })

  test("one owner has as many active endpoints as it may, and others are not held up", async (t) => {
    const url = await openDatabase(hooks, "sqlite", model)
    const server = await openServer(hooks, url, model, { mostOfOwner: 2 })
    const receiver = await startReceiver(t)
    const ids: string[] = []
    for (const name of ["Ada", "Bob"])
      ids.push((await server.send("POST", "/people", "role:staff", { name })).body.id)
    const [many = "", few = ""] = ids
    for (const ownerId of [many, many, many, many, few])
      await server.send("POST", "/webhook-endpoints", `person:${ownerId}`, { url: receiver.url, ownerId })
    const states = async (owner: string): Promise<readonly string[]> => {
      const { body } = await server.send("GET", "/webhook-endpoints?sort=id", `person:${owner}`)
      const all = body["data"] as readonly { readonly state: string; readonly problem: string | null }[]
      return all.map(({ state, problem }) => `${state} ${problem}`)
    }
    const refused = "disabled Its owner has 2 active endpoints already."
    await until(async () => (await states(many)).at(-1) === refused)
    assert.deepEqual(await states(many), ["active null", "active null", refused, refused])
    assert.deepEqual(await states(few), ["active null"])
  })

  /** An endpoint of a new owner. */
  async function owned(t: TestContext, database: "sqlite" | "postgres") {
    const url = await openDatabase(t, database, model)
    const server = await openServer(t, url, model)
    const receiver = await startReceiver(t)
    const { body: ada } = await server.send("POST", "/people", "role:staff", { name: "Ada" })
    const owner = `person:${ada.id}`
    await server.send("POST", "/webhook-endpoints", owner, { url: receiver.url, ownerId: ada.id })
    const order = async (number: string): Promise<string> =>
      (await server.send("POST", "/orders", "role:staff", { number, ownerId: ada.id })).body.id
    const deliveries = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      const { body } = await server.send("GET", "/webhook-deliveries?sort=createdAt", owner)
      return body["data"] as readonly Readonly<Record<string, unknown>>[]
    }
    return { server, receiver, order, deliveries }
  }

  for (const database of ["sqlite", "postgres"] as const)
    test(`a delivery whose event is out of sight has failed when it is tried again, on ${database}`, async (t) => {
      const { server, receiver, order, deliveries } = await owned(t, database)
      const { body: bob } = await server.send("POST", "/people", "role:staff", { name: "Bob" })
      receiver.answer(status(500))
      const id = await order("1")
      await until(() => receiver.received.length > 0)
      await server.send("PATCH", `/orders/${id}`, "role:staff", { ownerId: bob.id })
      receiver.answer(status(204))
      // The first pause is five seconds.
      await until(async () => (await deliveries())[0]?.["status"] === "failed")
      assert.equal((await deliveries())[0]?.["nextAt"], null)
    })

  test("a receiver's Retry-After of any length counts up to a day", async (t) => {
    const { receiver, order, deliveries } = await owned(t, "sqlite")
    const day = 86_400_000
    for (const [number, seconds] of ["999999999", "9999999999", "9".repeat(400)].entries()) {
      receiver.answer(status(503, { "retry-after": seconds }))
      await order(String(number))
      await until(async () => (await deliveries()).length > number)
      const nextAt = String((await deliveries())[number]?.["nextAt"])
      const pause = Date.parse(nextAt) - Date.now()
      assert.ok(Math.abs(pause - day) < 60_000, `${seconds.length} digits: ${pause}`)
    }
  })

  test("a delivery that is not tried again at its time, as its event is out of sight, has failed", async (t) => {
    const url = await openDatabase(hooks, "sqlite", model)
    let ahead = 0
    const server = await openServer(hooks, url, model, { now: () => Date.now() + ahead })
    const receiver = await startReceiver(t)
    const { body: ada } = await server.send("POST", "/people", "role:staff", { name: "Ada" })
    const { body: bob } = await server.send("POST", "/people", "role:staff", { name: "Bob" })
    const owner = `person:${ada.id}`
    await server.send("POST", "/webhook-endpoints", owner, { url: receiver.url, ownerId: ada.id })
    receiver.answer(status(500))
    const { body: order } = await server.send("POST", "/orders", "role:staff", {
      number: "1",
      ownerId: ada.id,
    })
    await until(() => receiver.received.length > 0)
    await server.send("PATCH", `/orders/${order.id}`, "role:staff", { ownerId: bob.id })
    ahead = 2 * 3_600_000
    const deliveries = async (): Promise<string> => {
      const { body } = await server.send("GET", "/webhook-deliveries?sort=createdAt", owner)
      const all = body["data"] as readonly Readonly<Record<string, unknown>>[]
      return all.map(({ type, status: own, nextAt }) => `${type} ${own} ${nextAt}`).join()
    }
    await until(async () => (await deliveries()) === "order.created failed null")
  })
})
