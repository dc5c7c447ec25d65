// Values of new fields that are made of what records have, and values of enumerations that are called otherwise, on real databases.
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { after, describe, it } from "node:test"
import { present } from "../../src/base/invariant.ts"
import { Refusal } from "../../src/base/problem.ts"
import type { FieldDeclaration, ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { isSafe } from "../../src/sql/migration/migration.ts"
import { hintOf } from "../../src/sql/migration/steps.ts"
import { checkSteps, compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { cleanUp } from "../support/database.ts"
import { type Database, inOrder, migratedDatabases } from "./migrated-databases.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

const text: FieldDeclaration = { scalar: "text" }
const people = (fields: Record<string, FieldDeclaration>, more: Partial<ServiceDeclaration> = {}): Model =>
  load({ name: "people", ...more, resources: { person: { fields } } })

async function begin(
  open: () => Promise<Database>,
  model: Model,
  ...rows: readonly string[]
): Promise<Database> {
  const database = await open()
  await migrate(database.url, model, { allow: [] })
  for (const row of rows) await database.ask(row)
  return database
}

const names = (steps: readonly { readonly name: string }[]): readonly string[] =>
  steps.map(({ name }) => name)

const rowsOf = async ({ ask }: Database, columns: string): Promise<readonly unknown[]> =>
  (await ask(`SELECT ${columns} FROM person ORDER BY id`)).map((row) => ({ ...row }))

async function refused(database: Database, model: Model, allow: readonly string[] = []): Promise<Refusal> {
  const before = inOrder(await database.found(model))
  const error: unknown = await migrate(database.url, model, { allow }).catch((fault: unknown) => fault)
  assert.ok(error instanceof Refusal, String(error))
  assert.deepEqual(inOrder(await database.found(model)), before)
  return error
}

const first: FieldDeclaration = { scalar: "text", from: { before: ["name", " "] } }
const last: FieldDeclaration = { scalar: "text", from: { after: ["name", " "] } }
const twoNames = `INSERT INTO person (id, name) VALUES ('a', 'Ada Lovelace'), ('b', 'Plato'), ('c', 'Johann Sebastian Bach')`
const split = [
  { first: "Ada", last: "Lovelace" },
  { first: "Plato", last: "" },
  { first: "Johann", last: "Sebastian Bach" },
]

for (const { name, open } of databases)
  describe(`values that are made of others on ${name}`, () => {
    it("fill in what is required, of a column that goes with the same migration", async (test) => {
      const database = await begin(open, people({ name: text }), twoNames)
      test.after(database.close)
      const model = people({ first, last })
      const steps = await compareDatabase(database.url, model)
      assert.deepEqual(names(steps), ["add:person.first", "add:person.last", "drop:person.name"])
      assert.equal(steps[0]?.says, `add first text, required to person; records get {"before":["name"," "]}`)
      assert.deepEqual(steps.map(isSafe), [false, false, false])
      // Whether `name` was renamed is not asked, as others are made of it.
      assert.deepEqual(steps.map(hintOf), [undefined, undefined, undefined])
      await migrate(database.url, model, { allow: ["drop:person.name"] })
      assert.deepEqual(await rowsOf(database, "first, last"), split)
      assert.deepEqual(await compareDatabase(database.url, model), [])
      assert.deepEqual(inOrder(await database.found(model)), await fresh(open, model))
    })

    it("are expanded while the previous version serves, and contracted after it", async (test) => {
      const database = await begin(open, people({ name: text }), twoNames)
      test.after(database.close)
      const optional = (field: FieldDeclaration): FieldDeclaration => ({ ...field, optional: true })
      const expanded = people({ name: text, first: optional(first), last: optional(last) })
      assert.deepEqual((await compareDatabase(database.url, expanded)).map(isSafe), [true, true])
      await migrate(database.url, expanded, { allow: [] })
      assert.deepEqual(await rowsOf(database, "first, last"), split)
      // By the previous version.
      await database.ask(`INSERT INTO person (id, name) VALUES ('d', 'Mary Shelley')`)
      // A client has taken it out since: nothing fills it in again.
      await database.ask(`UPDATE person SET last = NULL WHERE id = 'a'`)
      assert.deepEqual(await compareDatabase(database.url, expanded), [])
      const contracted = people({ first, last: optional(last) })
      await migrate(database.url, contracted, { allow: ["drop:person.name"] })
      assert.deepEqual(await rowsOf(database, "first, last"), [
        { first: "Ada", last: null },
        ...split.slice(1),
        { first: "Mary", last: null },
      ])
      assert.deepEqual(await compareDatabase(database.url, contracted), [])
    })

    it("follow names that the previous version changed after it, once they are taken out", async (test) => {
      const database = await begin(open, people({ name: text }), twoNames)
      test.after(database.close)
      const optional = (field: FieldDeclaration): FieldDeclaration => ({ ...field, optional: true })
      const expanded = people({ name: text, first: optional(first), last: optional(last) })
      await migrate(database.url, expanded, { allow: [] })
      await database.ask(`INSERT INTO person (id, name) VALUES ('d', 'Mary Shelley')`)
      await database.ask(`UPDATE person SET name = 'Ada King' WHERE id = 'a'`)
      const page = await readFile(new URL("../../docs/guide/migrating.md", import.meta.url), "utf8")
      const [, takenOut] = /^ *(UPDATE person SET .*);$/m.exec(page) ?? []
      await database.ask(present(takenOut, "the page has the statement"))
      await migrate(database.url, people({ first, last }), { allow: ["drop:person.name"] })
      assert.deepEqual(await rowsOf(database, "first, last"), [
        { first: "Ada", last: "King" },
        ...split.slice(1),
        { first: "Mary", last: "Shelley" },
      ])
    })

    it("make another type of a column", async (test) => {
      const before = people({ cents: { scalar: "integer" }, active: { scalar: "boolean", default: true } })
      const database = await begin(open, before)
      test.after(database.close)
      const yes = name === "SQLite" ? "1" : "TRUE"
      await database.ask(
        `INSERT INTO person (id, cents, active) VALUES ('a', 1050, ${yes}), ('b', 7, NOT ${yes})`,
      )
      const model = people({
        price: {
          scalar: "decimal",
          precision: 12,
          scale: 2,
          was: "cents",
          from: { multiply: ["price", { value: "0.01" }] },
        },
        active: {
          scalar: "oneOf",
          of: ["yes", "no"],
          from: { if: { when: { active: { eq: true } }, give: { value: "yes" }, else: { value: "no" } } },
        },
      })
      const steps = await compareDatabase(database.url, model)
      assert.deepEqual(
        steps.map(({ name: step, loses }) => ({ step, loses })),
        [
          { step: "rename:person.price", loses: false },
          { step: "change:person.price", loses: false },
          { step: "change:person.active", loses: false },
        ],
      )
      await migrate(database.url, model, { allow: [] })
      assert.deepEqual(await rowsOf(database, "CAST(price AS text) AS price, active"), [
        { price: name === "SQLite" ? "1050" : "10.50", active: "yes" },
        { price: name === "SQLite" ? "7" : "0.07", active: "no" },
      ])
      assert.deepEqual(await compareDatabase(database.url, model), [])
      // Not again, whatever becomes wider.
      const wider = people({
        price: {
          scalar: "decimal",
          precision: 14,
          scale: 3,
          from: { multiply: ["price", { value: "0.01" }] },
        },
        active: { scalar: "oneOf", of: ["yes", "no"] },
      })
      await migrate(database.url, wider, { allow: [] })
      assert.deepEqual(await rowsOf(database, "CAST(price AS text) AS price"), [
        { price: name === "SQLite" ? "10500" : "10.500" },
        { price: name === "SQLite" ? "70" : "0.070" },
      ])
    })

    it("round a decimal with fewer digits, once that is allowed", async (test) => {
      const fee = (scale: number, more: Partial<FieldDeclaration> = {}): Model =>
        people({ fee: { scalar: "decimal", precision: 8, scale, ...more } })
      const stored = name === "SQLite" ? ["12345", "12355"] : ["1.2345", "1.2355"]
      const rows = stored.map((value, at) => `INSERT INTO person (id, fee) VALUES ('${at}', ${value})`)
      const database = await begin(open, fee(4), ...rows)
      test.after(database.close)
      const narrow = fee(3, { from: "fee" })
      const error = await refused(database, narrow)
      assert.match(
        error.message,
        /^change:person\.fee: It would change fee of person from .*; records get "fee", rounded to the digits that it has\.$/,
      )
      await migrate(database.url, narrow, { allow: ["change:person.fee"] })
      assert.deepEqual(
        await rowsOf(database, "CAST(fee AS text) AS fee"),
        name === "SQLite" ? [{ fee: "1235" }, { fee: "1236" }] : [{ fee: "1.235" }, { fee: "1.236" }],
      )
      assert.deepEqual(await compareDatabase(database.url, narrow), [])
      const beyond = people({ fee: { scalar: "decimal", precision: 3, scale: 3, from: "fee" } })
      assert.match(
        (await refused(database, beyond, ["change:person.fee"])).message,
        /^change:person\.fee: Records of person come by `from` to a number that fee has no room for\.$/,
      )
    })

    it("make texts of numbers, in a column of its own and in the same one", async (test) => {
      const number: FieldDeclaration = { scalar: "integer" }
      const database = await begin(
        open,
        people({ number, great: { scalar: "int64" } }),
        "INSERT INTO person (id, number, great) VALUES ('a', -12, 9223372036854775807), ('b', 0, 7)",
      )
      test.after(database.close)
      const model = people({
        number: { scalar: "text", from: { concat: [{ value: "N" }, { textOf: "number" }] } },
        great: { scalar: "int64" },
        code: { scalar: "text", from: { textOf: "great" } },
      })
      const over = people({
        number,
        great: { scalar: "int64" },
        sum: { scalar: "text", from: { textOf: { add: ["great", 1] } } },
      })
      assert.match((await refused(database, over)).message, /sum/)
      await migrate(database.url, model, { allow: [] })
      assert.deepEqual(await rowsOf(database, "number, code"), [
        { number: "N-12", code: "9223372036854775807" },
        { number: "N0", code: "7" },
      ])
      assert.deepEqual(await compareDatabase(database.url, model), [])
      const mixed = people({
        number: { scalar: "text" },
        great: { scalar: "text", from: "great" },
        code: { scalar: "text" },
      })
      const { problems } = await refused(database, mixed)
      assert.match(JSON.stringify(problems), /it makes a text of a whole number/)
    })

    it("are asked for before anything is changed", async (test) => {
      const optional: FieldDeclaration = { ...text, optional: true }
      const database = await begin(
        open,
        people({ name: optional, kind: text }),
        `INSERT INTO person (id, name, kind) VALUES ('a', NULL, 'odd')`,
      )
      test.after(database.close)
      const kept = { name: optional, kind: text }
      const missing = await refused(database, people({ ...kept, first }))
      assert.equal(
        missing.message,
        "add:person.first: Records of person come by `from` to no first, which would be required.",
      )
      const grade: FieldDeclaration = {
        scalar: "oneOf",
        of: ["a", "b"],
        from: { map: ["kind", { good: "a" }] },
      }
      const other = await refused(database, people({ ...kept, grade }))
      assert.equal(
        other.message,
        "add:person.grade: Records of person come by `from` to another grade than a, b.",
      )
      const nothing = await refused(
        database,
        people({ ...kept, first: { ...first, from: { before: ["title", " "] } } }),
      )
      assert.equal(
        nothing.message,
        "add:person.first: No value of first in person can be made: The table has no column title, which the new value needs.",
      )
      // Of a column that is declared no more, so that `check` does not know its type.
      const points: FieldDeclaration = { scalar: "integer", from: "name" }
      const number = await refused(database, people({ kind: text, points }))
      assert.match(number.message, /"points" is integer, and "name" in its expression is text/)
      const model = people({ ...kept, first: { ...first, default: "nobody" } })
      assert.deepEqual(await checkSteps(database.url, await compareDatabase(database.url, model), []), [])
      await migrate(database.url, model, { allow: [] })
      assert.deepEqual(await rowsOf(database, "first"), [{ first: "nobody" }])
    })

    it("have room in their field, or nothing is changed", async (test) => {
      const cents: FieldDeclaration = { scalar: "integer" }
      const database = await begin(
        open,
        people({ cents }),
        `INSERT INTO person (id, cents) VALUES ('a', 123456)`,
      )
      test.after(database.close)
      const made = { scalar: "decimal", precision: 5, scale: 2, from: { multiply: ["cents", 1] } } as const
      for (const more of [{}, { optional: true }, { default: "0" }]) {
        const field: FieldDeclaration = { ...made, ...more }
        const says = (column: string): string =>
          `Records of person come by \`from\` to a number that ${column} has no room for.`
        const changed = await refused(database, people({ cents: field }))
        assert.equal(changed.message, `change:person.cents: ${says("cents")}`)
        const added = await refused(database, people({ cents, share: field }))
        assert.equal(added.message, `add:person.share: ${says("share")}`)
      }
      const wide = people({ cents: { ...made, precision: 8 } })
      await migrate(database.url, wide, { allow: [] })
      const [row] = await rowsOf(database, "CAST(cents AS text) AS cents")
      assert.deepEqual(row, { cents: name === "SQLite" ? "12345600" : "123456.00" })
    })
  })

const fresh = async (open: () => Promise<Database>, model: Model): Promise<unknown> => {
  const database = await begin(open, model)
  const found = inOrder(await database.found(model))
  await database.close()
  return found
}

for (const { name, open } of databases)
  describe(`values of an enumeration on ${name}`, () => {
    const before = people({ status: { scalar: "oneOf", of: ["new", "it's done", "gone"] } })
    const rows = `INSERT INTO person (id, status) VALUES ('a', 'new'), ('b', 'it''s done'), ('c', 'gone')`
    const values = {
      values: ["open", "done"],
      formerly: { open: "new", done: ["it's done", "gone"] },
    } as const

    for (const { how, model } of [
      {
        how: "a field's own",
        model: people({ status: { scalar: "oneOf", of: values.values, formerly: values.formerly } }),
      },
      {
        how: "the service's",
        model: people({ status: { scalar: "oneOf", of: "status" } }, { enums: { status: values } }),
      },
    ])
      it(`are renamed with their records: ${how}`, async (test) => {
        const database = await begin(open, before, rows)
        test.after(database.close)
        const steps = await compareDatabase(database.url, model)
        assert.deepEqual(names(steps), ["values:person.status"])
        assert.equal(
          steps[0]?.says,
          "rename the value new of status in person to open, the value it's done of status in person to done, the value gone of status in person to done, and allow open, done in status of person",
        )
        assert.equal(isSafe(steps[0]), false)
        await migrate(database.url, model, { allow: [] })
        assert.deepEqual(await rowsOf(database, "status"), [
          { status: "open" },
          { status: "done" },
          { status: "done" },
        ])
        assert.deepEqual(await compareDatabase(database.url, model), [])
        await assert.rejects(database.ask(`INSERT INTO person (id, status) VALUES ('d', 'new')`))
      })

    it("stay where a record has one that became nothing", async (test) => {
      const database = await begin(open, before, rows)
      test.after(database.close)
      const model = people({ status: { scalar: "oneOf", of: ["open", "done"], formerly: { open: "new" } } })
      const { message } = await refused(database, model)
      assert.equal(
        message,
        "values:person.status: Records of person have another status than open, done, new.",
      )
    })
  })

describe("values that are made by batches on PostgreSQL", () => {
  const { open } = present(databases[1], "PostgreSQL is there")

  it("say how far they are, and leave records to those who write meanwhile", async (test) => {
    const database = await begin(
      open,
      people({ name: text }),
      `INSERT INTO person (id, name) SELECT 'p' || n, 'P ' || n FROM generate_series(1, 12000) AS n`,
    )
    test.after(database.close)
    const model = people({ name: text, last: { ...last, optional: true } })
    const said: string[] = []
    const migrated = migrate(database.url, model, { allow: [], say: (told) => said.push(told) })
    // By the previous version, which does not know of the column.
    await database.ask(`UPDATE person SET name = 'P changed' WHERE id = 'p12000'`)
    await migrated
    assert.deepEqual(said, [
      `add last text to person; records get {"after":["name"," "]}`,
      "… 5,000 records",
      "… 10,000 records",
      "… 12,000 records",
    ])
    assert.deepEqual(await database.ask("SELECT count(*)::int AS n FROM person WHERE last IS NULL"), [
      { n: 0 },
    ])
    assert.deepEqual(await compareDatabase(database.url, model), [])
  })
})
