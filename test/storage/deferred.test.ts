// Constraints that somebody else's database looks at when a transaction ends: of writes that share one, only whose it is fails.
import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, it } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { openLedger } from "../durability/ledger.ts"
import { temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

/** No receipt may have the number of a word that is forbidden, which a deferred reference says in its way. */
const tables = [
  "CREATE TABLE allowed (number text PRIMARY KEY)",
  "INSERT INTO allowed VALUES ('one'), ('two')",
  "CREATE TABLE receipt (id text PRIMARY KEY, number text NOT NULL UNIQUE REFERENCES allowed (number) DEFERRABLE INITIALLY DEFERRED, line_count integer NOT NULL, bifold_version bigint NOT NULL DEFAULT 1)",
]

describe("a constraint that is looked at when the transaction ends", () => {
  for (const database of dialects)
    it(`fails the write that it is about, and none beside it, on ${database}`, async (test) => {
      const isSqlite = database === "sqlite"
      const url = isSqlite ? join(await temporaryFolder(test), "a.sqlite") : await temporaryPostgres(test)
      await setUp(
        url,
        tables.map((text) => ({ text, parameters: [] })),
      )
      const storage = await openStorage(url, { writes: "unsafe" })
      test.after(() => storage.close())
      const { write } = openLedger(storage)
      const outcomes = await Promise.all(
        ["one", "three", "two"].map((number) =>
          write({ number, lines: [] }).then(
            () => "done",
            (fault: unknown) => {
              if (fault instanceof Refusal) return fault.problems[0].code
              throw fault
            },
          ),
        ),
      )
      assert.deepEqual(outcomes, ["done", "missing_reference", "done"])
    })
})
