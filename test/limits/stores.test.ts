// Stores of budgets that several processes share: real Redis and PostgreSQL. Two servers admit no more than one would.

import assert from "node:assert/strict"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { it } from "node:test"
import pg from "pg"
import type { Budget } from "../../src/access/limits/budget.ts"
import { openBudget } from "../../src/access/limits/stores.ts"
import type { Refusal } from "../../src/base/problem.ts"
import { until } from "../feed/open.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"
import { type Answered, openCounted } from "./open.ts"

/** The first of these programs that is installed. */
const redis = ["valkey-server", "redis-server"].find((name) => {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})

interface OwnStore {
  readonly url: string
  kill(): Promise<void>
  start(): Promise<void>
}

async function ownRedis(hooks: Hooks): Promise<OwnStore> {
  const folder = await temporaryFolder(hooks)
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
    const started = spawn(redis ?? "", options, { stdio: ["ignore", "pipe", "ignore"] })
    child = started
    let said = ""
    for await (const chunk of started.stdout) {
      said += String(chunk)
      if (/Ready to accept connections/i.test(said)) break
    }
    started.stdout.destroy()
  }
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  await start()
  hooks.after(kill)
  return { url: `redis://127.0.0.1:${port}`, kill, start }
}

async function opened(hooks: Hooks, url: string): Promise<Budget> {
  const budget = await openBudget(url, "counted")
  hooks.after(() => budget.close())
  return budget
}

const stores: readonly [name: string, open: (hooks: Hooks) => Promise<string>, missing: string | false][] = [
  ["Redis", async (hooks) => (await ownRedis(hooks)).url, redis === undefined && "no Redis is installed"],
  ["PostgreSQL", temporaryPostgres, false],
]

for (const [name, open, missing] of stores) {
  it(`two processes that share ${name} admit as much as one`, { skip: missing }, async (test) => {
    const url = await open(test)
    const limits = { cost: { perMinute: 300 } }
    const budgets = await Promise.all([opened(test, url), opened(test, url)])
    // Closed: where the store takes longer than a request waits for it, none goes on uncounted.
    const servers = await Promise.all(
      budgets.map((budget) => openCounted(test, limits, { budget, whenDown: "closed" })),
    )
    const answers: Answered[] = []
    const turns = Array.from({ length: 40 }, async (_, index) => {
      for (let turn = 0; turn < 10; ) {
        const answer = await servers[(index + turn) % 2]?.get("/things/1", "ada")
        // On a machine under load the server, or the store, may have no time for it.
        if (!answer || answer.status === 503) continue
        answers.push(answer)
        turn += 1
      }
    })
    await Promise.all(turns)
    const admitted = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(admitted.length + refused.length, 400)
    // Two points each; a refused request costs one.
    assert.ok(admitted.length <= 150 && admitted.length > 0, String(admitted.length))
    const used = admitted.length * 2
    assert.ok(used <= 300 * 1.01, String(used))
    const [one, other] = servers
    assert.equal((await one?.get("/things/1", "zoe"))?.remaining, 298)
    assert.equal((await other?.get("/things/1", "zoe"))?.remaining, 296)
    assert.equal((await other?.get("/things?limit=10", "zoe"))?.remaining, 292, "7 of 11 are given back")
    // The answer does not wait for the store to have them back.
    await until(async () => (await budgets[0]?.take("actor zoe", 0, 300))?.remaining === 292)
    assert.equal((await one?.get("/things/1", "zoe"))?.remaining, 290)
  })

  it(`${name} counts callers with long names, each by itself`, { skip: missing }, async (test) => {
    const budget = await opened(test, await open(test))
    const long = `jwt:${"x".repeat(2_000)}`
    assert.equal((await budget.take(`${long}1`, 3, 10)).remaining, 7)
    assert.equal((await budget.take(`${long}2`, 3, 10)).remaining, 7)
    assert.equal((await budget.take(`${long}1`, 3, 10)).remaining, 4)
  })

  it(`services that share ${name} count apart`, { skip: missing }, async (test) => {
    const url = await open(test)
    const budgets = await Promise.all(["one", "two"].map((service) => openBudget(url, service)))
    test.after(() => Promise.all(budgets.map((budget) => budget.close())))
    const taken = await Promise.all(budgets.map((budget) => budget.take("ada", 3, 10)))
    assert.deepEqual(
      taken.map(({ remaining }) => remaining),
      [7, 7],
    )
  })
}

it("requests go on while Redis is gone, and are counted when it is back", { skip: !redis }, async (test) => {
  const store = await ownRedis(test)
  const budget = await opened(test, store.url)
  const { get, observed } = await openCounted(test, { cost: { perMinute: 100 } }, { budget })
  assert.equal((await get("/things/1", "ada")).remaining, 98)
  await store.kill()
  const without = await get("/things/1", "ada")
  assert.deepEqual([without.status, without.remaining], [200, undefined])
  assert.equal(observed[0]?.kind, "uncounted")
  await store.start()
  let back: number | undefined
  for (let tries = 0; tries < 200 && back === undefined; tries++) {
    back = (await get("/things/1", "ada")).remaining
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // What was counted went with the store.
  assert.equal(back, 98)
})

it("a table of PostgreSQL that goes away is made again by the next request", async (test) => {
  const url = await temporaryPostgres(test)
  const budget = await opened(test, url)
  const { get, observed } = await openCounted(test, { cost: { perMinute: 100 } }, { budget })
  assert.equal((await get("/things/1", "ada")).remaining, 98)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("DROP TABLE bifold_budgets")
  await client.end()
  const without = await get("/things/1", "ada")
  assert.deepEqual([without.status, without.remaining], [200, undefined])
  assert.equal(observed[0]?.kind, "uncounted")
  assert.equal((await get("/things/1", "ada")).remaining, 98)
})

it("a store that never answers keeps a request for a second at most, and a start goes on without it", async (test) => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1")
  await once(silent, "listening")
  test.after(() => silent.close())
  const address = silent.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  for (const url of [`redis://127.0.0.1:${port}`, `postgres://me@127.0.0.1:${port}/none`]) {
    const budget = await opened(test, url)
    const { get, observed } = await openCounted(test, { cost: { perMinute: 100 } }, { budget })
    assert.equal((await get("/things/1", "ada")).status, 200)
    assert.equal(observed[0]?.kind, "uncounted")
  }
})

it("an address of another kind is refused with what is known", async () => {
  await assert.rejects(openBudget("mysql://u:sesame@x", "counted"), ({ message, problems }: Refusal) => {
    assert.match(problems[0].hint ?? "", /redis:\/\//)
    return /store of limits/.test(message) && !/sesame/.test(message)
  })
})
