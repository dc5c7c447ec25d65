// What the role may not do in somebody else's PostgreSQL database, and what rules of tables do in its place, is not offered;
// what policies refuse is told as a rule.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { cleanUp } from "../support/database.ts"
import { assertRefused, type Foreign, openForeign, temporaryRole } from "./foreign.ts"

const tables = (role: string): string => `
  CREATE TABLE watched (id serial PRIMARY KEY, v text);
  CREATE TABLE added (id serial PRIMARY KEY, v text);
  CREATE TABLE kept (id serial PRIMARY KEY, v text, state text NOT NULL DEFAULT 'new', made text);
  CREATE TABLE partly (id serial PRIMARY KEY, shown text, hidden text, kept_id int REFERENCES kept);
  CREATE TABLE loose (v text, hidden text);
  CREATE TABLE tenanted (id serial PRIMARY KEY, tenant int NOT NULL, v text);
  ALTER TABLE tenanted ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own ON tenanted USING (tenant < 10) WITH CHECK (tenant = 1);
  CREATE TABLE ruled (id serial PRIMARY KEY, v text, gone boolean NOT NULL DEFAULT false);
  CREATE RULE softens AS ON DELETE TO ruled DO INSTEAD UPDATE ruled SET gone = true WHERE id = OLD.id;
  INSERT INTO watched (v) VALUES ('a');
  INSERT INTO kept (v) VALUES ('a');
  INSERT INTO partly (shown, hidden, kept_id) VALUES ('a', 'secret', 1);
  INSERT INTO loose VALUES ('a', 'secret'), ('b', 'secret');
  INSERT INTO tenanted (tenant, v) VALUES (1, 'a'), (2, 'b'), (20, 'c');
  INSERT INTO ruled (v) VALUES ('a');
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role};
  GRANT SELECT ON watched, added, kept, tenanted, ruled TO ${role};
  GRANT INSERT ON added TO ${role};
  GRANT INSERT (v, made), UPDATE (v) ON kept TO ${role};
  GRANT SELECT (id, shown, kept_id), INSERT (shown, kept_id), UPDATE (shown, kept_id), DELETE ON partly TO ${role};
  GRANT SELECT (v) ON loose TO ${role};
  GRANT INSERT, UPDATE, DELETE ON tenanted, ruled TO ${role};`

describe("what the role of a database may not do", () => {
  const hooks = cleanUp(after)
  let foreign: Foreign
  let role: string
  before(async () => {
    role = await temporaryRole(hooks)
    foreign = await openForeign(hooks, tables(role), role)
  })

  it("is not offered, and noted", async () => {
    const { ask, declaration, notes } = foreign
    const { watched, added, kept, ruled, tenanted } = declaration.resources
    assert.deepEqual(
      [watched, added, kept, ruled, tenanted].map((one) => one?.readonly),
      [true, ["update", "delete"], ["delete"], ["delete"], undefined],
    )
    assert.deepEqual(
      notes
        .filter(({ place }) => ["kept", "ruled"].includes(place[1] ?? ""))
        .map(({ what, reason }) => [what, reason]),
      [
        ["its records cannot be deleted", "the role may not write so"],
        ["its records cannot be deleted", "rules of the database do something else in place of DELETE"],
      ],
    )
    for (const [request, body] of [
      ["POST /watcheds", { v: "b" }],
      ["PATCH /addeds/1", { v: "b" }],
      ["DELETE /kepts/1"],
      ["DELETE /ruleds/1"],
    ] as const)
      assertRefused(await ask(request, body), [405, "method_not_allowed"])
    assert.equal((await ask("POST /addeds", { v: "a" })).status, 201)
    assert.equal((await ask("PATCH /ruleds/1", { v: "b" })).body["v"], "b")
  })

  it("may be to set some columns, or to change them", async () => {
    const { ask, declaration } = foreign
    const { v, state, made } = declaration.resources["kept"]?.fields ?? {}
    assert.deepEqual(
      [v, state, made].map((field) => [field?.readonly, field?.immutable]),
      [
        [undefined, undefined],
        [true, undefined],
        [undefined, true],
      ],
    )
    assert.equal((await ask("POST /kepts", { v: "b", made: "now" })).status, 201)
    assert.equal((await ask("PATCH /kepts/1", { v: "c" })).body["v"], "c")
    assertRefused(await ask("PATCH /kepts/1", { state: "old" }), [400, "readonly_field"])
  })

  it("may be to read some columns: the others are served, with versions by what is in them", async () => {
    const { ask, graphql } = foreign
    const etagOf = async (): Promise<string> => {
      const { data } = await graphql(`{ partly(id: "1") { etag } }`)
      return (data as { partly: { etag: string } }).partly.etag
    }
    assert.deepEqual((await ask("GET /partlies/1")).body, { id: "partly_1", shown: "a", keptId: "kept_1" })
    const first = await etagOf()
    const changed = await ask(
      "PATCH /partlies/1?include=kept&fields=shown",
      { shown: "b" },
      { "if-match": `"${first}"` },
    )
    assert.deepEqual([changed.status, changed.body["shown"]], [200, "b"])
    assertRefused(await ask("PATCH /partlies/1", { shown: "c" }, { "if-match": `"${first}"` }), [
      412,
      "stale_version",
    ])
    const made = await ask("POST /partlies?include=kept", { shown: "d", keptId: "1" })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.equal((await ask("DELETE /partlies/2")).status, 204)
    assert.deepEqual((await ask("GET /looses?sort=-v")).body["data"], [{ v: "b" }, { v: "a" }])
  })

  it("is a rule that is violated, where a policy says so", async () => {
    const { ask } = foreign
    for (const [request, body] of [
      ["POST /tenanteds", { tenant: 2, v: "x" }],
      ["PATCH /tenanteds/1", { tenant: 2 }],
    ] as const)
      assertRefused(await ask(request, body), [422, "rule_violated"])
    assertRefused(await ask("PATCH /tenanteds/3", { v: "x" }), [404, "not_found"])
    assert.equal((await ask("POST /tenanteds", { tenant: 1, v: "x" })).status, 201)
  })

  it("is told as what the operator can mend, where it was offered", async () => {
    const { ask, stored } = foreign
    await stored(`REVOKE INSERT ON added FROM ${role}`)
    const { status, body } = await ask("POST /addeds", { v: "a" })
    assert.equal(status, 503)
    assert.equal(body["code"], "storage_unavailable")
    assert.equal(body["detail"], "The database's role may not write what the request changes.")
  })
})
