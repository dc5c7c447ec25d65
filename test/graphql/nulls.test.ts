// Stored values that do not fit their declaration, in a database of somebody else's: exact errors, and what is left.
import assert from "node:assert/strict"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { f, one, resource, service } from "../../src/model/declaration/service.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { connectFaces } from "../support/open-service.ts"

const model = loadOpen(
  service({
    name: "attic",
    resources: {
      crate: resource({
        id: "box",
        key: { column: "id", type: "integer", stored: "loose" },
        fields: {
          label: f.text({ stored: "loose" }),
          weight: f.integer({ optional: true, stored: "loose" }),
          note: f.json({ optional: true, stored: "loose" }),
        },
        relations: { inside: one("crate", { optional: true }), shelf: one("shelf") },
      }),
      shelf: resource({ key: { column: "id", type: "text", stored: "loose" }, fields: {} }),
    },
  }),
)

const setting = [
  "CREATE TABLE crate (id INTEGER PRIMARY KEY, label TEXT, weight, note, inside_id INTEGER, shelf_id TEXT)",
  "CREATE TABLE shelf (id TEXT PRIMARY KEY)",
  "INSERT INTO shelf VALUES ('low')",
  "INSERT INTO crate VALUES (1, 'old', 7, '{\"n\":12345678901234567890,\"2\":1.50}', NULL, 'low')",
  "INSERT INTO crate VALUES (2, NULL, 8, NULL, 1, NULL)",
  "INSERT INTO crate VALUES (3, 'new', 'heavy', NULL, 2, 'low')",
]

async function openAttic(t: TestContext) {
  const url = join(await temporaryFolder(t), "attic.sqlite")
  await setUp(
    url,
    setting.map((text) => ({ text, parameters: [] })),
  )
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const { graphql } = connectFaces(model, storage)
  return (query: string) => graphql({ body: { query } })
}

const extensions = { code: "unrepresentable_value", requestId: "test" }

test("a value that does not fit is null where null may be, and said so", async (t) => {
  const ask = await openAttic(t)
  const { status, body } = await ask("{\n  crates {\n    nodes { id weight }\n  }\n}")
  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(body), {
    data: {
      crates: {
        nodes: [
          { id: "box_1", weight: 7 },
          { id: "box_2", weight: 8 },
          { id: "box_3", weight: null },
        ],
      },
    },
    errors: [
      {
        message: "A stored value does not fit the type Int of Crate.weight.",
        locations: [{ line: 3, column: 16 }],
        path: ["crates", "nodes", 2, "weight"],
        extensions,
      },
    ],
  })
})

test("places are those of the text that was sent, however many others differ from it in literals only", async (t) => {
  const ask = await openAttic(t)
  for (const id of ["1", "box_1", "", "nothing of that name", "box_1"])
    for (const _ of ["new", "known", "kept"]) {
      const query = `{ first: crate(id: "${id}") { id } crates(first: ${id.length + 3}) { nodes { weight } } }`
      const { errors } = JSON.parse((await ask(query)).body) as { errors: readonly { locations: unknown }[] }
      assert.deepEqual(
        errors.map(({ locations }) => locations),
        [[{ line: 1, column: query.indexOf("weight") + 1 }]],
      )
    }
})

test("null in a non-null field takes the nearest record that may be null, in each root by itself", async (t) => {
  const ask = await openAttic(t)
  const { body } = await ask(`{
    third: crate(id: "3") { label inside { label id } }
    node(id: "box_2") { ... on Crate { name: label } }
    nodes(ids: ["box_1", "box_2", "nothing"]) { id ... on Crate { label } }
    __typename
  }`)
  const message = "Cannot return null for non-nullable field Crate.label."
  assert.deepEqual(JSON.parse(body), {
    data: {
      third: { label: "new", inside: null },
      node: null,
      nodes: [{ id: "box_1", label: "old" }, null, null],
      __typename: "Query",
    },
    errors: [
      { message, locations: [{ line: 2, column: 44 }], path: ["third", "inside", "label"], extensions },
      { message, locations: [{ line: 3, column: 40 }], path: ["node", "name"], extensions },
      { message, locations: [{ line: 4, column: 67 }], path: ["nodes", 1, "label"], extensions },
    ],
  })
})

test("a reference that is missing although it never is makes its record null, as a field does", async (t) => {
  const ask = await openAttic(t)
  const { body } = await ask(
    `{ first: crate(id: "1") { shelfId shelf { id } } second: crate(id: "2") { shelfId } }`,
  )
  assert.deepEqual(JSON.parse(body), {
    data: { first: { shelfId: "shelf_low", shelf: { id: "shelf_low" } }, second: null },
    errors: [
      {
        message: "Cannot return null for non-nullable field Crate.shelfId.",
        locations: [{ line: 1, column: 75 }],
        path: ["second", "shelfId"],
        extensions,
      },
    ],
  })
})

test("null that nothing on its way may take makes data null", async (t) => {
  const ask = await openAttic(t)
  const { status, body } = await ask("{ __typename crates { edges { node { label } } } }")
  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(body), {
    data: null,
    errors: [
      {
        message: "Cannot return null for non-nullable field Crate.label.",
        locations: [{ line: 1, column: 38 }],
        path: ["crates", "edges", 1, "node", "label"],
        extensions,
      },
    ],
  })
})

test("numbers keep their digits in an answer that has errors", async (t) => {
  const ask = await openAttic(t)
  const { body } = await ask('{ one: crate(id: "1") { note } three: crate(id: "3") { weight } }')
  assert.match(
    body,
    /^\{"data":\{"one":\{"note":\{.*"n":12345678901234567890.*\}\},"three":\{"weight":null\}\},"errors":/,
  )
  assert.match(body, /"2":1\.50/)
})

test("a sound answer is not taken apart", async (t) => {
  const ask = await openAttic(t)
  const { body } = await ask('{ crate(id: "1") { id label weight inside { id } } }')
  assert.equal(body, '{"data":{"crate":{"id":"box_1","label":"old","weight":7,"inside":null}}}')
})
