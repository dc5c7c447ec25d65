// `bifold schema` and `bifold explain` as processes.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const storefront = join(import.meta.dirname, "../../examples/storefront/service.ts")
const cwd = await temporaryFolder(cleanUp(after))

describe("bifold schema", () => {
  it("prints the GraphQL schema", async () => {
    const ran = await bifold(["schema", "--graphql", storefront], { cwd })
    assert.deepEqual([ran.code, ran.stderr], [0, ""])
    assert.match(ran.stdout, /^type Query \{$/m)
    assert.match(ran.stdout, /^type OrderLine implements Node \{$/m)
  })

  it("prints the OpenAPI document, below a base", async () => {
    const ran = await bifold(["schema", "--openapi", storefront, "--base", "api"], { cwd })
    assert.deepEqual([ran.code, ran.stderr], [0, ""])
    const { openapi, info, servers, paths } = JSON.parse(ran.stdout)
    assert.match(openapi, /^3\.1\./)
    assert.equal(info.title, "Storefront API")
    assert.deepEqual(servers[0].url, "/api")
    assert.ok(paths["/order-lines/{id}"])
  })
})

describe("an older version of a schema", () => {
  it("has its names and types, in each document", async () => {
    const at = (version: string, document: string) =>
      bifold(["schema", document, storefront, "--api-version", version], { cwd })
    const [old, newest] = [await at("2026-01-01", "--graphql"), await at("2026-11-01", "--graphql")]
    assert.match(
      old.stdout,
      /fullName: String! @deprecated\(reason: "Since 2026-11-01 it is called name\."\)/,
    )
    assert.doesNotMatch(newest.stdout, /fullName/)
    assert.equal(newest.stdout, (await bifold(["schema", "--graphql", storefront], { cwd })).stdout)
    const { components } = JSON.parse((await at("2026-01-01", "--openapi")).stdout)
    assert.equal(components.schemas.Order.properties.total.type, "integer")
    const wrong = await at("2026-02-01", "--openapi")
    assert.match(wrong.stderr, /There is no version "2026-02-01" of this API/)
  })
})

describe("bifold explain", () => {
  it("shows the plan and the SQL of both databases, the same for both faces", async () => {
    const graphql = await bifold(["explain", '{orderByNumber(number:"A-1"){total}}', storefront], { cwd })
    assert.deepEqual([graphql.code, graphql.stderr], [0, ""])
    assert.match(
      graphql.stdout,
      /^Plan\norder where number eq "A-1"\n {2}total\n\nCost\nabout 1 row: prompt, answered at once\n2 points: at most 1 record, some \d+ bytes\n {2}1 {3}the request\n {2}1 {3}orderByNumber\n\nSQLite\nSELECT\n/,
    )
    assert.match(graphql.stdout, /\n\nPostgreSQL\nSELECT\n/)
    assert.equal(graphql.stdout.match(/\nbound:\n {2}1 = "A-1"\n/g)?.length, 2)
    const rest = await bifold(["explain", "GET /orders/number=A-1?fields=total", storefront], { cwd })
    assert.match(rest.stdout, /^Plan\norder where number eq "A-1"\n {2}id\n {2}total\n/)
  })

  it("shows what a mutation does, what it costs and the commands of its transaction", async () => {
    const mutation =
      'mutation { updateTags(where: {name: {eq: "x"}}, input: {featured: true}, maxAffected: 5) { affected } }'
    const ran = await bifold(["explain", mutation, storefront, "--dialect", "sqlite"], { cwd })
    assert.deepEqual([ran.code, ran.stderr], [0, ""])
    assert.match(ran.stdout, /^Plan\nstep 1\n {2}find tag where name eq "x"\n {2}update tag \(featured\)\n/)
    assert.match(
      ran.stdout,
      /\n\nCost\nabout 6 rows: .*\n61 points: .*\n {2}1 {4}the request\n {2}50 {3}updateTags\.write\n/,
    )
    assert.match(
      ran.stdout,
      /\n\nSQLite, command 1 of 3\nSELECT\n[\s\S]*\n\nSQLite, command 2 of 3\nUPDATE "tag"/,
    )
    const asJson = await bifold(["explain", mutation, storefront, "--json"], { cwd })
    const { statements } = JSON.parse(asJson.stdout)
    assert.equal(statements.sqlite.length, 3)
    assert.deepEqual(statements.sqlite[0].values.slice(0, 1), ["x"])
  })

  it("takes a document from the standard input, with variables and a name", async () => {
    const stdin =
      "query A { tags { totalCount } } query B($n: Int!) { orders(first: $n) { nodes { number } } }"
    const given = [
      "explain",
      "-",
      storefront,
      "--operation",
      "B",
      "--variables",
      '{"n": 7}',
      "--dialect",
      "postgres",
    ]
    const ran = await bifold(given, { cwd, stdin })
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stdout, /list of order[\s\S]*first 7/)
    assert.doesNotMatch(ran.stdout, /SQLite|tag/)
  })

  it("prints JSON for machines, with the statement as it is sent", async () => {
    const ran = await bifold(["explain", "/tags?limit=1", storefront, "--json"], { cwd })
    const { plan, statements } = JSON.parse(ran.stdout)
    assert.match(plan, /^list of tag\n/)
    assert.deepEqual(Object.keys(statements), ["sqlite", "postgres"])
    for (const { sql, values } of [statements.sqlite, statements.postgres]) {
      assert.match(sql, /^SELECT .*"tag"/)
      assert.ok(values.length > 0)
    }
  })

  it("shows how long each stage takes, the first time and when the request is known", async (test) => {
    const folder = await temporaryFolder(test)
    const database = join(folder, "gallery.sqlite")
    new DatabaseSync(database).exec("CREATE TABLE picture (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    const stages = ["parse", "validate", "plan", "check", "compile", "run", "seal", "respond"]
    for (const [request, ownStages] of [
      ["{ pictures(first: 2) { nodes { title } } }", stages],
      ["GET /pictures?limit=2", stages.slice(2)],
    ] as const) {
      const given = ["explain", request, database, "--timings", "--dialect", "sqlite"]
      const shown = await bifold(given, { cwd })
      assert.deepEqual([shown.code, shown.stderr], [0, ""])
      assert.match(shown.stdout, /\n\nTimings\nµs +first time +later, median of 1,000\nparse/)
      const { timings } = JSON.parse((await bifold([...given, "--json"], { cwd })).stdout)
      assert.equal(timings.unit, "microseconds")
      const found: readonly { stage: string; first: number | null; again: number | null }[] = timings.stages
      const named = (those: typeof found) => those.map(({ stage }) => stage)
      assert.deepEqual(named(found), stages)
      assert.deepEqual(named(found.filter(({ first }) => first !== null)), ownStages)
      assert.deepEqual(named(found.filter(({ again }) => again !== null)), ["plan", "run", "seal", "respond"])
    }
  })

  it("runs nothing where nothing says on which database", async () => {
    const nowhere = await bifold(["explain", "GET /orders", storefront, "--timings"], { cwd })
    assert.deepEqual(
      [nowhere.code, nowhere.stdout, nowhere.stderr],
      [
        2,
        "",
        "✗ --timings runs the request, and nothing says on which database.\n  → Name it with --database, or set BIFOLD_DATABASE.\n",
      ],
    )
  })

  for (const [what, given, code, stderr] of [
    [
      "every mistake in a REST request",
      ["GET /orders?limit=x&flter=3"],
      1,
      '✗ limit\n  limit cannot be "x".\n  → Write a whole number.\n✗ flter\n  "flter" is not a parameter.\n  → Did you mean "filter" or "after"?\n',
    ],
    [
      "every mistake in a GraphQL document",
      ["{ orders { nodes { numbr } } tgs { totalCount } }"],
      1,
      '✗ Cannot query field "numbr" on type "Order". Did you mean "number"?\n✗ Cannot query field "tgs" on type "Query". Did you mean "tags" or "tag"?\n',
    ],
    [
      "where a document ends too early",
      ["{ orders { nodes {"],
      1,
      "✗ Syntax Error: Expected Name, found <EOF>. (line 1, column 19)\n",
    ],
    [
      "variables that are none",
      ["{ tags { totalCount } }", "--variables", "[1]"],
      2,
      '✗ --variables is not a JSON object.\n  → Write it as \'{"number": "A-1"}\'.\n',
    ],
    [
      "a method that cannot be explained",
      ["POST /orders"],
      2,
      "✗ POST cannot be explained, only what reads with GET.\n  → Send the question of POST …/query by GET, with parameters.\n",
    ],
    ["a path without a resource", ["GET /ordrs"], 1, null],
  ] as const)
    it(`says ${what}`, async () => {
      const [request, ...rest] = given
      const ran = await bifold(["explain", request, storefront, ...rest], { cwd })
      assert.equal(ran.code, code, ran.stderr)
      assert.equal(ran.stdout, "")
      if (stderr === null) assert.match(ran.stderr, /ordrs/)
      else assert.equal(ran.stderr, stderr)
    })
})
