// A further secret of an endpoint is shown once, in the answer that makes it, by each address, face and preference: no
// secret signs that its maker was not shown.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { f, load, resource, role, service } from "../../src/index.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { openapi } from "../../src/rest/openapi/openapi.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const model = load(
  withSystem(
    service({
      name: "shop",
      roles: ["staff"],
      webhooks: { manage: role("staff") },
      resources: { order: resource({ id: "ord", fields: { total: f.integer() }, history: true }) },
    }),
  ),
)

for (const database of ["sqlite", "postgres"] as const)
  describe(`secrets of endpoints on ${database}`, () => {
    const hooks = cleanUp(after)

    test("each way to make one shows it", async () => {
      const server = await openServer(hooks, await openDatabase(hooks, database, model), model)
      const send = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
        const answered = await fetch(`${server.url}${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: "Bearer role:staff", ...headers },
          body: JSON.stringify(body),
        })
        return { status: answered.status, text: await answered.text() }
      }
      const made = await send("/webhook-endpoints", { url: "https://example.com/hook" })
      const { id } = JSON.parse(made.text) as { readonly id: string }
      const below = `/webhook-endpoints/${id}/secrets`
      const named = { endpointId: id }
      const once = { "idempotency-key": "a" }
      const ways: readonly (readonly [path: string, body: object, headers?: typeof once | object])[] = [
        ["/webhook-secrets", named],
        ["/webhook-secrets", named, { prefer: "return=minimal" }],
        [below, {}],
        [below, {}, { prefer: "return=minimal" }],
        [below, {}, once],
        ["/batch", { requests: [{ method: "POST", path: below, body: {} }] }],
        ["/graphql", { query: `mutation { createWebhookSecret(input: {endpointId: "${id}"}) { secret } }` }],
      ]
      const shown = new Set<string>()
      for (const [path, body, headers] of ways) {
        const { text } = await send(path, body, headers as Readonly<Record<string, string>>)
        const [secret] = /whsec_[\w+/=]+/.exec(text) ?? []
        assert.ok(secret, `${path} ${JSON.stringify(headers)}: ${text}`)
        shown.add(secret)
      }
      const replayed = await send(below, {}, once)
      assert.equal(replayed.status, 201)
      assert.equal((JSON.parse(replayed.text) as { readonly secret: unknown }).secret, null)
      const { body } = await server.send("GET", below, "role:staff")
      assert.equal((body["data"] as readonly unknown[]).length, shown.size)
      assert.doesNotMatch(JSON.stringify(body), /whsec_/)
    })
  })

test("the OpenAPI document has the secret at both addresses that make one", () => {
  const { paths } = openapi(openModel(model)) as unknown as {
    readonly paths: Readonly<
      Record<string, { readonly post?: { readonly responses: Readonly<Record<string, object>> } }>
    >
  }
  for (const path of ["/webhook-secrets", "/webhook-endpoints/{id}/secrets"])
    assert.deepEqual(paths[path]?.post?.responses["201"], {
      $ref: "#/components/responses/WebhookSecretCreatedWithSecret",
    })
})
