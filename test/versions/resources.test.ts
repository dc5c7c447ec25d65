// A resource that has another name in older versions: addresses, types, documents, events and refusals, on both databases.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, many, one, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { changelogOf } from "../../src/model/versions/changelog.ts"
import { differencesBetween } from "../../src/model/versions/diff.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }

/** @param name of the resource that was renamed @param person the name of another one */
const shop = (name: "purchase" | "order", versions?: Parameters<typeof service>[0]["versions"]) =>
  service({
    name: "shop",
    ...(versions && { versions }),
    resources: {
      customer: resource({
        id: "cus",
        fields: { name: f.text({ unique: true }) },
        relations: { [name === "order" ? "orders" : "purchases"]: many(name, { by: "customer" }) },
        allow: everybody,
      }),
      [name]: resource({
        id: "ord",
        history: true,
        fields: { number: f.text({ unique: true }), channel: f.oneOf(["web", "shop"], { default: "web" }) },
        relations: { customer: one("customer", { optional: true }) },
        states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: anyone } } },
        events: { noticed: { payload: { by: f.text() } } },
        allow: everybody,
      }),
    },
  } as Parameters<typeof service>[0])

const declared = shop("purchase", {
  "2026-06-01": [
    { renamed: "order", to: "purchase" },
    { renamed: "customer.orders", to: "purchases" },
  ],
  "2026-01-01": [],
})

test("the older version is what it was, in each part of the model that clients meet", () => {
  const before = load(shop("order"))
  const now = modelAt(load(declared), "2026-01-01")
  assert.deepEqual(differencesBetween(before, now), [])
  assert.deepEqual(differencesBetween(now, before), [])
  assert.notDeepEqual(differencesBetween(before, load(declared)), [])
  // Broken on purpose: without the relation's name it is not what it was.
  const lacking = load(
    shop("purchase", { "2026-06-01": [{ renamed: "order", to: "purchase" }], "2026-01-01": [] }),
  )
  assert.notDeepEqual(differencesBetween(before, modelAt(lacking, "2026-01-01")), [])
})

test("the changelog tells both names, with requests", () => {
  const [newest] = changelogOf(load(declared))
  assert.deepEqual(newest?.changes[0], {
    kind: "renamed",
    before: ["order"],
    after: ["purchase"],
    text: "`order` is now called `purchase`.",
    examples: {
      before: { rest: "GET /orders?limit=1", graphql: "{ orders(first: 1) { nodes { id } } }" },
      after: { rest: "GET /purchases?limit=1", graphql: "{ purchases(first: 1) { nodes { id } } }" },
    },
  })
})

test("a name that is taken, and one that there never was, are told", () => {
  const taken = shop("purchase", {
    "2026-06-01": [{ renamed: "customer", to: "purchase" }],
    "2026-01-01": [],
  })
  assert.throws(() => load(taken), /customer has the name "customer" in this version/)
  const unknown = shop("purchase", { "2026-06-01": [{ renamed: "order", to: "buy" }], "2026-01-01": [] })
  assert.throws(() => load(unknown), /There is no resource "buy"/)
})

/** A place with the newest name, but for what is told of members that have another name since. */
const named = (document: unknown): string | undefined =>
  /.{0,40}purchase.{0,40}/i.exec(
    JSON.stringify(document).replaceAll("Since 2026-06-01 it is called purchases.", ""),
  )?.[0]

for (const database of ["sqlite", "postgres"] as const)
  describe(`a renamed resource on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(declared))
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(() => strangerTo(model), model)
    const server = await openServer(hooks, url, model, {}, { identify })
    const old = { "api-version": "2026-01-01" }
    const send = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      return { status: answered.status, body: text === "" ? {} : JSON.parse(text) }
    }
    const ask = async (headers: Record<string, string>, query: string) => {
      const { body } = await send(headers, "POST", "/graphql", { query })
      assert.equal(body.errors, undefined, JSON.stringify(body.errors))
      return body.data
    }

    test("it is read and written under its name of each version", async () => {
      const made = await send(old, "POST", "/orders", { number: "A-1", channel: "shop" })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { id } = made.body
      assert.match(id, /^ord_/)
      assert.equal((await send({}, "GET", `/purchases/${id}`)).body.number, "A-1")
      assert.equal((await send(old, "GET", `/purchases/${id}`)).status, 404)
      assert.equal((await send({}, "GET", `/orders/${id}`)).status, 404)
      const { order } = await ask(old, `{ order(id: "${id}") { __typename channel } }`)
      assert.deepEqual(order, { __typename: "Order", channel: "shop" })
      const { purchaseByNumber } = await ask({}, `{ purchaseByNumber(number: "A-1") { __typename } }`)
      assert.deepEqual(purchaseByNumber, { __typename: "Purchase" })
      const data = await ask(
        old,
        `mutation { createOrder(input: { number: "A-2" }) { order { id number } }
                    updateOrder(id: "${id}", input: { channel: web }) { order { channel } }
                    payOrder(id: "${id}") { order { state } } }`,
      )
      assert.equal(data.createOrder.order.number, "A-2")
      assert.deepEqual([data.updateOrder.order.channel, data.payOrder.order.state], ["web", "paid"])
      const customer = await send(old, "POST", "/customers", {
        name: "Ada",
        orders: { create: [{ number: "A-3" }] },
      })
      assert.equal(customer.status, 201, JSON.stringify(customer.body))
      const nested = await send({}, "GET", `/customers/${customer.body.id}/purchases?fields=number`)
      assert.deepEqual(nested.body.data[0].number, "A-3")
      const found = await ask(
        old,
        `{ customers(where: { orders: { some: { number: { eq: "A-3" } } } }) { nodes { orders { nodes { number } } } } }`,
      )
      assert.deepEqual(found.customers.nodes, [{ orders: { nodes: [{ number: "A-3" }] } }])
      const missing = await send(old, "GET", "/orders/ord_01h455vb4pex5vsknk084sn02q")
      assert.doesNotMatch(JSON.stringify(missing.body), /purchase/i)
      const wrong = await send(old, "POST", "/orders", { number: "A-1", colour: "red" })
      assert.doesNotMatch(JSON.stringify(wrong.body), /purchase/i)
      const twice = await send(old, "POST", "/orders", { number: "A-1" })
      assert.deepEqual([twice.status, twice.body.code], [409, "already_exists"])
      assert.doesNotMatch(JSON.stringify(twice.body), /purchase/i)
    })

    test("documents and event types of the version know its name alone", async () => {
      for (const path of ["/openapi.json", "/asyncapi.json"]) {
        const { body } = await send(old, "GET", path)
        assert.equal(named(body), undefined, path)
        assert.ok(/purchase/i.test(JSON.stringify((await send({}, "GET", path)).body)))
      }
      const securityOf = async (headers: Record<string, string>, path: string) =>
        (await send(headers, "GET", "/openapi.json")).body.paths[path].get.security
      assert.deepEqual(await securityOf(old, "/orders"), [{}, { bearer: [] }])
      assert.deepEqual(await securityOf({}, "/purchases"), [{}, { bearer: [] }])
      const sdl = await ask(
        old,
        "{ __schema { types { name fields { name } inputFields { name } enumValues { name } } } }",
      )
      assert.equal(named(sdl), undefined)
    })

    test("histories and events have the name of the version that reads them", async () => {
      const { id } = (await send({}, "POST", "/purchases", { number: "E-1" })).body
      await send(old, "POST", `/orders/${id}/transitions/pay`)
      const types = (of: { readonly data: readonly { readonly type: string }[] }) =>
        of.data.map(({ type }) => type)
      const history = async (headers: Record<string, string>, path: string) =>
        types((await send(headers, "GET", `/${path}/${id}/history`)).body)
      assert.deepEqual(await history(old, "orders"), ["order.created", "order.paid"])
      assert.deepEqual(await history({}, "purchases"), ["purchase.created", "purchase.paid"])
      const events = async (headers: Record<string, string>, query: string) =>
        (await send(headers, "GET", `/events?limit=50&${query}`)).body
      const own = (await events(old, `resource=order&filter[number]=E-1`)).data
      assert.deepEqual(
        own.map(({ type, resource: of }: Record<string, string>) => [type, of]),
        [
          ["order.created", "order"],
          ["order.paid", "order"],
        ],
      )
      assert.equal((await events(old, "types=order.paid")).data.length > 0, true)
      assert.equal((await events(old, "types=purchase.paid")).code, "invalid_value")
      assert.equal((await events({}, "types=order.paid")).code, "invalid_value")
      assert.equal((await events(old, "resource=purchase")).code, "invalid_value")
      const page = await ask(
        old,
        `{ events(where: { order: { number: { eq: "E-1" } } }) { nodes { type resource } } }`,
      )
      assert.deepEqual(page.events.nodes[1], { type: "order.paid", resource: "order" })
    })
  })
