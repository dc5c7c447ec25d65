// A service in a test answers as `bifold serve` does: its versions, its budgets and the headers of its answers.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { anyone, f, resource, service, withCode } from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

const item = {
  item: resource({
    id: "itm",
    fields: { name: f.text() },
    allow: { read: anyone, create: anyone },
  }),
}

const versioned = service({
  name: "versioned",
  roles: ["staff"],
  versions: {
    "2026-06-01": [{ renamed: "item.label", to: "name" }],
    "2026-01-01": { changes: [{ renamed: "item.title", to: "label" }], ends: "2027-06-01" },
    "2025-01-01": [],
  },
  resources: item,
})

const limited = service({
  name: "limited",
  roles: ["staff"],
  limits: { cost: { perMinute: 100 }, tiers: { anonymous: { perMinute: 5 } } },
  resources: item,
})

const withViewer = service({ ...limited, name: "with_viewer", viewer: "item" })

const records = { item: [{ id: "itm_1", name: "Cup" }] }
const many = { item: Array.from({ length: 30 }, (_, index) => ({ name: `Cup ${index}` })) }

for (const [title, database] of [
  ["SQLite", "sqlite"],
  ["PostgreSQL", process.env["BIFOLD_TEST_POSTGRES"] ?? ""],
] as const)
  describe(`a service in a test, on ${title}`, () => {
    test("API-Version chooses the shape of both faces", async () => {
      await using shop = await startService(versioned, { database, records, now: "2026-11-21T12:00:00Z" })
      for (const client of [shop.anyone, shop.as("role:staff"), shop.everybody])
        for (const [version, member] of [
          [undefined, "name"],
          ["2026-06-01", "name"],
          ["2026-01-01", "label"],
        ] as const) {
          const headers = version === undefined ? {} : { "API-Version": version }
          const { status, body, headers: sent } = await client.rest("GET", "/items/itm_1", undefined, headers)
          assert.deepEqual([status, body], [200, { id: "itm_1", [member]: "Cup" }])
          assert.equal(sent["api-version"], version ?? "2026-06-01")
          const query = `{ item(id: "itm_1") { ${member} } }`
          const { data } = await client.graphql(query, {}, headers)
          assert.deepEqual(data, { item: { [member]: "Cup" } })
        }
    })

    test("a version that is unknown, or ended by the clock of the test, is refused", async () => {
      await using shop = await startService(versioned, { database, records, now: "2026-11-21T12:00:00Z" })
      const ask = async (version: string) => {
        const headers = { "api-version": version }
        const { status, body } = await shop.anyone.rest<{ code?: string }>(
          "GET",
          "/items",
          undefined,
          headers,
        )
        const { errors } = await shop.anyone.graphql("{ __typename }", {}, headers)
        return [status, body.code, errors[0]?.extensions.code]
      }
      assert.deepEqual(await ask("1999-01-01"), [400, "unknown_version", "unknown_version"])
      assert.deepEqual(await ask("2026-01-01"), [200, undefined, undefined])
      shop.clock.set("2027-06-01T00:00:00Z")
      assert.deepEqual(await ask("2026-01-01"), [410, "version_ended", "version_ended"])
    })

    test("requests are counted for each caller, and points come back with the clock", async () => {
      await using shop = await startService(limited, { database, records })
      const read = async (client: typeof shop.anyone) => {
        const { status, headers } = await client.rest("GET", "/items/itm_1")
        return [status, headers["ratelimit"]]
      }
      const until = async (client: typeof shop.anyone): Promise<number> => {
        for (let count = 0; count < 200; count += 1) if ((await read(client))[0] === 429) return count
        return assert.fail("nothing was refused")
      }
      assert.match(String((await read(shop.anyone))[1]), /^"points";r=[0-4];t=60$/)
      const few = await until(shop.anyone)
      const more = await until(shop.as("role:staff"))
      assert.ok(few <= 5 && more > few && more <= 100, `${few} and ${more}`)
      const { errors, headers } = await shop.anyone.graphql("{ items { nodes { id } } }")
      assert.equal(errors[0]?.extensions.code, "rate_limited")
      assert.equal(headers["retry-after"], "60")
      shop.clock.advance({ minutes: 1 })
      assert.equal((await read(shop.anyone))[0], 200)
    })

    test("the end of a minute of points is a time of the test's clock", async () => {
      await using shop = await startService(withViewer, { database, records, now: "2031-03-05T12:00:00Z" })
      const resetAt = async (): Promise<string> => {
        const customer = shop.as("item:itm_1")
        const { body } = await customer.rest<{ limits: { resetAt: string } }>("GET", "/viewer")
        const { data } = await customer.graphql<{ viewer: { limits: { resetAt: string } } }>(
          "{ viewer { limits { resetAt } } }",
        )
        assert.equal(Date.parse(data?.viewer.limits.resetAt ?? ""), Date.parse(body.limits.resetAt))
        return body.limits.resetAt
      }
      assert.equal(Date.parse(await resetAt()), Date.parse("2031-03-05T12:01:00Z"))
      shop.clock.advance({ days: 1, seconds: 10 })
      assert.equal(Date.parse(await resetAt()), Date.parse("2031-03-06T12:01:10Z"))
    })

    test("arranging is charged to nobody", async () => {
      await using shop = await startService(limited, { database, records: many })
      assert.equal((await shop.add(many)).item?.length, 30)
      for (let count = 0; count < 10; count += 1) {
        const { status, headers } = await shop.everybody.rest("GET", "/items?limit=50")
        assert.deepEqual([status, headers["ratelimit"]], [200, undefined])
      }
      assert.equal((await shop.anyone.rest("GET", "/items?limit=1")).status, 200)
    })

    test("answers have the headers and the paths of a server", async () => {
      await using shop = await startService(versioned, { database, records })
      const { headers } = await shop.as("role:staff").rest("GET", "/items/itm_1")
      assert.equal(headers["x-content-type-options"], "nosniff")
      assert.equal(headers["cache-control"], "private, no-store")
      assert.match(headers["x-request-id"] ?? "", /^test-\d+$/)
      assert.equal((await shop.anyone.rest("GET", "/livez")).status, 200)
      const large = await shop.anyone.rest<{ code: string }>("POST", "/items", {
        name: "x".repeat(1024 * 1024),
      })
      assert.deepEqual([large.status, large.body.code], [413, "too_large"])
    })

    test("a fault of user code is thrown as it is, by the request that met it", async () => {
      const fault = new Error("the code's own")
      const broken = withCode(versioned, {
        before: {
          item: {
            create: () => {
              throw fault
            },
          },
        },
      })
      await using shop = await startService(broken, { database })
      const isFault = (error: unknown): boolean =>
        error === fault || (error instanceof Error && isFault(error.cause))
      const query = 'mutation { createItem(input: { name: "Cup" }) { item { id } } }'
      await Promise.all([
        assert.rejects(shop.anyone.rest("POST", "/items", { name: "Cup" }), isFault),
        assert.rejects(shop.anyone.graphql(query), isFault),
        shop.anyone.rest("GET", "/items").then(({ status }) => assert.equal(status, 200)),
      ])
    })
  })
