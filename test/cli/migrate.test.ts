// `bifold migrate` as a process, and what `bifold serve` does with a database that differs from its service.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { fileURLToPath } from "node:url"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold, serving } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)

const write = (file: string, members: string, rest = ""): void =>
  writeFileSync(
    join(cwd, file),
    `import { f, many, one, resource, service } from "bifold"
export default service({ name: "shop", ${rest} resources: { item: resource({ fields: { ${members} } }) } })
`,
  )
write("first.ts", "name: f.text(), note: f.text({ optional: true })")
write(
  "second.ts",
  'title: f.text({ was: "name" }), price: f.decimal({ precision: 9, scale: 2, default: "1.00" })',
)
write("theirs.ts", "name: f.text()", "managed: false,")

const migrate = (...given: readonly string[]) => bifold(["migrate", ...given], { cwd })

describe("bifold migrate", () => {
  it("shows, does and tells what is to be done", async () => {
    const database = ["--database", "shop.db"]
    const plan = await migrate("plan", "first.ts", ...database)
    assert.deepEqual(plan, {
      code: 0,
      stdout: `  add:item                 make the table item
  add:bifold_idempotency   make Bifold's own table bifold_idempotency
`,
      stderr: "",
    })
    assert.equal(existsSync(join(cwd, "shop.db")), false)
    const made = await migrate("apply", "first.ts", ...database)
    assert.deepEqual([made.code, made.stdout], [0, "✓ shop.db: 2 steps done.\n"])
    new DatabaseSync(join(cwd, "shop.db")).exec("INSERT INTO item (id, name, note) VALUES ('a', 'A', 'N')")
    const status = await migrate("status", "second.ts", ...database)
    assert.deepEqual(status, {
      code: 1,
      stdout: `✗ shop.db: 3 steps to be done.
  rename:item.title   rename the column name of item to title
  add:item.price      add price decimal(9,2), required to item, 100 in every record
  drop:item.note      remove note of item and all of its values (only with --allow)
`,
      stderr: "",
    })
    const applied = await migrate("apply", "second.ts", ...database)
    assert.deepEqual([applied.code, applied.stdout], [0, "✓ shop.db: 2 steps done.\n"])
    assert.match(
      applied.stderr,
      /Left as it is: --allow drop:item\.note would remove note of item and all of its values\.\n$/,
    )
    const more = await migrate("status", "second.ts", ...database, "--json")
    assert.equal(more.code, 0)
    assert.deepEqual(JSON.parse(more.stdout), {
      ok: true,
      steps: [
        {
          name: "drop:item.note",
          says: "remove note of item and all of its values",
          loses: true,
          leftover: true,
          refused: false,
          safe: false,
        },
      ],
    })
    assert.equal((await migrate("apply", "second.ts", ...database, "--allow", "drop:item.note")).code, 0)
    assert.deepEqual(await migrate("status", "second.ts", ...database), {
      code: 0,
      stdout: "✓ shop.db has all that the service needs.\n",
      stderr: "",
    })
    const [row] = new DatabaseSync(join(cwd, "shop.db")).prepare("SELECT * FROM item").all()
    assert.deepEqual({ ...row }, { id: "a", title: "A", bifold_version: 1, price: 100 })
  })

  it("asks of what goes whether it was renamed, in words and in JSON, before and after", async () => {
    write("note.ts", "title: f.text(), note: f.text({ optional: true })")
    write("remark.ts", 'title: f.text(), remark: f.text({ optional: true }), shelf: f.text({ default: "A" })')
    const database = ["--database", "renamed.db"]
    assert.equal((await migrate("apply", "note.ts", ...database)).code, 0)
    // Anew each time: ALTER TABLE goes by the schema that a connection read last.
    const open = () => new DatabaseSync(join(cwd, "renamed.db"))
    open().exec("INSERT INTO item (id, title, note) VALUES ('a', 'A', 'N')")
    const hint = 'If it was renamed, say so: remark has was: "note".'
    const plan = await migrate("plan", "remark.ts", ...database)
    const told = plan.stdout.split("\n").filter((line) => line.includes("renamed"))
    assert.equal(told.length, 1, plan.stdout)
    assert.ok(told[0]?.includes(" drop:item.note ") && told[0].endsWith(hint), told[0])
    const json = await migrate("plan", "remark.ts", ...database, "--json")
    const { steps } = JSON.parse(json.stdout) as { steps: { name: string; hint?: string }[] }
    assert.deepEqual(
      steps.map((step) => [step.name, step.hint]),
      [
        ["add:item.remark", undefined],
        ["add:item.shelf", undefined],
        ["drop:item.note", hint],
      ],
    )
    const applied = await migrate("apply", "remark.ts", ...database)
    assert.equal(
      applied.stderr.split("\n").at(-2),
      'Left as it is: --allow drop:item.note would remove note of item and all of its values. If it was renamed: remove the new remark from the database, declare it with was: "note", and migrate again.',
    )
    // Does what it is told.
    open().exec("ALTER TABLE item DROP COLUMN remark")
    write(
      "said.ts",
      'title: f.text(), remark: f.text({ was: "note", optional: true }), shelf: f.text({ default: "A" })',
    )
    assert.equal((await migrate("apply", "said.ts", ...database)).code, 0)
    assert.equal(open().prepare("SELECT remark FROM item").get()?.["remark"], "N")
  })

  it("says what it leaves that keeps other records from being deleted", async () => {
    const customer = "customer: resource({ fields: { name: f.text() } })"
    const tied = (relations: string, more = ""): string =>
      `import { f, one, resource, service } from "bifold"
export default service({
  name: "shop",
  resources: { ${customer}, item: resource({ fields: { name: f.text() }, relations: { ${relations} } }), ${more} },
})
`
    const note = `note: resource({ fields: { text: f.text() }, relations: { item: one("item") } })`
    writeFileSync(join(cwd, "tied.ts"), tied(`customer: one("customer", { optional: true })`, note))
    writeFileSync(join(cwd, "loose.ts"), tied("").replace(", one,", ","))
    const database = ["--database", "tied.db"]
    assert.equal((await migrate("apply", "tied.ts", ...database)).code, 0)
    const { code, stderr } = await migrate("apply", "loose.ts", ...database)
    assert.equal(code, 0, stderr)
    assert.equal(
      stderr,
      `Left as it is: --allow drop:item.customerId would remove customer_id of item and all of its values. Until then the records of customer that it leads to cannot be deleted.
Left as it is: --allow drop:note would remove the table note and all of its records. Until then the records of item that it leads to cannot be deleted.
`,
    )
  })

  for (const [what, given, code, stderr] of [
    [
      "a service whose tables are somebody else's",
      ["plan", "theirs.ts", "--database", "x.db"],
      2,
      "✗ The tables of theirs.ts are not managed by Bifold.\n  → If they are to be Bifold's own, leave out `managed: false`.\n",
    ],
    [
      "a service without a database",
      ["plan", "first.ts"],
      2,
      "✗ Nothing says which database first.ts is about.\n  → Name it: --database shop.db, or set BIFOLD_DATABASE.\n",
    ],
    [
      "a database that cannot be reached",
      ["status", "first.ts", "--database", "postgres://127.0.0.1:1/x"],
      1,
      "✗ The PostgreSQL database at 127.0.0.1:1, database x cannot be reached.\n  → Nothing listens there: is the server running, and is the port right?\n",
    ],
    [
      "a file that is no database",
      ["apply", "first.ts", "--database", "first.ts"],
      1,
      "✗ The SQLite file first.ts cannot be read.\n  → The file is not a SQLite database.\n",
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      assert.deepEqual(await migrate(...given), { code, stdout: "", stderr })
    })

  it("refuses what would lose data, and says how to mean it", async () => {
    await migrate("apply", "first.ts", "--database", "lossy.db")
    write("lossy.ts", "name: f.integer({ optional: true }), note: f.text({ optional: true })")
    const ran = await migrate("apply", "lossy.ts", "--database", "lossy.db")
    assert.deepEqual(ran, {
      code: 1,
      stdout: "",
      stderr:
        "✗ change:item.name: It would change name of item from text to integer; its values are lost.\n  → To keep the values, say in `from` what they become. If that is meant: bifold migrate apply --allow change:item.name\n",
    })
    const forPrograms = await migrate("apply", "lossy.ts", "--database", "lossy.db", "--json")
    assert.equal(forPrograms.code, 1)
    assert.deepEqual(JSON.parse(forPrograms.stdout), {
      ok: false,
      problems: [
        {
          code: "migration_refused",
          message:
            "change:item.name: It would change name of item from text to integer; its values are lost.",
          hint: "To keep the values, say in `from` what they become. If that is meant: bifold migrate apply --allow change:item.name",
        },
      ],
    })
    const bogus = await migrate("apply", "first.ts", "--database", "lossy.db", "--allow", "bogus")
    assert.deepEqual(bogus, {
      code: 2,
      stdout: "",
      stderr: '✗ No step is called "bogus".\n  → No step here loses anything.\n',
    })
    const gone = await migrate("apply", "first.ts", "--database", "lossy.db", "--allow", "drop:item.gone")
    assert.deepEqual([gone.code, gone.stderr], [0, "There was no step drop:item.gone.\n"])
  })
})

describe("bifold serve over a database that differs", () => {
  it("refuses to start, and says what differs and what to do", async () => {
    await migrate("apply", "first.ts", "--database", "old.db")
    const ran = await bifold(["serve", "second.ts", "--open", "write", "--database", "old.db"], { cwd })
    assert.deepEqual(ran, {
      code: 1,
      stdout: "",
      stderr: `✗ The database old.db is not what second.ts declares.
  → Migrate it: bifold migrate apply second.ts --database old.db
✗ rename:item.title is to be done: rename the column name of item to title.
✗ add:item.price is to be done: add price decimal(9,2), required to item, 100 in every record.
`,
    })
  })

  it("refuses one that has none of the tables, and one that is not there", async () => {
    new DatabaseSync(join(cwd, "bare.db")).exec("CREATE TABLE other (id INTEGER)")
    const bare = await bifold(["serve", "first.ts", "--open", "write", "--database", "bare.db"], { cwd })
    assert.equal(
      bare.stderr,
      "✗ The database bare.db has none of the service's tables.\n  → Make them: bifold migrate apply first.ts --database bare.db\n",
    )
    const missing = await bifold(["serve", "first.ts", "--open", "write", "--database", "missing.db"], {
      cwd,
    })
    assert.equal(
      missing.stderr,
      "✗ There is no database missing.db.\n  → Make it: bifold migrate apply first.ts --database missing.db\n",
    )
    assert.deepEqual([bare.code, missing.code, existsSync(join(cwd, "missing.db"))], [1, 1, false])
  })

  it("says what to run so that a shell takes it as it is", async () => {
    write("the shop's.ts", "name: f.text()")
    const { stderr } = await bifold(
      ["serve", "the shop's.ts", "--open", "write", "--database", "no such.db"],
      { cwd },
    )
    const [, command = ""] = /→ Make it: bifold (.*)\n/.exec(stderr) ?? []
    assert.equal(command, "migrate apply 'the shop'\\''s.ts' --database 'no such.db'")
    const words = execFileSync("sh", ["-c", `printf '%s\n' ${command}`], { encoding: "utf8" }).trimEnd()
    assert.deepEqual(words.split("\n"), ["migrate", "apply", "the shop's.ts", "--database", "no such.db"])
  })

  it("makes and migrates it by itself with --dev, and leaves what would lose data", async () => {
    const first = await serving(["first.ts", "--database", "dev.db", "--open", "write", "--dev"], { cwd })
    assert.match((await first.end()).stderr, /make the table item\n.*\nThe database has been migrated\.\n/)
    new DatabaseSync(join(cwd, "dev.db")).exec(
      "INSERT INTO item (id, name, note) VALUES ('01h455vb4pex5vsknk084sn02q', 'A', 'N')",
    )
    const second = await serving(["second.ts", "--database", "dev.db", "--open", "write", "--dev"], { cwd })
    const answer = (await (await fetch(`${second.url}/items`)).json()) as { data: unknown }
    assert.deepEqual(answer.data, [{ id: "item_01h455vb4pex5vsknk084sn02q", title: "A", price: "1.00" }])
    assert.match(
      (await second.end()).stderr,
      /Left as it is: drop:item\.note, which would remove note of item/,
    )
    const third = await serving(["second.ts", "--database", "dev.db", "--open", "write"], { cwd })
    assert.doesNotMatch((await third.end()).stderr, /migrat/)
    write("third.ts", "name: f.integer(), title: f.text()")
    const refused = await bifold(["serve", "third.ts", "--open", "write", "--database", "dev.db", "--dev"], {
      cwd,
    })
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      /^✗ add:item\.name: Records of item are there already.*\n {2}→ Give the field a default/m,
    )
  })
})

describe("the storefront", () => {
  const source = fileURLToPath(new URL("../../examples/storefront/service.ts", import.meta.url))
  for (const name of ["SQLite", "PostgreSQL"] as const)
    it(`has a field renamed with its records in place (${name})`, async (test) => {
      const folder = await temporaryFolder(test)
      const database = name === "SQLite" ? join(folder, "storefront.db") : await temporaryPostgres(test)
      await (
        await serving(["--example", "--database", database, "--accept-data-loss"], {
          cwd: folder,
          cloned: true,
        })
      ).end()
      const renamed = readFileSync(source, "utf8")
        .replace("name: f.text({ max: 200 }),", 'fullName: f.text({ was: "name", max: 200 }),')
        .replace('only(["name", ', 'only(["fullName", ')
        .replace(
          '{ renamed: "customer.fullName", to: "name" }',
          '{ renamed: "customer.name", to: "fullName" }',
        )
      writeFileSync(join(folder, "service.ts"), renamed)
      const applied = await bifold(["migrate", "apply", "--database", database, "--json"], { cwd: folder })
      assert.equal(applied.code, 0, applied.stderr)
      const { done } = JSON.parse(applied.stdout) as { done: { name: string }[] }
      assert.deepEqual(
        done.map((step) => step.name),
        ["rename:customer.fullName"],
      )
      const server = await serving(["--database", database, "--as", "role:staff", "--accept-data-loss"], {
        cwd: folder,
      })
      const answer = await fetch(`${server.url}/orders/number=A-1?fields=number&include=customer`)
      const order = (await answer.json()) as { customer: { fullName: string } }
      await server.end()
      assert.equal(order.customer.fullName, "Ólafur van der Berg")
    })
})

describe("a database of somebody else's that has drifted", () => {
  it("has the resources that are hurt answer 503 by both faces, and the others served", async (test) => {
    new DatabaseSync(join(cwd, "theirs.db")).exec(`
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES author (id));
      INSERT INTO author VALUES (1, 'Ada')`)
    writeFileSync(
      join(cwd, "drifted.ts"),
      `import { f, many, one, resource, service } from "bifold"
const key = { column: "id", type: "integer" } as const
export default service({
  name: "books",
  managed: false,
  resources: {
    author: resource({ key, fields: { name: f.text() }, relations: { books: many("book", { by: "author" }) } }),
    book: resource({ key, fields: { title: f.text() }, relations: { author: one("author") } }),
  },
})
`,
    )
    const server = await serving(["drifted.ts", "--database", "theirs.db", "--open", "write"], { cwd })
    test.after(() => server.end())
    const rest = async (path: string) => {
      const answer = await fetch(server.url + path)
      return [answer.status, (await answer.json()) as { code?: string; data?: unknown }] as const
    }
    const graphql = async (query: string) => rest(`/graphql?query=${encodeURIComponent(query)}`)
    const [fine, authors] = await rest("/authors")
    assert.deepEqual([fine, authors.data], [200, [{ id: "author_1", name: "Ada" }]])
    for (const path of [
      "/books",
      "/books/1",
      "/authors?include=books",
      "/authors/1/books",
      `/authors?filter=${encodeURIComponent('{"books":{"some":{"title":{"eq":"x"}}}}')}`,
    ]) {
      const [status, problem] = await rest(path)
      assert.deepEqual([status, problem.code], [503, "resource_unavailable"], path)
    }
    assert.deepEqual((await graphql("{ authors { nodes { name } } }"))[1].data, {
      authors: { nodes: [{ name: "Ada" }] },
    })
    for (const query of [
      "{ books { totalCount } }",
      '{ node(id: "book_1") { id } }',
      "{ authors { nodes { books { totalCount } } } }",
    ]) {
      const [status, answer] = await graphql(query)
      assert.equal(status, 503, query)
      assert.match(JSON.stringify(answer), /"code":"resource_unavailable"/)
    }
    const { stderr } = await server.end()
    assert.match(stderr, /✗ resources\.book\n {2}The table "book" has no column "title"\./)
    assert.match(stderr, /These resources answer 503; the others are served: author\./)
  })
})
