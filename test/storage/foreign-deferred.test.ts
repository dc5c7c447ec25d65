// Unique keys of somebody else's that PostgreSQL may look at when a transaction ends: ON CONFLICT is refused for them.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { cleanUp } from "../support/database.ts"
import { assertRefused, openForeign } from "./foreign.ts"

const tables = `
  CREATE TABLE seat (id serial PRIMARY KEY, number int NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED, v text, day date);
  CREATE TABLE code (word text PRIMARY KEY DEFERRABLE, v text);
  CREATE TABLE topic (id serial PRIMARY KEY, v text);
  CREATE TABLE seat_topic (seat_id int REFERENCES seat (id), topic_id int REFERENCES topic, PRIMARY KEY (seat_id, topic_id) DEFERRABLE);
  CREATE MATERIALIZED VIEW view AS SELECT 1 AS one;
`

describe("unique keys that are looked at late", () => {
  const hooks = cleanUp(after)
  const opened = openForeign(hooks, tables)

  it("are those that records are put by", async () => {
    const { ask, stored } = await opened
    const made = await ask("PUT /seats/number=7", { v: "a", day: "2026-01-02" })
    assert.deepEqual(made, {
      status: 201,
      body: { id: "seat_1", number: 7, v: "a", day: "2026-01-02" },
    })
    const put = await ask("PUT /seats/number=7", { v: "b" })
    assert.deepEqual([put.status, put.body["v"], put.body["day"]], [200, "b", null])
    for (const status of [201, 200]) assert.equal((await ask("PUT /codes/x", {})).status, status)
    assert.deepEqual(await stored("SELECT number, v FROM seat"), [{ number: 7, v: "b" }])
    assertRefused(await ask("POST /seats", { number: 7 }), [409, "already_exists"])
  })

  it("are those of links, which may be there already", async () => {
    const { ask, stored } = await opened
    await ask("POST /topics", { v: "a" })
    for (const _ of [1, 2]) assert.equal((await ask("PUT /seats/1/topics/1")).status, 204)
    assert.equal((await stored("SELECT FROM seat_topic")).length, 1)
  })

  it("let one of those that put the same record at the same time succeed, and the others know why not", async () => {
    const { ask, stored } = await opened
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => ask("PUT /seats/number=9", { v: `${index}` })),
    )
    for (const { status, body } of answers)
      assert.ok(status < 300 || body["code"] === "already_exists", JSON.stringify(body))
    assert.ok(answers.some(({ status }) => status === 201))
    assert.equal((await stored("SELECT FROM seat WHERE number = 9")).length, 1)
  })

  it("are not what a database is busy with, nor is a view that is not filled", async () => {
    const { ask, stored } = await opened
    await stored("REFRESH MATERIALIZED VIEW view WITH NO DATA")
    assertRefused(await ask("GET /views"), [503, "database_mismatch"])
  })
})
