// The triggers of captured changes, as `migrate` plans, installs, updates and removes them, and as drift is told.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, test } from "node:test"
import pg from "pg"
import { load } from "../../src/model/load.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { bifold } from "../cli/run.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { ledger, ledgerTables } from "./ledger.ts"

const hooks = cleanUp(after)
const model = load(ledger)
let url: string
let client: pg.Client

before(async () => {
  url = await temporaryPostgres(hooks)
  client = new pg.Client({ connectionString: url })
  await client.connect()
  hooks.after(() => client.end())
  for (const text of ledgerTables) await client.query(text)
})

const stepsOf = async (of = model) => (await compareDatabase(url, of)).map(({ name }) => name)
const all = ["customer", "order", "place", "part"].map((name) => `add:${name}.capture`)

test("triggers are planned, installed, told when they are missing or old, and removed", async () => {
  assert.deepEqual(await stepsOf(), ["add:bifold_log", ...all])
  await migrate(url, model, { allow: [] })
  assert.deepEqual(await stepsOf(), [])
  const drifts: readonly (readonly [string, readonly string[]])[] = [
    [`DROP TRIGGER "00_bifold_capture" ON place`, ["add:place.capture"]],
    [`ALTER TABLE place DISABLE TRIGGER "00_bifold_capture_truncate"`, ["change:place.capture"]],
    ["GRANT EXECUTE ON FUNCTION bifold_capture_ledger_part() TO PUBLIC", ["change:part.capture"]],
    ["ALTER FUNCTION bifold_capture_ledger_order() SET search_path = public", ["change:order.capture"]],
    ["ALTER FUNCTION bifold_capture_ledger_order() SECURITY INVOKER", ["change:order.capture"]],
  ]
  for (const [drift, steps] of drifts) {
    await client.query(drift)
    assert.deepEqual(await stepsOf(), steps, drift)
    await migrate(url, model, { allow: [] })
    assert.deepEqual(await stepsOf(), [], drift)
  }
  const { place, part, ...others } = ledger.resources
  const { amount, ...fields } = place.fields
  const changed = load({
    ...ledger,
    resources: {
      ...others,
      place: { ...place, fields: { ...fields, count: { ...amount, column: "amount" } } },
    },
  })
  assert.deepEqual(await stepsOf(changed), ["change:place.capture", "drop:bifold_capture_ledger_part"])
  await migrate(url, changed, { allow: [] })
  await client.query("INSERT INTO place VALUES (1, 'a'); INSERT INTO part VALUES (1, 1)")
  const { rows } = await client.query("SELECT record, new FROM bifold_log")
  assert.deepEqual(rows, [{ record: "pla_1~a", new: { orderNo: 1, spot: "a", count: 1 } }])
  const without = load({ ...ledger, log: { keep: "1 day" } })
  const { done } = await migrate(url, without, { allow: [] })
  assert.equal(done.length, 3)
  const { rows: left } = await client.query("SELECT FROM pg_trigger WHERE tgname ~ 'bifold'")
  assert.deepEqual(left, [])
  assert.deepEqual(await stepsOf(without), [])
})

test("what cannot have triggers is refused, and nothing is done", async () => {
  await client.query(
    "CREATE VIEW seen AS SELECT * FROM place; CREATE TABLE base (id integer PRIMARY KEY); CREATE TABLE heir () INHERITS (base)",
  )
  const { customer } = ledger.resources
  for (const [table, said] of [
    ["seen", /seen is a view/],
    ["base", /inherit from base/],
    ["absent", /no table absent/],
  ] as const) {
    const broken = load({ ...ledger, resources: { customer: { ...customer, table } } })
    await assert.rejects(migrate(url, broken, { allow: [] }), said)
  }
  const role = `bifold_poor_${process.pid}`
  await client.query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'p'; GRANT CREATE ON SCHEMA public TO ${role}; GRANT TRIGGER ON customer TO ${role}`,
  )
  hooks.after(() => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`).then(() => {}))
  const poor = new URL(url)
  poor.searchParams.set("options", `-c role=${role}`)
  const only = load({ ...ledger, resources: { customer } })
  await assert.rejects(migrate(poor.href, only, { allow: [] }), /has no SELECT on public\.customer[\s\S]*/)
  assert.deepEqual(await stepsOf(only), ["add:customer.capture"])
})

test("the command line tells what is missing, and that SQLite cannot capture", async () => {
  const cwd = await temporaryFolder(hooks)
  writeFileSync(
    join(cwd, "service.ts"),
    `import { f, resource, service } from "bifold"
export default service({ name: "small", managed: false, log: { capture: "database" },
  resources: { customer: resource({ key: { column: "id", type: "uuid" }, fields: { name: f.text() }, history: true }) } })
`,
  )
  const plan = await bifold(["migrate", "plan", "--database", url], { cwd })
  assert.match(
    plan.stdout,
    /^ {2}add:customer\.capture {3}log what other programs write to customer, by triggers/,
  )
  const missing = await bifold(["check", "--database", url], { cwd })
  assert.equal(missing.code, 1)
  assert.match(
    missing.stderr,
    /not what the service declares[\s\S]*bifold migrate apply[\s\S]*add:customer\.capture is to be done/,
  )
  assert.equal((await bifold(["migrate", "apply", "--database", url], { cwd })).code, 0)
  assert.equal((await bifold(["check", "--database", url], { cwd })).code, 0)
  for (const given of [
    ["migrate", "plan"],
    ["serve", "--open", "read"],
  ]) {
    const ran = await bifold([...given, "--database", "x.db"], { cwd })
    assert.equal(ran.code, 1)
    assert.match(
      ran.stderr,
      /SQLite cannot log what other programs write[\s\S]*keep the records in PostgreSQL/,
    )
  }
})
