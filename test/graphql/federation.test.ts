// A subgraph of Apollo Federation without a gateway: its document, and records by the keys that other subgraphs know.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { printSubgraph } from "../../src/graphql/schema/schema.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { notes } from "../feed/notes.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { dialects, openService } from "../support/open-service.ts"
import { bookshop, model as plain } from "./bookshop.ts"
import { bookshopRecords } from "./bookshop-records.ts"
import { serveGraphql } from "./serve.ts"

interface Answered {
  readonly data: Readonly<Record<string, readonly unknown[]>> | null
  readonly errors?: readonly {
    readonly message: string
    readonly extensions: Readonly<Record<string, unknown>>
  }[]
}

const query = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Author { name books(first: 1, orderBy: [{ field: isbn }]) { nodes { title } } }
    ... on Book { isbn }
    ...OfTag
  }
}
fragment OfTag on Tag { label }`

const federation = loadOpen({ ...bookshop, federation: true })

for (const database of dialects) {
  test(`records of several types by their keys, in one statement, on ${database}`, async (t) => {
    const service = await openService(t, { model: federation, records: bookshopRecords, database })
    const ask = async (representations: unknown): Promise<Answered> =>
      JSON.parse((await service.graphql({ body: { query, variables: { representations } } })).body)
    const before = service.storage.sent
    assert.deepEqual(
      await ask([
        { __typename: "Book", isbn: "978-3" },
        { __typename: "Author", id: "aut_a3", name: "another name" },
        { __typename: "Tag", id: "sea" },
        { __typename: "Author", id: "aut_none" },
        { __typename: "Author", email: "ann@example.org" },
        { __typename: "Author", id: "bok_b1" },
        { __typename: "Book", year: 2001, number: 4 },
        { __typename: "Author", email: null },
        { __typename: "Book", isbn: null, year: 2001, number: 4 },
        { __typename: "Author", id: "aut_a3" },
      ]),
      {
        data: {
          _entities: [
            { __typename: "Book", isbn: "978-3" },
            { __typename: "Author", name: "Cy", books: { nodes: [{ title: "Naïve\n𝄞" }] } },
            { __typename: "Tag", label: null },
            null,
            { __typename: "Author", name: "Ann", books: { nodes: [{ title: "Roots" }] } },
            null,
            { __typename: "Book", isbn: "978-4" },
            null,
            { __typename: "Book", isbn: "978-4" },
            { __typename: "Author", name: "Cy", books: { nodes: [{ title: "Naïve\n𝄞" }] } },
          ],
        },
      },
    )
    assert.equal(service.storage.sent - before, 1)
    assert.deepEqual(await ask([]), { data: { _entities: [] } })
    const wrong: readonly (readonly [unknown, string, string])[] = [
      ["x", "0", "A representation must be an object with `__typename`."],
      [{ id: "aut_a1" }, "0", "A representation must be an object with `__typename`."],
      [{ __typename: "Visit", page: "/" }, "0", 'No record is of the type "Visit".'],
      [{ __typename: "Query" }, "0", 'No record is of the type "Query".'],
      [
        { __typename: "Author", name: "Ann" },
        "0",
        'A representation of "Author" must have `id` or the members of a unique key.',
      ],
      [
        { __typename: "Book", year: 2001 },
        "0",
        'A representation of "Book" must have `id` or the members of a unique key.',
      ],
    ]
    for (const [representation, place, message] of wrong) {
      const { data, errors } = await ask([representation])
      assert.equal(data, null)
      assert.deepEqual(
        [errors?.[0]?.message, errors?.[0]?.extensions["code"], errors?.[0]?.extensions["place"]],
        [message, "invalid_value", ["_entities", "representations", place]],
      )
    }
    const many = Array.from({ length: 101 }, () => ({ __typename: "Author", id: "aut_a1" }))
    assert.match((await ask(many)).errors?.[0]?.message ?? "", /at most 100 representations, not 101/)
    assert.equal((await ask(many.slice(1))).data?.["_entities"]?.length, 100)
  })

  describe(`under rules, on ${database}`, () => {
    const hooks = cleanUp(after)
    test("a record that is not seen is null, as one that is not there, and the document is the caller's", async () => {
      const model = load(withSystem({ ...notes, federation: true }))
      const server = await openServer(hooks, await openDatabase(hooks, database, model), model)
      const ann = (await server.send("POST", "/people", "role:staff", { name: "Ann" })).body.id
      const ben = (await server.send("POST", "/people", "role:staff", { name: "Ben" })).body.id
      const own = (await server.send("POST", "/notes", "role:staff", { text: "a", ownerId: ann })).body.id
      const other = (await server.send("POST", "/notes", "role:staff", { text: "b", ownerId: ben })).body.id
      const none = `${other.slice(0, -1)}${other.endsWith("0") ? "1" : "0"}`
      const representations = [own, other, none].map((id) => ({ __typename: "Note", id }))
      const asked = "query ($r: [_Any!]!) { _entities(representations: $r) { ... on Note { text } } }"
      const ask = async (actor: string, text: string) =>
        (await server.send("POST", "/graphql", actor, { query: text, variables: { r: representations } }))
          .body as unknown as {
          readonly data: { readonly _entities: unknown; readonly _service: { sdl: string } }
        }
      assert.deepEqual((await ask(`person:${ann}`, asked)).data._entities, [{ text: "a" }, null, null])
      assert.deepEqual((await ask("role:staff", asked)).data._entities, [{ text: "a" }, { text: "b" }, null])
      const { data } = await ask(
        "role:staff",
        "{ _service { text: sdl ...S } } fragment S on _Service { sdl }",
      )
      assert.match(data._service.sdl, /secret: String/)
      assert.doesNotMatch(
        (await ask(`person:${ann}`, "{ _service { sdl } }")).data._service.sdl,
        / {2}secret: String/,
      )
    })
  })
}

test("the document has what a gateway needs, and nothing that composition refuses", () => {
  const sdl = printSubgraph(federation)
  assert.match(
    sdl,
    /^extend schema @link\(url: "https:\/\/specs\.apollo\.dev\/federation\/v2\.3", import: \["@key", "@shareable"\]\)\n/,
  )
  assert.match(sdl, /\ntype Author implements Node @key\(fields: "id"\) @key\(fields: "email"\) \{/)
  assert.match(
    sdl,
    /\ntype Book implements Node @key\(fields: "id"\) @key\(fields: "isbn"\) @key\(fields: "year number"\) \{/,
  )
  assert.match(sdl, /\ntype PageInfo @shareable \{/)
  assert.doesNotMatch(sdl, /@oneOf|_entities|_service|_Any|_Entity|directive @|\n {2}nodes?\(/)
  assert.match(sdl, /\ntype Visit \{/)
})

test("a service that is no subgraph has none of it", async (t) => {
  const service = await openService(t, { model: plain, records: bookshopRecords, database: "sqlite" })
  for (const text of ["{ _service { sdl } }", "{ _entities(representations: []) { __typename } }"]) {
    const { errors } = JSON.parse((await service.graphql({ body: { query: text } })).body)
    assert.equal(errors[0].extensions.code, "invalid_document")
  }
})

test("a service that keeps its schema to itself does not show it as a subgraph", async (t) => {
  const { url, close } = await serveGraphql({ introspection: false, model: federation })
  t.after(close)
  const send = async (text: string): Promise<Answered> =>
    (await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: text }),
    }).then((response) => response.json())) as Answered
  const { data, errors } = await send("{ ...Q } fragment Q on Query { s: _service { sdl } }")
  assert.deepEqual([data, errors?.length, errors?.[0]?.extensions["code"]], [null, 1, "invalid_document"])
  assert.match(errors?.[0]?.message ?? "", /^The schema is not shown/)
})
