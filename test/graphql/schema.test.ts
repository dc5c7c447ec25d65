// The schema: what introspection tells, what is printed, and names that would clash.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import {
  buildSchema as buildFromText,
  executeSync,
  type GraphQLError,
  GraphQLSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  parse,
  printSchema,
  validateSchema,
} from "graphql"
import storefront from "../../examples/storefront/service.ts"
import { buildSchema, printGraphql } from "../../src/graphql/schema/schema.ts"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import { gallery } from "../services/gallery.ts"
import { model } from "./bookshop.ts"
import { serveGraphql } from "./serve.ts"

/** Also of a schema that was built without being checked. */
const mistakesIn = (schema: GraphQLSchema): readonly GraphQLError[] =>
  validateSchema(new GraphQLSchema({ ...schema.toConfig(), assumeValid: false }))

let server: Awaited<ReturnType<typeof serveGraphql>>
before(async () => {
  server = await serveGraphql()
})
after(() => server.close())

async function ask(
  query: string,
  variables?: object,
): Promise<{ data: Record<string, unknown>; errors?: unknown }> {
  const body = JSON.stringify({ query, variables })
  const response = await fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  return (await response.json()) as Awaited<ReturnType<typeof ask>>
}

const everything = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
})

/** Lists of an introspection result that have no order of their own, in the order of their names. */
function sorted(introspection: unknown): unknown {
  const { __schema: schema } = introspection as { __schema: { types: { name: string }[] } }
  return { ...schema, types: schema.types.toSorted((one, other) => (one.name < other.name ? -1 : 1)) }
}

test("introspection tells the same as graphql-js tells of the printed schema", async () => {
  const answered = await ask(everything)
  const schema = buildFromText(printGraphql(model))
  const expected = executeSync({ schema, document: parse(everything) })
  assert.equal(answered.errors, undefined)
  assert.deepEqual(sorted(answered.data), sorted(JSON.parse(JSON.stringify(expected.data))))
})

test("the printed schema is the served one", () => {
  const printed = buildFromText(printGraphql(model))
  const served = buildSchema(model)
  assert.deepEqual(mistakesIn(served), [])
  assert.equal(printSchema(lexicographicSortSchema(printed)), printSchema(lexicographicSortSchema(served)))
})

test("the schema is printed in the order of the model, the same each time", () => {
  const text = printGraphql(model)
  assert.equal(printGraphql(model), text)
  const types = [...text.matchAll(/^(?:type|input|enum|scalar|interface) (\w+)/gm)].map(([, name]) => name)
  assert.equal(types[0], "Query")
  const places = ["Author", "AuthorConnection", "Book", "BookWhere", "Tag", "Visit", "VisitWhere", "PageInfo"]
  const found = places.map((name) => types.indexOf(name))
  assert.ok(!found.includes(-1))
  assert.deepEqual(
    found.toSorted((one, other) => one - other),
    found,
  )
})

test("a document may ask for the schema and for records at once, by aliases and fragments", async () => {
  const answered = await ask(
    `query ($name: String!, $yes: Boolean!) {
      __typename
      book: __type(name: $name) { ...Name }
      none: node(id: "nothing") { id }
      __schema @include(if: $yes) { queryType { ...Name } }
      left: __schema @skip(if: $yes) { description }
      ...Root
    }
    fragment Name on __Type { name kind }
    fragment Root on Query { book: __type(name: $name) { description } again: __typename }`,
    { name: "Author", yes: true },
  )
  assert.deepEqual(answered, {
    data: {
      __typename: "Query",
      book: { name: "Author", kind: "OBJECT", description: "Whoever wrote a book." },
      none: null,
      __schema: { queryType: { name: "Query", kind: "OBJECT" } },
      again: "Query",
    },
  })
  assert.deepEqual(Object.keys(answered.data), ["__typename", "book", "none", "__schema", "again"])
})

test("a resource keeps its name where a derived type would like it too", () => {
  const clashing = load(
    service({
      name: "clashing",
      resources: {
        user: resource({
          fields: { email: f.email() },
          relations: { groups: many("userGroup", { by: "user" }) },
        }),
        userGroup: resource({ fields: { name: f.text() }, relations: { user: one("user") } }),
        direction: resource({
          fields: { degrees: f.integer() },
          relations: { field: one("user"), nulls: one("user") },
        }),
      },
    }),
  )
  const schema = buildSchema(clashing)
  assert.deepEqual(mistakesIn(schema), [])
  assert.match(printGraphql(clashing), /^type UserGroup implements Node \{/m)
  assert.match(printGraphql(clashing), /^type UserGroup_ \{\n {2}"""The values of `by`\."""/m)
  assert.match(printGraphql(clashing), /^type Direction implements Node \{/m)
  assert.match(printGraphql(clashing), /^ {2}field_: UserOrderBy$/m)
  assert.match(printGraphql(clashing), /^ {2}nulls_: UserOrderBy$/m)
  assert.match(printGraphql(clashing), /^ {2}direction: Direction_ = ASC/m)
})

test("nullability says what may be absent: optional fields, targets and single records, never lists", () => {
  const text = printGraphql(model)
  for (const line of [
    "  title: String!",
    "  pages: Int",
    "  authorId: ID!",
    "  author: Author",
    "  keywords: [String!]!",
    "  mentorId: ID",
    "  nodes: [Book!]!",
    "    ids: [ID!]!",
    "  ): [Node]!",
    "    id: ID!",
    "  ): Book",
    "    year: Int!",
    "  ): BookConnection!",
    "  ): [BookGroup!]!",
  ])
    assert.ok(text.split("\n").includes(line), line)
})

test("what has no key has no id and no root for one record", () => {
  const text = printGraphql(model)
  assert.match(text, /^type Visit \{/m)
  assert.doesNotMatch(text, /^ {2}visit\(/m)
})

test("an enumeration whose values are no GraphQL names is served as text", () => {
  const text = printGraphql(model)
  assert.match(text, /^enum BookBinding \{\n {2}paperback\n {2}hardcover\n\}/m)
  assert.match(text, /^ {2}size: String$/m)
  assert.match(text, /^input OptionalBookSizeFilter \{/m)
  assert.doesNotMatch(text, /^enum BookSize /m)
})

test("schemas are valid, which is not checked when one is built", async () => {
  const declarations = [gallery, (await import("../../bench/wide/service.ts")).default, storefront]
  for (const schema of [model, ...declarations.map((each) => load(each))].map(buildSchema)) {
    assert.ok(Object.keys(schema.getTypeMap()).length > 20)
    assert.deepEqual(mistakesIn(schema), [])
  }
})
