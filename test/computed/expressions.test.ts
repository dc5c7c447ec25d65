// Fields that are computed by an expression: everywhere a field can be, by both faces, on both databases.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { anyone, f, many, one, resource } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { type Records, startService, type TestService } from "../../src/tools/testing/start-service.ts"
import { bakery } from "../services/bakery.ts"
import { dialects } from "../support/open-service.ts"

const records: Records<"order" | "line"> = {
  order: [
    { id: "ord_a", number: 1, first: "Ann", last: "Ärmel", secret: "1.25" },
    { id: "ord_b", number: 2, first: null, last: "Bö", discount: "0.1" },
    { id: "ord_c", number: 3, first: "çx", last: "C", discount: "0.3333" },
  ],
  line: [
    { id: "lin_1", quantity: 3, price: "0.10", orderId: "ord_a" },
    { id: "lin_2", quantity: 2, price: "10.05", orderId: "ord_a", hidden: true },
    { id: "lin_3", quantity: 1000, price: "99.99", orderId: "ord_c" },
  ],
}

const fields = "fullName,shout,lineCount,total,due,size,told"

const shown = {
  ord_a: {
    fullName: "Ann Ärmel",
    shout: "ANN",
    lineCount: 2,
    total: "20.40",
    due: "20.40",
    size: "small",
    told: "2.5",
  },
  ord_b: {
    fullName: "? Bö",
    shout: null,
    lineCount: 0,
    total: "0.00",
    due: "0.00",
    size: "none",
    told: "0.0",
  },
  ord_c: {
    fullName: "çx C",
    shout: "çX",
    lineCount: 1,
    total: "99990.00",
    due: "66663.33",
    size: "large",
    told: "0.0",
  },
}

for (const database of dialects)
  describe(`what is computed, on ${database}`, () => {
    let service: TestService<"order" | "line">
    before(async () => {
      const server = database === "sqlite" ? "sqlite" : process.env["BIFOLD_TEST_POSTGRES"]
      service = await startService(bakery, { database: server ?? "", records })
    })
    after(() => service.close())

    test("is shown by both faces, whoever sees what it comes from", async () => {
      for (const [id, values] of Object.entries(shown)) {
        const rest = await service.anyone.rest("GET", `/orders/${id}?fields=${fields}`)
        assert.deepEqual(rest.body, { id, ...values })
        const graphql = await service.anyone.graphql(`{ order(id: "${id}") { id ${fields} } }`)
        assert.deepEqual(graphql.data, { order: { id, ...values } })
      }
    })

    test("is filtered and sorted by, and pages go by it", async () => {
      const ids = async (query: string) => {
        const { body } = await service.anyone.rest("GET", `/orders?fields=number&${query}`)
        return (body as { data: { id: string }[] }).data.map(({ id }) => id)
      }
      assert.deepEqual(await ids("filter[total][gte]=20.40&sort=-total"), ["ord_c", "ord_a"])
      assert.deepEqual(await ids("filter[fullName][startsWith]=%3F"), ["ord_b"])
      assert.deepEqual(await ids("filter[shout][isNull]=true"), ["ord_b"])
      assert.deepEqual(await ids("filter[size][in]=none,small&sort=number"), ["ord_a", "ord_b"])
      assert.deepEqual(await ids("sort=shout"), ["ord_a", "ord_c", "ord_b"])
      const walked: string[] = []
      let next: string | null = ""
      while (next !== null) {
        const { body } = await service.anyone.rest(
          "GET",
          `/orders?sort=-shout,total&limit=1&fields=total${next === "" ? "" : `&after=${next}`}`,
        )
        const page = body as { data: { id: string }[]; page: { next: string | null } }
        walked.push(...page.data.map(({ id }) => id))
        next = page.page.next
      }
      assert.deepEqual(walked, ["ord_c", "ord_a", "ord_b"])
    })

    test("is aggregated, and groups are formed by it", async () => {
      const { data, errors } = await service.anyone.graphql(`{
        orders {
          aggregate { count sum { total due } max { fullName } }
          groups(by: [size]) { key { size } count sum { total } }
        }
        lines { aggregate { sum { total } avg { total } } }
      }`)
      assert.deepEqual(errors, [])
      assert.deepEqual(data, {
        orders: {
          aggregate: { count: 3, sum: { total: "100010.40", due: "66683.73" }, max: { fullName: "çx C" } },
          groups: [
            { key: { size: "large" }, count: 1, sum: { total: "99990.00" } },
            { key: { size: "none" }, count: 1, sum: { total: "0.00" } },
            { key: { size: "small" }, count: 1, sum: { total: "20.40" } },
          ],
        },
        lines: { aggregate: { sum: { total: "99990.30" }, avg: { total: 49995.15 } } },
      })
    })

    test("shows what it says, and hides by a rule of its own", async () => {
      const hidden = await service.anyone.rest("GET", "/orders/ord_a?fields=margin")
      assert.equal(hidden.status, 400)
      const seen = await service.as("role:baker").rest("GET", "/orders/ord_a?fields=margin")
      assert.deepEqual(seen.body, { id: "ord_a", margin: "19.15" })
      for (const query of ["filter[margin][gt]=0", "sort=margin"])
        assert.equal((await service.anyone.rest("GET", `/orders?${query}`)).status, 400, query)
    })

    test("stands in rules, and answers what was written", async () => {
      const refused = await service.anyone.rest("PATCH", "/orders/ord_c", { last: "D" })
      assert.equal(refused.status, 403)
      const changed = await service.anyone.rest("PATCH", "/orders/ord_b", { first: "Bea", discount: "0.5" })
      assert.equal(changed.status, 200)
      assert.deepEqual(
        { ...(changed.body as object) },
        {
          id: "ord_b",
          number: 2,
          first: "Bea",
          last: "Bö",
          discount: "0.5000",
          ...shown.ord_b,
          fullName: "Bea Bö",
          shout: "BEA",
        },
      )
      const added = await service.anyone.graphql(
        `mutation { createLine(input: { orderId: "ord_b", quantity: 4, price: "0.5" }) { line { total order { total due } } } }`,
      )
      assert.deepEqual(added.data, {
        createLine: { line: { total: "2.00", order: { total: "2.00", due: "1.00" } } },
      })
      await service.anyone.rest("PATCH", "/orders/ord_b", { first: null, discount: "0.1" })
    })

    test("is in no input", async () => {
      const given = await service.anyone.rest("PATCH", "/orders/ord_b", { total: "1" })
      assert.match(JSON.stringify(given.body), /readonly_field.*computed/)
    })
  })

for (const database of dialects)
  test(`nothing is computed of a record that is not there, on ${database}`, async () => {
    const declaration: ServiceDeclaration = {
      name: "clubs",
      resources: {
        member: resource({
          id: "mem",
          fields: { name: f.text() },
          relations: { club: one("club", { optional: true }) },
          allow: { read: anyone, create: anyone },
        }),
        club: resource({
          id: "clu",
          fields: {
            secret: f.boolean(),
            size: f.integer({ computed: { count: "members" } }),
            sign: f.text({ computed: { concat: [{ value: "a " }, { value: "club" }] } }),
          },
          relations: { members: many("member", { by: "club" }) },
          allow: { read: { secret: { eq: false } }, create: anyone },
        }),
      },
    }
    const server = database === "sqlite" ? "sqlite" : (process.env["BIFOLD_TEST_POSTGRES"] ?? "")
    await using service = await startService(declaration, {
      database: server,
      records: {
        club: [
          { id: "clu_a", secret: false },
          { id: "clu_b", secret: true },
        ],
        member: [
          { id: "mem_1", name: "in no club" },
          { id: "mem_2", name: "in one that is not seen", clubId: "clu_b" },
          { id: "mem_3", name: "in a club", clubId: "clu_a" },
        ],
      },
    })
    const ids = async (sort: string) => {
      const { body } = await service.anyone.rest<{ data: readonly { id: string }[] }>(
        "GET",
        `/members?sort=${sort}`,
      )
      return body.data.map(({ id }) => id)
    }
    // What is missing comes last, in both directions.
    for (const member of ["size", "sign"]) {
      assert.deepEqual(await ids(`club.${member}`), ["mem_3", "mem_1", "mem_2"], member)
      assert.deepEqual(await ids(`-club.${member}`), ["mem_3", "mem_1", "mem_2"], member)
    }
  })

for (const database of dialects)
  test(`a rule that names what is computed holds of the record as it will be, on ${database}`, async () => {
    const declaration: ServiceDeclaration = {
      name: "carts",
      resources: {
        cart: resource({
          id: "crt",
          fields: {
            price: f.integer(),
            pieces: f.integer(),
            due: f.integer({ computed: { multiply: ["price", "pieces"] } }),
          },
          allow: { read: anyone, create: { due: { lt: 100 } }, update: { due: { lt: 100 } } },
        }),
      },
    }
    const server = database === "sqlite" ? "sqlite" : (process.env["BIFOLD_TEST_POSTGRES"] ?? "")
    await using service = await startService(declaration, {
      database: server,
      records: { cart: [{ id: "crt_a", price: 5, pieces: 2 }] },
    })
    const dueAfter = async (change: object) => {
      const { status } = await service.anyone.rest("PATCH", "/carts/crt_a", change)
      const { body } = await service.anyone.rest<{ due: number }>("GET", "/carts/crt_a")
      return [status, body.due]
    }
    assert.deepEqual(await dueAfter({ pieces: 20 }), [403, 10])
    assert.deepEqual(await dueAfter({ pieces: 19 }), [200, 95])
    assert.deepEqual(await dueAfter({ price: 6 }), [403, 95])
    const made = await service.anyone.rest("POST", "/carts", { price: 50, pieces: 2 })
    assert.equal(made.status, 403)
  })
