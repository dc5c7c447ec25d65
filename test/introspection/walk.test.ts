// Databases of others, walked through from end to end.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { inspectSql, oddSql, serve } from "./databases.ts"
import { walk } from "./walk.ts"

const nasty = (database: string): string =>
  readFileSync(join(import.meta.dirname, `nasty.${database}.sql`), "utf8")

for (const database of dialects)
  describe(`a walk on ${database}`, () => {
    const hooks = cleanUp(after)
    for (const [name, sql] of [
      ["odd", oddSql(database)],
      ["nasty", nasty(database)],
    ] as const)
      test(`finds every record of the ${name} database by all that it shows`, async () => {
        const walked = await walk(await serve(hooks, await inspectSql(hooks, database, sql)))
        assert.deepEqual(walked.faults, [])
        assert.ok(walked.records > 40 && walked.values > 100 && walked.pages > 100, JSON.stringify(walked))
      })
  })
