import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Desk, openDesk, type Reply } from "./desk.ts"

let count = 0
const fresh = (): string => {
  count += 1
  return `b${count}`
}

const customer = (): object => ({ email: `${fresh()}@example.org`, name: "Ada" })

for (const database of dialects)
  describe(`batches on ${database}`, () => {
    let desk: Desk
    const hooks = cleanUp(after)
    before(async () => {
      desk = await openDesk(hooks, database)
    })
    const batch = (requests: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      desk.send("POST /batch", { requests }, headers)

    test("requests are done in their order, and refer to the records of those before", async () => {
      const word = fresh()
      const done = await batch([
        { id: "c", method: "POST", path: "/customers?fields=name", body: customer() },
        {
          id: "o",
          method: "POST",
          path: "/orders?fields=customerId",
          body: {
            number: fresh(),
            total: "1.00",
            customerId: { $ref: "c.id" },
            lines: { create: [{ position: 1, quantity: 1 }] },
          },
        },
        { id: "l", method: "POST", path: "/orders/$o.id/lines", body: { position: 2, quantity: 2 } },
        { id: "t", method: "PUT", path: `/tags/${word}`, body: {} },
        { method: "PUT", path: "/orders/$o.id/tags/$t.id" },
        { method: "PATCH", path: "/lines/$l.id", body: { quantity: 5 }, headers: { "If-Match": '"1"' } },
        { method: "GET", path: "/orders/$o.id?fields=number&include=lines,tags,customer" },
        { method: "GET", path: "/lines?filter[quantity]=5&fields=quantity" },
        { method: "PATCH", path: "/orders/$o.id", body: { tags: { unlink: [{ $ref: "t.id" }] } } },
        { method: "GET", path: "/orders/$o.id/tags" },
        { method: "DELETE", path: "/lines/$l.id" },
      ])
      assert.equal(done.status, 200, done.body)
      const { responses } = done.json
      assert.deepEqual(
        responses.map(({ status }: { status: number }) => status),
        [201, 201, 201, 201, 204, 200, 200, 200, 200, 200, 204],
      )
      const [c, o, l] = responses
      assert.equal(c.id, "c")
      assert.equal(c.headers.location, `/api/customers/${c.body.id}`)
      assert.match(c.headers.etag, /^"1\./)
      assert.equal(o.body.customerId, c.body.id)
      assert.equal(l.body.orderId, o.body.id)
      const read = responses[6].body
      assert.equal(read.customer.id, c.body.id)
      assert.deepEqual(
        read.lines.data.map(({ quantity }: { quantity: number }) => quantity),
        [1, 5],
      )
      assert.equal(read.tags.data[0].word, word)
      assert.deepEqual(responses[9].body.data, [])
      assert.equal((await desk.send(`GET /lines/${encodeURIComponent(l.body.id)}`)).status, 404)
      assert.equal((await desk.send(`GET /orders/${o.body.id}?fields=number`)).json.number, read.number)
    })

    test("a batch with a mistake or a failure anywhere changes nothing, and says where", async () => {
      const made = await desk.send("POST /customers", customer())
      const order = await desk.send("POST /orders", {
        number: fresh(),
        total: "1.00",
        customerId: made.json.id,
      })
      assert.equal(order.status, 201)
      const contents = await desk.contents()
      const good = { id: "c", method: "POST", path: "/customers", body: customer() }
      const after = { method: "PATCH", path: `/customers/${made.json.id}`, body: { note: "done" } }
      const cases: readonly (readonly [request: unknown, status: number, code: string, pointer: string])[] = [
        [
          { method: "POST", path: "/customers", body: { name: 1, email: "a@b.c" } },
          400,
          "invalid_value",
          "/requests/1/body/name",
        ],
        [
          { method: "POST", path: "/customers", body: { name: "a", email: made.json.email } },
          409,
          "already_exists",
          "/requests/1/body/email",
        ],
        [
          { method: "PATCH", path: "/orders/number=none", body: { total: "1" } },
          404,
          "not_found",
          "/requests/1/path",
        ],
        [{ method: "GET", path: "/orders/number=none" }, 404, "not_found", "/requests/1/path"],
        [{ method: "GET", path: "/orders?fields=none" }, 400, "unknown_field", "/requests/1/path"],
        [{ method: "GET", path: "/orders?limit=x" }, 400, "invalid_value", "/requests/1/path"],
        [{ method: "GET", path: "/nothing" }, 404, "not_found", "/requests/1/path"],
        [{ method: "POST", path: "/batch", body: {} }, 405, "method_not_allowed", "/requests/1/method"],
        [
          { method: "PATCH", path: "/customers/$c.id", body: { note: "x" }, headers: { "if-match": '"7"' } },
          412,
          "stale_version",
          "/requests/1/headers",
        ],
        [
          { method: "PATCH", path: "/customers/$d.id", body: { note: "x" } },
          400,
          "invalid_value",
          "/requests/1/path",
        ],
        [{ method: "GET", path: "/customers/$d.id" }, 400, "invalid_value", "/requests/1/path"],
        [{ method: "PUT", path: "/orders/number=x/tags/$d.id" }, 400, "invalid_value", "/requests/1/path"],
        [
          { method: "PATCH", path: "/counters/01gnna1j00e1rrmypgynq0qqf2", body: { value: 1 } },
          428,
          "version_required",
          "/requests/1/headers",
        ],
        [
          { method: "PATCH", path: "/orders/$c.id", body: { note: "x" } },
          404,
          "not_found",
          "/requests/1/path",
        ],
        [
          {
            method: "POST",
            path: "/orders",
            body: { number: "x", total: "1", customerId: { $ref: "d.id" } },
          },
          400,
          "invalid_value",
          "/requests/1/body/customerId",
        ],
        [
          { method: "POST", path: "/orders/$c.id/lines", body: { position: 1, quantity: 1 } },
          404,
          "not_found",
          "/requests/1/path",
        ],
        [{ method: "DELETE", path: "/customers", body: undefined }, 400, "invalid_value", "/requests/1/path"],
        [
          { method: "POST", path: "/customers", body: customer(), headers: { accept: "x" } },
          400,
          "unknown_parameter",
          "/requests/1/headers/accept",
        ],
        [{ method: "POST", path: "customers", body: customer() }, 400, "invalid_value", "/requests/1/path"],
        [
          { id: "c", method: "POST", path: "/customers", body: customer() },
          400,
          "invalid_value",
          "/requests/1/id",
        ],
        [{ path: "/customers", verb: "x" }, 400, "unknown_field", "/requests/1/verb"],
        [
          {
            method: "PATCH",
            path: "/customers?filter[name]=Ada",
            body: { note: "x" },
            headers: { prefer: "max-affected=1" },
          },
          409,
          "too_many_affected",
          "/requests/1/headers",
        ],
        [
          {
            method: "DELETE",
            path: "/customers?filter[name]=Ada",
            headers: { prefer: "max-affected=9" },
          },
          409,
          "still_referenced",
          "/requests/1/path",
        ],
        [
          { method: "DELETE", path: `/customers/${made.json.id}`, body: {} },
          400,
          "malformed_request",
          "/requests/1/body",
        ],
        [{ method: "GET", path: "/nodes" }, 400, "invalid_value", "/requests/1/path"],
        [7, 400, "invalid_value", "/requests/1"],
      ]
      for (const [request, status, code, pointer] of cases) {
        const refused = await batch([good, request, after])
        const got = [refused.status, refused.json.code, refused.json.errors?.[0]?.pointer]
        assert.deepEqual(got, [status, code, pointer], `${JSON.stringify(request)} ${refused.body}`)
      }
      const twice = {
        number: "x",
        total: "1",
        customerId: { $ref: "d.id" },
        tags: { link: [{ $ref: "d.id" }] },
      }
      const told = await batch([good, { method: "POST", path: "/orders", body: twice }])
      assert.deepEqual(
        told.json.errors.map(({ pointer }: { pointer: string }) => pointer),
        ["/requests/1/body/customerId", "/requests/1/body/tags/link/0"],
        "each reference to nothing is told once",
      )
      for (const body of [[], {}, { requests: [] }, { requests: [good], more: 1 }, { requests: good }])
        assert.equal((await desk.send("POST /batch", body)).status, 400)
      const many = await batch(Array.from({ length: 101 }, () => after))
      assert.equal(many.status, 413)
      assert.equal(await desk.contents(), contents)
    })

    test("records of any kind are named by their ids, as by themselves", async () => {
      const made = await desk.send("POST /customers", customer())
      const path = `/nodes?ids=${made.json.id},cus_none`
      const { json } = await batch([{ method: "GET", path }])
      assert.deepEqual(json.responses[0].body, (await desk.send(`GET ${path}`)).json)
      assert.equal(json.responses[0].body.data[0].id, made.json.id)
    })

    test("a batch with a key is done once", async () => {
      const key = { "idempotency-key": randomUUID() }
      const requests = [{ id: "c", method: "POST", path: "/customers", body: customer() }]
      const first = await batch(requests, key)
      const second = await batch(requests, key)
      assert.deepEqual([second.status, second.body], [200, first.body])
      assert.equal(second.headers["idempotency-replayed"], "true")
      assert.equal((await batch([...requests, ...requests], key)).status, 400)
    })

    test("a json value that looks like a reference is a value", async () => {
      const facts = { $ref: "c.id" }
      const done = await batch([
        { id: "c", method: "POST", path: "/customers", body: customer() },
        { method: "POST", path: "/customers?fields=facts", body: { ...customer(), facts } },
      ])
      assert.deepEqual(done.json.responses[1].body.facts, facts)
    })
  })
