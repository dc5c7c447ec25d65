// What the columns' types become: docs/guide/databases.md, line by line.
import assert from "node:assert/strict"
import { test } from "node:test"
import type { FieldDeclaration } from "../../src/model/declaration/declaration.ts"
import { dialects } from "../support/open-service.ts"
import { inspectSql, serve, serveWriting } from "./databases.ts"

type Expected = readonly (readonly [type: string, field: Partial<FieldDeclaration> | undefined])[]

const sqliteTypes: Expected = [
  ...["INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "INT2", "YEAR"].map(
    (type) => [type, { scalar: "integer", stored: "loose" }] as const,
  ),
  ...["BIGINT", "INT8", "UNSIGNED BIG INT", "unsigned  big int", "LONG"].map(
    (type) => [type, { scalar: "int64", stored: "loose" }] as const,
  ),
  ...["REAL", "DOUBLE", "DOUBLE PRECISION", "FLOAT", "FLOATING POINT"].map(
    (type) => [type, { scalar: "float", stored: "loose" }] as const,
  ),
  ["NUMERIC(10, 2)", { scalar: "decimal", precision: 10, scale: 2, stored: "loose" }],
  ["DECIMAL(5)", { scalar: "decimal", precision: 5, scale: 0, stored: "loose" }],
  ["DECIMAL", { scalar: "decimal", stored: "loose" }],
  ["BOOLEAN", { scalar: "boolean", stored: "loose" }],
  ["bool", { scalar: "boolean", stored: "loose" }],
  ["DATE", { scalar: "date", stored: "loose" }],
  ["TIME", { scalar: "time", stored: "loose" }],
  ["DATETIME", { scalar: "timestamp", stored: "loose" }],
  ["TIMESTAMP", { scalar: "timestamp", stored: "loose" }],
  ["TIMESTAMP WITH TIME ZONE", { scalar: "timestamp", stored: "loose" }],
  ["TEXT", { scalar: "text", stored: "loose" }],
  ["NVARCHAR(160)", { scalar: "text", max: 160, stored: "loose" }],
  ["CHARACTER VARYING(7)", { scalar: "text", max: 7, stored: "loose" }],
  ["CHAR(2)", { scalar: "text", max: 2, stored: "loose" }],
  ["CLOB", { scalar: "text", stored: "loose" }],
  ["", { scalar: "text", stored: "cast" }],
  ["STRING", { scalar: "text", stored: "cast" }],
  ["FROBNICATE", { scalar: "text", stored: "cast" }],
  ["BLOB", { scalar: "bytes", stored: "loose" }],
  ["VARBINARY(16)", { scalar: "bytes", stored: "loose" }],
  ["JSON", { scalar: "json", stored: "loose" }],
  ["UUID", { scalar: "uuid", stored: "loose" }],
  ["GUID", { scalar: "uuid", stored: "loose" }],
]

const asText = { scalar: "text", stored: "cast", readonly: true } as const
const unordered = { scalar: "text", stored: "unordered", readonly: true } as const

const postgresTypes: Expected = [
  ["smallint", { scalar: "integer", min: -32768, max: 32767 }],
  ["integer", { scalar: "integer" }],
  ["bigint", { scalar: "int64" }],
  ["real", { scalar: "float", stored: "single" }],
  ["double precision", { scalar: "float" }],
  ["numeric", { scalar: "decimal" }],
  ["numeric(10, 2)", { scalar: "decimal", precision: 10, scale: 2 }],
  ["numeric(5)", { scalar: "decimal", precision: 5, scale: 0 }],
  ["numeric(5, -2)", { scalar: "decimal", precision: 5, scale: -2 }],
  ["numeric(2, 4)", { scalar: "decimal", precision: 4, scale: 4 }],
  ["numeric(1000, 1000)", { scalar: "decimal", precision: 1000, scale: 1000 }],
  ["boolean", { scalar: "boolean" }],
  ["text", { scalar: "text" }],
  ["varchar", { scalar: "text" }],
  ["varchar(20)", { scalar: "text", max: 20 }],
  ["date", { scalar: "date" }],
  ["time", { scalar: "time" }],
  ["time(0)", { scalar: "time", precision: 0 }],
  ["timestamp", { scalar: "timestamp", stored: "local" }],
  ["timestamp(3)", { scalar: "timestamp", precision: 3, stored: "local" }],
  ["timestamptz", { scalar: "timestamp" }],
  ["timestamptz(6)[]", { scalar: "timestamp", list: true, precision: 6 }],
  ["uuid", { scalar: "uuid" }],
  ["json", { scalar: "json" }],
  ["jsonb", { scalar: "json" }],
  ["bytea", { scalar: "bytes" }],
  ["integer[]", { scalar: "integer", list: true }],
  ["smallint[]", { scalar: "integer", list: true, items: { min: -32768, max: 32767 } }],
  ["real[]", { scalar: "float", list: true, stored: "single" }],
  ["varchar(5)[]", { scalar: "text", list: true, items: { max: 5 } }],
  ["numeric(10, 2)[]", { scalar: "decimal", list: true, precision: 10, scale: 2 }],
  ["mood", { scalar: "oneOf", of: "mood", stored: "cast" }],
  ["mood[]", { scalar: "oneOf", of: "mood", list: true, stored: "cast" }],
  ["feeling", { scalar: "oneOf", of: "mood", stored: "domain" }],
  ["short", { scalar: "text", max: 10 }],
  ["shorter", { scalar: "oneOf", of: ["a", "b"] }],
  ["second", { scalar: "timestamp", precision: 0 }],
  ["price", { scalar: "decimal", precision: 12, scale: 3 }],
  ["prices", { scalar: "decimal", precision: 12, scale: 3, list: true }],
  ["char(3)", { scalar: "text", max: 3, stored: "padded" }],
  ["char(3)[]", { scalar: "text", list: true, items: { max: 3 }, stored: "padded" }],
  ...[
    "inet",
    "interval",
    "money",
    "int4range",
    "datemultirange",
    "timetz",
    "tsvector",
    "bit(3)",
    "point",
  ].map((type) => [type, unordered] as const),
  ["xml", asText],
  ["name", asText],
  ["oid", unordered],
  ["inet[]", { ...unordered, list: true }],
  ["integer[][]", unordered],
  ["nothing", unordered],
  ["pair", undefined],
  ["pair[]", undefined],
]

const preparations = {
  sqlite: "",
  postgres: `CREATE TYPE mood AS ENUM ('calm', 'loud'); CREATE TYPE nothing AS ENUM ();
    CREATE TYPE pair AS (a integer, b integer); CREATE DOMAIN short AS varchar(10) CHECK (length(VALUE) > 1);
    CREATE DOMAIN shorter AS short CHECK (VALUE IN ('a', 'b')); CREATE DOMAIN second AS timestamptz(0); CREATE DOMAIN price AS numeric(12, 3);
    CREATE DOMAIN prices AS price[]; CREATE DOMAIN feeling AS mood;`,
} as const

for (const database of dialects) {
  const types = database === "sqlite" ? sqliteTypes : postgresTypes
  test(`${database}: each type becomes its scalar`, async (t) => {
    const columns = types.map(([type], index) => `c${index} ${type}`)
    const sql = `${preparations[database]} CREATE TABLE thing (id INTEGER PRIMARY KEY, ${columns.join(", ")});`
    const made = await inspectSql(t, database, sql)
    const fields = made.declaration.resources["thing"]?.fields ?? {}
    for (const [index, [type, expected]] of types.entries()) {
      const { optional: _, ...field } = fields[`c${index}`] ?? {}
      assert.deepEqual(field, expected ?? {}, type)
    }
    const noted = new Set(made.notes.map(({ place }) => place.at(-1)))
    for (const [index, [type, expected]] of types.entries()) {
      const isOdd = expected === undefined || expected.readonly === true
      assert.equal(noted.has(`c${index}`), isOdd || type === "FROBNICATE", type)
    }
  })

  test(`${database}: nullable columns are optional, computed ones generated, defaults the database's own`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE thing (id INTEGER PRIMARY KEY, a VARCHAR(9), b VARCHAR(9) NOT NULL,
         c VARCHAR(9) NOT NULL DEFAULT 'x', d VARCHAR(9) DEFAULT NULL,
         e INTEGER GENERATED ALWAYS AS (length(b)) STORED);`,
    )
    const { a, b, c, d, e } = made.declaration.resources["thing"]?.fields ?? {}
    assert.deepEqual([a?.optional, b?.optional, c?.optional, e?.optional], [true, undefined, undefined, true])
    assert.deepEqual([b?.default, c?.default, d?.default], [undefined, "x", undefined])
    assert.deepEqual([a?.generated, e?.generated], [undefined, true])
  })

  test(`${database}: a CHECK that lists texts is a choice, any other is not`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      `CREATE TABLE thing (id INTEGER PRIMARY KEY,
         a VARCHAR(9) CHECK (a IN ('x', 'it''s', 'x')),
         b TEXT CHECK (b IS NULL OR b IN ('x', 'y')),
         c TEXT, d TEXT CHECK (d NOT IN ('x', 'y')), e TEXT CHECK (e IN ('x', 'y') AND length(e) > 1),
         f INTEGER CHECK (f IN (1, 2)), g TEXT CHECK (g IN ('', 'x')), "H h" TEXT CHECK ("H h" IN ('x', 'y')),
         CONSTRAINT named CHECK (c IN ('p', 'q')));`,
    )
    const fields = made.declaration.resources["thing"]?.fields ?? {}
    assert.deepEqual(
      Object.entries(fields).map(([name, { scalar, of }]) => [name, scalar, of]),
      [
        ["a", "oneOf", ["x", "it's"]],
        ["b", "oneOf", ["x", "y"]],
        ["c", "oneOf", ["p", "q"]],
        ["d", "text", undefined],
        ["e", "text", undefined],
        ["f", "integer", undefined],
        ["g", "text", undefined],
        ["hH", "oneOf", ["x", "y"]],
      ],
    )
  })
}

test("sqlite: STRICT tables hold what they say, others may hold anything", async (t) => {
  const made = await inspectSql(
    t,
    "sqlite",
    `CREATE TABLE thing (id INTEGER PRIMARY KEY, a INT, b INTEGER, c REAL, d TEXT, e BLOB, f ANY) STRICT;
     CREATE TABLE other (id INT PRIMARY KEY, a TEXT);`,
  )
  const stored = Object.values(made.declaration.resources["thing"]?.fields ?? {}).map((field) => field.stored)
  assert.deepEqual(stored, [undefined, undefined, undefined, undefined, undefined, "cast"])
  assert.deepEqual(made.declaration.resources["thing"]?.key, { column: "id", type: "integer" })
  assert.deepEqual(made.declaration.resources["other"]?.key, {
    column: "id",
    type: "integer",
    stored: "loose",
    given: true,
  })
})

test("sqlite: whole numbers beyond 32 bits make an int64 of what is declared INTEGER", async (t) => {
  const made = await inspectSql(
    t,
    "sqlite",
    `CREATE TABLE thing (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER);
     INSERT INTO thing VALUES (5000000000, 2147483648, 2147483647, 'text');`,
  )
  const { key, fields } = made.declaration.resources["thing"] ?? {}
  assert.deepEqual(key, { column: "id", type: "int64" })
  assert.deepEqual(
    Object.values(fields ?? {}).map(({ scalar }) => scalar),
    ["int64", "integer", "integer"],
  )
})

test("postgres: identities are the database's, and what always is one is read-only", async (t) => {
  const made = await inspectSql(
    t,
    "postgres",
    `CREATE TABLE thing (id integer PRIMARY KEY, a integer GENERATED ALWAYS AS IDENTITY,
       b integer GENERATED BY DEFAULT AS IDENTITY, c serial);`,
  )
  const database = { database: true }
  assert.deepEqual(made.declaration.resources["thing"]?.fields, {
    a: { scalar: "integer", readonly: true, default: database },
    b: { scalar: "integer", default: database },
    c: { scalar: "integer", default: database },
  })
})

test("postgres: comments are descriptions of resources, fields, relations and enumerations", async (t) => {
  const made = await inspectSql(
    t,
    "postgres",
    `CREATE TYPE mood AS ENUM ('calm'); COMMENT ON TYPE mood IS 'of an enumeration';
     CREATE TABLE person (id integer PRIMARY KEY); COMMENT ON TABLE person IS 'of a resource';
     CREATE TABLE note (id integer PRIMARY KEY, text text, mood mood, author_id integer REFERENCES person (id),
       reader_id integer CONSTRAINT read REFERENCES person (id));
     COMMENT ON COLUMN note.text IS 'of a field'; COMMENT ON COLUMN note.author_id IS 'of a relation';
     COMMENT ON CONSTRAINT read ON note IS 'of a foreign key';`,
  )
  const { person, note } = made.declaration.resources
  assert.equal(person?.description, "of a resource")
  assert.equal(note?.fields["text"]?.description, "of a field")
  assert.equal(note?.relations?.["author"]?.description, "of a relation")
  assert.equal(note?.relations?.["reader"]?.description, "of a foreign key")
  assert.equal(made.declaration.enums?.["mood"]?.description, "of an enumeration")
})

test("sqlite: a choice of texts is one only where texts are compared exactly", async (t) => {
  const { model } = await inspectSql(
    t,
    "sqlite",
    `CREATE TABLE a (id INTEGER PRIMARY KEY, exact TEXT CHECK (exact IN ('Open', 'closed')), bare TEXT COLLATE BINARY CHECK (bare IN ('a')),
       s TEXT COLLATE NOCASE CHECK (s IN ('Open', 'closed')), "tr im" TEXT CHECK ("tr im" IN ('a')) COLLATE RTRIM);
     CREATE TABLE b (id INTEGER PRIMARY KEY, s TEXT COLLATE NOCASE CHECK (s IN ('Open', 'closed'))) STRICT;
     INSERT INTO a (id, s) VALUES (1, 'OPEN'); INSERT INTO b VALUES (1, 'OPEN');`,
  )
  const scalars = [...model.resources.values()].map(({ fields }) =>
    [...fields.values()].map(({ scalar, stored }) => `${scalar} ${stored}`),
  )
  assert.deepEqual(scalars, [["oneOf loose", "oneOf loose", "text nocase", "text rtrim"], ["text nocase"]])
})

test("sqlite: expressions of a view are typed by what its rows hold", async (t) => {
  const made = await inspectSql(
    t,
    "sqlite",
    `CREATE TABLE line (id INTEGER PRIMARY KEY, quantity INTEGER, price NUMERIC(10, 2), label TEXT);
     INSERT INTO line VALUES (1, 2, 1.5, 'a'), (2, 3, 2, 'b'), (3, NULL, NULL, NULL);
     CREATE VIEW totals AS SELECT id, quantity * 2 AS twice, quantity * price AS total, label || '!' AS loud,
       quantity * 5000000000 AS wide, x'00ff' AS raw, NULL AS missing, CASE id WHEN 1 THEN 'one' ELSE id END AS mixed,
       count(*) OVER () AS counted FROM line;
     CREATE VIEW empty AS SELECT quantity * 2 AS twice FROM line WHERE id > 9;`,
  )
  const typesOf = (name: string) =>
    Object.fromEntries(
      [...(made.model.resources.get(name)?.fields.values() ?? [])].map((it) => [it.name, it.scalar]),
    )
  assert.deepEqual(typesOf("total"), {
    idValue: "integer",
    twice: "integer",
    total: "float",
    loud: "text",
    wide: "int64",
    raw: "bytes",
    missing: "text",
    mixed: "text",
    counted: "integer",
  })
  assert.deepEqual(typesOf("empty"), { twice: "text" })
  const service = await serve(t, made)
  const filter = encodeURIComponent(JSON.stringify({ total: { gt: 2.5 }, twice: { lt: 10 } }))
  const { body } = await service.rest({
    method: "GET",
    path: "/totals",
    query: `filter=${filter}&sort=-total&fields=total,raw,wide`,
  })
  assert.deepEqual(JSON.parse(body).data, [
    { total: 6, raw: "AP8=", wide: "15000000000" },
    { total: 3, raw: "AP8=", wide: "10000000000" },
  ])
})

test("sqlite: a decimal shows the digits that are stored, and takes none that the column would lose", async (t) => {
  const made = await inspectSql(
    t,
    "sqlite",
    `CREATE TABLE sum (id INTEGER PRIMARY KEY, fine NUMERIC(38, 10), plain DECIMAL, cents NUMERIC(10, 2));
     INSERT INTO sum VALUES (1, 1234567890.0123456789, 0.1 + 0.2, 12345678901234.56), (2, 9223372036854775807, 123456789012345680000, 0.1),
       (3, -123456789012.12346, 1.5e-7, 1000000000000000), (4, 0.1, 1e-7, 2.675);`,
  )
  const service = await serveWriting(t, made)
  const { json } = await service.ask("GET", "/sums?aggregate=sum.fine,avg.fine,sum.cents,max.fine")
  const stored = [
    ["1234567890.0123458000", "0.30000000000000004", "12345678901234.56"],
    ["9223372036854775807.0000000000", "123456789012345680000", "0.10"],
    ["-123456789012.1234600000", "0.00000015", "1000000000000000.00"],
    ["0.1000000000", "0.0000001", "2.67"],
  ]
  const shown = json["data"] as { fine: string; plain: string; cents: string }[]
  assert.deepEqual(
    shown.map(({ fine, plain, cents }) => [fine, plain, cents]),
    stored,
  )
  assert.deepEqual(json["aggregate"], {
    sum: { fine: "9223371914632554000.0000000000", cents: "1012345678901237.33" },
    avg: { fine: 2305842978658138600 },
    max: { fine: "9223372036854775807.0000000000" },
  })
  for (const fine of [
    "1234567890.01",
    "1234567890.0100000000",
    "0.0000000001",
    "9223372036854775807",
    "-12345678901234.5",
  ]) {
    const written = await service.ask("PATCH", "/sums/1", { fine })
    assert.equal(written.status, 200, `${fine} ${JSON.stringify(written.json)}`)
    const [whole = "", fraction = ""] = fine.split(".")
    assert.equal(written.json["fine"], `${whole}.${fraction.padEnd(10, "0")}`)
  }
  for (const fine of ["1234567890.0123456789", "9223372036854775808", "123456789012345.6"]) {
    const refused = await service.ask("PATCH", "/sums/1", { fine })
    assert.ok(refused.status === 400 || refused.status === 422, fine)
    assert.match(JSON.stringify(refused.json), /at most 15 digits, the most that the column keeps/)
  }
})
