// A SQLite connection looks whether columns have come to mean something else only after a statement was compiled.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import { readMeanings } from "../../src/storage/sqlite/column-meanings.ts"
import { connectSqlite, watchCompiled } from "../../src/storage/sqlite/connection.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"

const price = (scale: number) =>
  `CREATE TABLE "page" ("id" TEXT, "price" INTEGER /* decimal(9, ${scale}) */) STRICT`
const anew = (scale: number) => `DROP TABLE "page"; ${price(scale)}; INSERT INTO "page" VALUES ('a', 10)`

describe("columns that come to mean something else", async () => {
  const hooks = cleanUp(after)
  const open = async () => {
    const path = join(await temporaryFolder(hooks), "shop.db")
    const other = new DatabaseSync(path)
    other.exec(
      `PRAGMA journal_mode = WAL; ${price(2)}; CREATE TABLE "town" ("name" TEXT); INSERT INTO "town" VALUES ('T')`,
    )
    const connection = connectSqlite(path)
    hooks.after(() => {
      connection.close()
      other.close()
    })
    connection.expect(readMeanings(other))
    return { connection, other }
  }
  const prices = 'SELECT "price" FROM "page"'

  test("are noticed by a statement that is prepared already, with whatever is read between", async () => {
    for (const between of [[], ['SELECT "name" FROM "town"'], ["PRAGMA schema_version"]]) {
      const { connection, other } = await open()
      for (const text of [prices, ...between, prices]) connection.read(text, [])
      other.exec(anew(2))
      assert.deepEqual(connection.read(prices, []), [10])
      other.exec(anew(3))
      for (const text of between) connection.read(text, [])
      for (let time = 0; time < 2; time += 1)
        assert.throws(() => connection.read(prices, []), /no such column: one of "page" has another type/)
      assert.throws(() => connection.all(prices, []), /no such column/)
    }
  })

  test("are no fault of a statement that only calls a part of itself so", async () => {
    const { connection, other } = await open()
    const towns = 'WITH "page" AS (SELECT "name" FROM "town") SELECT "page"."name" FROM "page"'
    assert.deepEqual(connection.read(towns, []), ["T"])
    other.exec(anew(3))
    assert.throws(() => connection.read(prices, []), /no such column/)
    assert.deepEqual(connection.read(towns, []), ["T"])
    assert.throws(
      () => connection.read('SELECT 1 FROM "town" WHERE EXISTS (SELECT 1 FROM "page")', []),
      /no such/,
    )
  })

  test("are looked for only where something was compiled", async () => {
    const { connection, other } = await open()
    const watch = watchCompiled(connection.database)
    const compiled = (text: string): boolean => {
      connection.read(text, [])
      const some = watch.some()
      watch.forget()
      return some
    }
    compiled(prices)
    assert.deepEqual(
      [1, 2, 3].map(() => compiled(prices)),
      [false, false, false],
    )
    other.exec(`INSERT INTO "page" VALUES ('b', 11)`)
    assert.equal(compiled(prices), false)
    other.exec("CREATE TABLE more (id TEXT)")
    assert.equal(compiled(prices), true)
    assert.equal(compiled(prices), false)
  })
})
