// Triggers and rules of somebody else's PostgreSQL tables: what is answered is what is stored, and what is refused has not
// happened.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { cleanUp } from "../support/database.ts"
import { assertRefused, type Foreign, openForeign } from "./foreign.ts"

const tables = `
  CREATE TABLE basket (id serial PRIMARY KEY, total int NOT NULL DEFAULT 0);
  CREATE TABLE line (id serial PRIMARY KEY, basket_id int NOT NULL REFERENCES basket, amount int NOT NULL);
  CREATE FUNCTION add_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE basket SET total = (SELECT coalesce(sum(amount), 0) FROM line WHERE basket_id = NEW.basket_id) WHERE id = NEW.basket_id;
    RETURN NULL; END $$;
  CREATE TRIGGER adds_up AFTER INSERT OR UPDATE ON line FOR EACH ROW EXECUTE FUNCTION add_up();
  INSERT INTO basket (total) VALUES (0);

  CREATE TABLE word (id serial PRIMARY KEY, v text NOT NULL, length int NOT NULL DEFAULT 0);
  CREATE FUNCTION measure() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE word SET length = length(NEW.v) WHERE id = NEW.id; RETURN NULL; END $$;
  CREATE TRIGGER measures AFTER INSERT OR UPDATE OF v ON word FOR EACH ROW EXECUTE FUNCTION measure();

  CREATE TABLE note (id serial PRIMARY KEY, v text NOT NULL, seen int);
  CREATE RULE notes AS ON INSERT TO note DO ALSO UPDATE note SET seen = 7;

  CREATE TABLE parted (id serial, v text NOT NULL, seen int, PRIMARY KEY (id)) PARTITION BY RANGE (id);
  CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (100);
  CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE parted SET seen = 7 WHERE id = NEW.id; RETURN NULL; END $$;
  CREATE TRIGGER looks AFTER INSERT ON parted_low FOR EACH ROW EXECUTE FUNCTION look();

  CREATE TABLE tag (code text PRIMARY KEY, v text NOT NULL);
  CREATE FUNCTION fold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.code = lower(NEW.code); RETURN NEW; END $$;
  CREATE TRIGGER folds BEFORE INSERT ON tag FOR EACH ROW EXECUTE FUNCTION fold();

  CREATE TABLE person (id serial PRIMARY KEY, email text NOT NULL UNIQUE);
  CREATE TABLE letter (id serial PRIMARY KEY, email text NOT NULL REFERENCES person (email) ON UPDATE CASCADE);
  INSERT INTO person (email) VALUES ('a');
  INSERT INTO letter (email) VALUES ('a');

  CREATE TABLE soft (id serial PRIMARY KEY, v text NOT NULL, deleted boolean NOT NULL DEFAULT false);
  CREATE FUNCTION soften() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE soft SET deleted = true WHERE id = OLD.id; RETURN NULL; END $$;
  CREATE TRIGGER softens BEFORE DELETE ON soft FOR EACH ROW EXECUTE FUNCTION soften();
  INSERT INTO soft (v) VALUES ('a'), ('b');

  CREATE TABLE tried (what text);
  CREATE TABLE fixed (code text PRIMARY KEY, v text NOT NULL);
  CREATE FUNCTION fix() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO tried VALUES (NEW.v);
    IF NEW.v = 'free' THEN RETURN NEW; END IF;
    RETURN NULL; END $$;
  CREATE TRIGGER fixes BEFORE INSERT OR UPDATE ON fixed FOR EACH ROW EXECUTE FUNCTION fix();
  INSERT INTO fixed (code, v) VALUES ('one', 'free'), ('two', 'free');
  DELETE FROM tried;

  CREATE TABLE plain (id serial PRIMARY KEY, v text NOT NULL);
`

describe("tables with triggers", () => {
  const hooks = cleanUp(after)
  const opened = openForeign(hooks, tables)

  it("answer with what the trigger has made of another table", async () => {
    const { ask, graphql } = await opened
    const made = await ask("POST /lines?include=basket", { amount: 11, basketId: "1" })
    assert.deepEqual(made.body["basket"], { id: "basket_1", total: 11 })
    const more = await graphql(
      `mutation { createLine(input: { amount: 100, basketId: "1" }) { line { basket { total } } } }`,
    )
    assert.deepEqual(more, { data: { createLine: { line: { basket: { total: 111 } } } } })
    const changed = await ask("PATCH /lines/1?include=basket", { amount: 1 })
    assert.deepEqual(changed.body["basket"], { id: "basket_1", total: 101 })
  })

  it("answer with what the trigger has made of the row itself", async () => {
    const { ask } = await opened
    for (const [request, body, length] of [
      ["POST /words", { v: "hello" }, 5],
      ["PATCH /words/1", { v: "word" }, 4],
    ] as const) {
      const answer = await ask(request, body)
      assert.equal(answer.body["length"], length)
      assert.deepEqual(answer.body, (await ask("GET /words/1")).body)
    }
  })

  it("may as well have a rule, or lie in parts of which one has a trigger", async () => {
    const { ask } = await opened
    assert.equal((await ask("POST /notes", { v: "a" })).body["seen"], 7)
    assert.equal((await ask("POST /parteds", { v: "a" })).body["seen"], 7)
  })

  it("may change the key that was given", async () => {
    const { ask } = await opened
    assert.deepEqual(await ask("POST /tags", { code: "NEW", v: "a" }), {
      status: 201,
      body: { id: "tag_new", code: "new", v: "a" },
    })
  })

  it("may be followed by foreign keys", async () => {
    const { ask } = await opened
    const { body } = await ask("PATCH /people/1?include=letters", { email: "b" })
    assert.deepEqual((body["letters"] as { data: unknown }).data, [{ id: "letter_1", email: "b" }])
  })

  it("are told from others, which are written and answered by one statement", async () => {
    const { ask, service } = await opened
    const sent = async (request: string, body: object): Promise<number> => {
      await ask(request, body)
      const before = service.storage.sent
      await ask(request, body)
      return service.storage.sent - before
    }
    assert.equal(await sent("POST /plains", { v: "a" }), 1)
    assert.equal(await sent("POST /words", { v: "a" }), 2)
  })

  const nothing = async (foreign: Foreign): Promise<void> => {
    assert.deepEqual(await foreign.stored("SELECT v FROM soft WHERE deleted"), [])
    assert.deepEqual(await foreign.stored("SELECT code FROM fixed ORDER BY code"), [
      { code: "one" },
      { code: "two" },
    ])
    assert.deepEqual(await foreign.stored("SELECT what FROM tried"), [])
  }

  it("that leave a record as it is have done nothing when that is refused", async () => {
    const foreign = await opened
    const etag = (await foreign.graphql(`{ soft(id: "1") { etag } }`)) as {
      data: { soft: { etag: string } }
    }
    for (const [request, body, headers] of [
      ["DELETE /softs/1"],
      ["DELETE /softs/1", undefined, { prefer: "return=minimal" }],
      ["DELETE /softs/1", undefined, { "if-match": `"${etag.data.soft.etag}"` }],
      ["PATCH /fixeds/one", { v: "other" }],
      ["PATCH /fixeds/one", { v: "other" }, { prefer: "return=minimal" }],
      ["POST /fixeds", { code: "new", v: "other" }],
      ["POST /fixeds", { code: "new", v: "other" }, { prefer: "return=minimal" }],
      ["PUT /fixeds/new", { v: "other" }],
      ["PUT /fixeds/one", { v: "other" }],
    ] as const) {
      assertRefused(await foreign.ask(request, body, headers), [422, "rule_violated"])
      await nothing(foreign)
    }
    assertRefused(await foreign.ask("DELETE /softs/9"), [404, "not_found"])
    const stale = await foreign.ask("DELETE /softs/1", undefined, { "if-match": '"1"' })
    assertRefused(stale, [412, "stale_version"])
  })

  it("that leave some of several records as they are have done nothing either", async () => {
    const foreign = await opened
    const filter = encodeURIComponent('{"v":{"in":["a","b","free"]}}')
    for (const [request, body] of [
      [`DELETE /softs?filter=${filter}`],
      [`PATCH /fixeds?filter=${filter}`, { v: "other" }],
    ] as const) {
      const answer = await foreign.ask(request, body, { prefer: "max-affected=5" })
      assertRefused(answer, [422, "rule_violated"])
      await nothing(foreign)
    }
    const { status } = await foreign.ask(
      `PATCH /fixeds?filter=${filter}`,
      { v: "free" },
      { prefer: "max-affected=5" },
    )
    assert.equal(status, 200)
  })

  it("answer data: null by GraphQL, and nothing has happened", async () => {
    const foreign = await opened
    const { data } = await foreign.graphql(`mutation { deleteSoft(id: "1") { deletedId } }`)
    assert.equal(data, null)
    assert.deepEqual(await foreign.stored("SELECT v FROM soft WHERE deleted"), [])
  })
})
