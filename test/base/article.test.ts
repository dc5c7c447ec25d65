// "an order", "a user": by how a name sounds.
import assert from "node:assert/strict"
import { test } from "node:test"
import { withArticle } from "../../src/base/article.ts"

test("the article is that of the name's sound", () => {
  for (const said of [
    "a customer",
    "an order",
    "an address",
    "an orderLine",
    "an event",
    "an upload",
    "an umbrella",
    "an author",
    "an invoice",
    "an office",
    "a user",
    "a usage",
    "a unit",
    "a utility",
    "a url",
    "a euro",
    "a oneTimeCode",
    "a one",
  ])
    assert.equal(withArticle(said.replace(/^an? /, "")), said)
  assert.equal(withArticle("order", "A"), "An order")
})
