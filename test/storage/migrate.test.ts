// Migrations on real databases: random chains of versions end where a fresh database begins, and keep what is kept.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import fc from "fast-check"
import pg from "pg"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { snakeCase } from "../../src/model/names.ts"
import { insertRecords, type Row } from "../../src/sql/insert.ts"
import type { FoundTable } from "../../src/sql/migration-steps.ts"
import { postgres } from "../../src/sql/postgres.ts"
import { createSchema } from "../../src/sql/schema.ts"
import { sqlite } from "../../src/sql/sqlite.ts"
import { compareDatabase, migrate } from "../../src/storage/migrate.ts"
import { readPostgres } from "../../src/storage/migrate-postgres.ts"
import { readSqlite } from "../../src/storage/migrate-sqlite.ts"
import { setUp } from "../../src/storage/set-up.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import {
  declare,
  evolve,
  firstVersion,
  histories,
  plainKinds,
  type Resource,
  type Version,
} from "./evolving-service.ts"

const hooks = cleanUp(after)
const folder = await temporaryFolder(hooks)
let files = 0

interface Database {
  readonly url: string
  readonly ask: (sql: string) => Promise<readonly Record<string, unknown>[]>
  readonly close: () => Promise<void>
  readonly found: (model: Model) => Promise<readonly FoundTable[]>
}

async function openSqlite(): Promise<Database> {
  const url = join(folder, `${++files}.db`)
  const database = new DatabaseSync(url)
  return {
    url,
    ask: async (sql) => database.prepare(sql).all(),
    close: async () => database.close(),
    found: async () => readSqlite(url),
  }
}

const server = await temporaryPostgres(hooks)

/** A schema of its own in the one database, which is much faster than a database. */
async function openPostgres(): Promise<Database> {
  const schema = `s${++files}`
  const url = new URL(server)
  url.searchParams.set("options", `-c search_path=${schema}`)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`CREATE SCHEMA ${schema}`)
  return {
    url: url.href,
    ask: async (sql) => (await client.query(sql)).rows,
    close: async () => {
      await client.query(`DROP SCHEMA ${schema} CASCADE`)
      await client.end()
    },
    found: (model) => readPostgres(url.href, "the test's", model),
  }
}

const databases = [
  { name: "SQLite", dialect: sqlite, open: openSqlite, runs: 120 },
  { name: "PostgreSQL", dialect: postgres, open: openPostgres, runs: 15 },
] as const

/** What was found, in an order that does not depend on how it came about. */
const inOrder = (found: readonly FoundTable[]): unknown => {
  const by = <Item>(items: readonly Item[]): readonly Item[] =>
    [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return by(
    found.map(({ name, columns, indexes, foreignKeys, checks, ...rest }) => ({
      name: name.name,
      columns: by(columns),
      indexes: by(indexes),
      foreignKeys: by(foreignKeys.map((key) => ({ ...key, target: key.target.name }))),
      checks: by(checks),
      ...rest,
    })),
  )
}

/** Values by resource, field and record, as text. */
async function valuesOf({ ask }: Database, { resources }: Version): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>()
  for (const { identity, name, fields, ones, links } of resources) {
    const columns = [
      ...fields
        .filter(({ kind }) => plainKinds.has(kind) || kind === "choice")
        .map((field) => [field.identity, snakeCase(field.name)] as const),
      ...ones.map((one) => [one.identity, `${snakeCase(one.name)}_id`] as const),
    ]
    const listed = columns.map(([, column]) => `, CAST("${column}" AS text) AS "${column}"`).join("")
    for (const row of await ask(
      `SELECT "id", CAST("bifold_version" AS text) AS version${listed} FROM "${snakeCase(name)}"`,
    )) {
      values.set(`${identity} ${row["id"]}`, row["version"])
      for (const [field, column] of columns) values.set(`${identity}.${field} ${row["id"]}`, row[column])
    }
    for (const other of links)
      for (const row of await ask(`SELECT CAST(count(*) AS text) AS links FROM "link_${identity}_${other}"`))
        values.set(`${identity}-${other}`, row["links"])
  }
  return values
}

let records = 0

/** Some records of every resource; those that are referred to first. */
async function fill(
  { url }: Database,
  model: Model,
  version: Version,
  dialect: typeof sqlite,
): Promise<void> {
  const rows = new Map<string, Row[]>()
  const ids = new Map<number, string>()
  const add = (resource: Resource): void => {
    if (ids.has(resource.identity)) return
    const id = `record${++records}`
    ids.set(resource.identity, id)
    const row: Record<string, Row[string]> = { id }
    for (const one of resource.ones) {
      const target = version.resources.find(({ identity }) => identity === one.target)
      if (target) add(target)
      row[`${one.name}Id`] = ids.get(one.target) ?? null
    }
    for (const field of resource.fields)
      row[field.name] = field.optional && records % 2 === 0 ? null : valueOfKind(field.kind, records)
    rows.set(resource.name, [row])
  }
  for (const resource of version.resources) add(resource)
  const links = version.resources.flatMap((resource) =>
    resource.links.map((other) => ({
      resource: resource.name,
      relation: `linked${other}`,
      pairs: [[ids.get(resource.identity) ?? null, ids.get(other) ?? null] as const],
    })),
  )
  await setUp(url, insertRecords(model, dialect, { records: rows, links }))
}

function valueOfKind(kind: string, seed: number): Row[string] {
  const values: Readonly<Record<string, Row[string]>> = {
    text: `text ${seed}`,
    integer: seed,
    int64: String(2n ** 53n + BigInt(seed)),
    decimal: `${seed}.25`,
    wide: `${seed}.1250`,
    boolean: seed % 2 === 0,
    date: "2026-02-03",
    timestamp: "2026-02-03T04:05:06Z",
    uuid: `01890a5d-ac96-774b-bcce-${String(seed).padStart(12, "0")}`,
    json: '{"x":1}',
    bytes: "AAEC",
    texts: ["x", "y"],
    choice: "v1",
  }
  return values[kind] ?? null
}

/** What the value is after a change of type, as text of the stored form. */
const grown = (value: unknown, from: string, to: string): unknown =>
  from === "decimal" && to === "wide" ? `${value}00` : value

for (const { name, dialect, open, runs } of databases)
  describe(`migrations of ${name}`, () => {
    it("end where a fresh database begins, whatever changed, and keep every value that is kept", async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const database = await open()
          try {
            let version = firstVersion
            await migrate(database.url, load(declare(version)), { allow: [] })
            for (const draws of history) {
              await fill(database, load(declare(version)), version, dialect)
              const before = await valuesOf(database, version)
              const next = evolve(version, draws)
              const model = load(declare(next))
              const steps = await compareDatabase(database.url, model)
              const allow = steps.filter(({ loses }) => loses).map((step) => step.name)
              await migrate(database.url, model, { allow })
              assert.deepEqual(
                (await compareDatabase(database.url, model)).map((step) => step.name),
                [],
              )
              await assertFresh(database, model, open, dialect)
              assertKept({ before, after: await valuesOf(database, next) }, { version, next })
              version = next
            }
          } finally {
            await database.close()
          }
        }),
        { numRuns: runs },
      )
    })
  })

async function assertFresh(
  database: Database,
  model: Model,
  open: () => Promise<Database>,
  dialect: typeof sqlite,
) {
  const fresh = await open()
  try {
    await setUp(
      fresh.url,
      createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
    )
    assert.deepEqual(inOrder(await database.found(model)), inOrder(await fresh.found(model)))
  } finally {
    await fresh.close()
  }
}

interface Values {
  readonly before: ReadonlyMap<string, unknown>
  readonly after: ReadonlyMap<string, unknown>
}

function assertKept({ before, after }: Values, { version, next }: { version: Version; next: Version }) {
  const kindsOf = ({ resources }: Version) =>
    new Map(
      resources.flatMap(({ identity, fields, ones, links }) => [
        [String(identity), "version"] as const,
        ...fields.map((field) => [`${identity}.${field.identity}`, field.kind] as const),
        ...ones.map((one) => [`${identity}.${one.identity}`, "key"] as const),
        ...links.map((other) => [`${identity}-${other}`, "links"] as const),
      ]),
    )
  const [old, now] = [kindsOf(version), kindsOf(next)]
  for (const [place, value] of before) {
    const member = place.split(" ")[0] ?? ""
    const kind = now.get(member)
    if (kind === undefined || value === null) continue
    assert.equal(after.get(place), grown(value, old.get(member) ?? "", kind), `${place} as ${kind}`)
  }
}
