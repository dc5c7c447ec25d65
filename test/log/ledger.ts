// A database of somebody else's with columns of many kinds, and the service that captures what is written to it.
import { anyone, f, one, resource, service } from "../../src/index.ts"

export const ledgerTables: readonly string[] = [
  "CREATE SCHEMA sales",
  "CREATE TYPE sales.mood AS ENUM ('calm', 'hectic')",
  "CREATE TABLE customer (id uuid PRIMARY KEY, name text NOT NULL)",
  `CREATE TABLE sales."Order's" (
    "No" integer PRIMARY KEY, "Total" numeric(12,2), big bigint, rate float8, small real, extra jsonb, raw json, words text[],
    seen timestamptz, local timestamp, day date, clock time, body bytea, sure boolean, mood sales.mood, code char(6), took interval,
    twice integer GENERATED ALWAYS AS ("No" * 2) STORED, hidden text,
    customer_id uuid REFERENCES customer ON DELETE CASCADE)`,
  `CREATE TABLE place (order_no integer, spot text, amount integer NOT NULL DEFAULT 1, PRIMARY KEY (order_no, spot))`,
  `CREATE TABLE part (id bigint, year integer, note text, PRIMARY KEY (id, year)) PARTITION BY LIST (year)`,
  "CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1)",
  "CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2)",
]

const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }
const optional = true

export const ledger = service({
  name: "ledger",
  managed: false,
  log: { capture: "database" },
  resources: {
    customer: resource({
      id: "cus",
      key: { column: "id", type: "uuid", given: true },
      fields: { name: f.text() },
      history: true,
      allow,
    }),
    order: resource({
      id: "ord",
      table: { schema: "sales", name: "Order's" },
      key: { column: "No", type: "integer", given: true },
      fields: {
        total: f.decimal({ column: "Total", precision: 12, scale: 2, optional }),
        big: f.int64({ optional }),
        rate: f.float({ optional }),
        small: f.float({ optional, stored: "single" }),
        extra: f.json({ optional }),
        raw: f.json({ optional }),
        words: f.list(f.text(), { optional }),
        seen: f.timestamp({ optional }),
        local: f.timestamp({ optional, stored: "local" }),
        day: f.date({ optional }),
        clock: f.time({ optional }),
        body: f.bytes({ optional }),
        isSure: f.boolean({ column: "sure", optional }),
        mood: f.oneOf(["calm", "hectic"], { optional, stored: "cast" }),
        code: f.text({ optional, stored: "padded" }),
        took: f.text({ optional, stored: "cast" }),
        twice: f.integer({ optional, generated: true }),
      },
      relations: { buyer: one("customer", { optional, columns: { customer_id: "id" } }) },
      history: true,
      allow,
    }),
    place: resource({
      id: "pla",
      key: ["orderNo", "spot"],
      fields: { orderNo: f.integer(), spot: f.text(), amount: f.integer() },
      history: true,
      allow,
    }),
    part: resource({
      id: "par",
      key: ["number", "year"],
      fields: { number: f.int64({ column: "id" }), year: f.integer(), note: f.text({ optional }) },
      history: true,
      allow,
    }),
  },
})
