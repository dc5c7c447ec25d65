// Two processes on one database, behind a balancer, which are restarted in turn while clients read and write.

import assert from "node:assert/strict"
import { Agent, request as send } from "node:http"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { type Serving, serving } from "../cli/run.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"
import type { Database } from "../support/open-service.ts"

const table = (key: string): string => `CREATE TABLE note (id INTEGER ${key} PRIMARY KEY, body TEXT NOT NULL)`

export async function makeNotes(hooks: Hooks, database: Database): Promise<string> {
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

export async function storedNotes(address: string): Promise<number> {
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

export interface Tally {
  asked: number
  written: number
  readonly failed: string[]
}

interface Client {
  /** One connection for as long as the server keeps it; else one for each request. */
  readonly keeps: boolean
  /** Milliseconds between two requests, at the most. */
  readonly pause: number
}

async function client(port: number, how: Client, tally: Tally, ended: () => boolean): Promise<void> {
  const { keeps, pause } = how
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
    await sleep(Math.random() * pause)
  }
  if (agent) agent.destroy()
}

/** Asks until the work is done. */
export async function whileAsking(
  port: number,
  clients: readonly Client[],
  work: (tally: Tally) => Promise<void>,
): Promise<Tally> {
  const tally: Tally = { asked: 0, written: 0, failed: [] }
  let ended = false
  const asking = clients.map((how) => client(port, how, tally, () => ended))
  try {
    await work(tally)
  } finally {
    ended = true
    await Promise.all(asking)
  }
  return tally
}

export interface Pair {
  readonly ports: readonly number[]
  /** Ends one of the processes by the signal. */
  end(at: number, signal: NodeJS.Signals): Promise<void>
  begin(at: number): Promise<void>
}

/** Two processes that serve the database; ended with the test. */
export async function startPair(hooks: Hooks, address: string, options: readonly string[]): Promise<Pair> {
  const begin = async (port: number): Promise<Serving> => {
    const open = ["--open", "write", "--accept-data-loss", "--port", String(port)]
    const server = await serving([address, ...open, ...options])
    hooks.after(async () => void (await server.end("SIGKILL")))
    return server
  }
  const ports = [await freePort(), await freePort()]
  const servers = await Promise.all(ports.map(begin))
  return {
    ports,
    async end(at, signal) {
      const ran = await servers[at]?.end(signal)
      if (signal !== "SIGKILL") assert.equal(ran?.code, 0, ran?.stderr)
    },
    async begin(at) {
      servers[at] = await begin(ports[at] ?? 0)
    },
  }
}
