// The package as somebody has it who packs a fresh clone: it is complete, and serves what they have.
import assert from "node:assert/strict"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import { type TestContext, test } from "node:test"
import { promisify } from "node:util"
import { personsEnvironment, temporaryClone } from "../support/clone.ts"
import { type Hooks, temporaryFolder } from "../support/database.ts"

const root = join(import.meta.dirname, "../..")
const run = promisify(execFile)
const env = { ...personsEnvironment(), npm_config_offline: "true" }

/** The packages that people get with this one, as npm would have fetched them; the tests use no network. */
function fetchDependencies(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { dev?: true; devOptional?: true; optional?: true }>>
  }
  const needed = Object.entries(packages).filter(
    ([path, { dev, devOptional, optional }]) => path !== "" && !dev && !devOptional && !optional,
  )
  assert.ok(needed.length >= 16)
  for (const [path] of needed) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
}

async function serve(hooks: Hooks, cwd: string, args: readonly string[]): Promise<string> {
  const program = join(cwd, "node_modules/.bin/bifold")
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"]
  const child = spawn(program, ["serve", ...args, "--port", "0"], { cwd, env, stdio })
  hooks.after(async () => {
    if (child.exitCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  let said = ""
  child.stderr.on("data", (text) => {
    said += text
  })
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^ *Start page +(\S+)\/$/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`bifold ended: ${said}`)
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" }
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json()
}

test("a packed clone is installed in an empty folder, and serves a service and a database", async (t: TestContext) => {
  const clone = await temporaryClone(t, true)
  mkdirSync(join(clone, "dist"))
  writeFileSync(join(clone, "dist/gone.js"), "")
  const { stdout } = await run("npm", ["pack", "--json"], { cwd: clone, env })
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf("["))) as [
    { filename: string; files: readonly { path: string }[] },
  ]
  const paths = files.map(({ path }) => path)
  for (const needed of ["dist/index.js", "dist/index.d.ts", "dist/cli/main.js", "README.md", "LICENSE"])
    assert.ok(paths.includes(needed), needed)
  assert.ok(!paths.includes("dist/gone.js"), "what an older build has left is not packed")

  const folder = await temporaryFolder(t)
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  fetchDependencies(folder)
  await run("npm", ["install", "--no-audit", "--no-fund", join(clone, filename)], { cwd: folder, env })

  writeFileSync(
    join(folder, "service.ts"),
    `import { f, resource, service } from "bifold"
export default service({ name: "notes", resources: { note: resource({ fields: { text: f.text() } }) } })
`,
  )
  const own = await serve(t, folder, ["service.ts", "--database", "notes.db", "--dev", "--open", "write"])
  await post(`${own}/notes`, { text: "one" })
  assert.deepEqual(await post(`${own}/graphql`, { query: "{ notes { nodes { text } } }" }), {
    data: { notes: { nodes: [{ text: "one" }] } },
  })

  const database = new DatabaseSync(join(folder, "shop.db"))
  database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO book VALUES (1, 'One')")
  database.close()
  const found = await serve(t, folder, ["shop.db", "--open", "read"])
  const answer = (await (await fetch(`${found}/books?fields=title`)).json()) as { data: unknown }
  assert.deepEqual(answer.data, [{ id: "book_1", title: "One" }])
})
