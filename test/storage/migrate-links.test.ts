// References of a to-one relation that became a to-many one: the plan says how its join table gets them, on real databases.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { f, many, one, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { leftText } from "../../src/service/skipped-step.ts"
import { hintOf } from "../../src/sql/migration/steps.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { cleanUp } from "../support/database.ts"
import { migratedDatabases } from "./migrated-databases.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

/** The names of tables and columns are words of SQL. */
const tracker = (relations: object): Model =>
  load(
    service({
      name: "tracker",
      resources: {
        person: resource({ fields: { name: f.text() } }),
        order: resource({ fields: { title: f.text() }, relations } as never),
      },
    } as never),
  )
const assignees = { assignees: many("person", { through: "assignment" }) }
const optional = tracker({ assignee: one("person", { optional: true }) })
const required = tracker({ assignee: one("person") })
const both = tracker({ assignee: one("person", { optional: true }), ...assignees })
const several = tracker(assignees)
const insert =
  'INSERT INTO "assignment" ("order_id", "person_id") SELECT "id", "assignee_id" FROM "order" WHERE "assignee_id" IS NOT NULL ON CONFLICT DO NOTHING;'

for (const { name, open } of databases)
  describe(`references that become links on ${name}`, () => {
    const begin = async (model: Model, orders: string) => {
      const database = await open()
      await migrate(database.url, model, { allow: [] })
      await database.ask("INSERT INTO person (id, name) VALUES ('a', 'Ada'), ('b', 'Bob')")
      await database.ask(`INSERT INTO "order" (id, title, assignee_id) VALUES ${orders}`)
      return database
    }
    const hintsOf = async (url: string, model: Model) =>
      (await compareDatabase(url, model)).flatMap((step) => {
        const hint = hintOf(step)
        return hint === undefined ? [] : [[step.name, hint, leftText(step)]]
      })

    it("are kept by the statement of the plan, run between the two steps", async (test) => {
      const database = await begin(optional, "('1', 'x', 'a'), ('2', 'y', 'b'), ('3', 'z', NULL)")
      test.after(database.close)
      const kept = ` To keep its references in assignment: ${insert}`
      const held = " Until then the records of person that it leads to cannot be deleted."
      assert.deepEqual(await hintsOf(database.url, several), [
        [
          "drop:order.assigneeId",
          `To keep its references in assignment, run apply without this step, then: ${insert}`,
          `${held}${kept}`,
        ],
      ])
      await migrate(database.url, several, { allow: [] })
      for (const _ of ["once", "again"]) await database.ask(insert)
      await migrate(database.url, several, { allow: ["drop:order.assigneeId"] })
      assert.deepEqual(await compareDatabase(database.url, several), [])
      const links = await database.ask("SELECT order_id, person_id FROM assignment ORDER BY order_id")
      assert.deepEqual(
        links.map((row) => ({ ...row })),
        [
          { order_id: "1", person_id: "a" },
          { order_id: "2", person_id: "b" },
        ],
      )
    })

    it("stand beside for one migration where they were required", async (test) => {
      const database = await begin(required, "('1', 'x', 'a')")
      test.after(database.close)
      const [[, hint] = []] = await hintsOf(database.url, several)
      assert.match(
        hint ?? "",
        /^To keep its references in assignment, declare it beside, as optional, and run/,
      )
      await migrate(database.url, both, { allow: [] })
      await database.ask(insert)
      await migrate(database.url, several, { allow: ["drop:order.assigneeId"] })
      assert.equal((await database.ask("SELECT 1 FROM assignment")).length, 1)
    })

    it("are not asked for where several join tables may be meant, or none", async (test) => {
      const database = await begin(optional, "('1', 'x', 'a')")
      test.after(database.close)
      const more = tracker({ ...assignees, watchers: many("person", { through: "watching" }) })
      assert.deepEqual(await hintsOf(database.url, more), [])
      assert.deepEqual(await hintsOf(database.url, tracker({})), [])
    })
  })
