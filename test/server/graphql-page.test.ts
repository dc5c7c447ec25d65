// The page for browsers at the GraphQL endpoint: who gets it, what it may do, and that it works in a browser.
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { test } from "node:test"
import { buildSchema } from "graphql"
import { everybodyIn } from "../../src/access/identity/identify.ts"
import { chromium, openPage } from "../support/browser.ts"
import { anyone, openLibrary } from "./open.ts"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

test("a browser gets the page, and nobody else", async (t) => {
  const { url } = await openLibrary(t, { base: "/api" })
  const got = async (accept: string | undefined, query = "", method = "GET") => {
    const response = await fetch(`${url}/api/graphql${query}`, {
      method,
      ...(accept !== undefined && { headers: { accept } }),
    })
    return [response.status, response.headers.get("content-type")?.split(";")[0]]
  }
  const html = [200, "text/html"]
  assert.deepEqual(await got(browser), html)
  assert.deepEqual(await got("text/html"), html)
  assert.deepEqual(await got("Text/HTML"), html)
  assert.deepEqual(await got(browser, "", "HEAD"), html)
  for (const accept of [
    undefined,
    "*/*",
    "application/json",
    "application/json, text/plain, */*",
    "application/json, text/html",
    "text/html;q=0.5, application/json",
  ])
    assert.deepEqual(await got(accept), [400, "application/json"], accept)
  assert.deepEqual(await got(browser, "?query={__typename}"), [200, "application/json"])
  assert.deepEqual(await got(browser, "", "POST"), [400, "application/json"])
})

test("what the page may do is what is in it", async (t) => {
  const { url } = await openLibrary(t, { base: "/api" })
  const response = await fetch(`${url}/api/graphql`, { headers: { accept: browser } })
  const text = await response.text()
  assert.match(text, /<h1>Library &amp; &lt;Co&gt;<\/h1>/)
  assert.match(text, /href="\/api\/schema\.graphql"/)
  assert.equal(response.headers.get("vary"), "Accept, Accept-Encoding")
  const policy = response.headers.get("content-security-policy") ?? ""
  const digest = (part: string | undefined) =>
    createHash("sha256")
      .update(part ?? "")
      .digest("base64")
  const [, script] = /<script>([\s\S]*)<\/script>/.exec(text) ?? []
  const [, style] = /<style>([\s\S]*)<\/style>/.exec(text) ?? []
  assert.equal(
    policy,
    `default-src 'none'; script-src 'sha256-${digest(script)}'; style-src 'sha256-${digest(style)}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  )
  assert.doesNotMatch(text, / on[a-z]+=| style=|javascript:|https?:/)
  const schema = await fetch(`${url}/api/schema.graphql`)
  assert.equal(schema.headers.get("content-type"), "text/plain; charset=utf-8")
  assert.ok(buildSchema(await schema.text()).getType("Book"))
  assert.equal((await fetch(`${url}/api/schema.graphql`, { method: "POST" })).status, 405)
})

test("a service of registered documents has neither page nor schema", async (t) => {
  const identify = everybodyIn({ ...anyone.model, documents: "required" })
  const { url } = await openLibrary(t, { identify })
  assert.equal((await fetch(`${url}/graphql`, { headers: { accept: browser } })).status, 400)
  assert.equal((await fetch(`${url}/schema.graphql`)).status, 404)
})

test("the page works in Chromium", { skip: !chromium && "there is no Chromium" }, async (t) => {
  const seen: (string | undefined)[] = []
  const everybody = everybodyIn(anyone.model)
  const identify: typeof everybody = (headers) => {
    seen.push(`${headers["authorization"]}, ${headers["api-version"]}`)
    return everybody(headers)
  }
  const { url } = await openLibrary(t, { identify }, undefined, { writes: "durable" })
  const page = await openPage(t, `${url}/graphql`)
  const answered = async (): Promise<string> => {
    for (let left = 100; left > 0; left--) {
      const answer = String(await page.run(`document.getElementById("answer").textContent`))
      if (answer !== "") return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`no answer: ${await page.run(`document.getElementById("status").textContent`)}`)
  }
  const ask = async (query: string, variables = ""): Promise<string> => {
    await page.run(`document.getElementById("answer").textContent = ""`)
    for (const [id, text] of Object.entries({ query, variables })) {
      await page.run(`document.getElementById("${id}").select()`)
      await page.run(`document.getElementById("${id}").value = ""`)
      await page.run(`document.getElementById("${id}").focus()`)
      if (text !== "") await page.type(text)
    }
    await page.press({ key: "Enter", code: "Enter", control: true })
    return answered()
  }
  // The document that the page begins with.
  await page.run(`document.getElementById("run").click()`)
  assert.deepEqual(JSON.parse(await answered()), {
    data: { authors: { nodes: [{ id: "author_1" }, { id: "author_2" }] } },
  })
  const query = "query Book($id: ID!) { book(id: $id) { title author { name } } }"
  assert.equal(
    await ask(query, '{ "id": "book_3" }'),
    '{\n  "data": {\n    "book": {\n      "title": "Three",\n      "author": {\n        "name": "Zoë"\n      }\n    }\n  }\n}',
  )
  assert.match(String(await page.run(`document.getElementById("status").textContent`)), /^200, \d+ ms$/)
  // Brackets and colons in strings, and empty lists, stay what they are.
  const odd = 'a{ "b": [,] \\ </script>'
  const nothing = `{ books(where: { title: { eq: ${JSON.stringify(odd)} } }) { nodes { id } } }`
  assert.equal(await ask(nothing), '{\n  "data": {\n    "books": {\n      "nodes": []\n    }\n  }\n}')
  const made = JSON.parse(
    await ask(
      "mutation ($title: String!) { createBook(input: { title: $title, authorId: 1 }) { book { title } } }",
      JSON.stringify({ title: odd }),
    ),
  )
  assert.ok(made.data, JSON.stringify(made))
  assert.equal(made.data.createBook.book.title, odd)
  const shown = await ask(
    "query Odd($t: String!) { books(where: { title: { eq: $t } }) { nodes { title } } }",
    JSON.stringify({ t: odd }),
  )
  assert.equal(JSON.parse(shown).data.books.nodes[0].title, odd)
  // Several operations: the one at the cursor is run, here the last.
  const two = JSON.parse(await ask("query A { a: __typename } query B { b: __typename }"))
  assert.deepEqual(two, { data: { b: "Query" } })
  const mistaken = JSON.parse(await ask("{ books { nodes { titel } } }"))
  assert.equal(mistaken.errors[0].extensions.code, "invalid_document")
  await ask("{ __typename }", "{")
    .then(() => assert.fail("variables that are no JSON are not sent"))
    .catch((error: Error) => assert.match(error.message, /^no answer: Variables: /))
  assert.equal(seen.at(-1), "undefined, undefined")
  await page.run(`document.getElementById("authorization").value = "Bearer k"`)
  await page.run(`document.getElementById("version").value = "2026-01-01"`)
  await ask("{ __typename }")
  assert.equal(seen.at(-1), "Bearer k, 2026-01-01")
  await page.run(`document.getElementById("answer").textContent = ""`)
  await page.run(`document.getElementById("schema").click()`)
  assert.match(await answered(), /^type Query \{/m)
  assert.equal(seen.at(-1), "Bearer k, 2026-01-01")
  assert.ok(page.requests.length >= 9)
  for (const address of page.requests)
    assert.ok(address.startsWith(url) || address === "about:blank", address)
  // The browser says which answers were refusals, and asks for an icon; a policy that was broken, or an error, is another matter.
  const complaints = page.complaints.filter((text) => !text.includes("Failed to load resource"))
  assert.deepEqual(complaints, [])
})
