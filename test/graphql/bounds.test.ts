// Requests at the ends of what a statement may be: answered, or refused by a bound that is told; never by the database.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { compile } from "../../src/sql/read/compile.ts"
import { cleanUp } from "../support/database.ts"
import { dialects, type OpenService, openExample } from "../support/open-service.ts"

const repeated = (count: number, field: string): string =>
  `{ ${Array.from({ length: count }, (_, index) => `f${index}: ${field}`).join(" ")} }`

async function ask(service: OpenService, query: string, variables: object = {}) {
  const { body } = await service.graphql({ body: { query, variables } })
  const { data, errors = [] } = JSON.parse(body)
  return { data, told: errors.map(({ message }: { readonly message: string }) => message), errors }
}

async function assertRefused(service: OpenService, query: string, variables: object, told: RegExp) {
  const { data, errors } = await ask(service, query, variables)
  assert.equal(data, null)
  assert.deepEqual(
    errors.map(({ extensions }: { readonly extensions: { readonly code: string } }) => extensions.code),
    ["too_large"],
    JSON.stringify(errors),
  )
  assert.match(errors[0].message, told)
}

describe("bounds of what a query looks for", () => {
  const hooks = cleanUp(after)
  for (const database of dialects) {
    it(`1,000 lists are answered on ${database}, and as many as a document has room for refused`, async () => {
      const service = await openExample(hooks, "storefront", database)
      const { data, told } = await ask(service, repeated(1000, "customers { totalCount }"))
      assert.deepEqual(told, [])
      assert.equal(Object.keys(data).length, 1000)
      for (const count of [1001, 1664, 1665])
        await assertRefused(
          service,
          repeated(count, "customers { totalCount }"),
          {},
          new RegExp(`looks for ${count} .* at most 1000 .*\\(limit \`lookups\`\\)`),
        )
    })

    it(`1,000 records by their ids are answered on ${database}, and more refused`, async () => {
      const service = await openExample(hooks, "storefront", database)
      const found = await ask(service, "{ customers(first: 1) { nodes { id } } }")
      const ids = Array.from({ length: 100 }, () => found.data.customers.nodes[0].id)
      const query = (roots: number, members: string): string =>
        `query Q($ids: [ID!]!) ${repeated(roots, `nodes(ids: $ids) { ${members} }`)}`
      const { data, told } = await ask(service, query(10, "id"), { ids })
      assert.deepEqual(told, [])
      assert.equal(data.f9.length, 100)
      await assertRefused(service, query(11, "id"), { ids }, /looks for 1100 .* at most 1000/)
      // A shape that is known is bounded as well as a new one.
      await assertRefused(service, query(11, "id"), { ids }, /looks for 1100 .* at most 1000/)
      await assertRefused(service, query(400, "id"), { ids }, /looks for 40000 .* at most 1000/)
      const many = Array.from({ length: 600 }, (_, index) => `m${index}: id`).join(" ")
      await assertRefused(service, query(1, many), { ids }, /asks for 60000 members .*\(limit `members`\)/)
    })
  }

  it("a statement that would bind more values than SQLite takes is refused when it is made", async () => {
    const service = await openExample(hooks, "storefront", "sqlite")
    const { roots, ...plan } = planQuery(service.context, {
      query: '{ customerByEmail(email: "a@example.org") { id } }',
    })
    const made = (count: number) =>
      compile({ ...plan, roots: Array.from({ length: count }, () => roots).flat() }, sqlite)
    assert.equal(made(32_766).binds.length, 32_766)
    assert.throws(
      () => made(32_767),
      (error) =>
        error instanceof Refusal &&
        error.problems[0].code === "too_large" &&
        /needs 32767 values .* at most 32766 .*\(limit `parameters`\)/.test(error.problems[0].message),
    )
  })
})
