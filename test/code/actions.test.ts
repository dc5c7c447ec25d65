// Own operations by both faces on both databases: what is answered, who may, and that nothing is left of what fails.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import { cleanUp, type Hooks } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { codeAt, places } from "./in-threads.ts"
import { openCode } from "./open.ts"
import { seen, shop } from "./shop.ts"

const everywhere = dialects.flatMap((database) => places.map((where) => [database, where] as const))

const hooks = cleanUp(after)

for (const [database, where] of everywhere) {
  // A thread that has begun serves one test after the other.
  const declaration = codeAt(where, hooks, shop, "shop.ts#shop")
  const open = async (t: Hooks) => {
    const service = await openCode(t, declaration, database)
    const [ann = "", bob = ""] =
      (await service.add({ customer: [{ name: "Ann" }, { name: "Bob" }] }))["customer"] ?? []
    const { order: [first = ""] = [] } = await service.add({
      order: [
        { number: "A-1", total: "100", customerId: ann, big: "9007199254740993", note: "hm" },
        { number: "B-1", total: "50", customerId: bob },
      ],
      coupon: [{ code: "TEN", off: 10, left: 2 }],
    })
    const { headers } = await service.as("role:staff").rest("GET", "/orders/number=A-1")
    const version = /"(\d+)/.exec(headers["etag"] ?? "")?.[1] ?? ""
    return { service, ann, bob, first, version }
  }
  type Opened = Awaited<ReturnType<typeof open>>
  const countOf = async ({ service, first }: Opened) =>
    (await service.as("role:staff").rest<{ count: number }>("GET", `/orders/${first}`)).body.count

  const it = (name: string, run: (opened: Opened) => Promise<void>) =>
    test(`${name} (${database}, ${where})`, async (t) => run(await open(t)))
  /** Looks at what the code has done to the module that it stands in, which each thread has for itself. */
  const itHere = (...given: Parameters<typeof it>): void => {
    if (where === "in process") it(...given)
  }

  it("an action answers with its output, its record and nothing else", async ({ service, ann, first }) => {
    const mine = service.as(`customer:${ann}`)
    const { data, errors } = await mine.graphql(
      `mutation($id: ID!) { applyCouponOrder(id: $id, input: {code: "TEN"}) {
        __typename told t: total order { id total } again: order { number } off } }`,
      { id: first },
    )
    assert.deepEqual(errors, [])
    assert.deepEqual(data, {
      applyCouponOrder: {
        __typename: "ApplyCouponOrderPayload",
        told: null,
        t: "90.00",
        // The code is lent a role; the answer is for whoever asked.
        order: { id: first, total: "90.00" },
        again: { number: "A-1" },
        off: 10,
      },
    })
    const rest = await mine.rest("POST", `/orders/number=A-1/actions/apply-coupon`, {
      code: "TEN",
      mode: "once",
    })
    assert.equal(rest.status, 200)
    const unnamed = await mine.rest<{ detail: string; errors: { hint: string }[] }>(
      "GET",
      "/orders/number=A-1/actions",
    )
    assert.deepEqual(
      [unnamed.status, unnamed.body.detail],
      [404, "Operations on an order are not listed here."],
    )
    assert.match(unnamed.body.errors[0]?.hint ?? "", /apply-coupon/)
    assert.deepEqual(rest.body, { off: 10, total: "80.00", told: null })
    const used = await mine.rest<{ code: string; detail: string }>(
      "POST",
      `/orders/${first}/actions/apply-coupon`,
      { code: "TEN" },
    )
    assert.deepEqual(
      [used.status, used.body.code, used.body.detail],
      [409, "conflict", "The coupon is used up."],
    )
  })

  it("operations of the service take and give values of every form", async ({ service, ann }) => {
    const { data, errors } = await service
      .as(`customer:${ann}`)
      .graphql("mutation { sum(input: {numbers: [1, 2, 40]}) { sum of by } }")
    assert.deepEqual(errors, [])
    assert.deepEqual(data, { sum: { sum: "43", of: [1, 2, 40], by: ann } })
    const rest = await service.as("anyone").rest("POST", "/actions/sum", { numbers: [] })
    assert.deepEqual([rest.status, rest.body], [200, { sum: "0", of: [], by: null }])
    const none = await service.as("role:staff").rest("POST", "/actions/restock")
    assert.deepEqual([none.status, none.body], [204, null])
    const done = await service.as("role:staff").graphql("mutation { restock { done } }")
    assert.deepEqual(done.data, { restock: { done: true } })
  })

  it("wrong input is told with every mistake and its place", async ({ service, ann, first }) => {
    const mine = service.as(`customer:${ann}`)
    const path = `/orders/${first}/actions/apply-coupon`
    const wrong = await mine.rest<{ errors: { code: string; pointer: string }[] }>("POST", path, {
      code: "x".repeat(21),
      cod: 1,
      mode: "thrice",
    })
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      wrong.body.errors.map(({ code, pointer }) => [code, pointer]),
      [
        ["invalid_value", "/code"],
        ["invalid_value", "/mode"],
        ["unknown_field", "/cod"],
      ],
    )
    const lacks = await mine.rest<{ code: string }>("POST", path)
    assert.deepEqual([lacks.status, lacks.body.code], [400, "missing_field"])
    const thrown = await mine.rest<{ errors: unknown[] }>("POST", path, { code: "NONE" })
    assert.equal(thrown.status, 400)
    assert.deepEqual(thrown.body.errors, [
      { code: "invalid_value", detail: "There is no such coupon.", pointer: "/code" },
    ])
    const graphql = await mine.graphql(
      `mutation($id: ID!, $input: ApplyCouponOrderInput!) { applyCouponOrder(id: $id, input: $input) { off } }`,
      { id: first, input: { code: "NONE" } },
    )
    assert.equal(graphql.data, null)
    assert.deepEqual(
      graphql.errors.map(({ path, message, extensions }) => [
        path,
        message,
        extensions.code,
        extensions["errors"],
      ]),
      [
        [
          ["applyCouponOrder"],
          "There is no such coupon.",
          "invalid_value",
          [
            {
              argument: "input",
              pointer: "/code",
              code: "invalid_value",
              message: "There is no such coupon.",
            },
          ],
        ],
      ],
    )
    assert.equal((await mine.rest("POST", `${path}?fields=id`, { code: "TEN" })).status, 400)
    assert.equal((await mine.rest("POST", `/orders/${first}/actions/apply`, {})).status, 404)
    assert.equal((await mine.rest("GET", path)).status, 405)
  })

  it("who may is asked as for every write", async ({ service, ann, bob, first, version }) => {
    const path = `/orders/${first}/actions/apply-coupon`
    const statuses = async (who: string, of = path, headers = {}) =>
      (await service.as(who).rest<{ code?: string } | null>("POST", of, { code: "TEN" }, headers)).status
    assert.equal(await statuses(`customer:${bob}`), 404)
    assert.equal((await service.as("anyone").rest("POST", path, { code: "TEN" })).status, 401)
    assert.equal(await statuses(`customer:${ann}`, `/orders/${first}/actions/removes`), 403)
    assert.equal(await statuses(`customer:${ann}`, "/actions/restock"), 403)
    assert.equal((await service.as("anyone").rest("POST", "/actions/restock")).status, 401)
    assert.equal(await statuses(`customer:${ann}`, path, { "if-match": '"77"' }), 412)
    assert.equal(await statuses(`customer:${ann}`, path, { "if-match": `"${version}"` }), 200)
    assert.equal(await statuses(`customer:${ann}`, path, { "if-match": `"${version}"` }), 412)
    const unseen = await service
      .as(`customer:${bob}`)
      .graphql(`mutation { applyCouponOrder(id: "${first}", input: {code: "TEN"}) { off } }`)
    assert.deepEqual([unseen.data, unseen.errors[0]?.extensions.code], [null, "not_found"])
    const names = async (who: string) =>
      (
        await service
          .as(who)
          .graphql<{ __schema: { mutationType: { fields: { name: string }[] } } }>(
            "{ __schema { mutationType { fields { name } } } }",
          )
      ).data?.__schema.mutationType.fields.map(({ name }) => name) ?? []
    assert.ok((await names("role:staff")).includes("removesOrder"))
    assert.ok(!(await names(`customer:${ann}`)).includes("removesOrder"))
    assert.ok((await names(`customer:${ann}`)).includes("applyCouponOrder"))
    const document = (await service.as(`customer:${ann}`).rest<{ paths: object }>("GET", "/openapi.json"))
      .body
    assert.ok("/orders/{id}/actions/apply-coupon" in document.paths)
    assert.ok(!("/orders/{id}/actions/removes" in document.paths))
    assert.ok(!("/actions/restock" in document.paths))
  })

  it("a record that is seen need not be one that the action may be done to", async ({
    service,
    ann,
    first,
  }) => {
    const mine = service.as(`customer:${ann}`)
    const path = `/orders/${first}/actions/finish`
    assert.deepEqual((await mine.rest("POST", path)).body, { number: "A-1" })
    await mine.rest("POST", `/orders/${first}/actions/bump`)
    const refused = await mine.rest<{ code: string; detail: string }>("POST", path)
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.detail],
      [403, "forbidden", "You may not finish this order."],
    )
    const { data, errors } = await mine.graphql(`mutation { finishOrder(id: "${first}") { number } }`)
    assert.deepEqual(
      [data, errors[0]?.extensions.code, errors[0]?.path],
      [null, "forbidden", ["finishOrder"]],
    )
  })

  for (const [name, status, code] of [
    ["breaks", 500, "internal"],
    ["hangs", 503, "action_timeout"],
    ["lies", 500, "wrong_output"],
    ["forgets", 500, "internal"],
    ["overreaches", 403, "forbidden"],
    ["trips", 400, "invalid_value"],
  ] as const)
    it(`nothing is left of an action that ${name}`, async (opened) => {
      const { service, ann, first } = opened
      const mine = service.as(`customer:${ann}`)
      const { status: told, body } = await mine.rest<{ code: string; detail: string; errors: object[] }>(
        "POST",
        `/orders/${first}/actions/${name}`,
      )
      assert.deepEqual([told, body.code], [status, code])
      assert.ok(!JSON.stringify(body).includes("secret"))
      // What was asked of the handle stands nowhere in the request.
      assert.ok(
        body.errors.every((error) => !("pointer" in error)),
        JSON.stringify(body),
      )
      // Only a client's own mistake is at its address.
      assert.equal("parameter" in (body.errors[0] ?? {}), status < 500)
      assert.equal(service.faults.length, status === 500 ? 1 : 0)
      if (name === "breaks") assert.match(String((service.faults[0] as Error).cause), /the secret reason/)
      assert.equal(await countOf(opened), 0)
      const both = await mine.graphql(
        `mutation { bumpOrder(id: "${first}") { order { count } } ${name}Order(id: "${first}") { order { id } } }`,
      )
      assert.equal(both.data, null)
      assert.deepEqual([both.errors[0]?.extensions.code, both.errors[0]?.path], [code, [`${name}Order`]])
      const batch = await mine.rest<{ errors: readonly { pointer?: string }[] }>("POST", "/batch", {
        requests: [
          { method: "POST", path: `/orders/${first}/actions/bump` },
          { method: "POST", path: `/orders/${first}/actions/${name}` },
        ],
      })
      assert.deepEqual(
        [batch.status, batch.body.errors[0]?.pointer],
        [status, status < 500 ? "/requests/1/path" : "/requests/1"],
      )
      assert.equal(await countOf(opened), 0)
      const after = await mine.graphql(`mutation { bumpOrder(id: "${first}") { order { count } } }`)
      assert.deepEqual(after.data, { bumpOrder: { order: { count: 1 } } })
    })

  itHere("code that is out of time is told so by its signal", async ({ service, ann, first }) => {
    const before = seen.aborted
    await service.as(`customer:${ann}`).rest("POST", `/orders/${first}/actions/hangs`)
    assert.ok(seen.aborted > before)
  })

  itHere("a handle ends with its transaction", async (opened) => {
    const { service, ann, first } = opened
    await service.as(`customer:${ann}`).rest("POST", `/orders/${first}/actions/keeps-handle`)
    await assert.rejects(
      async () => seen.handles.at(-1)?.order.update(first, { count: 99 }),
      /The transaction of this handle has ended/,
    )
    assert.equal(await countOf(opened), 0)
  })

  it("a write that fails and is caught has changed nothing, and the rest goes on", async ({
    service,
    ann,
    first,
  }) => {
    const { data, errors } = await service
      .as(`customer:${ann}`)
      .graphql(
        `mutation { forgivesOrder(id: "${first}") { caught lines order { lines(orderBy: [{field: text}]) { nodes { text } } } } }`,
      )
    assert.deepEqual(errors, [])
    assert.deepEqual(data, {
      forgivesOrder: {
        caught: "already_exists",
        lines: 2,
        order: { lines: { nodes: [{ text: "after" }, { text: "before" }] } },
      },
    })
    const { body } = await service.as("role:staff").rest<{ data: { name: string }[] }>("GET", "/customers")
    assert.ok(!body.data.some(({ name }) => name === "Half"), "what was written before the failure is gone")
  })

  itHere("a record that its action has deleted is null in the answer", async ({ service, first }) => {
    const { data, errors } = await service
      .as("role:staff")
      .graphql(`mutation { removesOrder(id: "${first}") { was order { id } } }`)
    assert.deepEqual(errors, [])
    assert.deepEqual(data, { removesOrder: { was: "9007199254740993", order: null } })
    assert.equal(seen.orders.at(-1)?.note, "hm")
  })

  it("a document with an action between other changes is one transaction", async (opened) => {
    const { service, first, ann } = opened
    const staff = service.as("role:staff")
    const document = (last: string) => `mutation {
      a: updateOrder(id: "${first}", input: {count: 5}) { order { count } }
      b: bumpOrder(id: "${first}") { order { count } }
      c: createOrder(input: {number: "C-1", customerId: "${ann}"}) { order { number } }
      ${last}
    }`
    const failed = await staff.graphql(
      document(`d: deleteOrder(id: "ord_01h455vb4pex5vsknk084sn02q") { deletedId }`),
    )
    assert.equal(failed.data, null)
    assert.deepEqual([failed.errors[0]?.path, failed.errors[0]?.extensions.code], [["d"], "not_found"])
    assert.equal(await countOf(opened), 0)
    const done = await staff.graphql(document(`d: bumpOrder(id: "${first}") { order { count } }`))
    assert.deepEqual(done.errors, [])
    assert.deepEqual(done.data, {
      a: { order: { count: 5 } },
      b: { order: { count: 6 } },
      c: { order: { number: "C-1" } },
      d: { order: { count: 7 } },
    })
  })

  it("a batch may call own code", async (opened) => {
    const { service, ann, first } = opened
    const staff = service.as("role:staff")
    const batch = (number: string) => ({
      requests: [
        { id: "o", method: "POST", path: "/orders?fields=number", body: { number, customerId: ann } },
        { method: "POST", path: "/orders/$o.id/actions/bump" },
        { method: "GET", path: "/orders/$o.id?fields=count" },
        { method: "POST", path: "/actions/sum", body: { numbers: [2, 3] } },
      ],
    })
    const done = await staff.rest<{ responses: { status: number; body?: { count?: number } }[] }>(
      "POST",
      "/batch",
      batch("N-1"),
    )
    assert.equal(done.status, 200, JSON.stringify(done.body))
    assert.deepEqual(
      done.body.responses.map(({ status }) => status),
      [201, 204, 200, 200],
    )
    assert.equal(done.body.responses[2]?.body?.count, 1)
    const failed = await staff.rest<{ code: string; errors: { pointer?: string }[] }>("POST", "/batch", {
      requests: [
        { method: "PATCH", path: `/orders/${first}`, body: { count: 8 } },
        { method: "POST", path: `/orders/${first}/actions/apply-coupon`, body: { code: "NONE" } },
      ],
    })
    assert.deepEqual(
      [failed.status, failed.body.errors[0]?.pointer],
      [400, "/requests/1/body/code"],
      JSON.stringify(failed.body),
    )
    assert.equal(await countOf(opened), 0)
  })

  it("the same request with the same key is done once", async (opened) => {
    const { service, ann, first } = opened
    const mine = service.as(`customer:${ann}`)
    const headers = { "idempotency-key": "once" }
    const call = () => mine.rest("POST", `/orders/${first}/actions/apply-coupon`, { code: "TEN" }, headers)
    const [one, two] = [await call(), await call()]
    assert.deepEqual([one.status, two.status], [200, 200])
    assert.deepEqual(two.body, one.body)
    assert.deepEqual(
      [one.headers["idempotency-replayed"], two.headers["idempotency-replayed"]],
      [undefined, "true"],
    )
    const other = await mine.rest("POST", `/orders/${first}/actions/apply-coupon`, { code: "TWO" }, headers)
    assert.equal(other.status, 422)
    const graphql = () =>
      mine.graphql(
        `mutation { bumpOrder(id: "${first}") { order { count } } }`,
        {},
        { "idempotency-key": "two" },
      )
    assert.deepEqual((await graphql()).data, { bumpOrder: { order: { count: 1 } } })
    assert.deepEqual((await graphql()).data, { bumpOrder: { order: { count: 1 } } })
    assert.equal(await countOf(opened), 1)
  })

  it("twenty at once, and none is lost", async (opened) => {
    const { service, ann, first } = opened
    const mine = service.as(`customer:${ann}`)
    const others = Array.from({ length: 10 }, (_, index) =>
      service.as("role:staff").rest("POST", "/orders", { number: `X-${index}`, customerId: ann }),
    )
    const bumps = Array.from({ length: 20 }, () => mine.rest("POST", `/orders/${first}/actions/bump`))
    assert.deepEqual(new Set((await Promise.all(bumps)).map(({ status }) => status)), new Set([204]))
    assert.deepEqual(new Set((await Promise.all(others)).map(({ status }) => status)), new Set([201]))
    assert.equal(await countOf(opened), 20)
  })

  it("other writes are done while code takes its time, or right after", async (opened) => {
    const { service, first } = opened
    const staff = service.as("role:staff")
    const nap = staff.rest("POST", "/actions/nap", { milliseconds: 300 })
    const { status } = await staff.rest("PATCH", `/orders/${first}`, { count: 3 })
    assert.equal(status, 200)
    assert.equal((await nap).status, 204)
    assert.equal(await countOf(opened), 3)
  })
}
