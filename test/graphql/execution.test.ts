// What a document means: Bifold on real databases against graphql-js's own executor over the same records in memory.
import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import fc from "fast-check"
import { parse, validate } from "graphql"
import type { FieldDeclaration, ResourceDeclaration } from "../../src/model/declaration/declaration.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Records, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { connectFaces, dialects, openService } from "../support/open-service.ts"
import { bookshop, model } from "./bookshop.ts"
import { bookshopRecords } from "./bookshop-records.ts"
import { requests } from "./documents.ts"
import { answerNaively, schema } from "./naive.ts"

const runs = 150

for (const database of dialects) {
  test(`random documents have the answers that graphql-js gives, on ${database}`, async (t) => {
    const service = await openService(t, { model, records: bookshopRecords, database })
    let compared = 0
    await fc.assert(
      fc.asyncProperty(requests, async ({ document, variables }) => {
        fc.pre(validate(schema, parse(document)).length === 0)
        const before = service.storage.sent
        const { status, body } = await service.graphql({ body: { query: document, variables } })
        assert.equal(status, 200)
        assert.deepEqual(JSON.parse(body), answerNaively(bookshopRecords, document, variables))
        assert.ok(service.storage.sent - before <= 1, "one statement at most")
        compared += 1
      }),
      { numRuns: runs },
    )
    assert.ok(compared >= runs)
  })
}

/** Texts and booleans of somebody else's tables, where values can be missing although the declaration says they never are. */
const loose = loadOpen({
  ...bookshop,
  resources: Object.fromEntries(
    Object.entries<ResourceDeclaration>(bookshop.resources).map(([name, resource]) => [
      name,
      {
        ...resource,
        ...(resource.key === undefined && { key: { column: "id", type: "text", stored: "loose" } as const }),
        fields: mapFields(resource.fields, (field) => ({
          ...field,
          ...(["text", "boolean"].includes(field.scalar) && { stored: "loose" as const }),
        })),
      },
    ]),
  ),
})

function mapFields(
  fields: ResourceDeclaration["fields"],
  change: (field: FieldDeclaration) => FieldDeclaration,
) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))
}

const missing: Readonly<Record<string, (row: Row, index: number) => Row>> = {
  author: (row, index) => (index === 1 ? { ...row, name: null } : row),
  book: (row, index) => ({
    ...row,
    ...(index % 3 === 0 && { title: null }),
    ...(index === 3 && { authorId: null }),
    ...(index === 4 && { inPrint: null, keywords: null }),
  }),
  visit: (row, index) => (index === 1 ? { ...row, page: null } : row),
}

const flawed: Records = {
  ...bookshopRecords,
  records: new Map(
    [...bookshopRecords.records].map(([name, rows]) => [name, rows.map(missing[name] ?? ((row) => row))]),
  ),
}

test("missing values in non-null positions are reported and passed upwards as graphql-js does it", async (t) => {
  const url = join(await temporaryFolder(t), "flawed.sqlite")
  const tables = createSchema(model, sqlite).map((text) => text.replaceAll(" NOT NULL", ""))
  await setUp(url, [
    ...tables.map((text) => ({ text, parameters: [] })),
    ...insertRecords(model, sqlite, flawed),
  ])
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const service = connectFaces(loose, storage)
  let errors = 0
  await fc.assert(
    fc.asyncProperty(requests, async ({ document, variables }) => {
      fc.pre(validate(schema, parse(document)).length === 0)
      const { body } = await service.graphql({ body: { query: document, variables } })
      const answer = JSON.parse(body)
      for (const error of answer.errors ?? []) {
        assert.deepEqual(error.extensions, { code: "unrepresentable_value", requestId: "test" })
        delete error.extensions
        errors += 1
      }
      const { errors: found = [], data } = answerNaively(flawed, document, variables)
      assert.deepEqual(answer, { data, ...(found.length > 0 && { errors: found }) })
    }),
    { numRuns: runs },
  )
  assert.ok(errors > 20, "documents that meet missing values are among them")
})
