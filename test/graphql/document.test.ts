// Documents that are not executed: syntax, validation, variables, arguments and limits.
import { withDefaultSizes } from "../../src/model/limits.ts"
import {
  body,
  data,
  type Form,
  graphql,
  json,
  malformed,
  newer,
  newerType,
  refused,
  testForms,
} from "./forms.ts"

const limits = withDefaultSizes()

/** A document of one line with one mistake. */
const hinted = (document: string, column: number, message: string, hint: string) => ({
  headers: graphql,
  body: document,
  status: 200,
  expected: refused({
    message,
    locations: [{ line: 1, column }],
    extensions: { code: "invalid_document", hint },
  }),
})

const syntaxError = {
  message: 'Syntax Error: Expected Name, found "$". (line 1, column 12)',
  locations: [{ line: 1, column: 12 }],
  extensions: { code: "syntax_error" },
}
const unknownField = {
  message: 'Cannot query field "titel" on type "Book". Did you mean "title" or "size"?',
  locations: [{ line: 3, column: 5 }],
  extensions: { code: "invalid_document" },
}
const missingSelection = {
  message:
    'Field "books" of type "BookConnection!" must have a selection of subfields. Did you mean "books { ... }"?',
  locations: [{ line: 1, column: 3 }],
  extensions: { code: "invalid_document" },
}

const documents: readonly Form[] = [
  {
    behaviour: "a syntax error says its position in the text",
    headers: json,
    body: body({ query: "query Abc($$: ID) { __typename }" }),
    status: 200,
    expected: refused(syntaxError),
  },
  {
    behaviour: "a syntax error is 400 without data under the newer media type",
    headers: { ...json, ...newer },
    body: body({ query: "query Abc($$: ID) { __typename }" }),
    status: 400,
    type: newerType,
    expected: { errors: [syntaxError] },
  },
  {
    behaviour: "a validation error has the position and a suggestion",
    headers: json,
    body: body({ query: "{ books {\n  nodes {\n    titel\n  }\n} }" }),
    status: 200,
    expected: refused(unknownField),
  },
  {
    behaviour: "a validation error is 400 without data under the newer media type",
    headers: { ...json, ...newer },
    body: body({ query: "{ books {\n  nodes {\n    titel\n  }\n} }" }),
    status: 400,
    type: newerType,
    expected: { errors: [unknownField] },
  },
  {
    behaviour: "a missing sub-selection is told in the words of graphql-js",
    headers: json,
    body: body({ query: "{ books }" }),
    status: 200,
    expected: refused(missingSelection),
  },
  {
    behaviour: "nothing is suggested to who may not introspect",
    closed: true,
    headers: json,
    body: body({ query: "{ books {\n  nodes {\n    titel\n  }\n} }" }),
    status: 200,
    expected: refused({ ...unknownField, message: 'Cannot query field "titel" on type "Book".' }),
  },
  {
    behaviour: "the schema is refused to who may not introspect",
    closed: true,
    headers: json,
    body: body({ query: "{ __schema { description } }" }),
    status: 200,
    expected: refused({
      message:
        'GraphQL introspection has been disabled, but the requested query contained the field "__schema".',
      locations: [{ line: 1, column: 3 }],
      extensions: { code: "invalid_document" },
    }),
  },
  {
    behaviour: "__typename is told even to who may not introspect",
    closed: true,
    headers: json,
    body: body({ query: "{ __typename }" }),
    status: 200,
    expected: data,
  },
  {
    behaviour: "an operation name that no operation has is refused",
    headers: json,
    body: body({ query: "query A { __typename }", operationName: "B" }),
    status: 200,
    expected: refused({ message: 'Unknown operation named "B".', extensions: { code: "invalid_document" } }),
  },
  {
    behaviour: "of several operations one must be named",
    headers: json,
    body: body({ query: "query A { __typename } query B { __typename }" }),
    status: 200,
    expected: refused({
      message: "Must provide operation name if query contains multiple operations.",
      extensions: { code: "invalid_document" },
    }),
  },
  {
    behaviour: "a variable that does not fit its type is named with its place",
    headers: json,
    body: body({
      query: "query ($where: BookWhere) { books(where: $where) { totalCount } }",
      variables: { where: { price: { gte: "ten" } } },
    }),
    status: 200,
    expected: refused({
      message:
        'Variable "$where" has invalid value at .price.gte: `Decimal` must be a decimal number in plain digits, as a string, not "ten".',
      locations: [{ line: 1, column: 8 }],
      extensions: { code: "invalid_value" },
    }),
  },
  {
    behaviour: "a condition without its operator in a variable is told how it is written",
    headers: json,
    body: body({
      query: "query ($where: BookWhere) { books(where: $where) { totalCount } }",
      variables: { where: { title: "x" } },
    }),
    status: 200,
    expected: refused({
      message:
        'Variable "$where" has invalid value at .title: Expected value of type "StringFilter" to be an object, found: "x".',
      locations: [{ line: 1, column: 8 }],
      extensions: {
        code: "invalid_value",
        hint: 'A condition names its operator: `{ name: { eq: "…" } }`.',
      },
    }),
  },
  {
    behaviour: "a subscription is refused as long as there is none",
    headers: json,
    body: body({ query: "subscription { __typename }" }),
    status: 200,
    expected: refused({
      message: "The subscription operation is not supported by the schema.",
      locations: [{ line: 1, column: 1 }],
      extensions: { code: "invalid_document" },
    }),
  },
  {
    behaviour: "all mistakes in arguments are told at once, each with its place",
    headers: json,
    body: body({
      query:
        '{ books(first: 101, after: "x") { groups(by: [size]) { key { year } } } tags(where: {label: {eq: null}}) { totalCount } }',
    }),
    status: 200,
    expected: refused(
      {
        message: "`first` must be a whole number from 0 to 100, not 101.",
        locations: [{ line: 1, column: 9 }],
        extensions: { code: "invalid_value", place: ["books", "first"] },
      },
      {
        message: "`after` is not a cursor of this list in this order.",
        locations: [{ line: 1, column: 21 }],
        extensions: {
          code: "invalid_cursor",
          place: ["books", "after"],
          hint: "Take it, unchanged, from an answer to the same list in the same order.",
        },
      },
      {
        message: "`year` is not among what is grouped by.",
        locations: [{ line: 1, column: 62 }],
        extensions: {
          code: "invalid_value",
          place: ["books", "groups", "key", "year"],
          hint: "Add `year` to `by`.",
        },
      },
      {
        message: "`label.eq` must not be null.",
        locations: [{ line: 1, column: 98 }],
        extensions: {
          code: "invalid_value",
          place: ["tags", "where", "label", "eq"],
          hint: "Ask `label.isNull`.",
        },
      },
    ),
  },
  {
    behaviour: "U+0000 and lone surrogates in variables are refused",
    headers: json,
    body: '{"query":"query ($a: String) { books(where: {title: {eq: $a}}) { totalCount } }","variables":{"a":"\\u0000"}}',
    status: 200,
    expected: refused({
      message: "`title.eq` must be text without U+0000 and without lone surrogates.",
      locations: [{ line: 1, column: 48 }],
      extensions: { code: "invalid_value", place: ["books", "where", "title", "eq"] },
    }),
  },
  {
    behaviour: "relations nested too deeply are refused at the place",
    headers: json,
    body: body({ query: `{ authors { nodes { ${"mentor { ".repeat(13)}id${" }".repeat(13)} } } }` }),
    status: 200,
    expected: refused({
      message: "Relations may be nested at most 12 deep (limit `depth`).",
      locations: [{ line: 1, column: 129 }],
      extensions: { code: "too_deep", place: ["authors", "nodes", ...Array(13).fill("mentor")] },
    }),
  },
  {
    behaviour: "a document nested beyond reason is refused before it is parsed",
    headers: graphql,
    body: "{a".repeat(50_000),
    status: 200,
    expected: refused({
      message: `The document is nested more than ${limits.nesting} deep (limit \`nesting\`).`,
      locations: [{ line: 1, column: 2 * limits.nesting + 1 }],
      extensions: { code: "too_deep" },
    }),
  },
  {
    behaviour: "variables nested beyond reason are refused",
    headers: json,
    body: `{"query":"query ($w: BookWhere) { books(where: $w) { totalCount } }","variables":{"w":${'{"not":'.repeat(900)}{}${"}".repeat(900)}}}`,
    status: 200,
    expected: refused({
      message: `The variables are nested more than ${limits.nesting} deep (limit \`nesting\`).`,
      extensions: { code: "too_deep" },
    }),
  },
  {
    behaviour: "a body nested beyond reason is refused",
    headers: json,
    body: `{"query":"{ __typename }","variables":{"w":${'{"not":'.repeat(50_000)}{}${"}".repeat(50_000)}}}`,
    status: 400,
    expected: malformed("In the body, its arrays and objects are nested more than 1000 deep."),
  },
  {
    behaviour: "a document of too many tokens is refused",
    headers: graphql,
    body: `{ ${"a ".repeat(limits.tokens)} }`,
    status: 200,
    expected: refused({
      message: `The document has more than ${limits.tokens} tokens; at most ${limits.tokens} are read (limit \`tokens\`).`,
      locations: [{ line: 1, column: 2 * limits.tokens + 1 }],
      extensions: { code: "too_large", hint: "Send it as several requests." },
    }),
  },
  ...[
    `{ ${Array.from({ length: 3 }, (_, index) => `a${index}: __schema { types { name } } `).join("")} }`,
    `{ __schema { types { ${Array.from({ length: 250 }, (_, index) => `a${index}: name `).join("")} } } }`,
  ].map((body) => ({
    behaviour: `a document that asks for much of the schema again and again is refused (${body.length} characters)`,
    headers: graphql,
    body,
    status: 200,
    expected: refused({
      message: "A document asks for `__schema` at most 2 times, and has at most 250 fields where it does.",
      extensions: {
        code: "too_large",
        hint: "Ask for it once, as the introspection query of graphql-js does.",
      },
    }),
  })),
  {
    behaviour: "a document that repeats its fields beyond reason is refused",
    headers: graphql,
    body: `${Array.from({ length: 200 }, (_, index) => `query q${index} { ...f } `).join("")} fragment f on Query { ${Array.from({ length: 200 }, (_, index) => `a${index}: __typename `).join("")} }`,
    status: 200,
    expected: refused({
      message:
        "The document has more than 20000 fields, with those of its fragments; at most 20000 are read (limit `fields`).",
      extensions: { code: "too_large", hint: "Send it as several requests." },
    }),
  },
  {
    behaviour: "a field of the records of a list is named by the way to it",
    ...hinted(
      "{ books { title } }",
      11,
      'Cannot query field "title" on type "BookConnection".',
      "Select it there: nodes { title }.",
    ),
  },
  {
    behaviour: "a field of which each word is in the unknown name is suggested",
    ...hinted(
      "{ allTheBooks { totalCount } }",
      3,
      'Cannot query field "allTheBooks" on type "Query".',
      'Did you mean "books"?',
    ),
  },
  {
    behaviour: "a condition without its operator is told how it is written",
    ...hinted(
      '{ books(where: { title: "x" }) { totalCount } }',
      25,
      'Expected value of type "StringFilter" to be an object, found: "x".',
      'A condition names its operator: `{ name: { eq: "…" } }`.',
    ),
  },
  {
    behaviour: "an argument of another name is told by the one that there is",
    headers: graphql,
    body: "{ books(filter: {}) { totalCount } }",
    status: 200,
    expected: refused({
      message: 'Unknown argument "filter" on field "Query.books".',
      locations: [{ line: 1, column: 9 }],
      extensions: {
        code: "invalid_document",
        hint: 'Conditions are written `where: { name: { eq: "…" } }`.',
      },
    }),
  },
  {
    behaviour: "a schema that is kept from clients gives no way to a field",
    closed: true,
    headers: graphql,
    body: "{ books { title } }",
    status: 200,
    expected: refused({
      message: 'Cannot query field "title" on type "BookConnection".',
      locations: [{ line: 1, column: 11 }],
      extensions: { code: "invalid_document" },
    }),
  },
  {
    behaviour: "a message that repeats what was sent is cut",
    headers: graphql,
    body: `{ tag(id: "${"x".repeat(2_000)}" , ${"x".repeat(2_000)}: 1) { id } }`,
    status: 200,
    expected: refused({
      message: `Unknown argument "${"x".repeat(982)}…`,
      locations: [{ line: 1, column: 2_016 }],
      extensions: { code: "invalid_document" },
    }),
  },
  {
    behaviour: "a document of too many characters is refused",
    headers: graphql,
    body: `{ __typename } #${"x".repeat(limits.characters)}`,
    status: 200,
    expected: refused({
      message: `The document has ${limits.characters + 16} characters; at most ${limits.characters} are read (limit \`characters\`).`,
      extensions: { code: "too_large", hint: "Send it as several requests." },
    }),
  },
  {
    behaviour: "fragments cannot make a short document ask for too much",
    headers: graphql,
    body: `{ authors { nodes { ...F0 } } } ${Array.from(
      { length: 11 },
      (_, level) =>
        `fragment F${level} on Author { ${["a", "b", "c", "d"].map((alias) => `${alias}: mentor { ...F${level + 1} }`).join(" ")} }`,
    ).join(" ")} fragment F11 on Author { id }`,
    status: 200,
    expected: refused({
      message:
        "The document has more than 20000 fields, with those of its fragments; at most 20000 are read (limit `fields`).",
      extensions: { code: "too_large", hint: "Send it as several requests." },
    }),
  },
]

testForms(documents)
