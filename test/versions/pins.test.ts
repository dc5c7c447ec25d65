// Keys and endpoints are pinned to versions that the service declares, and to no others, by both faces and on both databases.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { anyone, f, one, resource, role, service, viewer } from "../../src/index.ts"
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

    test("owners move their own keys, and change nothing else of them", async () => {
      const me = { id: { eq: viewer.id } }
      const model = load(
        withSystem(
          service({
            name: "desks",
            viewer: "person",
            roles: ["staff"],
            identity: { keys: { manage: [staff, { owner: { boss: me } }] } },
            versions: { "2026-06-01": [], "2026-01-01": [] },
            resources: {
              person: resource({
                id: "per",
                fields: {},
                relations: { boss: one("person", { optional: true }) },
                allow: { read: anyone, create: staff },
              }),
            },
          } as never),
        ),
      )
      const { send } = await openServer(hooks, await openDatabase(hooks, database, model), model)
      const make = async (path: string, body: object) => {
        const made = await send("POST", path, "role:staff", body)
        assert.equal(made.status, 201, JSON.stringify(made.body))
        return made.body.id
      }
      const ann = await make("/people", {})
      const [ben, cat] = [await make("/people", { bossId: ann }), await make("/people", {})]
      const plain = await make("/api-keys", { name: "plain", ownerId: ben, version: "2026-01-01" })
      const strong = await make("/api-keys", { name: "strong", ownerId: ben, roles: ["staff"] })
      const patch = async (id: string, actor: string, body: object) =>
        (await send("PATCH", `/api-keys/${id}`, actor, body)).status
      const to = { version: "2026-06-01" }
      assert.equal(await patch(plain, `person:${ben}`, to), 200)
      assert.equal((await send("GET", `/api-keys/${plain}`, `person:${ben}`)).body["version"], "2026-06-01")
      const query = `mutation { updateApiKey(id: "${plain}", input: { version: "2026-01-01" }) { apiKey { version } } }`
      assert.deepEqual((await send("POST", "/graphql", `person:${ben}`, { query })).body["data"], {
        updateApiKey: { apiKey: { version: "2026-01-01" } },
      })
      assert.equal(await patch(plain, `person:${ben}`, { name: "mine" }), 403)
      assert.equal(await patch(plain, `person:${ben}`, { ...to, roles: ["staff"] }), 403)
      assert.equal(await patch(plain, `person:${ben}`, { version: "1999" }), 400)
      assert.equal(await patch(strong, `person:${ben}`, to), 403, "it grants what its owner lacks")
      assert.equal(await patch(strong, `person:${ben}+role:staff`, to), 200)
      assert.equal(await patch(plain, `person:${cat}`, to), 404)
      assert.equal(await patch(plain, `person:${ann}`, { name: "managed" }), 200)
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
