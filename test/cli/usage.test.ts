// The command line itself: help, and what it says to what it does not know.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { fileURLToPath } from "node:url"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold, bifoldProcess, main } from "./run.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const cwd = await temporaryFolder(cleanUp(after))

describe("the command line", () => {
  it("explains itself", async () => {
    const ran = await bifoldProcess(["--help"])
    assert.equal(ran.code, 0)
    assert.equal(ran.stderr, "")
    for (const command of ["serve", "introspect", "check", "schema", "explain"])
      assert.match(ran.stdout, new RegExp(`^  ${command} `, "m"))
    assert.match(ran.stdout, /Examples:\n {2}\$ bifold serve --example/)
    assert.match(
      ran.stdout,
      /Exit codes: 0 all is well, 1 what was asked for failed, 2 the command line is wrong\./,
    )
  })

  for (const command of ["serve", "introspect", "check", "schema", "explain"])
    it(`explains ${command} with examples`, async () => {
      const ran = await bifold([command, "--help"])
      assert.equal(ran.code, 0)
      assert.match(ran.stdout, new RegExp(`^Usage: bifold ${command} `))
      assert.match(ran.stdout, new RegExp(`Examples:\\n {2}\\$ bifold ${command}`))
      assert.equal((await bifold(["help", command])).stdout, ran.stdout)
    })

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
    const ran = await bifoldProcess(["--version"])
    assert.equal(ran.code, 0)
    assert.equal(ran.stdout.startsWith(`${version} (Node ${process.versions.node}, SQLite `), true)
  })

  it("shows its help on stderr and ends with 2 when nothing is asked", async () => {
    const ran = await bifoldProcess([])
    assert.equal(ran.code, 2)
    assert.equal(ran.stdout, "")
    assert.match(ran.stderr, /^Usage: bifold/)
  })

  it("says that Node is too old, and nothing else", async () => {
    const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } })`
    const ran = await bifoldProcess(["--help"], {
      environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` },
    })
    assert.deepEqual(ran, {
      code: 1,
      stdout: "",
      stderr:
        "✗ Bifold needs Node 24.10 or later; this is Node 20.19.0.\n  → Install it from https://nodejs.org, or by a version manager: nvm install 24\n",
    })
  })

  it("gives a command its standard input, its environment and its folder, and ends with its exit code", async () => {
    await writeFile(join(cwd, "service.ts"), `import "bifold"\nthrow new Error("out of order")\n`)
    const given = { cwd, environment: { BIFOLD_DEBUG: "1" } }
    const failed = await bifoldProcess(["check"], given)
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /service\.ts failed while it ran: out of order \(line 2\)[\s\S]* at /)
    const storefront = join(root, "examples/storefront/service.ts")
    const explained = await bifoldProcess(["explain", "-", storefront], { cwd, stdin: "GET /tags" })
    assert.equal(explained.code, 0, explained.stderr)
    assert.match(explained.stdout, /^Plan\n/)
    await rm(join(cwd, "service.ts"))
  })

  it("begins with nothing that an older Node cannot link", () => {
    assert.deepEqual(readFileSync(main, "utf8").match(/^import .*$/gm), [
      'import nodeModule from "node:module";',
    ])
  })

  it("says that what it prints cannot be written, and nothing where nobody reads it", async () => {
    const shell = (command: string): Promise<{ code: number; output: string }> =>
      new Promise((resolve) => {
        const line = `"${process.execPath}" "${main}" ${command}`
        execFile(
          "sh",
          ["-c", line],
          { cwd: root, env: { ...process.env, NO_COLOR: "1" } },
          (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
        )
      })
    for (const given of ["--help", "schema --graphql examples/storefront/service.ts"])
      assert.deepEqual(await shell(`${given} > /dev/full`), {
        code: 1,
        output: "✗ The output could not be written: ENOSPC: no space left on device, write\n",
      })
    const { output } = await shell("schema --graphql examples/storefront/service.ts | head -1")
    assert.equal(output, '"""\n')
  })

  for (const [given, stderr] of [
    [
      ["serv"],
      "✗ unknown command 'serv'\n(Did you mean serve?)\nRun bifold --help for its arguments and options.\n",
    ],
    [
      ["check", "--jsn"],
      "✗ unknown option '--jsn'\n(Did you mean --json?)\nRun bifold check --help for its arguments and options.\n",
    ],
    [
      ["introspect"],
      "✗ missing required argument 'database'\nRun bifold introspect --help for its arguments and options.\n",
    ],
    [
      ["check", "a.ts", "b.ts"],
      "✗ too many arguments for 'check'. Expected 1 argument but got 2: a.ts, b.ts.\nRun bifold check --help for its arguments and options.\n",
    ],
    [
      ["schema", "--graphql", "--openapi"],
      "✗ option '--graphql' cannot be used with option '--openapi'\nRun bifold schema --help for its arguments and options.\n",
    ],
    [
      ["serve", "--port", "70000"],
      "✗ option '-p, --port <number>' argument '70000' is invalid. Give a number from 0 to 65535; 0 takes any port that is free.\nRun bifold serve --help for its arguments and options.\n",
    ],
    [
      ["serve", "--open", "everything"],
      "✗ option '--open <what>' argument 'everything' is invalid. Allowed choices are read, write.\nRun bifold serve --help for its arguments and options.\n",
    ],
    [
      ["serve", "--keep-answers", "soon"],
      "✗ option '--keep-answers <hours>' argument 'soon' is invalid. Give hours from 0.001 to 8760.\nRun bifold serve --help for its arguments and options.\n",
    ],
    [
      ["serve", "--secret", "short"],
      "✗ The value of --secret is not one that it takes.\n  → Give at least 16 characters, as `openssl rand -hex 32` makes them.\n",
    ],
    [
      ["serve", "--cors", "shop.example"],
      "✗ option '--cors <origin>' argument 'shop.example' is invalid. Give an origin such as https://shop.example, or * for every one.\nRun bifold serve --help for its arguments and options.\n",
    ],
    [
      ["schema"],
      "✗ Nothing says which schema is meant.\n  → Add --graphql, --openapi, --asyncapi or --sql.\n",
    ],
    [
      ["schema", "--graphql"],
      "✗ Nothing says which service is meant: there is no service.ts here.\n  → Give a service file (service.ts), a SQLite file (shop.db), or postgres://user:password@host/database.\n",
    ],
  ] as const)
    it(`refuses ${given.join(" ")}, and ends with 2`, async () => {
      assert.deepEqual(await bifold(given, { cwd }), { code: 2, stdout: "", stderr })
    })
})
