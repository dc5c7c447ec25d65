// Values of somebody else's PostgreSQL columns, written and found again by what is shown of them.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { cleanUp } from "../support/database.ts"
import { openForeign } from "./foreign.ts"

const tables = `
  CREATE TYPE mood AS ENUM ('calm', 'loud');
  CREATE DOMAIN feeling AS mood;
  CREATE DOMAIN feelings AS mood[];
  CREATE TABLE thing (id serial PRIMARY KEY, one feeling NOT NULL UNIQUE, several feeling[], all_of feelings);
  CREATE TABLE measure (id serial PRIMARY KEY, exact float8 NOT NULL, single real NOT NULL);
  DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET extra_float_digits = -5', current_database());
    EXECUTE format('ALTER DATABASE %I SET datestyle = German', current_database());
  END $$;
`

describe("values of other people's columns", () => {
  const hooks = cleanUp(after)
  const opened = openForeign(hooks, tables)

  it("may be of a domain over an enumeration", async () => {
    const { ask } = await opened
    const made = await ask("POST /things", { one: "calm", several: ["calm"], allOf: ["loud"] })
    assert.deepEqual(made.body, { id: "thing_1", one: "calm", several: ["calm"], allOf: ["loud"] })
    const put = await ask("PUT /things/one=calm", { several: ["loud"] })
    assert.deepEqual([put.status, put.body["id"]], [200, "thing_1"])
    for (const filter of [
      { one: { eq: "calm" } },
      { one: { in: ["calm"] } },
      { one: { ne: "loud" } },
      { several: { has: "loud" } },
    ]) {
      const { body } = await ask(`GET /things?filter=${encodeURIComponent(JSON.stringify(filter))}&sort=one`)
      assert.equal((body["data"] as unknown[] | undefined)?.length, 1, JSON.stringify([filter, body]))
    }
  })

  it("are numbers with all their digits, whatever the database has set", async () => {
    const { ask } = await opened
    const measure = { exact: 0.1234567890123456, single: 0.12345679 }
    assert.deepEqual((await ask("POST /measures", measure)).body, { id: "measure_1", ...measure })
    assert.deepEqual((await ask("GET /measures/1")).body, { id: "measure_1", ...measure })
    const { body } = await ask("GET /measures?sort=-exact")
    assert.deepEqual(body["data"], [{ id: "measure_1", ...measure }])
  })
})
