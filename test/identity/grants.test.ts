// Nobody grants what they do not have: roles, scopes and tiers of keys and endpoints, in every way that one can be written.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { canonicalDateTime } from "../../src/model/values/datetime.ts"
import { cleanUp } from "../support/database.ts"
import { type Caller, type Managed, openManaged } from "./open-grants.ts"

const admin: Caller = { roles: ["admin"] }
const support: Caller = { roles: ["support"] }
const staff: Caller = { roles: ["staff"] }

interface Given {
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
  readonly tier?: string | null
}

/** What each caller asks for, and what it may not grant of it; null where all is granted. */
const granted: readonly (readonly [Caller, Given, string | null])[] = [
  [support, {}, null],
  [support, { roles: ["support"] }, null],
  [support, { roles: ["admin"] }, 'the role "admin"'],
  [support, { roles: ["support", "admin"] }, 'the role "admin"'],
  [support, { roles: ["support", "warehouse"] }, 'the role "warehouse"'],
  [support, { scopes: ["reports"] }, 'the scope "reports"'],
  [{ ...support, scopes: ["reports"] }, { scopes: ["reports"] }, null],
  [{ ...support, scopes: ["orders"] }, { scopes: ["orders"] }, null],
  [admin, { roles: ["admin"] }, null],
  // The declared grant takes the place of having it.
  [{ roles: ["admin", "warehouse"] }, { roles: ["warehouse"] }, 'the role "warehouse"'],
  [staff, { roles: ["warehouse", "staff"], scopes: ["orders"] }, null],
  [staff, { roles: ["warehouse"], scopes: ["reports"] }, 'the scope "reports"'],
  // Tiers by their limits: the service's own are below pro, and above trial.
  [support, { tier: "trial" }, null],
  [support, { tier: "pro" }, 'the tier "pro"'],
  [{ ...support, tier: "pro" }, { tier: "pro" }, null],
  [{ ...support, tier: "pro" }, {}, null],
  [{ ...support, tier: "trial" }, { tier: "trial" }, null],
  [{ ...support, tier: "trial" }, { tier: "pro" }, 'the tier "pro"'],
  [{ ...support, tier: "trial" }, { tier: null }, "the limits of no tier"],
]

/** Resources whose records end, with the members that a new one needs. */
const endings = [
  { collection: "/api-keys", named: "ApiKey", required: { name: "k" } },
  {
    collection: "/webhook-endpoints",
    named: "WebhookEndpoint",
    required: { url: "https://example.com/hook" },
  },
] as const

const day = 86_400_000
const inDays = (days: number): string => canonicalDateTime(Date.now() + days * day)

for (const database of ["sqlite", "postgres"] as const)
  describe(`grants on ${database}`, () => {
    const hooks = cleanUp(after)
    let opened: Promise<Managed> | undefined
    const open = (): Promise<Managed> => (opened ??= openManaged(hooks, database))
    const makeKey = async (
      caller: Caller | string,
      given: object,
    ): Promise<{ id: string; secret: string }> => {
      const { status, body } = await (await open()).rest(caller, "POST", "/api-keys", { name: "k", ...given })
      assert.equal(status, 201, JSON.stringify(body))
      return body
    }

    test("a new key has at most what its maker may grant", async () => {
      const { rest, graphql } = await open()
      for (const [caller, given, denied] of granted) {
        const said = JSON.stringify([caller, given])
        const byRest = await rest(caller, "POST", "/api-keys", { name: "k", ...given })
        const query = "mutation ($input: ApiKeyCreateInput!) { createApiKey(input: $input) { secret } }"
        const byGraphql = await graphql(caller, query, { input: { name: "k", ...given } })
        const expected = denied === null ? "" : `forbidden You may not grant ${denied}.`
        assert.deepEqual([byRest.status, byRest.refused], [denied === null ? 201 : 403, expected], said)
        assert.equal(byGraphql.refused, expected, said)
      }
    })

    test("no way of writing raises a key above its writer", async () => {
      const { rest, graphql } = await open()
      const denied = /^forbidden You may not grant the role "admin"\.$/
      const { id } = await makeKey(support, { roles: ["support"] })
      const raised = { name: "k", roles: ["admin"] }
      const older = { "api-version": "2026-01-01" }
      const patch = [{ op: "add", path: "/roles/-", value: "admin" }]
      const asPatch = { "content-type": "application/json-patch+json" }
      const batch = (body: object) => ({
        requests: [
          { id: "k", method: "POST", path: "/api-keys", body: { name: "k" } },
          { method: "PATCH", path: "/api-keys/$k.id", body },
        ],
      })
      const ways = {
        post: rest(support, "POST", "/api-keys", raised),
        older: rest(support, "POST", "/api-keys", raised, older),
        patch: rest(support, "PATCH", `/api-keys/${id}`, { roles: ["support", "admin"] }),
        "older patch": rest(support, "PATCH", `/api-keys/${id}`, raised, older),
        put: rest(support, "PUT", `/api-keys/${id}`, raised),
        "json patch": rest(support, "PATCH", `/api-keys/${id}`, patch, asPatch),
        "several by rest": rest(
          support,
          "PATCH",
          "/api-keys?filter[name]=k",
          { roles: ["admin"] },
          { prefer: "max-affected=100" },
        ),
        batch: rest(support, "POST", "/batch", batch({ roles: ["admin"] })),
        create: graphql(
          support,
          `mutation { createApiKey(input: {name: "k", roles: ["admin"]}) { secret } }`,
        ),
        update: graphql(
          support,
          `mutation { updateApiKey(id: "${id}", input: {roles: ["admin"]}) { apiKey { id } } }`,
        ),
        "several updated": graphql(
          support,
          `mutation { updateApiKeys(where: {id: {eq: "${id}"}}, input: {roles: ["admin"]}, maxAffected: 9) { affected } }`,
        ),
        "in two steps": graphql(
          support,
          `mutation { a: updateApiKey(id: "${id}", input: {roles: []}) { apiKey { id } }
                      b: updateApiKey(id: "${id}", input: {roles: ["admin"]}) { apiKey { id } } }`,
        ),
      }
      for (const [way, asked] of Object.entries(ways)) {
        const { status, refused, body } = await asked
        assert.match(refused, denied, `${way}: ${status} ${JSON.stringify(body)}`)
      }
      const { body } = await rest(admin, "GET", `/api-keys/${id}`)
      assert.deepEqual(body["roles"], ["support"])
    })

    test("what has more than its writer is neither changed nor prolonged, but may be revoked", async () => {
      const { rest, graphql } = await open()
      const { id } = await makeKey(admin, { roles: ["admin"], expiresAt: inDays(30) })
      const hidden = "forbidden You may not update this apiKey."
      for (const body of [{ name: "other" }, { expiresAt: inDays(60) }, { scopes: [] }, { roles: [] }])
        assert.equal(
          (await rest(support, "PATCH", `/api-keys/${id}`, body)).refused,
          hidden,
          JSON.stringify(body),
        )
      const query = `mutation { updateApiKey(id: "${id}", input: {expiresAt: "${inDays(60)}"}) { apiKey { id } } }`
      assert.equal((await graphql(support, query)).refused, hidden)
      const { body: person } = await rest(support, "POST", "/people", { name: "Mallory" })
      assert.equal((await rest(support, "PATCH", `/api-keys/${id}`, { ownerId: person.id })).refused, hidden)
      assert.equal((await rest(admin, "PATCH", `/api-keys/${id}`, { name: "other" })).status, 200)
      assert.equal((await rest(support, "DELETE", `/api-keys/${id}`)).status, 204)
    })

    test("a key makes keys with what it has itself", async () => {
      const { rest } = await open()
      const { secret } = await makeKey(
        { ...support, scopes: ["reports"] },
        { roles: ["support"], scopes: ["reports"] },
      )
      const child = await makeKey(secret, { roles: ["support"] })
      const asked = { name: "k", roles: ["support"], scopes: ["reports"] }
      const { refused } = await rest(child.secret, "POST", "/api-keys", asked)
      assert.equal(refused, 'forbidden You may not grant the scope "reports".')
      assert.equal((await rest(child.secret, "GET", "/memos")).status, 404)
      const slow = await makeKey({ ...support, tier: "trial" }, { roles: ["support"], tier: "trial" })
      assert.equal((await rest(slow.secret, "POST", "/api-keys", { name: "k" })).status, 403)
      assert.equal((await rest(slow.secret, "POST", "/api-keys", { name: "k", tier: "pro" })).status, 403)
      assert.equal((await rest(slow.secret, "POST", "/api-keys", { name: "k", tier: "trial" })).status, 201)
      assert.equal((await rest(slow.secret, "POST", "/api-keys", { name: "k", tier: "none" })).status, 400)
    })

    test("who manages the keys of its people gives them nothing that it lacks", async () => {
      const { rest } = await open()
      const { body: boss } = await rest(support, "POST", "/people", { name: "Ada" })
      const { body: own } = await rest(support, "POST", "/people", { name: "Bob", bossId: boss.id })
      const { body: other } = await rest(support, "POST", "/people", { name: "Eve" })
      const caller = { viewer: boss.id }
      const made = (more: object) =>
        rest(caller, "POST", "/api-keys", { name: "k", ownerId: own.id, ...more })
      assert.equal((await made({})).status, 201)
      assert.equal(
        (await made({ roles: ["staff"] })).refused,
        'forbidden You may not grant the role "staff".',
      )
      assert.equal((await made({ ownerId: other.id })).status, 403)
      assert.equal((await made({ ownerId: boss.id })).status, 403)
      const hintOf = async (id: string, body: object): Promise<unknown> => {
        const { status, body: refused } = await rest(caller, "PATCH", `/api-keys/${id}`, body)
        const [problem] = refused["errors"] as readonly { readonly hint?: string }[]
        return [status, problem?.hint]
      }
      const { body: plain } = await made({})
      const byRule = "The rule `manage` must allow the record as it is and as it becomes."
      assert.deepEqual(await hintOf(plain.id, { ownerId: other.id }), [403, byRule])
      const { id } = await makeKey(admin, { ownerId: own.id, roles: ["admin"] })
      const byGrant = "Only a caller that may grant all that it gives may update it."
      assert.deepEqual(await hintOf(id, { ownerId: other.id }), [403, byGrant])
    })

    test("keys and endpoints end after the declared time, or before where the request says so", async () => {
      for (const ending of endings) await checkEnds(ending)
    })
    const checkEnds = async ({ collection, named, required }: (typeof endings)[number]): Promise<void> => {
      const { rest, graphql } = await open()
      const made = async (more: object) =>
        (await rest(admin, "POST", collection, { ...required, ...more })).body
      const { expiresAt, createdAt } = await made({})
      const seconds = (Date.parse(String(expiresAt)) - Date.parse(String(createdAt))) / 1_000
      assert.equal(Math.round(seconds), 90 * 24 * 3_600)
      const sooner = inDays(1)
      const { id, expiresAt: said } = await made({ expiresAt: sooner })
      assert.equal(said, sooner)
      // The clock of a client that counts them itself may be ahead.
      const exact = canonicalDateTime(Date.now() + 90 * day + 60_000)
      assert.equal((await made({ expiresAt: exact }))["expiresAt"], exact)
      const path = `${collection}/${id}`
      for (const wrong of [null, inDays(91)]) {
        const created = await rest(admin, "POST", collection, { ...required, expiresAt: wrong })
        const json = JSON.stringify(wrong)
        const query = `mutation { update${named}(id: "${id}", input: {expiresAt: ${json}}) { __typename } }`
        for (const { refused } of [
          created,
          await rest(admin, "PATCH", path, { expiresAt: wrong }),
          await rest(admin, "PUT", path, { ...required, expiresAt: wrong }),
          await graphql(admin, query),
        ])
          assert.match(refused, /^invalid_value `expiresAt` must be at most 90 days away/, json)
      }
      const past = await rest(admin, "POST", collection, { ...required, expiresAt: inDays(-1) })
      assert.match(past.refused, /^invalid_value `expiresAt` must be in the future/)
      assert.equal((await rest(admin, "PATCH", path, { expiresAt: inDays(-1) })).status, 200, "ends it")
    }

    test("the history of a key has its makers and its roles, and neither its secret nor each of its uses", async () => {
      const { rest } = await open()
      const { id, secret } = await makeKey(admin, { roles: ["admin"] })
      await rest(secret, "PATCH", `/api-keys/${id}`, { roles: [] })
      const { body } = await rest(admin, "GET", `/api-keys/${id}/history`)
      const entries = body["data"] as readonly { type: string; actor: string; changes: readonly object[] }[]
      // Its first use pins it to a version.
      const others = entries.filter(({ actor }) => actor !== "bifold key")
      assert.deepEqual(
        others.map(({ type, actor }) => [type, actor]),
        [
          ["apiKey.created", JSON.stringify(admin)],
          ["apiKey.updated", `key:${id}`],
        ],
      )
      assert.deepEqual(others[1]?.changes, [{ field: "roles", from: ["admin"], to: [] }])
      const { body: events } = await rest(admin, "GET", "/events?types=apiKey.created&limit=100")
      assert.ok(JSON.stringify(events).includes(id))
      for (const shown of [body, events])
        assert.doesNotMatch(JSON.stringify(shown), /digest|shop_[0-9A-Za-z]{43}/)
    })

    test("an endpoint has at most what its writers may grant", async () => {
      const { rest, graphql } = await open()
      const url = "https://example.com/hook"
      const made = (roles: readonly string[]) => rest(support, "POST", "/webhook-endpoints", { url, roles })
      assert.equal((await made(["admin"])).refused, 'forbidden You may not grant the role "admin".')
      assert.equal((await made(["support", "warehouse"])).status, 201)
      const query = `mutation { createWebhookEndpoint(input: {url: "${url}", scopes: ["reports"]}) { secret } }`
      assert.equal(
        (await graphql(support, query)).refused,
        'forbidden You may not grant the scope "reports".',
      )
    })

    test("an endpoint with lent roles is not widened by its owner", async () => {
      const { rest, graphql } = await open()
      const { body: person } = await rest(support, "POST", "/people", { name: "Ada" })
      const owner = { viewer: person.id }
      const url = "https://example.com/hook"
      const narrow = { url, types: ["memo.deleted"], filter: { memo: { text: { eq: "x" } } } }
      const { body: made } = await rest(admin, "POST", "/webhook-endpoints", {
        ...narrow,
        ownerId: person.id,
        roles: ["admin"],
      })
      const path = `/webhook-endpoints/${made.id}`
      const wider: readonly object[] = [
        { url: "https://evil.example/" },
        { types: [] },
        { filter: null },
        { payload: "full" },
        { format: "cloudevents" },
        { version: "2026-01-01" },
        { expiresAt: inDays(60) },
        { types: [], url: "https://evil.example/", filter: null },
      ]
      for (const body of wider)
        for (const caller of [owner, { ...owner, ...support }, support]) {
          const { status, refused } = await rest(caller, "PATCH", path, body)
          assert.deepEqual(
            [status, refused],
            [403, "forbidden You may not update this webhookEndpoint."],
            JSON.stringify(body),
          )
        }
      const put = await rest(owner, "PUT", path, { url: "https://evil.example/" })
      assert.equal(put.status, 403, put.refused)
      const update = `mutation { updateWebhookEndpoint(id: "${made.id}", input: {types: []}) { webhookEndpoint { id } } }`
      assert.equal(
        (await graphql(owner, update)).refused,
        "forbidden You may not update this webhookEndpoint.",
      )
      const { body: thief } = await rest(support, "POST", "/people", { name: "Eve" })
      assert.equal((await rest(support, "PATCH", path, { ownerId: thief.id })).status, 403)
      // A further secret changes neither what is sent nor where.
      const further = await rest(owner, "POST", "/webhook-secrets", { endpointId: made.id })
      assert.equal(further.status, 201, further.refused)
      const add = `mutation { createWebhookSecret(input: {endpointId: "${made.id}"}) { secret } }`
      assert.equal((await graphql(owner, add)).refused, "")
      const { body: kept } = await rest(admin, "GET", path)
      assert.deepEqual([kept["url"], kept["types"], kept["filter"]], Object.values(narrow))
      // Its owner may stop it, and the lender and its equals may change it.
      for (const transition of ["pause", "resume", "disable"])
        assert.equal((await rest(owner, "POST", `${path}/transitions/${transition}`)).status, 200, transition)
      assert.equal((await rest(admin, "PATCH", path, { types: ["memo.created"] })).status, 200)
      // Without lent roles it is the owner's again.
      assert.equal((await rest(admin, "PATCH", path, { roles: [] })).status, 200)
      assert.equal((await rest(owner, "PATCH", path, { types: [] })).status, 200)
    })
  })
