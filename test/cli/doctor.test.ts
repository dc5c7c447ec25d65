// `bifold doctor`: what it finds of a process, of both databases and of a service, each shown by a thing that is wrong.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, it, test } from "node:test"
import pg from "pg"
import type { Finding } from "../../src/tools/doctor/finding.ts"
import { postgresFindings } from "../../src/tools/doctor/postgres-checks.ts"
import { type ProcessFacts, processFindings } from "../../src/tools/doctor/process-checks.ts"
import { judgeFree } from "../../src/tools/doctor/sqlite-checks.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"
import { hasPooler, startPooler } from "../support/pooler.ts"
import { bifold } from "./run.ts"

const service = `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  resources: { product: resource({ fields: { name: f.text() }, allow: { read: anyone } }) },
})
`

async function doctor(
  given: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{
  readonly code: number | null
  readonly verdicts: Readonly<Record<string, string>>
  readonly text: string
}> {
  const { code, stdout, stderr } = await bifold(["doctor", ...given, "--json"], { environment })
  assert.equal(stderr, "")
  const { findings, healthy } = JSON.parse(stdout) as { findings: readonly Finding[]; healthy: boolean }
  assert.equal(code, healthy ? 0 : 1)
  return {
    code,
    verdicts: Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict])),
    text: findings.map(({ check, found, advice = "" }) => `${check}: ${found} ${advice}`).join("\n"),
  }
}

test("a process is judged by its Node, its secret and limits of the system", () => {
  const healthy: ProcessFacts = {
    node: "v24.21.0",
    today: "2026-11-26",
    secret: "0123456789abcdef0123456789abcdef",
    secretIsKept: false,
    limits: "Max open files            65536                65536                files     \n",
    backlog: "4096\n",
    memory: 512 * 1024 * 1024,
  }
  const cases: readonly (readonly [Partial<ProcessFacts>, string, string])[] = [
    [{}, "node", "good"],
    [{ node: "v22.1.0" }, "node", "bad"],
    [{ node: "v25.0.0" }, "node", "bad"],
    [{ today: "2028-03-01" }, "node", "warning"],
    [{ today: "2028-05-01" }, "node", "bad"],
    [{ node: "v40.0.0" }, "node", "unknown"],
    [{}, "secret", "good"],
    [{ secret: undefined }, "secret", "warning"],
    [{ secret: undefined, secretIsKept: true }, "secret", "bad"],
    [{ secret: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }, "secret", "warning"],
    [{}, "open_files", "good"],
    [
      { limits: "Max open files            1024                 1048576              files" },
      "open_files",
      "warning",
    ],
    [{ limits: undefined }, "open_files", "unknown"],
    [{ backlog: "128\n" }, "backlog", "warning"],
    [{ memory: 100 * 1024 * 1024 }, "memory", "warning"],
    [{}, "memory", "good"],
  ]
  for (const [change, check, expected] of cases) {
    const found = processFindings({ ...healthy, ...change }).find((one) => one.check === check)
    assert.equal(found?.verdict, expected, `${check} of ${JSON.stringify(change)}`)
    assert.equal(found.advice !== undefined, expected === "warning" || expected === "bad")
    assert.doesNotMatch(found.found, /0123456789abcdef/)
    if (check === "secret" && "secret" in change && change.secret === undefined)
      assert.match(found.found, /^No secret is set \(`--secret` or BIFOLD_SECRET\)/)
  }
})

describe("on SQLite", () => {
  it("finds a full disk bad, and little room worth a look", () => {
    const megabyte = 1_000_000
    const judged = [0, 9, 500, 5_000].map((free) => judgeFree(free * megabyte, 2_000 * megabyte).verdict)
    assert.deepEqual(judged, ["bad", "bad", "warning", "good"])
  })

  it("finds nothing wrong with a database as it should be, and says so", async (t) => {
    const folder = await temporaryFolder(t)
    const [file, database] = [join(folder, "service.ts"), join(folder, "shop.db")]
    writeFileSync(file, service)
    const first = await doctor([file, "--database", database])
    assert.equal(first.verdicts["connection"], "bad")
    // Nothing invites to make an empty database in the place of one that is lost.
    assert.ok(!("tables" in first.verdicts) && !("missing_indexes" in first.verdicts), first.text)
    assert.match(first.text, /connection: There is no database \S*shop\.db\. Correct the path/)
    assert.equal((await bifold(["migrate", "apply", file, "--database", database])).code, 0)
    const environment = { BIFOLD_SECRET: "0123456789abcdef0123456789abcdef" }
    const { code, verdicts } = await doctor([file, "--database", database, "--deep"], environment)
    assert.equal(code, 0)
    for (const check of [
      "secret",
      "version",
      "file",
      "statistics",
      "free_pages",
      "integrity",
      "references",
      "tables",
      "missing_indexes",
    ])
      assert.equal(verdicts[check], "good", check)
    const { stdout } = await bifold(["doctor", file, "--database", database])
    assert.match(stdout, /^machine\n {2}✓ node/)
    assert.match(stdout, /\n\d+ good, \d+ to look at, 0 bad, \d+ not known\.\n$/)
  })

  it("finds tables that differ, statistics that are missing, and references that lead nowhere", async (t) => {
    const folder = await temporaryFolder(t)
    const [file, path] = [join(folder, "service.ts"), join(folder, "shop.db")]
    writeFileSync(file, service)
    const database = new DatabaseSync(path)
    database.exec(`PRAGMA foreign_keys = OFF; CREATE TABLE a (id INTEGER PRIMARY KEY);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001) INSERT INTO b SELECT i, 7 FROM n`)
    database.close()
    const { code, verdicts, text } = await doctor([file, "--database", path, "--deep"])
    assert.equal(code, 1)
    assert.deepEqual(
      ["tables", "statistics", "references", "log", "integrity"].map((check) => verdicts[check]),
      ["bad", "warning", "bad", "warning", "good"],
    )
    assert.match(text, /references: 10001 references lead to no record/)
    assert.match(text, /statistics: The planner has no statistics, and b is large/)
  })
})

/** Ends with the database. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on("error", () => {})
  await client.connect()
  return client
}

/** The service in a database of its own. */
async function migrated(hooks: Hooks) {
  const folder = await temporaryFolder(hooks)
  const url = await temporaryPostgres(hooks)
  const file = join(folder, "service.ts")
  writeFileSync(file, service)
  assert.equal((await bifold(["migrate", "apply", file, "--database", url])).code, 0)
  return { file, url, client: await connect(url) }
}

describe("on PostgreSQL", () => {
  it("finds settings, roles, statistics and indexes that are not as they should be", async (t) => {
    const { file, url, client } = await migrated(t)
    await client.query(`ALTER TABLE product SET (autovacuum_enabled = off)`)
    await client.query(
      `INSERT INTO product (id, name) SELECT gen_random_uuid(), 'x' FROM generate_series(1, 20001)`,
    )
    await client.query(`DELETE FROM product WHERE ctid IN (SELECT ctid FROM product LIMIT 10001)`)
    await client.query(`CREATE INDEX unfinished ON product (name)`)
    await client.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'unfinished'::regclass`)
    await client.query(`SELECT pg_stat_force_next_flush()`)
    const before = await doctor([file, "--database", url])
    assert.equal(before.code, 1)
    // The tests' own server does not wait for its disk.
    const expected = {
      durability: "bad",
      writable: "good",
      role: "warning",
      pooler: "good",
      clock: "good",
      encryption: "good",
      broken_indexes: "bad",
      // Nothing is analysed, so nothing is known to be large.
      missing_indexes: "unknown",
    }
    for (const [check, verdict] of Object.entries(expected))
      assert.equal(before.verdicts[check], verdict, check)
    assert.match(before.text, /broken_indexes: unfinished is not whole/)
    assert.match(before.text, /dead_rows: More than a fifth of the rows of public\.product are dead/)
    const advise = () => bifold(["advise", file, "--database", url])
    const uncounted = await advise()
    assert.match(uncounted.stdout, /product +\["name"\] +not known /)
    assert.match(uncounted.stderr, /run ANALYZE, and ask again/)
    await client.query("DROP INDEX unfinished")
    await client.query("VACUUM ANALYZE product")
    const after = await doctor([file, "--database", url])
    assert.deepEqual(
      ["statistics", "dead_rows", "broken_indexes", "tables"].map((check) => after.verdicts[check]),
      ["good", "good", "good", "good"],
    )
    const { stdout, stderr } = await advise()
    assert.deepEqual([stdout.includes("not known"), stderr], [false, ""])
    assert.notEqual(after.verdicts["missing_indexes"], "unknown")
  })

  it("finds a role without rights, and one that may have few connections", async (t) => {
    const { file, url, client } = await migrated(t)
    const role = `weak_${process.pid}`
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'weak' CONNECTION LIMIT 9`)
    const weak = new URL(url)
    weak.username = role
    weak.password = "weak"
    try {
      const look = () => doctor([file, "--database", weak.href], { BIFOLD_WORKERS: "many" })
      const none = await look()
      assert.deepEqual([none.verdicts["rights"], none.verdicts["connections"]], ["bad", "warning"])
      assert.match(none.text, /rights: The role may not read product\b/)
      assert.match(none.text, /GRANT SELECT, INSERT, UPDATE, DELETE ON product TO/)
      assert.match(none.text, /connections: Only \d of 9 connections of the role are free/)
      assert.equal(none.verdicts["settings"], "bad")
      assert.match(none.text, /settings: .* BIFOLD_WORKERS is "many"/)
      await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`)
      assert.equal((await look()).verdicts["rights"], "warning")
      await client.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`)
      assert.equal((await look()).verdicts["rights"], "good")
    } finally {
      await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
      await client.end()
    }
  })

  it("says of a server that cannot be had that it cannot, without the password", async (t) => {
    const folder = await temporaryFolder(t)
    const file = join(folder, "service.ts")
    writeFileSync(file, service)
    const { code, verdicts, text } = await doctor([
      file,
      "--database",
      `postgres://me:hunter2@127.0.0.1:${await freePort()}/x`,
    ])
    assert.equal(code, 1)
    assert.equal(verdicts["connection"], "bad")
    assert.equal(verdicts["tables"], "unknown")
    assert.doesNotMatch(text, /hunter2/)
  })

  it("finds a pooler that gives each transaction another session", {
    skip: !hasPooler && "pgbouncer is not installed",
  }, async (t) => {
    const url = await temporaryPostgres(t)
    const pooled = async (mode: string) => {
      const address = await startPooler(t, url, mode)
      const found = await look(address, "off")
      return found.find(({ check }) => check === "pooler")?.verdict
    }
    assert.equal(await pooled("transaction"), "bad")
    assert.equal(await pooled("session"), "good")
  })

  it("says whether the server compiles statements of Bifold", async (t) => {
    const url = await temporaryPostgres(t)
    const judged = async (jit: "off" | "server") =>
      (await look(url, jit)).find(({ check }) => check === "jit")?.verdict
    const client = new pg.Client(url)
    await client.connect()
    const name = new URL(url).pathname.slice(1)
    await client.query(`ALTER DATABASE "${name}" SET jit = on`)
    assert.deepEqual([await judged("off"), await judged("server")], ["good", "warning"])
    await client.query(`ALTER DATABASE "${name}" SET jit = off`)
    await client.end()
    assert.deepEqual([await judged("off"), await judged("server")], [undefined, undefined])
  })
})

const look = (url: string, jit: "off" | "server") =>
  postgresFindings({ url, today: "2026-11-26", tables: [], connections: 1, jit })
