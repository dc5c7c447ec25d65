// The launcher of the tests' PostgreSQL, and the databases made for each test file.
import assert from "node:assert/strict"
import { test } from "node:test"
import pg from "pg"
import { cleanUp, temporaryPostgres } from "./support/database.ts"

async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test("the tests have a real PostgreSQL of their own", async (t) => {
  const url = await temporaryPostgres(t)
  assert.deepEqual(await query(url, "SELECT version() ~ '^PostgreSQL (1[4-9]|[2-9][0-9])' AS new_enough"), [
    { new_enough: true },
  ])
})

test("databases made side by side are different, empty, and gone afterwards", async (t) => {
  const works: (() => Promise<void>)[] = []
  const hooks = cleanUp((work) => works.push(work))
  const urls = await Promise.all([1, 2, 3].map(() => temporaryPostgres(hooks)))
  assert.equal(new Set(urls).size, 3)
  for (const url of urls) await query(url, "CREATE TABLE only_here (id int)")
  for (const work of works) await work()
  const survivor = await temporaryPostgres(t)
  const names = urls.map((url) => `'${new URL(url).pathname.slice(1)}'`).join()
  assert.deepEqual(await query(survivor, `SELECT datname FROM pg_database WHERE datname IN (${names})`), [])
})
