// Defaults of somebody else's columns: constants are values of the field, and what is not given to PUT becomes them again.
import assert from "node:assert/strict"
import { test } from "node:test"
import { dialects } from "../support/open-service.ts"
import { inspectSql, serveWriting } from "./databases.ts"

const tables = {
  sqlite: `CREATE TABLE thing (id INTEGER PRIMARY KEY, code TEXT UNIQUE, role TEXT NOT NULL DEFAULT 'it''s', active BOOLEAN NOT NULL DEFAULT 1,
    n INTEGER DEFAULT 5, big BIGINT NOT NULL DEFAULT -7, price DECIMAL(9, 2) NOT NULL DEFAULT 1.5, state TEXT NOT NULL DEFAULT "open" CHECK (state IN ('open', 'shut')),
    extra JSON NOT NULL DEFAULT '{}', day DATE DEFAULT '2026-11-01', note TEXT, made TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);`,
  postgres: `CREATE TYPE state AS ENUM ('open', 'shut'); CREATE DOMAIN count AS integer DEFAULT 5;
    CREATE TABLE thing (id serial PRIMARY KEY, code text UNIQUE, role varchar(9) NOT NULL DEFAULT 'it''s', active boolean NOT NULL DEFAULT true,
    n count, big bigint NOT NULL DEFAULT -7, price numeric(9, 2) NOT NULL DEFAULT 1.5, state state NOT NULL DEFAULT 'open',
    extra jsonb NOT NULL DEFAULT '{}', day date DEFAULT '2026-11-01', note text, made timestamptz NOT NULL DEFAULT now());`,
} as const

const usual = {
  role: "it's",
  active: true,
  n: 5,
  big: "-7",
  price: "1.50",
  state: "open",
  extra: {},
  day: "2026-11-01",
}
const other = {
  role: "x",
  active: false,
  n: 6,
  big: "8",
  price: "9.00",
  state: "shut",
  extra: { a: 1 },
  day: "2026-11-02",
  note: "a note",
  made: "2020-01-01T00:00:00Z",
}

for (const database of dialects)
  test(`${database}: what PUT is not given gets its default, is cleared, or stays what only the database computes`, async (t) => {
    const service = await serveWriting(t, await inspectSql(t, database, tables[database]))
    const fields = Object.keys(other).join()
    const made = await service.ask("POST", `/things?fields=${fields}`, { note: "given" })
    const { id, made: moment, ...rest } = made.json
    assert.deepEqual([made.status, rest], [201, { ...usual, note: "given" }])
    assert.match(String(moment), /^20/)
    await service.ask("PATCH", "/things/1", other)
    const replaced = await service.ask("PUT", `/things/1?fields=${fields}`, {})
    assert.deepEqual(
      [replaced.status, replaced.json],
      [200, { id, ...usual, note: null, made: "2020-01-01T00:00:00Z" }],
    )
    const created = await service.ask("PUT", `/things/code=a?fields=${fields}`, { n: 1 })
    const { id: _, made: now, ...values } = created.json
    assert.deepEqual([created.status, values], [201, { ...usual, n: 1, note: null }])
    assert.match(String(now), /^20/)
    const again = await service.ask("PUT", `/things/code=a?fields=${fields}`, { role: "y" })
    assert.deepEqual(
      [again.status, again.json["n"], again.json["role"], again.json["made"]],
      [200, 5, "y", now],
    )
  })
