// The previous version of a service and the next one serve one database side by side while it is migrated: steps that are
// said to be safe fail no request of either.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const write = (file: string, item: string, more = ""): void =>
  writeFileSync(
    join(cwd, file),
    `import { anyone, f, resource, service } from "bifold"
const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }
export default service({
  name: "shop",
  resources: { item: resource({ id: "ite", fields: { ${item} }, allow })${more} },
})
`,
  )
const name = "name: f.text(), code: f.text({ unique: true })"
write("previous.ts", name)
write(
  "next.ts",
  `${name}, price: f.integer({ default: 7 }), seenAt: f.timestamp({ default: "now" }), level: f.decimal({ precision: 9, scale: 2, default: "1.50" }), kind: f.text({ default: "it's" }), note: f.text({ optional: true })`,
  ', tag: resource({ id: "tag", fields: { label: f.text() }, allow })',
)
write("renamed.ts", "title: f.text(), code: f.text({ unique: true })")
write("required.ts", `${name}, weight: f.integer()`)

interface Load {
  readonly asked: number
  readonly failed: readonly string[]
  end(): Promise<void>
}

/** Creates, changes, reads and lists, one after the other, by several clients. */
function load(server: Serving, label: string): Load {
  const failed: string[] = []
  let asked = 0
  let ended = false
  const ask = async (method: string, path: string, body?: object): Promise<{ id?: string }> => {
    const response = await fetch(server.url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    })
    asked += 1
    const text = await response.text()
    if (!response.ok) failed.push(`${label}: ${method} ${path} ${response.status} ${text}`)
    return text === "" ? {} : JSON.parse(text)
  }
  const clients = Array.from({ length: 3 }, async (_, client) => {
    for (let count = 0; !ended; count += 1) {
      const { id } = await ask("POST", "/items", { name: "a", code: `${label}-${client}-${count}` })
      if (id === undefined) continue
      await ask("PATCH", `/items/${id}`, { name: "b" })
      await ask("GET", `/items/${id}`)
      await ask("GET", "/items?limit=5")
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
  describe(`on ${kind}`, () => {
    const on = ["--database", database]
    const serve = async (file: string): Promise<Serving> => {
      const server = await serving([file, ...on, "--accept-data-loss"], { cwd })
      hooks.after(async () => void (await server.end()))
      return server
    }

    it("two versions serve side by side while safe steps are done", async () => {
      const made = await bifold(["migrate", "apply", "previous.ts", ...on], { cwd })
      assert.equal(made.code, 0, made.stderr)
      const previous = load(await serve("previous.ts"), "previous")
      await until(() => previous.asked > 20)
      const planned = await bifold(["migrate", "plan", "next.ts", ...on, "--json"], { cwd })
      assert.equal(planned.code, 0, planned.stderr)
      const { steps } = JSON.parse(planned.stdout) as { steps: { name: string; safe: boolean }[] }
      assert.deepEqual(
        steps.map(({ safe }) => safe),
        steps.map(() => true),
      )
      assert.equal(steps.length, 6)
      const applied = await bifold(["migrate", "apply", "next.ts", ...on], { cwd })
      assert.equal(applied.code, 0, applied.stderr)
      const [before, next] = [previous.asked, load(await serve("next.ts"), "next")]
      await until(() => next.asked > 60 && previous.asked > before + 60)
      await Promise.all([previous.end(), next.end()])
      assert.deepEqual([...previous.failed, ...next.failed], [])
      const again = await bifold(["migrate", "status", "next.ts", ...on], { cwd })
      assert.equal(again.code, 0, again.stdout)
    })

    it("a plan says what apply would refuse, what is not safe, and what may have been renamed", async () => {
      const other = kind === "SQLite" ? join(cwd, "other.db") : await temporaryPostgres(hooks)
      const there = ["--database", other]
      await bifold(["migrate", "apply", "previous.ts", ...there], { cwd })
      const renamed = await bifold(["migrate", "plan", "renamed.ts", ...there], { cwd })
      assert.equal(renamed.code, 1, renamed.stdout)
      assert.match(renamed.stdout, /title has was: "name"/)
      assert.match(renamed.stderr, /apply would refuse this/)
      const required = await bifold(["migrate", "plan", "required.ts", ...on, "--json"], { cwd })
      assert.equal(required.code, 1)
      const plan = JSON.parse(required.stdout) as {
        steps: { name: string; safe: boolean }[]
        problems: { message: string }[]
      }
      assert.equal(plan.steps.find((step) => step.name === "add:item.weight")?.safe, false)
      assert.match(plan.problems.map(({ message }) => message).join(), /add:item\.weight/)
      const applied = await bifold(["migrate", "apply", "required.ts", ...on], { cwd })
      assert.equal(applied.code, required.code)
    })
  })
