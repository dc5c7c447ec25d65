// What `bifold can` says is what both faces do: for every kind of actor, record and action of a small storefront.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createLookup } from "../../src/cli/lookup.ts"
import { type AccessQuestion, decide } from "../../src/cli/verdict.ts"
import { load } from "../../src/model/load.ts"
import { actions } from "../../src/model/policy-declaration.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { createFaceClient } from "../support/face-client.ts"

const moment = "2026-01-01T00:00:00Z"
const customer = (id: string): Row => ({
  id,
  email: `${id}@example.org`,
  name: id,
  phone: null,
  bornOn: null,
  note: "n",
  newsletter: false,
  createdAt: moment,
})
const address = (id: string, customerId: string): Row => ({
  id,
  recipient: "A",
  street: "S",
  extra: null,
  postcode: null,
  city: "C",
  country: "CH",
  customerId,
})
const order = (id: string, customerId: string, status: string): Row => ({
  id,
  number: id,
  status,
  total: "1.00",
  discount: "0.50",
  note: null,
  createdAt: moment,
  placedAt: null,
  customerId,
  billingAddressId: `${customerId}-home`,
  shippingAddressId: null,
})
const shipment = (id: string, orderId: string): Row => ({
  id,
  carrier: "C",
  tracking: null,
  deliverAfter: null,
  shippedAt: moment,
  deliveredAt: null,
  orderId,
})
const records = new Map<string, readonly Row[]>([
  ["customer", [customer("ann"), customer("bob")]],
  ["address", [address("ann-home", "ann"), address("bob-home", "bob")]],
  ["tag", [{ name: "new", featured: false }]],
  [
    "order",
    [order("ann-cart", "ann", "cart"), order("ann-paid", "ann", "paid"), order("bob-cart", "bob", "cart")],
  ],
  ["shipment", [shipment("shipped", "ann-paid")]],
])
const change: Readonly<Record<string, object>> = {
  customer: { phone: "1" },
  address: { city: "D" },
  tag: { featured: true },
  order: { note: "x" },
  shipment: { carrier: "D" },
}
const people = [
  "anyone",
  "signedIn",
  "customer:cus_ann",
  "customer:cus_bob",
  "customer:cus_none",
  "role:staff",
  "role:warehouse",
  "scope:catalogue",
  "customer:cus_bob+role:warehouse",
  "customer:cus_ann+scope:catalogue",
]

describe("a verdict", () => {
  const hooks = cleanUp(after)
  const model = load(storefront)

  for (const dialect of [sqlite, postgres])
    test(`is what is done, for every record, and what the fields show, on ${dialect.name}`, async () => {
      const database =
        dialect === sqlite
          ? join(await temporaryFolder(hooks), "shop.sqlite")
          : await temporaryPostgres(hooks)
      await setUp(database, [
        ...createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
        ...insertRecords(model, dialect, { records, links: [] }),
      ])
      const storage = await openStorage(database, { writes: "unsafe" })
      hooks.after(() => storage.close())
      const isFound = createLookup(storage)
      const { facesFor } = createFaces({ model, storage, secret: "a secret of the tests", base: "" })
      const differences: string[] = []
      const counts = { yes: 0, no: 0 }
      const compare = (what: string, said: boolean, done: boolean): void => {
        counts[said ? "yes" : "no"] += 1
        if (said !== done) differences.push(`${what}: said ${said}, done ${done}`)
      }
      // Each of them asks one of the databases.
      for (const who of people.filter((_, index) => index % 2 === Number(dialect === postgres))) {
        const actor = actorFromText(model, who)
        const client = createFaceClient({ actor, facesFor, nextRequestId: () => "test" })
        const judge = (action: AccessQuestion["action"], name: string, id: string, field?: string) => {
          const resource = model.resources.get(name)
          assert.ok(resource)
          const asked = resource.fields.get(field ?? "")
          return decide(
            { actor, model, resource, action, ...(asked && { field: asked }) },
            {
              includes: (of) => isFound({ ...actor, model: of.model }, resource, id),
            },
          )
        }
        const apply = model.resources.get("order")?.actions?.get("applyCoupon")
        assert.ok(apply)
        for (const { id } of records.get("order") ?? []) {
          const { allowed } = await judge(apply, "order", String(id))
          // There is no such coupon: whoever may look for it is told so by the code itself.
          const { status, body } = await client.rest<{ readonly detail: string }>(
            "POST",
            `/orders/${id}/actions/apply-coupon`,
            { code: "none" },
          )
          const ran = status === 400 && body.detail === "There is no such coupon."
          compare(`${who} applyCoupon order:${id}`, allowed, ran)
        }
        for (const [name, rows] of records)
          for (const row of rows) {
            const resource = model.resources.get(name)
            const id = String(row["id"] ?? row["name"])
            const address = `/${resource?.path}/${id}`
            for (const action of actions) {
              if (action === "create") continue
              const { allowed } = await judge(action, name, id)
              // What may be deleted stays, for those who ask next.
              if (action === "delete" && allowed) continue
              const method = { read: "GET", update: "PATCH", delete: "DELETE" }[action]
              const { status } = await client.rest(
                method,
                address,
                action === "update" ? change[name] : undefined,
              )
              compare(`${who} ${action} ${name}:${id}`, allowed, status < 300)
            }
            const shown = await client.rest<Readonly<Record<string, unknown>>>("GET", address)
            for (const field of resource?.fields.keys() ?? []) {
              if (row[field] === null) continue
              const { allowed } = await judge("read", name, id, field)
              const done = shown.status === 200 && (shown.body[field] ?? null) !== null
              compare(`${who} read ${name}:${id}.${field}`, allowed, done)
            }
          }
      }
      assert.deepEqual(differences, [])
      assert.ok(counts.yes >= 100 && counts.no >= 150, JSON.stringify(counts))
    })
})
