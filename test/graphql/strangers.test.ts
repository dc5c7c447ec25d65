// What GraphQL says to whoever has not signed in of names that are not in their schema: to sign in, whether the names are
// there for others or for nobody.
import assert from "node:assert/strict"
import { test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

/** Documents with a name that is there for others, and the same with one that is there for nobody. */
const asked = [
  ["{ NAME { totalCount } }", "orders", "ordars"],
  ['{ NAME(id: "ord_1") { id } }', "order", "ordur"],
  ["{ products { nodes { NAME } } }", "stock", "stack"],
  ["{ products { nodes { NAME { totalCount } } } }", "lines", "linus"],
  ["{ products { nodes { ... on NAME { id } } } }", "Order", "Ordar"],
  ["query Q($v: NAME) { products(where: $v) { totalCount } }", "OrderWhere", "OrdarWhere"],
  ['mutation { NAME(input: { name: "a" }) { tag { name } } }', "createTag", "createTog"],
] as const

test("a name that is there for others is told as one that is there for nobody: sign in", async (context) => {
  const service = await startService(storefront)
  context.after(() => service.close())
  for (const [document, others, nobodys] of asked) {
    const answers = [others, nobodys].map(async (name) => {
      const text = document.replace("NAME", name)
      const { status, data, errors } = await service.anyone.graphql(text)
      // What is suggested is theirs to see, and is chosen by how the name is spelt.
      const told = JSON.stringify(errors)
        .replaceAll(name, "NAME")
        .replaceAll(/test-\d+/g, "ID")
        .replaceAll(/ Did you mean [^?]*\?/g, "")
      return { status, data, told, codes: errors.map(({ extensions }) => extensions.code) }
    })
    const [other, nobody] = await Promise.all(answers)
    assert.deepEqual(other, nobody, document)
    assert.deepEqual([other?.data, other?.codes[0]], [null, "unauthenticated"], document)
    assert.match(other?.told ?? "", /Sign in if it should be there.*Send credentials: Authorization/)
    const { errors } = await service.as("role:staff").graphql(document.replace("NAME", nobodys))
    assert.ok(errors.length > 0, document)
    for (const { message, extensions } of errors) {
      assert.equal(
        extensions.code,
        "invalid_document",
        "whoever has signed in is told what they are told of any mistake",
      )
      assert.doesNotMatch(message, /Sign in/)
    }
  }
  const rest = await service.anyone.rest<{ code: string }>("GET", "/orders")
  assert.deepEqual([rest.status, rest.body.code], [401, "unauthenticated"], "the same code as by REST")
})

test("what is wrong with anything else is told as before", async (context) => {
  const service = await startService(storefront)
  context.after(() => service.close())
  for (const [document, code] of [
    ["{ products { nodes } }", "invalid_document"],
    ['{ products(first: "a") { totalCount } }', "invalid_document"],
    ["{ products { ...Absent } }", "invalid_document"],
    ["{ products {", "syntax_error"],
  ] as const)
    assert.equal((await service.anyone.graphql(document)).errors[0]?.extensions.code, code, document)
})
