// Changes by code: former fields that two functions turn into today's and back, by both faces on both databases.
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { after, describe, test } from "node:test"
import { inspect } from "node:util"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { codeAt } from "../code/in-threads.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { calls, coded as declared, refuses } from "./coded.ts"

const [newest, coded, oldest] = ["2026-11-01", "2026-06-01", "2026-01-01"] as const
const staffed = { authorization: "role:staff" }
const shop = load(withSystem(declared))

interface Sent {
  readonly record: { readonly number: number | null }
  readonly changes: readonly { readonly field: string }[]
}

for (const database of ["sqlite", "postgres"] as const)
  describe(`changes by code on ${database}`, async () => {
    const hooks = cleanUp(after)
    const url = await openDatabase(hooks, database, shop)
    const identify = withVersions(
      ({ authorization }) =>
        authorization === undefined ? strangerTo(shop) : actorFromText(shop, authorization),
      shop,
    )
    const server = await openServer(hooks, url, shop, { dialer: { networks: "any" } }, { identify })
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
      await done(coded, ["GET", "/lines?limit=50"])
      assert.equal(calls.length, 1)
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
        [1_013, 500, "wrong_output", /gave 2 values of writes of order\.number of 2026-11-01 for 1 records/],
        [1_014, 500, "wrong_output", /gave no list of values for writes of order\.number/],
      ] as const) {
        const answered = await send(coded, ["POST", "/orders", { number, note: `f ${number}` }])
        assert.deepEqual([answered.status, answered.body.code], [status, code], `${number}`)
        assert.doesNotMatch(JSON.stringify(answered.body), /secret of|function/)
        assert.match(faults(), logged)
        assert.match(faults(), /order\.number of 2026-11-01/)
      }
      // Which record it was is told, and the fault is logged once.
      for (const [number, pointer, path] of [
        [9, "/1", ["createOrders"]],
        [1_013, undefined, ["createOrders"]],
        [1_014, undefined, ["createOrders"]],
      ] as const) {
        const logged = server.observed.length
        const inputs = [
          { number: 1, note: "w" },
          { number, note: "x" },
        ]
        const rest = await send(coded, ["POST", "/orders/bulk", inputs])
        const [told, ...more] = rest.body.errors
        assert.deepEqual([told.code, told.pointer, more], ["wrong_output", pointer, []])
        const several = inputs.map((one) => `{ number: ${one.number}, note: "${one.note}" }`)
        const { data, errors: all } = await graphql(
          coded,
          `mutation { createOrders(input: [${several}]) { orders { id } } }`,
        )
        assert.deepEqual(
          [data, all.length, all[0].extensions.code, all[0].path],
          [null, 1, "wrong_output", path],
        )
        const faulty = server.observed.slice(logged).filter((one) => "error" in one && one.error)
        assert.equal(faulty.length, 2, inspect(faulty))
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
      // No hook has the transaction stay open.
      const order = await made(93, "lines in bulk")
      const line = { unit: "cursed", size: "1.00", orderId: order }
      const { id: lineId } = await done(newest, ["POST", "/lines", line])
      const lines = `orderId: { eq: "${order}" }`
      const plainly = await graphql(
        coded,
        `mutation { deleteLines(where: { ${lines} }, maxAffected: 2) { lines { amount } } }`,
      )
      assert.deepEqual([plainly.data, plainly.errors[0].extensions.code], [null, "computed_failed"])
      assert.equal((await send(newest, ["GET", `/lines/${lineId}`])).status, 200)
    })

    test("what is left out is today's default, and null is what the function makes of it", async () => {
      const { id } = await done(coded, ["POST", "/orders", { number: 94, note: "left out" }])
      const channel = async () => (await done(newest, ["GET", `/orders/${id}`])).channel
      assert.equal(await channel(), "web")
      await done(coded, ["PATCH", `/orders/${id}`, { channel: 4 }])
      assert.equal(await channel(), "xxxx")
      await done(coded, ["PATCH", `/orders/${id}`, { number: 95 }])
      assert.equal(await channel(), "xxxx")
      await done(coded, ["PATCH", `/orders/${id}`, { channel: null }])
      assert.equal(await channel(), "none")
      await done(coded, ["PUT", `/orders/${id}`, { number: 96, note: "left out" }])
      assert.equal(await channel(), "web")
      assert.equal((await done(coded, ["GET", `/orders/${id}`])).channel, 3)
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
      const { code, detail, pointer } = refused.body.errors[0]
      assert.deepEqual(
        [refused.status, code, pointer, detail],
        [422, "missing_reference", "/buyerId", "`buyerId` must name a record that exists."],
      )
      await done(coded, ["PATCH", `/orders/${order.id}`, { buyerId: null }])
      assert.equal((await done(newest, ["GET", `/orders/${order.id}`])).customerId, null)
    })

    test("events and webhooks of older versions have what the function gives; their changes leave it out", async (t) => {
      const receiver = await startReceiver(t)
      const endpoint = { url: receiver.url, types: ["order.*"], version: coded }
      assert.equal((await send(newest, ["POST", "/webhook-endpoints", endpoint], staffed)).status, 201)
      const { id } = await done(coded, ["POST", "/orders", { number: 51, note: "hook" }])
      await done(newest, ["PATCH", `/orders/${id}`, { number: "N-52", note: "hooked" }])
      await until(() => receiver.received.length > 1)
      const sent = receiver.received.map(({ body }) => body.data as unknown as Sent)
      assert.equal(sent[1]?.record.number, 52)
      assert.deepEqual(sent[1]?.changes.map((change) => change.field).toSorted(), ["last", "note"])
      const { history } = await done(coded, ["GET", `/orders/${id}?include=history`])
      assert.deepEqual(
        history.data.map((entry: { changes: readonly { field: string }[] }) =>
          entry.changes.map(({ field }) => field).toSorted(),
        ),
        [
          ["last", "note", "state"],
          ["last", "note"],
        ],
      )
      await done(newest, ["PATCH", `/orders/${id}`, { number: "N-67" }])
      await until(() => receiver.received.length > 2)
      const failed = receiver.received[2]?.body.data as unknown as Sent
      assert.equal(failed.record.number, null)
    })
  })

test("functions run in threads, and one that loops is ended at its deadline", async () => {
  const hooks = cleanUp(after)
  const model = load(withSystem(codeAt("in threads", hooks, declared, "../versions/coded.ts#coded")))
  const url = await openDatabase(hooks, "sqlite", model)
  const identify = withVersions(() => strangerTo(model), model)
  const server = await openServer(hooks, url, model, {}, { identify })
  const send = async (method: string, path: string, body?: object, version: string = coded) => {
    const headers = { "content-type": "application/json", "api-version": version }
    const answered = await fetch(`${server.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answered.status, body: JSON.parse(await answered.text()) }
  }
  const inputs = [1, 2].map((number) => ({ number, note: `t ${number}`, day: "2026-02-02" }))
  const bulk = await send("POST", "/orders/bulk", inputs as never)
  assert.deepEqual(
    bulk.body.data.map((one: { number: number; day: string }) => [one.number, one.day]),
    [
      [1, "2026-02-02"],
      [2, "2026-02-02"],
    ],
  )
  const refused = await send("POST", "/orders", { number: 6, note: "t" })
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, "/number"])
  const each = await send("GET", "/orders?fields=number&sort=note")
  assert.deepEqual(each.body.data.length, 2)
  const looping = await send("POST", "/orders", { number: 12_345, note: "loop" })
  assert.deepEqual([looping.status, looping.body.code], [503, "action_timeout"])
  await send("POST", "/orders", { number: "N-54321", note: "loops" }, newest)
  const read = await send("GET", "/orders/note=loops")
  assert.deepEqual([read.status, read.body.code], [500, "computed_failed"])
  assert.equal((await send("GET", "/orders/note=loops", undefined, newest)).status, 200)
  assert.equal((await send("GET", "/orders/note=loop", undefined, newest)).status, 404)
})
