// A database of its own for each service of a test, gone when it is closed.
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { match } from "../../base/match.ts"
import { refusal } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import { dialects } from "../../sql/dialects/dialects.ts"
import { createSchema } from "../../sql/schema/schema.ts"
import { type Address, readAddress } from "../../storage/address.ts"
import { setUp } from "../../storage/migration/set-up.ts"

export interface TemporaryDatabase {
  readonly url: string
  remove(): Promise<void>
}

/**
 * With the tables of the model, and nothing in them.
 * @param server `sqlite`, or the address of a PostgreSQL server, on which a database is made
 */
export async function makeDatabase(model: Model, server: string): Promise<TemporaryDatabase> {
  const address = readAddress(server)
  const made = await match<Address, Promise<TemporaryDatabase>>(address, {
    sqlite: ({ path, shown }) => makeFile(path, shown),
    postgres: () => makeOnServer(server),
  })
  try {
    await setUp(
      made.url,
      createSchema(model, dialects[address.kind]).map((text) => ({ text, parameters: [] })),
    )
  } catch (error) {
    await made.remove()
    throw error
  }
  return made
}

async function makeFile(path: string, shown: string): Promise<TemporaryDatabase> {
  if (path !== "sqlite")
    throw refusal("storage_unavailable", `A test has a database of its own, and so not ${shown}.`, {
      hint: 'Give "sqlite", or postgres://user:password@host/database of a role that may create databases.',
    })
  const folder = await mkdtemp(join(tmpdir(), `bifold-testing-${process.pid}-`))
  return {
    url: join(folder, "service.sqlite"),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}

async function makeOnServer(server: string): Promise<TemporaryDatabase> {
  const name = `bifold_testing_${process.pid}_${randomBytes(4).toString("hex")}`
  await administer(server, `CREATE DATABASE "${name}" TEMPLATE template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    remove: () => administer(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
  }
}

async function administer(url: string, command: string): Promise<void> {
  const { Client } = (await import("pg")).default
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on("error", () => {}) // a connection lost later shows in the query that waits for it
  try {
    await client.connect()
    await client.query(command)
  } catch (fault) {
    throw refusal("storage_unavailable", "No database can be made on that PostgreSQL server.", {
      hint: `It says: ${fault instanceof Error ? fault.message : String(fault)}`,
    })
  } finally {
    await client.end().catch(() => {})
  }
}
