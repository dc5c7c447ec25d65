// Which columns become the key of a resource, and what is shown of them.
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Resource } from "../../src/model/model.ts"
import { dialects } from "../support/open-service.ts"
import { type Inspected, inspectSql, serve } from "./databases.ts"

function resource({ model }: Inspected, name: string): Resource {
  const found = model.resources.get(name)
  assert.ok(found, `${name} among ${[...model.resources.keys()].join(", ")}`)
  return found
}

const keyOf = (it: Resource) =>
  it.key && [it.key.origin, ...it.key.parts.map(({ column, scalar }) => `${column}: ${scalar}`)]

for (const database of dialects) {
  test(`${database}: a key of one number or uuid is shown as id only`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE small (small_id INTEGER PRIMARY KEY, a TEXT);
       CREATE TABLE big (number BIGINT PRIMARY KEY, a TEXT);
       CREATE TABLE other (code UUID PRIMARY KEY NOT NULL, a TEXT);`,
    )
    const origin = database === "sqlite" ? "database" : "given"
    assert.deepEqual(keyOf(resource(made, "small")), [origin, "small_id: integer"])
    assert.deepEqual(keyOf(resource(made, "big")), ["given", "number: int64"])
    assert.deepEqual(keyOf(resource(made, "other")), ["given", "code: uuid"])
    for (const { fields } of made.model.resources.values()) assert.deepEqual([...fields.keys()], ["a"])
    assert.deepEqual(made.notes, [])
  })

  test(`${database}: a key of text or of a day is a field as well, unless it is called an id`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE country (code VARCHAR(2) PRIMARY KEY NOT NULL, a TEXT);
       CREATE TABLE holiday (day DATE PRIMARY KEY NOT NULL, a TEXT);
       CREATE TABLE session (id TEXT PRIMARY KEY NOT NULL, a TEXT);
       CREATE TABLE customer (customer_id VARCHAR(5) PRIMARY KEY NOT NULL, a TEXT);`,
    )
    assert.deepEqual(keyOf(resource(made, "country")), ["natural", "code: text"])
    assert.deepEqual([...resource(made, "country").fields.keys()], ["code", "a"])
    assert.deepEqual(keyOf(resource(made, "holiday")), ["natural", "day: date"])
    assert.deepEqual(keyOf(resource(made, "session")), ["given", "id: text"])
    assert.deepEqual([...resource(made, "session").fields.keys()], ["a"])
    assert.deepEqual(keyOf(resource(made, "customer")), ["given", "customer_id: text"])
  })

  test(`${database}: a key of several columns names fields and relations, in the key's order`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE purchase (id INTEGER PRIMARY KEY);
       CREATE TABLE line (number INTEGER NOT NULL, purchase_id INTEGER NOT NULL REFERENCES purchase (id), a TEXT,
         PRIMARY KEY (purchase_id, number));`,
    )
    const line = resource(made, "line")
    assert.deepEqual(keyOf(line), ["natural", "purchase_id: integer", "number: integer"])
    assert.deepEqual(made.declaration.resources["line"]?.key, ["purchase", "number"])
    assert.deepEqual([...line.fields.keys()], ["number", "a"])
  })

  test(`${database}: a key that is a foreign key is the id, and the relation stands beside it`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE person (id INTEGER PRIMARY KEY);
       CREATE TABLE profile (person_id INTEGER PRIMARY KEY REFERENCES person (id), bio TEXT);
       CREATE TABLE country (code VARCHAR(2) PRIMARY KEY NOT NULL);
       CREATE TABLE anthem (country_code VARCHAR(2) PRIMARY KEY NOT NULL REFERENCES country (code), title TEXT);`,
    )
    assert.deepEqual(keyOf(resource(made, "profile")), ["database", "person_id: integer"])
    assert.equal(resource(made, "profile").relations.get("person")?.kind, "one")
    assert.deepEqual(keyOf(resource(made, "anthem")), ["database", "country_code: text"])
    assert.equal(resource(made, "person").relations.get("profile")?.kind, "one")
  })

  test(`${database}: the least unique key without NULL stands in for a primary one`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE thing (code TEXT NOT NULL UNIQUE, alias TEXT UNIQUE, a INTEGER NOT NULL, b INTEGER NOT NULL,
         UNIQUE (a, b));`,
    )
    const thing = resource(made, "thing")
    assert.deepEqual(keyOf(thing), ["natural", "code: text"])
    assert.deepEqual(
      thing.uniques.map(({ name }) => name),
      ["alias", "a_b"],
    )
  })

  test(`${database}: without a usable key there is a list only, told apart by its rows`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE log (at TIMESTAMP, message TEXT);
       CREATE TABLE sample (at TIMESTAMP NOT NULL, sensor INTEGER NOT NULL, PRIMARY KEY (at, sensor));
       CREATE TABLE maybe (code TEXT UNIQUE);
       CREATE VIEW recent AS SELECT * FROM log;`,
    )
    assert.deepEqual(
      [...made.model.resources.values()].map((it) => [it.name, it.key, it.tiebreak, it.writable]),
      [
        ["log", undefined, "row", true],
        ["maybe", undefined, "row", true],
        ["recent", undefined, "columns", false],
        ["sample", undefined, "row", true],
      ],
    )
    assert.deepEqual(
      made.notes.map(({ place, reason }) => `${place.at(-1)}: ${reason}`),
      [
        "log: it has no primary key, nor a unique one without NULL",
        "maybe: it has no primary key, nor a unique one without NULL",
        "recent: a view has no key",
        "sample: its primary key has at, whose type makes no id",
      ],
    )
  })

  test(`${database}: a primary key that makes no id still finds a record when another key does`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE sample (at TIMESTAMP PRIMARY KEY NOT NULL, number INTEGER NOT NULL UNIQUE);`,
    )
    assert.deepEqual(keyOf(resource(made, "sample")), ["given", "number: integer"])
    assert.equal(resource(made, "sample").fields.get("at")?.unique, true)
    assert.deepEqual(
      made.notes.map(({ what }) => what),
      ["served with the key number"],
    )
  })

  test(`${database}: indexes become indexes of members, whatever they are called`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE person (id INTEGER PRIMARY KEY);
       CREATE TABLE thing (id INTEGER PRIMARY KEY, a TEXT, b TEXT, person_id INTEGER REFERENCES person (id));
       CREATE INDEX z ON thing (b, a DESC);
       CREATE INDEX y ON thing (person_id);
       CREATE INDEX x ON thing (person_id);
       CREATE INDEX w ON thing (lower(a));
       CREATE UNIQUE INDEX v ON thing (a) WHERE b IS NOT NULL;
       CREATE UNIQUE INDEX u ON thing (person_id, b);`,
    )
    const { indexes, unique, fields } = made.declaration.resources["thing"] ?? {}
    assert.deepEqual(indexes, [["b", "a"], ["person"]])
    assert.deepEqual(unique, [["person", "b"]])
    assert.equal(fields?.["a"]?.unique, undefined)
  })
}

test("sqlite: a primary key that is NULL in some rows tells no records apart, which is noted", async (t) => {
  const made = await inspectSql(
    t,
    "sqlite",
    `CREATE TABLE thing (code TEXT PRIMARY KEY, a TEXT); INSERT INTO thing VALUES (NULL, 'x'), ('b', 'y');
     CREATE TABLE other (code TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE); INSERT INTO other VALUES (NULL, 1);`,
  )
  assert.deepEqual(keyOf(resource(made, "thing")), undefined)
  assert.deepEqual(keyOf(resource(made, "other")), ["given", "number: integer"])
  assert.deepEqual(
    made.notes.map(({ place, what, reason }) => [place.join("."), what, reason]),
    [
      ["other", "served with the key number", "its primary key has code, which is NULL in some rows"],
      ["thing", "served as a list only", "its primary key has code, which is NULL in some rows"],
    ],
  )
  const service = await serve(t, made)
  const { status, body } = await service.rest({ method: "GET", path: "/things", query: "sort=code" })
  assert.deepEqual(
    [status, JSON.parse(body).data],
    [
      200,
      [
        { code: "b", a: "y" },
        { code: null, a: "x" },
      ],
    ],
  )
})

test("sqlite: tables without rowid, or whose columns hide it, are told apart by their columns", async (t) => {
  const made = await inspectSql(
    t,
    "sqlite",
    `CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
     CREATE TABLE one (rowid TEXT);
     CREATE TABLE upper (ROWID TEXT);
     CREATE TABLE three (rowid TEXT, oid TEXT, _rowid_ TEXT);`,
  )
  assert.deepEqual(
    [...made.model.resources.values()].map((it) => [it.name, it.tiebreak]),
    [
      ["one", "row"],
      ["setting", "key"],
      ["three", "columns"],
      ["upper", "row"],
    ],
  )
})

test("postgres: partitioned, inherited and foreign tables and materialised views are told apart by their columns", async (t) => {
  const made = await inspectSql(
    t,
    "postgres",
    `CREATE TABLE measured (at date, amount integer) PARTITION BY RANGE (at);
     CREATE TABLE measured_rest PARTITION OF measured DEFAULT;
     CREATE TABLE vehicle (plate text);
     CREATE TABLE truck (load integer) INHERITS (vehicle);
     CREATE FOREIGN DATA WRAPPER other; CREATE SERVER far FOREIGN DATA WRAPPER other;
     CREATE FOREIGN TABLE remote (a text) SERVER far;
     CREATE MATERIALIZED VIEW total AS SELECT 1 AS amount;`,
  )
  assert.deepEqual(
    [...made.model.resources.values()].map((it) => [it.name, it.tiebreak, it.writable]),
    [
      ["measured", "columns", true],
      ["remote", "columns", false],
      ["total", "columns", false],
      ["truck", "row", true],
      ["vehicle", "columns", true],
    ],
  )
})
