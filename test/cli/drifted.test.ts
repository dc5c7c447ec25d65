// Commands on keys and handlers while a service file and its database differ, as they do during each deployment.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const write = (file: string, fields: string, { keys = true, handlers = true } = {}): void =>
  writeFileSync(
    join(cwd, file),
    `import { anyone, f, handler, resource, role, service, withCode } from "bifold"
const shop = service({
  name: "shop",
  roles: ["staff"],
  ${keys ? 'identity: { keys: { manage: role("staff") } },' : ""}
  resources: {
    order: resource({
      id: "ord",
      fields: { ${fields} },
      history: true,
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})
export default ${handlers ? 'withCode(shop, { on: { "order.created": handler({ run() {} }) } })' : "shop"}
`,
  )
write("before.ts", "number: f.text()")
write("after.ts", "number: f.text(), price: f.integer({ default: 1 }), note: f.text({ optional: true })")
write("bare.ts", "number: f.text()", { keys: false, handlers: false })

for (const [name, database] of [
  ["SQLite", "shop.db"],
  ["PostgreSQL", await temporaryPostgres(hooks)],
] as const)
  describe(`on ${name}`, () => {
    const on = (file: string) => [file, "--database", database]
    const unsafe = (file: string) => [...on(file), "--accept-data-loss"]
    const run = async (...given: readonly string[]) => {
      const ran = await bifold(given, { cwd })
      assert.equal(ran.code, 0, `${given.join(" ")}\n${ran.stderr}`)
      return ran
    }

    it("what the command does not need is not asked of the database", async () => {
      await run("migrate", "apply", ...on("before.ts"))
      const made = await run("key", "create", ...unsafe("after.ts"), "--role", "staff", "--json")
      const { id } = JSON.parse(made.stdout) as { id: string }
      assert.match((await run("key", "list", ...unsafe("after.ts"))).stdout, new RegExp(id))
      await run("key", "revoke", id, ...unsafe("after.ts"))
      const list = await run("handlers", ...unsafe("after.ts"), "--json")
      assert.equal((JSON.parse(list.stdout) as { handlers: unknown[] }).handlers.length, 1)
      await run("handlers", "retry", "order.created", ...unsafe("after.ts"))
      const served = await bifold(["serve", ...unsafe("after.ts")], { cwd })
      assert.equal(served.code, 1)
      assert.match(served.stderr, /is not what after\.ts declares/)
    })

    it("what the command needs is named where it lacks", async () => {
      const other = name === "SQLite" ? "bare.db" : await temporaryPostgres(hooks)
      await run("migrate", "apply", "bare.ts", "--database", other)
      const keys = await bifold(["key", "list", "before.ts", "--database", other], { cwd })
      assert.equal(keys.code, 1)
      assert.match(keys.stderr, /lacks tables or columns that this command needs/)
      assert.match(keys.stderr, /Migrate it: bifold migrate apply before\.ts/)
      assert.match(keys.stderr, /no table "api_key"/)
      assert.doesNotMatch(keys.stderr, /bifold_handler/)
      const handlers = await bifold(["handlers", "before.ts", "--database", other], { cwd })
      assert.equal(handlers.code, 1)
      for (const table of ["bifold_handler", "bifold_handler_record", "bifold_lease"])
        assert.match(handlers.stderr, new RegExp(`no table "${table}"`))
      assert.doesNotMatch(handlers.stderr, /api_key/)
    })

    it("a database that lacks some of the tables is not said to have none", async () => {
      const other = name === "SQLite" ? "bare.db" : await temporaryPostgres(hooks)
      if (name !== "SQLite") await run("migrate", "apply", "bare.ts", "--database", other)
      const served = await bifold(["serve", "before.ts", "--database", other], { cwd })
      assert.equal(served.code, 1)
      assert.doesNotMatch(served.stderr, /none of the service's tables/)
      assert.match(served.stderr, /bifold_handler/)
    })
  })
