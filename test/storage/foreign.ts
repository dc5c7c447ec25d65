// A PostgreSQL database of somebody else's, made of SQL, introspected and served for writing as it is.
import assert from "node:assert/strict"
import pg from "pg"
import { openStorage } from "../../src/storage/open.ts"
import { type Inspected, inspectService, makeDatabase } from "../introspection/databases.ts"
import type { Hooks } from "../support/database.ts"
import { connectFaces, type OpenService } from "../support/open-service.ts"

export interface Foreign extends Inspected {
  readonly service: OpenService
  /** By REST: the status and the body. */
  ask(request: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Told>
  graphql(query: string): Promise<Json>
  /** As the owner of the tables. */
  stored(sql: string): Promise<readonly Json[]>
}

interface Told {
  readonly status: number
  readonly body: Json
}

export type Json = Readonly<Record<string, unknown>>

/** @param as the role that the service is */
export async function openForeign(hooks: Hooks, sql: string, as?: string): Promise<Foreign> {
  const address = await makeDatabase(hooks, "postgres", sql)
  const url = new URL(address)
  if (as !== undefined) {
    url.username = as
    url.password = as
  }
  const inspected = await inspectService(url.href, "foreign")
  const storage = await openStorage(url.href, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const service = connectFaces(inspected.model, storage)
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  hooks.after(() => client.end())
  return {
    ...inspected,
    service,
    async ask(request, body, headers = {}) {
      const [method = "", target = ""] = request.split(" ")
      const [path = "", query = ""] = target.split("?")
      const sent = body && {
        headers: { "content-type": "application/json", ...headers },
        body: Buffer.from(JSON.stringify(body)),
      }
      const answer = await service.rest({ method, path, query, headers, ...sent })
      return { status: answer.status, body: answer.body === "" ? {} : JSON.parse(answer.body) }
    },
    async graphql(query) {
      const { body } = await service.graphql({ body: { query } })
      return JSON.parse(body)
    },
    stored: async (text) => (await client.query(text)).rows,
  }
}

/** What was asked was refused so, and not as a fault. */
export function assertRefused(
  { status, body }: Told,
  expected: readonly [status: number, code: string],
): void {
  assert.deepEqual([status, body["code"]], expected, JSON.stringify(body))
}

let roles = 0

/** A role that may log in, unknown to other tests of the server, and dropped when the test ends. */
export async function temporaryRole(hooks: Hooks): Promise<string> {
  const server = process.env["BIFOLD_TEST_POSTGRES"]
  const name = `bifold_role_${process.pid}_${roles++}`
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await run(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`)
  hooks.after(() => run(`DROP ROLE IF EXISTS ${name}`).catch(() => {}))
  return name
}
