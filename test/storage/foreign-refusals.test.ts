// What triggers, checks and types of somebody else's PostgreSQL tables refuse in a write, with any code, is a rule that was
// violated; what is wrong with Bifold itself, or with the database, is not.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import pg from "pg"
import { postgresViolation } from "../../src/storage/postgres/violations-postgres.ts"
import { cleanUp } from "../support/database.ts"
import { assertRefused, openForeign } from "./foreign.ts"

const raised = ["UE001", "P0002", "P0004", "22012", "02000", "21000", "42501", "55000", "28000", "0A000"]

const tables = `
  CREATE TABLE thing (id serial PRIMARY KEY, code text NOT NULL, n int NOT NULL DEFAULT 0, CHECK (10 / (n - 7) < 100));
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.code = 'assert' THEN ASSERT false, 'secret'; END IF;
    IF NEW.code = 'strict' THEN SELECT id INTO STRICT NEW.n FROM thing WHERE id < 0; END IF;
    IF NEW.code = 'twice' THEN UPDATE thing SET n = (SELECT n FROM thing) WHERE id = 1; END IF;
    IF NEW.code <> 'fine' THEN RAISE EXCEPTION 'secret' USING ERRCODE = NEW.code; END IF;
    RETURN NEW; END $$;
  CREATE TRIGGER refuses BEFORE INSERT OR UPDATE ON thing FOR EACH ROW EXECUTE FUNCTION refuse();
  CREATE TABLE late (id serial PRIMARY KEY, v text NOT NULL);
  CREATE FUNCTION refuse_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'secret' USING ERRCODE = 'UE002'; END $$;
  CREATE CONSTRAINT TRIGGER refuses_late AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_late();
  CREATE TABLE wide (id serial PRIMARY KEY, a int NOT NULL, stored int GENERATED ALWAYS AS (a * 1000000) STORED);
  -- Computed when it is read, from version 18 on.
  DO $$ BEGIN EXECUTE 'CREATE TABLE read_late (id serial PRIMARY KEY, a int NOT NULL, later int GENERATED ALWAYS AS (a * 1000000) '
    || CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 'VIRTUAL)' ELSE 'STORED)' END; END $$;
  CREATE TRIGGER does_nothing BEFORE UPDATE ON read_late FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
  INSERT INTO thing (code) VALUES ('fine'), ('fine');
`

describe("what other people's tables refuse", () => {
  const hooks = cleanUp(after)
  const opened = openForeign(hooks, tables)

  it("is a rule that was violated, whatever its code", async () => {
    const { ask } = await opened
    for (const code of [...raised, "assert", "strict", "twice"])
      for (const request of ["POST /things", "PATCH /things/1"]) {
        const answer = await ask(request, { code })
        assertRefused(answer, [422, "rule_violated"])
        assert.ok(!JSON.stringify(answer).includes("secret"))
      }
    assertRefused(await ask("POST /things", { code: "fine", n: 7 }), [422, "rule_violated"])
    assertRefused(await ask("POST /lates", { v: "a" }), [422, "rule_violated"])
  })

  it("is a rule that does something else, also where it came later", async () => {
    const { ask, stored } = await opened
    await stored("CREATE RULE stays AS ON DELETE TO wide DO INSTEAD NOTHING")
    await stored("INSERT INTO wide (id, a) VALUES (100, 1)")
    assertRefused(await ask("DELETE /wides/100"), [422, "rule_violated"])
  })

  it("is a number that a computed column has no room for", async () => {
    const { ask } = await opened
    assertRefused(await ask("POST /wides", { a: 100_000 }), [422, "rule_violated"])
    assertRefused(await ask("POST /read-lates", { a: 100_000 }), [422, "rule_violated"])
  })

  it("is not what is wrong with a statement, or with the server", () => {
    for (const code of [
      "42601",
      "42703",
      "42P01",
      "42501",
      "XX000",
      "53200",
      "57014",
      "40001",
      "25006",
      "55P03",
      "08006",
    ]) {
      const fault = Object.assign(new pg.DatabaseError("", 0, "error"), { code, routine: "other" })
      assert.equal(postgresViolation(fault), undefined, code)
    }
    const again = Object.assign(new pg.DatabaseError("", 0, "error"), {
      code: "40001",
      routine: "exec_stmt_raise",
    })
    assert.equal(postgresViolation(again), undefined)
    assert.equal(postgresViolation(Object.assign(new Error(), { code: "ECONNRESET" })), undefined)
  })
})
