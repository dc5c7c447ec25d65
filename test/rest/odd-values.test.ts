// Values that a database holds and JSON has no form for: null in every kind of answer, with their places told, while the
// rest of the answer stays; orders, cursors and conditions go by what the database holds.
import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import { openStorage } from "../../src/storage/open.ts"
import { inspectSql } from "../introspection/databases.ts"
import { connectFaces, type Database, dialects, type OpenService } from "../support/open-service.ts"

const tables: Readonly<Record<Database, string>> = {
  postgres: `CREATE TABLE box (id integer PRIMARY KEY, name text NOT NULL);
    CREATE TABLE thing (id integer PRIMARY KEY, name text NOT NULL, box_id integer REFERENCES box (id),
      at timestamptz NOT NULL, day date, clock time, size float8 NOT NULL, price numeric, numbers integer[]);
    INSERT INTO box VALUES (1, 'a');
    INSERT INTO thing VALUES
      (1, 'a', 1, 'infinity', 'infinity', '24:00', 'NaN', 'NaN', '{1,NULL}'),
      (2, 'b', 1, '-infinity', '-infinity', '10:00', '-Infinity', '-1', '{1}'),
      (3, 'c', 1, '12024-01-01Z', '12024-01-01', '11:00', 'Infinity', '2', '{{1}}'),
      (4, 'd', 1, '2026-01-02Z', '2026-01-02', '12:00', 1.5, '3', '{2}'),
      (5, 'e', 1, 'infinity', '0044-03-15 BC', '24:00', 'NaN', 'NaN', NULL);`,
  sqlite: `CREATE TABLE box (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT NOT NULL, box_id INTEGER REFERENCES box (id),
      at DATETIME NOT NULL, day DATE, clock TIME, size REAL NOT NULL, price DECIMAL, numbers INTEGER);
    INSERT INTO box VALUES (1, 'a');
    INSERT INTO thing VALUES
      (1, 'a', 1, '12024-01-01T00:00:00Z', 'soon', '24:00:00', 9e999, 9e999, 'x'),
      (2, 'b', 1, 'never', '2026-13-45', '10:00:00', -9e999, -1, 1),
      (3, 'c', 1, 'infinity', x'ff', '11:00:00', 9e999, 2, x'00'),
      (4, 'd', 1, '2026-01-02T00:00:00Z', '2026-01-02', '12:00:00', 1.5, 3, 2),
      (5, 'e', 1, 'never', NULL, '24:00:00', 9e999, -9e999, 1.5);`,
}

async function open(t: TestContext, database: Database): Promise<OpenService> {
  const { url, model } = await inspectSql(t, database, tables[database])
  const storage = await openStorage(url, { writes: "unsafe" })
  t.after(() => storage.close())
  return connectFaces(model, storage)
}

/** What the header says: places, and how many there are. */
function placesIn(headers: Readonly<Record<string, string>>): readonly string[] {
  const [, count, pointers = ""] =
    /^count=(\d+), pointers=\((.*)\)$/.exec(headers["value-errors"] ?? "count=0, pointers=()") ?? []
  const places = pointers.split(" ").flatMap((one) => (one === "" ? [] : [one.slice(1, -1)]))
  assert.equal(Math.min(Number(count), 20), places.length)
  return places
}

const get = (service: OpenService, path: string, query = "", accept = "application/json") =>
  service.rest({ method: "GET", path, query, headers: { accept } })

/** Of the first record. */
const odd = ["at", "clock", "day", "numbers", "price", "size"]

for (const database of dialects)
  describe(`odd values: ${database}`, () => {
    it("are null in a list, whose envelope and header tell them", async (t) => {
      const service = await open(t, database)
      const { status, body, headers } = await get(service, "/things")
      assert.equal(status, 200)
      const { data, errors } = JSON.parse(body)
      assert.deepEqual(
        data.map(({ name }: { name: string }) => name),
        ["a", "b", "c", "d", "e"],
      )
      assert.equal(data[3].size, 1.5)
      const pointers = errors.map(({ pointer }: { pointer: string }) => pointer)
      assert.deepEqual(
        pointers.filter((one: string) => one.startsWith("/data/0/")).sort(),
        odd.map((name) => `/data/0/${name}`),
      )
      assert.equal(pointers.filter((one: string) => one.startsWith("/data/3/")).length, 0)
      assert.ok(errors.every(({ code }: { code: string }) => code === "unrepresentable_value"))
      assert.deepEqual(placesIn(headers), pointers.slice(0, 20))
    })

    it("leave a record the same JSON by itself, in lists, included, by id and as lines", async (t) => {
      const service = await open(t, database)
      const alone = await get(service, "/things/1")
      assert.equal(alone.status, 200)
      const places = placesIn(alone.headers)
      assert.deepEqual(
        [...places].sort(),
        odd.map((name) => `/${name}`),
      )
      const record = JSON.parse(alone.body)
      for (const place of places) assert.equal(record[place.slice(1)], null)
      const list = JSON.parse((await get(service, "/things")).body)
      assert.deepEqual(list.data[0], record)
      const lines = await get(service, "/things", "", "application/x-ndjson")
      assert.equal(lines.body.split("\n")[0], alone.body)
      assert.ok(placesIn(lines.headers).includes("/data/0/at"))
      const included = await get(service, "/boxes/1", "include=things")
      assert.deepEqual(JSON.parse(included.body).things.data[0], record)
      assert.ok(placesIn(included.headers).includes("/things/data/0/at"))
      const table = await get(service, "/things", "fields=name,size", "text/csv")
      assert.equal(table.status, 200)
      assert.equal(table.body.split("\r\n")[1], "thing_1,a,")
      assert.ok(placesIn(table.headers).includes("/data/0/size"))
    })

    it("are passed by cursors, whichever way, as the database orders them", async (t) => {
      const service = await open(t, database)
      for (const sort of [
        "at",
        "-at",
        "day",
        "-day",
        "clock",
        "size",
        "-size",
        "price",
        "-price",
        "numbers",
      ]) {
        if (sort === "numbers" && database === "postgres") continue
        const whole = JSON.parse((await get(service, "/things", `sort=${sort}&fields=name`)).body)
        const expected = whole.data.map(({ name }: { name: string }) => name)
        assert.equal(expected.length, 5)
        const found: string[] = []
        for (let after = ""; found.length < 6; ) {
          const page = await get(service, "/things", `sort=${sort}&fields=name&limit=1${after}`)
          assert.equal(page.status, 200, `${sort} ${found} ${page.body}`)
          const { data, page: facts } = JSON.parse(page.body)
          found.push(data[0].name)
          if (facts.next === null) break
          after = `&after=${encodeURIComponent(facts.next)}`
        }
        assert.deepEqual(found, expected, sort)
      }
    })

    it("are found by conditions as the database compares them", async (t) => {
      const service = await open(t, database)
      const later = await get(service, "/things", "filter[size][gt]=1e300&fields=name")
      const names = JSON.parse(later.body).data.map(({ name }: { name: string }) => name)
      assert.deepEqual(names, ["a", "c", "e"])
    })

    it("do not keep the record from being written", async (t) => {
      const service = await open(t, database)
      const write = (method: string, path: string, body: unknown, type = "application/json") =>
        service.rest({
          method,
          path,
          query: "",
          headers: { "content-type": type },
          body: Buffer.from(JSON.stringify(body)),
        })
      const patched = await write("PATCH", "/things/1", { name: "A" })
      assert.equal(patched.status, 200, patched.body)
      assert.equal(JSON.parse(patched.body).name, "A")
      assert.ok(placesIn(patched.headers).includes("/at"))
      const type = "application/json-patch+json"
      const again = await write("PATCH", "/things/1", [{ op: "replace", path: "/name", value: "AA" }], type)
      assert.equal(again.status, 200, again.body)
      const read = await get(service, "/things/1")
      assert.equal(read.body, again.body)
      assert.ok(placesIn(read.headers).includes("/at"), "what was not patched is as it was")
      const batch = await write("POST", "/batch", {
        requests: [{ method: "PATCH", path: "/things/1", body: { name: "B" } }],
      })
      assert.equal(batch.status, 200, batch.body)
      const { responses, errors } = JSON.parse(batch.body)
      assert.equal(responses[0].body.name, "B")
      assert.ok(errors.some(({ pointer }: { pointer: string }) => pointer === "/responses/0/body/at"))
      const refused = await write("PATCH", "/things/1", { at: "infinity" })
      assert.equal(refused.status, 400)
      const mended = await write("PATCH", "/things/1", { at: "2026-01-01T00:00:00Z" })
      assert.equal(JSON.parse(mended.body).at, "2026-01-01T00:00:00Z")
    })
  })
