// A field that moved to a related resource: older versions read it where it was, under the rules of where it is.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, one, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const staff = role("staff")

const shop = (reads: object, relation = "home") =>
  service({
    name: "shop",
    roles: ["staff"],
    viewer: "customer",
    versions: {
      "2026-09-01": [{ renamed: "customer.address", to: relation }],
      "2026-06-01": [
        { removed: "customer.city", was: f.text({ optional: true }), reads },
        {
          removed: "customer.floor",
          was: f.integer({ optional: true }),
          reads: { add: [{ field: ["address", "floor"] }, 1] },
        },
      ],
      "2026-01-01": [],
    },
    resources: {
      customer: resource({
        id: "cus",
        fields: {
          name: f.text(),
          town: f.text({ optional: true, computed: { upper: { field: [relation, "city"] } } }),
        },
        relations: { [relation]: one("address", { optional: true }) },
        allow: { read: anyone, create: staff, update: staff },
      }),
      address: resource({
        id: "adr",
        fields: { city: f.text(), floor: f.integer(), secret: f.text({ default: "x", read: staff }) },
        allow: { read: [staff, { city: { eq: "London" } }], create: staff, update: staff },
      }),
    },
  } as never)

test("fields of related records are checked as others are", () => {
  const wrong = (reads: object) => () => load(shop(reads))
  assert.throws(wrong({ field: ["address", "town"] }), /customer has no "address.town" in this version/)
  assert.throws(wrong({ field: ["home", "city"] }), /customer has no "home.city" in this version/)
  assert.throws(wrong({ field: "address" }), /`field` takes a to-one relation and a field of its record/)
  const computed = (expression: object) => () =>
    load(
      service({
        name: "shop",
        resources: {
          a: resource({
            fields: { x: f.text({ computed: expression as never }) },
            relations: { b: one("b") },
          }),
          b: resource({ fields: { y: f.text(), n: f.float() } }),
        },
      } as never),
    )
  assert.doesNotThrow(computed({ field: ["b", "y"] }))
  assert.throws(computed({ field: ["c", "y"] }), /There is no to-one relation "c" here/)
  assert.throws(computed({ field: ["b", "z"] }), /There is no field "z"/)
  assert.throws(computed({ field: ["b", "n"] }), /"x" is text, and "n" in its expression is float/)
})

test("a relation has its newest name wherever an expression follows it", () => {
  const moved = { field: ["address", "city"] }
  for (const reads of [
    moved,
    { upper: moved },
    { if: { when: { name: { eq: "Ada" } }, give: moved, else: { lower: moved } } },
  ]) {
    const old = modelAt(load(shop(reads)), "2026-01-01")
    const computed = JSON.stringify(old.resources.get("customer")?.fields.get("city")?.computed)
    assert.ok(computed.includes('"relation":"home"') && !computed.includes('"relation":"address"'), computed)
  }
})

for (const database of ["sqlite", "postgres"] as const)
  describe(`a moved field on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(shop({ field: ["address", "city"] })))
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(
      ({ authorization }) =>
        authorization === undefined ? strangerTo(model) : actorFromText(model, authorization),
      model,
    )
    const server = await openServer(hooks, url, model, {}, { identify })
    const send = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      assert.ok(answered.status < 500, text)
      return { status: answered.status, body: text === "" ? {} : JSON.parse(text) }
    }
    const asStaff = { authorization: "role:staff" }
    const old = { "api-version": "2026-01-01" }

    test("is read, found and sorted by, and computed fields follow relations, too", async () => {
      const people: string[] = []
      for (const [name, city, floor] of [
        ["Ada", "London", 2],
        ["Zoë", "Paris", 7],
        ["Eve", undefined, undefined],
      ] as const) {
        const address =
          city === undefined ? undefined : (await send(asStaff, "POST", "/addresses", { city, floor })).body
        const made = await send(asStaff, "POST", "/customers", {
          name,
          ...(address && { homeId: address.id }),
        })
        assert.equal(made.status, 201, JSON.stringify(made.body))
        people.push(made.body.id)
      }
      const list = async (headers: Record<string, string>, query: string) =>
        (
          await send({ ...old, ...headers }, "GET", `/customers?fields=name,city,floor&${query}`)
        ).body.data.map(({ name, city, floor }: Record<string, unknown>) => [name, city, floor])
      assert.deepEqual(await list(asStaff, "sort=name"), [
        ["Ada", "London", 3],
        ["Eve", null, null],
        ["Zoë", "Paris", 8],
      ])
      assert.deepEqual(await list(asStaff, "filter[city]=Paris"), [["Zoë", "Paris", 8]])
      assert.deepEqual(await list(asStaff, "filter[floor][lt]=5"), [["Ada", "London", 3]])
      // Who does not see the address does not see what was moved there, whatever is asked.
      assert.deepEqual(await list({}, "sort=name"), [
        ["Ada", "London", 3],
        ["Eve", null, null],
        ["Zoë", null, null],
      ])
      assert.deepEqual(await list({}, "filter[city]=Paris"), [])
      assert.deepEqual(await list({}, "filter[floor][gt]=5"), [])
      const { body } = await send({ ...old }, "POST", "/graphql", {
        query: `{ customers(orderBy: [{ field: name }]) { nodes { city floor } } }`,
      })
      assert.deepEqual(body.data.customers.nodes, [
        { city: "London", floor: 3 },
        { city: null, floor: null },
        { city: null, floor: null },
      ])
      const newest = await send(asStaff, "GET", `/customers/${people[0]}`)
      assert.deepEqual([newest.body.town, newest.body.city], ["LONDON", undefined])
      const towns = await send(asStaff, "GET", "/customers?filter[town]=PARIS&fields=town")
      assert.deepEqual(
        towns.body.data.map(({ town }: { readonly town: string }) => town),
        ["PARIS"],
      )
      const refused = await send({ ...old, ...asStaff }, "PATCH", `/customers/${people[0]}`, { city: "Rome" })
      assert.equal(refused.status, 400)
    })
  })
