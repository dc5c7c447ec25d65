import assert from "node:assert/strict"
import { test } from "node:test"
import { printGraphql } from "../../../src/graphql/schema/schema.ts"
import { f, resource, service } from "../../../src/index.ts"
import { load } from "../../../src/model/load.ts"
import * as documents from "../../support/graphql-shop.ts"
import { schemaText } from "../../support/typed-program.ts"
import { breakingChanges, mistakesIn } from "./recipe.ts"

const library = (fields: Readonly<Record<string, ReturnType<typeof f.text>>>): string =>
  printGraphql(load(service({ name: "library", resources: { book: resource({ id: "book", fields }) } })))

test("documents validated against the schema", () => {
  const { productPage, oneProduct, renameProduct, createOrder } = documents
  const good = [productPage, oneProduct, renameProduct, createOrder]
  assert.deepEqual(mistakesIn(schemaText(), good), [])
  const bad = ["{ products { nodes { prize } } }", "{ product { id } }"]
  assert.deepEqual(mistakesIn(schemaText(), bad), [
    'Cannot query field "prize" on type "Product". Did you mean "price"?',
    'Argument "Query.product(id:)" of type "ID!" is required, but it was not provided.',
  ])
})

test("a removed member judged as breaking, an added one as safe", async () => {
  const before = library({ title: f.text() })
  assert.deepEqual(await breakingChanges(before, before), [])
  assert.deepEqual(
    await breakingChanges(before, library({ title: f.text(), isbn: f.text({ optional: true }) })),
    [],
  )
  const removed = await breakingChanges(
    library({ title: f.text(), isbn: f.text({ optional: true }) }),
    before,
  )
  assert.ok(removed.includes("Field 'isbn' was removed from object type 'Book'"), removed.join("\n"))
})
