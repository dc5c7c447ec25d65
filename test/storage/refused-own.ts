// Writes that the database refuses in tables that Bifold manages.
import type { Problem } from "../../src/base/problem.ts"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { loadOpen } from "../support/everybody.ts"
import { at, type Case, place } from "./refused-write.ts"

export const own = loadOpen(
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

export const ownRows = `
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

export const ownCases: readonly Case[] = [
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
      message: "A value of the order must be within the range of the database.",
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
