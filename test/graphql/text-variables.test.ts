// Variables of `String` and `ID` where the schema has a scalar of its own that is text in JSON.
import assert from "node:assert/strict"
import { test } from "node:test"
import { dialects, openService } from "../support/open-service.ts"
import { model } from "./bookshop.ts"
import { bookshopRecords } from "./bookshop-records.ts"
import { mistakes, openMarket } from "./market.ts"

interface Answered {
  readonly data: unknown
  readonly errors?: readonly {
    readonly message: string
    readonly extensions: { readonly code: string; readonly place?: readonly unknown[] }
  }[]
}

const questions: readonly (readonly [string, object, unknown])[] = [
  [
    "query ($email: String!) { authorByEmail(email: $email) { name } }",
    { email: "cy@example.org" },
    { authorByEmail: { name: "Cy" } },
  ],
  // Any text may be asked for, as with `$email: Email!`.
  [
    "query ($email: String!) { authorByEmail(email: $email) { name } }",
    { email: "cy" },
    { authorByEmail: null },
  ],
  [
    "query ($emails: [String!], $price: ID) { authors(where: { email: { in: $emails }, books: { some: { price: { gte: $price } } } }) { nodes { name } } }",
    { emails: ["ann@example.org", "x@example.org"], price: "30" },
    { authors: { nodes: [{ name: "Ann" }] } },
  ],
  [
    'query ($at: String = "2001-02-08T00:00:00Z") { ...F } fragment F on Query { books(where: { publishedAt: { gte: $at } }) { nodes { isbn } } }',
    {},
    { books: { nodes: [{ isbn: "978-7" }] } },
  ],
  [
    "query ($slug: ID!) { tagBySlug: tags(where: { slug: { eq: $slug } }) { nodes { label } } }",
    { slug: "art" },
    { tagBySlug: { nodes: [{ label: "Art" }] } },
  ],
]

const refusals: readonly (readonly [string, object, string, RegExp])[] = [
  [
    "query ($email: String!) { authorByEmail(email: $email) { name } }",
    { email: "cy\u0000" },
    "invalid_value",
    /`email`/,
  ],
  [
    "query ($price: String) { books(where: { price: { gte: $price } }) { totalCount } }",
    { price: "ten" },
    "invalid_value",
    /decimal number/,
  ],
  [
    "query ($at: String) { books(where: { publishedAt: { lt: $at } }) { totalCount } }",
    { at: "yesterday" },
    "invalid_value",
    /`publishedAt/,
  ],
  [
    "query ($email: String!) { authorByEmail(email: $email) { name } }",
    { email: 7 },
    "invalid_value",
    /\$email/,
  ],
  // The rule is that of the specification otherwise.
  [
    "query ($email: String) { authorByEmail(email: $email) { name } }",
    {},
    "invalid_document",
    /type "String" used in position expecting type "String!"/,
  ],
  [
    "query ($pages: String) { books(where: { pages: { eq: $pages } }) { totalCount } }",
    {},
    "invalid_document",
    /type "String" used in position expecting type "Int"/,
  ],
  [
    "query ($binding: String) { books(where: { binding: { eq: $binding } }) { totalCount } }",
    {},
    "invalid_document",
    /type "BookBinding"/,
  ],
  [
    "query ($email: String) { authors(where: { email: { in: $email } }) { totalCount } }",
    {},
    "invalid_document",
    /type "String" used in position expecting type "\[String!\]"/,
  ],
  [
    "query ($email: Decimal!) { authorByEmail(email: $email) { name } }",
    { email: "1" },
    "invalid_document",
    /type "Decimal!" used in position expecting type "Email!"/,
  ],
]

for (const database of dialects) {
  test(`text variables are taken for scalars that are text, and held against them, on ${database}`, async (t) => {
    const service = await openService(t, { model, records: bookshopRecords, database })
    const ask = async (query: string, variables: object): Promise<Answered> =>
      JSON.parse((await service.graphql({ body: { query, variables } })).body)
    for (const [query, variables, data] of questions)
      for (let times = 0; times < 2; times++) assert.deepEqual(await ask(query, variables), { data }, query)
    for (const [query, variables, code, message] of refusals) {
      const { data, errors } = await ask(query, variables)
      assert.equal(data, null, query)
      assert.deepEqual([errors?.length, errors?.[0]?.extensions.code], [1, code], JSON.stringify(errors))
      assert.match(errors?.[0]?.message ?? "", message)
    }
  })

  test(`an input takes them too, and reads them as REST does, on ${database}`, async (t) => {
    const market = await openMarket(t, database)
    const create =
      "mutation ($name: String!, $email: String!) { createCustomer(input: { name: $name, email: $email }) { customer { email } } }"
    assert.deepEqual(await market.data(create, { name: "Di", email: "di@example.org" }), {
      createCustomer: { customer: { email: "di@example.org" } },
    })
    const wrong = await market.ask(create, { name: "Ed", email: "ed" })
    assert.deepEqual(mistakes(wrong), [["createCustomer", "input", "/email", "invalid_value"]])
  })
}
