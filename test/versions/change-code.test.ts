// Changes by code: former fields that two functions turn into today's and back, by both faces on both databases.
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { after, describe, test } from "node:test"
import { inspect } from "node:util"
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
/** Numbers that are refused for now. */
const refuses = new Set<number>()
const staffed = { authorization: "role:staff" }

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
                if (number === 6 || refuses.has(number))
                  return problem("invalid_value", "Never six.", { place: ["number"] })
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
              inputs.map(({ amount, rough }) =>
                refuses.has(rough)
                  ? problem("invalid_value", "Never six.")
                  : { unit: amount.split(" ")[1] ?? "", size: String(rough) },
              ),
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

    const faults = (): string =>
      server.observed
        .flatMap((one) => ("error" in one && one.error ? [inspect(one.error)] : []))
        .splice(-1)
        .join()
    const done = async (
      version: string,
      request: readonly [string, string, unknown?],
      more: Readonly<Record<string, string>> = {},
    ) => {
      const { status, body } = await send(version, request, more)
      assert.ok(status < 300, `${request.join(" ")} ${JSON.stringify(body)} ${faults()}`)
      return body
    }
    const asked = async (version: string, query: string) => {
      const { data, errors } = await graphql(version, query)
      assert.equal(errors, undefined, JSON.stringify(errors))
      return data
    }
    const isOrder = async (id: string, number: number, day: string | null) => {
      const now = await done(newest, ["GET", `/orders/${id}`])
      assert.deepEqual([now.number, now.last], [`N-${number}`, `N-${number}`])
      assert.equal(now.placedAt, day && `${day}T12:00:00Z`)
      const then = await done(coded, ["GET", `/orders/${id}`])
      assert.deepEqual([then.number, then.day, "placedAt" in then], [number, day, false])
      const { order } = await asked(oldest, `{ order(id: "${id}") { tens day } }`)
      assert.deepEqual(order, { tens: (number / 10).toFixed(1), day })
    }
    const made = async (number: number, note: string): Promise<string> =>
      (await done(coded, ["POST", "/orders", { number, note, day: "2026-05-01" }])).id

    test("every form of writing is read by every version", async () => {
      const id = await made(1, "every")
      await isOrder(id, 1, "2026-05-01")
      const forms: readonly (readonly [number, string | null, () => Promise<unknown>])[] = [
        [2, "2026-05-01", () => done(coded, ["PATCH", `/orders/${id}`, { number: 2 }])],
        [2, "2026-05-02", () => done(coded, ["PATCH", `/orders/note=every`, { day: "2026-05-02" }])],
        [
          3,
          "2026-05-02",
          () =>
            asked(coded, `mutation { updateOrder(id: "${id}", input: { number: 3 }) { order { number } } }`),
        ],
        [4, null, () => done(coded, ["PUT", `/orders/${id}`, { number: 4, note: "every" }])],
        [5, "2026-05-05", () => done(coded, ["PUT", `/orders/note=every`, { number: 5, day: "2026-05-05" }])],
        [
          12,
          "2026-05-05",
          () =>
            asked(
              coded,
              `mutation { upsertOrderByNote(note: "every", input: { number: 12 }) { order { number day } } }`,
            ),
        ],
        [
          13,
          "2026-05-05",
          () =>
            done(coded, ["PATCH", `/orders/${id}`, [{ op: "replace", path: "/number", value: 13 }]], {
              "content-type": "application/json-patch+json",
            }),
        ],
        [
          14,
          null,
          () =>
            done(coded, ["PATCH", `/orders/${id}`, { number: 14, day: null }], {
              "content-type": "application/merge-patch+json",
            }),
        ],
        [
          15,
          null,
          () =>
            done(coded, ["PATCH", `/orders?filter[note]=every`, { number: 15 }], {
              prefer: "max-affected=3",
            }),
        ],
        [
          16,
          "2026-05-16",
          () =>
            asked(
              coded,
              `mutation { updateOrders(where: { note: { eq: "every" } }, maxAffected: 3, input: { number: 16, day: "2026-05-16" }) { orders { number day } } }`,
            ),
        ],
        [
          17,
          "2026-05-16",
          () =>
            done(coded, [
              "POST",
              "/batch",
              { requests: [{ method: "PATCH", path: `/orders/${id}`, body: { number: 17 } }] },
            ]),
        ],
        [180, "2026-05-16", () => done(oldest, ["PATCH", `/orders/${id}`, { tens: "18.0" }])],
        [
          190,
          "2026-05-19",
          () =>
            asked(
              oldest,
              `mutation { upsertOrderByNote(note: "every", input: { tens: "19", day: "2026-05-19" }) { order { tens } } }`,
            ),
        ],
        [190, "2026-05-19", () => done(coded, ["POST", `/orders/${id}/transitions/pay`])],
      ]
      for (const [number, day, write] of forms) {
        await write()
        await isOrder(id, number, day)
      }
    })

    test("made in bulk, nested, by upsert and in a batch", async () => {
      const bulk = await done(coded, [
        "POST",
        "/orders/bulk",
        [
          { number: 21, note: "b1" },
          { number: 22, note: "b2", day: "2026-05-22" },
        ],
      ])
      assert.deepEqual(
        bulk.data.map((one: { number: number }) => one.number),
        [21, 22],
      )
      await isOrder(bulk.data[1].id, 22, "2026-05-22")
      const { createOrders } = await asked(
        coded,
        `mutation { createOrders(input: [{ number: 23, note: "b3" }, { number: 24, note: "b4" }]) { orders { id number } } }`,
      )
      assert.deepEqual(
        createOrders.orders.map((one: { number: number }) => one.number),
        [23, 24],
      )
      await isOrder(createOrders.orders[0].id, 23, null)
      const nested = await done(coded, [
        "POST",
        "/orders?include=lines",
        {
          number: 25,
          note: "n",
          lines: {
            create: [
              { amount: "2 kg", rough: 2 },
              { amount: "3 m", rough: 3 },
            ],
          },
        },
      ])
      assert.deepEqual(
        nested.lines.data.map((one: Record<string, unknown>) => [one["amount"], one["rough"]]),
        [
          ["2.00 kg", 2],
          ["3.00 m", 3],
        ],
      )
      const lines = await done(newest, ["GET", `/orders/${nested.id}/lines?sort=size&fields=unit,size`])
      assert.deepEqual(
        lines.data.map((one: Record<string, unknown>) => [one["unit"], one["size"]]),
        [
          ["kg", "2.00"],
          ["m", "3.00"],
        ],
      )
      const upserted = await done(coded, ["PUT", "/orders/note=u", { number: 26 }])
      await isOrder(upserted.id, 26, null)
      const batch = await done(coded, [
        "POST",
        "/batch",
        {
          requests: [
            { id: "o", method: "POST", path: "/orders", body: { number: 27, note: "c1" } },
            { method: "POST", path: "/orders", body: { number: 28, note: "c2" } },
            { method: "GET", path: "/orders/$o.id?fields=number" },
          ],
        },
      ])
      assert.deepEqual(
        batch.responses.map((one: { body: { number: number } }) => one.body.number),
        [27, 28, 27],
      )
    })

    test("functions are called once for all records", async () => {
      calls.length = 0
      await done(coded, ["GET", "/orders?limit=50"])
      assert.equal(calls.length, 1)
      calls.length = 0
      const inputs = [31, 32, 33].map((number) => ({ number, note: `once ${number}` }))
      await done(coded, ["POST", "/orders/bulk?fields=note", inputs])
      assert.deepEqual(calls, ["writes 3"])
      calls.length = 0
      await done(newest, ["GET", "/orders?limit=50"])
      await done(coded, ["GET", "/orders?limit=50&fields=note"])
      await done(coded, ["PATCH", "/orders/note=once%2031?fields=note", { day: "2026-01-01" }])
      assert.deepEqual(calls, [])
    })

    test("what the functions refuse, and their faults, are told; nothing is written", async () => {
      const count = async (): Promise<number> =>
        (await done(newest, ["GET", "/orders?limit=1&total=true"])).page.total
      const before = await count()
      const { body } = await send(coded, ["POST", "/orders", { number: 6, note: "f" }])
      assert.equal(body.code, "invalid_value")
      assert.deepEqual(body.errors, [{ code: "invalid_value", detail: "Never six.", pointer: "/number" }])
      const several = await send(coded, [
        "POST",
        "/orders/bulk",
        [
          { number: 1, note: "g" },
          { number: 6, note: "h" },
        ],
      ])
      assert.deepEqual(
        several.body.errors.map((one: { pointer: string }) => one.pointer),
        ["/1/number"],
      )
      const { errors } = await graphql(
        coded,
        `mutation { createOrder(input: { number: 6, note: "i" }) { order { id } } }`,
      )
      assert.equal(errors[0].message, "Never six.")
      for (const [number, status, code, logged] of [
        [7, 500, "internal", /a secret of the code/],
        [8, 500, "wrong_output", /gave `number`, which must be/],
        [9, 500, "wrong_output", /gave no `number`/],
        [10, 500, "wrong_output", /gave "more", which the change does not name/],
        [11, 500, "wrong_output", /must give an object for each record, not null/],
      ] as const) {
        const answered = await send(coded, ["POST", "/orders", { number, note: `f ${number}` }])
        assert.deepEqual([answered.status, answered.body.code], [status, code], `${number}`)
        assert.doesNotMatch(JSON.stringify(answered.body), /secret of|function/)
        assert.match(faults(), logged)
        assert.match(faults(), /order\.number of 2026-11-01/)
      }
      assert.equal(await count(), before)
    })

    test("a value that the function cannot give is an error in its place", async () => {
      const ids: string[] = []
      for (const number of ["N-1", "N-66", "N-67", "N-68", "N-69", "N-70"])
        ids.push((await done(newest, ["POST", "/orders", { number, note: `x ${number}` }])).id)
      const where = `where: { note: { startsWith: "x " } }, orderBy: [{ field: note }]`
      const { data, errors } = await graphql(
        coded,
        `{ orders(first: 9, ${where}) { nodes { note number } } }`,
      )
      assert.deepEqual([data, errors[0].extensions.code], [null, "computed_failed"])
      const each = ids.map((id, at) => `r${at}: order(id: "${id}") { number }`).join(" ")
      const apart = await graphql(coded, `{ ${each} }`)
      assert.deepEqual(Object.values(apart.data), [{ number: 1 }, null, null, null, null, null])
      assert.deepEqual(
        apart.errors.map((one: { message: string }) => one.message),
        ["It is cursed.", ...[1, 2, 3, 4].map(() => "`number` could not be computed.")],
      )
      assert.match(faults(), /order\.number of 2026-11-01/)
      const list = await send(coded, ["GET", "/orders?limit=9&filter[note][startsWith]=x%20&sort=note"])
      assert.equal(list.status, 500)
      assert.deepEqual(
        list.body.errors.map((one: { pointer: string }) => one.pointer),
        [1, 2, 3, 4, 5].map((at) => `/data/${at}/number`),
      )
      await done(coded, ["GET", "/orders?limit=9&filter[note][startsWith]=x%20&fields=note"])
      const one = await graphql(coded, `{ order(id: "${ids[1]}") { number } }`)
      assert.deepEqual([one.data, one.errors.length], [{ order: null }, 1])
      for (const id of ids) await done(newest, ["DELETE", `/orders/${id}`])
      const { id } = await done(newest, ["POST", "/orders", { number: "N-71", note: "thrown" }])
      const thrown = await send(coded, ["GET", `/orders/${id}`])
      assert.deepEqual([thrown.status, thrown.body.code], [500, "computed_failed"])
      assert.match(faults(), /another secret/)
      await done(newest, ["DELETE", `/orders/${id}`])
    })

    test("a bulk mutation whose answer fails is not done", async () => {
      const { id } = await done(newest, ["POST", "/orders", { number: "N-66", note: "bulk" }])
      const answered = await graphql(
        coded,
        `mutation { updateOrders(where: { note: { eq: "bulk" } }, maxAffected: 2, input: { day: "2026-03-03" }) { orders { number } } }`,
      )
      assert.equal(answered.data, null)
      assert.equal(answered.errors[0].extensions.code, "computed_failed", JSON.stringify(answered))
      assert.equal((await done(newest, ["GET", `/orders/${id}`])).placedAt, null)
      await done(newest, ["DELETE", `/orders/${id}`])
    })

    test("nothing is asked by them", async () => {
      for (const query of [
        "filter[number]=1",
        "sort=number",
        "filter[day][gt]=2026-01-01",
        "aggregate[max]=number",
      ])
        assert.equal((await send(coded, ["GET", `/orders?${query}`])).status, 400, query)
      for (const query of [
        "{ orders(first: 1, where: { number: { eq: 1 } }) { nodes { id } } }",
        "{ orders(first: 1, orderBy: [{ field: number }]) { nodes { id } } }",
        "{ orders(first: 1) { groups(by: [number]) { count } } }",
      ])
        assert.notEqual((await graphql(coded, query)).errors, undefined, query)
    })

    test("a key has its first answer, also where the function refuses by now", async () => {
      const { id: orderId } = await done(coded, ["POST", "/orders", { number: 90, note: "keyed" }])
      for (const [path, body, refusedNow] of [
        ["/orders", { number: 91, note: "key" }, 91],
        ["/lines", { amount: "1 kg", rough: 92, orderId }, 92],
      ] as const) {
        const key = { "idempotency-key": randomUUID() }
        const other = { "idempotency-key": randomUUID() }
        const first = await send(coded, ["POST", path, body], key)
        refuses.add(refusedNow)
        const second = await send(coded, ["POST", path, body], key)
        const mismatch = await send(coded, ["POST", path, { ...body, amount: "2 kg" }], key)
        const refused = await send(coded, ["POST", path, body], other)
        refuses.delete(refusedNow)
        assert.equal(first.status, 201, JSON.stringify(first.body))
        assert.deepEqual([second.status, second.body], [201, first.body])
        assert.equal(second.headers.get("idempotency-replayed"), "true")
        assert.equal(mismatch.status, path === "/lines" ? 422 : 400)
        assert.deepEqual([refused.status, refused.body.errors[0].detail], [400, "Never six."])
        if (path === "/lines") await done(coded, ["POST", path, body], other)
      }
    })

    test("what a caller does not see is not given to code, and what it may not set is not written", async () => {
      const { id } = await done(
        newest,
        ["POST", "/orders", { number: "N-1", note: "hidden", secret: "7" }],
        staffed,
      )
      const stranger = await done(coded, ["GET", `/orders/${id}`])
      assert.equal("secret" in stranger, false)
      assert.equal((await send(coded, ["PATCH", `/orders/${id}`, { secret: 8 }])).status, 400)
      assert.match(JSON.stringify(await graphql(coded, `{ order(id: "${id}") { secret } }`)), /secret/)
      assert.equal((await done(coded, ["GET", `/orders/${id}`], staffed)).secret, 7)
      await done(coded, ["PATCH", `/orders/${id}`, { secret: 8 }], staffed)
      assert.equal((await done(newest, ["GET", `/orders/${id}`], staffed)).secret, "8")
    })

    test("a reference is given as code says, and leads to what the caller sees", async () => {
      const { id } = await done(newest, ["POST", "/customers", { name: "Ada" }])
      const buyerId = id.replace("cus_", "buy-")
      const order = await done(coded, ["POST", "/orders", { number: 41, note: "ref", buyerId }])
      assert.equal(order.buyerId, buyerId)
      assert.equal((await done(newest, ["GET", `/orders/${order.id}`])).customerId, id)
      const other = buyerId.slice(0, -1) + (buyerId.endsWith("1") ? "2" : "1")
      const refused = await send(coded, ["PATCH", `/orders/${order.id}`, { buyerId: other }])
      assert.deepEqual([refused.status, refused.body.code], [422, "missing_reference"])
      await done(coded, ["PATCH", `/orders/${order.id}`, { buyerId: null }])
      assert.equal((await done(newest, ["GET", `/orders/${order.id}`])).customerId, null)
    })
  })
