// `bifold usage` and `bifold versions end`: what served processes counted, on both databases, and who keeps a version.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { claims, compact, jwtOf, signingKey } from "../identity/shop.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, serving } from "./run.ts"

const hooks = cleanUp(after)
const issuer = signingKey("ES256", "one")
const token = (more: object): string =>
  compact({ alg: "ES256", kid: "one", typ: "JWT" }, claims({ ...more }), issuer.sign)
const { viewer: _, roles: _1, scopes: _2, tier: _3, ...jwt } = jwtOf({ keys: [issuer.jwk] })

/** @param entries of its versions; none of them where it is empty */
const source = (
  entries: string,
  field: string,
): string => `import { anyone, f, resource, role, service } from "bifold"
export default service({
  name: "shop",
  roles: ["staff"],
  usage: { read: role("staff") },
  identity: { keys: true, jwt: ${JSON.stringify(jwt)} },
  ${entries === "" ? "" : `versions: {\n${entries}\n  },`}
  resources: {
    item: resource({
      id: "itm",
      fields: { ${field}: f.text(${field === "title" ? '{ was: "name" }' : ""}), size: f.integer({ optional: true }) },
      allow: { read: anyone, create: anyone },
    }),
  },
})
`
const first = `    "2026-01-01": [],`
const both = `    "2026-06-01": [{ renamed: "item.name", to: "title" }],
    "2026-01-01": [],`

const databases = [
  ["SQLite", "2", async (cwd: string) => join(cwd, "shop.db")],
  ["PostgreSQL", "1", () => temporaryPostgres(hooks)],
] as const

for (const [called, workers, make] of databases)
  describe(`on ${called}`, () => {
    test("use is counted by client and version, and a version ends when nobody uses it", async () => {
      const cwd = await temporaryFolder(hooks)
      const database = await make(cwd)
      const on = ["shop.ts", "--database", database, "--accept-data-loss"]
      const begin = async () => {
        const server = await serving([...on, "--dev", "--workers", workers], {
          cwd,
          environment: { BIFOLD_SECRET: "a secret of the tests" },
        })
        hooks.after(async () => void (await server.end()))
        return server
      }
      const run = async (...given: readonly string[]) => {
        const { code, stdout, stderr } = await bifold([...given], { cwd })
        return { code, stdout, stderr }
      }
      const json = async (...given: readonly string[]) => {
        const ran = await run(...given, "--json")
        assert.equal(ran.code, 0, ran.stderr)
        return JSON.parse(ran.stdout)
      }
      writeFileSync(join(cwd, "shop.ts"), source(first, "name"))
      let server = await begin()
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const answered = await fetch(`${server.url}${path}`, { headers })
        const text = await answered.text()
        assert.equal(answered.status, 200, text)
        return answered.headers.get("api-version")
      }
      const { id, secret } = (await json("key", "create", ...on, "--name", "import")) as {
        readonly id: string
        readonly secret: string
      }
      const staff = (await json("key", "create", ...on, "--name", "desk", "--role", "staff")) as {
        readonly secret: string
      }
      const key = { authorization: `Bearer ${secret}` }
      const ada = { authorization: `Bearer ${token({ sub: "ada", client_id: "app" })}` }
      assert.equal(await ask("/items", key), "2026-01-01")
      assert.equal(await ask("/items", ada), "2026-01-01")
      await server.end()

      writeFileSync(join(cwd, "shop.ts"), source(both, "title"))
      server = await begin()
      // Pinned at their first use; those who come later are not.
      assert.equal(await ask("/items?fields=name", key), "2026-01-01")
      assert.equal(await ask("/items?filter[name]=x", ada), "2026-01-01")
      const zoe = { authorization: `Bearer ${token({ sub: "zoe" })}` }
      assert.equal(await ask("/items", zoe), "2026-06-01")
      assert.equal(await ask("/items", { "api-version": "2026-01-01" }), "2026-01-01")
      assert.equal(await ask("/items"), "2026-06-01")
      await server.end()

      const { uses } = await json("usage", ...on)
      const plain = uses.map(({ last: _last, ...use }: Record<string, unknown>) => use)
      const day = new Date().toISOString().slice(0, 10)
      assert.ok(uses.every(({ last }: { readonly last: string }) => last <= day && last >= "2026"))
      const order = (one: object): string => JSON.stringify(one)
      const sorted = (list: readonly object[]) => list.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
      assert.deepEqual(
        sorted(plain),
        sorted([
          { version: "2026-06-01", client: "tokens", requests: 1, members: {} },
          { version: "2026-06-01", client: "anonymous", requests: 1, members: {} },
          {
            version: "2026-01-01",
            client: `key:${id}`,
            requests: 2,
            members: { "item.name": 1 },
            name: "import",
          },
          { version: "2026-01-01", client: "client:app", requests: 2, members: { "item.name": 1 } },
          { version: "2026-01-01", client: "anonymous", requests: 1, members: { "item.name": 1 } },
        ]),
      )
      const table = await run("usage", ...on)
      assert.match(table.stdout, new RegExp(`2026-01-01 +import \\(key:${id}\\) +2 +${day} +item\\.name 1`))

      const refused = await run("versions", "end", "2026-01-01", ...on)
      assert.equal(refused.code, 1, refused.stdout)
      const forPrograms = await run("versions", "end", "2026-01-01", ...on, "--json")
      const { users, ...rest } = JSON.parse(forPrograms.stdout)
      assert.deepEqual([forPrograms.code, rest], [1, { version: "2026-01-01", ends: day, written: false }])
      for (const user of users) assert.ok(refused.stderr.includes(user), user)
      assert.equal(users.length, 4)
      assert.match(
        refused.stderr,
        new RegExp(`The key "import" \\(${id}\\) used it in 2 requests, last on ${day}`),
      )
      assert.match(refused.stderr, /The client app used it in 2 requests/)
      assert.match(refused.stderr, /Requests without credentials used it in 1 request,/)
      assert.match(refused.stderr, /1 bearers? of tokens (is|are) pinned to it/)
      assert.equal(readFileSync(join(cwd, "shop.ts"), "utf8"), source(both, "title"))
      assert.match(
        (await run("versions", "end", "2026-06-01", ...on)).stderr,
        /The newest version does not end/,
      )
      assert.match(
        (await run("versions", "end", "2026-02-01", ...on)).stderr,
        /There is no version "2026-02-01"/,
      )

      const forced = await run("versions", "end", "2026-01-01", ...on, "--on", "2027-06-01", "--force")
      assert.equal(forced.code, 0, forced.stderr)
      const kept = both.replace('"2026-01-01": []', '"2026-01-01": { changes: [], ends: "2027-06-01" }')
      assert.equal(readFileSync(join(cwd, "shop.ts"), "utf8"), source(kept, "title"))
      assert.equal((await run("check", "shop.ts")).code, 0)
      await run("versions", "end", "2026-01-01", ...on, "--on", "2026-03-01", "--force")
      assert.match(readFileSync(join(cwd, "shop.ts"), "utf8"), /\{ changes: \[\], ends: "2026-03-01" \}/)

      server = await begin()
      const ended = await fetch(`${server.url}/items`, { headers: key })
      assert.deepEqual(
        [ended.status, ((await ended.json()) as { code: string }).code],
        [410, "version_ended"],
      )
      // Staff reads the counts by the API, others do not know of them.
      const counts = `${server.url}/version-uses?filter[client]=anonymous&filter[version]=2026-01-01`
      const shown = await fetch(counts, { headers: { authorization: `Bearer ${staff.secret}` } })
      const { data } = (await shown.json()) as { readonly data: readonly { readonly requests: number }[] }
      assert.equal(
        data.reduce((sum, { requests }) => sum + requests, 0),
        1,
      )
      assert.equal((await fetch(counts, { headers: zoe })).status, 404)
      await server.end()
    })

    test("keys that were used before there were versions are pinned to the oldest, and others to the newest", async () => {
      const cwd = await temporaryFolder(hooks)
      const database = await make(cwd)
      const on = ["shop.ts", "--database", database, "--accept-data-loss"]
      const served = async (...[entries, field]: Parameters<typeof source>) => {
        writeFileSync(join(cwd, "shop.ts"), source(entries, field))
        const server = await serving([...on, "--dev"], {
          cwd,
          environment: { BIFOLD_SECRET: "a secret of the tests" },
        })
        hooks.after(async () => void (await server.end()))
        const create = async (secret: string, body: object) => {
          const answered = await fetch(`${server.url}/items`, {
            method: "POST",
            body: JSON.stringify(body),
            headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
          })
          return [answered.status, answered.headers.get("api-version")]
        }
        return { create, end: () => server.end() }
      }
      const makeKey = async (name: string) =>
        JSON.parse((await bifold(["key", "create", ...on, "--name", name, "--json"], { cwd })).stdout) as {
          readonly id: string
          readonly secret: string
        }
      const versionsOfKeys = async () => {
        const { keys } = JSON.parse((await bifold(["key", "list", ...on, "--json"], { cwd })).stdout) as {
          readonly keys: readonly { readonly name: string; readonly version: string | null }[]
        }
        return Object.fromEntries(keys.map(({ name, version }) => [name, version]))
      }
      let server = await served("", "name")
      const [used, quiet, unused] = [await makeKey("used"), await makeKey("quiet"), await makeKey("unused")]
      assert.deepEqual(await server.create(used.secret, { name: "a" }), [201, null])
      assert.deepEqual(await server.create(quiet.secret, { name: "b" }), [201, null])
      await server.end()

      server = await served(both, "title")
      assert.deepEqual(await server.create(used.secret, { name: "c" }), [201, "2026-01-01"])
      assert.deepEqual(await server.create(unused.secret, { title: "d" }), [201, "2026-06-01"])
      await server.end()
      assert.deepEqual(await versionsOfKeys(), { used: "2026-01-01", quiet: null, unused: "2026-06-01" })
      const ending = await bifold(["versions", "end", "2026-01-01", ...on], { cwd })
      assert.match(ending.stderr, new RegExp(`The key "quiet" \\(${quiet.id}\\) is pinned to it`))
      assert.match(ending.stderr, /bifold key move/)
      const wrong = await bifold(["key", "move", quiet.id, ...on, "--to", "2026-02-01"], { cwd })
      assert.deepEqual(
        [wrong.code, wrong.stderr],
        [2, '✗ There is no version "2026-02-01".\n  → Did you mean "2026-06-01" or "2026-01-01"?\n'],
      )
      const moved = await bifold(["key", "move", quiet.id, ...on, "--to", "2026-06-01"], { cwd })
      assert.equal(moved.code, 0, moved.stderr)
      assert.match(moved.stdout, /^✓ shop_\w+… \(quiet\) gets version 2026-06-01 within five seconds\.\n$/)
      assert.equal((await versionsOfKeys())["quiet"], "2026-06-01")
      const left = await bifold(["versions", "end", "2026-01-01", ...on], { cwd })
      assert.ok(!left.stderr.includes(quiet.id), left.stderr)

      server = await served(both, "title")
      assert.deepEqual(await server.create(used.secret, { name: "e" }), [201, "2026-01-01"])
      await server.end()
    })
  })
