// Forms of requests that the audits of graphql-http do not cover, each with the exact answer: status, headers, body.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { documentLimits } from "../../src/faces/graphql/document.ts"
import { serveGraphql } from "./serve.ts"

let open: Awaited<ReturnType<typeof serveGraphql>>
let closed: Awaited<ReturnType<typeof serveGraphql>>

before(async () => {
  open = await serveGraphql()
  closed = await serveGraphql({ introspection: false })
})
after(() => Promise.all([open.close(), closed.close()]))

const jsonType = "application/json; charset=utf-8"
const newerType = "application/graphql-response+json; charset=utf-8"
const json = { "content-type": "application/json" }
const graphql = { "content-type": "application/graphql" }
const newer = { accept: "application/graphql-response+json" }
const noQuery = (why: string) => `Must provide query string. ${why}`

interface Form {
  readonly behaviour: string
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Served by a face that keeps its schema to itself. */
  readonly closed?: true
  readonly status: number
  readonly type?: string
  readonly allow?: string
  readonly expected: unknown
}

const data = { data: { __typename: "Query" } }
/** An envelope that is no request. */
const malformed = (message: string, rest: object = {}, code = "malformed_request") => ({
  errors: [{ message, extensions: { code, ...rest } }],
})
/** A request that is not executed, under application/json. */
const refused = (...errors: readonly object[]) => ({ data: null, errors })
const body = (members: object): string => JSON.stringify(members)

const envelopes: readonly Form[] = [
  {
    behaviour: "a document may be the body itself",
    headers: graphql,
    body: "{ __typename }",
    status: 200,
    expected: data,
  },
  {
    behaviour: "a document in the body takes its variables and operation name from the URL",
    url: `?operationName=B&variables=${encodeURIComponent('{"skip":true}')}`,
    headers: graphql,
    body: "query A { __typename } query B($skip: Boolean!) { a: __typename @skip(if: $skip) b: __typename }",
    status: 200,
    expected: { data: { b: "Query" } },
  },
  {
    behaviour: "a document in the body cannot be in the URL as well",
    url: "?query={__typename}",
    headers: graphql,
    body: "{ __typename }",
    status: 400,
    expected: malformed("`query` belongs in the body of this request, not in its URL."),
  },
  {
    behaviour: "a JSON body holds everything, the URL nothing",
    url: "?operationName=A",
    headers: json,
    body: body({ query: "query A { __typename }" }),
    status: 400,
    expected: malformed("`operationName` belongs in the body of this request, not in its URL."),
  },
  ...["utf-8", "UTF-8", '"utf-8"', "utf8"].map((charset) => ({
    behaviour: `charset=${charset} is UTF-8`,
    headers: { "content-type": `application/json;charset=${charset}` },
    body: body({ query: "{ __typename }" }),
    status: 200,
    expected: data,
  })),
  ...["iso-8859-1", "utf-16"].map((charset) => ({
    behaviour: `charset=${charset} is not accepted`,
    headers: { "content-type": `application/json; charset=${charset}` },
    body: body({ query: "{ __typename }" }),
    status: 415,
    expected: malformed(
      noQuery(`The charset "${charset}" is not accepted; send utf-8.`),
      {},
      "unsupported_media_type",
    ),
  })),
  {
    behaviour: "another media type is not accepted",
    headers: { "content-type": "text/plain" },
    body: "{ __typename }",
    status: 415,
    expected: malformed(
      noQuery('The Content-Type "text/plain" is not accepted; send application/json or application/graphql.'),
      {},
      "unsupported_media_type",
    ),
  },
  {
    behaviour: "a body needs a media type",
    body: new TextEncoder().encode("{ __typename }"),
    status: 415,
    expected: malformed(
      noQuery("The body has no Content-Type; send application/json or application/graphql."),
      {},
      "unsupported_media_type",
    ),
  },
  {
    behaviour: "a POST without a body carries no query string",
    status: 400,
    expected: malformed(noQuery("The body is empty.")),
  },
  {
    behaviour: "an empty document carries no query string",
    headers: graphql,
    body: "  ",
    status: 400,
    expected: malformed(noQuery("The body is empty.")),
  },
  {
    behaviour: "a GET without a query carries no query string",
    method: "GET",
    status: 400,
    expected: malformed(noQuery("There is no `query` in the URL.")),
  },
  {
    behaviour: "a body that is not JSON although declared so carries no query string",
    headers: json,
    body: "{ __typename }",
    status: 400,
    expected: malformed(noQuery("The body is not JSON, although its Content-Type says so.")),
  },
  {
    behaviour: "a body that is not UTF-8 carries no query string",
    headers: json,
    body: Uint8Array.of(0x7b, 0xff, 0x7d),
    status: 400,
    expected: malformed(noQuery("The body is not valid UTF-8.")),
  },
  {
    behaviour: "a body without `query` carries no query string",
    headers: json,
    body: body({ variables: {} }),
    status: 400,
    expected: malformed(noQuery("There is no `query` in the body.")),
  },
  {
    behaviour: "a null `query` is no string",
    headers: json,
    body: body({ query: null }),
    status: 400,
    expected: malformed(noQuery("`query` must be a string, not null.")),
  },
  {
    behaviour: "an object as `query` is no string",
    headers: json,
    body: body({ query: {} }),
    status: 400,
    expected: malformed(noQuery("`query` must be a string, not an object.")),
  },
  {
    behaviour: "an empty `query` is no query string",
    headers: json,
    body: body({ query: "" }),
    status: 400,
    expected: malformed(noQuery("`query` is empty.")),
  },
  {
    behaviour: "a batch is not accepted",
    headers: json,
    body: `[${body({ query: "{ __typename }" })}]`,
    status: 400,
    expected: malformed(noQuery("A batch is not accepted: send one operation per request.")),
  },
  {
    behaviour: "a JSON text that is no object carries no query string",
    headers: json,
    body: '"{ __typename }"',
    status: 400,
    expected: malformed(noQuery("The body must be an object with a member `query`, not a string.")),
  },
  {
    behaviour: "an unknown parameter is named",
    headers: json,
    body: body({ query: "{ __typename }", operation: "A" }),
    status: 400,
    expected: malformed('There is no parameter "operation".', {
      hint: "Known here: query, variables, operationName, extensions.",
    }),
  },
  {
    behaviour: "variables must be an object",
    headers: json,
    body: body({ query: "{ __typename }", variables: "{}" }),
    status: 400,
    expected: malformed("`variables` must be an object, not a string."),
  },
  {
    behaviour: "variables in a URL must be JSON",
    method: "GET",
    url: "?query={__typename}&variables={a:1}",
    status: 400,
    expected: malformed("`variables` must be an object in JSON."),
  },
  {
    behaviour: "the operation name must be a string",
    headers: json,
    body: body({ query: "{ __typename }", operationName: 1 }),
    status: 400,
    expected: malformed("`operationName` must be a string, not a number."),
  },
  {
    behaviour: "extensions must be an object",
    headers: json,
    body: body({ query: "{ __typename }", extensions: [] }),
    status: 400,
    expected: malformed("`extensions` must be an object, not a list."),
  },
  {
    behaviour: "a parameter given twice is refused",
    method: "GET",
    url: "?query={__typename}&query={__typename}",
    status: 400,
    expected: malformed('The parameter "query" is given twice.'),
  },
  {
    behaviour: "a member given twice in JSON has its last value",
    headers: json,
    body: '{"query":"{ a }","query":"{ __typename }"}',
    status: 200,
    expected: data,
  },
  {
    behaviour: "a URL that is not percent-encoded UTF-8 is refused",
    method: "GET",
    url: "?query=%FF",
    status: 400,
    expected: malformed("The URL's parameters are not percent-encoded UTF-8."),
  },
  ...["PUT", "PATCH", "DELETE"].map((method) => ({
    behaviour: `${method} is not allowed`,
    method,
    status: 405,
    allow: "GET, POST",
    expected: malformed(
      `${method} is not allowed here: send a query by POST or GET.`,
      {},
      "method_not_allowed",
    ),
  })),
  ...["mutation", "subscription"].map((operation) => ({
    behaviour: `a ${operation} cannot be sent by GET`,
    method: "GET",
    url: `?query=${operation}{__typename}`,
    status: 405,
    allow: "POST",
    expected: malformed(`A ${operation} cannot be sent by GET: send it by POST.`, {}, "method_not_allowed"),
  })),
  {
    behaviour: "a media type that cannot be sent is refused",
    headers: { ...json, accept: "text/html" },
    body: body({ query: "{ __typename }" }),
    status: 406,
    expected: malformed(
      'Accept "text/html" names nothing that can be sent.',
      { hint: "Accept application/json or application/graphql-response+json." },
      "not_acceptable",
    ),
  },
  {
    behaviour: "the newer media type is sent to whom it is as welcome as the older",
    headers: { ...json, accept: "application/graphql-response+json, application/json" },
    body: body({ query: "{ __typename }" }),
    status: 200,
    type: newerType,
    expected: data,
  },
  {
    behaviour: "the older media type is sent to who prefers it",
    headers: { ...json, accept: "application/graphql-response+json;q=0.5, application/json" },
    body: body({ query: "{ __typename }" }),
    status: 200,
    expected: data,
  },
  {
    behaviour: "who accepts any application type gets JSON",
    headers: { ...json, accept: "application/*" },
    body: body({ query: "{ __typename }" }),
    status: 200,
    expected: data,
  },
]

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
    behaviour: "a mutation is refused as long as there is none",
    headers: json,
    body: body({ query: "mutation { __typename }" }),
    status: 200,
    expected: refused({
      message: "The mutation operation is not supported by the schema.",
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
          hint: 'Ask {"label": {"isNull": true}}.',
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
      message: "Relations may be nested at most 12 deep.",
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
      message: `The document is nested more than ${documentLimits.nesting} deep.`,
      locations: [{ line: 1, column: 2 * documentLimits.nesting + 1 }],
      extensions: { code: "too_deep" },
    }),
  },
  {
    behaviour: "variables nested beyond reason are refused",
    headers: json,
    body: `{"query":"query ($w: BookWhere) { books(where: $w) { totalCount } }","variables":{"w":${'{"not":'.repeat(50_000)}{}${"}".repeat(50_000)}}}`,
    status: 200,
    expected: refused({
      message: `The variables are nested more than ${documentLimits.nesting} deep.`,
      extensions: { code: "too_deep" },
    }),
  },
  {
    behaviour: "a document of too many tokens is refused",
    headers: graphql,
    body: `{ ${"a ".repeat(documentLimits.tokens)} }`,
    status: 200,
    expected: refused({
      message: `Syntax Error: Document contains more than ${documentLimits.tokens} tokens. Parsing aborted. (line 1, column ${2 * documentLimits.tokens + 1})`,
      locations: [{ line: 1, column: 2 * documentLimits.tokens + 1 }],
      extensions: { code: "syntax_error" },
    }),
  },
  {
    behaviour: "a document of too many characters is refused",
    headers: graphql,
    body: `{ __typename } #${"x".repeat(documentLimits.length)}`,
    status: 200,
    expected: refused({
      message: `The document is longer than ${documentLimits.length} characters.`,
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
      message: "The operation asks for more than 10000 fields.",
      extensions: { code: "too_large", hint: "Send it as several requests." },
    }),
  },
]

for (const form of [...envelopes, ...documents]) {
  test(form.behaviour, async () => {
    const { url } = form.closed ? closed : open
    const response = await fetch(`${url}${form.url ?? ""}`, {
      method: form.method ?? "POST",
      headers: { "x-request-id": "known", ...form.headers },
      ...(form.body !== undefined && { body: form.body }),
    })
    const text = await response.text()
    assert.deepEqual(withoutRequestId(JSON.parse(text)), form.expected, text)
    assert.equal(response.status, form.status)
    assert.equal(response.headers.get("content-type"), form.type ?? jsonType)
    assert.equal(response.headers.get("allow"), form.allow ?? null)
    assert.equal(response.headers.get("vary"), "Accept")
    if (form.status === 415)
      assert.equal(response.headers.get("accept-post"), "application/json, application/graphql")
  })
}

test("every form of a request in the tables has a behaviour of its own", () => {
  const behaviours = [...envelopes, ...documents].map(({ behaviour }) => behaviour)
  assert.equal(new Set(behaviours).size, behaviours.length)
  assert.ok(behaviours.length > 50)
})

/** Each error names the request; that is checked here, once for all. */
function withoutRequestId(answer: { errors?: { extensions: { requestId?: string } }[] }): unknown {
  for (const { extensions } of answer.errors ?? []) {
    assert.equal(extensions.requestId, "known")
    delete extensions.requestId
  }
  return answer
}
