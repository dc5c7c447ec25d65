// The log's table of a managed database is gone while it is served: it is a difference like that of any other table, and is not
// made anew.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import pg from "pg"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { until } from "./processes.ts"
import { bifold, main } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
writeFileSync(
  join(cwd, "shop.ts"),
  `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  resources: {
    order: resource({ fields: { number: f.text() }, history: true, allow: { read: anyone, create: anyone } }),
    note: resource({ fields: { text: f.text() }, allow: { read: anyone, create: anyone } }),
  },
})
`,
)

async function change(database: string, sql: string): Promise<void> {
  if (database.startsWith("postgres")) {
    const client = new pg.Client(database)
    await client.connect()
    await client.query(sql)
    await client.end()
    return
  }
  const file = new DatabaseSync(database)
  file.exec(sql)
  file.close()
}

for (const [name, database] of [
  ["SQLite", join(cwd, "shop.db")],
  ["PostgreSQL", await temporaryPostgres(hooks)],
] as const)
  describe(`a log's table that is gone on ${name}`, () => {
    test("is 503 and told once, until it is back", async (context) => {
      const on = ["shop.ts", "--database", database]
      assert.equal((await bifold(["migrate", "apply", ...on], { cwd })).code, 0)
      const args = [
        main,
        "serve",
        ...on,
        "--port",
        "0",
        "--secret",
        "a secret of the tests",
        "--accept-data-loss",
      ]
      const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
      context.after(() => child.kill("SIGKILL"))
      let [url, said] = ["", ""]
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? ""
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text
        url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? ""
      })
      await until(() => url !== "", "it serves")
      const make = async (path: string, body: object): Promise<number> => {
        const headers = { "content-type": "application/json" }
        return (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).status
      }
      const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`)).status === 200
      const seen = (event: string): number =>
        said.split("\n").filter((line) => line.includes(`"event":"${event}"`)).length
      assert.equal(await make("/orders", { number: "1" }), 201)
      await change(database, "ALTER TABLE bifold_log RENAME TO bifold_log_away")
      assert.equal(await make("/orders", { number: "2" }), 503)
      await until(async () => !(await isReady()), "it is not ready")
      assert.equal(await make("/notes", { text: "it needs no log" }), 201)
      await until(() => seen("schema_drifted") === 1, "it is told")
      // Neither the request nor the probe has made it.
      await change(database, "ALTER TABLE bifold_log_away RENAME TO bifold_log")
      await until(isReady, "it is ready again")
      assert.equal(await make("/orders", { number: "3" }), 201)
      await until(() => seen("schema_repaired") === 1, "its return is told")
    })
  })
