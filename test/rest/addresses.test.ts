import assert from "node:assert/strict"
import { test } from "node:test"
import { ask, kioskFace, unread } from "./kiosk.ts"

const face = kioskFace(unread, "/api")

const missing: readonly (readonly [path: string, hint: RegExp])[] = [
  ["/order", /Did you mean "orders"/],
  ["/orders/", /\/orders$/],
  ["/orders/1/", /\/orders\/1$/],
  ["/orders/1/line", /Did you mean "lines"/],
  ["/orders/1/billingAddress", /Did you mean "billing-address"/],
  ["/orders/1/lines/2", /one address/],
  ["//orders", /one slash/],
  ["/", /openapi.json|Known here/],
  ["/visits/1", /Filter the list/],
  ["/visits/1/x", /openapi.json|Known here/],
  ["/__proto__", /openapi.json|Known here/],
  ["/openapi.json/x", /openapi.json|Known here/],
]

for (const [path, hint] of missing)
  test(`nothing is served under ${path}`, async () => {
    const response = await ask(face, `GET ${path}`)
    assert.equal(response.status, 404)
    const problem = JSON.parse(response.body)
    assert.equal(problem.code, "not_found")
    assert.match(problem.errors[0].hint, hint)
    assert.doesNotMatch(problem.detail, /""/)
  })

test("a malformed escape in the path is refused", async () => {
  for (const path of ["/orders/%zz", "/%", "/orders/%ff", "/orders/number=%c3"]) {
    const response = await ask(face, `GET ${path}`)
    assert.equal(response.status, 400, path)
    assert.equal(JSON.parse(response.body).code, "malformed_request")
  }
})

const methods: readonly (readonly [line: string, allow: string])[] = [
  ["PUT /orders", "DELETE, GET, HEAD, OPTIONS, PATCH, POST"],
  ["POST /orders/1", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"],
  ["BREW /orders/query", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"],
  ["PUT /orders/1/lines", "GET, HEAD, OPTIONS, POST"],
  ["POST /orders/1/customer", "GET, HEAD, OPTIONS"],
  ["GET /orders/1/tags/new", "DELETE, OPTIONS, PUT"],
  ["POST /visits", "GET, HEAD, OPTIONS"],
  ["GET /batch", "OPTIONS, POST"],
  ["GET /visits/query", "OPTIONS, POST"],
  ["PUT /openapi.json", "GET, HEAD, OPTIONS"],
  ["BREW /nodes", "GET, HEAD, OPTIONS"],
]

for (const [line, allow] of methods)
  test(`${line} is not allowed, and what is allowed is named`, async () => {
    const response = await ask(face, line)
    assert.equal(response.status, 405)
    assert.equal(response.headers["allow"], allow)
    const options = await ask(face, `OPTIONS ${line.split(" ")[1]}`)
    assert.deepEqual(options, { status: 204, headers: { allow }, body: "" })
  })

const noKeys: readonly (readonly [path: string, detail: string])[] = [
  ["/orders/abc", 'Order "abc" not found.'],
  ["/orders/cus_1", 'Order "cus_1" not found.'],
  ["/orders/abc/lines", 'Order "abc" not found.'],
  ["/order-lines/1", 'OrderLine "1" not found.'],
  ["/nodes/xyz_1", 'Record "xyz_1" not found.'],
  ["/nodes/1", 'Record "1" not found.'],
  ["/orders/total=1", 'Order "total=1" not found.'],
  ["/addresses/street=a,street=b", 'Address "street=a,street=b" not found.'],
]

for (const [path, detail] of noKeys)
  test(`${path} cannot be a record, so there is none`, async () => {
    const response = await ask(face, `GET ${path}`)
    assert.equal(response.status, 404)
    assert.equal(JSON.parse(response.body).detail, detail)
  })

test("what is wrong with the question is told before what is missing", async () => {
  const response = await ask(face, "GET /orders/abc?fields=bogus")
  assert.equal(response.status, 400)
})

test("an answer in no acceptable form is refused, and the forms are named", async () => {
  const list = await ask(face, "GET /orders", { accept: "text/html, application/json;q=0" })
  assert.equal(list.status, 406)
  assert.match(JSON.parse(list.body).errors[0].hint, /application\/json, text\/csv, application\/x-ndjson/)
  const record = await ask(face, "GET /orders/1", { accept: "text/csv" })
  assert.equal(record.status, 406)
  assert.match(JSON.parse(record.body).errors[0].hint, /Available: application\/json\./)
})

test("a table has no place for lists in its rows, totals and figures", async () => {
  const response = await ask(face, "GET /orders?include=lines&total=true&aggregate=count", {
    accept: "text/csv",
  })
  assert.equal(response.status, 400)
  assert.deepEqual(
    JSON.parse(response.body).errors.map(({ parameter }: { parameter: string }) => parameter),
    ["include", "total", "aggregate"],
  )
})

test("a fault of ours is told without details, and handed to the log", async () => {
  const response = await ask(face, "GET /orders")
  assert.equal(response.status, 500)
  assert.deepEqual(JSON.parse(response.body), {
    type: "urn:problem-type:bifold:internal",
    title: "Internal error",
    status: 500,
    detail: "Something went wrong inside the service.",
    code: "internal",
    requestId: "req_1",
    errors: [
      {
        code: "internal",
        detail: "Something went wrong inside the service.",
        hint: "Quote the requestId when you report it.",
      },
    ],
  })
  assert.match(String(response.fault), /nothing should be read/)
})
