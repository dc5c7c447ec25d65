// What a start takes: only the modules that its first answers need, and not a look at any row.
import assert from "node:assert/strict"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, test } from "node:test"
import { listTables } from "../../src/storage/introspection/inspect.ts"
import { builtPackage } from "../support/built-package.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
writeFileSync(
  join(cwd, "service.ts"),
  `import { f, many, one, resource, service } from "bifold"
export default service({
  name: "shop",
  managed: false,
  resources: {
    author: resource({
      key: { column: "id", type: "integer" },
      fields: { name: f.text() },
      relations: { books: many("book", { by: "author" }) },
    }),
    book: resource({
      key: { column: "id", type: "integer" },
      fields: { title: f.text() },
      relations: { author: one("author") },
    }),
  },
})
`,
)
const database = new DatabaseSync(join(cwd, "shop.db"))
database.exec(`
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author (id));
  CREATE VIEW bestseller AS SELECT id, title FROM book;
  CREATE VIEW lost AS SELECT * FROM author;
  CREATE VIRTUAL TABLE words USING fts5(word);
  INSERT INTO author VALUES (1, 'Ada');
  INSERT INTO book VALUES (1, 'One', 1);
`)

/** What neither face needs for an answer of records in JSON. */
const unneeded: Readonly<Record<string, RegExp>> = {
  "another database's driver":
    /\/node_modules\/pg\/|\/src\/storage\/(postgres\/|introspection\/inspect-postgres)/,
  "tables as resources": /\/src\/model\/introspection\/declare\.ts/,
  "the other commands":
    /\/src\/cli\/(commands\/(check|diagram|explain|introspect|schema)|timings|example|output\/(notes|columns))\.ts/,
  "what they write with": /\/node_modules\/(cli-table3|sql-formatter)\//,
  "several processes": /\/src\/server\/processes\/workers\.ts/,
  "modules of the package that are joined for others":
    /\/joined\/(check|declare|diagram|explain|introspect|openapi|postgres|timings|workers)\d*-[\w-]{8}\.js/,
  "the making of databases":
    /\/src\/storage\/migration\/|\/src\/storage\/introspection\/snapshot|\/src\/sql\/(schema\/schema|write\/insert|migration\/)/,
  "the description as OpenAPI": /\/src\/rest\/openapi\/|\/joined\/openapi/,
  CSV: /\/node_modules\/csv-stringify\//,
  "the client of node:http's module": /NativeModule internal\/deps\/undici/,
  traces: /\/node_modules\/@opentelemetry\/|\/src\/observe\/traces\/(tracer|request-spans|described)\.ts/,
}

for (const [kind, cloned] of [
  ["the package", false],
  ["a clone", true],
] as const)
  test(`the first answers load nothing that they do not need, of ${kind}`, async () => {
    const file = join(cwd, `loaded-${cloned}`)
    const loader = new URL("../support/loaded.mjs", import.meta.url).href
    const server = await serving(["service.ts", "--database", "shop.db", "--open", "write"], {
      cwd,
      cloned,
      environment: { LOADED_MODULES: file, NODE_OPTIONS: `--import=${loader}` },
    })
    const asked = async (path: string, init: RequestInit = {}): Promise<void> =>
      assert.equal((await fetch(server.url + path, init)).status, 200)
    await asked("/books?include=author")
    assert.doesNotMatch(readFileSync(file, "utf8"), /\/node_modules\/graphql\//, "REST needs no GraphQL")
    await asked(`/graphql?query=${encodeURIComponent("{ books { nodes { title author { name } } } }")}`)
    const early = readFileSync(file, "utf8")
    await asked("/books", { headers: { accept: "text/csv" } })
    await asked("/openapi.json")
    const late = readFileSync(file, "utf8")
    await server.end()
    const own = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("NativeModule"))
    for (const needed of [
      /\/node_modules\/graphql\//,
      cloned ? /\/src\/server\/server\.ts/ : /\/joined\/[\w-]*serve-[\w-]+\.js/,
    ])
      assert.match(early, needed, "the list has what is loaded")
    assert.ok(own.includes("NativeModule _http_server"), "the list has Node's own modules")
    const found = Object.entries(unneeded).filter(([, what]) => what.test(`${early}${own.join("\n")}`))
    assert.deepEqual(
      found.map(([name, what]) => `${name}: ${what.exec(early)?.[0]}`),
      [],
    )
    for (const needed of ["CSV", "the description as OpenAPI"])
      assert.match(late, unneeded[needed] ?? /^$/, `${needed} is loaded when it is asked for`)
  })

test("whether a service fits is told by names alone", async () => {
  database.exec("PRAGMA foreign_keys = OFF; DROP TABLE author") // a view that names it can be listed no more
  const { tables, notes } = await listTables(join(cwd, "shop.db"))
  assert.deepEqual(
    tables.map(({ name, columns }) => `${name}: ${columns.map((column) => column.name).join(", ")}`),
    ["bestseller: id, title", "book: id, title, author_id", "words: word"],
  )
  assert.deepEqual(
    notes.map(({ place }) => place.join(".")),
    ["lost", "words_config", "words_content", "words_data", "words_docsize", "words_idx"],
  )
})

test("a process that runs never loads a file of another version of the package by the name of its own", async () => {
  const names = readdirSync(join(await builtPackage(), "dist/joined"))
  assert.ok(names.length > 100)
  assert.deepEqual(
    names.filter((name) => !/-[\w-]{8}\.js$/.test(name)),
    [],
  )
})
