// What the OpenAPI description says of credentials is what the service answers to whoever has none.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import type { JsonValue } from "../../src/base/json.ts"
import type { IdentityDeclaration } from "../../src/model/identity.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { deskModel } from "../states/asking.ts"
import { cleanUp } from "../support/database.ts"
import { described } from "../support/described.ts"
import { type OpenService, openExample } from "../support/open-service.ts"
import { kiosk } from "./kiosk.ts"

interface Operation {
  readonly security?: JsonValue
  readonly responses: Readonly<Record<string, JsonValue>>
}

interface Document {
  readonly security: JsonValue
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes?: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly responses: Readonly<Record<string, JsonValue>>
    readonly headers: Readonly<Record<string, JsonValue>>
  }
}

const describe = (model: Model): Document => described(model) as unknown as Document

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  )

const whole = load(storefront)
const ada = "customer:cus_01gnna1j00e1rrmypgynq0qqf2"
const required = [{ bearer: [] }]
const optional = [{}, ...required]

const hooks = cleanUp(after)
let stranger: OpenService
before(async () => {
  stranger = (await openExample(hooks, "storefront", "sqlite", { writes: "unsafe" })).as("anyone")
})

for (const [who, model] of [
  ["everybody together, as a client is made of it", whole],
  ...["anyone", ada, "role:staff", "scope:catalogue"].map(
    (words) => [words, actorFromText(whole, words).model] as const,
  ),
] as const)
  test(`to ${who}: credentials are needed where a stranger is told to sign in, and nowhere else`, async () => {
    const document = describe(model)
    assert.deepEqual(document.security, required)
    const found = new Set<JsonValue>()
    for (const { path, method, operation } of operationsOf(document)) {
      const asked = { method, path: path.replace(/\{\w+\}/g, "x"), query: "" }
      const { status } = await stranger.rest(asked)
      const said: JsonValue = operation.security ?? document.security
      assert.deepEqual(said, status === 401 ? required : optional, `${method} ${path}`)
      assert.deepEqual(operation.responses["401"], document.components.responses["Unauthorized"])
      found.add(JSON.stringify(said))
    }
    assert.equal(found.size, who === "anyone" ? 1 : 2)
  })

test("401 is a problem that says how to sign in", () => {
  const { responses, headers } = describe(whole).components
  const { headers: sent, content } = responses["Unauthorized"] as { headers: object; content: object }
  assert.deepEqual(sent, { "WWW-Authenticate": { $ref: "#/components/headers/WWW-Authenticate" } })
  assert.ok(headers["WWW-Authenticate"])
  assert.deepEqual(Object.keys(content), ["application/problem+json"])
})

const jwt = {
  issuer: "https://login.example.com/",
  audience: ["https://api.example.com", "shop"],
  algorithms: ["ES256"],
  jwks: "https://login.example.com/keys",
} as const

const keyText = "an API key, which begins with `storefront_`"
const tokenText = "a signed token (JWT) of https://login.example.com/ for https://api.example.com or shop"
for (const [identity, text] of [
  [{ keys: true }, `Sent as \`Authorization: Bearer …\`: ${keyText}.`],
  [{ jwt }, `Sent as \`Authorization: Bearer …\`: ${tokenText}.`],
  [{ jwt, keys: true }, `Sent as \`Authorization: Bearer …\`: ${keyText}, or ${tokenText}.`],
] as const satisfies readonly (readonly [IdentityDeclaration, string])[])
  test(`what is accepted is said: ${Object.keys(identity).join(" and ")}`, () => {
    const { components } = describe(load({ ...storefront, identity }))
    assert.deepEqual(components.securitySchemes, {
      bearer: { type: "http", scheme: "bearer", description: text },
    })
  })

test("a service with rules that takes no credentials yet says so", () => {
  const { security, components } = describe(deskModel)
  assert.deepEqual(security, required)
  assert.match(components.securitySchemes?.["bearer"]?.["description"] ?? "", /accepts no credentials yet/)
})

for (const [what, model] of [
  ["a service without rules", kiosk],
  ["one that is open to everybody", openModel(whole)],
] as const)
  test(`${what} asks for no credentials`, () => {
    const document = describe(model)
    assert.deepEqual([document.security, document.components.securitySchemes], [[], undefined])
    for (const { operation } of operationsOf(document))
      assert.deepEqual([operation.security, operation.responses["401"]], [undefined, undefined])
  })
