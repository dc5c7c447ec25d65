import assert from "node:assert/strict"
import { test } from "node:test"
import { f, one, resource, service } from "../../src/model/declaration/service.ts"
import { restFace } from "../../src/rest/face.ts"
import { loadOpen } from "../support/everybody.ts"
import { asText } from "../support/text-face.ts"
import { ask, cursors, kioskFace, unread } from "./kiosk.ts"

const face = kioskFace(unread)

interface Told {
  readonly status: number
  readonly code: string
  readonly errors: readonly Readonly<Record<string, string>>[]
}

async function refused(line: string, headers: Readonly<Record<string, string>> = {}): Promise<Told> {
  const response = await ask(face, line, headers)
  assert.equal(response.headers["content-type"], "application/problem+json", line)
  assert.equal(response.headers["content-length"], String(Buffer.byteLength(response.body)))
  return JSON.parse(response.body)
}

test("a problem names what is wrong, where, and what would be right", async () => {
  const { headers, ...response } = await ask(face, "GET /orders?limmit=5")
  assert.equal(response.status, 400)
  assert.equal(headers["cache-control"], "no-store")
  assert.deepEqual(JSON.parse(response.body), {
    type: "urn:problem-type:bifold:unknown_parameter",
    title: "Unknown parameter",
    status: 400,
    detail: '"limmit" is not a parameter.',
    code: "unknown_parameter",
    requestId: "req_1",
    errors: [
      {
        code: "unknown_parameter",
        detail: '"limmit" is not a parameter.',
        hint: 'Did you mean "limit"?',
        parameter: "limmit",
      },
    ],
  })
})

const otherSpellings: readonly (readonly [query: string, hint: RegExp])[] = [
  ["number=A-1", /^Conditions are written `filter\[number\]=A-1`\./],
  ["number[in]=A,B", /^Conditions are written `filter\[number\]\[in\]=…`\./],
  ["page=2", /^Lists have cursors: .*`after=`/],
  ["per_page=5", /`limit=20`/],
  ["order_by=number", /`sort=-name`/],
  ["where={}", /`filter\[name\]=…`/],
  ["expand=lines", /`include=/],
  ["select=number", /`fields=/],
  ["fitler[number]=1", /^Did you mean "filter"\?$/],
]

test("a parameter of another name is refused with how it is written here", async () => {
  for (const [query, hint] of otherSpellings) {
    const { errors } = await refused(`GET /orders?${query}`)
    assert.equal(errors.length, 1, query)
    assert.match(errors[0]?.["hint"] ?? "", hint, query)
  }
})

test("all mistakes of the spelling are told at once, and all of the names", async () => {
  const spelling = await refused(
    "GET /orders?limit=x&total=1&sort=--a&filter[or][][b]=1&include[lines][limit]=2&from=middle",
  )
  assert.deepEqual(
    spelling.errors.map(({ parameter }) => parameter),
    ["limit", "total", "sort", "filter[or][][b]", "include[lines][limit]", "from"],
  )
  const names = await refused(
    "GET /orders?limit=101&sort=nothing&fields=number,bogus&include=lines.bogus,bogus&filter[total][like]=2&aggregate=sum.note&after=x&groups=3",
  )
  assert.deepEqual(
    names.errors.map(({ parameter, code }) => `${parameter} ${code}`),
    [
      "filter[total][like] unknown_operator",
      "sort unknown_field",
      "limit invalid_value",
      "after invalid_cursor",
      "fields unknown_field",
      "include unknown_field",
      "include unknown_field",
      "aggregate unknown_field",
      "groups invalid_value",
    ],
  )
})

const parameterMistakes: readonly (readonly [
  request: string,
  code: string,
  parameter: string,
  detail: RegExp,
])[] = [
  ["/orders?limit=5&limit=6", "invalid_value", "limit", /given more than once/],
  [
    "/orders?filter[total][gt]=1&filter[total][gt]=2",
    "invalid_value",
    "filter[total][gt]",
    /given more than once/,
  ],
  [
    "/orders?filter[status]=paid&filter[status][eq]=open",
    "invalid_value",
    "filter[status]",
    /given more than once/,
  ],
  [
    "/orders?filter[status]=paid&filter[status.eq]=open",
    "invalid_value",
    "filter[status.eq]",
    /filter\[status.eq\] and filter\[status\] contradict one another/,
  ],
  ["/orders?limit=-1", "invalid_value", "limit", /from 0 to 100/],
  ["/orders?limit=1.5", "invalid_value", "limit", /cannot be "1.5"/],
  ["/orders?limit=", "invalid_value", "limit", /cannot be ""/],
  ["/orders?filter[total][gte]=abc", "invalid_value", "filter[total][gte]", /total.gte/],
  ["/orders?filter[customer.name]=a%00b", "invalid_value", "filter[customer.name]", /U\+0000/],
  ["/orders?filter[status][in]=paid,lost", "invalid_value", "filter[status][in]", /status.in/],
  ["/orders?filter[__proto__][eq]=1", "unknown_field", "filter[__proto__][eq]", /__proto__/],
  ["/orders?filter[constructor]=1", "unknown_field", "filter[constructor]", /constructor/],
  ["/orders?filter[total][__proto__]=1", "unknown_operator", "filter[total][__proto__]", /__proto__/],
  ["/orders?__proto__=1", "unknown_parameter", "__proto__", /__proto__/],
  ["/orders?include=__proto__", "unknown_field", "include", /__proto__/],
  ["/orders?include[__proto__][limit]=1", "unknown_parameter", "include[__proto__][limit]", /not included/],
  ["/orders?fields=constructor", "unknown_field", "fields", /constructor/],
  ["/orders?sort=toString", "unknown_field", "sort", /toString/],
  ["/orders?aggregate=sum.hasOwnProperty", "unknown_field", "aggregate", /hasOwnProperty/],
  ["/orders?filter={", "invalid_value", "filter", /not JSON/],
  [
    '/orders?filter={"total":{"gt":"1"},"total":{"lt":"0"}}',
    "invalid_value",
    "filter",
    /the member "total" twice/,
  ],
  ["/orders?filter=[]", "invalid_value", "filter", /must be an object/],
  ["/orders?fields=number,number", "invalid_value", "fields", /twice/],
  ["/orders?fields=", "invalid_value", "fields", /cannot be ""/],
  ["/orders?fields=lines", "unknown_field", "fields", /no field "lines"/],
  ["/orders?include=number", "unknown_field", "include", /no relation "number"/],
  ["/orders?include=lines,lines", "invalid_value", "include", /twice/],
  [
    "/orders?include=lines&include[lines][include]=order",
    "unknown_parameter",
    "include[lines][include]",
    /not a parameter/,
  ],
  ["/orders?include=lines&include[lines]=order", "unknown_parameter", "include[lines]", /not a parameter/],
  [
    "/orders?include=lines&include[lines][limit]=-1",
    "invalid_value",
    "include[lines][limit]",
    /from 0 to 100/,
  ],
  [
    "/orders?include=customer&include[customer][limit]=1",
    "unknown_parameter",
    "include[customer][limit]",
    /asked of lists/,
  ],
  [
    "/orders?include=lines&include[lines][filter][quantity][gt]=x",
    "invalid_value",
    "include[lines][filter][quantity][gt]",
    /quantity.gt/,
  ],
  ["/orders?limit[x]=1", "unknown_parameter", "limit[x]", /not a parameter/],
  ["/orders?sort=number,number", "invalid_value", "sort", /already/],
  ["/orders?sort=lines.quantity", "invalid_value", "sort", /lines/],
  ["/orders?groupBy=bogus", "unknown_field", "groupBy", /bogus/],
  ["/orders?[a]=1", "unknown_parameter", "[a]", /not the name/],
  ["/orders?filter[a=1", "unknown_parameter", "filter[a", /not the name/],
  ["/orders?limit=%zz", "malformed_request", "limit", /percent-encoded/],
  ["/orders/1?limit=1", "unknown_parameter", "limit", /asked of lists/],
  ["/orders/1/customer?sort=name", "unknown_parameter", "sort", /asked of lists/],
  ["/nodes", "invalid_value", "ids", /missing/],
  ["/nodes?ids=ord_1&fields=number", "unknown_parameter", "fields", /not a parameter/],
  ["/openapi.json?pretty=1", "unknown_parameter", "pretty", /not a parameter/],
  ["/addresses/street=a,number=x", "invalid_value", "number", /number/],
]

for (const [target, code, parameter, detail] of parameterMistakes)
  test(`${target} is refused at ${parameter}`, async () => {
    const { status, errors } = await refused(`GET ${target}`)
    assert.equal(status, 400)
    assert.equal(errors.length, 1, JSON.stringify(errors))
    assert.equal(errors[0]?.["code"], code)
    assert.equal(errors[0]?.["parameter"], parameter)
    assert.match(errors[0]?.["detail"] ?? "", detail)
  })

test("a mistake inside a filter's JSON is pointed to", async () => {
  const filter = encodeURIComponent('{"or":[{"total":{"gt":"x"}},{"lines":{"some":{"a/b":{"eq":1}}}}]}')
  const { errors } = await refused(`GET /orders?filter=${filter}`)
  assert.deepEqual(
    errors.map(({ parameter, pointer }) => [parameter, pointer]),
    [
      ["filter", "/or/0/total/gt"],
      ["filter", "/or/1/lines/some/a~1b"],
    ],
  )
})

test("mistakes in a body are pointed to, all at once", async () => {
  const body = {
    filter: { total: { gte: "x" } },
    limit: "5",
    include: { lines: { sort: ["bogus"], include: { order: { limit: 3 } } }, customer: [] },
    bogus: 1,
    aggregate: "count",
  }
  const spelling = await refused("POST /orders/query", {
    "content-type": "application/json",
    body: JSON.stringify(body),
  })
  assert.deepEqual(
    spelling.errors.map(({ pointer, code }) => `${pointer} ${code}`),
    [
      "/limit invalid_value",
      "/include/customer invalid_value",
      "/bogus unknown_parameter",
      "/aggregate invalid_value",
    ],
  )
  const { filter, include } = { ...body, include: { lines: body.include.lines } }
  const names = await refused("POST /orders/query", {
    "content-type": "application/json",
    body: JSON.stringify({ filter, include }),
  })
  assert.deepEqual(
    names.errors.map(({ pointer, code }) => `${pointer} ${code}`),
    [
      "/filter/total/gte invalid_value",
      "/include/lines/sort/0 unknown_field",
      "/include/lines/include/order/limit unknown_parameter",
    ],
  )
})

function deepIncludes(depth: number): string {
  return `${'{"include":{"customer":'.repeat(depth)}{}${"}}".repeat(depth)}`
}

function wideIncludes(depth: number): object {
  return depth === 0
    ? {}
    : Object.fromEntries(
        ["customer", "lines", "tags"].map((name) => [name, { include: wideIncludes(depth - 1) }]),
      )
}

const bodyMistakes: readonly (readonly [
  name: string,
  body: string | Uint8Array,
  status: number,
  code: string,
])[] = [
  ["an empty body", "", 400, "malformed_request"],
  ["broken JSON", "{", 400, "malformed_request"],
  ["a member twice", '{"limit":1,"limit":2}', 400, "malformed_request"],
  ["a list", "[]", 400, "invalid_value"],
  ["null", "null", 400, "invalid_value"],
  ["a prototype", '{"__proto__":{"limit":1}}', 400, "unknown_parameter"],
  ["includes 200 deep", deepIncludes(200), 400, "too_deep"],
  ["includes 20,000 deep", deepIncludes(20_000), 400, "malformed_request"],
  ["1,000 includes", JSON.stringify({ include: wideIncludes(6) }), 413, "too_large"],
  ["1,000 fields", JSON.stringify({ fields: Array(1000).fill("number") }), 413, "too_large"],
  ["a filter 200 deep", `{"filter":${'{"not":'.repeat(200)}{}${"}".repeat(200)}}`, 400, "too_deep"],
]

for (const [name, body, status, code] of bodyMistakes)
  test(`a query with ${name} in its body is refused`, async () => {
    const told = await refused("POST /orders/query", {
      "content-type": "application/json",
      body: String(body),
    })
    assert.equal(told.status, status)
    assert.equal(told.code, code)
  })

test("a body that is not UTF-8 is refused", async () => {
  const { requestOf } = await import("./kiosk.ts")
  const request = requestOf("POST /orders/query", { "content-type": "application/json" })
  const response = await face({ ...request, body: Uint8Array.from([0x7b, 0xff, 0x7d]) })
  assert.equal(response.status, 400)
  assert.match(JSON.parse(response.body).detail, /not UTF-8/)
})

test("a query's parameters belong into its body", async () => {
  const { errors } = await refused("POST /orders/query?limit=1", {
    "content-type": "application/json",
    body: "{}",
  })
  assert.deepEqual(errors[0], {
    code: "unknown_parameter",
    detail: '"limit" is not a parameter here.',
    hint: "Put the question into the JSON body.",
    parameter: "limit",
  })
})

test("a query's body is JSON, and the type says so", async () => {
  for (const type of ["text/plain", "application/json; charset=latin1", ""]) {
    const headers = type === "" ? {} : { "content-type": type }
    const { status, code } = await refused("POST /orders/query", { ...headers, body: "{}" })
    assert.deepEqual([status, code], [415, "unsupported_media_type"], type)
  }
})

test("more than 200 parameters are refused", async () => {
  const { status, code } = await refused(`GET /orders?${"filter[number]=1&".repeat(201)}`)
  assert.deepEqual([status, code], [413, "too_large"])
})

test("includes are bounded in depth and number", async () => {
  const deep = await refused(`GET /orders?include=${Array(13).fill("customer.orders").join(".")}`)
  assert.deepEqual([deep.status, deep.code], [400, "too_deep"])
})

test("mistakes are told up to a bound", async () => {
  const body = JSON.stringify(
    Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1])),
  )
  const { errors } = await refused("POST /orders/query", { "content-type": "application/json", body })
  assert.equal(errors.length, 50)
})

test("PUT by a reference that can be none tells that, and what is wrong with the body", async () => {
  const integer = { column: "id", type: "integer" } as const
  const model = loadOpen(
    service({
      name: "library",
      resources: {
        book: resource({ id: "bok", key: integer, fields: { title: f.text() } }),
        loan: resource({
          id: "lon",
          key: integer,
          fields: { days: f.integer(), note: f.text({ optional: true }) },
          relations: { book: one("book") },
          unique: [["book"]],
        }),
      },
    }),
  )
  const library = asText(restFace({ model, cursors, answer: unread, base: "" }), model)
  const type = { "content-type": "application/json" }
  for (const headers of [{}, { "if-match": '"1"' }, { "if-none-match": "*" }]) {
    const { body } = await ask(library, "PUT /loans/bookId=x", { ...type, ...headers, body: '{"note":1}' })
    assert.deepEqual(
      JSON.parse(body)
        .errors.map((told: Told["errors"][number]) => `${told["code"]} ${told["pointer"]}`)
        .toSorted(),
      [
        "invalid_value /note",
        "missing_field /days",
        `${"if-match" in headers ? "stale_version" : "not_found"} undefined`,
      ],
    )
  }
})
