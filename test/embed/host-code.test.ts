// The records of a service for code of its host: under an actor's rules, with the declaration's types, outside any request.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { createService, f, increment, one, resource, service, signedIn, viewer } from "../../src/index.ts"
import { temporaryFolder } from "../support/database.ts"

const shop = service({
  name: "shop",
  viewer: "customer",
  roles: ["staff"],
  resources: {
    customer: resource({
      id: "cus",
      fields: { name: f.text() },
      allow: { read: signedIn, create: signedIn },
    }),
    order: resource({
      id: "ord",
      fields: { number: f.text(), count: f.int64({ default: 0 }) },
      relations: { customer: one("customer") },
      allow: {
        read: { customer: { id: { eq: viewer.id } } },
        create: signedIn,
        update: { customer: { id: { eq: viewer.id } } },
      },
    }),
  },
})

test("code of a host has the records of an actor, and no others", async (context) => {
  const file = join(await temporaryFolder(context), "shop.db")
  writeFileSync(file, "")
  await using shopService = createService(shop, { database: file, dev: true, base: "/api" })
  const anybody = await shopService.db("signedIn")
  const ann = await shopService.db({ viewer: (await anybody.customer.create({ name: "Ann" })).id })
  const bob = await shopService.db({ viewer: (await anybody.customer.create({ name: "Bob" })).id })
  const [{ id: customerId } = { id: "" }] = (await ann.customer.list({ where: { name: { eq: "Ann" } } })).data
  const { id } = await ann.order.create({ number: "A-1", customerId })
  assert.equal((await ann.order.update(id, { count: increment(2) })).count, "2")
  assert.equal(await bob.order.get(id), null)
  await assert.rejects(bob.order.update(id, { number: "B" }), { code: "not_found" })
  await assert.rejects(shopService.db("role:nobody"), { name: "Refusal" })
  const nobody = await shopService.db(null)
  await assert.rejects(nobody.order.list({ first: 1 }), { code: "forbidden" })
})

test("a body that the host has parsed may have a bigint", async (context) => {
  const file = join(await temporaryFolder(context), "plain.db")
  writeFileSync(file, "")
  const plain = service({
    name: "plain",
    resources: {
      tally: resource({ id: "tal", fields: { count: f.int64(), other: f.integer({ default: 1 }) } }),
    },
  })
  await using tallies = createService(plain, { database: file, dev: true, open: "write" })
  const request = new Request("http://localhost/tallies", {
    method: "POST",
    headers: { "content-type": "application/json" },
  })
  const { status, ...answer } = await tallies.fetch(request, {
    body: { count: 9007199254740993n, other: 2n },
  })
  assert.equal(status, 201, JSON.stringify(answer))
  const { body } = await tallies.handle({ path: "/tallies" })
  const [tally] = (body as { data: readonly { id: string; count: string; other: number }[] }).data
  assert.deepEqual([tally?.count, tally?.other], ["9007199254740993", 2])
  const db = await tallies.db(null)
  const added = await db.tally.update(tally?.id ?? "", { count: increment(1) })
  assert.deepEqual([added.count, (await db.tally.list()).data.length], ["9007199254740994", 1])
})
