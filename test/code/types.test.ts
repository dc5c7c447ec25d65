// What the compiler knows of own code: names, records, inputs and outputs, all from the service.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { validateSchema } from "graphql"
import { buildSchema, printGraphql } from "../../src/graphql/schema/schema.ts"
import { action, hook, operation, problem, withCode } from "../../src/index.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { evaluate } from "../model/evaluate.ts"
import { blocksOf } from "../support/documents.ts"
import { plain, shop } from "./shop.ts"

test("the compiler finds what is misspelt in own code", () => {
  const written = withCode(plain, {
    actions: {
      order: {
        fine: action({
          output: { count: plain.resources.order.fields.count },
          run: async ({ record, db }) => ({
            count: record.count + ((await db.order.get(record.id))?.count ?? 0),
          }),
        }),
        record: action({
          // @ts-expect-error there is no member `totl` of an order
          run: ({ record }) => record.totl,
        }),
        resource: action({
          // @ts-expect-error there is no resource `ordr`
          run: ({ db }) => db.ordr.get("x"),
        }),
        value: action({
          // @ts-expect-error `count` is a number
          run: ({ record, db }) => db.order.update(record.id, { count: "1" }),
        }),
        output: action({
          output: { count: plain.resources.order.fields.count },
          // @ts-expect-error the output has a count
          run: () => ({ number: 1 }),
        }),
        input: action({
          input: { count: plain.resources.order.fields.count },
          // @ts-expect-error `count` is a number
          run: ({ input }) => input.count.toUpperCase(),
        }),
      },
      // @ts-expect-error there is no such resource
      ordr: {},
    },
    operations: {
      // @ts-expect-error an operation is about no record
      record: operation({ run: ({ record }) => record }),
    },
    before: {
      order: {
        // @ts-expect-error there is no member `totl` of an order
        create: () => ({ totl: "1.00" }),
        update: ({ old, new: next }) => (old.number === next.number ? undefined : { count: old.count }),
      },
    },
  })
  assert.equal(written.name, "shop")
})

test("the compiler takes hooks that only check", () => {
  const check = (given: string): void => assert.ok(given)
  const written = [
    withCode(plain, {
      before: {
        order: {
          create({ new: next }) {
            if (next.number === "") throw problem("conflict", "An order has a number.")
          },
          update: ({ new: next }) => check(next.number),
          delete({ old }) {
            check(old.number)
          },
        },
      },
    }),
    withCode(plain, {
      before: {
        order: {
          async create({ new: next, db }) {
            check(next.number)
            await db.order.list()
          },
          async update({ new: next, old }) {
            if (next.number === old.number) return
            check(next.number)
          },
          async delete({ old }) {
            check(old.number)
          },
        },
        // @ts-expect-error a hook gives members
        coupon: { create: () => 7 },
      },
    }),
    withCode(plain, {
      before: {
        order: {
          create: hook({ run: ({ new: next }) => check(next.number) }),
          update: hook({
            as: { roles: [] },
            run: async ({ old, db }) => ({ number: (await db.order.get(old.number))?.number ?? "" }),
          }),
          // @ts-expect-error a record that goes will not be another
          delete: hook({ run: ({ old, new: next }) => check(old.number + next) }),
        },
        // @ts-expect-error a hook gives members
        coupon: { create: hook({ run: () => 7 }) },
      },
    }),
  ]
  assert.equal(written.length, 3)
})

test("the example of docs/guide/code.md is a service without mistakes", () => {
  const text = readFileSync(new URL("../../docs/guide/code.md", import.meta.url), "utf8")
  const [example] = blocksOf(text).filter(({ info }) => info === "ts")
  assert.ok(example)
  const model = loadService(evaluate(example.text))
  assert.deepEqual([...(model.resources.get("order")?.actions?.keys() ?? [])], ["applyCoupon"])
  assert.deepEqual(Object.keys(model.resources.get("order")?.before ?? {}), ["create", "update"])
})

test("the schema with own operations is valid", () => {
  assert.deepEqual(validateSchema(buildSchema(loadService(shop))), [])
  const printed = printGraphql(loadService(shop))
  assert.match(printed, /applyCouponOrder\([^)]*\bid: ID!\n[^)]*\binput: ApplyCouponOrderInput!/)
  assert.match(printed, /restock: RestockPayload!/)
})
