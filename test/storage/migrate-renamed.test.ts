// What goes may be what comes by another name: a plan asks, and nothing is guessed.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import type { FieldDeclaration, ResourceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { hintOf } from "../../src/sql/migration/steps.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { cleanUp } from "../support/database.ts"
import { migratedDatabases } from "./migrated-databases.ts"
import { customer, refused, run, shop, text } from "./small-shop.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

const optional: FieldDeclaration = { ...text, optional: true }
const filled: FieldDeclaration = { ...text, default: "A" }
const one = (target: string, rest: object = {}) => ({ kind: "one", target, optional: true, ...rest }) as const
const two = (item: ResourceDeclaration): Model =>
  load({ name: "shop", resources: { item, customer, town: { fields: { city: text } } } })

interface Case {
  readonly what: string
  readonly from: Model
  readonly to: Model
  /** A step's name -> its hint. */
  readonly hints: Readonly<Record<string, string>>
}

const cases: readonly Case[] = [
  {
    what: "a field, of one that is optional as it was, beside one that has a default",
    from: shop({ title: text, note: optional }),
    to: shop({ title: text, remark: optional, shelf: filled }),
    hints: { "drop:item.note": 'If it was renamed, say so: remark has was: "note".' },
  },
  {
    what: "a field that became required, where no other comes",
    from: shop({ title: text, note: optional }),
    to: shop({ title: text, remark: filled }),
    hints: { "drop:item.note": 'If it was renamed, say so: remark has was: "note".' },
  },
  {
    what: "one of several that are alike by its name",
    from: shop({ shelf: optional, fullName: optional }),
    to: shop({ place: optional, name: optional, fulName: optional }),
    hints: {
      "drop:item.shelf": 'If it was renamed, say so: place or name has was: "shelf".',
      "drop:item.fullName": 'If it was renamed, say so: fulName has was: "fullName".',
    },
  },
  {
    what: "nothing of another type",
    from: shop({ title: text, note: optional }),
    to: shop({ title: text, size: { scalar: "integer", optional: true } }),
    hints: {},
  },
  {
    what: "nothing of more fields than a person would look through",
    from: shop({ title: text, note: optional }),
    to: shop({ title: text, aaaaaa: optional, bbbbbb: optional, cccccc: optional, dddddd: optional }),
    hints: {},
  },
  {
    what: "a relation, by its name and not its column's, of one that leads to the same",
    from: two({ fields: { title: text }, relations: { buyer: one("customer") } }),
    to: two({ fields: { title: text }, relations: { payer: one("customer"), home: one("town") } }),
    hints: { "drop:item.buyerId": 'If it was renamed, say so: payer has was: "buyer".' },
  },
  {
    what: "a resource with the same fields, and nothing of another",
    from: load({ name: "shop", resources: { book: { fields: { title: text, isbn: text } } } }),
    to: load({
      name: "shop",
      resources: {
        shelf: { fields: { place: text } },
        volume: { fields: { title: text, isbn: text, pages: { scalar: "integer", optional: true } } },
      },
    }),
    hints: { "drop:book": 'If it was renamed, say so: volume has was: "book".' },
  },
  {
    what: "a resource of which half of the fields have other names, and nothing that has one of them by chance",
    from: load({
      name: "shop",
      resources: {
        ticket: { fields: { title: text, note: optional, price: { scalar: "integer" } } },
        maker: { fields: { name: text } },
      },
    }),
    to: load({
      name: "shop",
      resources: {
        issue: { fields: { title: text, remark: optional, price: { scalar: "integer" }, urgency: filled } },
        customer: { fields: { name: text, street: text, city: text, code: text, phone: text } },
      },
    }),
    hints: { "drop:ticket": 'If it was renamed, say so: issue has was: "ticket".' },
  },
]

for (const { name, open } of databases)
  describe(`a migration of ${name} asks whether it is a rename`, () => {
    for (const { what, from, to, hints } of cases)
      it(what, async (test) => {
        const database = await open()
        test.after(database.close)
        await migrate(database.url, from, { allow: [] })
        const steps = await compareDatabase(database.url, to)
        assert.deepEqual(
          Object.fromEntries(steps.flatMap((step) => (step.renamed ? [[step.name, hintOf(step)]] : []))),
          hints,
        )
      })

    it("a resource whose ids begin as those in the log do, whatever its fields are called", async (test) => {
      const database = await open()
      test.after(database.close)
      const one = (name: string, field: string): Model =>
        load({ name: "shop", resources: { [name]: { id: "tic", history: true, fields: { [field]: text } } } })
      const before = one("ticket", "title")
      await migrate(database.url, before, { allow: [] })
      const renamed = async () =>
        (await compareDatabase(database.url, one("issue", "subject"))).flatMap((step) => hintOf(step) ?? [])
      assert.deepEqual(await renamed(), [])
      await run(database, [
        "INSERT INTO bifold_log (resource, record, version, number, type, at) VALUES ('ticket', 'tic_a', '1', 1, 'ticket.created', '2026-11-22T12:00:00.000000Z')",
      ])
      assert.deepEqual(await renamed(), ['If it was renamed, say so: issue has was: "ticket".'])
    })

    it("where what goes is required and nothing is run, beside how to allow it", async (test) => {
      const database = await open()
      test.after(database.close)
      await migrate(database.url, shop({ note: text }), { allow: [] })
      const { problems } = await refused(database, shop({ remark: filled }), [])
      assert.deepEqual(
        problems.map(({ hint }) => hint),
        [
          'If it was renamed, say so: remark has was: "note". If that is meant: bifold migrate apply --allow drop:item.note',
        ],
      )
    })

    it("and a rename that is said then keeps the values", async (test) => {
      const database = await open()
      test.after(database.close)
      await migrate(database.url, shop({ title: text, note: optional }), { allow: [] })
      await database.ask("INSERT INTO item (id, title, note) VALUES ('a', 'A', 'N')")
      const to = shop({ title: text, remark: { ...optional, was: "note" }, shelf: filled })
      await migrate(database.url, to, { allow: [] })
      const [row] = await database.ask("SELECT remark, shelf FROM item")
      assert.deepEqual({ ...row }, { remark: "N", shelf: "A" })
    })
  })
