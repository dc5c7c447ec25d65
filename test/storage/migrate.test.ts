// Migrations on real databases: random chains of versions end where a fresh database begins, and keep what is kept.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import fc from "fast-check"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { snakeCase } from "../../src/model/names.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { cleanUp } from "../support/database.ts"
import {
  declare,
  evolve,
  firstVersion,
  histories,
  plainKinds,
  type Resource,
  type Version,
} from "./evolving-service.ts"
import { type Database, inOrder, migratedDatabases } from "./migrated-databases.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)
const runs =
  process.env["BIFOLD_PROOF"] === "full" ? { SQLite: 500, PostgreSQL: 60 } : { SQLite: 40, PostgreSQL: 6 }

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
async function fill({ url, dialect }: Database, model: Model, version: Version): Promise<void> {
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

for (const { name, open } of databases)
  describe(`migrations of ${name}`, () => {
    it("end where a fresh database begins, whatever changed, and keep every value that is kept", async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const database = await open()
          try {
            let version = firstVersion
            await migrate(database.url, load(declare(version)), { allow: [] })
            for (const draws of history) {
              await fill(database, load(declare(version)), version)
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
              await assertFresh(database, model, open)
              assertKept({ before, after: await valuesOf(database, next) }, { version, next })
              version = next
            }
          } finally {
            await database.close()
          }
        }),
        { numRuns: runs[name] },
      )
    })
  })

async function assertFresh(database: Database, model: Model, open: () => Promise<Database>) {
  const fresh = await open()
  try {
    await setUp(
      fresh.url,
      createSchema(model, database.dialect).map((text) => ({ text, parameters: [] })),
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
