// Variables and arguments as they are read on the hot path: what graphql-js reads, and its mistakes in its words.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  type FieldNode,
  GraphQLError,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql"
import { Refusal } from "../../src/base/problem.ts"
import { prepareArguments } from "../../src/graphql/document/arguments.ts"
import { prepareVariables } from "../../src/graphql/document/variables.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { withDefaultSizes } from "../../src/model/limits.ts"
import { model } from "../graphql/bookshop.ts"

const schema = buildSchema(model)
const open = { introspection: true }

/** Each is one field of the query with every way of giving it arguments. */
const documents = [
  "query ($id: ID!) { book(id: $id) { id } }",
  'query ($id: ID = "bok_1") { book(id: $id) { id } }',
  "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }",
  "query ($a: ID!, $b: ID!) { nodes(ids: [$a, $b]) { id } }",
  "query ($first: Int, $after: String) { books(first: $first, after: $after) { nodes { id } } }",
  "query ($first: Int = 3, $last: Int) { books(first: $first, last: $last) { nodes { id } } }",
  "query ($where: BookWhere) { books(where: $where, first: 2) { nodes { id } } }",
  "query ($where: BookWhere = {sold: {gt: 2}}) { books(where: $where) { nodes { id } } }",
  "query ($min: Decimal!, $max: Decimal) { books(where: {price: {gte: $min, lt: $max}}) { nodes { id } } }",
  "query ($any: [BookWhere!], $in: [String!]) { books(where: {or: $any, title: {in: $in}}) { nodes { id } } }",
  "query ($one: String!, $two: String!) { books(where: {title: {in: [$one, $two]}}) { nodes { id } } }",
  "query ($e: String!) { books(where: {or: [{title: {eq: $e}}, {isbn: {eq: $e}}], not: {}}) { nodes { id } } }",
  "query ($order: [BookOrderBy!]) { books(orderBy: $order) { nodes { id } } }",
  "query ($field: BookSortField!) { books(orderBy: {field: $field, nulls: LAST}) { nodes { id } } }",
  "query ($way: Direction) { books(orderBy: [{field: title, direction: $way}]) { nodes { id } } }",
  "query ($year: Int!, $number: Int!) { bookByYearNumber(year: $year, number: $number) { id } }",
] as const

const words = [
  "id",
  "ids",
  "a",
  "b",
  "first",
  "last",
  "after",
  "where",
  "min",
  "max",
  "any",
  "in",
  "one",
  "two",
  "e",
  "order",
  "field",
  "way",
  "year",
  "number",
  "title",
  "price",
  "sold",
  "eq",
  "gte",
  "or",
  "direction",
  "nulls",
] as const
const leaves = fc.oneof(
  fc.constantFrom<unknown[]>(
    null,
    "bok_1",
    "title",
    "DESC",
    "LAST",
    "12.50",
    "x",
    "",
    true,
    0,
    1,
    2,
    -1,
    1.5,
    2 ** 40,
  ),
  fc.string(),
)
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaves,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words, "__proto__"), tie("value"), { maxKeys: 3 }),
  ),
})).value

/** More often right than anything at all would be. */
const likely: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ids: fc.array(fc.constantFrom("bok_1", "aut_2", 3, null)),
  where: fc.constantFrom<unknown[]>(
    {},
    { title: { eq: "x" } },
    { title: { eq: 1 } },
    { or: [{ sold: { gt: "3" } }, {}] },
    { author: { name: { in: ["a"] } } },
  ),
  any: fc.constantFrom<unknown[]>([], [{ title: { eq: "x" } }], { title: { eq: "x" } }, [null]),
  in: fc.constantFrom<unknown[]>([], ["a", "b"], "a", [1]),
  order: fc.constantFrom<unknown[]>([], [{ field: "title" }], { field: "price", direction: "DESC" }, [
    { author: { field: "name", nulls: "FIRST" } },
  ]),
  field: fc.constantFrom("title", "price", "nothing"),
  way: fc.constantFrom("ASC", "DESC", "asc"),
}

const inputs = fc
  .tuple(
    fc.record(
      Object.fromEntries(words.slice(0, 20).map((name) => [name, fc.oneof(likely[name] ?? leaves, leaves)])),
      {
        requiredKeys: [],
      },
    ),
    fc.dictionary(fc.constantFrom(...words), json, { maxKeys: 2 }),
    fc.boolean(),
  )
  .map(([usual, odd, wild]): Record<string, unknown> => (wild ? { ...usual, ...odd } : usual))

/** The result of a step, or the messages of what it refuses. */
function outcome(step: () => unknown): unknown {
  try {
    return { value: step() }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.problems.map(({ message }) => message) }
    if (error instanceof GraphQLError) return { refused: [error.message] }
    throw error
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

test("variables and arguments are read as graphql-js reads them", () => {
  let read = 0
  let refused = 0
  for (const text of documents) {
    const document = parse(text)
    const operation = document.definitions[0] as OperationDefinitionNode
    assert.deepEqual(validate(schema, document), [], text)
    const node = operation.selectionSet.selections[0] as FieldNode
    const field = schema.getQueryType()?.getFields()[node.name.value]
    assert.ok(field)
    const readVariables = prepareVariables(schema, operation, { ...open, limits: withDefaultSizes() })
    const prepared = prepareArguments(field, node)
    fc.assert(
      fc.property(inputs, (input) => {
        const { variableValues, errors } = getVariableValues(
          schema,
          operation.variableDefinitions ?? [],
          input,
          { maxErrors: 50 },
        )
        const variables = outcome(() => readVariables(input).coerced)
        const shortened = errors?.map(({ message }) =>
          message.length > 1_000 ? `${message.slice(0, 1_000)}…` : message,
        )
        assert.deepEqual(
          plain(variables),
          plain(errors ? { refused: shortened } : { value: variableValues.coerced }),
        )
        if (errors) {
          refused += 1
          return
        }
        const asked = readVariables(input)
        assert.deepEqual(asked.all(), variableValues)
        const values = outcome(() =>
          Object.fromEntries(prepared.names.map((name) => [name, prepared.read(asked, name)])),
        )
        const expected = outcome(() =>
          Object.fromEntries(
            Object.entries(getArgumentValues(field, node, variableValues)).filter(
              ([, value]) => value !== null,
            ),
          ),
        )
        assert.deepEqual(plain(values), plain(expected), `${text} ${JSON.stringify(input)}`)
        read += 1
      }),
      { numRuns: 300, seed: 3 },
    )
  }
  assert.ok(read > 1_000 && refused > 1_000, `${read} read, ${refused} refused`)
})

test("arguments without variables are constant, others are not", () => {
  const fieldOf = (text: string) => {
    const operation = parse(text).definitions[0] as OperationDefinitionNode
    const node = operation.selectionSet.selections[0] as FieldNode
    const field = schema.getQueryType()?.getFields()[node.name.value]
    assert.ok(field)
    return prepareArguments(field, node)
  }
  const mixed = fieldOf("query ($n: Int) { books(first: $n, where: {sold: {gt: 2}}) { nodes { id } } }")
  assert.deepEqual(
    [
      mixed.isConstant("where"),
      mixed.isConstant("first"),
      mixed.isConstant("where", "first"),
      mixed.isConstant("orderBy"),
    ],
    [true, false, false, true],
  )
})
