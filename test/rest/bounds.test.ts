// Requests that once broke the service: names that are objects, a PUT by somebody who may create and not change, and
// conditions of more terms than a database takes.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { f, many, one, resource, role, service, signedIn } from "../../src/index.ts"
import { startService, type TestService } from "../../src/tools/testing/start-service.ts"
import { dialects } from "../support/open-service.ts"

const shop = service({
  name: "shop",
  roles: ["creator"],
  resources: {
    label: resource({
      key: ["code"],
      fields: { code: f.text({ immutable: true }), order: f.integer({ optional: true }) },
      relations: { things: many("thing", { by: "label" }) },
      allow: { read: signedIn, create: role("creator") },
    }),
    place: resource({
      key: ["hall", "number"],
      fields: { hall: f.text({ immutable: true }), number: f.integer({ immutable: true }) },
      allow: { read: signedIn },
    }),
    thing: resource({
      id: "thg",
      fields: { name: f.text() },
      relations: { label: one("label", { optional: true }) },
      allow: { read: signedIn },
    }),
  },
})

for (const database of dialects)
  describe(`bounds, on ${database}`, () => {
    let opened: TestService
    before(async () => {
      const server = database === "sqlite" ? "sqlite" : (process.env["BIFOLD_TEST_POSTGRES"] ?? "")
      opened = await startService(shop as never, {
        database: server,
        records: {
          label: [{ code: "red" }],
          thing: Array.from({ length: 30 }, (_, index) => ({ name: `thing ${index}` })),
        } as never,
      })
    })
    after(() => opened.close())

    it("a name in a batch that is an object is a mistake of the client's", async () => {
      for (const id of [{ toString: 1 }, { valueOf: 1, toString: null }, [], 1, null, Object.create(null)]) {
        const requests = [{ id, method: "GET", path: "/labels" }]
        const { status, body } = await opened.as("signedIn").rest<Problem>("POST", "/batch", { requests })
        assert.deepEqual([status, body.code], [400, "invalid_value"], JSON.stringify(id))
      }
    })

    it("a PUT that may only create says so where If-Match asks it to change", async () => {
      const send = (who: string, path: string) =>
        opened.as(who).rest<Problem>("PUT", path, {}, { "if-match": '"1"' })
      for (const path of ["/labels/red", "/labels/absent"]) {
        const { status, body } = await send("role:creator", path)
        assert.deepEqual([status, body.code], [403, "forbidden"], path)
      }
      const requests = [{ method: "PUT", path: "/labels/red", headers: { "If-Match": '"1"' }, body: {} }]
      const batch = await opened.as("role:creator").rest<Problem>("POST", "/batch", { requests })
      assert.deepEqual([batch.status, batch.body.code], [403, "forbidden"])
      const made = await opened.as("role:creator").rest("PUT", "/labels/blue", {}, { "if-none-match": "*" })
      assert.equal(made.status, 201, "it may create as before")
    })

    const conditionsOf = (term: object, count: number) => Array.from({ length: count }, () => term)
    for (const [what, path, term] of [
      ["texts", "things", { name: { contains: "thing" } }],
      ["words", "things", { name: { search: "thing 1" } }],
      ["ids", "places", { id: { in: ["place_a~1"] } }],
      ["opposites", "things", { not: { name: { eq: "x" } } }],
      ["nothing", "things", {}],
    ] as const)
      for (const connective of ["and", "or"])
        it(`1,000 terms about ${what} in ${connective} are answered, 1,001 are too many`, async () => {
          const ask = (count: number) =>
            opened.as("signedIn").rest<Problem>("POST", `/${path}/query`, {
              filter: { [connective]: conditionsOf(term, count) },
            })
          const all = await ask(1_000)
          assert.equal(all.status, 200, JSON.stringify(all.body).slice(0, 300))
          const tooMany = await ask(1_001)
          assert.deepEqual([tooMany.status, tooMany.body.code], [413, "too_large"])
          assert.match(tooMany.body.detail, /1001 terms; at most 1000 .*limit `terms`/)
        })

    it("terms and steps to related records are counted over a whole request, by GraphQL as well", async () => {
      const query =
        "query Q($a: ThingWhere, $b: LabelWhere) { things(where: $a) { totalCount } labels(where: $b) { totalCount } }"
      const ask = (a: object, b: object) => opened.as("signedIn").graphql<object>(query, { a, b })
      const terms = (count: number) => ({ or: conditionsOf({ name: { eq: "a" } }, count) })
      const steps = (count: number) => ({
        and: conditionsOf({ things: { some: { name: { ne: "a" } } } }, count),
      })
      assert.deepEqual((await ask(terms(900), steps(100))).errors, [])
      for (const [a, b] of [
        [terms(901), steps(100)],
        [terms(1), steps(101)],
      ] as const) {
        const { data, errors } = await ask(a, b)
        assert.deepEqual([data, errors[0]?.extensions.code], [null, "too_large"])
        assert.equal(errors.length, 1)
      }
    })
  })

interface Problem {
  readonly code: string
  readonly detail: string
}
