// `bifold introspect` as a process, and the way back: the file it writes serves the same API as the database itself.
import assert from "node:assert/strict"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import pg from "pg"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { bifold } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const postgres = await temporaryPostgres(hooks)

const tables = `
  CREATE TABLE author (id integer PRIMARY KEY, name text NOT NULL);
  CREATE TABLE book (id integer PRIMARY KEY, title text NOT NULL UNIQUE, pages integer,
    author_id integer NOT NULL REFERENCES author (id));
  CREATE TABLE tag (name text PRIMARY KEY);
  CREATE TABLE book_tag (book_id integer NOT NULL REFERENCES book (id), tag_name text NOT NULL REFERENCES tag (name),
    PRIMARY KEY (book_id, tag_name));
  INSERT INTO author VALUES (1, 'Ada');
  INSERT INTO book VALUES (1, 'One', 10, 1), (2, 'Two', NULL, 1);
`
const shop = join(cwd, "shop.db")
const database = new DatabaseSync(shop)
database.exec(tables)
database.close()
const client = new pg.Client({ connectionString: postgres })
await client.connect()
await client.query(tables)
await client.end()

describe("bifold introspect", () => {
  for (const [name, url] of [
    ["SQLite", "shop.db"],
    ["PostgreSQL", postgres],
  ] as const) {
    it(`writes a file that serves what the database serves (${name})`, async () => {
      const file = `${name}.ts`
      const written = await bifold(["introspect", url, "--out", file], { cwd })
      assert.equal(written.code, 0, written.stderr)
      assert.equal(written.stdout, "")
      assert.match(
        written.stderr,
        new RegExp(`✓ ${file}: 3 resources\\. Serve it with: bifold serve ${file} --database `),
      )
      assert.match(
        readFileSync(join(cwd, file), "utf8"),
        /^\/\/ No actor may do anything with these records until/,
      )
      const checked = await bifold(["check", file], { cwd })
      assert.equal(checked.code, 0)
      assert.match(checked.stderr, /^3 things to know:\n {2}resources\.author +no actor may read it/)
      for (const kind of ["--graphql", "--openapi"]) {
        const [fromFile, fromDatabase] = await Promise.all([
          bifold(["schema", kind, file], { cwd }),
          bifold(["schema", kind, url], { cwd }),
        ])
        assert.equal(fromFile.code, 0, fromFile.stderr)
        assert.equal(fromFile.stdout, fromDatabase.stdout)
        assert.match(fromFile.stdout, /author/)
      }
    })

    it(`prints the file when none is named, and what is served otherwise beside it (${name})`, async () => {
      const ran = await bifold(["introspect", url], { cwd })
      assert.equal(ran.code, 0)
      assert.equal(ran.stdout, readFileSync(join(cwd, `${name}.ts`), "utf8"))
      assert.match(ran.stderr, /^One thing to know:\n {2}\S*book_tag +served as the relations /)
    })
  }

  it("logs each note of a served database as an entry of its own", async () => {
    const folder = await temporaryFolder(hooks)
    const file = join(folder, "two.db")
    const two = new DatabaseSync(file)
    two.exec(`${tables} CREATE TABLE note (text text);`)
    two.close()
    // A taken port ends the command after its notes.
    const taken = createServer().listen(0, "127.0.0.1")
    hooks.after(() => void taken.close())
    await once(taken, "listening")
    const port = String((taken.address() as AddressInfo).port)
    const ran = await bifold(["serve", file, "--open", "read", "--port", port, "--log-format", "json"], {
      cwd: folder,
    })
    const notices = ran.stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly event: string; readonly msg: string })
      .filter(({ event }) => event === "notice")
    assert.deepEqual(
      notices.map(({ msg }) => msg),
      [
        "2 things to know:",
        "book_tag served as the relations book.tags and tag.books: its key is two foreign keys and it holds nothing else",
        "note served as a list only: it has no primary key, nor a unique one without NULL",
      ],
    )
  })

  it("prints the declaration as JSON for machines", async () => {
    const ran = await bifold(["introspect", "shop.db", "--json"], { cwd })
    const { declaration, notes } = JSON.parse(ran.stdout)
    assert.deepEqual(Object.keys(declaration.resources), ["author", "book", "tag"])
    assert.equal(notes.length, 1)
  })

  it("overwrites a file only when told to", async () => {
    writeFileSync(join(cwd, "mine.ts"), "mine")
    const refused = await bifold(["introspect", "shop.db", "--out", "mine.ts"], { cwd })
    assert.deepEqual([refused.code, refused.stdout], [2, ""])
    assert.equal(
      refused.stderr,
      "✗ mine.ts is there already.\n  → Overwrite it with --force, or choose another name.\n",
    )
    assert.equal(readFileSync(join(cwd, "mine.ts"), "utf8"), "mine")
    const json = await bifold(["introspect", "shop.db", "--out", "mine.ts", "--json"], { cwd })
    assert.deepEqual(json, refused)
    const forced = await bifold(["introspect", "shop.db", "--out", "mine.ts", "--force"], { cwd })
    assert.equal(forced.code, 0)
    assert.match(readFileSync(join(cwd, "mine.ts"), "utf8"), /^(?:\/\/ .*\n){2}import .* from "bifold"\n/)
  })

  it("never prints a password", async () => {
    const url = new URL(postgres)
    url.password ||= "unguessable"
    const out = await bifold(["introspect", url.href, "--out", "secret.ts"], { cwd })
    assert.equal(out.code, 0, out.stderr)
    assert.equal(`${out.stderr}${readFileSync(join(cwd, "secret.ts"), "utf8")}`.includes(url.password), false)
    url.port = "1"
    const failed = await bifold(["introspect", url.href], { cwd })
    assert.equal(failed.code, 1)
    assert.equal(failed.stderr.includes(url.password), false)
  })

  for (const [what, given, code, said] of [
    ["is not there", "nothing.db", 2, /^✗ There is no file nothing\.db\.\n {2}→ Give a service file/],
    ["is something else", "text.txt", 2, /^✗ text\.txt is neither a service file nor a SQLite database\./],
    ["is a service file", "mine.ts", 2, /^✗ mine\.ts is a service file already\./],
    [
      "is empty",
      "empty.db",
      1,
      /^✗ The database holds no table or view that can be served: empty\.db\.\n {2}→ /,
    ],
    [
      "is of another kind",
      "mysql://localhost/x",
      1,
      /^✗ "mysql:" is no database that Bifold knows\.\n {2}→ /,
    ],
    ...["a:5432,b:5432", "me:se,same@a,b", "/x?host=a,b"].map(
      (authority) =>
        [
          `is on several hosts (${authority})`,
          `postgres://${authority}`,
          1,
          /^✗ The address of the PostgreSQL database names several hosts\.\n {2}→ Its driver connects to one/,
        ] as const,
    ),
    [
      "cannot be reached",
      "postgres://127.0.0.1:1/x",
      1,
      /^✗ The PostgreSQL database at 127\.0\.0\.1:1, database x cannot be reached\.\n {2}→ /,
    ],
  ] as const)
    it(`says so when the database ${what}`, async () => {
      writeFileSync(join(cwd, "text.txt"), "just text, long enough")
      writeFileSync(join(cwd, "empty.db"), "")
      const ran = await bifold(["introspect", given], { cwd })
      assert.equal(ran.code, code, ran.stderr)
      assert.equal(ran.stdout, "")
      assert.match(ran.stderr, said)
      assert.doesNotMatch(ran.stderr, /^\s+at /m)
    })
})
