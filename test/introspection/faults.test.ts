// Databases that cannot be reached, hold nothing, or are not all for this role: what a person is told.
import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import pg from "pg"
import { type Problem, Refusal } from "../../src/base/problem.ts"
import { inspect } from "../../src/storage/introspection/inspect.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { inspectService, makeDatabase } from "./databases.ts"

/** The only problem of the refusal that this ends in; all that is said of it must not hold a password. */
async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const fault = await work.then(
    () => assert.fail("nothing was refused"),
    (error: unknown) => error,
  )
  assert.ok(fault instanceof Refusal, String(fault))
  assert.equal(fault.problems.length, 1)
  assert.doesNotMatch(`${fault.message} ${JSON.stringify(fault.problems)}`, /sekret/)
  return fault.problems[0]
}

test("a SQLite file that is not there, a folder and a file of another kind are told apart", async (t) => {
  const folder = await temporaryFolder(t)
  mkdirSync(join(folder, "folder.db"))
  writeFileSync(
    join(folder, "text.db"),
    "This is no database, but it is long enough to be looked at. ".repeat(20),
  )
  const missing = await problemOf(inspect(join(folder, "missing.db")))
  assert.equal(missing.code, "storage_unavailable")
  assert.match(missing.message, /missing\.db cannot be read/)
  assert.match(missing.hint ?? "", /exists/)
  assert.equal((await problemOf(inspect(`sqlite:${join(folder, "folder.db")}`))).code, "storage_unavailable")
  const other = await problemOf(inspect(join(folder, "text.db")))
  assert.equal(other.hint, "The file is not a SQLite database.")
})

test("an empty database says so, whichever it is", async (t) => {
  const folder = await temporaryFolder(t)
  writeFileSync(join(folder, "empty.db"), "")
  const sqlite = await problemOf(inspect(join(folder, "empty.db")))
  assert.equal(sqlite.code, "empty_database")
  assert.match(sqlite.message, /empty\.db/)
  const postgres = await problemOf(inspect(await temporaryPostgres(t)))
  assert.equal(postgres.code, "empty_database")
  assert.match(postgres.message, /database bifold_test_/)
})

test("a database of nothing that can be served says what it holds", async (t) => {
  const url = await makeDatabase(
    t,
    "postgres",
    "CREATE TABLE nothing (); CREATE MATERIALIZED VIEW v AS SELECT 1 AS a WITH NO DATA;",
  )
  const problem = await problemOf(inspectService(url, "made"))
  assert.equal(problem.code, "empty_database")
  assert.match(problem.hint ?? "", /public\.v: the materialised view has not been filled yet/)
  assert.match(problem.hint ?? "", /public\.nothing: it has no columns/)
})

test("all forms of an address open the same file", async (t) => {
  const path = await makeDatabase(t, "sqlite", "CREATE TABLE thing (id INTEGER PRIMARY KEY)")
  for (const address of [
    path,
    `sqlite:${path}`,
    `sqlite://${path}`,
    `file:${path}`,
    pathToFileURL(path).href,
  ])
    assert.deepEqual(
      (await inspect(address)).tables.map(({ name }) => name),
      ["thing"],
      address,
    )
})

test("an address that means no database is refused with what would be right", async () => {
  for (const address of ["", "mysql://me:sekret@host/db", "sqlite:", "postgres://me:sekret@[broken/db"]) {
    const problem = await problemOf(inspect(address))
    assert.equal(problem.code, "storage_unavailable", address)
    assert.ok(problem.hint, address)
  }
})

test("a PostgreSQL that cannot be reached is named by host, port and database, never by password", async (t) => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === "object" && address)
  const dropped = await problemOf(inspect(`postgres://me:sekret@127.0.0.1:${address.port}/shop`))
  assert.equal(dropped.code, "storage_unavailable")
  assert.equal(
    dropped.message,
    `The PostgreSQL database at 127.0.0.1:${address.port}, database shop cannot be reached.`,
  )
  server.close()
  const refused = await problemOf(inspect("postgres://me:sekret@127.0.0.1:1/shop"))
  assert.match(refused.hint ?? "", /is the server running/)
  const unknown = await problemOf(inspect("postgres://me:sekret@host.invalid/shop"))
  assert.equal(unknown.code, "storage_unavailable")
  const url = new URL(await temporaryPostgres(t))
  url.pathname = "/there_is_no_such_database"
  assert.match((await problemOf(inspect(url.href))).hint ?? "", /^There is no database of this name/)
})

test("only the schemas that are asked for are read, and an unknown one is told with those there are", async (t) => {
  const url = await makeDatabase(
    t,
    "postgres",
    `CREATE SCHEMA one; CREATE SCHEMA two; CREATE TABLE one.thing (id integer PRIMARY KEY);
     CREATE TABLE two.thing (id integer PRIMARY KEY); CREATE TABLE other (id integer PRIMARY KEY);`,
  )
  const { model } = await inspectService(`${url}?schemas=two,one`, "made")
  assert.deepEqual(
    [...model.resources.values()].map(({ name, table }) => [name, table.schema]),
    [
      ["oneThing", "one"],
      ["thing", "two"],
    ],
  )
  const problem = await problemOf(inspect(`${url}?schemas=one,three`))
  assert.match(problem.message, /"three"/)
  assert.equal(problem.hint, "Known here: public, one, two.")
})

test("what the role may not read is noted, column by column", async (t) => {
  const role = `bifold_reader_${randomBytes(4).toString("hex")}`
  const hooks = cleanUp((work) => t.after(work))
  const url = await makeDatabase(
    hooks,
    "postgres",
    `CREATE ROLE ${role} LOGIN PASSWORD 'sekret';
     CREATE SCHEMA closed; CREATE TABLE closed.thing (id integer PRIMARY KEY);
     CREATE TABLE secret (id integer PRIMARY KEY);
     CREATE TABLE person (id integer PRIMARY KEY, name text, salary integer, boss_id integer REFERENCES person (id));
     GRANT SELECT (id, name) ON person TO ${role};`,
  )
  hooks.after(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role};`)
    await client.end()
  })
  const own = new URL(url)
  own.username = role
  own.password = "sekret"
  const { model, notes } = await inspectService(own.href, "made")
  assert.deepEqual([...model.resources.keys()], ["person"])
  assert.deepEqual([...(model.resources.get("person")?.fields.keys() ?? [])], ["name"])
  assert.deepEqual(
    notes.map(({ place, reason }) => `${place.join(".")}: ${reason}`),
    [
      "public.person: the role may not write so",
      "public.person.boss_id: the role may not read it",
      "public.person.boss_id: not all of its columns can be read",
      "public.person.salary: the role may not read it",
      "public.secret: the role may not read it",
    ],
  )
})

test("inspecting writes nothing, even where it could", async (t) => {
  const url = await makeDatabase(
    t,
    "postgres",
    `CREATE TABLE thing (id integer PRIMARY KEY);
     CREATE FUNCTION boom() RETURNS integer LANGUAGE plpgsql AS 'BEGIN INSERT INTO thing VALUES (1); RETURN 1; END';
     CREATE VIEW trap AS SELECT boom() AS a;`,
  )
  await inspect(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  assert.deepEqual((await client.query("SELECT * FROM thing")).rows, [])
  await client.end()
})
