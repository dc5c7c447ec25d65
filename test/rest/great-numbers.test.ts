// Sums and averages of numbers at both ends of a double: what a double holds is computed, whatever stands between, and what
// it does not hold is null in an answer that has everything else.
import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import { openStorage } from "../../src/storage/open.ts"
import { inspectSql } from "../introspection/databases.ts"
import { connectFaces, type Database, dialects, type OpenService } from "../support/open-service.ts"

const greatest = 1.7976931348623157e308
const least = 5e-324

/** By their group. */
const groups = {
  back: [1e308, 1e308, -1e308],
  cut: [1e300, 5, -1e300, null],
  great: [1e308, 1e308, 1e308],
  most: [greatest, greatest],
  never: [null, null],
  small: [least, 0],
  tiny: [least, least, 0],
  usual: [1, 2, 6],
} as const

const rows = Object.entries(groups).flatMap(([name, values]) => values.map((value) => [name, value] as const))
const inserted = rows
  .map(([name, value], index) => `(${index + 1}, '${name}', ${value ?? "NULL"}, ${value ?? "NULL"})`)
  .join(", ")

const tables: Readonly<Record<Database, string>> = {
  postgres: `CREATE TABLE thing (id integer PRIMARY KEY, name text NOT NULL, size float8, price numeric);
    INSERT INTO thing VALUES ${inserted};`,
  sqlite: `CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size REAL, price DECIMAL);
    INSERT INTO thing VALUES ${inserted};`,
}

async function open(t: TestContext, database: Database): Promise<OpenService> {
  const { url, model } = await inspectSql(t, database, tables[database])
  const storage = await openStorage(url, { writes: "unsafe" })
  t.after(() => storage.close())
  return connectFaces(model, storage)
}

interface Figures {
  readonly sum: number | null
  readonly avg: number | null
}

const expected: Readonly<Record<keyof typeof groups, Figures>> = {
  back: { sum: 1e308, avg: 1e308 / 3 },
  cut: { sum: 5, avg: 5 / 3 },
  great: { sum: null, avg: 1e308 },
  most: { sum: null, avg: greatest },
  never: { sum: null, avg: null },
  small: { sum: least, avg: 0 },
  tiny: { sum: 2 * least, avg: least },
  usual: { sum: 9, avg: 3 },
}

/** The last digits are as a database adds them up. */
function assertNear(found: number | null, meant: number | null, name: string): void {
  if (found === null || meant === null) assert.equal(found, meant, name)
  else
    assert.ok(Math.abs(found / 4 - meant / 4) <= Math.abs(meant / 4) * 1e-14, `${name}: ${found}, ${meant}`)
}

for (const database of dialects)
  describe(`numbers at the ends of a double: ${database}`, () => {
    it("come to what a double holds, by groups and by REST", async (t) => {
      const service = await open(t, database)
      const { status, body, headers } = await service.rest({
        method: "GET",
        path: "/things",
        query: "limit=0&groupBy=name&aggregate=sum.size,avg.size,avg.price",
        headers: { accept: "application/json" },
      })
      assert.equal(status, 200, body)
      const { groups: found, errors } = JSON.parse(body)
      assert.equal(found.length, Object.keys(groups).length, body)
      for (const { key, sum, avg } of found) {
        const { name } = key as { readonly name: keyof typeof groups }
        assertNear(sum.size, expected[name].sum, `sum ${name}`)
        assertNear(avg.size, expected[name].avg, `avg ${name}`)
        // SQLite holds the decimals of somebody else's table as doubles.
        assertNear(avg.price, expected[name].avg, `avg of decimals ${name}`)
      }
      const pointers = errors.map(({ pointer }: { readonly pointer: string }) => pointer)
      assert.deepEqual(pointers, ["/groups/2/sum/size", "/groups/3/sum/size"])
      assert.match(String(headers["value-errors"]), /^count=2,/)
    })

    it("leave a GraphQL answer the rest of it, with an error at the place", async (t) => {
      const service = await open(t, database)
      const { body } = await service.graphql({
        body: {
          query:
            '{ things(first: 1, where: {name: {eq: "great"}}) { nodes { size } totalCount aggregate { count sum { size } avg { size } max { size } } } }',
        },
      })
      const { data, errors } = JSON.parse(body)
      assert.equal(data.things.totalCount, 3)
      assert.deepEqual(data.things.nodes, [{ size: 1e308 }])
      assert.equal(data.things.aggregate.sum.size, null)
      assertNear(data.things.aggregate.avg.size, 1e308, "avg")
      assert.equal(data.things.aggregate.max.size, 1e308)
      assert.equal(errors.length, 1, body)
      assert.deepEqual(errors[0].path, ["things", "aggregate", "sum", "size"])
      assert.equal(errors[0].extensions.code, "unrepresentable_value")
    })
  })

it("averages of decimals that no double holds are null, and of those that are next to nothing 0", async (t) => {
  const { url, model } = await inspectSql(
    t,
    "postgres",
    `CREATE TABLE thing (id integer PRIMARY KEY, price numeric);
    INSERT INTO thing VALUES (1, 1e400), (2, 1e400), (3, 1e-400), (4, 1e-400), (5, 1.5e308), (6, 1.5e308);`,
  )
  const storage = await openStorage(url, { writes: "unsafe" })
  t.after(() => storage.close())
  const service = connectFaces(model, storage)
  const averages = []
  for (const ids of ["1,2", "3,4", "5,6"]) {
    const { status, body, headers } = await service.rest({
      method: "GET",
      path: "/things",
      query: `limit=0&aggregate=avg.price&filter[id][in]=${ids}`,
      headers: { accept: "application/json" },
    })
    assert.equal(status, 200, body)
    averages.push([JSON.parse(body).aggregate.avg.price, "value-errors" in headers])
  }
  assert.deepEqual(averages, [
    [null, true],
    [0, false],
    [1.5e308, false],
  ])
})
