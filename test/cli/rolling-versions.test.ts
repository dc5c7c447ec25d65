// A rolling upgrade to a new version of the API under load: the replica before it and the one after serve one database side by
// side, clients that are pinned to the older version are sent to either, and no request fails.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const write = (file: string, resource: string, versions: string): void =>
  writeFileSync(
    join(cwd, file),
    `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  versions: { ${versions} },
  resources: { ${resource} },
})
`,
  )
const rest = "allow: { read: anyone, create: anyone, update: anyone }"
write(
  "before.ts",
  `item: resource({ id: "ite", history: true, fields: { name: f.text(), price: f.integer() }, ${rest} })`,
  `"2026-01-01": []`,
)
// The tables stay as they are: the members of the API have other names and types.
write(
  "after.ts",
  `article: resource({
      id: "ite", was: "item", table: "item", history: true,
      fields: { title: f.text({ was: "name", column: "name" }), price: f.integer(), note: f.text({ optional: true }) },
      ${rest},
    })`,
  `"2026-06-01": [
      { renamed: "item", to: "article" },
      { renamed: "article.name", to: "title" },
      { added: "article.note" },
    ],
    "2026-01-01": []`,
)

/** Clients of a version, each at the replicas that there are at the time. */
function load(replicas: () => readonly Serving[], version: string, [path, name]: readonly [string, string]) {
  const failed: string[] = []
  let asked = 0
  let ended = false
  const ask = async (
    method: string,
    address: string,
    body?: object,
    { at }: { readonly at?: "newest" } = {},
  ): Promise<Record<string, unknown>> => {
    const all = replicas()
    const { url } = (at === "newest" ? all.at(-1) : all[asked % all.length]) as Serving
    asked += 1
    try {
      const response = await fetch(url + address, {
        method,
        headers: { "content-type": "application/json", "api-version": version },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) failed.push(`${version}: ${method} ${address} ${response.status} ${text}`)
      return text === "" ? {} : JSON.parse(text)
    } catch (error) {
      failed.push(`${version}: ${method} ${address} ${String(error)}`)
      return {}
    }
  }
  const expect = (holds: boolean, what: unknown): void => {
    if (!holds) failed.push(`${version}: ${JSON.stringify(what)}`)
  }
  const clients = Array.from({ length: 3 }, async () => {
    while (!ended) {
      const { id } = await ask("POST", `/${path}`, { [name]: "a", price: 1 })
      const changed = await ask("PATCH", `/${path}/${id}`, { [name]: "b" })
      expect(changed[name] === "b", changed)
      const found = await ask("GET", `/${path}/${id}?fields=${name},price`)
      expect(found[name] === "b" && found["price"] === 1, found)
      await ask("GET", `/${path}?limit=3&filter[${name}]=b`)
      // The older replica does not know the names under which the newer one logs.
      const { data } = (await ask("GET", `/${path}/${id}/history`, undefined, { at: "newest" })) as {
        readonly data?: readonly {
          readonly changes: readonly { readonly field: string; readonly to: unknown }[]
        }[]
      }
      const last = data?.at(-1)?.changes
      expect(JSON.stringify(last?.map(({ field, to }) => [field, to])) === `[["${name}","b"]]`, data)
    }
  })
  return {
    get asked() {
      return asked
    },
    failed,
    async end() {
      ended = true
      await Promise.all(clients)
    },
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_200 && !holds(); tries += 1) await sleep(50)
  assert.ok(holds(), "it goes on")
}

for (const [kind, database] of [
  ["SQLite", join(cwd, "shop.db")],
  ["PostgreSQL", await temporaryPostgres(hooks)],
] as const)
  test(`no request fails while a new version is rolled out, on ${kind}`, async () => {
    const on = ["--database", database]
    const serve = async (file: string): Promise<Serving> => {
      const server = await serving([file, ...on, "--accept-data-loss"], { cwd })
      hooks.after(async () => void (await server.end()))
      return server
    }
    const made = await bifold(["migrate", "apply", "before.ts", ...on], { cwd })
    assert.equal(made.code, 0, made.stderr)
    const first = await serve("before.ts")
    let replicas: readonly Serving[] = [first]
    const old = load(() => replicas, "2026-01-01", ["items", "name"])
    await until(() => old.asked > 30)
    const applied = await bifold(["migrate", "apply", "after.ts", ...on], { cwd })
    assert.equal(applied.code, 0, applied.stderr)
    const second = await serve("after.ts")
    replicas = [first, second]
    const fresh = load(() => [second], "2026-06-01", ["articles", "title"])
    const before = old.asked
    await until(() => old.asked > before + 60 && fresh.asked > 60)
    replicas = [second]
    await sleep(200)
    const ended = await first.end()
    assert.equal(ended.code, 0, ended.stderr)
    const alone = old.asked
    await until(() => old.asked > alone + 60)
    await Promise.all([old.end(), fresh.end()])
    assert.deepEqual([...old.failed, ...fresh.failed].slice(0, 5), [])
  })
