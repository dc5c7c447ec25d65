// A page of what a rule through a relation leaves: both databases look at rows for the page, however many related records
// the rule names, whether they are most of their table or next to none.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import pg from "pg"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { actorFromText } from "../../src/identity/actor-text.ts"
import { f, many, one, type ServiceDeclaration, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { guard } from "../../src/plan/guard/guard.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
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
    customer: { key, fields: { name: f.text() }, relations: { team: one("team") }, allow: {} },
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
    ["account", rows(customers, () => ({ name }))],
    ["grant", rows(customers, (id) => ({ name, accountId: id, teamId: teamOf(id) }))],
  ])
}

interface Tables {
  readonly sqlite: SqliteReader
  readonly postgres: pg.Client
}

const lists: Readonly<Record<string, string>> = {
  "of a to-one record": "orders(first: 20)",
  "of a to-one record, in the order of an index": "orders(first: 20, orderBy: [{ field: placed }])",
  "of a to-one record of another": "lines(first: 20)",
  "of one of several": "accounts(first: 20)",
}

describe("a page by a rule on related records", () => {
  const hooks = cleanUp(after)
  const opened: Tables[] = []
  before(async () => {
    for (const customers of [2_000, 8_000]) opened.push(await open(customers))
  })

  async function open(customers: number): Promise<Tables> {
    const records = { records: recordsOf(customers), links: [] }
    const fill = (dialect: typeof sqlite) => [
      ...createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
      ...insertRecords(model, dialect, records),
    ]
    const [path, url] = [join(await temporaryFolder(hooks), "related.sqlite"), await temporaryPostgres(hooks)]
    await setUp(path, fill(sqlite))
    await setUp(url, fill(postgres))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    hooks.after(() => client.end())
    await client.query("VACUUM ANALYZE")
    return { sqlite: openSqliteReader(hooks, path), postgres: client }
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
        for (const database of ["sqlite", "postgres"] as const) {
          const [before, now] = [smaller[database], larger[database]]
          assert.ok(
            before > 0 && now <= before * 1.2 + 50 && now < 1_500,
            `${database}: ${before} and ${now}`,
          )
        }
      })
})
