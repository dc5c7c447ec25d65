// The storefront's generated records: the same everywhere, consistent in themselves, and awkward enough to test with.
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { describe, it } from "node:test"
import { type Row, storefrontData } from "../../examples/storefront/data.ts"

const data = storefrontData()
const rows = (resource: string): readonly Row[] => data.records.get(resource) ?? []
const cents = (value: unknown): number => Math.round(Number(value) * 100)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const byId = (resource: string): Map<unknown, Row> => new Map(rows(resource).map((row) => [row["id"], row]))

describe("the storefront's records", () => {
  it("are the same on every machine", () => {
    const text = JSON.stringify([[...data.records], data.links], (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    )
    assert.equal(
      createHash("sha256").update(text).digest("hex"),
      "c6b90247947cd28bfbe0ad9e97af860e7606e5daae7d8a5bef9bd4b7eb2f21c6",
    )
  })

  it("are others for another seed", () => {
    assert.notDeepEqual(storefrontData(2).records.get("order")?.[0], rows("order")[0])
  })

  it("are as many as the documentation says", () => {
    const counts = Object.fromEntries([...data.records].map(([name, records]) => [name, records.length]))
    const { customer, product, order, orderLine } = counts
    assert.deepEqual(
      { customer, product, order, orderLine },
      { customer: 1_000, product: 500, order: 10_000, orderLine: 30_000 },
    )
  })

  it("refer to records that exist", () => {
    const targets: Readonly<Record<string, string>> = {
      customerId: "customer",
      billingAddressId: "address",
      shippingAddressId: "address",
      parentId: "category",
      categoryId: "category",
      orderId: "order",
      productId: "product",
    }
    const known = new Map([...data.records.keys()].map((name) => [name, byId(name)]))
    let seen = 0
    for (const record of [...data.records.values()].flat())
      for (const [member, target] of Object.entries(targets)) {
        const reference = record[member]
        if (reference === undefined || reference === null) continue
        seen += 1
        assert.ok(known.get(target)?.has(reference), `${member} ${String(reference)}`)
      }
    assert.ok(seen > 100_000, String(seen))
    const tags = new Set(rows("tag").map(({ name }) => name))
    const products = byId("product")
    for (const { pairs } of data.links)
      for (const [product, tag] of pairs) assert.ok(products.has(product) && tags.has(tag))
  })

  it("have totals that are the sums of their lines and of their payments", () => {
    const lines = Map.groupBy(rows("orderLine"), ({ orderId }) => orderId)
    const payments = Map.groupBy(rows("payment"), ({ orderId }) => orderId)
    for (const line of rows("orderLine"))
      assert.equal(cents(line["lineTotal"]), Number(line["quantity"]) * cents(line["unitPrice"]))
    for (const order of rows("order")) {
      const own = lines.get(order["id"]) ?? []
      assert.equal(cents(order["total"]), sum(own.map(({ lineTotal }) => cents(lineTotal))))
      const paid = sum((payments.get(order["id"]) ?? []).map(({ amount }) => cents(amount)))
      assert.equal(
        paid,
        order["status"] === "paid" || order["status"] === "shipped" ? cents(order["total"]) : 0,
      )
    }
  })

  it("happen in an order that makes sense", () => {
    const customers = byId("customer")
    const products = byId("product")
    const orders = byId("order")
    const moment = (value: unknown): number => Date.parse(String(value))
    const second = 1_000 // fractions are drawn for each moment on its own
    for (const order of rows("order")) {
      assert.ok(
        moment(customers.get(order["customerId"])?.["createdAt"]) <= moment(order["createdAt"]) + second,
      )
      if (order["status"] === "cart") assert.equal(order["placedAt"], null)
      else if (order["status"] !== "cancelled") assert.notEqual(order["placedAt"], null)
      if (order["placedAt"] !== null) assert.ok(moment(order["createdAt"]) < moment(order["placedAt"]))
    }
    for (const line of rows("orderLine"))
      assert.ok(
        moment(products.get(line["productId"])?.["createdAt"]) <=
          moment(orders.get(line["orderId"])?.["createdAt"]) + second,
      )
    for (const shipment of rows("shipment"))
      assert.ok(moment(orders.get(shipment["orderId"])?.["placedAt"]) < moment(shipment["shippedAt"]))
  })

  it("have unique keys where the service says so", () => {
    const uniques: readonly (readonly [resource: string, ...members: string[]])[] = [
      ["customer", "id"],
      ["customer", "email"],
      ["category", "slug"],
      ["product", "slug"],
      ["tag", "name"],
      ["order", "number"],
      ["orderLine", "orderId", "position"],
      ["payment", "reference"],
    ]
    for (const [resource, ...members] of uniques) {
      const keys = rows(resource).map((row) => members.map((member) => row[member]).join("~"))
      assert.equal(new Set(keys).size, keys.length, `${resource} ${members.join()}`)
    }
  })

  it("tie, are missing, go beyond ASCII and beyond doubles", () => {
    const values = (resource: string, member: string): unknown[] => rows(resource).map((row) => row[member])
    assert.ok(new Set(values("product", "price")).size < 400)
    assert.ok(new Set(values("order", "createdAt")).size < 9_900)
    for (const [resource, member] of [
      ["customer", "bornOn"],
      ["product", "stock"],
      ["order", "placedAt"],
      ["category", "parentId"],
      ["shipment", "deliverAfter"],
    ] as const) {
      const given = values(resource, member)
      assert.ok(given.includes(null) && given.some((value) => value !== null), `${resource}.${member}`)
    }
    assert.ok(values("customer", "name").some((name) => /[\u0250-\u{10ffff}]/u.test(String(name))))
    assert.ok(values("product", "stock").some((stock) => typeof stock === "bigint" && stock > 2n ** 53n))
    assert.ok(values("order", "note").includes(""))
  })
})
