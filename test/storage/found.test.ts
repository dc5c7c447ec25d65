// What is found of a database is what it was made as, whatever the service: else every start would want to migrate it.
import assert from "node:assert/strict"
import { after, it } from "node:test"
import fc from "fast-check"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { declarations } from "../model/arbitrary-declaration.ts"
import { cleanUp } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { migratedDatabases } from "./migrated-databases.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)
const runs =
  process.env["BIFOLD_PROOF"] === "full" ? { SQLite: 500, PostgreSQL: 60 } : { SQLite: 30, PostgreSQL: 6 }

/** Without schemas, which SQLite has none of and which tests of PostgreSQL would share. */
const bare = declarations.map(
  (declaration): ServiceDeclaration =>
    JSON.parse(JSON.stringify(declaration), (key, value) => (key === "schema" ? undefined : value)),
)

for (const { name, open } of databases)
  it(`a fresh ${name} database needs no migration, however it was made`, async () => {
    await fc.assert(
      fc.asyncProperty(bare, fc.boolean(), async (declaration, byMigration) => {
        const database = await open()
        try {
          const model = loadOpen(declaration)
          if (byMigration) await migrate(database.url, model, { allow: [] })
          else
            await setUp(
              database.url,
              createSchema(model, database.dialect).map((text) => ({ text, parameters: [] })),
            )
          assert.deepEqual(await compareDatabase(database.url, model), [])
        } finally {
          await database.close()
        }
      }),
      { numRuns: runs[name] },
    )
  })
