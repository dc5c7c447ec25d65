// Writes that the database refuses in tables that Bifold does not manage, with triggers and quoted names.
import type { Problem } from "../../src/base/problem.ts"
import type { Database } from "../support/open-service.ts"
import { at, type Case, place } from "./refused-write.ts"

export const theirTables = `
  CREATE TABLE "Teams" ("TeamId" INTEGER PRIMARY KEY, "Name" VARCHAR(10) NOT NULL, "Points" INTEGER NOT NULL CHECK ("Points" >= 0), "Slug.Text" VARCHAR(20) UNIQUE);
  CREATE UNIQUE INDEX "secretIndex" ON "Teams" (lower("Name")) WHERE "Points" >= 0;
  CREATE TABLE "Members" (
    "TeamId" INTEGER NOT NULL REFERENCES "Teams" ("TeamId") ON DELETE RESTRICT, "Number" INTEGER NOT NULL, "Captain" INTEGER,
    "Since" DATE, PRIMARY KEY ("TeamId", "Number"), CONSTRAINT "secretRule" CHECK ("Number" < 100),
    CONSTRAINT "secretLead" FOREIGN KEY ("TeamId", "Captain") REFERENCES "Members" ("TeamId", "Number") DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO "Teams" VALUES (1, 'Reds', 3, 'r'), (2, 'Blues', 4, 'b'), (3, 'Greens', 5, 'g');
  INSERT INTO "Members" VALUES (1, 1, NULL, NULL), (1, 2, 1, NULL);`

export const theirTrigger: Readonly<Record<Database, string>> = {
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

export const theirCases: readonly Case[] = [
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
      message: "A value of the member must be within the range of the database.",
      place,
    },
    only: "postgres",
  },
]
