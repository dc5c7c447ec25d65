// Two processes behind a balancer are restarted in turn while clients read and write: every request is answered.

import assert from "node:assert/strict"
import { Agent, request as send } from "node:http"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { serving } from "../cli/run.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { startBalancer } from "./balancer.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const table = (key: string): string => `CREATE TABLE note (id INTEGER ${key} PRIMARY KEY, body TEXT NOT NULL)`

async function makeDatabase(hooks: Hooks, database: Database): Promise<string> {
  if (database === "sqlite") {
    const path = join(await temporaryFolder(hooks), "notes.db")
    const file = new DatabaseSync(path)
    file.exec(table(""))
    file.close()
    return path
  }
  const address = await temporaryPostgres(hooks)
  await administer(address, table("GENERATED ALWAYS AS IDENTITY"))
  return address
}

async function administer(address: string, command: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query(command)
  await client.end()
  return rows
}

async function stored(address: string): Promise<number> {
  const count = "SELECT count(*) AS count FROM note"
  if (address.startsWith("postgres:"))
    return Number(((await administer(address, count)) as readonly { count: string }[])[0]?.count)
  const file = new DatabaseSync(address)
  try {
    return Number(file.prepare(count).get()?.["count"])
  } finally {
    file.close()
  }
}

interface Answered {
  readonly status: number
  readonly body: string
}

function ask(port: number, agent: Agent | false, body?: string): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const headers = { "content-type": "application/json" }
  const path = body === undefined ? "/notes?limit=2" : "/notes"
  const asked = send({ port, agent, path, method: body === undefined ? "GET" : "POST", headers })
  asked.on("response", (response) => {
    let text = ""
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
    })
    response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }))
    response.on("error", reject)
  })
  asked.on("error", reject)
  asked.end(body)
  return promise
}

interface Tally {
  asked: number
  written: number
  readonly failed: string[]
}

/** Asks until it is told to end; on one connection for as long as the server keeps it, or on one for each request. */
async function client(port: number, keeps: boolean, tally: Tally, ended: () => boolean): Promise<void> {
  const agent = keeps && new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; !ended(); turn += 1) {
    const writes = turn % 2 === 1
    tally.asked += 1
    try {
      const body = writes ? JSON.stringify({ body: "x".repeat(200) }) : undefined
      const answer = await ask(port, agent, body)
      if (answer.status !== (writes ? 201 : 200)) tally.failed.push(`${answer.status} ${answer.body}`)
      else if (writes) tally.written += 1
    } catch (fault) {
      tally.failed.push(`${writes ? "write" : "read"} ${keeps ? "kept" : "fresh"}: ${String(fault)}`)
    }
    await sleep(Math.random() * (keeps ? 30 : 100))
  }
  if (agent) agent.destroy()
}

interface Rolling {
  readonly database: Database
  readonly restarts: number
  readonly workers?: number
}

async function roll(hooks: Hooks, { database, restarts, workers = 1 }: Rolling): Promise<void> {
  const address = await makeDatabase(hooks, database)
  const options = ["--open", "write", "--accept-data-loss", "--workers", String(workers)]
  const begin = async (port: number) => {
    const server = await serving([address, ...options, "--port", String(port)])
    hooks.after(async () => void (await server.end("SIGKILL")))
    return server
  }
  const ports = [await freePort(), await freePort()]
  const servers = await Promise.all(ports.map(begin))
  const balancer = await startBalancer(hooks, ports)
  const tally: Tally = { asked: 0, written: 0, failed: [] }
  let ended = false
  const clients = Array.from({ length: 12 }, (_, index) =>
    client(balancer, index % 3 !== 0, tally, () => ended),
  )
  try {
    for (let restart = 0; restart < restarts; restart += 1) {
      const at = restart % 2
      const before = tally.asked
      const ran = await servers[at]?.end("SIGTERM")
      assert.equal(ran?.code, 0, ran?.stderr)
      servers[at] = await begin(ports[at] ?? 0)
      assert.ok(tally.asked > before, "clients ask meanwhile")
    }
  } finally {
    ended = true
    await Promise.all(clients)
  }
  assert.deepEqual(tally.failed, [], `of ${tally.asked} requests`)
  assert.equal(await stored(address), tally.written)
}

describe("two processes that are restarted in turn", () => {
  for (const database of dialects) {
    // The tests have each once, the proof both on both.
    if (full || database === "sqlite")
      it(`lose no request, on ${database}`, (test) => roll(test, { database, restarts: full ? 24 : 3 }))
    if (full || database === "postgres")
      it(`lose no request with two workers each, on ${database}`, (test) =>
        roll(test, { database, restarts: full ? 20 : 2, workers: 2 }))
  }
})
