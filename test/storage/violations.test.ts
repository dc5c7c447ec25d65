// What databases refuse in writes: on both, in tables of Bifold's own and of somebody else's, each rule comes out as data, and
// as a Problem that names the members and lets none of the database's words through.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import pg from "pg"
import type { Problem } from "../../src/base/problem.ts"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import type { Model } from "../../src/model/model.ts"
import { type ConstraintViolation, constraintProblem } from "../../src/plan/write/constraint-problem.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import {
  constraintParameters,
  constraintQuery,
  postgresViolation,
  withColumns,
} from "../../src/storage/postgres/violations-postgres.ts"
import { sqliteViolation } from "../../src/storage/sqlite/violations-sqlite.ts"
import type { Attempt } from "../../src/storage/violations.ts"
import { inspectService, makeDatabase } from "../introspection/databases.ts"
import { cleanUp, type Hooks } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { type Database, dialects } from "../support/open-service.ts"

interface World {
  readonly model: Model
  /** What the database made of the statements, as data; undefined when it took them. */
  refused(statements: string, attempt: Attempt): Promise<ConstraintViolation | undefined>
}

async function openWorld(hooks: Hooks, database: Database, url: string, model: Model): Promise<World> {
  if (database === "sqlite") {
    const connection = new DatabaseSync(url)
    hooks.after(() => connection.close())
    return {
      model,
      async refused(statements) {
        try {
          connection.exec(`BEGIN; ${statements}; COMMIT`)
          return undefined
        } catch (fault) {
          if (connection.isTransaction) connection.exec("ROLLBACK")
          return sqliteViolation(fault) ?? Promise.reject(fault)
        }
      },
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  hooks.after(() => client.end())
  return {
    model,
    async refused(statements, attempt) {
      try {
        await client.query(`BEGIN; ${statements}; COMMIT`)
        return undefined
      } catch (fault) {
        await client.query("ROLLBACK")
        const found = postgresViolation(fault, attempt)
        if (!found) throw fault
        if (!found.constraint) return found.violation
        const { rows } = await client.query(constraintQuery, constraintParameters(found.constraint))
        return withColumns(found.violation, rows[0].columns)
      }
    },
  }
}

interface Case {
  readonly on: string
  readonly kind: Attempt["kind"]
  readonly sql: string
  readonly rule: ConstraintViolation["rule"]
  readonly columns: readonly string[]
  readonly problem: Problem
  /** Where the two databases do not know the same. */
  readonly sqlite?: Partial<Pick<Case, "rule" | "columns" | "problem">>
  readonly only?: Database
}

const place = ["input", "lines", 0] as const

async function check(database: Database, world: World, one: Case): Promise<void> {
  const expected = { ...one, ...(database === "sqlite" ? one.sqlite : {}) }
  const resource = world.model.resources.get(one.on)
  assert.ok(resource)
  const found = await world.refused(one.sql, { table: resource.table.name, kind: one.kind })
  assert.ok(found, `it is refused: ${one.sql}`)
  assert.equal(found.rule, expected.rule, one.sql)
  assert.deepEqual(found.columns, expected.columns, one.sql)
  const problem = constraintProblem(world.model, resource, found, place)
  assert.deepEqual(problem, expected.problem, one.sql)
  for (const word of [
    "violates",
    "constraint",
    "failed",
    "secret",
    "_key",
    "_fkey",
    "_check",
    "_id",
    "Teams",
  ])
    assert.ok(!JSON.stringify(problem).includes(word), `${word} in ${problem.message}`)
}

const at = (...members: string[]): readonly (string | number)[] => [...place, ...members]

// Bifold's own tables

const own = loadOpen(
  service({
    name: "shop",
    resources: {
      customer: resource({
        id: "cus",
        fields: {
          email: f.email({ unique: true }),
          nickName: f.text({ optional: true, unique: true }),
          level: f.oneOf(["new", "old"]),
        },
        relations: {
          orders: many("order", { by: "customer" }),
          manager: one("customer", { optional: true }),
        },
      }),
      order: resource({
        id: "ord",
        key: ["customer", "number"],
        fields: { number: f.integer({ immutable: true }), note: f.text() },
        relations: { customer: one("customer") },
      }),
    },
  }),
)

const ownRows = `
  INSERT INTO customer (id, email, nick_name, level, manager_id) VALUES
    ('a', 'a@x.org', 'al', 'new', NULL), ('b', 'b@x.org', 'bo', 'old', 'a'), ('c', 'c@x.org', NULL, 'old', NULL);
  INSERT INTO "order" (customer_id, number, note) VALUES ('c', 1, 'x')`

const insertCustomer = (values: string): string =>
  `INSERT INTO customer (id, email, nick_name, level, manager_id) VALUES (${values})`

const nobody: Problem = {
  code: "missing_reference",
  message: "The customer refers to a record that does not exist.",
  place,
}

const ownCases: readonly Case[] = [
  {
    on: "customer",
    kind: "insert",
    sql: insertCustomer("'d', 'a@x.org', NULL, 'new', NULL"),
    rule: "unique",
    columns: ["email"],
    problem: {
      code: "already_exists",
      message: "There is already another customer with the same `email`.",
      place: at("email"),
    },
  },
  {
    on: "customer",
    kind: "update",
    sql: "UPDATE customer SET nick_name = 'bo' WHERE id = 'a'",
    rule: "unique",
    columns: ["nick_name"],
    problem: {
      code: "already_exists",
      message: "There is already another customer with the same `nickName`.",
      place: at("nickName"),
    },
  },
  {
    on: "customer",
    kind: "insert",
    sql: insertCustomer("'a', 'd@x.org', NULL, 'new', NULL"),
    rule: "unique",
    columns: ["id"],
    problem: {
      code: "already_exists",
      message: "There is already another customer with the same `id`.",
      place: at("id"),
    },
  },
  {
    on: "order",
    kind: "insert",
    sql: `INSERT INTO "order" (customer_id, number, note) VALUES ('c', 1, 'y')`,
    rule: "unique",
    columns: ["customer_id", "number"],
    problem: {
      code: "already_exists",
      message: "There is already another order with the same `customerId` and `number`.",
      place,
    },
  },
  {
    on: "customer",
    kind: "insert",
    sql: insertCustomer("'d', 'd@x.org', NULL, 'new', 'nobody'"),
    rule: "reference",
    columns: ["manager_id"],
    problem: {
      code: "missing_reference",
      message: "`managerId` must be the id of a customer that exists.",
      place: at("managerId"),
    },
    sqlite: { columns: [], problem: nobody },
  },
  {
    on: "customer",
    kind: "delete",
    sql: "DELETE FROM customer WHERE id = 'c'",
    rule: "referenced",
    columns: ["customer_id"],
    problem: { code: "still_referenced", message: "Records of order still refer to the customer.", place },
    sqlite: { rule: "reference", columns: [], problem: nobody },
  },
  {
    on: "customer",
    kind: "delete",
    sql: "DELETE FROM customer WHERE id = 'a'",
    rule: "referenced",
    columns: ["manager_id"],
    problem: { code: "still_referenced", message: "Records of customer still refer to the customer.", place },
    sqlite: { rule: "reference", columns: [], problem: nobody },
  },
  {
    on: "customer",
    kind: "insert",
    sql: insertCustomer("'d', 'd@x.org', NULL, 'ancient', NULL"),
    rule: "check",
    columns: ["level"],
    problem: {
      code: "rule_violated",
      message: "`level` must meet a rule that the database has for it, and does not.",
      place: at("level"),
    },
    sqlite: { columns: [] },
  },
  {
    on: "customer",
    kind: "update",
    sql: "UPDATE customer SET email = NULL WHERE id = 'a'",
    rule: "required",
    columns: ["email"],
    problem: { code: "missing_field", message: "`email` must be given.", place: at("email") },
  },
  {
    on: "order",
    kind: "insert",
    sql: `INSERT INTO "order" (customer_id, number, note) VALUES ('c', 'two', 'y')`,
    rule: "check",
    columns: ["number"],
    problem: {
      code: "rule_violated",
      message: "`number` must meet a rule that the database has for it, and does not.",
      place: at("number"),
    },
    only: "sqlite",
  },
  {
    on: "order",
    kind: "insert",
    sql: `INSERT INTO "order" (customer_id, number, note) VALUES ('c', 99999999999, 'y')`,
    rule: "range",
    columns: [],
    problem: {
      code: "rule_violated",
      message: "A value of the order must be within what the database can hold.",
      place,
    },
    only: "postgres",
  },
  {
    on: "customer",
    kind: "insert",
    sql: insertCustomer(
      "'d', (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 200) AS n), NULL, 'new', NULL",
    ),
    rule: "tooLong",
    columns: ["email"],
    problem: {
      code: "rule_violated",
      message: "`email` must be shorter: the database takes none so long.",
      place: at("email"),
    },
    only: "postgres",
  },
  {
    on: "order",
    kind: "insert",
    sql: `INSERT INTO "order" (customer_id, number, note) VALUES ('c', 2, NULL)`,
    rule: "required",
    columns: ["note"],
    problem: { code: "missing_field", message: "`note` must be given.", place: at("note") },
  },
]

// Somebody else's tables

const theirTables = `
  CREATE TABLE "Teams" ("TeamId" INTEGER PRIMARY KEY, "Name" VARCHAR(10) NOT NULL, "Points" INTEGER NOT NULL CHECK ("Points" >= 0), "Slug.Text" VARCHAR(20) UNIQUE);
  CREATE UNIQUE INDEX "secretIndex" ON "Teams" (lower("Name")) WHERE "Points" >= 0;
  CREATE TABLE "Members" (
    "TeamId" INTEGER NOT NULL REFERENCES "Teams" ("TeamId") ON DELETE RESTRICT, "Number" INTEGER NOT NULL, "Captain" INTEGER,
    "Since" DATE, PRIMARY KEY ("TeamId", "Number"), CONSTRAINT "secretRule" CHECK ("Number" < 100),
    CONSTRAINT "secretLead" FOREIGN KEY ("TeamId", "Captain") REFERENCES "Members" ("TeamId", "Number") DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO "Teams" VALUES (1, 'Reds', 3, 'r'), (2, 'Blues', 4, 'b'), (3, 'Greens', 5, 'g');
  INSERT INTO "Members" VALUES (1, 1, NULL, NULL), (1, 2, 1, NULL);`

const theirTrigger: Readonly<Record<Database, string>> = {
  sqlite: `CREATE TRIGGER "secretGuard" BEFORE UPDATE ON "Teams" WHEN new."Points" = 13 BEGIN SELECT RAISE(ABORT, 'secret words'); END;`,
  postgres: `
    CREATE FUNCTION "secretGuard"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF new."Points" = 13 THEN RAISE EXCEPTION 'secret words'; END IF; RETURN new; END $$;
    CREATE TRIGGER "secretGuard" BEFORE UPDATE ON "Teams" FOR EACH ROW EXECUTE FUNCTION "secretGuard"();`,
}

const noTeam: Problem = {
  code: "missing_reference",
  message: "The member refers to a record that does not exist.",
  place,
}

const theirCases: readonly Case[] = [
  {
    on: "team",
    kind: "insert",
    sql: `INSERT INTO "Teams" VALUES (4, 'Whites', 1, 'b')`,
    rule: "unique",
    columns: ["Slug.Text"],
    problem: {
      code: "already_exists",
      message: "There is already another team with the same `slugText`.",
      place: at("slugText"),
    },
  },
  {
    on: "team",
    kind: "insert",
    sql: `INSERT INTO "Teams" VALUES (4, 'REDS', 1, NULL)`,
    rule: "unique",
    columns: ["Name"],
    problem: {
      code: "already_exists",
      message: "There is already another team with the same `name`.",
      place: at("name"),
    },
    sqlite: {
      columns: [],
      problem: { code: "already_exists", message: "There is already another such team.", place },
    },
  },
  {
    on: "team",
    kind: "update",
    sql: `UPDATE "Teams" SET "Points" = -1`,
    rule: "check",
    columns: ["Points"],
    problem: {
      code: "rule_violated",
      message: "`points` must meet a rule that the database has for it, and does not.",
      place: at("points"),
    },
    sqlite: { columns: [] },
  },
  {
    on: "member",
    kind: "insert",
    sql: `INSERT INTO "Members" VALUES (1, 100, NULL, NULL)`,
    rule: "check",
    columns: ["Number"],
    problem: {
      code: "rule_violated",
      message: "`number` must meet a rule that the database has for it, and does not.",
      place: at("number"),
    },
    sqlite: {
      columns: [],
      problem: {
        code: "rule_violated",
        message: "The member must meet a rule that the database has for it, and does not.",
        place,
      },
    },
  },
  {
    on: "team",
    kind: "update",
    sql: `UPDATE "Teams" SET "Points" = 13 WHERE "TeamId" = 1`,
    rule: "check",
    columns: [],
    problem: {
      code: "rule_violated",
      message: "The team must meet a rule that the database has for it, and does not.",
      place,
    },
  },
  {
    on: "member",
    kind: "insert",
    sql: `INSERT INTO "Members" VALUES (99, 1, NULL, NULL)`,
    rule: "reference",
    columns: ["TeamId"],
    problem: {
      code: "missing_reference",
      message: "`teamId` must be the id of a team that exists.",
      place: at("teamId"),
    },
    sqlite: { columns: [], problem: noTeam },
  },
  {
    on: "member",
    kind: "insert",
    sql: `INSERT INTO "Members" VALUES (1, 3, 50, NULL)`,
    rule: "reference",
    columns: ["TeamId", "Captain"],
    problem: {
      code: "missing_reference",
      message: "`memberId` must be the id of a member that exists.",
      place: at("memberId"),
    },
    sqlite: { columns: [], problem: noTeam },
  },
  {
    on: "team",
    kind: "delete",
    sql: `DELETE FROM "Teams" WHERE "TeamId" = 1`,
    rule: "referenced",
    columns: ["TeamId"],
    problem: { code: "still_referenced", message: "Records of member still refer to the team.", place },
    sqlite: {
      columns: [],
      problem: { code: "still_referenced", message: "Other records still refer to the team.", place },
    },
  },
  {
    on: "team",
    kind: "update",
    sql: `UPDATE "Teams" SET "TeamId" = 9 WHERE "TeamId" = 1`,
    rule: "referenced",
    columns: ["TeamId"],
    problem: { code: "still_referenced", message: "Records of member still refer to the team.", place },
    sqlite: {
      rule: "reference",
      columns: [],
      problem: {
        code: "missing_reference",
        message: "The team refers to a record that does not exist.",
        place,
      },
    },
  },
  {
    on: "team",
    kind: "update",
    sql: `UPDATE "Teams" SET "Name" = NULL`,
    rule: "required",
    columns: ["Name"],
    problem: { code: "missing_field", message: "`name` must be given.", place: at("name") },
  },
  {
    on: "team",
    kind: "update",
    sql: `UPDATE "Teams" SET "Name" = 'longer than it can be' WHERE "TeamId" = 1`,
    rule: "tooLong",
    columns: [],
    problem: {
      code: "rule_violated",
      message: "A value of the team must be shorter: the database takes none so long.",
      place,
    },
    only: "postgres",
  },
  {
    on: "team",
    kind: "update",
    sql: `UPDATE "Teams" SET "Name" = zeroblob(2000000000) WHERE "TeamId" = 1`,
    rule: "tooLong",
    columns: [],
    problem: {
      code: "rule_violated",
      message: "A value of the team must be shorter: the database takes none so long.",
      place,
    },
    only: "sqlite",
  },
  {
    on: "member",
    kind: "update",
    sql: `UPDATE "Members" SET "Since" = '2026-13-01'`,
    rule: "range",
    columns: [],
    problem: {
      code: "rule_violated",
      message: "A value of the member must be within what the database can hold.",
      place,
    },
    only: "postgres",
  },
]

for (const database of dialects)
  describe(`on ${database}`, () => {
    const hooks = cleanUp(after)

    test("what is refused in Bifold's own tables is told of members", async () => {
      const tables = createSchema(own, database === "sqlite" ? sqlite : postgres)
      const url = await makeDatabase(hooks, database, [...tables, ownRows].join(";\n"))
      const world = await openWorld(hooks, database, url, own)
      for (const one of ownCases) if ((one.only ?? database) === database) await check(database, world, one)
    })

    test("what is refused in somebody else's tables is told of members", async () => {
      const url = await makeDatabase(hooks, database, theirTables + theirTrigger[database])
      const { model } = await inspectService(url, "theirs")
      const world = await openWorld(hooks, database, url, model)
      for (const one of theirCases) if ((one.only ?? database) === database) await check(database, world, one)
    })
  })
