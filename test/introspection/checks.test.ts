// Which CHECK constraints are read as a choice of texts.
import assert from "node:assert/strict"
import { test } from "node:test"
import { checkConditions, readChoice } from "../../src/model/introspection/check-constraints.ts"

test("lists of texts are choices, as SQLite keeps them and as PostgreSQL shows them", () => {
  for (const condition of [
    "status IN ('a', 'it''s')",
    "(status in('a' , /* or */ 'it''s'))",
    "[status] IN ('a', -- one\n 'it''s')",
    "\"status\" IS NULL OR \"status\" IN ('a', 'it''s')",
    "status IN ('a', 'it''s') OR status IS NULL",
    "(status = ANY (ARRAY['a'::text, 'it''s'::text]))",
    "((status)::text = ANY ((ARRAY['a'::character varying, 'it''s'::character varying])::text[]))",
    "((status)::text = ANY (ARRAY[('a'::character varying(20))::text, ('it''s'::character varying(20))::text]))",
    "(status = ANY (ARRAY['a'::public.\"my type\", 'it''s'::public.\"my type\"]))",
  ])
    assert.deepEqual(readChoice(condition), { column: "status", values: ["a", "it's"] }, condition)
})

test("anything else is no choice", () => {
  for (const condition of [
    "",
    "status",
    "status IN ()",
    "status IN (1, 2)",
    "status IN ('a', 1)",
    "status IN ('a' 'b')",
    "status IN ('a',)",
    "status IN (SELECT 'a')",
    "status NOT IN ('a', 'b')",
    "NOT status IN ('a', 'b')",
    "lower(status) IN ('a', 'b')",
    "status IN ('a', 'b') AND other > 1",
    "status IN ('a', 'b') OR other IS NULL",
    "status COLLATE NOCASE IN ('a', 'b')",
    "status IN ('a', 'b') = 0",
    "(status <> ALL (ARRAY['a'::text, 'b'::text]))",
    "(status = ANY (ARRAY['a'::text, other]))",
    "'status' IN ('a', 'b')",
    "status ~ 'a'",
    "status IN ('a",
  ])
    assert.equal(readChoice(condition), undefined, condition)
})

test("conditions are found in a CREATE TABLE, wherever they stand", () => {
  const sql = `CREATE TABLE "check (x)" (a TEXT CHECK (a IN ('x)', '(')), -- CHECK (b)
    [check] TEXT /* CHECK (c) */ DEFAULT 'CHECK (d)', CONSTRAINT e CHECK((f > (1 + 2))), g INT check (g), h CHECK (`
  assert.deepEqual(checkConditions(sql), ["a IN ('x)', '(')", "(f > (1 + 2))", "g"])
})
