// `bifold serve` as a process: what it refuses, what it prints, that its addresses answer, and how it ends.
import assert from "node:assert/strict"
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const postgres = await temporaryPostgres(hooks)
const database = new DatabaseSync(join(cwd, "shop.db"))
database.exec(`
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author (id));
  INSERT INTO author VALUES (1, 'Ada');
  INSERT INTO book VALUES (1, 'One', 1);
`)
database.close()
writeFileSync(
  join(cwd, "service.ts"),
  `import { f, many, one, resource, service } from "bifold"
export default service({
  name: "shop",
  managed: false,
  resources: {
    author: resource({
      key: { column: "id", type: "integer" },
      fields: { name: f.text({ stored: "loose" }) },
      relations: { books: many("book", { by: "author" }) },
    }),
    book: resource({
      key: { column: "id", type: "integer" },
      fields: { title: f.text({ stored: "loose" }) },
      relations: { author: one("author") },
    }),
  },
})
`,
)

const links = (said: string): string[] => [...said.matchAll(/http:\/\/\S+/g)].map(([link]) => link)

describe("bifold serve", () => {
  it("serves a database as it is, and prints addresses that answer", async () => {
    const server = await serving(["shop.db", "--open", "read"], { cwd })
    assert.equal(
      server.said,
      `
  Shop is being served.

  Start page   ${server.url}/
  GraphQL      ${server.url}/graphql
  REST         ${server.url}/authors
  OpenAPI      ${server.url}/openapi.json

  Open one of these to see it answer:
  ${server.url}/graphql?query=%7B%20authors(first%3A%203)%20%7B%20nodes%20%7B%20id%20name%20%7D%20%7D%20%7D
  ${server.url}/authors?limit=3

  Ctrl+C ends it.
`,
    )
    const [, , , , graphql = "", rest = ""] = links(server.said)
    assert.equal(
      await (await fetch(graphql)).text(),
      '{"data":{"authors":{"nodes":[{"id":"author_1","name":"Ada"}]}}}',
    )
    const described = await fetch(`${server.url}/openapi.json`)
    assert.notEqual(described.headers.get("content-encoding"), null)
    const list = (await (await fetch(rest)).json()) as { data: unknown }
    assert.deepEqual(list.data, [{ id: "author_1", name: "Ada" }])
    const ran = await server.end()
    assert.equal(ran.code, 0)
    assert.equal(
      ran.stderr,
      "Cursors become invalid on restart; set BIFOLD_SECRET.\nShutting down; draining requests.\n",
    )
  })

  it("serves a service file over its database, and ends well with Ctrl+C", async () => {
    const environment = { BIFOLD_DATABASE: "shop.db", BIFOLD_SECRET: "at least sixteen characters" }
    const given = ["--open", "write", "--base", "/api/", "--compression", "off"]
    const server = await serving(given, { cwd, environment })
    const answer = await fetch(`${server.url}/api/authors/1?include=books`)
    assert.equal(answer.status, 200)
    const described = await fetch(`${server.url}/api/openapi.json`)
    assert.equal(described.headers.get("content-encoding"), null)
    const ran = await server.end("SIGINT")
    assert.deepEqual([ran.code, ran.stderr], [0, "Shutting down; draining requests.\n"])
  })

  it("leaves no log beside a SQLite file when it is told to end", async () => {
    const path = join(cwd, "tidy.db")
    const file = new DatabaseSync(path)
    file.exec("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
    file.close()
    const server = await serving([path, "--open", "write"], { cwd })
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ body: "kept" })
    assert.equal((await fetch(`${server.url}/notes`, { method: "POST", headers, body })).status, 201)
    assert.ok(existsSync(`${path}-wal`))
    assert.equal((await server.end()).code, 0)
    assert.equal(existsSync(`${path}-wal`), false)
  })

  it("takes the signals of one Ctrl+C, passed on by every process above, as one", async () => {
    const environment = { BIFOLD_DATABASE: "shop.db", BIFOLD_SECRET: "at least sixteen characters" }
    const server = await serving(["--open", "write"], { cwd, environment })
    const ran = await server.end("SIGINT", "SIGINT", "SIGTERM")
    assert.deepEqual([ran.code, ran.stderr], [0, "Shutting down; draining requests.\n"])
  })

  it("keeps cursors over a restart when the secret stays", async () => {
    const secret = "at least sixteen characters"
    const given = ["service.ts", "--database", "shop.db", "--open", "read", "--secret", secret]
    const cursors: unknown[] = []
    for (let round = 0; round < 2; round += 1) {
      const server = await serving(given, { cwd })
      const answer = await fetch(`${server.url}/graphql?query={books{pageInfo{endCursor}}}`)
      cursors.push(await answer.json())
      await server.end()
    }
    assert.deepEqual(cursors[0], cursors[1])
  })

  it("shares with the origins that are named", async () => {
    const given = ["shop.db", "--open", "read", "--cors", "https://a.example", "--cors", "https://b.example"]
    const server = await serving(given, { cwd })
    for (const origin of ["https://a.example", "https://b.example"]) {
      const answer = await fetch(`${server.url}/authors`, { headers: { origin } })
      assert.equal(answer.headers.get("access-control-allow-origin"), origin)
    }
    await server.end()
  })

  for (const [what, given, code, stderr] of [
    [
      "a database without --open",
      ["shop.db"],
      2,
      "✗ A database served as it is has no rules: every client may do everything.\n  → To do so on this machine only: bifold serve shop.db --open read, or --open write. To set permissions, write a service file with bifold introspect.\n",
    ],
    [
      "a database without rules for other machines",
      ["shop.db", "--open", "read", "--host", "0.0.0.0"],
      2,
      "✗ A database without rules is served to this machine only, not on 0.0.0.0.\n  → Leave out --host. To serve it to others, write a service file with bifold introspect.\n",
    ],
    [
      "a service file without a database",
      ["service.ts"],
      2,
      "✗ Nothing says which database service.ts is about.\n  → Name it: bifold serve service.ts --database shop.db, or set BIFOLD_DATABASE.\n",
    ],
    [
      "two databases",
      ["shop.db", "--open", "read", "--database", "shop.db"],
      2,
      "✗ Two databases are named.\n  → --database is for service files. Leave it out.\n",
    ],
    [
      "the example and something else",
      ["shop.db", "--example"],
      2,
      "✗ --example is a service of its own, so shop.db is one too many.\n  → Leave out one of the two.\n",
    ],
    [
      "a database that cannot be reached",
      ["postgres://127.0.0.1:1/x", "--open", "read"],
      1,
      "✗ The PostgreSQL database at 127.0.0.1:1, database x cannot be reached.\n  → Nothing listens there: is the server running, and is the port right?\n",
    ],
    [
      "an address that is not this machine's",
      ["service.ts", "--database", "shop.db", "--open", "read", "--host", "192.0.2.1"],
      1,
      "✗ 192.0.2.1 is not an address of this machine.\n  → Choose one with --host, such as 127.0.0.1, or 0.0.0.0 for all of them.\n",
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      assert.deepEqual(await bifold(["serve", ...given], { cwd }), { code, stdout: "", stderr })
    })

  it("says when the database lacks what the service needs", async () => {
    const empty = new DatabaseSync(join(cwd, "other.db"))
    empty.exec(
      "CREATE TABLE authors (id INTEGER PRIMARY KEY); CREATE TABLE book (id INTEGER, titel TEXT, author_id INTEGER)",
    )
    empty.close()
    const ran = await bifold(["serve", "service.ts", "--database", "other.db", "--open", "read"], { cwd })
    assert.deepEqual(ran, {
      code: 1,
      stdout: "",
      stderr: `✗ resources.author
  The database has no table "author".
  → Did you mean "authors"?
✗ resources.book
  The table "book" has no column "title".
  → Did you mean "titel"?
`,
    })
  })

  it("says when the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const ran = await bifold(["serve", "shop.db", "--open", "read", "--port", String(port)], { cwd })
    other.close()
    assert.equal(ran.code, 1)
    assert.equal(
      ran.stderr,
      `✗ Port ${port} of 127.0.0.1 is in use already.\n  → Choose another with --port (0 takes any that is free), or end the program that uses it.\n`,
    )
  })

  it("never makes the database that it is to read", async () => {
    const ran = await bifold(["serve", "service.ts", "--database", "nothing.db", "--open", "read"], { cwd })
    assert.equal(ran.code, 1)
    assert.equal(existsSync(join(cwd, "nothing.db")), false)
  })
})

describe("bifold serve --example", () => {
  const question =
    '{order(id:"ord_01gnna73qgf1p9fbnv5kgc46y8"){number total customer{name} lines{totalCount}}}'

  for (const [name, url] of [
    ["SQLite", join(cwd, "storefront.db")],
    ["PostgreSQL", postgres],
  ] as const)
    it(`fills an empty database once, and serves it by both faces (${name})`, async () => {
      const answers: string[] = []
      for (const first of [true, false]) {
        const server = await serving(["--example", "--database", url, "--accept-data-loss"], {
          cwd,
          cloned: true,
        })
        const graphql = await fetch(`${server.url}/graphql?query=${encodeURIComponent(question)}`)
        answers.push(await graphql.text())
        const rest = await fetch(`${server.url}/orders?limit=1&total=true&fields=number`)
        const list = (await rest.json()) as { page: { total: number } }
        assert.equal(list.page.total, 10_000)
        for (const link of links(server.said).slice(4)) assert.equal((await fetch(link)).status, 200, link)
        const { stderr } = await server.end()
        assert.equal(
          /^Making the storefront's database, once …\n52,\d{3} records in [\d.]+ s\.\n/.test(stderr),
          first,
        )
      }
      assert.equal(
        answers[0],
        '{"data":{"order":{"number":"A-1","total":"135.00","customer":{"name":"Ólafur van der Berg"},"lines":{"totalCount":6}}},"extensions":{"cost":{"requested":13,"used":13}}}',
      )
      assert.equal(answers[1], answers[0])
    })

  it("refuses a database of something else", async () => {
    const ran = await bifold(["serve", "--example", "--database", "shop.db"], { cwd })
    assert.equal(ran.code, 1, ran.stderr)
    assert.match(ran.stderr, /^✗ The database shop\.db has none of the service's tables\.\n/)
  })
})
