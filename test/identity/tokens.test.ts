// Tokens of an issuer: those that are accepted, and who they stand for; and many that are not.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import { exchange } from "../server/open.ts"
import { cleanUp } from "../support/database.ts"
import { badCredentials } from "./bad-tokens.ts"
import {
  audience,
  claims,
  compact,
  customersOf,
  hmac,
  inSeconds,
  jwtOf,
  openShop,
  signingKey,
} from "./shop.ts"

const hooks = cleanUp(after)
const es256 = signingKey("ES256", "one")
const rs256 = signingKey("RS256", "two")
const strange = signingKey("ES256", "one")
const shop = await openShop(hooks, {
  identity: { jwt: jwtOf({ keys: [es256.jwk, rs256.jwk] }), keys: true },
})
const header = { alg: "ES256", kid: "one", typ: "JWT" }
const token = (more: object = {}, head: object = {}): string =>
  compact({ ...header, ...head }, claims({ ...more }), es256.sign)

for (const [what, credential, seen] of [
  ["of a customer", () => token(), ["Ada"]],
  ["of another", () => token({ customer: 2 }), ["Zoë"]],
  [
    "of a member of staff",
    () => token({ customer: undefined, access: { roles: ["staff", "owner"] } }),
    ["Ada", "Zoë"],
  ],
  ["with roles in a text", () => token({ customer: null, access: { roles: "owner staff" } }), ["Ada", "Zoë"]],
  ["with a role that is not declared", () => token({ access: { roles: ["admin", 1, null] } }), ["Ada"]],
  ["with roles that are no names", () => token({ access: { roles: { staff: true } } }), ["Ada"]],
  ["of nobody in particular", () => token({ customer: undefined, sub: undefined }), []],
  ["of somebody who is no record", () => token({ customer: "cus_99" }), []],
  ["for several audiences", () => token({ aud: ["other", audience] }), ["Ada"]],
  ["signed with RSA", () => compact({ alg: "RS256", kid: "two" }, claims(), rs256.sign), ["Ada"]],
  ["without a kid, where one key fits", () => token({}, { kid: undefined }), ["Ada"]],
  ["within the leeway after its end", () => token({ exp: inSeconds(Date.now()) - 2 }), ["Ada"]],
  ["within the leeway before its begin", () => token({ nbf: inSeconds(Date.now()) + 3 }), ["Ada"]],
  [
    "with keys that it brings, which nobody looks at",
    () => token({}, { jwk: strange.jwk, jku: "https://x.example" }),
    ["Ada"],
  ],
] as const)
  test(`a token ${what} is accepted`, async () => {
    // A minute may pass between the loading of the file and its test.
    const shown = credential()
    const got = await customersOf(shop, shown)
    // Whoever can see no customer knows of none.
    assert.deepEqual(got === 404 ? [] : got, seen)
    assert.deepEqual(await customersOf(shop, shown), got, "also the second time")
  })

test("a scope of a token is for what it is for", async () => {
  const ask = async (scope: unknown) => {
    const headers = { authorization: `Bearer ${token({ scope })}` }
    return (await fetch(`${shop.url}/reports`, { headers })).status
  }
  assert.deepEqual(
    [await ask("profile reports"), await ask(["reports"]), await ask("report")],
    [200, 200, 404],
  )
})

test("a history tells who signed in by a token, as people read it", async () => {
  const written = async (more: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token(more)}`, "content-type": "application/json" }
    const made = await fetch(`${shop.url}/memos`, { method: "POST", headers, body: '{ "text": "x" }' })
    const { id } = (await made.json()) as { id: string }
    const told = await (await fetch(`${shop.url}/memos/${id}/history`, { headers })).json()
    return (told as { data: readonly { actor: unknown }[] }).data[0]?.actor
  }
  assert.deepEqual(
    [
      await written({ customer: undefined, sub: "auth0|robot-7" }),
      await written({ customer: undefined, sub: undefined }),
      await written({ customer: "cus_2" }),
    ],
    ["token:auth0|robot-7", "token", "cus_2"],
  )
})

test("no bad credential is accepted, and all are answered alike", async () => {
  const { secret } = await shop.makeKey({ roles: ["staff"] })
  const all = badCredentials({ es256, rs256, strange, apiKey: secret })
  assert.ok(all.length >= 120, `${all.length} bad credentials`)
  assert.equal(
    new Set(all.map(({ authorization }) => String(authorization))).size,
    all.length,
    "each is another",
  )
  const control = [`Bearer ${token()}`, `Bearer ${secret}`, `bearer ${secret}`]
  for (const authorization of control)
    assert.match(
      (await ask("/customers", authorization)).head,
      /^HTTP\/1\.1 200 /,
      authorization.slice(0, 20),
    )
  const bodies = { "/customers": new Set<string>(), "/graphql?query={pages{totalCount}}": new Set<string>() }
  for (const { what, authorization } of all)
    for (const [path, told] of Object.entries(bodies)) {
      const before = shop.observed.length
      const { head, body } = await ask(path, authorization)
      assert.match(head, /^HTTP\/1\.1 401 /, `${path} with ${what}`)
      assert.match(head, /www-authenticate: Bearer error="invalid_token"\r\n/i, what)
      told.add(body.replace(/[0-9a-f-]{36}/g, "<id>"))
      const [said, ...more] = shop.observed.slice(before)
      assert.ok(said?.kind === "unidentified" && more.length === 0, what)
      assert.match(head, new RegExp(`x-request-id: ${said.requestId}`))
    }
  for (const [path, told] of Object.entries(bodies)) assert.equal(told.size, 1, path)
  // What was sent is repeated nowhere: neither in answers, all of which are the same, nor in the log.
  const log = JSON.stringify(shop.observed)
  for (const { authorization } of all)
    for (const part of [authorization].flat().flatMap((value) => value.split(/[ .,"]/)))
      if (part.length > 12 && /[A-Za-z0-9]{8}/.test(part)) assert.ok(!log.includes(part), part)
})

async function ask(path: string, authorization: string | readonly string[]) {
  const lines = [authorization].flat().map((value) => `Authorization: ${value}\r\n`)
  const text = await exchange(
    shop.port,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join("")}\r\n`,
  )
  const end = text.indexOf("\r\n\r\n")
  return { head: text.slice(0, end + 2), body: text.slice(end + 4) }
}

test("which fault it was is in the log", async () => {
  const faultOf = async (credential: string): Promise<unknown> => {
    const before = shop.observed.length
    await customersOf(shop, credential)
    const said = shop.observed[before]
    return said?.kind === "unidentified" ? said.fault : undefined
  }
  const other = compact({ ...header, kid: "three" }, claims(), es256.sign)
  assert.deepEqual(
    [
      await faultOf(token({ exp: 1 })),
      await faultOf(token({ aud: "other" })),
      await faultOf(other),
      await faultOf(compact(header, claims(), strange.sign)),
      await faultOf(token({}, { crit: ["exp"] })),
      await faultOf(compact({ alg: "none" }, claims(), () => "AA")),
    ],
    [
      "the token has expired (exp)",
      "a claim does not have the required value (aud)",
      "the issuer has no such key",
      "the signature is not the issuer's",
      "the token has an unsupported part",
      "the algorithm is not one of those that are declared",
    ],
  )
})

test("a secret that is given is good for its own algorithm only", async () => {
  const secret = Buffer.alloc(64, 7)
  const jwk = { kty: "oct", k: secret.toString("base64url"), kid: "s", alg: "HS256" }
  const both = await openShop(hooks, {
    identity: { jwt: jwtOf({ keys: [jwk, es256.jwk] }, ["HS256", "HS384", "ES256"]) },
  })
  const signed = (head: object, by: (data: string) => string) => compact({ ...head }, claims(), by)
  assert.deepEqual(await customersOf(both, signed({ alg: "HS256", kid: "s" }, hmac("HS256", secret))), [
    "Ada",
  ])
  assert.deepEqual(await customersOf(both, token()), ["Ada"])
  const pem = es256.publicKey.export({ type: "spki", format: "pem" })
  for (const bad of [
    signed({ alg: "HS256", kid: "one" }, hmac("HS256", pem)),
    signed({ alg: "HS256" }, hmac("HS256", pem)),
    signed({ alg: "HS384", kid: "s" }, hmac("HS384", secret)),
    signed({ alg: "HS512", kid: "s" }, hmac("HS512", secret)),
    signed({ alg: "HS256", kid: "s" }, hmac("HS256", "")),
    signed({ alg: "ES256", kid: "s" }, es256.sign),
  ])
    assert.equal(await customersOf(both, bad), 401)
})

test("a token is not used beyond its end, however lately it was checked", async () => {
  let now = Date.now()
  const clocked = await openShop(hooks, {
    identity: { jwt: { ...jwtOf({ keys: [es256.jwk] }), leeway: 0 } },
    now: () => now,
  })
  const short = token({ exp: inSeconds(now) + 2 })
  assert.deepEqual(await customersOf(clocked, short), ["Ada"])
  now = (inSeconds(now) + 2) * 1000 - 1
  assert.deepEqual(await customersOf(clocked, short), ["Ada"])
  now += 1
  assert.equal(await customersOf(clocked, short), 401)
})
