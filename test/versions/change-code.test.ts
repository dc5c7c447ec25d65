// Changes by code: former fields that two functions turn into today's and back, by both faces on both databases.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/identity/actor-text.ts"
import { withVersions } from "../../src/identity/choose-version.ts"
import { anyone, f, many, one, problem, resource, role, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { withSystem } from "../../src/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const staff = role("staff")
const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }
const [newest, coded, oldest] = ["2026-11-01", "2026-06-01", "2026-01-01"] as const

/** Calls of the functions, by name: how many values each was given. */
const calls: string[] = []

const plain = service({
  name: "shop",
  roles: ["staff"],
  versions: {
    "2026-11-01": [
      { changed: "order.number", was: f.integer(), code: true },
      { changed: "order.placedAt", was: { day: f.date({ optional: true }) }, code: true },
      { changed: "order.customer", was: { buyerId: f.text({ optional: true }) }, code: true },
      { changed: "order.secret", was: f.integer({ optional: true }), code: true },
      { changed: ["line.unit", "line.size"], was: { amount: f.text(), rough: f.integer() }, code: true },
    ],
    "2026-06-01": [
      {
        changed: "order.number",
        was: { tens: f.decimal({ precision: 12, scale: 1 }) },
        reads: { tens: { multiply: ["number", 0.1] } },
        writes: { number: { multiply: ["tens", 10] } },
      },
    ],
    "2026-01-01": [],
  },
  resources: {
    customer: resource({
      id: "cus",
      fields: { name: f.text() },
      relations: { orders: many("order", { by: "customer" }) },
      allow: everybody,
    }),
    order: resource({
      id: "ord",
      history: true,
      fields: {
        number: f.text(),
        note: f.text({ unique: true }),
        placedAt: f.timestamp({ optional: true }),
        secret: f.text({ optional: true, read: staff, write: staff }),
        last: f.text({ optional: true, readonly: true }),
      },
      relations: {
        customer: one("customer", { optional: true }),
        lines: many("line", { by: "order", owned: true }),
      },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: anyone } } },
      allow: everybody,
    }),
    line: resource({
      id: "lin",
      fields: { unit: f.text(), size: f.decimal({ precision: 10, scale: 2 }) },
      relations: { order: one("order") },
      allow: everybody,
    }),
  },
})

const shop = load(
  withSystem(
    withCode(plain, {
      before: {
        order: {
          create: ({ new: order }) => ({ last: order.number }),
          update: ({ new: order }) => ({ last: order.number }),
        },
      },
      versions: {
        "2026-11-01": {
          "order.number": {
            reads(orders) {
              calls.push(`reads ${orders.length}`)
              return orders.map(({ number }) => {
                if (number === "N-66") return problem("conflict", "It is cursed.")
                if (number === "N-67") return new Error("a secret of the code")
                if (number === "N-68") return { number: "sixty-eight" } as never
                if (number === "N-69") return {} as never
                if (number === "N-70") return { number: 70, more: 1 } as never
                if (number === "N-71") throw new Error("another secret")
                return { number: Number(number.slice(2)) }
              })
            },
            writes(inputs) {
              calls.push(`writes ${inputs.length}`)
              return inputs.map(({ number }) => {
                if (number === 6) return problem("invalid_value", "Never six.", { place: ["number"] })
                if (number === 7) throw new Error("a secret of the code")
                if (number === 8) return { number: 8 } as never
                if (number === 9) return {} as never
                if (number === 10) return { number: "N-10", more: 1 } as never
                if (number === 11) return null as never
                return { number: `N-${number}` }
              })
            },
          },
          "order.placedAt": {
            reads: (orders) => orders.map(({ placedAt }) => ({ day: placedAt?.slice(0, 10) ?? null })),
            writes: (inputs) => inputs.map(({ day }) => ({ placedAt: day && `${day}T12:00:00Z` })),
          },
          "order.customer": {
            reads: (orders) =>
              orders.map(({ customerId }) => ({ buyerId: customerId?.replace("cus_", "buy-") ?? null })),
            writes: (inputs) =>
              inputs.map(({ buyerId }) => ({ customerId: buyerId?.replace("buy-", "cus_") ?? null })),
          },
          "order.secret": {
            reads: (orders) =>
              orders.map(({ secret }) => ({ secret: secret === null ? null : Number(secret) })),
            writes: (inputs) =>
              inputs.map(({ secret }) => ({ secret: secret === null ? null : String(secret) })),
          },
          "line.unit": {
            reads: (lines) =>
              lines.map(({ unit, size }) => ({ amount: `${size} ${unit}`, rough: Math.round(Number(size)) })),
            writes: (inputs) =>
              inputs.map(({ amount, rough }) => ({ unit: amount.split(" ")[1] ?? "", size: String(rough) })),
          },
        },
      },
    }),
  ),
)

for (const database of ["sqlite", "postgres"] as const)
  describe(`changes by code on ${database}`, async () => {
    const hooks = cleanUp(after)
    const url = await openDatabase(hooks, database, shop)
    const identify = withVersions(
      ({ authorization }) =>
        authorization === undefined ? strangerTo(shop) : actorFromText(shop, authorization),
      shop,
    )
    const server = await openServer(hooks, url, shop, {}, { identify })
    const send = async (
      version: string,
      [method, path, body]: readonly [string, string, unknown?],
      more: Readonly<Record<string, string>> = {},
    ) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", "api-version": version, ...more },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      const { status, headers } = answered
      return { status, headers, body: text === "" ? {} : JSON.parse(text) }
    }
    const graphql = async (version: string, query: string, more = {}) =>
      (await send(version, ["POST", "/graphql", { query }], more)).body

    test("are created and read", async () => {
      const made = await send(coded, ["POST", "/orders", { number: 1, note: "a", day: "2026-05-01" }])
      assert.equal(made.status, 201, JSON.stringify(made.body))
      assert.deepEqual(
        { ...made.body, id: "" },
        { id: "", number: 1, note: "a", day: "2026-05-01", buyerId: null, last: "N-1", state: "open" },
      )
      const now = await send(newest, ["GET", `/orders/${made.body.id}`])
      assert.equal(now.body.number, "N-1")
      assert.equal(now.body.placedAt, "2026-05-01T12:00:00Z")
      const first = await send(oldest, ["GET", `/orders/${made.body.id}`])
      assert.equal(first.body.tens, "0.1")
      const list = await graphql(coded, "{ orders(first: 3) { nodes { number day } } }")
      assert.deepEqual(list, { data: { orders: { nodes: [{ number: 1, day: "2026-05-01" }] } } })
    })
  })
