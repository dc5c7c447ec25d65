// Runs the commands of package.json: finds a Node that is new enough, installs the dependencies, starts the command.
// Plain JavaScript for Node 20, with nothing installed yet.

import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runChild } from "./child.mjs"
import { installDependencies } from "./install.mjs"
import { folderInMemory } from "./memory.mjs"
import { findNode } from "./node.mjs"
import { Trouble } from "./trouble.mjs"

const node = ["--disable-warning=ExperimentalWarning", "--conditions=bifold-source"]
/** docs/operate/load.md (Memory) says why; what a person has set wins. */
const frugal = ["--max-semi-space-size=8"]
const cli = [...node, ...frugal, "src/cli/main.ts"]
/** The sources as they were compiled the last time, without their types; Node would take them away at each start. */
const cache = { NODE_COMPILE_CACHE: fileOf("node_modules/.cache/bifold") }

/** Each command, with the dependencies that it needs. */
const commands = {
  start: {
    install: "start",
    run: (args) => runNode([...cli, "serve", "--example", ...args], { env: cache }),
  },
  bifold: {
    install: "start",
    run: (args) => runNode([...cli, ...args], { env: cache, cwd: process.env.INIT_CWD }),
  },
  test: { install: "all", run: (args) => test(args) },
  proof: {
    install: "all",
    run: (args) =>
      test(
        args.length > 0
          ? args
          : [
              "test/{access,durability,events,feed,limits,log,outbound,properties,sinks,states,webhooks}/*.test.ts",
              "test/clients/spectral/spectral.test.ts",
              "test/code/crashes.test.ts",
              "test/storage/{found,migrate,migrate-killed}.test.ts",
              "test/versions/hidden.test.ts",
            ],
        {
          BIFOLD_PROOF: "full",
        },
      ),
  },
  bench: { install: "all", run: bench },
  walk: { install: "start", run: (args) => runNode(["scripts/walk/walk.mjs", ...args]) },
  build: { install: "all", run: (args) => runNode(["scripts/build.mjs", ...args]) },
  docs: { install: "all", run: () => runNode(["scripts/docs.mjs"]) },
  check: { install: "all", run: () => runNode(["scripts/check.mjs"]) },
}

async function main([name, ...args]) {
  const command = commands[name]
  if (!command)
    throw new Trouble(`There is no command ${name}.`, `Known: ${Object.keys(commands).join(", ")}.`)
  const better = await findNode()
  if (better) return await runChild(better.path, [import.meta.filename, name, ...args], { env: better.env })
  await installDependencies(command.install)
  return await command.run(args)
}

function runNode(args, { env = {}, cwd } = {}) {
  const root = new URL("..", import.meta.url)
  const absolute = args.map((arg) => (/^(src|scripts|bench)\/.*\.(ts|mjs)$/.test(arg) ? fileOf(arg) : arg))
  return runChild(process.execPath, absolute, {
    env: { ...process.env, ...env },
    cwd: cwd ?? root,
  })
}

function fileOf(path) {
  return decodeURIComponent(new URL(`../${path}`, import.meta.url).pathname)
}

/** Makes properties repeat themselves, except in the proof. */
const seed = new URL("../test/support/seed.mjs", import.meta.url).href

/** The tests, with a PostgreSQL of their own unless BIFOLD_TEST_POSTGRES names one; all of them when none are named. */
async function test(named, env = {}) {
  const { clientsOf, installClients } = await import("./clients.mjs")
  const { groupedTests } = await import("./test-groups.mjs")
  const patterns = named.length > 0 ? named : groupedTests()
  const { startPostgres } = await import("./postgres.mjs")
  const given = process.env.BIFOLD_TEST_POSTGRES
  const installing = installClients(clientsOf(patterns))
  // In a run of all tests, clients are installed meanwhile, since their tests come late.
  const clients =
    named.length > 0 ? { BIFOLD_CLIENTS_FAILED: JSON.stringify(await installing) } : told(installing)
  const server = given ? { url: given, stop: async () => {} } : await startPostgres()
  const temporary = temporaryFolder()
  try {
    const options = [`${process.env.NODE_OPTIONS ?? ""}`, ...node].join(" ").trim()
    return await runNode(
      // A test that hangs fails, and does not hold up the report of the others.
      [
        "--test",
        "--test-concurrency=4",
        ...(env.BIFOLD_PROOF ? [] : ["--test-timeout=600000"]),
        "--test-reporter=spec",
        // A suite whose tests are all left out still runs its body, and never its `after`: what it opened stays open.
        ...(named.some((one) => one.startsWith("--test-name-pattern")) ? ["--test-force-exit"] : []),
        `--import=${seed}`,
        ...patterns,
      ],
      {
        env: {
          ...cache,
          ...env,
          BIFOLD_TEST_POSTGRES: server.url,
          ...temporary.env,
          // Where both are gone with the run.
          ...(!given && { BIFOLD_TEST_TEMPLATES: temporary.path }),
          ...clients,
          NODE_OPTIONS: options,
        },
      },
    )
  } finally {
    await server.stop()
    temporary.remove()
  }
}

/** For databases and folders of tests, in memory where there is room; below a folder that a person has set. */
function temporaryFolder() {
  const quick = process.env.TMPDIR ? undefined : folderInMemory({ runs: true })
  const path = mkdtempSync(join(quick ?? tmpdir(), "bifold-tests-"))
  // Some tests run programs as other users.
  chmodSync(path, 0o1777)
  return {
    path,
    env: { TMPDIR: path },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Names a file that will say which clients could not be installed, and why, when all of them were tried. */
function told(installing) {
  const file = fileOf(`.runtime/clients-${process.pid}.json`)
  process.on("exit", () => rmSync(file, { force: true }))
  installing
    .catch((error) => Object.fromEntries([["all", String(error)]]))
    .then((failed) => {
      writeFileSync(`${file}.new`, JSON.stringify(failed))
      renameSync(`${file}.new`, file)
    })
  return { BIFOLD_CLIENTS_FILE: file }
}

/** The benchmark, with a PostgreSQL of its own unless none is asked for or BIFOLD_BENCH_POSTGRES names an empty database. */
async function bench(args) {
  const { startPostgres } = await import("./postgres.mjs")
  const unneeded = /(^| )(--help|-h|--start|--watch|--database[ =]sqlite)( |$)/.test(args.join(" "))
  const given = process.env.BIFOLD_BENCH_POSTGRES
  const server = unneeded || given ? undefined : await startPostgres({ durable: true })
  try {
    return await runNode([...node, "bench/main.ts", ...args], {
      env: { ...cache, BIFOLD_BENCH_POSTGRES: server?.url ?? given },
    })
  } finally {
    await server?.stop()
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Trouble)) throw error
  console.error(`\n${error.message}\n${error.advice}`)
  process.exitCode = 1
}
