// What `npm start` and `npm test` install: what is lacking, and nothing that plain npm has put there goes.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { personsEnvironment } from "../support/clone.ts"
import { temporaryFolder } from "../support/database.ts"

const scripts = join(import.meta.dirname, "../../scripts")
const run = promisify(execFile)

/** A checkout of a package with two dependencies, of which one is for developers, and our scripts. */
async function checkout(t: TestContext) {
  const folder = await temporaryFolder(t)
  cpSync(scripts, join(folder, "scripts"), { recursive: true })
  const env = {
    ...personsEnvironment(),
    npm_config_offline: "true",
    npm_config_cache: join(folder, ".cache"),
  }
  const npm = (args: readonly string[], cwd = folder) =>
    run("npm", [...args, "--loglevel=error"], { cwd, env })
  const pack = async (name: string, version: string): Promise<void> => {
    const source = join(folder, "sources", name)
    mkdirSync(source, { recursive: true })
    writeFileSync(join(source, "package.json"), JSON.stringify({ name, version }))
    await npm(["pack", "--pack-destination", folder], source)
  }
  const need = async (version: string): Promise<void> => {
    await pack("server", version)
    const dependencies = { server: `file:server-${version}.tgz` }
    const devDependencies = { tester: "file:tester-1.0.0.tgz" }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies, devDependencies }))
    await npm(["install", "--package-lock-only"])
  }
  await pack("tester", "1.0.0")
  await need("1.0.0")
  const install = async (wanted: "start" | "all", more: Record<string, string> = {}): Promise<string> => {
    const module = pathToFileURL(join(folder, "scripts/install.mjs")).href
    const code = `await (await import(${JSON.stringify(module)})).installDependencies(${JSON.stringify(wanted)})`
    const options = { cwd: folder, env: { ...env, ...more } }
    return (await run(process.execPath, ["--input-type=module", "-e", code], options)).stderr
  }
  const has = (name: string): boolean => existsSync(join(folder, "node_modules", name))
  return { npm, install, need, has }
}

test("what plain npm has installed is enough, and stays", async (t) => {
  const { npm, install, need, has } = await checkout(t)
  await npm(["ci"])
  for (const wanted of ["start", "all"] as const) assert.equal(await install(wanted), "", wanted)
  assert.ok(has("tester"))
  await need("1.0.1")
  assert.match(await install("start"), /^Installing/, "what is older than the lockfile is replaced")
  assert.ok(has("tester"), "and what is for developers is there again")
})

test("only what is lacking is installed, whatever the npm around it was told", async (t) => {
  const { npm, install, has } = await checkout(t)
  assert.match(await install("start", { npm_config_dry_run: "true" }), /^Installing/)
  assert.deepEqual([has("server"), has("tester")], [true, false])
  assert.equal(await install("start"), "")
  assert.match(await install("all", { NODE_ENV: "production", npm_config_omit: "dev" }), /what tests it/)
  assert.ok(has("tester"))
  await npm(["ci", "--omit=dev"])
  assert.equal(await install("start"), "")
  assert.ok(!has("tester"))
})

test("each package of the lockfile has a checksum, and none the address of a registry", () => {
  const text = readFileSync(join(scripts, "../package-lock.json"), "utf8")
  const { packages } = JSON.parse(text) as {
    packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
  const entries = Object.entries(packages).filter(([path]) => path !== "")
  assert.ok(entries.length > 100, `${entries.length} packages`)
  assert.deepEqual(
    entries.filter(
      ([, entry]) => !/^sha512-/.test(String(entry["integrity"])) || entry["resolved"] !== undefined,
    ),
    [],
  )
})
