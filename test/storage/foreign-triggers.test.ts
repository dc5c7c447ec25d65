// Triggers and rules of somebody else's PostgreSQL tables: what is answered is what is stored, and what is refused has not
// happened.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { cleanUp } from "../support/database.ts"
import { openForeign } from "./foreign.ts"

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
})
