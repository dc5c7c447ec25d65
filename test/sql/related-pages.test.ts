// A page of what a rule through a relation leaves: both databases look at rows for the page, however many related records
// the rule names, whether they are most of their table or next to none.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import pg from "pg"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { anyone, f, many, one, type ServiceDeclaration, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { guard } from "../../src/plan/guard/guard.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { withStatistics } from "../../src/sql/dialect.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { connectFaces } from "../support/open-service.ts"
import { openSqliteReader, readPostgres, type SqliteReader } from "../support/reading.ts"

const key = { column: "id", type: "integer" } as const
const ofTeam = { teamId: { eq: viewer["teamId"] } }

const declaration: ServiceDeclaration = {
  name: "related",
  viewer: "member",
  limits: { page: { default: 20, max: 100 } },
  resources: {
    team: { key, fields: { name: f.text() }, allow: {} },
    member: { key, fields: { name: f.text() }, relations: { team: one("team") }, allow: {} },
    customer: {
      key,
      fields: { name: f.text() },
      relations: { team: one("team"), orders: many("order", { by: "customer" }) },
      allow: { read: anyone },
    },
    order: {
      key,
      fields: { placed: f.integer() },
      relations: { customer: one("customer") },
      indexes: [["placed"]],
      allow: { read: { customer: ofTeam } },
    },
    line: {
      key,
      fields: { amount: f.integer() },
      relations: { order: one("order") },
      allow: { read: { order: { customer: ofTeam } } },
    },
    parcel: {
      key,
      fields: { open: f.integer() },
      relations: { customer: one("customer") },
      allow: { read: { or: [{ customer: ofTeam }, { open: { eq: 1 } }] } },
    },
    account: {
      key,
      fields: { name: f.text() },
      relations: { grants: many("grant", { by: "account" }) },
      allow: { read: { grants: { some: ofTeam } } },
    },
    grant: {
      key,
      fields: { name: f.text() },
      relations: { account: one("account"), team: one("team") },
      allow: {},
    },
  },
}

const model = load(declaration)
const [most, few] = [1, 2]
const teams = 200

/** Half of all belong to the first team, three to the second, the rest to the others. */
const teamOf = (id: number): number =>
  id % 2 === 0 ? most : [301, 601, 901].includes(id) ? few : 3 + (id % (teams - 2))

const rows = (count: number, make: (id: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, ...make(index + 1) }))

function recordsOf(customers: number): ReadonlyMap<string, readonly Row[]> {
  const spread = (id: number, among: number): number => 1 + ((id * 7_919) % among)
  const name = "a name"
  return new Map([
    ["team", rows(teams, () => ({ name }))],
    ["member", rows(teams, (id) => ({ name, teamId: id }))],
    ["customer", rows(customers, (id) => ({ name, teamId: teamOf(id) }))],
    ["order", rows(customers, (id) => ({ placed: spread(id, 9_973), customerId: spread(id, customers) }))],
    ["line", rows(customers, (id) => ({ amount: id, orderId: spread(id, customers) }))],
    ["parcel", rows(customers, (id) => ({ open: id % 500, customerId: spread(id, customers) }))],
    ["account", rows(customers, () => ({ name }))],
    ["grant", rows(customers, (id) => ({ name, accountId: id, teamId: teamOf(id) }))],
  ])
}

const both = ["sqlite", "postgres"] as const
/** PostgreSQL joins a page to small tables by reading them whole. */
const onlySqlite = ["sqlite"] as const

interface Tables {
  readonly sqlite: SqliteReader
  readonly postgres: pg.Client
  readonly records: ReadonlyMap<string, readonly Row[]>
  readonly storages: readonly Storage[]
}

const lists: Readonly<Record<string, string>> = {
  "of a to-one record": "orders(first: 20)",
  "of a to-one record, in the order of an index": "orders(first: 20, orderBy: [{ field: placed }])",
  "of a to-one record of another": "lines(first: 20)",
  "of one of several": "accounts(first: 20)",
  "of a joined record, and of lists within":
    "mine: lines(first: 20) { nodes { order { id customer { orders(first: 3) { nodes { id } } } } } } orders(first: 20)",
}

const filling = (dialect: typeof sqlite, records: ReadonlyMap<string, readonly Row[]>) => [
  ...createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
  ...insertRecords(model, dialect, { records, links: [] }),
]

/** The ids that a team is to see, as the rules say it in words. */
function seenBy(
  team: number,
  records: ReadonlyMap<string, readonly Row[]>,
): Readonly<Record<string, string[]>> {
  const all = (name: string): readonly Row[] => records.get(name) ?? []
  const customers = new Set(all("customer").flatMap((row) => (row["teamId"] === team ? [row["id"]] : [])))
  const orders = all("order").filter((row) => customers.has(row["customerId"] ?? null))
  const orderIds = new Set(orders.map((row) => row["id"]))
  const lines = all("line").filter((row) => orderIds.has(row["orderId"] ?? null))
  const accounts = all("grant").filter((row) => row["teamId"] === team)
  const parcels = all("parcel").filter((row) => row["open"] === 1 || customers.has(row["customerId"] ?? null))
  return {
    parcels: parcels.map((row) => `parcel_${row["id"]}`),
    orders: orders.map((row) => `order_${row["id"]}`),
    lines: lines.map((row) => `line_${row["id"]}`),
    accounts: accounts.map((row) => `account_${row["accountId"]}`),
  }
}

describe("a page by a rule on related records", () => {
  const hooks = cleanUp(after)
  const opened: Tables[] = []
  before(async () => {
    for (const customers of [2_000, 8_000]) opened.push(await open(customers))
  })

  async function open(customers: number): Promise<Tables> {
    const made = recordsOf(customers)
    const fill = (dialect: typeof sqlite) => filling(dialect, made)
    const [path, url] = [join(await temporaryFolder(hooks), "related.sqlite"), await temporaryPostgres(hooks)]
    await setUp(path, fill(sqlite))
    await setUp(url, fill(postgres))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    hooks.after(() => client.end())
    await client.query("VACUUM ANALYZE")
    const storages = await Promise.all([openStorage(path), openStorage(url)])
    for (const storage of storages) hooks.after(() => storage.close())
    return { sqlite: openSqliteReader(hooks, path), postgres: client, records: made, storages }
  }

  function planFor(team: number, list: string): ReadPlan {
    const actor = actorFromText(model, `member:member_${team}`)
    const query = `{ ${list} { nodes { id } pageInfo { hasNextPage endCursor } } }`
    return guard(
      planQuery({ model: actor.model, cursors: createCursors("a secret") }, { query }),
      actor,
    ) as ReadPlan
  }

  const rowsRead = async (tables: Tables, plan: ReadPlan) => ({
    sqlite: tables.sqlite.read(plan).rows,
    postgres: (await readPostgres(tables.postgres, plan)).rows,
  })

  for (const [name, list] of Object.entries(lists))
    for (const [whose, team] of [
      ["most", most],
      ["next to none", few],
    ] as const)
      test(`looks at rows for the page, not for all that the rule names: ${name}, ${whose} of them`, async () => {
        const plan = planFor(team, list)
        const [smaller, larger] = await Promise.all(opened.map((tables) => rowsRead(tables, plan)))
        assert.ok(smaller && larger)
        for (const database of list.startsWith("mine") ? onlySqlite : both) {
          const [before, now] = [smaller[database], larger[database]]
          assert.ok(
            before > 0 && now <= before * 1.2 + 50 && now < 1_500,
            `${database}: ${before} and ${now}`,
          )
        }
      })

  test("does not go through all that the rule names for each row, where PostgreSQL has no statistics yet", async () => {
    const url = await temporaryPostgres(hooks)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    hooks.after(() => client.end())
    const customers = 8_000
    await setUp(url, filling(postgres, recordsOf(customers)))
    await client.query(`ALTER TABLE "account" SET (autovacuum_enabled = off)`)
    await client.query(`ALTER TABLE "grant" SET (autovacuum_enabled = off)`)
    await client.query(`DELETE FROM pg_statistic WHERE starelid IN ('account'::regclass, 'grant'::regclass)`)
    const plan = planFor(most, "accounts(first: 20)")
    const { inBitmaps } = await readPostgres(
      client,
      plan,
      withStatistics(postgres, () => new Map()),
    )
    assert.ok(inBitmaps <= 3 * customers, `${inBitmaps}`)
  })

  test("gives the records that the rule names, page after page, whichever way they are found", async () => {
    const [{ records, storages }] = opened as [Tables]
    for (const team of [most, few, 7])
      for (const [name, ids] of Object.entries(seenBy(team, records)))
        for (const storage of storages) {
          const actor = actorFromText(model, `member:member_${team}`)
          const service = connectFaces(actor.model, storage, { actor })
          const found: string[] = []
          for (let after = "null"; after !== ""; ) {
            const query = `{ list: ${name}(first: 17, after: ${after}) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`
            const { list } = JSON.parse((await service.graphql({ body: { query } })).body).data
            found.push(...list.nodes.map(({ id }: { id: string }) => id))
            assert.equal(list.totalCount, ids.length)
            after = list.pageInfo.hasNextPage ? JSON.stringify(list.pageInfo.endCursor) : ""
          }
          assert.deepEqual(found, ids)
        }
  })
})
