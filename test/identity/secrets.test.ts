// A key's secret is shown to whoever makes the key, once, and is in the database nowhere.

import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import { f, resource, role, service } from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { type Actor, actorOf } from "../../src/plan/access/actor.ts"
import { digestOf } from "../../src/plan/values/typeid.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { asText } from "../support/text-face.ts"
import { openShop } from "./shop.ts"

const whole = load(
  withSystem(
    service({
      name: "shop",
      roles: ["staff", "warehouse"],
      identity: { keys: { manage: role("staff"), grant: { warehouse: role("staff") } } },
      resources: { thing: resource({ fields: { name: f.text() }, allow: { read: role("staff") } }) },
    }),
  ),
)

async function open(test: TestContext, database: "sqlite" | "postgres") {
  const dialect = database === "sqlite" ? sqlite : postgres
  const url =
    database === "sqlite" ? `${await temporaryFolder(test)}/keys.sqlite` : await temporaryPostgres(test)
  await setUp(
    url,
    createSchema(whole, dialect).map((text) => ({ text, parameters: [] })),
  )
  const storage = await openStorage(url, { writes: "unsafe" })
  test.after(() => storage.close())
  const sent: string[] = []
  const watched = {
    ...storage,
    write: (work: Parameters<NonNullable<typeof storage.write>>[0]) => {
      sent.push(JSON.stringify(work, (_, value) => (typeof value === "bigint" ? String(value) : value)))
      assert.ok(storage.write)
      return storage.write(work)
    },
  }
  const faces = createFaces({ model: whole, storage: watched, secret: "of the tests", base: "" })
  const staff = actorOf(whole, { name: "staff", roles: ["staff"], scopes: [] })
  assert.ok(staff)
  const ask = async (face: "graphql" | "rest", actor: Actor, path: string, body: unknown, headers = {}) => {
    const answer = await asText(
      faces.facesFor(actor)[face],
      actor.model,
    )({
      actor,
      method: "POST",
      path,
      query: "",
      headers: { "content-type": "application/json", ...headers },
      body: Buffer.from(JSON.stringify(body)),
      requestId: "test",
    })
    return { status: answer.status, body: JSON.parse(answer.body) as Record<string, never> }
  }
  return { ask, staff, sent }
}

const create = { query: 'mutation { createApiKey(input: {name: "robot"}) { apiKey { hint } secret } }' }

for (const database of ["sqlite", "postgres"] as const)
  describe(`keys made by a face, on ${database}`, () => {
    it("are shown once, and sent to the database as a digest only", async (test) => {
      const { ask, staff, sent } = await open(test, database)
      const once = { "idempotency-key": "a" }
      const first = await ask("graphql", staff, "/graphql", create, once)
      const { secret, apiKey } = (
        first.body as unknown as { data: { createApiKey: { secret: string; apiKey: { hint: string } } } }
      ).data.createApiKey
      assert.match(secret, /^shop_[0-9A-Za-z]{43}$/)
      assert.ok(secret.startsWith(apiKey.hint) && apiKey.hint.length < secret.length / 2)
      assert.ok(sent.some((work) => work.includes(digestOf(secret))))
      assert.ok(!sent.some((work) => work.includes(secret)))
      const again = await ask("graphql", staff, "/graphql", create, once)
      assert.deepEqual(again.body, { data: { createApiKey: { apiKey, secret: null } } })
      const rest = await ask("rest", staff, "/api-keys", { name: "robot" }, { prefer: "return=minimal" })
      assert.equal(rest.status, 201)
      assert.match(String(rest.body["secret"]), /^shop_[0-9A-Za-z]{43}$/)
      assert.notEqual(rest.body["secret"], secret)
      assert.ok(!sent.some((work) => work.includes(String(rest.body["secret"]))))
    })

    it("have roles and scopes that the service declares, and no others", async (test) => {
      const { ask, staff } = await open(test, database)
      const post = (input: object) => ask("rest", staff, "/api-keys", { name: "robot", ...input })
      const { status, body } = await post({ roles: ["staff", "boss"], scopes: ["reports"] })
      assert.equal(status, 400)
      assert.deepEqual(body["errors"], [
        {
          code: "invalid_value",
          detail: '`roles` must hold only declared names, not "boss" (item 2).',
          hint: "Known here: staff, warehouse.",
          pointer: "/roles",
        },
        {
          code: "invalid_value",
          detail: '`scopes` must hold only declared names, not "reports" (item 1).',
          hint: "It declares none.",
          pointer: "/scopes",
        },
      ])
      const query = 'mutation { createApiKey(input: {name: "robot", roles: ["stafff"]}) { secret } }'
      const made = (await ask("graphql", staff, "/graphql", { query })).body as unknown as {
        errors: readonly { extensions: { errors: readonly { pointer: string; hint: string }[] } }[]
      }
      const [problem] = made.errors[0]?.extensions.errors ?? []
      assert.deepEqual([problem?.pointer, problem?.hint], ["/roles", 'Did you mean "staff"?'])
      const good = await post({ roles: ["staff"] })
      assert.equal(good.status, 201)
      const change = `mutation { updateApiKey(id: "${good.body["id"]}", input: {roles: ["boss"]}) { apiKey { id } } }`
      const changed = (await ask("graphql", staff, "/graphql", { query: change })).body
      assert.equal(changed["data"], null)
      const renamed = change.replace('roles: ["boss"]', 'name: "other", roles: ["warehouse"]')
      assert.notEqual((await ask("graphql", staff, "/graphql", { query: renamed })).body["data"], null)
    })

    it("are not in an answer whose length could tell of them: it stays as it is", async (test) => {
      const shop = await openShop(test, { identity: { keys: { manage: { role: "staff" } } }, database })
      const { secret } = await shop.makeKey({ roles: ["staff"] })
      const coded = async (members: string, accept = "gzip"): Promise<[string | null, number]> => {
        const several = Array.from(
          { length: 12 },
          (_, index) => `a${index}: createApiKey(input: {name: "robot"}) {${members}}`,
        )
        const answer = await fetch(`${shop.url}/graphql`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${secret}`,
            "content-type": "application/json",
            "accept-encoding": accept,
          },
          body: JSON.stringify({ query: `mutation {${several.join(" ")}}` }),
        })
        const text = await answer.text()
        assert.equal(JSON.parse(text).errors, undefined, text)
        return [answer.headers.get("content-encoding"), text.length]
      }
      const [plain, size] = await coded("secret apiKey { id }")
      assert.equal(plain, null)
      assert.ok(size > 1_024)
      assert.equal((await coded("apiKey { id hint name etag }"))[0], "gzip")
      // The write is done, and the client takes nothing else.
      assert.equal((await coded("secret apiKey { id }", "gzip, identity;q=0"))[0], "gzip")
    })

    it("are made one by one, and nobody names their digest", async (test) => {
      const { ask, staff } = await open(test, database)
      const several = await ask("rest", staff, "/api-keys", [{ name: "robot" }])
      assert.equal(several.status, 400)
      for (const name of ["digest", "secret", "hint"]) {
        const given = await ask("rest", staff, "/api-keys", { name: "robot", [name]: "x" })
        assert.equal(given.status, 400, name)
      }
      const query = await ask("rest", staff, "/api-keys/query", { filter: { digest: { eq: "x" } } })
      assert.equal(query.status, 400)
    })
  })
