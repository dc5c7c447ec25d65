// A value that code makes of a column which the version does not have, beside records that a relation leads to.
import assert from "node:assert/strict"
import { test } from "node:test"
import { anyone, f, many, one, resource, service, withCode } from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

const shop = service({
  name: "shop",
  versions: {
    "2026-05-01": [{ changed: "order.number", was: f.integer(), code: true }],
    "2026-01-01": [],
  },
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text() },
      relations: { orders: many("order", { by: "customer" }) },
      allow: { read: anyone },
    }),
    order: resource({
      id: "ord",
      fields: { number: f.text(), size: f.text() },
      relations: { customer: one("person") },
      allow: { read: anyone, update: anyone },
    }),
  },
})

const coded = withCode(shop, {
  versions: {
    "2026-05-01": {
      "order.number": {
        reads: (orders) => orders.map(({ number }) => ({ number: Number(number.slice(2)) })),
      },
    },
  },
})

for (const [title, database] of [
  ["SQLite", "sqlite"],
  ["PostgreSQL", process.env["BIFOLD_TEST_POSTGRES"] ?? ""],
] as const)
  test(`several written records are answered with it, on ${title}`, async () => {
    await using world = await startService(coded, {
      database,
      records: {
        person: [{ id: "per_1", name: "Ada" }],
        order: [1, 2].map((at) => ({ id: `ord_${at}`, number: `N-${at}`, size: "s", customerId: "per_1" })),
      },
    })
    const { status, body } = await world.anyone.rest(
      "PATCH",
      "/orders?filter[size]=s&fields=number&include=customer",
      { size: "m" },
      { "api-version": "2026-01-01", prefer: "max-affected=5" },
    )
    const customer = { id: "per_1", name: "Ada" }
    assert.deepEqual(
      [status, (body as { readonly data: unknown }).data],
      [200, [1, 2].map((number) => ({ id: `ord_${number}`, number, customer }))],
    )
  })
