// What PostgreSQL plans once and what it plans with the values of each request: what a statement compares is looked up in
// the database's own statistics, and a value that is rarer or more frequent than others is planned for by itself.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { f, one, resource, type ServiceDeclaration, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { actorOf, everybodyOf } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import type { Parameter } from "../../src/sql/statement.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { readPostgresStatistics, statisticsQuery } from "../../src/storage/postgres/statistics.ts"
import type { Lane, Storage } from "../../src/storage/storage.ts"
import { cleanUp, temporaryPostgres } from "../support/database.ts"
import { connectFaces, type OpenService } from "../support/open-service.ts"

const key = { column: "id", type: "integer" } as const
const declaration: ServiceDeclaration = {
  name: "desk",
  viewer: "team",
  resources: {
    team: { key, fields: { name: f.text({ max: 20 }) }, allow: { read: { id: { eq: viewer["id"] } } } },
    ticket: resource({
      key,
      fields: {
        colour: f.text({ max: 20 }),
        status: f.text({ max: 20 }),
        urgent: f.boolean(),
        rank: f.integer({ min: 0 }),
      },
      relations: { team: one("team") },
      indexes: [["colour"], ["status"], ["rank"], ["colour", "rank"]],
      allow: { read: { team: { id: { eq: viewer["id"] } } } },
    }),
  },
}

const whole = load(declaration)
/** So many that going through them shows, and so few that a tenth of them is still looked at promptly. */
const tickets = 40_000

/** Colours and ranks are spread evenly, a status is rare, a third team has four tickets and a fourth has none. */
const fill = `INSERT INTO ticket (id, colour, status, urgent, rank, team_id)
  SELECT n, (ARRAY['red', 'green', 'blue'])[1 + n % 3], CASE WHEN n % ${tickets / 4} = 0 THEN 'stuck' ELSE 'done' END,
    n % 2 = 0, n * 7919 % 10007, CASE WHEN n % ${tickets / 4} = 1 THEN 3 ELSE 1 + n % 2 END
  FROM generate_series(1, ${tickets}) AS n`

interface Sent {
  readonly text: string
  readonly values: Parameter[]
  readonly pace: Lane | undefined
}

describe("on PostgreSQL", () => {
  const hooks = cleanUp(after)
  let client: pg.Client
  let storage: Storage
  let anyone: OpenService
  const sent: Sent[] = []
  before(async () => {
    const url = await temporaryPostgres(hooks)
    const tables = createSchema(whole, postgres).map((text) => ({ text, parameters: [] }))
    const teams = "INSERT INTO team (id, name) SELECT n, 'Team ' || n FROM generate_series(1, 4) AS n"
    await setUp(url, [...tables, { text: teams, parameters: [] }, { text: fill, parameters: [] }])
    client = new pg.Client({ connectionString: url })
    await client.connect()
    hooks.after(() => client.end())
    const opened = await openStorage(url)
    hooks.after(() => opened.close())
    // It finds out by itself; nobody waits for that at a start.
    while (!opened.statistics.get("ticket")?.frequencies?.has("colour")) await sleep(5)
    let { statistics } = opened
    storage = {
      ...opened,
      get statistics() {
        return statistics
      },
      read(statement, values, outlook) {
        sent.push({ text: statement.text, values: [...values], pace: outlook?.pace })
        return opened.read(statement, values, outlook)
      },
    }
    refresh = async () => {
      statistics = readPostgresStatistics((await client.query(statisticsQuery)).rows)
    }
    const model = openModel(whole)
    anyone = connectFaces(model, storage, { actor: everybodyOf(model), singleFlight: false })
  })
  /** As the storage does from time to time. */
  let refresh: () => Promise<void>

  async function statementOf(service: OpenService, where: string, rest = ""): Promise<Sent> {
    sent.splice(0)
    const query = `{ tickets(first: 20, where: {${where}}${rest}) { nodes { id } pageInfo { hasNextPage } } }`
    const { body } = await service.graphql({ body: { query } })
    const [only, ...more] = sent
    assert.ok(only && more.length === 0 && !body.includes("errors"), body)
    assert.equal(only.pace, "prompt")
    return only
  }

  const isBounded = ({ text }: Sent): boolean => /LIMIT 101\b/.test(text)

  /** Runs them while the statement is prepared. */
  async function prepared<Result>({ text, values }: Sent, run: (execute: string) => Promise<Result>) {
    const literals = values.map((value) => (value === null ? "NULL" : client.escapeLiteral(String(value))))
    await client.query(`PREPARE ours AS ${text}`)
    try {
      return await run(`EXECUTE ours (${literals.join()})`)
    } finally {
      await client.query("DEALLOCATE ours; RESET plan_cache_mode")
    }
  }

  /** Of twelve executions with these values, how many are planned for all values. */
  const timesPlannedForAll = (sent: Sent): Promise<number | undefined> =>
    prepared(sent, async (execute) => {
      for (let time = 0; time < 12; time += 1) await client.query(execute)
      const { rows } = await client.query<{ once: number }>(
        "SELECT generic_plans::int AS once FROM pg_prepared_statements WHERE name = 'ours'",
      )
      return rows[0]?.once
    })

  interface Node {
    readonly "Actual Rows": number
    readonly "Actual Loops": number
    readonly "Relation Name"?: string
    readonly "Rows Removed by Filter"?: number
    readonly Plans?: readonly Node[]
  }
  const rowsIn = (node: Node): number =>
    (node["Relation Name"] === undefined
      ? 0
      : (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]) +
    (node.Plans ?? []).reduce((sum, inner) => sum + rowsIn(inner), 0)

  /** Rows looked at for these values. */
  const rowsPlanned = (mode: "force_generic_plan" | "force_custom_plan", sent: Sent): Promise<number> =>
    prepared(sent, async (execute) => {
      await client.query(`SET plan_cache_mode = ${mode}`)
      const { rows } = await client.query<{ "QUERY PLAN": readonly [{ Plan: Node }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`,
      )
      const [row] = rows
      assert.ok(row)
      return rowsIn(row["QUERY PLAN"][0].Plan)
    })

  const asTeam = (id: number): OpenService => {
    const actor = actorOf(whole, { name: `team ${id}`, viewer: `${id}`, roles: [], scopes: [] })
    assert.ok(actor)
    return connectFaces(actor.model, storage, { actor, singleFlight: false })
  }
  const byRank = ", orderBy: [{field: rank}]"

  it("what is as frequent as others of its column is planned once for all of them", async () => {
    const red = await statementOf(anyone, 'colour: {eq: "red"}')
    assert.equal((await statementOf(anyone, 'colour: {eq: "blue"}')).text, red.text)
    assert.ok(isBounded(red))
    assert.equal(await timesPlannedForAll(red), 7) // PostgreSQL looks at the values of the first five
    assert.ok((await rowsPlanned("force_generic_plan", red)) <= 200)
  })

  it("a rare value is planned by itself, where a plan for all would go through the table", async () => {
    const done = await statementOf(anyone, 'status: {eq: "done"}', byRank)
    const stuck = await statementOf(anyone, 'status: {eq: "stuck"}', byRank)
    assert.deepEqual([isBounded(done), isBounded(stuck)], [true, false])
    assert.equal(await timesPlannedForAll(stuck), 0)
    assert.ok((await rowsPlanned("force_custom_plan", stuck)) <= 10)
    // What the guard is for: the statement for usual values, given this one.
    const wrong = { ...done, values: done.values.map((value) => (value === "done" ? "stuck" : value)) }
    assert.ok((await rowsPlanned("force_generic_plan", wrong)) > tickets / 2)
  })

  it("so is a value that nothing has, though all others are equally frequent", async () => {
    const violet = await statementOf(anyone, 'colour: {eq: "violet"}')
    assert.ok(!isBounded(violet))
    assert.equal(await timesPlannedForAll(violet), 0)
    assert.ok((await rowsPlanned("force_custom_plan", violet)) <= 10)
  })

  it("a rule beside the request's condition is one value more", async () => {
    const wanted = 'colour: {eq: "green"}'
    const [first, second] = [
      await statementOf(asTeam(1), wanted, byRank),
      await statementOf(asTeam(2), wanted, byRank),
    ]
    assert.equal(first.text, second.text)
    assert.ok(isBounded(first))
    assert.equal(await timesPlannedForAll(first), 7)
    for (const team of [3, 4]) {
      const rare = await statementOf(asTeam(team), wanted, byRank)
      assert.ok(!isBounded(rare), `team ${team}`)
      assert.equal(await timesPlannedForAll(rare), 0)
      assert.ok((await rowsPlanned("force_custom_plan", rare)) <= 50)
    }
  })

  it("anything but an equality takes the values to plan it", async () => {
    const usual = 'colour: {eq: "red"}, urgent: {eq: true}'
    assert.ok(isBounded(await statementOf(anyone, usual, byRank)))
    for (const more of [
      'status: {in: ["done"]}',
      "rank: {gt: 10000}",
      'status: {ne: "done"}',
      'not: {status: {eq: "done"}}',
    ])
      assert.ok(
        !isBounded(await statementOf(anyone, `${usual}, ${more}`, ", orderBy: [{field: colour}]")),
        more,
      )
  })

  it("when the statistics change, so does what a statement of a known shape is", async () => {
    const ask = async (colour: string): Promise<boolean> =>
      isBounded(await statementOf(anyone, `colour: {eq: "${colour}"}`))
    assert.deepEqual([await ask("red"), await ask("green")], [true, true])
    const few = "colour = (ARRAY['red', 'blue'])[1 + id / 3 % 2] WHERE colour = 'green' AND id > 40"
    await client.query(`UPDATE ticket SET ${few}; ANALYZE ticket`)
    assert.equal(await ask("green"), true)
    await refresh()
    assert.deepEqual([await ask("red"), await ask("green")], [true, false])
    await client.query(
      "UPDATE ticket SET colour = (ARRAY['red', 'green', 'blue'])[1 + id % 3]; ANALYZE ticket",
    )
    await refresh()
    assert.deepEqual([await ask("red"), await ask("green")], [true, true])
  })

  it("of what was never analysed nothing is known, so it is planned with its values", async () => {
    await client.query(
      "CREATE TABLE copy (LIKE ticket INCLUDING INDEXES) WITH (autovacuum_enabled = off); INSERT INTO copy SELECT * FROM ticket",
    )
    const found = readPostgresStatistics((await client.query(statisticsQuery)).rows)
    const [known, unknown] = [found.get("ticket")?.frequencies, found.get("copy")?.frequencies]
    assert.deepEqual([known?.get("colour")?.named.has("red"), unknown?.get("colour")], [true, undefined])
    await client.query("ALTER TABLE ticket RENAME TO ticket_before; ALTER TABLE copy RENAME TO ticket")
    await refresh()
    assert.ok(!isBounded(await statementOf(anyone, 'colour: {eq: "red"}')))
  })
})
