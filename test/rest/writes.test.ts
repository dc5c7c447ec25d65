// Writes of single records by REST: methods, versions, JSON Patch, and what is wrong with a request.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Desk, openDesk, type Reply, type Send } from "./desk.ts"
import { fresh, merge, patch, pointers, recordMakers, tagOf } from "./desk-records.ts"

for (const database of dialects)
  describe(`writes by REST on ${database}`, () => {
    let desk: Desk
    const hooks = cleanUp(after)
    before(async () => {
      desk = await openDesk(hooks, database)
    })

    const send: Send = (...of) => desk.send(...of)
    const { makeCustomer, makeOrder } = recordMakers(send)

    test("POST creates a record, says where it is and gives it back as GET does", async () => {
      const made = await send("POST /customers?fields=name,points&include=orders", {
        email: `${fresh()}@example.org`,
        name: "Zoë",
      })
      assert.equal(made.status, 201)
      const { id } = made.json
      assert.equal(made.headers["location"], `/api/customers/${id}`)
      assert.deepEqual(made.json, {
        id,
        name: "Zoë",
        points: 0,
        orders: { data: [], page: { next: null, prev: null } },
      })
      const read = await send(`GET /customers/${id}?fields=name,points&include=orders`)
      assert.equal(read.body, made.body)
      assert.equal(read.headers["etag"], made.headers["etag"])
      assert.match(tagOf(made), /^"1\.[\w-]{27}"$/)
    })

    test("with Prefer: return=minimal there is no body, and what was asked is said", async () => {
      const prefer = { prefer: "return=minimal" }
      const made = await send("POST /customers", { email: `${fresh()}@example.org`, name: "A" }, prefer)
      assert.deepEqual([made.status, made.body], [201, ""])
      assert.equal(made.headers["preference-applied"], "return=minimal")
      assert.equal(tagOf(made), '"1"')
      const path = made.headers["location"]?.slice("/api".length)
      const changed = await send(`PATCH ${path}`, { name: "B" }, { ...prefer, "if-match": tagOf(made) })
      assert.deepEqual([changed.status, changed.body, tagOf(changed)], [204, "", '"2"'])
      assert.equal((await send(`GET ${path}`)).json.name, "B")
      const few = { prefer: "return=minimal, max-affected=1" }
      const bulk = await send(`PATCH /customers?filter[name]=none`, { name: "C" }, few)
      assert.deepEqual([bulk.status, bulk.body], [204, ""])
    })

    test("PATCH changes what it names, null clears, and the rest stays", async () => {
      const { json } = await makeCustomer({ note: "x", points: 3 })
      const changed = await send(`PATCH /customers/${json.id}`, { note: null, name: "B" }, merge)
      assert.equal(changed.status, 200)
      assert.deepEqual(changed.json, { ...json, note: null, name: "B" })
    })

    test("a merge patch reaches into a json value, and plain JSON replaces it", async () => {
      const { json } = await makeCustomer({ facts: { a: 1, b: { c: 2, d: 3 } } })
      const path = `PATCH /customers/${json.id}`
      const merged = await send(path, { facts: { a: null, b: { c: 4 }, e: [1] } }, merge)
      assert.deepEqual(merged.json.facts, { b: { c: 4, d: 3 }, e: [1] })
      const replaced = await send(path, { facts: { f: 1 } })
      assert.deepEqual(replaced.json.facts, { f: 1 })
      const odd = await send(path, '{"facts":{"__proto__":{"x":1}}}', merge)
      assert.equal(odd.json.facts.f, 1)
      assert.ok(odd.body.includes('"__proto__":'))
    })

    test("PUT replaces: what is not given is as if it never had been", async () => {
      const { json } = await makeCustomer({ note: "x", points: 3, facts: { a: 1 } })
      const { email, name, createdAt, id } = json
      const put = await send(`PUT /customers/${id}`, { email, name })
      assert.equal(put.status, 200)
      assert.deepEqual(put.json, {
        id,
        email,
        name,
        note: null,
        points: 0,
        facts: null,
        words: null,
        createdAt,
      })
      const lacking = await send(`PUT /customers/${id}`, { name })
      assert.deepEqual(
        [lacking.status, lacking.json.code, pointers(lacking)],
        [400, "missing_field", ["/email"]],
      )
    })

    test("PUT makes no record where Bifold makes the ids", async () => {
      const gone = await send(`PUT /customers/cus_01gnna1j00e1rrmypgynq0qqf2`, { email: "x@y.z", name: "A" })
      assert.equal(gone.status, 404)
      const any = await send(
        `PUT /customers/cus_01gnna1j00e1rrmypgynq0qqf2`,
        { email: "x@y.z", name: "A" },
        { "if-none-match": "*" },
      )
      assert.equal(any.status, 412)
      const misspelt = await send("PUT /customers/email=x@y.z;name=A", { name: "A" })
      assert.deepEqual(
        [misspelt.status, misspelt.json.errors[0].hint],
        [404, "Besides the id, these name one: email=…."],
      )
    })

    test("PUT under a natural key creates, then replaces", async () => {
      const word = fresh()
      const made = await send(`PUT /tags/${word}`, { colour: "red", rank: 1 })
      assert.equal(made.status, 201)
      assert.equal(made.headers["location"], `/api/tags/tag_${word}`)
      assert.deepEqual(made.json, { id: `tag_${word}`, word, colour: "red", rank: 1 })
      const put = await send(`PUT /tags/${word}`, {})
      assert.equal(put.status, 200)
      assert.equal(put.headers["location"], undefined)
      assert.deepEqual(put.json, { id: `tag_${word}`, word, colour: null, rank: 5 })
      const bad = await send("PUT /tags/Not%20A%20Slug", {})
      assert.deepEqual([bad.status, bad.json.code], [400, "invalid_value"])
      const other = await send(`PUT /tags/${word}`, { word: "other" })
      assert.deepEqual([other.status, other.json.code, pointers(other)], [400, "readonly_field", ["/word"]])
    })

    test("PUT under a composite key takes its parts from the address", async () => {
      const order = await makeOrder()
      const bare = order.json.id.slice(4)
      const made = await send(`PUT /lines/${bare}~7`, { quantity: 2, note: "x" })
      assert.equal(made.status, 201)
      assert.deepEqual(made.json, {
        id: `line_${bare}~7`,
        position: 7,
        quantity: 2,
        note: "x",
        orderId: order.json.id,
      })
      const put = await send(`PUT /lines/line_${bare}~7`, { quantity: 3 })
      assert.deepEqual([put.status, put.json.quantity, put.json.note], [200, 3, null])
    })

    test("PUT and PATCH may repeat the key that their address says, and no other one", async () => {
      const order = await makeOrder()
      const { id, number, customerId } = order.json
      const bare = id.slice(4)
      const word = fresh()
      const email = `${fresh()}@example.org`
      const customer = await makeCustomer()
      const line = { quantity: 2 }
      for (const [request, repeated, contrary, headers = {}] of [
        [`PATCH /orders/${id}`, { id }, { id: "ord_01gnna1j00e1rrmypgynq0qqf2" }],
        [`PATCH /orders/${bare}`, { id, note: "x" }, { id: customerId }, merge],
        [`PATCH /orders/${id}`, { id: bare }, { id: null }],
        [`PATCH /orders/number=${number}`, { number, note: "y" }, { number: "other" }],
        [`PUT /customers/${customer.json.id}`, { ...customer.json, createdAt: undefined }, { id: 7 }],
        [`PUT /tags/${word}`, { word, id: `tag_${word}`, rank: 2 }, { word: "other" }],
        [`PUT /tags/tag_${word}`, { word, colour: "red" }, { id: "tag_other" }],
        [`PUT /tags/${word}`, { word, id: word }, { word: 7 }, { "if-match": "*" }],
        [
          `PUT /tags/new${word}`,
          { word: `new${word}`, id: `new${word}` },
          { id: word },
          { "if-none-match": "*" },
        ],
        [`PATCH /tags/${word}`, { word, id: word, rank: 3 }, { word: "other" }],
        [
          `PUT /lines/${bare}~7`,
          { ...line, orderId: id, position: 7, id: `line_${bare}~7` },
          { position: 8 },
        ],
        [`PATCH /lines/${bare}~7`, { ...line, orderId: bare, position: 7 }, { orderId: customerId }],
        [`PUT /customers/email=${email}`, { name: "A", email }, { email: "b@example.org" }],
        [`PUT /customers/email=${email}`, { name: "B", email }, { email: null }, { "if-match": "*" }],
      ] as const) {
        const done = await send(request, repeated, headers)
        assert.ok(done.status === 200 || done.status === 201, `${request} ${done.body}`)
        const before = await desk.contents()
        const [name = ""] = Object.keys(contrary)
        const isPut = request.startsWith("PUT")
        const refused = await send(request, isPut ? { ...repeated, ...contrary } : contrary, headers)
        assert.deepEqual(
          [refused.status, refused.json.code],
          [400, "readonly_field"],
          `${request} ${refused.body}`,
        )
        assert.deepEqual(pointers(refused), [`/${name}`], request)
        assert.equal(await desk.contents(), before)
      }
      const tag = await send(`GET /tags/${word}`)
      assert.deepEqual(tag.json, { id: `tag_${word}`, word, colour: null, rank: 3 })
      // Nothing says which record the id would have to be.
      const several = await send(
        `PATCH /orders?filter[number]=${number}`,
        { id, note: "z" },
        { prefer: "max-affected=5" },
      )
      assert.deepEqual([several.status, pointers(several)], [400, ["/id"]])
      const byKey = await send(`PATCH /orders/number=${number}`, { id, note: "z" })
      assert.deepEqual([byKey.status, pointers(byKey)], [400, ["/id"]])
      const batch = await send("POST /batch", {
        requests: [
          { method: "PATCH", path: `/orders/${id}`, body: { id, note: "in a batch" } },
          { method: "PUT", path: `/tags/${word}`, body: { word, rank: 4 } },
        ],
      })
      assert.equal(batch.status, 200, batch.body)
    })

    test("PUT under a unique key creates, then replaces; the conditions say which", async () => {
      const email = `${fresh()}@example.org`
      const path = `PUT /customers/email=${email}`
      const none = await send(path, { name: "A" }, { "if-match": "*" })
      assert.deepEqual([none.status, none.json.code], [412, "stale_version"])
      const made = await send(path, { name: "A" }, { "if-none-match": "*" })
      assert.deepEqual([made.status, made.json.email], [201, email])
      const again = await send(path, { name: "B" }, { "if-none-match": "*" })
      assert.deepEqual(pointers(again), ["If-None-Match"])
      assert.deepEqual([again.status, again.json.code], [412, "stale_version"])
      const put = await send(path, { name: "C" })
      assert.deepEqual([put.status, put.json.name, put.json.id], [200, "C", made.json.id])
      const stale = await send(path, { name: "D" }, { "if-match": tagOf(made) })
      assert.equal(stale.status, 412)
      const fit = await send(path, { name: "D" }, { "if-match": tagOf(put) })
      assert.deepEqual([fit.status, fit.json.name, fit.json.email], [200, "D", email])
    })

    test("PUT under a unique key that never changes", async () => {
      const { json } = await makeOrder()
      const put = await send(`PUT /orders/number=${json.number}`, {
        total: "2.00",
        customerId: json.customerId,
      })
      assert.deepEqual([put.status, put.json.total, put.json.number], [200, "2.00", json.number])
      const named = await send(
        `PUT /orders/number=${json.number}`,
        { total: "3.00", customerId: json.customerId },
        { "if-match": "*" },
      )
      assert.deepEqual([named.status, named.json.total], [200, "3.00"])
    })

    test("DELETE takes a record with what it owns, and what others refer to stays", async () => {
      const order = await makeOrder({ lines: { create: [{ position: 1, quantity: 1 }] } })
      const kept = await send(`DELETE /customers/${order.json.customerId}`)
      assert.deepEqual([kept.status, kept.json.code], [409, "still_referenced"])
      const gone = await send(`DELETE /orders/${order.json.id}`)
      assert.deepEqual([gone.status, gone.body], [204, ""])
      assert.equal((await send(`GET /orders/${order.json.id}`)).status, 404)
      assert.equal((await send(`GET /lines/${order.json.id.slice(4)}~1`)).status, 404)
      assert.equal((await send(`DELETE /orders/${order.json.id}`)).status, 404)
    })

    test("If-Match lets the version through that it names, whatever was asked of the record", async () => {
      const { json } = await makeCustomer()
      const path = `/customers/${json.id}`
      const part = await send(`GET ${path}?fields=name`)
      const first = await send(`PATCH ${path}`, { note: "1" }, { "if-match": tagOf(part) })
      assert.equal(first.status, 200)
      const stale = await send(`PATCH ${path}`, { note: "2" }, { "if-match": tagOf(part) })
      assert.deepEqual([stale.status, stale.json.code, pointers(stale)], [412, "stale_version", ["If-Match"]])
      for (const header of ['"2"', '"1", "2.abc"', "*"]) {
        const version = (await send(`GET ${path}?fields=etag`)).json.etag
        const named = header.replaceAll("2", version)
        assert.equal(
          (await send(`PATCH ${path}`, { note: header }, { "if-match": named })).status,
          200,
          named,
        )
      }
      const weak = await send(`DELETE ${path}`, undefined, { "if-match": `W/${tagOf(first)}, W/"5"` })
      assert.equal(weak.status, 412)
      const bare = await send(`DELETE ${path}`, undefined, { "if-match": "5" })
      assert.deepEqual([bare.status, bare.json.code], [400, "malformed_request"])
      const version = (await send(`GET ${path}?fields=etag`)).json.etag
      const gone = await send(`DELETE ${path}`, undefined, { "if-match": `"${version}"` })
      assert.equal(gone.status, 204)
    })

    test("GET answers 304 by the whole tag", async () => {
      const { json } = await makeCustomer()
      const read = await send(`GET /customers/${json.id}`)
      const same = await send(`GET /customers/${json.id}`, undefined, { "if-none-match": tagOf(read) })
      assert.equal(same.status, 304)
      const part = await send(`GET /customers/${json.id}?fields=name`, undefined, {
        "if-none-match": tagOf(read),
      })
      assert.equal(part.status, 200)
    })

    test("a resource that requires a version is not changed without one", async () => {
      const made = await send("POST /counters", { value: 1 })
      const path = `/counters/${made.json.id}`
      for (const [line, body, type] of [
        [`PATCH ${path}`, { value: 2 }, {}],
        [`PATCH ${path}`, [{ op: "replace", path: "/value", value: 2 }], patch],
        [`PUT ${path}`, { value: 2 }, {}],
        [`DELETE ${path}`, undefined, {}],
        [`PATCH ${path}`, { value: 2 }, { "if-match": "*" }],
      ] as const) {
        const refused = await send(line, body, type)
        assert.deepEqual([refused.status, refused.json.code], [428, "version_required"], line)
        assert.deepEqual(pointers(refused), ["If-Match"])
      }
      for (const method of ["PATCH", "DELETE"])
        assert.equal(
          (await send(`${method} /counters?filter[value]=1`, method === "PATCH" ? {} : undefined)).status,
          405,
        )
      const changed = await send(`PATCH ${path}`, { value: 2 }, { "if-match": tagOf(made) })
      assert.equal(changed.status, 200)
      const patched = await send(`PATCH ${path}`, [{ op: "replace", path: "/value", value: 3 }], {
        ...patch,
        "if-match": tagOf(changed),
      })
      assert.deepEqual([patched.status, patched.json.value], [200, 3])
      const gone = await send(`DELETE ${path}`, undefined, { "if-match": tagOf(patched) })
      assert.equal(gone.status, 204)
    })

    test("a JSON Patch changes the record as a whole or not at all", async () => {
      const { json } = await makeCustomer({ note: "x", facts: { a: [1, 2] }, words: ["a", "b"] })
      const path = `PATCH /customers/${json.id}`
      const changed = await send(
        path,
        [
          { op: "test", path: "/name", value: "Ada" },
          { op: "add", path: "/facts/a/1", value: 9 },
          { op: "copy", from: "/facts/a", path: "/facts/b" },
          { op: "move", from: "/note", path: "/name" },
          { op: "remove", path: "/words/0" },
          { op: "replace", path: "/points", value: 7 },
        ],
        patch,
      )
      assert.equal(changed.status, 200, changed.body)
      assert.deepEqual(changed.json, {
        ...json,
        note: null,
        name: "x",
        points: 7,
        facts: { a: [1, 9, 2], b: [1, 9, 2] },
        words: ["b"],
      })
      const contents = await desk.contents()
      const refusals: readonly (readonly [operation: object, status: number, pointer: string])[] = [
        [{ op: "test", path: "/name", value: "y" }, 409, "/1"],
        [{ op: "remove", path: "/nothing" }, 409, "/1/path"],
        [{ op: "replace", path: "/words/7", value: "x" }, 409, "/1/path"],
        [{ op: "remove", path: "/words/length" }, 409, "/1/path"],
        [{ op: "add", path: "/name/x", value: 1 }, 409, "/1/path"],
        [{ op: "add", path: "/__proto__/x", value: 1 }, 409, "/1/path"],
        [{ op: "copy", from: "/toString", path: "/note" }, 409, "/1/from"],
        [{ op: "add", path: "/nothing", value: 1 }, 400, "/1"],
        [{ op: "replace", path: "/id", value: "cus_1" }, 400, "/1"],
        [{ op: "replace", path: "/points", value: "x" }, 400, "/1"],
        [{ op: "remove", path: "/name" }, 400, "/1"],
        [{ op: "replace", path: "", value: [] }, 400, ""],
        [{ op: "swap", path: "/name" }, 400, "/1/op"],
        [{ op: "add", path: "name", value: 1 }, 400, "/1/path"],
        [{ op: "add", path: "/note" }, 400, "/1/value"],
      ]
      for (const [operation, status, pointer] of refusals) {
        const refused = await send(path, [{ op: "test", path: "/points", value: 7 }, operation], patch)
        assert.deepEqual([refused.status, pointers(refused)], [status, [pointer]], JSON.stringify(operation))
      }
      assert.equal(await desk.contents(), contents)
      const whole = await send(path, [{ op: "replace", path: "", value: changed.json }], patch)
      assert.deepEqual([whole.status, whole.json], [200, changed.json])
    })

    test("copies of copies do not grow without end", async () => {
      const { json } = await makeCustomer({ facts: { a: "x".repeat(1000) } })
      const copies = Array.from({ length: 60 }, (_, index) => ({
        op: "copy",
        from: "/facts",
        path: `/facts/b${index}`,
      }))
      const refused = await send(`PATCH /customers/${json.id}`, copies, patch)
      assert.equal(refused.status, 413)
    })

    test("JSON Patches of one record at the same time are all done, or told that they were not", async () => {
      const { json } = await makeCustomer({ facts: [] })
      const add = (index: number) =>
        send(`PATCH /customers/${json.id}`, [{ op: "add", path: "/facts/-", value: index }], patch)
      const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(add))
      const done = replies.filter(({ status }) => status === 200).length
      assert.ok(replies.every(({ status }) => status === 200 || status === 412))
      const { facts } = (await send(`GET /customers/${json.id}`)).json
      assert.equal(facts.length, done)
      assert.ok(done > 0)
    })

    test("what is wrong with a request is told at once, and changes nothing", async () => {
      const order = await makeOrder()
      const contents = await desk.contents()
      const many = await send("POST /customers?fields=name", {
        email: "no address",
        name: "x".repeat(21),
        createdAt: "2026-01-01T00:00:00Z",
        nmae: 1,
        points: "3",
      })
      assert.equal(many.status, 400)
      assert.deepEqual([...pointers(many)].sort(), ["/createdAt", "/email", "/name", "/nmae", "/points"])
      const bad: readonly (readonly [line: string, body: unknown, status: number, code: string])[] = [
        ["POST /customers", "{", 400, "malformed_request"],
        ["POST /customers", '{"name":"a","name":"b"}', 400, "malformed_request"],
        ["POST /customers", "", 400, "malformed_request"],
        ["POST /customers", "null", 400, "invalid_value"],
        ["POST /customers", '{"__proto__":1,"name":"a","email":"a@b.c"}', 400, "unknown_field"],
        ["POST /customers?limit=3", { name: "a", email: "a@b.c" }, 400, "unknown_parameter"],
        ["POST /customers?fields=none", { name: "a", email: "a@b.c" }, 400, "unknown_field"],
        [
          "POST /orders",
          { number: fresh(), total: "1.00", customerId: "cus_01gnna1j00e1rrmypgynq0qqf2" },
          422,
          "missing_reference",
        ],
        ["POST /orders", { number: fresh(), total: "1.00", customerId: "ord_1" }, 422, "missing_reference"],
        ["POST /orders", { number: fresh(), total: "1.00" }, 400, "missing_field"],
        [
          "POST /orders",
          { number: order.json.number, total: "1.00", customerId: order.json.customerId },
          409,
          "already_exists",
        ],
        [`PATCH /orders/${order.json.id}`, { number: "x" }, 400, "readonly_field"],
        [`PATCH /orders/${order.json.id}`, { id: "x" }, 400, "readonly_field"],
        [
          `PATCH /orders/${order.json.id}`,
          { lines: { create: [{ position: 1, quantity: 0 }] } },
          400,
          "invalid_value",
        ],
        [
          `PATCH /orders/${order.json.id}`,
          { lines: { create: [{ position: 1, quantity: 1, lines: {} }] } },
          400,
          "unknown_field",
        ],
        ["PATCH /orders/nope", { note: "x" }, 404, "not_found"],
        ["PATCH /orders/ord_01gnna73qgf1p9fbnv5kgc46y8", { note: "x" }, 404, "not_found"],
        [`DELETE /orders/${order.json.id}`, {}, 400, "malformed_request"],
        [`DELETE /orders/${order.json.id}?fields=number`, undefined, 400, "unknown_parameter"],
        ["PUT /customers/email=nobody", { name: "a" }, 400, "invalid_value"],
      ]
      for (const [line, body, status, code] of bad) {
        const refused = await send(line, body)
        assert.deepEqual([refused.status, refused.json.code], [status, code], `${line} ${refused.body}`)
      }
      const typed: readonly (readonly [line: string, type: string])[] = [
        ["POST /customers", "text/plain"],
        ["POST /customers", "application/merge-patch+json"],
        ["PUT /customers/1", "application/json-patch+json"],
        ["POST /customers", "application/json; charset=latin1"],
      ]
      for (const [line, type] of typed) {
        const refused = await send(line, "{}", { "content-type": type })
        assert.deepEqual([refused.status, refused.headers["accept-patch"]], [415, undefined])
      }
      const patched = await send(`PATCH /orders/${order.json.id}`, "{}", { "content-type": "text/plain" })
      assert.deepEqual(
        [patched.status, patched.headers["accept-patch"]],
        [415, "application/merge-patch+json, application/json, application/json-patch+json"],
      )
      const conditional = await send("POST /customers", { email: "a@b.c", name: "A" }, { "if-match": '"1"' })
      assert.deepEqual([conditional.status, pointers(conditional)], [400, ["If-Match"]])
      assert.equal(await desk.contents(), contents)
    })

    test("mistakes in the parameters are told beside those in the body", async () => {
      const told = ({ json }: Reply) =>
        json.errors.map(({ code, pointer, parameter }: Readonly<Record<string, string>>) =>
          [code, parameter ?? pointer].join(" "),
        )
      const made = await send("POST /customers?foo=2&fields=nope&limit=x", { nme: 1, name: "a" })
      assert.equal(made.status, 400)
      assert.deepEqual(told(made).toSorted(), [
        "invalid_value limit",
        "missing_field /email",
        "unknown_field /nme",
        "unknown_field fields",
        "unknown_parameter foo",
        "unknown_parameter limit",
      ])
      assert.equal(made.json.errors[0].hint, "Known here: fields, include.")
      const prefer = { prefer: "max-affected=2" }
      const several = await send("PATCH /customers?filter[nme]=x&foo=2", { points: "x" }, prefer)
      assert.deepEqual(told(several).toSorted(), [
        "invalid_value /points",
        "unknown_field filter[nme]",
        "unknown_parameter foo",
      ])
      assert.equal(
        several.json.errors[0].hint,
        "Conditions are written `filter[foo]=2`. Known here: filter, fields, include.",
      )
      for (const filter of ["filter=x", "filter[or][][b]=1", 'filter={"name":1}']) {
        const wrong = await send(`DELETE /customers?${filter}`, undefined, prefer)
        assert.equal(wrong.json.errors.length, 1, wrong.body)
      }
      const { json } = await makeCustomer()
      const contents = await desk.contents()
      const patched = await send(`PATCH /customers/${json.id}?foo=2`, [], patch)
      assert.deepEqual(told(patched), ["unknown_parameter foo"])
      const requests = [{ method: "POST", path: "/customers?foo=2", body: { name: 1 } }]
      assert.deepEqual(told(await send("POST /batch", { requests })).toSorted(), [
        "invalid_value /requests/0/body/name",
        "missing_field /requests/0/body/email",
        "unknown_parameter /requests/0/path",
      ])
      assert.equal(await desk.contents(), contents)
    })
  })
