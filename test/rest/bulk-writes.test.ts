// Writes by REST that concern a parent, links, several records at once, or the same request sent again.
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Desk, openDesk, type Send } from "./desk.ts"
import { fresh, patch, pointers, recordMakers, tagOf } from "./desk-records.ts"

for (const database of dialects)
  describe(`bulk writes by REST on ${database}`, () => {
    let desk: Desk
    const hooks = cleanUp(after)
    before(async () => {
      desk = await openDesk(hooks, database)
    })

    const send: Send = (...of) => desk.send(...of)
    const { makeCustomer, makeOrder } = recordMakers(send)

    test("records are created under the one they belong to", async () => {
      const order = await makeOrder()
      const made = await send(`POST /orders/number=${order.json.number}/lines`, { position: 1, quantity: 2 })
      assert.equal(made.status, 201)
      assert.equal(made.json.orderId, order.json.id)
      assert.equal(made.headers["location"], `/api/lines/${encodeURIComponent(made.json.id)}`)
      assert.equal((await send(`GET ${made.headers["location"]?.slice(4)}`)).body, made.body)
      const given = await send(`POST /orders/${order.json.id}/lines`, {
        position: 2,
        quantity: 1,
        orderId: order.json.id,
      })
      assert.deepEqual(
        [given.status, given.json.code, pointers(given)],
        [400, "readonly_field", ["/orderId"]],
      )
      const orphan = await send(`POST /orders/ord_01gnna73qgf1p9fbnv5kgc46y8/lines`, {
        position: 1,
        quantity: 2,
      })
      assert.deepEqual([orphan.status, orphan.json.code], [404, "not_found"])
    })

    test("links are made and taken away, as often as one likes", async () => {
      const order = await makeOrder()
      const word = fresh()
      await send(`PUT /tags/${word}`, {})
      const path = `/orders/${order.json.id}/tags/${word}`
      const tags = async () =>
        (await send(`GET /orders/${order.json.id}/tags?fields=word`)).json.data.map(
          (tag: { word: string }) => tag.word,
        )
      for (const _ of [1, 2]) assert.equal((await send(`PUT ${path}`)).status, 204)
      assert.deepEqual(await tags(), [word])
      const none = await send(`PUT /orders/${order.json.id}/tags/none`)
      assert.deepEqual([none.status, none.json.detail], [404, 'Tag "none" not found.'])
      assert.equal((await send(`PUT /orders/ord_01gnna73qgf1p9fbnv5kgc46y8/tags/${word}`)).status, 404)
      assert.equal((await send(`PUT ${path}`, {})).status, 400)
      for (const _ of [1, 2]) assert.equal((await send(`DELETE ${path}`)).status, 204)
      assert.deepEqual(await tags(), [])
      const stale = await send(`PUT ${path}`, undefined, { "if-match": tagOf(order) })
      assert.equal(stale.status, 412)
    })

    test("several records are created at once, or none", async () => {
      const [one, two] = [fresh(), fresh()]
      const made = await send("POST /customers?fields=name", [
        { email: `${one}@example.org`, name: "One" },
        { email: `${two}@example.org`, name: "Two" },
      ])
      assert.equal(made.status, 201)
      assert.deepEqual(
        made.json.data.map(({ name }: { name: string }) => name),
        ["One", "Two"],
      )
      assert.equal(made.json.page.total, 2)
      const contents = await desk.contents()
      const refused = await send("POST /customers", [
        { email: `${fresh()}@example.org`, name: "Three" },
        { email: `${one}@example.org`, name: "Four" },
      ])
      assert.deepEqual([refused.status, refused.json.code], [409, "already_exists"])
      assert.equal((await send("POST /customers", [])).status, 400)
      assert.equal(await desk.contents(), contents)
    })

    test("a list is of as many records as a request may write, and not of one more", async () => {
      const name = fresh()
      const words = (count: number) => Array.from({ length: count }, (_, n) => ({ word: `${name}-${n}` }))
      const refused = await send("POST /tags", words(1_001))
      assert.deepEqual([refused.status, refused.json.code], [413, "too_large"])
      const made = await send("POST /tags", words(1_000))
      assert.deepEqual([made.status, made.json.page?.total], [201, 1_000])
      const prefer = { prefer: "max-affected=1000" }
      assert.equal(
        (await send(`DELETE /tags?filter[word][startsWith]=${name}-`, undefined, prefer)).status,
        200,
      )
    })

    test("records that meet a condition are changed and deleted at once, at most as many as were allowed", async () => {
      const name = fresh()
      for (const _ of [1, 2, 3]) await makeCustomer({ name })
      const contents = await desk.contents()
      const prefer = { prefer: "max-affected=2" }
      for (const [line, body] of [
        [`PATCH /customers?filter[name]=${name}`, { points: 1 }],
        [`DELETE /customers?filter[name]=${name}`, undefined],
      ] as const) {
        const many = await send(line, body, prefer)
        assert.deepEqual(
          [many.status, many.json.code, pointers(many)],
          [409, "too_many_affected", ["Prefer"]],
        )
      }
      for (const query of ["", "?filter={}", "?fields=name"])
        for (const [method, body] of [
          ["PATCH", { points: 1 }],
          ["DELETE", undefined],
        ] as const) {
          const all = await send(`${method} /customers${query}`, body, prefer)
          assert.deepEqual([all.status, all.json.code, pointers(all)], [400, "invalid_value", ["filter"]])
        }
      const unsaid = await send(`DELETE /customers?filter[name]=${name}`)
      assert.deepEqual(
        [unsaid.status, unsaid.json.code, pointers(unsaid)],
        [400, "missing_field", ["Prefer"]],
      )
      const sorted = await send(`DELETE /customers?filter[name]=${name}&limit=1`, undefined, prefer)
      assert.deepEqual([sorted.json.code, pointers(sorted)], ["unknown_parameter", ["limit"]])
      const odd = await send(`DELETE /customers?filter[name]=${name}`, undefined, {
        prefer: "max-affected=some",
      })
      assert.equal(odd.status, 400)
      assert.equal(await desk.contents(), contents)
      const changed = await send(
        `PATCH /customers?filter[name]=${name}&fields=points`,
        { points: 1 },
        {
          prefer: "max-affected=3",
        },
      )
      assert.equal(changed.status, 200, changed.body)
      assert.equal(changed.headers["preference-applied"], "max-affected=3")
      assert.deepEqual(
        changed.json.data.map(({ points }: { points: number }) => points),
        [1, 1, 1],
      )
      const gone = await send(
        `DELETE /customers?filter={"name":{"eq":"${name}"},"points":{"eq":1}}&fields=name`,
        undefined,
        { prefer: "max-affected=3" },
      )
      assert.deepEqual([gone.status, gone.json.page.total, gone.json.data[0].name], [200, 3, name])
      assert.deepEqual((await send(`GET /customers?filter[name]=${name}`)).json.data, [])
    })

    test("a request with a key is done once, and answered the same", async () => {
      const key = { "idempotency-key": randomUUID() }
      const email = `${fresh()}@example.org`
      const first = await send("POST /customers", { email, name: "A" }, key)
      const second = await send("POST /customers", { email, name: "A" }, key)
      assert.deepEqual([second.status, second.body], [201, first.body])
      assert.equal(second.headers["location"], first.headers["location"])
      assert.equal(second.headers["etag"], first.headers["etag"])
      assert.equal(second.headers["idempotency-replayed"], "true")
      assert.equal(first.headers["idempotency-replayed"], undefined)
      const other = await send("POST /customers", { email, name: "B" }, key)
      assert.deepEqual([other.status, other.json.code], [422, "idempotency_mismatch"])
      const path = `/customers/${first.json.id}`
      const add = [
        { op: "test", path: "/points", value: 0 },
        { op: "replace", path: "/points", value: 5 },
      ]
      const patched = { ...patch, "idempotency-key": randomUUID(), "if-match": tagOf(first) }
      assert.equal((await send(`PATCH ${path}`, add, patched)).status, 200)
      await send(`PATCH ${path}`, { points: 6 })
      assert.equal((await send(`PATCH ${path}`, add, patched)).json.points, 5)
      assert.equal((await send(`GET ${path}`)).json.points, 6)
      const reused = await send(`PATCH ${path}`, [...add, ...add], patched)
      assert.deepEqual([reused.status, reused.json.code], [422, "idempotency_mismatch"])
      const late = await send(`PATCH ${path}`, add, { ...patch, "idempotency-key": randomUUID() })
      assert.deepEqual([late.status, late.json.code], [409, "patch_failed"])
      const gone = { "idempotency-key": randomUUID() }
      for (const _ of [1, 2]) assert.equal((await send(`DELETE ${path}`, undefined, gone)).status, 204)
    })
  })
