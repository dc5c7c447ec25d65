// Documents that clients name by an id: registered by the command line, sent by digest, required or not, on both databases,
// through served processes.
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, it } from "node:test"
import { bifold, type Ran, type Serving, serving } from "../cli/run.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"

const source = (documents: string): string => `import { anyone, f, resource, role, service } from "bifold"
export default service({
  name: "library", roles: ["staff"], identity: { keys: true },
  ${documents}
  resources: {
    book: resource({ fields: { title: f.text() }, allow: { read: anyone, create: anyone } }),
    secret: resource({ fields: { word: f.text() }, allow: { read: role("staff") } }),
  },
})
`
const titles = "query Titles($first: Int) { books(first: $first) { nodes { title } } }"
const count = "{ books { totalCount } }"
const add = "mutation Add($title: String!) { createBook(input: { title: $title }) { book { title } } }"
const digest = (text: string): string => createHash("sha256").update(text).digest("hex")

interface Answer {
  readonly status: number
  readonly body: {
    readonly data?: unknown
    readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
  }
}

async function post(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Answer["body"] }
}
const codeOf = ({ body }: Answer): string | undefined => body.errors?.[0]?.extensions.code
const byDigest = (text: string) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: digest(text) } },
})

for (const database of ["SQLite", "PostgreSQL"] as const)
  describe(`documents, ${database}`, () => {
    const hooks = cleanUp(after)
    const made: { cwd: string; url: string } = { cwd: "", url: "" }
    before(async () => {
      made.cwd = await temporaryFolder(hooks)
      made.url = database === "SQLite" ? join(made.cwd, "library.db") : await temporaryPostgres(hooks)
      for (const mode of ["allowed", "required"])
        writeFileSync(join(made.cwd, `${mode}.ts`), source(`documents: "${mode}",`))
      writeFileSync(join(made.cwd, "without.ts"), source(""))
      mkdirSync(join(made.cwd, "app", "more"), { recursive: true })
      writeFileSync(join(made.cwd, "app", "titles.graphql"), titles)
      writeFileSync(join(made.cwd, "app", "readme.md"), "Not a document.")
      writeFileSync(join(made.cwd, "app", "package.json"), '{"name": "app"}')
      mkdirSync(join(made.cwd, "app", "node_modules"))
      writeFileSync(join(made.cwd, "app", "node_modules", "other.graphql"), "{ nothing }")
      writeFileSync(join(made.cwd, "app", "more", "add.gql"), add)
      writeFileSync(join(made.cwd, "relay.json"), JSON.stringify({ count1: count }))
      const applied = await bifold(["migrate", "apply", "required.ts", "--database", made.url], {
        cwd: made.cwd,
      })
      assert.equal(applied.code, 0, applied.stderr)
    })
    const run = (command: string, ...given: readonly string[]): Promise<Ran> =>
      bifold(["documents", command, ...given, "--database", made.url, "--accept-data-loss"], {
        cwd: made.cwd,
      })
    const opened = new Map<string, Promise<Serving>>()
    const open = (mode: string): Promise<Serving> => {
      const known = opened.get(mode) ?? openFresh(mode)
      opened.set(mode, known)
      return known
    }
    const openFresh = async (mode: string): Promise<Serving> => {
      const server = await serving([`${mode}.ts`, "--database", made.url, "--accept-data-loss"], {
        cwd: made.cwd,
      })
      hooks.after(async () => void (await server.end()))
      return server
    }

    it("are pushed, whole or not at all, and listed", async () => {
      writeFileSync(join(made.cwd, "wrong.graphql"), "{ books {\n  nodes { name } } }")
      const refused = await run("push", "required.ts", "app", "wrong.graphql")
      assert.equal(refused.code, 1, refused.stderr)
      assert.match(refused.stderr, /wrong\.graphql, line 2: Cannot query field "name" on type "Book"/)
      assert.equal((await run("list", "required.ts")).stderr, "No document is registered.\n")
      const pushed = await run("push", "required.ts", "app", "relay.json", "--json")
      assert.equal(pushed.code, 0, pushed.stderr)
      const ids = [`sha256:${digest(add)}`, `sha256:${digest(titles)}`, `sha256:${digest(count)}`, "count1"]
      assert.deepEqual(JSON.parse(pushed.stdout), { ok: true, registered: ids })
      const again = await run("push", "required.ts", "app", "relay.json")
      assert.match(again.stdout, /0 of 4 documents are new; 4 are registered now/)
      const listed = await run("list", "required.ts", "--json")
      const { documents } = JSON.parse(listed.stdout)
      assert.deepEqual(
        documents.map((one: { documentId: string }) => one.documentId).toSorted(),
        ids.toSorted(),
      )
      assert.match(
        (await run("list", "required.ts")).stdout,
        /count1 +\d{4}-.* {3}\{ books \{ totalCount \} \}/,
      )
    })

    it("are checked against the version that they are of", async () => {
      writeFileSync(
        join(made.cwd, "versioned.ts"),
        source(
          'documents: "required", versions: { "2026-06-01": [{ renamed: "book.name", to: "title" }], "2026-01-01": [] },',
        ),
      )
      writeFileSync(join(made.cwd, "former.graphql"), "{ books { nodes { name } } }")
      const newest = await run("push", "versioned.ts", "former.graphql")
      assert.match(newest.stderr, /Cannot query field "name"/)
      const absent = await run("push", "versioned.ts", "former.graphql", "--api-version", "2025-01-01")
      assert.match(absent.stderr, /There is no version "2025-01-01" of this API/)
      const former = await run("push", "versioned.ts", "former.graphql", "--api-version", "2026-01-01")
      assert.equal(former.code, 0, former.stderr)
      assert.equal(
        (await run("remove", `sha256:${digest("{ books { nodes { name } } }")}`, "versioned.ts")).code,
        0,
      )
    })

    it("keep their ids: one stands for one document", async () => {
      writeFileSync(join(made.cwd, "other.json"), JSON.stringify({ count1: titles }))
      const refused = await run("push", "required.ts", "other.json")
      assert.equal(refused.code, 1, refused.stderr)
      assert.match(refused.stderr, /other\.json, "count1": the id stands for another document already/)
    })

    it("are the only ones that are answered where they are required", async () => {
      const { url } = await open("required")
      assert.deepEqual((await post(url, { documentId: "count1" })).body, {
        data: { books: { totalCount: 0 } },
      })
      const added = await post(url, { documentId: `sha256:${digest(add)}`, variables: { title: "Emma" } })
      assert.deepEqual(added.body, { data: { createBook: { book: { title: "Emma" } } } })
      for (const asked of [{ query: titles }, byDigest(titles), { query: titles, ...byDigest(titles) }])
        assert.deepEqual((await post(url, asked)).body, { data: { books: { nodes: [{ title: "Emma" }] } } })
      for (const query of [`${titles} `, "{ __typename }", "{ __schema { types { name } } }", "{"]) {
        for (let times = 0; times < 3; times++) {
          const refused = await post(url, { query })
          assert.deepEqual([refused.status, codeOf(refused)], [200, "document_not_registered"], query)
        }
        const newer = await post(url, { query }, { accept: "application/graphql-response+json" })
        assert.deepEqual([newer.status, codeOf(newer)], [400, "document_not_registered"])
        const sent = await post(url, { query, ...byDigest(query) })
        assert.equal(codeOf(sent), "document_not_registered")
        const named = await post(url, byDigest(query))
        assert.deepEqual(
          [codeOf(named), named.body.errors?.[0]?.message],
          ["document_not_registered", "PersistedQueryNotSupported"],
        )
        const unknown = await post(url, { documentId: `sha256:${digest(query)}` })
        assert.equal(codeOf(unknown), "document_not_found")
      }
      const address = new URL(`${url}/graphql`)
      address.search = String(new URLSearchParams({ documentId: "count1" }))
      const got = (await (await fetch(address)).json()) as Answer["body"]
      assert.deepEqual(got, { data: { books: { totalCount: 1 } } })
      address.search = String(
        new URLSearchParams({ documentId: `sha256:${digest(add)}`, variables: '{"title":"x"}' }),
      )
      assert.equal((await fetch(address)).status, 405)
    })

    it("are looked up again: what is pushed is answered soon", async () => {
      const { url } = await open("required")
      const text = "{ books(first: 2) { nodes { id } } }"
      assert.equal(codeOf(await post(url, { query: text })), "document_not_registered")
      writeFileSync(join(made.cwd, "later.graphql"), text)
      assert.equal((await run("push", "required.ts", "later.graphql")).code, 0)
      // The answer that it is not there is kept for a second.
      const until = Date.now() + 10_000
      let answer = await post(url, { query: text })
      while (answer.body.data == null && Date.now() < until) answer = await post(url, { query: text })
      assert.ok(answer.body.data, JSON.stringify(answer))
      const removed = await run("remove", `sha256:${digest(text)}`, "required.ts")
      assert.match(removed.stdout, /ends within a minute/)
      assert.equal((await run("remove", `sha256:${digest(text)}`, "required.ts")).code, 1)
      assert.equal(
        codeOf(await post((await openFresh("required")).url, { query: text })),
        "document_not_registered",
      )
    })

    it("are sent by digest, automatically, where others are allowed", async () => {
      for (const mode of ["allowed", "without"]) {
        const { url } = await open(mode)
        const text = "query Own { books { totalCount } }"
        const unknown = await post(url, byDigest(text))
        assert.deepEqual([unknown.status, unknown.body.errors?.[0]?.message], [200, "PersistedQueryNotFound"])
        const wrong = await post(url, { query: text, ...byDigest(count) })
        assert.deepEqual([wrong.status, codeOf(wrong)], [400, "malformed_request"])
        // What is no document of the service is not kept.
        assert.equal(
          codeOf(await post(url, { query: "{ nothing }", ...byDigest("{ nothing }") })),
          "unauthenticated",
        )
        assert.equal(codeOf(await post(url, byDigest("{ nothing }"))), "document_not_found")
        assert.deepEqual((await post(url, { query: text, ...byDigest(text) })).body, {
          data: { books: { totalCount: 1 } },
        })
        for (let times = 0; times < 3; times++)
          assert.deepEqual((await post(url, byDigest(text))).body, { data: { books: { totalCount: 1 } } })
        // Whether a text with somebody's name in it was sent is nobody's to ask.
        const personal = '{ books(where: {title: {eq: "Emma"}}) { totalCount } }'
        assert.ok((await post(url, { query: personal, ...byDigest(personal) })).body.data)
        assert.equal(codeOf(await post(url, byDigest(personal))), "document_not_found")
        const key = ["key", "create", `${mode}.ts`, "--role", "staff", "--json", "--database", made.url]
        const created = await bifold([...key, "--accept-data-loss"], { cwd: made.cwd })
        const staff = { authorization: `Bearer ${JSON.parse(created.stdout).secret}` }
        const theirs = "query Theirs { books { totalCount } }"
        assert.ok((await post(url, { query: theirs, ...byDigest(theirs) }, staff)).body.data)
        assert.ok((await post(url, byDigest(theirs), staff)).body.data)
        assert.equal(codeOf(await post(url, byDigest(theirs))), "document_not_found")
        const named = await post(url, { documentId: "count1" })
        if (mode === "allowed") assert.deepEqual(named.body, { data: { books: { totalCount: 1 } } })
        else assert.equal(codeOf(named), "document_not_found")
      }
    })

    it("are malformed requests where they are misspelt", async () => {
      const { url } = await open("allowed")
      const wrong: readonly object[] = [
        { documentId: 1 },
        { documentId: "" },
        { documentId: "count1", query: count },
        { extensions: { persistedQuery: { version: 2, sha256Hash: digest(count) } } },
        { extensions: { persistedQuery: { version: 1, sha256Hash: "abc" } } },
        { extensions: { persistedQuery: "x" } },
        {},
      ]
      for (const body of wrong) {
        const refused = await post(url, body)
        assert.deepEqual([refused.status, codeOf(refused)], [400, "malformed_request"], JSON.stringify(body))
      }
      assert.equal(codeOf(await post(url, { documentId: "x".repeat(100_000) })), "document_not_found")
    })

    it("are nobody's to read or write by the API, and no service's that does not ask for them", async () => {
      const { url } = await open("allowed")
      for (const path of ["/graphql-documents", "/graphql-documents/doc_1"])
        assert.equal((await fetch(url + path)).status, 401)
      assert.equal(
        codeOf(await post(url, { query: "{ graphqlDocuments { totalCount } }" })),
        "unauthenticated",
      )
      const refused = await run("list", "without.ts")
      assert.deepEqual([refused.code, /documents: "allowed"/.test(refused.stderr)], [2, true])
    })

    it("are nobody's in a service without rules, either", async () => {
      const open = source('documents: "allowed",')
        .replaceAll(/, allow: {[^}]*}/g, "")
        .replace(', roles: ["staff"], identity: { keys: true }', "")
      writeFileSync(join(made.cwd, "open.ts"), open)
      const server = await serving(
        ["open.ts", "--database", made.url, "--accept-data-loss", "--open", "write"],
        { cwd: made.cwd },
      )
      hooks.after(async () => void (await server.end()))
      assert.equal((await fetch(`${server.url}/graphql-documents`)).status, 404)
      assert.equal((await fetch(`${server.url}/books`)).status, 200)
      assert.deepEqual((await post(server.url, { documentId: "count1" })).body.data, {
        books: { totalCount: 1 },
      })
      for (const shown of ["--graphql", "--openapi"]) {
        const { stdout, code } = await bifold(["schema", shown, "required.ts"], { cwd: made.cwd })
        assert.deepEqual([code, /graphql-?document/i.test(stdout)], [0, false], shown)
      }
    })

    it("take a manifest of Apollo's tools; a file that is none is refused", async () => {
      const body = "query All { books { nodes { id title } } }"
      const operations = [{ id: digest(body), name: "All", type: "query", body }]
      writeFileSync(
        join(made.cwd, "apollo.json"),
        JSON.stringify({ format: "apollo-persisted-query-manifest", version: 1, operations }),
      )
      const pushed = await run("push", "required.ts", "apollo.json", "--json")
      assert.deepEqual(JSON.parse(pushed.stdout).registered, [`sha256:${digest(body)}`])
      for (const missing of ["nowhere.graphql", "app/readme.md"])
        assert.equal((await run("push", "required.ts", missing)).code, 2)
    })
  })
