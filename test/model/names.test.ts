// Casings, plurals and singulars.
import assert from "node:assert/strict"
import { it } from "node:test"
import {
  camelCase,
  collectionOf,
  isGraphqlName,
  kebabCase,
  pascalCase,
  pluralise,
  singularise,
  snakeCase,
} from "../../src/model/names.ts"

it("PascalCase, snake_case and spaced names are the same name", () => {
  for (const name of ["MediaType", "media_type", "Media Type", "mediaType", "MEDIA-TYPE"]) {
    assert.deepEqual(
      [camelCase(name), pascalCase(name), snakeCase(name), kebabCase(name)],
      ["mediaType", "MediaType", "media_type", "media-type"],
    )
  }
})

it("names become ASCII, and may be empty then", () => {
  assert.equal(camelCase("Größe (m²)"), "grosseM2")
  assert.equal(camelCase("tag_1"), "tag1")
  assert.equal(camelCase("数"), "")
})

it("the last word is pluralised and singularised", () => {
  const pairs = [
    ["orderLine", "orderLines"],
    ["Category", "Categories"],
    ["status", "statuses"],
    ["media_type", "media_types"],
    ["person", "people"],
    ["product2", "product2s"],
    ["lens", "lenses"],
    ["analysis", "analyses"],
    ["pageCache", "pageCaches"],
    ["cookie", "cookies"],
    ["x", "xs"],
    ["URL", "Urls"],
  ]
  for (const [one = "", many = ""] of pairs) assert.equal(pluralise(one), many)
  for (const [one = "", many = ""] of pairs.slice(0, -2)) assert.equal(singularise(many), one)
  for (const word of ["status", "address", "gas", "lens", "news", "data", "userSettings", "DNS", "s"])
    assert.equal(singularise(word), word)
})

it("a collection never has the name of its record, nor one that is taken", () => {
  assert.equal(collectionOf("album"), "albums")
  assert.equal(collectionOf("news"), "newsList")
  assert.equal(collectionOf("doc"), "docList")
})

it("GraphQL names begin with a letter or one underscore", () => {
  assert.deepEqual(["a", "_a1", "A_"].map(isGraphqlName), [true, true, true])
  assert.deepEqual(["", "__a", "1a", "a-b", "é"].map(isGraphqlName), [false, false, false, false, false])
})
