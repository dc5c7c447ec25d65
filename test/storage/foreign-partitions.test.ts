// Tables of somebody else's that lie in parts: PostgreSQL gives no system columns of what is written to them.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { cleanUp } from "../support/database.ts"
import { assertRefused, type Json, openForeign } from "./foreign.ts"

const tables = `
  CREATE TABLE owner (id serial PRIMARY KEY, name text NOT NULL);
  INSERT INTO owner (name) VALUES ('a');
  CREATE TABLE reading (code text, place text NOT NULL, value int, owner_id int REFERENCES owner, PRIMARY KEY (code, place))
    PARTITION BY LIST (place);
  CREATE TABLE reading_in PARTITION OF reading FOR VALUES IN ('in');
  CREATE TABLE reading_out (value int, place text NOT NULL, owner_id int, gone int, code text NOT NULL);
  ALTER TABLE reading_out DROP COLUMN gone;
  ALTER TABLE reading ATTACH PARTITION reading_out FOR VALUES IN ('out');
  CREATE TABLE log_line (id serial, day date NOT NULL, v text, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
  CREATE TABLE log_line_old PARTITION OF log_line DEFAULT;
`

describe("tables that lie in parts", () => {
  const hooks = cleanUp(after)
  const opened = openForeign(hooks, tables)

  it("are written, with an answer of what is stored", async () => {
    const { ask } = await opened
    for (const place of ["in", "out"]) {
      const made = await ask("POST /readings?include=owner", { code: "a", place, value: 1, ownerId: "1" })
      const record = { id: `reading_a~${place}`, code: "a", place, value: 1 }
      const related = { ownerId: "owner_1", owner: { id: "owner_1", name: "a" } }
      assert.deepEqual(made, { status: 201, body: { ...record, ...related } })
      const changed = await ask(`PATCH /readings/a~${place}`, { value: 2 })
      assert.deepEqual(changed, { status: 200, body: { ...record, value: 2, ownerId: "owner_1" } })
      assert.deepEqual((await ask(`GET /readings/a~${place}`)).body, changed.body)
    }
    const several = await ask("POST /readings", [
      { code: "x", place: "in" },
      { code: "x", place: "out" },
    ])
    assert.equal(several.status, 201)
    assert.equal((await ask("DELETE /readings/x~out")).status, 204)
  })

  it("are told by PUT whether the record is new", async () => {
    const { ask } = await opened
    assert.equal((await ask("PUT /readings/b~out", { value: 1 })).status, 201)
    const again = await ask("PUT /readings/b~out", { value: 2 })
    assert.deepEqual([again.status, again.body["value"]], [200, 2])
  })

  it("have versions, which another write makes stale", async () => {
    const { ask, graphql } = await opened
    await ask("PUT /readings/c~in", { value: 1 })
    const etagOf = async (): Promise<string> => {
      const { data } = await graphql(`{ reading(id: "c~in") { etag } }`)
      return (data as { reading: { etag: string } }).reading.etag
    }
    const first = await etagOf()
    const update = (etag: string, value: number): Promise<Json> =>
      graphql(
        `mutation { updateReading(id: "c~in", input: { value: ${value} }, ifMatch: "${etag}") { reading { etag } } }`,
      )
    const { data } = await update(first, 2)
    const second = await etagOf()
    assert.deepEqual(data, { updateReading: { reading: { etag: second } } })
    assert.notEqual(first, second)
    const stale = await ask("PATCH /readings/c~in", { value: 3 }, { "if-match": `"${first}"` })
    assertRefused(stale, [412, "stale_version"])
  })
})
