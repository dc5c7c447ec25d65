// One client with many requests at once does not hold up the one request of another: each queue before a database is one of turns.
import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import { present } from "../../src/base/invariant.ts"
import { type Request, startRequest } from "../../src/base/request.ts"
import { createSingleFlight } from "../../src/engine/single-flight.ts"
import type { Parameter, Statement } from "../../src/sql/statement.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Storage, unremarkable } from "../../src/storage/storage.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"

/** Requests of the client that has many. */
const many = 2_000

async function openSqlite(hooks: Hooks): Promise<Storage> {
  const path = join(await temporaryFolder(hooks), "turns.db")
  await setUp(path, [{ text: "CREATE TABLE item (id INTEGER PRIMARY KEY)", parameters: [] }])
  const storage = await openStorage(path, { writes: "durable" })
  hooks.after(() => storage.close())
  return storage
}

async function openPostgres(hooks: Hooks): Promise<Storage> {
  const storage = await openStorage(await temporaryPostgres(hooks))
  hooks.after(() => storage.close())
  return storage
}

type Ask = (number: number, request: Request) => Promise<unknown>

/** The number of answers before that of the modest client, who asks when the greedy one has asked everything. */
async function answeredBefore(ask: Ask, meanwhile: () => Promise<void> = async () => {}): Promise<number> {
  let before = 0
  let place = many
  const asked = (client: string, number: number): Promise<unknown> => ask(number, startRequest(client))
  const all = Array.from({ length: many }, async (_, number) => {
    await asked("greedy", number)
    before += 1
  })
  await meanwhile()
  const modest = asked("modest", many).then(() => {
    place = before
  })
  await Promise.all([...all, modest])
  return place
}

const statement = (text: string): Statement => ({ text }) as Statement

/** Each of another value, so that none joins another. */
const reading =
  ({ read }: Pick<ReturnType<typeof createSingleFlight>, "read">, text: string): Ask =>
  (number, request) =>
    read({
      statement: statement(text),
      parameters: [`${number}`] satisfies readonly Parameter[],
      outlook: unremarkable,
      request,
    })

test("reads of SQLite", async (t) => {
  const place = await answeredBefore(reading(createSingleFlight(await openSqlite(t)), "SELECT concat(?)"))
  assert.ok(place < 3, `${place} were answered before`)
})

/** Four connections have 64 under way, and a busy server opens more of them. In the order of their coming it would be all. */
const pipelined = many / 8

test("reads of PostgreSQL", async (t) => {
  const place = await answeredBefore(
    reading(createSingleFlight(await openPostgres(t)), "SELECT concat($1::text)"),
  )
  assert.ok(place < 2 * pipelined, `${place} were answered before`)
})

/** Those that the writer's thread has. */
const sent = 512

const inserting =
  ({ write }: Storage): Ask =>
  (number, request) => {
    const shape = {
      commands: [{ text: "INSERT INTO item VALUES (?) RETURNING concat(id)", takes: 1 }],
      wanted: [0],
      takes: 1,
      sure: true,
      single: true,
    } as const
    return present(write, "it was opened for writing")({ shape, parameters: [number] }, request)
  }

test("writes of SQLite that arrive together", async (t) => {
  const place = await answeredBefore(inserting(await openSqlite(t)))
  assert.ok(place < 3, `${place} were answered before`)
})

test("writes of SQLite while others are under way", async (t) => {
  const place = await answeredBefore(inserting(await openSqlite(t)), async () => turn())
  assert.ok(place < 2 * sent, `${place} were answered before`)
})
