// A database of Bifold's own that is served as it is: the tables that Bifold keeps for itself are left out.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { openSource } from "../../src/cli/source.ts"
import { f, one, resource, service } from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { systemTableKinds, systemTableNames, systemTables } from "../../src/sql/schema/system-tables.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const shop = service({
  name: "shop",
  viewer: "person",
  identity: { keys: true },
  resources: {
    person: resource({ fields: { name: f.text() } }),
    note: resource({ fields: { text: f.text() }, relations: { person: one("person") } }),
  },
})

for (const database of dialects)
  describe(`a ${database} database of Bifold's own`, () => {
    const hooks = cleanUp(after)
    const dialect = database === "sqlite" ? sqlite : postgres
    const open = async (more: readonly string[]) => {
      const url =
        database === "sqlite"
          ? join(await temporaryFolder(hooks), "own.sqlite")
          : await temporaryPostgres(hooks)
      await setUp(
        url,
        more.map((text) => ({ text, parameters: [] })),
      )
      return openSource({ kind: "database", url })
    }

    test("is served without keys, log, leases and answers, and each is noted", async () => {
      const model = load(withSystem(shop))
      const { declaration, notes } = await open([
        ...createSchema(model, dialect),
        ...systemTables(dialect, systemTableKinds),
      ])
      assert.deepEqual(Object.keys(declaration.resources).sort(), ["note", "person"])
      assert.deepEqual(Object.keys(declaration.resources["person"]?.relations ?? {}), ["notes"])
      const named = notes.filter(({ reason }) => reason.startsWith("Bifold")).map(({ place }) => place.at(-1))
      assert.deepEqual(named.sort(), ["api_key", ...Object.values(systemTableNames)].sort())
    })

    test("keeps tables of somebody else's that are only called so, and views over its own", async () => {
      const { declaration } = await open([
        ...createSchema(load(withSystem(shop)), dialect),
        "DROP TABLE bifold_log",
        "CREATE TABLE bifold_log (id integer PRIMARY KEY, line text)",
        "CREATE VIEW key_names AS SELECT name, hint FROM api_key",
        "CREATE TABLE key_use (id integer PRIMARY KEY, key_id text REFERENCES api_key (id))",
      ])
      const names = ["bifoldLog", "keyName", "keyUse", "note", "person"]
      assert.deepEqual(Object.keys(declaration.resources).sort(), names)
      assert.deepEqual(Object.keys(declaration.resources["keyUse"]?.fields ?? {}), ["keyId"])
    })

    test("keeps a table api_key of somebody else's", async () => {
      const { declaration } = await open([
        "CREATE TABLE api_key (id integer PRIMARY KEY, name text, digest text, hint text)",
      ])
      assert.deepEqual(Object.keys(declaration.resources), ["apiKey"])
    })
  })
