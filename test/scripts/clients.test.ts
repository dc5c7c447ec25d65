// The installation of clients by `npm test`, and their tests where it fails.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type TestContext, test } from "node:test"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { personsEnvironment } from "../support/clone.ts"
import { temporaryFolder } from "../support/database.ts"

const root = join(import.meta.dirname, "../..")
const run = promisify(execFile)

interface Lock {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"))
const folders = globSync("test/clients/*/package.json", { cwd: root }).map((path) =>
  dirname(path).replaceAll("\\", "/"),
)

/** A checkout with two clients: `near` needs a package that is there, `far` one of the registry. */
async function checkout(t: TestContext) {
  const folder = await temporaryFolder(t)
  cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true })
  cpSync(join(root, "test/support/clients.ts"), join(folder, "test/support/clients.ts"))
  const env = {
    ...personsEnvironment(),
    npm_config_offline: "true",
    npm_config_cache: join(folder, ".cache"),
  }
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const npm = (args: readonly string[], cwd: string) =>
    run("npm", [...args, "--loglevel=error"], { cwd: join(folder, cwd), env })
  const need = async (version: string): Promise<void> => {
    write("source/package.json", JSON.stringify({ name: "client", version }))
    await npm(["pack", "--pack-destination", folder], "source")
    const dependencies = { client: `file:../../../client-${version}.tgz` }
    write("test/clients/near/package.json", JSON.stringify({ dependencies }))
    await npm(["install", "--package-lock-only"], "test/clients/near")
  }
  const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`
  const dependencies = { remote: "1.0.0" }
  const packages = { "": { dependencies }, "node_modules/remote": { version: "1.0.0", integrity } }
  write("test/clients/far/package.json", JSON.stringify({ dependencies }))
  write("test/clients/far/package-lock.json", JSON.stringify({ lockfileVersion: 3, packages }))
  for (const name of ["near", "far"]) {
    const path = JSON.stringify("../../support/clients.ts")
    write(
      `test/clients/${name}/${name}.test.ts`,
      `import { clientTests } from ${path}\nawait clientTests("${name}", () => import("./tests.mjs"))\n`,
    )
    write(
      `test/clients/${name}/tests.mjs`,
      `import { test } from "node:test"\ntest("${name} does its work", () => {})\n`,
    )
  }
  await need("1.0.0")
  const module = JSON.stringify(pathToFileURL(join(folder, "scripts/clients.mjs")).href)
  const evaluate = async <T>(code: string): Promise<{ value: T; said: string }> => {
    const text = `const clients = await import(${module}); console.log(JSON.stringify(await ${code}))`
    const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "-e", text], {
      cwd: folder,
      env,
    })
    return { value: JSON.parse(stdout), said: stderr }
  }
  const install = (...names: readonly string[]) =>
    evaluate<Readonly<Record<string, string>>>(`clients.installClients(${JSON.stringify(names)})`)
  const test = async (name: string, more: Record<string, string>) => {
    const args = ["--test", "--test-reporter=tap", `test/clients/${name}/${name}.test.ts`]
    const options = { cwd: folder, env: { ...env, ...more } }
    const { code, stdout } = await run(process.execPath, args, options).then(
      ({ stdout: said }) => ({ code: 0, stdout: said }),
      (error: { code: number; stdout: string }) => error,
    )
    return { code, stdout }
  }
  return { folder, need, evaluate, install, test }
}

test("a client is installed when it is lacking or its lock changed, and at no other time", async (t) => {
  const { folder, need, install, test } = await checkout(t)
  const version = () =>
    JSON.parse(readFileSync(join(folder, "test/clients/near/node_modules/client/package.json"), "utf8"))
      .version
  assert.match((await test("near", {})).stdout, /client near # SKIP test\/clients\/near is not installed/)
  assert.deepEqual((await install("near")).value, {})
  assert.equal(version(), "1.0.0")
  assert.deepEqual(await install("near"), { value: {}, said: "" })
  await need("1.0.1")
  const { value, said } = await install("near")
  assert.deepEqual([value, version()], [{}, "1.0.1"])
  assert.match(said, /Installing 1 of 1 clients …\n {2}near \(/)
  const { code, stdout } = await test("near", { BIFOLD_CLIENTS: "required" })
  assert.equal(code, 0)
  assert.match(stdout, /^ok 1 - near does its work/m)
})

test("where the registry cannot be reached the tests are skipped by name, or fail where they are required", async (t) => {
  const { folder, install, test } = await checkout(t)
  const { value, said } = await install("far", "near")
  assert.deepEqual(Object.keys(value), ["far"], "a client that needs no registry is installed all the same")
  assert.match(said, /the package registry cannot be reached/)
  assert.ok(!existsSync(join(folder, "test/clients/far/node_modules/.bifold-client")))
  const failed = { BIFOLD_CLIENTS_FAILED: JSON.stringify(value) }
  const skipped = await test("far", failed)
  assert.equal(skipped.code, 0)
  assert.match(skipped.stdout, /client far # SKIP test\/clients\/far was not installed: .*ENOTCACHED/)
  const required = await test("far", { ...failed, BIFOLD_CLIENTS: "required" })
  assert.equal(required.code, 1)
  assert.match(required.stdout, /^not ok 1 - client far/m)
})

test("the clients of the named test files are installed, and none for others", async (t) => {
  const { evaluate } = await checkout(t)
  const of = async (...patterns: readonly string[]) =>
    (await evaluate(`clients.clientsOf(${JSON.stringify(patterns)})`)).value
  assert.deepEqual(await of("test/**/*.test.ts"), ["far", "near"])
  assert.deepEqual(await of("./test/clients/near/near.test.ts", "--test-only"), ["near"])
  assert.deepEqual(await of("test/support/*.ts", "test/absent.test.ts"), [])
})

test("each client names exact versions, and its lock names checksums and no registry", () => {
  assert.ok(folders.length > 0)
  for (const folder of folders) {
    const { private: own, dependencies = {} } = readJson(`${folder}/package.json`) as {
      readonly private: unknown
      readonly dependencies?: Readonly<Record<string, string>>
    }
    assert.equal(own, true, folder)
    for (const [name, version] of Object.entries(dependencies))
      assert.match(version, /^(npm:[a-z-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${folder}: ${name}`)
    const entries = Object.entries((readJson(`${folder}/package-lock.json`) as Lock).packages).slice(1)
    assert.ok(entries.length >= Object.keys(dependencies).length, folder)
    // In place of what a bundle has in it already.
    const packed = entries.filter(([path, { resolved }]) => ![path, resolved].includes("nothing"))
    const wrong = packed.filter(
      ([, { integrity, resolved, inBundle }]) =>
        resolved !== undefined || (!inBundle && !/^sha512-/.test(String(integrity))),
    )
    assert.deepEqual(wrong, [], folder)
  }
})

test("each client has a test file that is skipped where it cannot be installed", () => {
  for (const folder of folders) {
    const files = globSync(`${folder}/*.test.ts`, { cwd: root })
    assert.ok(files.length > 0, `${folder} has no test`)
    for (const file of files)
      assert.match(
        readFileSync(join(root, file), "utf8"),
        new RegExp(`await clientTests\\("${folder.split("/").at(-1)}", `),
        file,
      )
  }
})
