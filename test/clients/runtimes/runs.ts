// The example for Bun and Deno in processes of both, on both databases, asked as a client asks it.
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, globSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { temporaryFolder, temporaryPostgres } from "../../support/database.ts"
import { freePort } from "../../support/free-port.ts"

const here = import.meta.dirname
const example = join(here, "../../../examples/embedded/web.ts")
const condition = "--conditions=bifold-source"

interface Runtime {
  /** Where its package for this machine has it. */
  readonly program: string
  readonly options: (port: number) => readonly string[]
}

const bun: Runtime = { program: "@oven/bun-*/bin/bun", options: () => [condition] }
const deno: Runtime = {
  program: "@deno/*/deno",
  options: (port) => [
    "serve",
    "--allow-all",
    "--no-check",
    "--node-modules-dir=manual",
    condition,
    `--port=${port}`,
  ],
}

/** The first program that this machine runs: packages of other machines' are not installed, but those of other processors may be. */
function find({ program }: Runtime): string | undefined {
  return globSync(program, { cwd: join(here, "node_modules") })
    .map((path) => join(here, "node_modules", path))
    .toSorted((one, other) => one.length - other.length)
    .find(existsSync)
}

interface Started {
  readonly url: string
  readonly child: ChildProcess
  readonly said: () => string
}

interface Run {
  readonly program: string
  readonly file: string
  readonly database: string
}

async function start(
  t: TestContext,
  { options }: Runtime,
  { program, file, database }: Run,
): Promise<Started> {
  const port = await freePort()
  const child = spawn(program, [...options(port), file], {
    env: {
      ...process.env,
      TASKS_DATABASE: database,
      PORT: String(port),
      DENO_DIR: await temporaryFolder(t),
      NO_COLOR: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let text = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (text += piece))
  t.after(() => void child.kill("SIGKILL"))
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => undefined))) {
    assert.equal(child.exitCode, null, text)
    await setTimeout(50)
  }
  return { url, child, said: () => text }
}

async function use({ url, child, said }: Started): Promise<void> {
  const ask = (path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) =>
    fetch(`${url}/api${path}`, {
      headers: { cookie: "session=staff", "content-type": "application/json", ...more },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    })
  const made = await ask("/people", { name: "Ada" })
  assert.equal(made.status, 201, said())
  const { id } = (await made.json()) as { readonly id: string }
  const query = "subscription { taskChanges { task { title } } }"
  const live = await ask("/graphql", { query }, { accept: "text/event-stream" })
  const reader = live.body?.getReader()
  assert.ok(reader)
  const tasks = Array.from({ length: 200 }, (_, index) => ({ title: `Task ${index}`, ownerId: id }))
  assert.equal((await ask("/tasks/bulk", tasks)).status, 201, said())
  let received = ""
  while (!received.includes("Task 0")) {
    const { value, done } = await reader.read()
    assert.ok(!done, received)
    received += Buffer.from(value).toString()
  }
  const read = await ask("/graphql", { query: "{ people { nodes { name tasks { totalCount } } } }" })
  assert.deepEqual(await read.json(), {
    data: { people: { nodes: [{ name: "Ada", tasks: { totalCount: 200 } }] } },
  })
  // A condition that no index serves, beside answers in other forms.
  const [found, list] = await Promise.all([
    ask("/tasks?filter[title][contains]=99"),
    ask("/tasks?limit=100", undefined, { accept: "text/csv", "accept-encoding": "gzip" }),
  ])
  assert.equal(((await found.json()) as { readonly data: readonly unknown[] }).data.length, 2)
  assert.equal((await list.text()).trimEnd().split("\n").length, 101)
  assert.equal((await fetch(`${url}/api/tasks`)).status, 401)
  // The stream is open: it ends with the service, and the process with both.
  const exited = once(child, "exit")
  child.kill("SIGTERM")
  while (!(await reader.read()).done);
  assert.deepEqual(await exited, [0, null], said())
}

async function useRuntime(t: TestContext, runtime: Runtime): Promise<void> {
  const program = find(runtime)
  if (program === undefined) return t.skip("its package has no program for this machine")
  const runs = [
    { file: example, database: join(await temporaryFolder(t), "tasks.db") },
    { file: join(here, "app/postgres.ts"), database: await temporaryPostgres(t) },
  ]
  for (const run of runs) await use(await start(t, runtime, { program, ...run }))
}

test("Bun, on SQLite and PostgreSQL", (t) => useRuntime(t, bun))
test("Deno, on SQLite and PostgreSQL", (t) => useRuntime(t, deno))
