// Fields that own code computes: once for all records of an answer, of what they need and no more, by both faces.
import assert from "node:assert/strict"
import { after, before, beforeEach, describe, test } from "node:test"
import { computed, f, problem, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { type Records, startService, type TestService } from "../../src/tools/testing/start-service.ts"
import { bakery } from "../services/bakery.ts"
import { dialects } from "../support/open-service.ts"

/** What the code was given, call by call. */
const calls: { field: string; records: readonly object[]; who: string }[] = []

/** What hooks were told. */
const hooked: { readonly old?: Record<string, unknown>; readonly new: Record<string, unknown> }[] = []

const service = withCode(bakery, {
  before: {
    line: {
      create: ({ new: next }) => {
        hooked.push({ new: next })
      },
      update: ({ old, new: next }) => {
        hooked.push({ old, new: next })
      },
    },
  },
  computed: {
    order: {
      greeting: computed({
        type: f.text({ description: "What stands on the box.", max: 40 }),
        needs: ["fullName", "number"],
        run: (records, { actor }) => {
          calls.push({ field: "greeting", records, who: actor.roles.join() })
          return records.map(({ fullName, number }) => `For ${fullName}, ${number}`)
        },
      }),
      guarded: computed({
        type: f.decimal({ precision: 10, scale: 3 }),
        needs: ["secret"],
        run: (records) => {
          calls.push({ field: "guarded", records, who: "" })
          return records.map(({ secret }) => secret)
        },
      }),
    },
    line: {
      rank: computed({
        type: f.int64({ optional: true }),
        needs: ["quantity", "orderId"],
        deadline: 200,
        run: async (records) => {
          calls.push({ field: "rank", records, who: "" })
          return records.map(({ quantity, orderId }) => {
            if (quantity === 2) return null
            return quantity > 5000 ? problem("conflict", "Too many.") : `${quantity}${orderId.length}`
          })
        },
      }),
    },
  },
})

const records: Records<"order" | "line"> = {
  order: [
    { id: "ord_a", number: 1, first: "Ann", last: "A", secret: "1.25" },
    { id: "ord_b", number: 2, last: "B" },
  ],
  line: [
    { id: "lin_1", quantity: 3, price: "0.10", orderId: "ord_a" },
    { id: "lin_2", quantity: 2, price: "10.05", orderId: "ord_a" },
    { id: "lin_3", quantity: 7, price: "1", orderId: "ord_b" },
  ],
}

for (const database of dialects)
  describe(`own code computes, on ${database}`, () => {
    let opened: TestService<"order" | "line">
    before(async () => {
      const server = database === "sqlite" ? "sqlite" : (process.env["BIFOLD_TEST_POSTGRES"] ?? "")
      opened = await startService(service, { database: server, records })
    })
    after(() => opened.close())
    beforeEach(() => {
      calls.length = 0
    })

    test("once for all records of an answer, each of which is given once", async () => {
      const { data, errors } = await opened.anyone.graphql(`{
        order(id: "ord_a") { again: greeting lines { nodes { rank } } }
        orders { edges { cursor node { greeting lines { nodes { rank order { greeting } } } } } }
        node(id: "lin_1") { id ... on Line { rank } }
      }`)
      assert.deepEqual(errors, [])
      const [a, b] = ["For Ann A, 1", "For ? B, 2"]
      const of = (greeting: string, ...ranks: (string | null)[]) => ({
        greeting,
        lines: { nodes: ranks.map((rank) => ({ rank, order: { greeting } })) },
      })
      const shown = data as { orders: { edges: { node: unknown; cursor: string }[] } }
      assert.deepEqual(
        { ...shown, orders: shown.orders.edges.map(({ node }) => node) },
        {
          order: { again: a, lines: { nodes: [{ rank: "35" }, { rank: null }] } },
          orders: [of(a, "35", null), of(b, "75")],
          node: { id: "lin_1", rank: "35" },
        },
      )
      assert.ok(shown.orders.edges.every(({ cursor }) => cursor.length > 10))
      assert.deepEqual(calls.map(({ field }) => field).toSorted(), ["greeting", "rank"])
      const given = new Map(calls.map(({ field, records }) => [field, records]))
      assert.deepEqual(given.get("greeting"), [
        { id: "ord_a", fullName: "Ann A", number: 1 },
        { id: "ord_b", fullName: "? B", number: 2 },
      ])
      assert.equal(given.get("rank")?.length, 3)
      assert.deepEqual(given.get("rank")?.[0], { id: "lin_1", quantity: 3, orderId: "ord_a" })
    })

    test("by REST where `fields` names it, in lists, includes and tables", async () => {
      const one = await opened.anyone.rest(
        "GET",
        "/orders/ord_a?fields=greeting&include=lines&include[lines][fields]=rank",
      )
      assert.deepEqual(one.body, {
        id: "ord_a",
        greeting: "For Ann A, 1",
        lines: {
          data: [
            { id: "lin_1", rank: "35" },
            { id: "lin_2", rank: null },
          ],
          page: { next: null, prev: null },
        },
      })
      const table = await opened.anyone.rest("GET", "/orders?fields=greeting", undefined, {
        accept: "text/csv",
      })
      assert.equal(table.body, 'id,greeting\r\nord_a,"For Ann A, 1"\r\nord_b,"For ? B, 2"\r\n')
      calls.length = 0
      const usual = await opened.anyone.rest<object>("GET", "/orders/ord_a")
      assert.equal("greeting" in usual.body, false)
      assert.deepEqual(calls, [])
    })

    test("of what whoever asks may see", async () => {
      const hidden = await opened.anyone.rest("GET", "/orders/ord_a?fields=guarded")
      assert.equal(hidden.status, 400)
      const schema = await opened.anyone.graphql(`{ __type(name: "Order") { fields { name } } }`)
      const names = (schema.data as { __type: { fields: { name: string }[] } }).__type.fields.map(
        ({ name }) => name,
      )
      assert.ok(names.includes("greeting") && !names.includes("guarded"), names.join())
      const seen = await opened.as("role:baker").rest("GET", "/orders/ord_a?fields=guarded,greeting")
      assert.deepEqual(seen.body, { id: "ord_a", guarded: "1.250", greeting: "For Ann A, 1" })
      assert.equal(calls.find(({ field }) => field === "greeting")?.who, "baker")
    })

    test("nothing that can be asked about", async () => {
      for (const query of ["filter[greeting]=a", "sort=greeting", "groupBy=greeting"]) {
        const { status, body } = await opened.anyone.rest("GET", `/orders?${query}`)
        assert.equal(status, 400, query)
        assert.match(JSON.stringify(body), /greeting is computed by user code/, query)
      }
      const { errors } = await opened.anyone.graphql(
        `{ orders(where: { greeting: { eq: "a" } }) { totalCount } }`,
      )
      assert.match(errors[0]?.message ?? "", /greeting/)
    })

    test("in what a mutation answers, where a failure does not hide that it was done", async () => {
      const made = await opened.anyone.graphql(
        `mutation { createOrder(input: { number: 9, last: "Z" }) { order { id greeting } } }`,
      )
      const { id, greeting } = (made.data as { createOrder: { order: { id: string; greeting: string } } })
        .createOrder.order
      assert.equal(greeting, "For ? Z, 9")
      const several = await opened.anyone.graphql(
        `mutation { updateOrders(where: { number: { eq: 9 } }, maxAffected: 1, input: { last: "Y" }) { orders { greeting } } }`,
      )
      assert.match(several.errors[0]?.message ?? "", /`greeting` cannot be asked of several records/)
      const changed = await opened.anyone.rest("PATCH", `/orders/${id}?fields=greeting`, { last: "Y" })
      assert.deepEqual([changed.status, changed.body], [200, { id, greeting: "For ? Y, 9" }])
      assert.equal((await opened.as("role:baker").rest("DELETE", `/orders/${id}`)).status, 204)
    })

    test("a problem of one record is told in its place, and by REST it is the answer", async () => {
      const { body } = await opened.anyone.rest<{ id: string }>("POST", "/lines", {
        orderId: "ord_b",
        quantity: 6000,
        price: "1",
      })
      const { data, errors } = await opened.anyone.graphql(
        `{ orders(where: { number: { eq: 2 } }) { nodes { lines(orderBy: { field: quantity }) { nodes { quantity rank } } } } }`,
      )
      assert.deepEqual(data, {
        orders: {
          nodes: [
            {
              lines: {
                nodes: [
                  { quantity: 7, rank: "75" },
                  { quantity: 6000, rank: null },
                ],
              },
            },
          ],
        },
      })
      assert.deepEqual(
        errors.map(({ message, path, extensions }) => ({ message, path, code: extensions.code })),
        [
          {
            message: "Too many.",
            path: ["orders", "nodes", 0, "lines", "nodes", 1, "rank"],
            code: "computed_failed",
          },
        ],
      )
      const rest = await opened.anyone.rest<object>("GET", `/lines?fields=rank&sort=quantity`)
      assert.equal(rest.status, 500)
      assert.deepEqual((rest.body as { errors: object }).errors, [
        { code: "computed_failed", detail: "Too many.", pointer: "/data/3/rank" },
      ])
      await opened.anyone.rest("DELETE", `/lines/${body.id}`)
    })

    test("hooks see it in what is, and not in what will be; the log does not keep it", async () => {
      hooked.length = 0
      const made = await opened.anyone.rest<{ id: string; total: string }>("POST", "/lines", {
        orderId: "ord_b",
        quantity: 2,
        price: "1.50",
      })
      assert.equal(made.body.total, "3.00")
      const changed = await opened.anyone.rest<{ total: string }>("PATCH", `/lines/${made.body.id}`, {
        quantity: 4,
      })
      assert.equal(changed.body.total, "6.00")
      assert.deepEqual(
        hooked.map(({ old, new: next }) => [old?.["total"], "total" in next, next["quantity"]]),
        [
          [undefined, false, 2],
          ["3.00", false, 4],
        ],
      )
      const history = await opened.anyone.rest<{ data: { changes: { field: string }[] }[] }>(
        "GET",
        `/lines/${made.body.id}/history`,
      )
      assert.deepEqual(
        history.body.data.map(({ changes }) => changes.map(({ field }) => field).includes("total")),
        [false, false],
      )
      assert.ok(history.body.data[1]?.changes.some(({ field }) => field === "quantity"))
      await opened.anyone.rest("DELETE", `/lines/${made.body.id}`)
    })

    test("and is described", async () => {
      const { body } = await opened.anyone.rest<{
        components: { schemas: { Order: { properties: Record<string, object> } } }
      }>("GET", "/openapi.json")
      assert.deepEqual(body.components.schemas.Order.properties["greeting"], {
        type: "string",
        description: "What stands on the box. Present when `fields` names it.",
        readOnly: true,
      })
    })
  })

test("own code is part of the Model of whoever opens the service to everybody", () => {
  const { resources } = openModel(load(service))
  assert.deepEqual([...(resources.get("order")?.computed?.keys() ?? [])], ["greeting", "guarded"])
})
