// What is told of a record that may be seen and not changed, whatever names it: 403 by each address, and 412 only of one
// that may be changed.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { f, one, resource, role, service, signedIn } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects, type OpenService, openExample } from "../support/open-service.ts"

const customer = "customer:cus_01gnna1j00e1rrmypgynq0qqf2"
const shipped = { id: "ord_01gnna73qgf1p9fbnv5kgc46y8", number: "A-1" }
const another = { id: "ord_01gnvea3h8ec7by3kfr523q93a", number: "A-18" }

for (const database of dialects)
  describe(`addresses of records on ${database}`, () => {
    const hooks = cleanUp(after)
    let own: OpenService
    before(async () => {
      own = (await openExample(hooks, "storefront", database, { writes: "unsafe" })).as(customer)
    })
    const send = async (method: string, path: string, headers = {}): Promise<string> => {
      const body = method === "PATCH" ? Buffer.from('{"note":"x"}') : new Uint8Array()
      const json = { "content-type": "application/json", ...headers }
      const answer = await own.rest({ method, path, query: "", headers: json, body })
      return `${answer.status} ${(JSON.parse(answer.body) as { code: string }).code}`
    }

    for (const method of ["PATCH", "DELETE"])
      test(`${method} by id and by unique key`, async () => {
        for (const path of [`/orders/${shipped.id}`, `/orders/number=${shipped.number}`]) {
          assert.equal(await send(method, path), "403 forbidden", path)
          assert.equal(await send(method, path, { "if-match": '"77"' }), "403 forbidden", path)
        }
        for (const path of [`/orders/${another.id}`, `/orders/number=${another.number}`]) {
          assert.equal(await send(method, path), "404 not_found", path)
          assert.equal(await send(method, path, { "if-match": '"77"' }), "404 not_found", path)
        }
      })

    test("what no rule allows is named", async () => {
      const refused = async (method: string, path: string, body: object): Promise<string> => {
        const headers = { "content-type": "application/json" }
        const answer = await own.rest({
          method,
          path,
          query: "",
          headers,
          body: Buffer.from(JSON.stringify(body)),
        })
        return `${answer.status} ${(JSON.parse(answer.body) as { detail: string }).detail}`
      }
      const found = [
        await refused("PATCH", "/products/prd_1", {}),
        await refused("PUT", "/products/prd_1", {}),
        await refused("DELETE", "/products/prd_1", {}),
        await refused("POST", "/products", {}),
        await refused("POST", `/orders/${shipped.id}/transitions/ship`, {}),
      ]
      assert.deepEqual(found, [
        "403 You may not update products.",
        "403 You may not update products.",
        "403 You may not delete products.",
        "403 You may not create products.",
        "403 You may not ship orders.",
      ])
    })

    test("a record that may be changed and has changed", async () => {
      const list = await own.rest({
        method: "GET",
        path: "/orders",
        query: "filter[status]=cart&limit=1&fields=number",
      })
      const [cart] = (JSON.parse(list.body) as { data: { id: string; number: string }[] }).data
      assert.ok(cart)
      for (const path of [`/orders/${cart.id}`, `/orders/number=${cart.number}`])
        assert.equal(await send("PATCH", path, { "if-match": '"77"' }), "412 stale_version", path)
    })
  })

const stock = service({
  name: "stock",
  roles: ["staff"],
  resources: {
    shelf: resource({
      key: ["name"],
      fields: { name: f.slug() },
      allow: { read: role("staff"), create: role("staff") },
    }),
    place: resource({
      key: ["shelf", "position"],
      fields: { position: f.integer(), note: f.text({ optional: true }) },
      relations: { shelf: one("shelf") },
      allow: { read: signedIn, create: role("staff"), update: signedIn },
    }),
  },
})

for (const database of dialects)
  test(`PUT of a record whose key has a member that is hidden, on ${database}`, async (context) => {
    const opened = await openCode(context, stock, database)
    const asStaff = opened.as("role:staff")
    await asStaff.rest("POST", "/shelves", { name: "a" })
    const made = await asStaff.rest<{ id: string }>("PUT", "/places/a~1", { note: "x" })
    assert.equal(made.status, 201)
    const asAnybody = opened.as("signedIn")
    const changed = await asAnybody.rest<{ note: string }>("PUT", "/places/a~1", { note: "y" })
    assert.deepEqual([changed.status, changed.body.note], [200, "y"])
    assert.equal((await asAnybody.rest("PUT", "/places/a~2", { note: "y" })).status, 404)
    assert.deepEqual(opened.faults, [])
  })

const scales = service({
  name: "scales",
  viewer: "person",
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
    parcel: resource({
      id: "par",
      fields: { grams: f.integer(), halves: f.int64({ computed: { multiply: ["grams", 2] } }) },
      relations: { owner: one("person") },
      allow: { read: { halves: { gt: 9 } }, update: { grams: { lt: 5 } }, delete: { grams: { gt: 5 } } },
    }),
  },
})

for (const database of dialects)
  test(`a record that a computed constant hides is not there for writes, on ${database}`, async (context) => {
    const opened = await openCode(context, scales, database)
    const { person: [ann = ""] = [] } = await opened.add({ person: [{ name: "Ann" }] })
    const { parcel: [hidden = ""] = [] } = await opened.add({ parcel: [{ grams: 1, ownerId: ann }] })
    const asAnn = opened.as(`person:${ann}`)
    for (const id of [hidden, "par_00000000000000000000000000"]) {
      assert.equal((await asAnn.rest("DELETE", `/parcels/${id}`)).status, 404, id)
      assert.equal((await asAnn.rest("PATCH", `/parcels/${id}`, { grams: 2 })).status, 404, id)
    }
    assert.deepEqual(opened.faults, [])
  })

const members = service({
  name: "members",
  roles: ["staff"],
  viewer: "person",
  resources: {
    person: resource({ fields: { name: f.text() }, allow: { read: signedIn } }),
    member: resource({
      fields: { badge: f.text({ unique: true, write: { level: { eq: 1 } } }), level: f.integer() },
      allow: { read: signedIn, create: role("staff"), update: signedIn },
    }),
  },
})

for (const database of dialects)
  test(`PUT by a unique value sets no member that its address says, ${database}`, async (context) => {
    const opened = await openCode(context, members, database)
    const { person: [ann = ""] = [] } = await opened.add({ person: [{ name: "Ann" }] })
    await opened.add({ member: [{ badge: "a", level: 2 }] })
    const put = async (as: string, path: string, body: object, headers = {}): Promise<string> => {
      const answer = await opened.as(as).rest<{ code?: string }>("PUT", path, body, headers)
      return `${answer.status} ${answer.body.code ?? ""}`
    }
    // Only a new value needs the permission to set it, whether or not the caller may make such a record.
    for (const as of [`person:${ann}`, "role:staff"]) {
      assert.equal(await put(as, "/members/badge=a", { level: 3 }, { "if-match": "*" }), "200 ", as)
      assert.equal(
        await put(as, "/members/badge=a", { badge: "a", level: 3 }, { "if-match": "*" }),
        "200 ",
        as,
      )
    }
    assert.equal(await put(`person:${ann}`, "/members/badge=a", { level: 4 }), "200 ")
    const other = await put(`person:${ann}`, "/members/badge=a", { badge: "b", level: 4 })
    assert.equal(other, "400 readonly_field")
  })
