// Older versions of an API beside the newest one, on both databases and by both faces: shapes, writes, conditions, histories.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { createIdentify } from "../../src/access/identity/identify.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { shop } from "./shop.ts"

type Json = Readonly<Record<string, never>> & { readonly id: string; readonly data: readonly Json[] }

interface Described {
  readonly deprecated?: boolean
}

const versions = ["2026-11-01", "2026-09-01", "2026-06-01", "2026-01-01"] as const
const [newest, autumn, summer, oldest] = versions

for (const database of ["sqlite", "postgres"] as const)
  describe(`versions on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(shop))
    const url = await openDatabase(hooks, database, model)
    const identify = createIdentify({
      model,
      writes: false,
      answer: () => Promise.reject(new Error("nobody has a key")),
      now: () => Date.parse("2026-11-25T00:00:00Z"),
    })
    const server = await openServer(hooks, url, model, {}, { identify })
    const send = async (version: string | undefined, method: string, path: string, body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          "content-type": "application/json",
          ...(version !== undefined && { "api-version": version }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      return {
        status: answered.status,
        served: answered.headers.get("api-version"),
        vary: answered.headers.get("vary"),
        body: (text === "" ? {} : JSON.parse(text)) as Json,
      }
    }
    const made = async (version: string | undefined, path: string, input: object): Promise<Json> => {
      const { status, body } = await send(version, "POST", path, input)
      assert.equal(status, 201, JSON.stringify(body))
      return body
    }
    const ask = async (version: string | undefined, query: string): Promise<Json> => {
      const { body } = await send(version, "POST", "/graphql", { query })
      assert.equal(body["errors"], undefined, JSON.stringify(body))
      return body["data"] as unknown as Json
    }
    const without = ({ id: _, buyerId: _1, customerId: _2, ...rest }: Json): object => rest
    let count = 0
    const order = async (version: string | undefined, own: object = {}) => {
      const customer = await made(oldest, "/customers", { fullName: "Ada Lovelace", title: "Lady" })
      const isOld = version !== undefined && version !== newest
      const total = version === summer || version === oldest ? 1250 : "12.50"
      return made(version, "/orders", {
        number: `A-${++count}`,
        total,
        [isOld ? "buyerId" : "customerId"]: customer.id,
        ...own,
      })
    }

    test("a record has the shape of each version, by both faces", async () => {
      const { id } = await order(oldest)
      const number = `A-${count}`
      const rest = async (version: string, include: string) =>
        without((await send(version, "GET", `/orders/${id}?include=${include}`)).body)
      const person = { title: "Lady", firstName: "Ada", lastName: "Lovelace" }
      const plain = (of: object) =>
        JSON.parse(JSON.stringify(of, (key, value) => (key === "id" ? undefined : value)))
      assert.deepEqual(plain(await rest(newest, "customer")), {
        number,
        total: "12.50",
        channel: "web",
        state: "placed",
        customer: { salutation: "Lady", firstName: "Ada", lastName: "Lovelace" },
      })
      assert.deepEqual(plain(await rest(autumn, "buyer")), {
        number,
        total: "12.50",
        channel: "web",
        state: "placed",
        buyer: person,
      })
      assert.deepEqual(plain(await rest(summer, "buyer")), {
        number,
        total: 1250,
        state: "placed",
        buyer: person,
      })
      assert.deepEqual(plain(await rest(oldest, "buyer")), {
        number,
        total: 1250,
        state: "placed",
        buyer: { title: "Lady", fullName: "Ada Lovelace" },
      })
      const one = `order(id: "${id}")`
      assert.deepEqual(await ask(oldest, `{ ${one} { total buyer { fullName title } } }`), {
        order: { total: 1250, buyer: { fullName: "Ada Lovelace", title: "Lady" } },
      })
      assert.deepEqual(await ask(undefined, `{ ${one} { total channel customer { firstName } } }`), {
        order: { total: "12.50", channel: "web", customer: { firstName: "Ada" } },
      })
    })

    test("what a version does not have is unknown to it", async () => {
      const { id } = await order(newest, { channel: "shop" })
      const codes = async (version: string, path: string): Promise<string> => {
        const { status, body } = await send(version, "GET", path)
        return `${status} ${body["code"]}`
      }
      assert.equal(await codes(newest, `/orders/${id}?include=buyer`), "400 unknown_field")
      assert.equal(await codes(oldest, `/orders/${id}?include=customer`), "400 unknown_field")
      assert.equal(await codes(summer, `/orders/${id}?fields=channel`), "400 unknown_field")
      assert.equal(await codes(newest, `/customers?filter[fullName]=x`), "400 unknown_field")
      const { status, body } = await send(summer, "PATCH", `/orders/${id}`, { channel: "web" })
      assert.deepEqual([status, body["code"]], [400, "unknown_field"])
      const { body: told } = await send(oldest, "POST", "/graphql", {
        query: "{ orders { nodes { channel } } }",
      })
      assert.match(JSON.stringify(told), /Cannot query field \\"channel\\"/)
    })

    test("conditions, orders and aggregates are by the version's own values", async () => {
      const { id } = await order(oldest, { total: 777 })
      const found = await send(oldest, "GET", '/orders?filter={"total":{"eq":777}}&sort=-total')
      assert.deepEqual(
        found.body.data.map((one) => one.id),
        [id],
      )
      const people = await send(
        oldest,
        "GET",
        '/customers?filter={"fullName":{"startsWith":"Ada L"}}&sort=fullName&fields=fullName',
      )
      assert.ok(people.body.data.length > 0)
      assert.ok(people.body.data.every((one) => (one["fullName"] as unknown) === "Ada Lovelace"))
      const { orders } = await ask(
        oldest,
        `{ orders(where: {buyer: {fullName: {eq: "Ada Lovelace"}}, total: {eq: 777}}) { aggregate { sum { total } } nodes { id } } }`,
      )
      assert.deepEqual(orders, { aggregate: { sum: { total: "777" } }, nodes: [{ id }] })
    })

    test("pages of a version go on in it", async () => {
      for (const _ of [1, 2, 3]) await order(oldest)
      const seen: string[] = []
      for (let next: string | null = `/orders?sort=total&limit=2`; next !== null; ) {
        const { status, body }: Awaited<ReturnType<typeof send>> = await send(oldest, "GET", next)
        assert.equal(status, 200, JSON.stringify(body))
        seen.push(...body.data.map((one) => one.id))
        const { next: after } = body["page"] as unknown as { readonly next: string | null }
        next = after === null ? null : `/orders?sort=total&limit=2&after=${after}`
      }
      const { orders } = (await ask(undefined, "{ orders { totalCount } }")) as unknown as {
        readonly orders: { readonly totalCount: number }
      }
      assert.equal(new Set(seen).size, orders.totalCount)
    })

    test("a cursor and a key of one version are refused in another", async () => {
      const { body: first } = await send(oldest, "GET", "/orders?sort=total&limit=1")
      const { next } = first["page"] as unknown as { readonly next: string }
      const own = await send(oldest, "GET", `/orders?sort=total&limit=1&after=${next}`)
      assert.equal(own.status, 200)
      const other = await send(newest, "GET", `/orders?sort=total&limit=1&after=${next}`)
      assert.deepEqual([other.status, other.body["code"]], [400, "invalid_cursor"])
      const key = crypto.randomUUID()
      const make = async (version: string) => {
        const answered = await fetch(`${server.url}/customers`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": key, "api-version": version },
          body: JSON.stringify({ title: "Lady", fullName: "Ada Lovelace" }),
        })
        return { status: answered.status, text: await answered.text() }
      }
      const made = await make(oldest)
      assert.equal(made.status, 201)
      assert.deepEqual(await make(oldest), made)
      const again = await fetch(`${server.url}/customers`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key, "api-version": newest },
        body: JSON.stringify({ salutation: "Lady", firstName: "Ada", lastName: "Lovelace" }),
      })
      assert.equal(again.status, 422, await again.text())
    })

    test("writes by any version are read by every other", async () => {
      const { id } = await order(oldest)
      const totals = async () => {
        const by = async (version: string) =>
          (await send(version, "GET", `/orders/${id}?fields=total`)).body["total"] as unknown
        return [await by(newest), await by(autumn), await by(summer), await by(oldest)]
      }
      const patched = await send(summer, "PATCH", `/orders/${id}`, { total: 1 })
      assert.deepEqual([patched.status, patched.body["total"]], [200, 1])
      assert.deepEqual(await totals(), ["0.01", "0.01", 1, 1])
      await send(newest, "PATCH", `/orders/${id}`, { total: "7.25" })
      assert.deepEqual(await totals(), ["7.25", "7.25", 725, 725])
      await ask(oldest, `mutation { updateOrder(id: "${id}", input: { total: -3 }) { order { total } } }`)
      assert.deepEqual(await totals(), ["-0.03", "-0.03", -3, -3])
      const { body } = await send(oldest, "GET", `/orders/${id}`)
      const put = await send(oldest, "PUT", `/orders/${id}`, {
        number: body["number"],
        total: 300,
        buyerId: body["buyerId"],
      })
      assert.equal(put.status, 200, JSON.stringify(put.body))
      assert.deepEqual(await totals(), ["3.00", "3.00", 300, 300])
    })

    test("mistakes are told by the version's names", async () => {
      const { id, ...own } = await order(oldest)
      const wrong = await send(oldest, "PATCH", `/orders/${id}`, { total: "many" })
      assert.match(JSON.stringify(wrong.body), /`total` must be a whole number/)
      const none = await send(oldest, "POST", "/orders", { number: "B-1", total: 1 })
      assert.match(JSON.stringify(none.body), /`buyerId` or `buyer` must be given/)
      const nobody = await send(oldest, "PATCH", `/orders/${id}`, {
        buyerId: "cus_01h455vb4pex5vsknk084sn02q",
      })
      assert.doesNotMatch(JSON.stringify(nobody.body), /customerId|`customer`/)
      const twice = await send(oldest, "POST", "/orders", {
        ...own,
        buyerId: own["buyerId"],
        state: undefined,
      })
      assert.deepEqual([twice.status, twice.body["code"]], [409, "already_exists"])
    })

    test("transitions and actions have the version's names", async () => {
      const { id } = await order(oldest)
      assert.equal((await send(newest, "POST", `/orders/${id}/actions/apply-coupon`, {})).status, 404)
      const applied = await send(oldest, "POST", `/orders/${id}/actions/apply-coupon`, { amount: "3.00" })
      assert.deepEqual(applied.body, { was: "12.50" })
      assert.equal((await send(newest, "POST", `/orders/${id}/transitions/pay-order`)).status, 404)
      const paid = await send(oldest, "POST", `/orders/${id}/transitions/pay-order`)
      assert.deepEqual([paid.body["state"], paid.body["total"]], ["paid", 300])
      const again = await send(oldest, "POST", `/orders/${id}/transitions/pay-order`)
      assert.deepEqual([again.status, again.body["code"]], [409, "illegal_transition"])
      assert.match(JSON.stringify(again.body), /payOrder/)
    })

    test("histories and events tell changes by the version's names and values", async () => {
      const { id, buyerId } = await order(oldest)
      await send(newest, "PATCH", `/orders/${id}`, { total: "20.00", channel: "shop" })
      await send(newest, "POST", `/orders/${id}/transitions/pay`)
      const told = async (version: string) => {
        const { body } = await send(version, "GET", `/orders/${id}?include=history&fields=id`)
        const history = body["history"] as unknown as { readonly data: readonly Json[] }
        return history.data.map((entry) => [
          entry["transition"],
          Object.fromEntries(
            (entry["changes"] as unknown as { field: string; to: unknown }[]).map(({ field, to }) => [
              field,
              to,
            ]),
          ),
        ])
      }
      const number = `A-${count}`
      assert.deepEqual(await told(oldest), [
        [null, { number, state: "placed", buyerId, total: 1250 }],
        [null, { total: 2000 }],
        ["payOrder", { state: "paid" }],
      ])
      assert.deepEqual(await told(newest), [
        [null, { number, total: "12.50", channel: "web", state: "placed", customerId: buyerId }],
        [null, { total: "20.00", channel: "shop" }],
        ["pay", { state: "paid" }],
      ])
      const { body } = await send(oldest, "GET", "/events?limit=100")
      const own = body.data.filter((event) => (event["recordId"] as unknown) === id)
      assert.deepEqual(
        own.map((event) => event["transition"]),
        [null, null, "payOrder"],
      )
      assert.deepEqual(own[1]?.["changes"], [{ field: "total", from: 1250, to: 2000 }])
    })

    test("a field made of several is told of as one", async () => {
      const { id } = await made(oldest, "/customers", { fullName: "Grace Murray Hopper" })
      const { body } = await send(undefined, "GET", `/customers/${id}`)
      assert.deepEqual([body["firstName"], body["lastName"]], ["Grace", "Murray Hopper"])
      await send(oldest, "PATCH", `/customers/${id}`, { fullName: "Grace Hopper" })
      await send(newest, "PATCH", `/customers/${id}`, { lastName: "Murray" })
      const after = await send(oldest, "GET", `/customers/${id}`)
      assert.equal(after.body["fullName"] as unknown, "Grace Murray")
      const wrong = await send(oldest, "PATCH", `/customers/${id}`, { firstName: "x" })
      assert.equal(wrong.body["code"] as unknown, "unknown_field")
    })

    test("the version that was served is told, and unknown ones are refused", async () => {
      for (const version of versions) {
        const { served, vary } = await send(version, "GET", "/orders?limit=1")
        assert.equal(served, version)
        assert.match(String(vary), /API-Version/)
      }
      assert.equal((await send(undefined, "GET", "/orders?limit=1")).served, newest)
      for (const path of ["/orders", "/graphql?query={orders{totalCount}}"]) {
        const { status, body } = await send("2026-02-02", "GET", path)
        assert.equal(status, 400)
        assert.match(JSON.stringify(body), /unknown_version/)
        assert.match(JSON.stringify(body), /Ask for 2026-11-01, 2026-09-01, 2026-06-01, 2026-01-01/)
      }
    })

    test("each version has its own documents", async () => {
      const { body: old } = await send(oldest, "GET", "/openapi.json")
      const { body: now } = await send(newest, "GET", "/openapi.json")
      assert.match(JSON.stringify(old), /"fullName"/)
      assert.doesNotMatch(JSON.stringify(now), /"fullName"/)
      assert.match(JSON.stringify(now), /"channel"/)
      assert.doesNotMatch(JSON.stringify(old), /"channel"/)
      const query = '{ __type(name: "Order") { fields(includeDeprecated: true) { name } } }'
      assert.match(JSON.stringify(await ask(oldest, query)), /"buyer"/)
      assert.doesNotMatch(JSON.stringify(await ask(newest, query)), /"buyer"/)
    })

    test("older versions are told to be so, by headers and in documents", async () => {
      const headersOf = async (version: string, path = "/customers?limit=0") => {
        const { headers } = await fetch(`${server.url}${path}`, { headers: { "api-version": version } })
        return ["deprecation", "sunset", "link"].map((name) => headers.get(name))
      }
      assert.deepEqual(await headersOf(newest), [null, null, null])
      // 2026-11-01T00:00:00Z and 2026-06-01T00:00:00Z.
      const links = (next: string) =>
        `</changelog>; rel="deprecation", </changelog#${next}>; rel="successor-version"`
      assert.deepEqual(await headersOf(autumn), ["@1793491200", null, links(newest)])
      assert.deepEqual(await headersOf(oldest), [
        "@1780272000",
        "Fri, 01 Jan 2027 00:00:00 GMT",
        links(summer),
      ])
      const [, , page] = await headersOf(oldest, "/orders?limit=1&sort=number")
      assert.match(String(page), /rel="next".*rel="successor-version"/)
      const query = `{ __type(name: "Order") { fields(includeDeprecated: true) { name deprecationReason } } }`
      const { __type: type } = (await ask(oldest, query)) as unknown as {
        readonly __type: { readonly fields: readonly { name: string; deprecationReason: string | null }[] }
      }
      const reasons = Object.fromEntries(type.fields.map((one) => [one.name, one.deprecationReason]))
      assert.deepEqual(
        [reasons["total"], reasons["buyer"], reasons["number"]],
        [
          "Since 2026-09-01 there is another type in its place.",
          "Since 2026-11-01 it is called customer.",
          null,
        ],
      )
      const { body } = await send(oldest, "GET", "/openapi.json")
      const { schemas } = body["components"] as unknown as {
        readonly schemas: { readonly Order: { readonly properties: Readonly<Record<string, Described>> } }
      }
      const { total, number } = schemas.Order.properties
      assert.deepEqual([total?.deprecated, number?.deprecated], [true, undefined])
    })

    test("the changelog tells each caller what it sees, with requests that work", async () => {
      interface Changelog {
        readonly versions: readonly {
          readonly version: string
          readonly changes: readonly {
            readonly text: string
            readonly examples: Readonly<
              Partial<Record<"before" | "after", { readonly rest: string; readonly graphql: string }>>
            >
          }[]
        }[]
      }
      const told = (await send(undefined, "GET", "/changelog")).body as unknown as Changelog
      assert.deepEqual(
        told.versions.map(({ version, changes }) => [version, changes.map(({ text }) => text)]),
        [
          [
            newest,
            [
              "`title` of `customer` is now called `salutation`.",
              "`buyer` of `order` is now called `customer`.",
              "`payOrder` of `order` is now called `pay`.",
              "`applyCoupon` of `order` is now called `discount`.",
            ],
          ],
          [autumn, ["`total` of `order` is decimal, integer before.", "`order` has `channel`."]],
          [summer, ["`customer` has `firstName` and `lastName` in place of `fullName`."]],
          [oldest, []],
        ],
      )
      assert.deepEqual((await send(oldest, "GET", "/changelog")).body, told)
      for (const [at, { version, changes }] of told.versions.entries())
        for (const { examples } of changes)
          for (const [side, example] of Object.entries(examples)) {
            const [method = "", path = ""] = example.rest.split(" ")
            if (method !== "GET") continue
            const by = side === "after" ? version : told.versions[at + 1]?.version
            assert.equal((await send(by, method, path)).status, 200, `${by} ${example.rest}`)
            await ask(by, example.graphql)
          }
      const html = await fetch(`${server.url}/changelog`, { headers: { accept: "text/html" } })
      assert.match(String(html.headers.get("content-type")), /^text\/html/)
      const page = await html.text()
      assert.match(page, /<h2 id="2026-06-01">/)
      assert.match(page, /<code>buyer<\/code> of <code>order<\/code>/)
      const markdown = await fetch(`${server.url}/changelog`, { headers: { accept: "text/markdown" } })
      assert.match(await markdown.text(), /^# Changes of Shop\n[\s\S]*\n## 2026-09-01\n/)
      // Nobody without a role sees the member that only the staff does.
      assert.doesNotMatch(JSON.stringify(told) + page, /secret/)
    })

    test("nothing went wrong inside", () => {
      assert.deepEqual(server.observed, [])
    })
  })
