// Views: which columns may be missing, and by how few of them their rows are told apart.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { f, resource, service } from "../../src/index.ts"
import { loadOpen } from "../support/everybody.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { inspectSql, makeDatabase, serve } from "./databases.ts"

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

describe("rows of views are told apart by the fewest columns that can be relied on", () => {
  it("a PostgreSQL view of one table has the table's key, where it shows it", async (t) => {
    const made = await inspectSql(
      t,
      "postgres",
      `CREATE SCHEMA hidden;
       CREATE TABLE hidden.thing (id integer PRIMARY KEY, code text NOT NULL UNIQUE, kind text, "an { odd \\ name" text);
       CREATE VIEW shown AS SELECT upper(kind) AS kind, (SELECT count(*) FROM hidden.thing) AS n, id AS number FROM hidden.thing;
       CREATE VIEW nested AS SELECT n, number AS id FROM shown WHERE kind = 'A';
       CREATE VIEW coded AS SELECT kind, code FROM hidden.thing;
       CREATE VIEW keyless AS SELECT kind, id + 1 AS id FROM hidden.thing;
       CREATE VIEW grouped AS SELECT id, count(*) AS n FROM hidden.thing GROUP BY id;
       CREATE VIEW joined AS SELECT a.id, b.code FROM hidden.thing a CROSS JOIN hidden.thing b;
       CREATE RULE ruled AS ON UPDATE TO joined DO INSTEAD NOTHING;
       CREATE RULE ruled_too AS ON INSERT TO joined DO INSTEAD NOTHING;
       CREATE RULE ruled_also AS ON DELETE TO joined DO INSTEAD NOTHING;
       CREATE VIEW over_ruled AS SELECT id FROM joined;
       CREATE TABLE hidden.parent (id integer PRIMARY KEY);
       CREATE TABLE hidden.child () INHERITS (hidden.parent);
       CREATE VIEW inherited AS SELECT id FROM hidden.parent;
       CREATE TABLE hidden.maybe (code text UNIQUE);
       CREATE VIEW missing AS SELECT code FROM hidden.maybe;
       INSERT INTO hidden.thing VALUES (7, 'x', 'a');`,
    )
    const keys = [...made.model.resources.values()]
      .filter(({ table }) => table.schema === undefined)
      .map(({ table, key, tiebreak, writable }) => [
        table.name,
        key?.parts.map(({ column }) => column).join() ?? tiebreak,
        writable,
      ])
    assert.deepEqual(
      Object.fromEntries(keys.map(([name, key, writable]) => [name, writable ? "writable" : key])),
      {
        coded: "code",
        grouped: "columns",
        inherited: "columns",
        joined: "columns",
        keyless: "columns",
        missing: "columns",
        nested: "id",
        over_ruled: "columns",
        shown: "number",
      },
    )
    const served = await serve(t, made)
    const shown = [...made.model.resources.values()].find(({ table }) => table.name === "shown")
    const { status, body } = await served.rest({
      method: "GET",
      path: `/${shown?.path}/7`,
      query: "fields=id,kind",
    })
    assert.deepEqual([status, JSON.parse(body).data ?? JSON.parse(body)], [200, { id: "shown_7", kind: "A" }])
  })

  it("a view whose tables the role may not read has no key", async (t) => {
    const made = await inspectSql(
      t,
      "postgres",
      `CREATE SCHEMA hidden; CREATE TABLE hidden.thing (id integer PRIMARY KEY); CREATE VIEW shown AS SELECT id FROM hidden.thing;
       CREATE TABLE other (id integer PRIMARY KEY); CREATE VIEW z AS SELECT id FROM other;
       CREATE ROLE reader_of_views LOGIN; GRANT SELECT ON shown, other, z TO reader_of_views;`,
    )
    const url = new URL(made.url)
    url.username = "reader_of_views"
    const { inspect } = await import("../../src/storage/introspection/inspect.ts")
    const { tables } = await inspect(url.href)
    assert.deepEqual(
      tables.map(({ name, uniques }) => [name, uniques]),
      [
        ["other", []],
        ["shown", []],
        ["z", [["id"]]],
      ],
    )
  })

  for (const database of dialects)
    it(`a declared unique key is all that a list without a key is sorted by: ${database}`, async (t) => {
      const url = await makeDatabase(
        t,
        database,
        `CREATE TABLE sale (id integer PRIMARY KEY, shop integer NOT NULL, price integer NOT NULL);
         INSERT INTO sale VALUES (1, 3, 5), (2, 1, 5), (3, 2, 5), (4, 3, 5), (5, 4, 5);
         CREATE VIEW turnover AS SELECT shop, sum(price) AS total, count(*) AS sales FROM sale GROUP BY shop;`,
      )
      const declared = (unique: boolean) =>
        loadOpen(
          service({
            name: "made",
            managed: false,
            resources: {
              turnover: resource({
                table: "turnover",
                key: false,
                rows: false,
                readonly: true,
                fields: {
                  total: f.integer({ optional: true, stored: "loose" }),
                  shop: f.integer({ ...(unique && { unique }), stored: "loose" }),
                  sales: f.integer({ optional: true, stored: "loose" }),
                },
              }),
            },
          }),
        )
      for (const unique of [true, false]) {
        const served = await serve(t, { url, model: declared(unique) })
        const shops: unknown[] = []
        let query: string | null = "limit=1&fields=shop,total"
        while (query !== null) {
          const { status, body } = await served.rest({ method: "GET", path: "/turnovers", query })
          assert.equal(status, 200, body)
          const { data, page } = JSON.parse(body)
          shops.push(...data.map(({ shop }: { readonly shop: number }) => shop))
          query =
            page.next === null ? null : `limit=1&fields=shop,total&after=${encodeURIComponent(page.next)}`
        }
        // By the total first where nothing is declared: shop 3 sold two things.
        assert.deepEqual(shops, unique ? [1, 2, 3, 4] : [1, 2, 4, 3])
      }
    })
})
