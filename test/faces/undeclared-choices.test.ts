// Values outside of an enumeration, put into the database by others: null in every kind of answer of both faces, with
// `unrepresentable_value`. Orders and cursors go by the stored value.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { describe, it, type TestContext } from "node:test"
import pg from "pg"
import { openStorage } from "../../src/storage/open.ts"
import { inspectSql } from "../introspection/databases.ts"
import { connectFaces, type Database, dialects, type OpenService } from "../support/open-service.ts"

const tables: Readonly<Record<Database, string>> = {
  postgres: `CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE DOMAIN feeling AS mood;
    CREATE TABLE box (id integer PRIMARY KEY, name text NOT NULL);
    CREATE TABLE thing (id integer PRIMARY KEY, name text NOT NULL, box_id integer REFERENCES box (id),
      level text NOT NULL CONSTRAINT levels CHECK (level IN ('low', 'high "5"')),
      size varchar(20) CONSTRAINT sizes CHECK (size IN ('small', 'large')),
      mood mood NOT NULL, feeling feeling, moods mood[]);
    INSERT INTO box VALUES (1, 'a');
    INSERT INTO thing VALUES (1, 'a', 1, 'low', 'small', 'sad', 'sad', '{sad,ok}'), (2, 'b', 1, 'high "5"', 'large', 'ok', 'ok', '{}');`,
  sqlite: `CREATE TABLE box (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT NOT NULL, box_id INTEGER REFERENCES box (id),
      level TEXT NOT NULL CHECK (level IN ('low', 'high "5"')), size TEXT CHECK (size IN ('small', 'large')));
    INSERT INTO box VALUES (1, 'a');
    INSERT INTO thing VALUES (1, 'a', 1, 'low', 'small'), (2, 'b', 1, 'high "5"', 'large');`,
}

/** What another program does while the database is served: the third record has values that are not declared. */
async function change(t: TestContext, database: Database, url: string): Promise<void> {
  if (database === "sqlite") {
    const other = new DatabaseSync(url)
    t.after(() => other.close())
    other.exec(
      `PRAGMA ignore_check_constraints = ON; INSERT INTO thing VALUES (3, 'c', 1, 'x","admin":"yes', 'Small')`,
    )
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('ALTER TYPE mood ADD VALUE \'x","admin":"yes\'')
    await client.query(`ALTER TABLE thing DROP CONSTRAINT levels, DROP CONSTRAINT sizes;
      INSERT INTO thing VALUES (3, 'c', 1, 'x","admin":"yes', 'Small', 'x","admin":"yes', 'x","admin":"yes',
        '{ok,"x\\",\\"admin\\":\\"yes"}')`)
  } finally {
    await client.end()
  }
}

/** The members that the third record has no declared value of. */
const odd: Readonly<Record<Database, readonly string[]>> = {
  postgres: ["feeling", "level", "mood", "moods", "size"],
  sqlite: ["level", "size"],
}

async function open(t: TestContext, database: Database): Promise<OpenService> {
  const { url, model } = await inspectSql(t, database, tables[database])
  for (const name of odd[database])
    assert.equal(model.resources.get("thing")?.fields.get(name)?.scalar, "oneOf", name)
  const storage = await openStorage(url, { writes: "unsafe" })
  t.after(() => storage.close())
  const service = connectFaces(model, storage)
  const before = JSON.parse((await get(service, "/things")).body)
  assert.deepEqual(
    before.data.map(({ level, size }: Record<string, unknown>) => [level, size]),
    [
      ["low", "small"],
      ['high "5"', "large"],
    ],
  )
  assert.equal(before.errors, undefined)
  await change(t, database, url)
  return service
}

const get = (service: OpenService, path: string, query = "") =>
  service.rest({ method: "GET", path, query, headers: { accept: "application/json" } })

const ask = async (service: OpenService, query: string) =>
  JSON.parse((await service.graphql({ body: { query } })).body)

interface Told {
  readonly code?: string
  readonly extensions?: { readonly code: string }
  readonly pointer?: string
  readonly path?: readonly unknown[]
}

/** The places of the errors, each of which has the code. */
function places(errors: readonly Told[] = []): readonly string[] {
  for (const { code, extensions } of errors)
    assert.equal(code ?? extensions?.code, "unrepresentable_value", JSON.stringify(errors))
  return errors.map(({ pointer, path }) => pointer ?? `/${path?.join("/")}`).sort()
}

const write = async (service: OpenService, method: string, path: string, body: unknown) => {
  const sent = { headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) }
  const answer = await service.rest({ method, path, query: "", ...sent })
  assert.ok(answer.status < 300, answer.body)
  return { ...answer, json: JSON.parse(answer.body) }
}

for (const database of dialects)
  describe(`values outside of their enumeration: ${database}`, { concurrency: true }, () => {
    const names = odd[database]

    it("are null in records, lists and relations, with their places", async (t) => {
      const service = await open(t, database)
      const list = JSON.parse((await get(service, "/things")).body)
      assert.deepEqual(
        places(list.errors),
        names.map((name) => `/data/2/${name}`),
      )
      for (const name of names) assert.equal(list.data[2][name], null)
      const alone = await get(service, "/things/3")
      assert.deepEqual(JSON.parse(alone.body), list.data[2])
      assert.match(alone.headers["value-errors"] ?? "", new RegExp(`^count=${names.length},`))
      const included = JSON.parse((await get(service, "/boxes/1", "include=things")).body)
      assert.deepEqual(included.things.data[2], list.data[2])

      const optional = names.filter((name) => name !== "level" && name !== "mood")
      const fields = optional.join(" ")
      const answer = await ask(
        service,
        `{ things { nodes { id ${fields} } } thing(id: "3") { id ${fields} box { things { nodes { ${fields} } } } } strict: thing(id: "3") { id level } }`,
      )
      assert.equal(answer.data.strict, null, "level is not nullable")
      assert.deepEqual(
        places(answer.errors),
        [
          ...optional.flatMap((name) => [
            `/thing/box/things/nodes/2/${name}`,
            `/thing/${name}`,
            `/things/nodes/2/${name}`,
          ]),
          "/strict/level",
        ].sort(),
      )
      for (const name of optional) assert.equal(answer.data.thing[name], null)
    })

    it("are null as keys of groups", async (t) => {
      const service = await open(t, database)
      for (const name of names.filter((one) => one !== "moods")) {
        const { body } = await get(service, "/things", `groupBy=${name}&aggregate=count&fields=name`)
        const { groups, errors } = JSON.parse(body)
        assert.equal(groups?.length, 3, body)
        const place = groups.findIndex((one: { key: Record<string, unknown> }) => one.key[name] === null)
        assert.deepEqual(places(errors), [`/groups/${place}/key/${name}`])
        const answer = await ask(service, `{ things { groups(by: [${name}]) { key { ${name} } count } } }`)
        assert.deepEqual(places(answer.errors), [`/things/groups/${place}/key/${name}`])
      }
    })

    it("are null as least and greatest values", async (t) => {
      const service = await open(t, database)
      for (const name of names.filter((one) => one !== "moods")) {
        const measure = name === "size" ? "min" : "max"
        const { body } = await get(service, "/things", `aggregate=${measure}.${name}&limit=0`)
        const { aggregate, errors } = JSON.parse(body)
        assert.deepEqual(aggregate, { [measure]: { [name]: null } }, body)
        assert.deepEqual(places(errors), [`/aggregate/${measure}/${name}`])
        const answer = await ask(service, `{ things { aggregate { ${measure} { ${name} } } } }`)
        assert.deepEqual(answer.data, { things: { aggregate: { [measure]: { [name]: null } } } })
        assert.deepEqual(places(answer.errors), [`/things/aggregate/${measure}/${name}`])
      }
    })

    it("are passed by cursors in their order", async (t) => {
      const service = await open(t, database)
      for (const name of names.filter((one) => one !== "moods"))
        for (const sort of [name, `-${name}`]) {
          const whole = JSON.parse((await get(service, "/things", `sort=${sort}&fields=name`)).body)
          const expected = whole.data.map((one: { name: string }) => one.name)
          const found: string[] = []
          for (let after = ""; found.length < 4; ) {
            const page = await get(service, "/things", `sort=${sort}&fields=name&limit=1${after}`)
            assert.equal(page.status, 200, `${sort} ${page.body}`)
            const { data, page: facts } = JSON.parse(page.body)
            found.push(data[0].name)
            if (facts.next === null) break
            after = `&after=${encodeURIComponent(facts.next)}`
          }
          assert.deepEqual(found, expected, sort)
        }
    })

    it("are null in answers of writes, which are done", async (t) => {
      const service = await open(t, database)
      const patched = await write(service, "PATCH", "/things/3", { name: "C" })
      assert.equal(patched.json.name, "C")
      for (const name of names) assert.equal(patched.json[name], null)
      assert.match(patched.headers["value-errors"] ?? "", new RegExp(`^count=${names.length},`))
      const { data, errors } = await ask(
        service,
        `mutation { updateThing(id: "3", input: { name: "CC" }) { thing { name size } } }`,
      )
      assert.deepEqual(data.updateThing.thing, { name: "CC", size: null })
      assert.deepEqual(places(errors), ["/updateThing/thing/size"])
      const several = await ask(
        service,
        `mutation { updateThings(where: { id: { notIn: [] } }, input: { name: "all" }, maxAffected: 9) { things { id size } } }`,
      )
      assert.deepEqual(
        several.data?.updateThings.things.map(({ size }: { size: unknown }) => size),
        ["small", "large", null],
        JSON.stringify(several),
      )
      const mended = await write(service, "PATCH", "/things/3", { level: "low", size: "small" })
      assert.deepEqual([mended.json.level, mended.json.size], ["low", "small"])
    })
  })
