// URLs of endpoints that can never be called are refused by both faces when they are written.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const declare = (networks: readonly string[]) =>
  load(
    withSystem(
      service({
        name: "shop",
        roles: ["staff"],
        webhooks: { manage: role("staff"), networks },
        resources: {
          order: resource({
            id: "ord",
            history: true,
            fields: { number: f.text() },
            allow: { read: anyone },
          }),
        },
      }),
    ),
  )

/** By the networks of the service: URLs, and what is wrong with each. */
const places: readonly (readonly [readonly string[], Readonly<Record<string, RegExp | undefined>>])[] = [
  [
    [],
    {
      "https://example.com/hook": undefined,
      "https://93.184.216.34/hook": undefined,
      "http://example.com/hook": /an https address/,
      "ftp://example.com/hook": /an https address/,
      "https://": /an https address/,
      "https://[::1": /URL that can be called/,
      "https://localhost/": /public internet/,
      "https://LOCALHOST.:8443/": /public internet/,
      "https://api.localhost/": /public internet/,
      "https://127.1/": /public internet/,
      "https://2130706433/": /public internet/,
      "https://0x7f.0.0.1/": /public internet/,
      "https://10.0.0.1/": /public internet/,
      "https://169.254.169.254/latest/meta-data": /public internet/,
      "https://[::ffff:10.0.0.1]/": /public internet/,
      "https://[fd00::1]/": /public internet/,
    },
  ],
  [
    ["10.0.0.0/8"],
    {
      "http://10.0.0.1/hook": undefined,
      "https://10.0.0.1/hook": undefined,
      "https://93.184.216.34/hook": undefined,
      "http://93.184.216.34/hook": /begin with https/,
      "http://192.168.0.1/hook": /public internet/,
    },
  ],
]

describe("a URL of an endpoint", () => {
  const hooks = cleanUp(after)
  for (const [networks, urls] of places)
    test(`is refused where it cannot be called, with networks ${networks.join() || "of nobody"}`, async () => {
      const model = declare(networks)
      const server = await openServer(hooks, await openDatabase(hooks, "sqlite", model), model)
      const made = await server.send("POST", "/webhook-endpoints", "role:staff", {
        url: "https://example.com/",
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const query = `mutation ($id: ID!, $url: String!) {
        updateWebhookEndpoint(id: $id, input: { url: $url }) { webhookEndpoint { url } }
      }`
      for (const [url, wrong] of Object.entries(urls)) {
        const { status, body } = await server.send("POST", "/webhook-endpoints", "role:staff", { url })
        assert.equal(status, wrong ? 400 : 201, url)
        if (wrong) assert.match(JSON.stringify(body), wrong, url)
        const variables = { id: made.body.id, url }
        const asked = await server.send("POST", "/graphql", "role:staff", { query, variables })
        assert.match(JSON.stringify(asked.body), wrong ?? /"url"/, url)
      }
    })
})
