// Indexes that are missing: what `bifold advise` and `explain` say of a large table, and what `cost.scanned` refuses, on both
// databases; with the index it is answered.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, describe, it } from "node:test"
import pg from "pg"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, serving } from "./run.ts"

const source = (
  indexes: string,
): string => `import { anyone, f, one, resource, role, service, viewer } from "bifold"
export default service({
  name: "shop", roles: ["staff"], viewer: "customer", documents: "allowed",
  limits: { cost: { scanned: 10_000 } },
  resources: {
    customer: resource({ fields: { name: f.text() }, allow: { read: anyone } }),
    order: resource({
      fields: { total: f.integer(), status: f.text(), region: f.text(), note: f.text({ read: role("staff") }) },
      relations: { customer: one("customer") },
      ${indexes}
      allow: { read: [role("staff"), { customer: { id: { eq: viewer.id } } }, { status: { eq: "open" }, note: { eq: "x" } }] },
    }),
  },
})
`
const rows = 20_000
const key = (number: string): string => `'${"0".repeat(16)}' || ${number}`

/** Few are open, so that a rule is worth an index. */
const orders = (numbers: string, padded: string): string =>
  `INSERT INTO "order" ("id", "total", "status", "region", "note", "customer_id")
   SELECT ${key(padded)}, n % 977, CASE n % 100 WHEN 0 THEN 'open' ELSE 'paid' END, 'r', 'x', ${key("'0000000000000001'")}
   FROM ${numbers}`
const customers = `INSERT INTO "customer" ("id", "name") VALUES (${key("'0000000000000001'")}, 'Ada')`

async function fill(database: "SQLite" | "PostgreSQL", url: string): Promise<void> {
  if (database === "SQLite") {
    const file = new DatabaseSync(url)
    file.exec(customers)
    file.exec(
      `WITH RECURSIVE "numbers"(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM "numbers" WHERE n < ${rows}) ${orders('"numbers"', "printf('%016x', n)")}`.replace(
        /^(WITH .*?\)) (INSERT INTO [^)]*\))/s,
        "$2 $1",
      ),
    )
    file.close()
    return
  }
  const client = new pg.Client(url)
  await client.connect()
  await client.query(customers.replace(/'0+' \|\| '([^']+)'/, "('0000000000000000' || '$1')::uuid"))
  await client.query(
    orders(`generate_series(1, ${rows}) AS n`, "lpad(to_hex(n), 16, '0')").replace(
      /('0+' \|\| (?:lpad\([^)]*\)[^)]*\)|'\d+'))/g,
      "($1)::uuid",
    ),
  )
  await client.query("ANALYZE")
  await client.end()
}

for (const database of ["SQLite", "PostgreSQL"] as const)
  describe(`indexes that are missing, ${database}`, () => {
    const hooks = cleanUp(after)
    const made = { cwd: "", url: "" }
    before(async () => {
      made.cwd = await temporaryFolder(hooks)
      made.url = database === "SQLite" ? join(made.cwd, "shop.db") : await temporaryPostgres(hooks)
      writeFileSync(join(made.cwd, "service.ts"), source(""))
      writeFileSync(
        join(made.cwd, "indexed.ts"),
        source('indexes: [["total"], ["status"], ["note", "status"]],'),
      )
      writeFileSync(
        join(made.cwd, "regions.graphql"),
        '{ orders(where: {region: {eq: "r"}}) { totalCount } }',
      )
      const applied = await bifold(["migrate", "apply", "service.ts", "--database", made.url], made)
      assert.equal(applied.code, 0, applied.stderr)
      await fill(database, made.url)
    })
    const on = (): readonly string[] => ["--database", made.url]
    interface Missing {
      readonly resource: string
      readonly index: readonly string[]
      readonly rows: number | null
      readonly reasons: readonly string[]
    }
    const advise = async (file: string): Promise<readonly Missing[]> => {
      const ran = await bifold(["advise", file, ...on(), "--json"], made)
      assert.equal(ran.code, 0, ran.stderr)
      return JSON.parse(ran.stdout).missing
    }

    it("are those of rules, of orders and of registered documents", async () => {
      const pushed = await bifold(
        ["documents", "push", "service.ts", "regions.graphql", ...on(), "--accept-data-loss"],
        made,
      )
      assert.equal(pushed.code, 0, pushed.stderr)
      const missing = await advise("service.ts")
      const reasonsOf = (...index: readonly string[]) =>
        missing.find((one) => one.index.join() === index.join())?.reasons ?? []
      assert.ok(reasonsOf("total").includes("sorted by total"), JSON.stringify(missing))
      assert.ok(reasonsOf("region").some((reason) => reason.startsWith("document sha256:")))
      assert.ok(missing.every(({ resource, rows: looked }) => resource === "order" && looked === rows))
      const { stdout } = await bifold(["advise", "service.ts", ...on()], made)
      assert.match(
        stdout,
        /^Resource +Index +Rows looked at +For\n(.*\n)*order +\["total"\] +20,000 +sorted by total/,
      )
    })

    it("are named by explain, and by the refusal of who may see them", async () => {
      const explained = await bifold(["explain", "GET /orders?sort=-total", "service.ts", ...on()], made)
      assert.match(explained.stdout, /an index of order on total would help\n/)
      const server = await serving(["service.ts", ...on(), "--accept-data-loss"], made)
      try {
        const refused = await fetch(`${server.url}/orders?sort=total`)
        assert.equal(refused.status, 422)
        const { code, errors } = (await refused.json()) as {
          code: string
          errors: readonly { hint: string }[]
        }
        assert.deepEqual(
          [code, errors[0]?.hint],
          ["too_expensive", "The service has no index of order on total: ask with another filter or order."],
        )
        const answer = await fetch(`${server.url}/graphql`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query: "{ orders(orderBy: {field: total}) { nodes { id } } }" }),
        })
        const { errors: same } = (await answer.json()) as {
          errors: readonly { extensions: { code: string } }[]
        }
        assert.equal(same[0]?.extensions.code, "too_expensive")
        // Its rule is about a note, which a stranger does not see.
        assert.doesNotMatch(JSON.stringify(errors), /note/)
        for (const path of ["/customers", "/customers?sort=name", "/orders?limit=2"])
          assert.equal((await fetch(server.url + path)).status, 200, path)
      } finally {
        await server.end()
      }
    })

    it("are missing no more once they are there", async () => {
      const applied = await bifold(["migrate", "apply", "indexed.ts", ...on()], made)
      assert.equal(applied.code, 0, applied.stderr)
      assert.ok(!(await advise("indexed.ts")).some(({ index }) => index.join() === "total"))
      const server = await serving(["indexed.ts", ...on(), "--accept-data-loss"], made)
      try {
        assert.equal((await fetch(`${server.url}/orders?sort=total&limit=1`)).status, 200)
      } finally {
        await server.end()
      }
    })
  })
