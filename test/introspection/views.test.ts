// Views: which columns may be missing, and by how few of them their rows are told apart.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { type Database, dialects } from "../support/open-service.ts"
import { inspectSql, serve } from "./databases.ts"

const outer: Readonly<Record<Database, string>> = {
  postgres: `CREATE DOMAIN amount AS integer NOT NULL;
    CREATE TABLE one (id integer PRIMARY KEY, name text NOT NULL);
    CREATE TABLE other (id integer PRIMARY KEY, one_id integer NOT NULL, price amount);
    CREATE VIEW joined AS SELECT one.id, one.name, other.price FROM one LEFT JOIN other ON other.one_id = one.id;
    CREATE MATERIALIZED VIEW kept AS SELECT * FROM joined;`,
  sqlite: `CREATE TABLE one (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE other (id INTEGER PRIMARY KEY, one_id INTEGER NOT NULL, price INTEGER NOT NULL);
    CREATE VIEW joined AS SELECT one.id, one.name, other.price FROM one LEFT JOIN other ON other.one_id = one.id;`,
}

describe("columns of views", () => {
  for (const database of dialects)
    it(`may be missing, whatever their types say: ${database}`, async (t) => {
      const rows = "INSERT INTO one VALUES (1, 'a'), (2, 'b'); INSERT INTO other VALUES (1, 1, 5);"
      const refresh = database === "postgres" ? "REFRESH MATERIALIZED VIEW kept;" : ""
      const made = await inspectSql(t, database, `${outer[database]}${rows}${refresh}`)
      assert.equal(made.model.resources.get("other")?.fields.get("price")?.optional, false)
      const service = await serve(t, made)
      for (const name of database === "postgres" ? ["joined", "kept"] : ["joined"]) {
        const view = [...made.model.resources.values()].find(({ table }) => table.name === name)
        assert.ok(view)
        for (const field of view.fields.values()) assert.ok(field.optional, `${name}.${field.name}`)
        const { status, body } = await service.rest({
          method: "GET",
          path: `/${view.path}`,
          query: "sort=price&fields=name,price",
        })
        assert.equal(status, 200, body)
        const { data, errors } = JSON.parse(body)
        assert.equal(errors, undefined)
        assert.deepEqual(data, [
          { name: "a", price: 5 },
          { name: "b", price: null },
        ])
      }
    })
})
