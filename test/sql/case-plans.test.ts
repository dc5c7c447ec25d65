// The cases of test/cases on both databases: no table is read from an end that an index serves, and no more rows are
// looked at than the answer needs, each with the reason for its number. A page in the order of an index goes along it again
// for what follows and, on SQLite, for its ends: its rows are in the number as often.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import pg from "pg"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { placeCursors, readCase } from "../support/cases.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { connectFaces, exampleRecords, type OpenService } from "../support/open-service.ts"
import { openSqliteReader, type Reading, readPostgres, type SqliteReader } from "../support/reading.ts"

interface Bound {
  /** Rows looked at, at the most: of SQLite those of lists and conditions, of PostgreSQL all. */
  readonly rows: readonly [sqlite: number, postgres: number]
  /** Why they are needed. */
  readonly since: string
  /** Tables that are read from an end until the page is full, or to the other end where no index is on what is asked. */
  readonly scans?: readonly string[]
}

const bounds: Readonly<Record<string, Bound>> = {
  "record-by-id": { rows: [0, 1], since: "it is the record" },
  "record-by-unique-key": { rows: [0, 1], since: "it is the record" },
  "record-with-composite-key": { rows: [0, 1], since: "both parts of the key are searched" },
  "record-missing": { rows: [0, 0], since: "there is none" },
  "node-of-any-resource": { rows: [0, 1], since: "the id says which table" },
  "nodes-in-the-order-asked": { rows: [0, 2], since: "each is searched by itself" },
  "parent-of-a-record": { rows: [0, 2], since: "the record and its parent" },
  "children-of-a-record": {
    rows: [9, 6],
    since: "the record, two children and the one that follows; SQLite finds the page again for each fact",
  },
  "list-first": { rows: [11, 7], since: "three and the one that follows", scans: ["product"] },
  "list-last": { rows: [4, 7], since: "three and the one before", scans: ["product"] },
  "list-after-cursor": { rows: [8, 5], since: "two and the one that follows" },
  "list-before-cursor": { rows: [3, 5], since: "two and the one before" },
  "list-between-cursors": { rows: [10, 3], since: "what is between them" },
  "list-after-cursor-among-missing-values": { rows: [11, 7], since: "three and the one that follows" },
  "order-descending-with-ties": {
    rows: [23, 24],
    since: "six, the one that follows, and the one that ends its ties, which are sorted by the key",
    scans: ["product"],
  },
  "where-id": { rows: [2, 2], since: "each is searched" },
  "where-in": { rows: [2, 2], since: "each is searched" },
  "where-in-nothing": { rows: [0, 0], since: "nothing is searched" },
  "where-range": { rows: [17, 11], since: "five and the one that follows, in the index's order" },
  "where-reference": { rows: [3, 3], since: "two and the one that follows" },
  "where-moment-with-offset": { rows: [14, 14], since: "seven in the range: for the page and for the total" },
  "where-equal": {
    rows: [2_129, 20],
    since:
      "SQLite takes all of the index's equal values and sorts them, PostgreSQL the first in order that are equal",
  },
  "where-list-has": { rows: [19, 19], since: "in the page's order until it is full", scans: ["product"] },
  "list-total": { rows: [5_030, 2_530], since: "2,515 are equal, and all of them are counted" },
  "aggregate-nested": {
    rows: [700, 700],
    since: "all orders of two customers, one of whom has very many",
    scans: ["customer"],
  },
  "nested-to-one": { rows: [8, 6], since: "two, the one that follows, and a parent each", scans: ["order"] },
  "nested-two-keys-to-one-table": {
    rows: [8, 7],
    since: "two, the one that follows, and two parents each",
    scans: ["order"],
  },
  "nested-to-many": { rows: [8, 5], since: "two, the one that follows, and their lines", scans: ["order"] },
  "nested-deeply": { rows: [10, 6], since: "one of each, and the ones that follow", scans: ["customer"] },
  "nested-many-to-many": {
    rows: [32, 40],
    since: "four products, their links and tags; SQLite finds the page again for each fact",
    scans: ["product"],
  },
  "where-through-a-unique-value": {
    rows: [9, 9],
    since: "the customer and three of four orders for the page, the customer and four for the total",
  },
  "where-through-a-reference": {
    rows: [180, 135],
    since:
      "56 lines of the product for the page and for the total, and the orders of those that count; SQLite: these lines once more, to tell that they are few",
    scans: ["order"],
  },
  "where-through-a-join-table": {
    rows: [105, 260],
    since: "the links of two tags: 95 products in all, for the page and for the total",
    scans: ["product"],
  },
  "where-none": {
    rows: [3_600, 3_600],
    since: "each customer is asked for an order, for the total; without it the page would end it",
    scans: ["customer"],
  },
}

describe("the cases look at no more rows than they need", () => {
  const hooks = cleanUp(after)
  let reader: SqliteReader
  let client: pg.Client
  let service: OpenService
  before(async () => {
    const { model, stored } = exampleRecords("storefront")
    const [path, url] = [join(await temporaryFolder(hooks), "cases.sqlite"), await temporaryPostgres(hooks)]
    for (const [address, dialect] of [
      [path, sqlite],
      [url, postgres],
    ] as const) {
      const tables = createSchema(model, dialect).map((text) => ({ text, parameters: [] }))
      await setUp(address, [...tables, ...insertRecords(model, dialect, stored)])
    }
    reader = openSqliteReader(hooks, path)
    client = new pg.Client({ connectionString: url })
    await client.connect()
    hooks.after(() => client.end())
    // Small tables are read whole however many indexes they have; without it only what no index helps is.
    await client.query("SET enable_seqscan = off")
    const storage = await openStorage(path)
    hooks.after(() => storage.close())
    service = connectFaces(model, storage)
  })

  const planOf = async (name: string): Promise<ReadPlan> => {
    const { graphql } = readCase(name)
    assert.ok(graphql, `${name} is asked in GraphQL`)
    const query = await placeCursors(graphql.query, service)
    return planQuery(service.context, { query, variables: graphql.variables })
  }

  const holds = ({ scanned, rows }: Reading, { scans = [], since }: Bound, most: number): void => {
    assert.deepEqual(
      scanned.filter((table) => !scans.includes(table)),
      [],
    )
    assert.ok(rows <= most, `${rows} rows, at most ${most}: ${since}`)
  }

  test("there are at least twenty", () => assert.ok(Object.keys(bounds).length >= 20))

  for (const [name, bound] of Object.entries(bounds)) {
    const behaviour = name.replaceAll("-", " ")
    test(`${behaviour} (SQLite)`, async () => holds(reader.read(await planOf(name)), bound, bound.rows[0]))
    test(`${behaviour} (PostgreSQL)`, async () =>
      holds(await readPostgres(client, await planOf(name)), bound, bound.rows[1]))
  }
})
