// Who may do what of a service that the command line serves, and the keys that it makes: as processes, on both databases.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const source = (
  more: string,
  allow: string,
): string => `import { f, resource, role, scope, service, viewer } from "bifold"
export default service({
  name: "library",
  ${more}
  resources: { reader: resource({ id: "rdr", fields: { name: f.text() }, ${allow} }) },
})
`
writeFileSync(
  join(cwd, "ruled.ts"),
  source(
    'roles: ["staff"], scopes: ["names"], viewer: "reader", identity: { keys: { manage: role("staff") } },',
    'allow: { read: [role("staff"), scope("names"), { id: { eq: viewer["id"] } }], create: role("staff") }',
  ),
)
writeFileSync(join(cwd, "ruleless.ts"), source("", ""))

/** Ends with the tests, whatever becomes of them. */
const open = async (given: readonly string[]): Promise<Serving> => {
  const server = await serving(given, { cwd })
  hooks.after(async () => void (await server.end()))
  return server
}

const databases = [
  ["SQLite", join(cwd, "library.db")],
  ["PostgreSQL", await temporaryPostgres(hooks)],
] as const

for (const [name, database] of databases)
  describe(`on ${name}`, () => {
    const on = ["ruled.ts", "--database", database, "--accept-data-loss"]
    const key = (...given: readonly string[]) => bifold(["key", ...given], { cwd })

    it("a key ends by the declaration, by --expires, or never", async () => {
      const folder = await temporaryFolder(hooks)
      const given = database.startsWith("postgres") ? await temporaryPostgres(hooks) : join(folder, "ends.db")
      writeFileSync(join(folder, "ends.ts"), source('identity: { keys: { expires: "90d" } },', ""))
      const there = ["ends.ts", "--database", given, "--accept-data-loss"]
      const applied = await bifold(["migrate", "apply", ...there.slice(0, 3)], { cwd: folder })
      assert.equal(applied.code, 0, applied.stderr)
      const days = async (...more: readonly string[]) => {
        const made = await bifold(["key", "create", ...there, "--json", ...more], { cwd: folder })
        assert.equal(made.code, 0, made.stderr)
        const { expiresAt, createdAt } = JSON.parse(made.stdout) as Readonly<Record<string, string | null>>
        const length = Date.parse(expiresAt ?? "") - Date.parse(createdAt ?? "")
        return expiresAt === null ? null : Math.round(length / 86_400_000)
      }
      assert.deepEqual(
        [
          await days(),
          await days("--expires", "never"),
          await days("--expires", "2y"),
          await days("--expires", "100 days"),
        ],
        [90, null, 730, 100],
      )
    })

    it("keys are made, listed, rotated and revoked, and end within five seconds", async () => {
      const applied = await bifold(["migrate", "apply", "ruled.ts", "--database", database], { cwd })
      assert.equal(applied.code, 0, applied.stderr)
      const staff = await key(
        "create",
        ...on,
        "--role",
        "staff",
        "--name",
        "the desk",
        "--expires",
        "90d",
        "--json",
      )
      assert.equal(staff.code, 0, staff.stderr)
      const made = JSON.parse(staff.stdout) as { id: string; secret: string; hint: string; digest?: string }
      assert.match(made.secret, /^library_\w{43}$/)
      assert.equal(made.digest, undefined)
      const server = await open(on)
      const ask = async (secret: string | undefined, path = "/readers", init: RequestInit = {}) => {
        const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
        const answer = await fetch(server.url + path, { ...init, headers: { ...headers, ...init.headers } })
        return {
          status: answer.status,
          body: (await answer.json()) as { id?: string; data?: { name: string }[] },
        }
      }
      const created = await ask(made.secret, "/readers", {
        method: "POST",
        body: '{"name":"Ada"}',
        headers: { "content-type": "application/json" },
      })
      assert.equal(created.status, 201)
      const reader = created.body.id ?? ""

      const own = await key("create", ...on, "--as-viewer", reader, "--name", "Ada's")
      const [secret = ""] = /library_\w{43}/.exec(own.stdout) ?? []
      assert.match(
        own.stdout,
        /^Key +library_\w{43}\nId +key_\w{26}\nName +Ada's\nSigns in as +rdr_\w+\nExpires +never\n$/,
      )
      assert.equal(own.stderr, "Shown once. Send it as: Authorization: Bearer <key>\n")
      assert.deepEqual(
        (await ask(secret)).body.data?.map((one) => one.name),
        ["Ada"],
      )
      assert.equal((await ask(undefined)).status, 401)

      const listed = await key("list", ...on)
      const lines = listed.stdout.trimEnd().split("\n")
      assert.match(lines[0] ?? "", /^Id +Begins +Name +Signs in as +Last used +Expires$/)
      assert.match(lines[1] ?? "", /^key_\w+ +library_\w{6}… +Ada's +rdr_\w+ +(never|20\d\d-\S+ \S+) +never$/)
      assert.match(
        lines[2] ?? "",
        /^key_\w+ +library_\w{6}… +the desk +role:staff +20\d\d-\S+ \S+ +20\d\d-\S+ \S+$/,
      )
      const json = await key("list", ...on, "--json")
      assert.ok(!json.stdout.includes("digest") && !json.stdout.includes(secret.slice(16)))

      const rotated = JSON.parse((await key("rotate", made.id, ...on, "--json")).stdout) as typeof made
      assert.equal(rotated.id, made.id)
      assert.notEqual(rotated.secret, made.secret)
      const start = performance.now()
      assert.equal((await ask(rotated.secret)).status, 200, "the new one at once")
      while ((await ask(made.secret)).status === 200) {
        assert.ok(performance.now() - start < 5_000, "the old one still works after five seconds")
        await sleep(100)
      }
      const passing = JSON.parse((await key("create", ...on, "--json")).stdout) as typeof made
      const past = await ask(rotated.secret, `/api-keys/${passing.id}`, {
        method: "PATCH",
        body: '{"expiresAt":"2020-01-01T00:00:00Z"}',
        headers: { "content-type": "application/json" },
      })
      assert.equal(past.status, 200)
      const expired = await key("rotate", passing.id, ...on)
      assert.match(
        expired.stderr,
        /Expired, and no longer accepted, since 2020-01-01T00:00:00Z\.\n {2}→ Make another with bifold key create/,
      )
      const revoked = await key("revoke", made.id, ...on)
      assert.equal(revoked.stdout, `✓ ${rotated.hint}… (the desk) ends within five seconds.\n`)
      const later = performance.now()
      while ((await ask(rotated.secret)).status === 200) {
        assert.ok(performance.now() - later < 5_000, "it still works after five seconds")
        await sleep(100)
      }
      assert.equal((await ask(secret)).status, 200, "another key stays")
      const again = await key("revoke", made.id, ...on)
      assert.equal(again.code, 1)
      const ran = await server.end()
      assert.match(
        ran.stderr,
        /Request \S+ showed credentials that are not accepted: there is no such key\.\n/,
      )
      for (const text of [made.secret, rotated.secret, secret])
        assert.ok(!ran.stderr.includes(text.slice(16)))
    })
  })

const noId =
  "✗ This is no id of a key.\n  → Give its id, key_…, as bifold key list shows it; neither its name nor the key itself.\n"

describe("what keys are refused", () => {
  const on = ["ruled.ts", "--database", "library.db"]
  for (const [what, given, code, stderr] of [
    [
      "a role that there is not",
      ["create", ...on, "--role", "staf"],
      2,
      '✗ There is no role "staf".\n  → Did you mean "staff"?\n',
    ],
    [
      "an owner that cannot be",
      ["create", ...on, "--as-viewer", "x y"],
      1,
      '✗ --as-viewer: there is no reader "x y".\n',
    ],
    [
      "an owner that is not there",
      ["create", ...on, "--as-viewer", "rdr_01h455vb4pex5vsknk084sn02q"],
      1,
      '✗ --as-viewer: there is no reader "rdr_01h455vb4pex5vsknk084sn02q".\n',
    ],
    [
      "a time that is none",
      ["create", ...on, "--expires", "soon"],
      2,
      /Give a time such as 12h, 90d, "90 days" or 1y/,
    ],
    [
      "a service without keys",
      ["list", "ruleless.ts", "--database", "library.db"],
      2,
      "✗ ruleless.ts does not say that there are keys.\n  → Add identity: { keys: true } to the service.\n",
    ],
    ["no database", ["list", "ruled.ts"], 2, /Nothing says which database/],
    ["a database for a service", ["list", "library.db"], 2, /A database is no service/],
    ["a name for an id", ["revoke", "nightly import", ...on], 2, noId],
    ["a key for its id, which is not repeated", ["rotate", `library_${"a".repeat(43)}`, ...on], 2, noId],
  ] as const)
    it(`${what}`, async () => {
      const ran = await bifold(["key", ...given], { cwd })
      assert.deepEqual([ran.code, ran.stdout], [code, ""], ran.stderr)
      if (typeof stderr === "string") assert.equal(ran.stderr, stderr)
      else assert.match(ran.stderr, stderr)
    })
})

describe("who is somebody without a key", () => {
  const on = ["ruled.ts", "--database", "library.db"]
  const statusOf = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(url, { headers })).status

  it("is whoever --as says, under names of this machine only", async () => {
    const server = await open([...on, "--as", "role:staff"])
    assert.equal(await statusOf(`${server.url}/readers`), 200)
    assert.equal(await statusOf(`${server.url}/readers`, { authorization: "Bearer wrong" }), 401)
    const { port } = new URL(server.url)
    const named = await new Promise<number | undefined>((resolve) =>
      get({ port, path: "/readers", headers: { host: "evil.example" } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }),
    )
    assert.equal(named, 400)
    const { stderr } = await server.end()
    assert.match(stderr, /^Requests without credentials run as role:staff\.\n/)
  })

  it("is the same in every worker", async () => {
    const server = await open([...on, "--as", "role:staff", "--workers", "2"])
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(`${server.url}/readers`)))
    assert.deepEqual(new Set(statuses), new Set([200]))
    await server.end()
  })

  for (const [what, given, stderr] of [
    [
      "--as on another host",
      [...on, "--as", "role:staff", "--host", "0.0.0.0"],
      "✗ --as is for this machine only, not for 0.0.0.0.\n  → Leave out --host, or --as: others sign in with keys or tokens.\n",
    ],
    ["--as of nobody", [...on, "--as", "role:boss"], '✗ There is no role "boss".\n  → Known here: staff.\n'],
    [
      "--as where there are no rules",
      ["ruleless.ts", "--database", "x.db", "--as", "signedIn"],
      "✗ ruleless.ts has no rules, so every actor has the same access.\n  → Leave out --as.\n",
    ],
    [
      "--open where there are rules",
      [...on, "--open", "read"],
      "✗ ruled.ts has rules, so it cannot be opened without them.\n  → Leave out --open. To act as a role on this machine, use --as role:staff, for example.\n",
    ],
    [
      "a service without rules",
      ["ruleless.ts", "--database", "x.db", "--dev"],
      "✗ ruleless.ts has no rules, so every request would be refused.\n  → Say it in the file with allow, or open all of it: --open read, or --open write.\n",
    ],
  ] as const)
    it(`is refused: ${what}`, async () => {
      assert.deepEqual(await bifold(["serve", ...given], { cwd }), { code: 2, stdout: "", stderr })
    })
})
