// What databases refuse in writes: on both, in tables of Bifold's own and of somebody else's, each rule comes out as data, and
// as a Problem that names the members and lets none of the database's words through.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import pg from "pg"
import type { Model } from "../../src/model/model.ts"
import { type ConstraintViolation, constraintProblem } from "../../src/plan/write/problems.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import {
  constraintParameters,
  constraintQuery,
  postgresViolation,
  withColumns,
} from "../../src/storage/postgres/violations-postgres.ts"
import { sqliteViolation } from "../../src/storage/sqlite/work.ts"
import type { Attempt } from "../../src/storage/storage.ts"
import { inspectService, makeDatabase } from "../introspection/databases.ts"
import { cleanUp, type Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { own, ownCases, ownRows } from "./refused-own.ts"
import { theirCases, theirTables, theirTrigger } from "./refused-unmanaged.ts"
import { type Case, place } from "./refused-write.ts"

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
