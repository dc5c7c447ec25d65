// Budgets of callers as a person sets them up: tiers of keys and tokens, the store in the service's own database, proxies.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { SignJWT } from "jose"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const secret = Buffer.alloc(32, 7)

writeFileSync(
  join(cwd, "limited.ts"),
  `import { anyone, f, resource, service, signedIn } from "bifold"
export default service({
  name: "limited",
  identity: {
    keys: true,
    jwt: {
      issuer: "https://login.example", audience: "limited", algorithms: ["HS256"], tier: ["app", "plan"],
      jwks: { keys: [{ kty: "oct", alg: "HS256", k: ${JSON.stringify(secret.toString("base64url"))} }] },
    },
  },
  limits: {
    cost: { perMinute: 1_000 },
    tiers: { anonymous: { perMinute: 10 }, pro: { perMinute: 5_000, concurrent: 7 } },
  },
  resources: { note: resource({ fields: { text: f.text() }, allow: { read: anyone, create: signedIn } }) },
})
`,
)

const token = (claims: object): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("https://login.example")
    .setAudience("limited")
    .setSubject("ada")
    .setExpirationTime("1h")
    .sign(secret)

interface Limits {
  readonly tier: string | null
  readonly perMinute: number
  readonly concurrent: number | null
  readonly remaining: number
}

for (const [name, database] of [
  ["SQLite", join(cwd, "limited.db")],
  ["PostgreSQL", await temporaryPostgres(hooks)],
] as const)
  describe(`limits on ${name}`, () => {
    const on = ["limited.ts", "--database", database, "--accept-data-loss"]
    const open = async (given: readonly string[] = []): Promise<Serving> => {
      const server = await serving([...on, ...given], { cwd })
      hooks.after(async () => void (await server.end()))
      return server
    }
    const limitsOf = async ({ url }: Serving, credential: string): Promise<Limits> => {
      const answer = await fetch(`${url}/viewer`, { headers: { authorization: `Bearer ${credential}` } })
      return ((await answer.json()) as { limits: Limits }).limits
    }

    it("a key and a token name their tier", async () => {
      const applied = await bifold(["migrate", "apply", "limited.ts", "--database", database], { cwd })
      assert.equal(applied.code, 0, applied.stderr)
      const keyWith = async (...more: string[]) => {
        const made = await bifold(["key", "create", ...on, "--json", ...more], { cwd })
        assert.equal(made.code, 0, made.stderr)
        return JSON.parse(made.stdout) as { secret: string; tier: string | null }
      }
      const [plain, pro] = [await keyWith(), await keyWith("--tier", "pro")]
      assert.deepEqual([plain.tier, pro.tier], [null, "pro"])
      for (const tier of ["gold", "anonymous"]) {
        const refused = await bifold(["key", "create", ...on, "--tier", tier], { cwd })
        assert.equal(refused.code, 2, refused.stderr)
        assert.match(refused.stderr, new RegExp(`There is no tier "${tier}"`))
      }
      const server = await open()
      const { remaining: _, ...own } = await limitsOf(server, plain.secret)
      assert.deepEqual(
        { ...own, resetAt: "" },
        {
          tier: null,
          perRequest: 1_000,
          perMinute: 1_000,
          concurrent: null,
          resetAt: "",
        },
      )
      const byKey = await limitsOf(server, pro.secret)
      assert.deepEqual(
        [byKey.tier, byKey.perMinute, byKey.concurrent, byKey.remaining],
        ["pro", 5_000, 7, 4_999],
      )
      const byToken = await limitsOf(server, await token({ app: { plan: "pro" } }))
      assert.deepEqual([byToken.tier, byToken.perMinute], ["pro", 5_000])
      for (const plan of ["gold", "anonymous", ["pro"], null, "__proto__"]) {
        const unknown = await limitsOf(server, await token({ app: { plan } }))
        if (plan === "anonymous") assert.equal(unknown.perMinute, 10)
        else assert.deepEqual([unknown.tier, unknown.perMinute], [null, 1_000], JSON.stringify(plan))
      }
      await server.end()
    })

    it("strangers behind a proxy have a budget each, and one without it", async () => {
      const statuses = async ({ url }: Serving) => {
        const answers = []
        for (let index = 0; index < 12; index++) {
          const headers = { "x-forwarded-for": `192.0.2.${index % 6}` }
          answers.push((await fetch(`${url}/notes?limit=1`, { headers })).status)
        }
        return answers
      }
      const direct = await open()
      // An empty page costs a point: the record that was not there is given back.
      assert.deepEqual(await statuses(direct), [...Array(9).fill(200), 429, 429, 429])
      await direct.end()
      const behind = await open(["--proxies", "1"])
      assert.deepEqual(await statuses(behind), Array(12).fill(200))
      await behind.end()
    })

    if (name === "PostgreSQL")
      it("the store may be the service's own database, whose table is nobody's data", async () => {
        const stored = await open(["--limits-store", database])
        const [one, other] = [await token({}), await token({})]
        assert.equal((await limitsOf(stored, one)).remaining, 999)
        await stored.end()
        const again = await open(["--limits-store", database])
        assert.equal((await limitsOf(again, other)).remaining, 998)
        await again.end()
        const plan = await bifold(["migrate", "plan", "limited.ts", "--database", database], { cwd })
        assert.deepEqual(
          [plan.code, /bifold_budgets/.test(plan.stdout + plan.stderr)],
          [0, false],
          plan.stdout,
        )
        const found = await bifold(["introspect", database, "--out", "found.ts"], { cwd })
        assert.equal(found.code, 0, found.stderr)
        assert.doesNotMatch(readFileSync(join(cwd, "found.ts"), "utf8"), /bifoldBudget/i)
      })
  })

it("says that each of several processes counts by itself", async () => {
  const given = ["limited.ts", "--database", join(cwd, "limited.db"), "--workers", "2"]
  const server = await serving(given, { cwd })
  const { stderr } = await server.end()
  assert.match(
    stderr,
    /Each of the 2 processes counts the points of callers alone; share the counts with --limits-store/,
  )
})

it("refuses a store of another kind before anything is served", async () => {
  const given = ["serve", "limited.ts", "--database", join(cwd, "limited.db"), "--port", "0"]
  const ran = await bifold([...given, "--limits-store", "memcached://x"], { cwd })
  assert.notEqual(ran.code, 0)
  assert.match(ran.stderr, /The value of --limits-store is not one that it takes\.\n {2}→ Give memory/)
})
