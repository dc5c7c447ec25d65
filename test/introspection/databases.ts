// Databases made of SQL for the tests of introspection, and services made of them.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import type { Catalog } from "../../src/model/introspection/catalog.ts"
import { type Declared, declare } from "../../src/model/introspection/declare.ts"
import type { Model } from "../../src/model/model.ts"
import { inspect } from "../../src/storage/introspection/inspect.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { connectFaces, type Database, type OpenService } from "../support/open-service.ts"

/** A new database with this SQL in it; gives its address. */
export async function makeDatabase(hooks: Hooks, database: Database, sql: string): Promise<string> {
  if (database === "sqlite") {
    const path = join(await temporaryFolder(hooks), "made.sqlite")
    const made = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    made.exec(sql)
    made.close()
    return path
  }
  const url = await temporaryPostgres(hooks)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
  return url
}

export interface Inspected extends Declared {
  readonly url: string
  readonly catalog: Catalog
  readonly model: Model
}

export async function inspectService(url: string, name: string): Promise<Inspected> {
  const catalog = await inspect(url)
  const declared = declare(catalog, name)
  return { url, catalog, ...declared, model: loadOpen(declared.declaration) }
}

/** The service of a database made of this SQL. */
export async function inspectSql(hooks: Hooks, database: Database, sql: string): Promise<Inspected> {
  return inspectService(await makeDatabase(hooks, database, sql), "made")
}

export const oddSql = (database: Database): string =>
  readFileSync(join(import.meta.dirname, `odd.${database}.sql`), "utf8")

/** Both faces over the database as it is. */
export async function serve(
  hooks: Hooks,
  { url, model }: Pick<Inspected, "url" | "model">,
): Promise<OpenService> {
  const storage = await openStorage(url)
  hooks.after(() => storage.close())
  return connectFaces(model, storage)
}

interface Answered {
  readonly status: number
  /** What the body says; nothing where there is none. */
  readonly json: Readonly<Record<string, unknown>>
}

export interface Writing extends OpenService {
  /** By REST. */
  ask(method: string, address: string, body?: object): Promise<Answered>
  mutate(query: string, variables?: object): Promise<Answered>
}

/** The same, where records may be written, with short ways to ask. */
export async function serveWriting(hooks: Hooks, { url, model }: Inspected): Promise<Writing> {
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const service = connectFaces(model, storage)
  const answered = ({ status, body }: { readonly status: number; readonly body: string }): Answered => ({
    status,
    json: body === "" ? {} : JSON.parse(body),
  })
  return {
    ...service,
    ask: async (method, address, body) => {
      const [path = "", query = ""] = address.split("?")
      const sent = body && {
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify(body)),
      }
      return answered(await service.rest({ method, path, query, ...sent }))
    },
    mutate: async (query, variables = {}) => answered(await service.graphql({ body: { query, variables } })),
  }
}

const physical = new Set(["table", "column", "columns", "stored", "near", "far"])

/** A declaration without what only the database sees. */
export function logical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(logical)
  if (typeof value !== "object" || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !physical.has(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, logical(member)]))
}
