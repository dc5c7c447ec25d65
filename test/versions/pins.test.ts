// Keys and endpoints are pinned to versions that the service declares, and to no others, by both faces and on both databases.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const staff = role("staff")
const shop = (versions: object) =>
  load(
    withSystem(
      service({
        name: "shop",
        roles: ["staff"],
        identity: { keys: { manage: staff } },
        webhooks: { manage: staff },
        limits: { tiers: { pro: { perRequest: 100 } } },
        ...versions,
        resources: { order: resource({ id: "ord", fields: { total: f.integer() }, history: true }) },
      } as never),
    ),
  )
const cut = shop({ versions: { "2026-06-01": [], "2026-01-01": [] } })

const wrongName = (member: string, hint: string) => ({
  code: "invalid_value",
  detail: `\`${member}\` must be one that the service declares, not "1999".`,
  hint,
  pointer: `/${member}`,
})

for (const database of ["sqlite", "postgres"] as const)
  describe(`pins on ${database}`, () => {
    const hooks = cleanUp(after)
    const open = async (model = cut) => {
      const server = await openServer(hooks, await openDatabase(hooks, database, model), model)
      return (method: string, path: string, body?: object) => server.send(method, path, "role:staff", body)
    }

    for (const [path, type, input] of [
      ["api-keys", "ApiKey", { name: "robot" }],
      ["webhook-endpoints", "WebhookEndpoint", { url: "https://example.com/hook" }],
    ] as const)
      test(`${path} take declared versions alone, and keep what they have`, async () => {
        const send = await open()
        const made = await send("POST", `/${path}`, { ...input, version: "2026-01-01" })
        assert.equal(made.status, 201, JSON.stringify(made.body))
        const { id } = made.body
        const problem = wrongName("version", "Known here: 2026-06-01, 2026-01-01.")
        for (const [method, address, body] of [
          ["POST", `/${path}`, { ...input, version: "1999" }],
          ["PATCH", `/${path}/${id}`, { version: "1999" }],
        ] as const) {
          const refused = await send(method, address, body)
          assert.deepEqual([refused.status, refused.body["errors"]], [400, [problem]], method)
        }
        for (const query of [
          `mutation { create${type}(input: {${Object.entries(input).map(([name, value]) => `${name}: "${value}"`)}, version: "1999"}) { secret } }`,
          `mutation { update${type}(id: "${id}", input: {version: "1999"}) { __typename } }`,
        ]) {
          const { body } = await send("POST", "/graphql", { query })
          assert.match(JSON.stringify(body), /"code":"invalid_value".*2026-06-01, 2026-01-01/, query)
        }
        const read = async () => (await send("GET", `/${path}/${id}`)).body["version"]
        assert.equal(await read(), "2026-01-01")
        assert.equal((await send("PATCH", `/${path}/${id}`, { version: "2026-06-01" })).status, 200)
        assert.equal(await read(), "2026-06-01")
      })

    test("a service without versions pins no key, and a key has a declared tier", async () => {
      const send = await open(shop({}))
      const refused = await send("POST", "/api-keys", { name: "robot", version: "1999", tier: "1999" })
      assert.deepEqual(refused.body["errors"], [
        wrongName("version", "It declares none."),
        wrongName("tier", "Known here: pro."),
      ])
    })
  })
