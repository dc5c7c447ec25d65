import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, describe, test } from "node:test"
import { f, one, resource, service } from "../../src/model/declaration/service.ts"
import { restFace } from "../../src/rest/face.ts"
import type { Records, Row } from "../../src/sql/write/insert.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { connectFaces, dialects, openService } from "../support/open-service.ts"
import { asText, type TextFace, type TextResponse } from "../support/text-face.ts"
import { ask, kiosk } from "./kiosk.ts"

const rows = (...of: Row[]): readonly Row[] => of

const kioskRecords: Records = {
  records: new Map([
    [
      "customer",
      rows(
        { id: 1, name: "Ada", email: "ada@example.org" },
        { id: 2, name: 'Bob "B"', email: "bob@example.org" },
      ),
    ],
    ["address", rows({ id: 1, street: "High, Road", number: 7 })],
    ["tag", rows({ word: "a/b" }, { word: "new" })],
    [
      "order",
      rows(
        {
          id: 1,
          number: "A-1",
          status: "paid",
          total: "10.00",
          note: null,
          placedAt: "2026-01-02T03:04:05.5Z",
          extra: '{"big":12345678901234567890}',
          customerId: 1,
          billingAddressId: 1,
        },
        {
          id: 2,
          number: "A-2",
          status: "open",
          total: "5.50",
          note: "",
          placedAt: null,
          extra: null,
          customerId: 2,
          billingAddressId: null,
        },
        {
          id: 3,
          number: "A-3",
          status: "open",
          total: "20.00",
          note: 'x,"y"',
          placedAt: "2026-01-01T00:00:00Z",
          extra: "[1,2]",
          customerId: 1,
          billingAddressId: null,
        },
      ),
    ],
    [
      "orderLine",
      rows(
        { orderId: 1, position: 1, quantity: 2, weight: 0.5 },
        { orderId: 1, position: 2, quantity: 1, weight: null },
        { orderId: 3, position: 1, quantity: 5, weight: 1e21 },
      ),
    ],
    ["visit", rows({ page: "/", seconds: 9_007_199_254_740_993n }, { page: "/a", seconds: null })],
  ]),
  links: [
    {
      resource: "order",
      relation: "tags",
      pairs: [
        [1, "a/b"],
        [1, "new"],
        [3, "new"],
      ],
    },
  ],
}

const first =
  '{"id":"ord_1","number":"A-1","status":"paid","total":"10.00","note":null,"placedAt":"2026-01-02T03:04:05.5Z","extra":{"big":12345678901234567890},"customerId":"cus_1","billingAddressId":"adr_1"}'
const ada = '{"id":"cus_1","name":"Ada","email":"ada@example.org"}'
const lines =
  '{"data":[{"id":"line_1~1","position":1,"quantity":2,"weight":0.5,"orderId":"ord_1"},{"id":"line_1~2","position":2,"quantity":1,"weight":null,"orderId":"ord_1"}],"page":{"next":null,"prev":null}}'
const whole = '"page":{"next":null,"prev":null}'

const answers: readonly (readonly [target: string, body: string])[] = [
  ["/orders/1", first],
  ["/orders/ord_1", first],
  ["/orders/number=A-1", first],
  ["/nodes/ord_1", first],
  ["/orders/1?fields=total,number", '{"id":"ord_1","total":"10.00","number":"A-1"}'],
  ["/addresses/number=7,street=High%2C%20Road?fields=id", '{"id":"adr_1"}'],
  ["/tags/a%2Fb", '{"id":"tag_a/b","word":"a/b"}'],
  ["/orders/1/customer", ada],
  ["/orders/number=A-1/customer?fields=name", '{"id":"cus_1","name":"Ada"}'],
  ["/orders/1/lines", lines],
  ["/orders/2/lines", `{"data":[],${whole}}`],
  ["/orders/1?fields=id&include=lines", `{"id":"ord_1","lines":${lines}}`],
  [
    "/orders?fields=number&include=customer&include[customer][fields]=name&sort=-total&filter[customer.name]=Ada",
    `{"data":[{"id":"ord_3","number":"A-3","customer":{"id":"cus_1","name":"Ada"}},{"id":"ord_1","number":"A-1","customer":{"id":"cus_1","name":"Ada"}}],${whole}}`,
  ],
  [
    "/orders?fields=number&filter[lines.some.quantity][gte]=2&filter[lines.some.weight][lt]=1",
    `{"data":[{"id":"ord_1","number":"A-1"}],${whole}}`,
  ],
  [
    "/orders?fields=id&include=billingAddress&filter[number][in]=A-2,A-1&include[billingAddress][fields]=id",
    `{"data":[{"id":"ord_1","billingAddress":{"id":"adr_1"}},{"id":"ord_2","billingAddress":null}],${whole}}`,
  ],
  [
    "/orders/1/tags?fields=word&total=true",
    '{"data":[{"id":"tag_a/b","word":"a/b"},{"id":"tag_new","word":"new"}],"page":{"next":null,"prev":null,"total":2}}',
  ],
  [
    "/orders?limit=0&aggregate=count,sum.total,max.placedAt",
    '{"data":[],"page":{"next":null,"prev":null},"aggregate":{"count":3,"sum":{"total":"35.50"},"max":{"placedAt":"2026-01-02T03:04:05.5Z"}}}',
  ],
  [
    "/orders?limit=0&aggregate=count&groupBy=status",
    '{"data":[],"page":{"next":null,"prev":null},"groups":[{"key":{"status":"open"},"count":2},{"key":{"status":"paid"},"count":1}]}',
  ],
  ["/visits", `{"data":[{"page":"/","seconds":"9007199254740993"},{"page":"/a","seconds":null}],${whole}}`],
  [
    "/nodes?ids=cus_1,xyz,ord_9,adr_1",
    `{"data":[${ada},null,null,{"id":"adr_1","street":"High, Road","number":7}]}`,
  ],
]

const missing: readonly (readonly [target: string, detail: string])[] = [
  ["/orders/9", 'Order "9" not found.'],
  ["/orders/number=Z", 'Order with number "Z" not found.'],
  ["/orders/9/lines", 'Order "9" not found.'],
  ["/orders/9/customer", 'Order "9" not found.'],
  ["/orders/2/billing-address", "This order has no billingAddress."],
  ["/nodes/ord_9", 'Record "ord_9" not found.'],
]

/** PostgreSQL's jsonb is written with a space after the colon. */
const compact = (text: string): string => text.replace(/(big"+:) /, "$1")

interface Links {
  readonly next?: string
  readonly prev?: string
  readonly first?: string
}

function linksOf(response: TextResponse): Links {
  const header = response.headers["link"] ?? ""
  return Object.fromEntries(
    [...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, target, name]) => [name, target]),
  )
}

for (const database of dialects) {
  describe(`the REST face on ${database}`, () => {
    let face: TextFace
    let sent: () => number
    const hooks = cleanUp(after)
    before(async () => {
      const opened = await openService(hooks, {
        model: kiosk,
        records: kioskRecords,
        database,
      })
      face = asText(restFace({ ...opened.context, answer: opened.engine.answer, base: "/api" }), opened.model)
      sent = () => opened.storage.sent
    })

    for (const [target, body] of answers)
      test(`GET ${target}`, async () => {
        const known = sent()
        const response = await ask(face, `GET ${target}`)
        assert.equal(compact(response.body), body)
        assert.equal(response.status, 200)
        assert.equal(sent() - known, 1)
        assert.equal(response.headers["content-type"], "application/json; charset=utf-8")
        assert.equal(response.headers["content-length"], String(Buffer.byteLength(response.body)))
      })

    for (const [target, detail] of missing)
      test(`GET ${target} finds nothing`, async () => {
        const response = await ask(face, `GET ${target}`)
        assert.equal(response.status, 404)
        assert.equal(JSON.parse(response.body).detail, detail)
        assert.equal(JSON.parse(response.body).code, "not_found")
      })

    test("a query asks by its body what the list is asked by parameters", async () => {
      const question = { filter: { total: { gte: 10 } }, sort: ["-total"], fields: ["number"], limit: 1 }
      const headers = { "content-type": "application/json", body: JSON.stringify(question) }
      const posted = await ask(face, "POST /orders/query", headers)
      const got = await ask(face, "GET /orders?filter[total][gte]=10&sort=-total&fields=number&limit=1")
      assert.equal(posted.status, 200)
      assert.equal(posted.body, got.body)
      assert.equal(posted.headers["link"], undefined)
      assert.equal(posted.headers["etag"], undefined)
    })

    test("links lead through all pages and back", async () => {
      const numbers: string[] = []
      let target: string | undefined = "/orders?fields=number&limit=1&sort=number"
      let last: TextResponse | undefined
      while (target) {
        last = await ask(face, `GET ${target}`)
        numbers.push(...JSON.parse(last.body).data.map(({ number }: { number: string }) => number))
        target = linksOf(last).next?.replace("/api", "")
      }
      assert.deepEqual(numbers, ["A-1", "A-2", "A-3"])
      assert.ok(last)
      const previous = await ask(face, `GET ${linksOf(last).prev?.replace("/api", "")}`)
      assert.equal(JSON.parse(previous.body).data[0].number, "A-2")
      assert.equal(linksOf(last).first, "/api/orders?fields=number&limit=1&sort=number")
    })

    test("HEAD is answered as GET is: the server leaves the body out", async () => {
      for (const target of ["/orders?limit=1", "/orders/1", "/orders/9", "/openapi.json"]) {
        const head = await ask(face, `HEAD ${target}`)
        const get = await ask(face, `GET ${target}`)
        assert.deepEqual(head, get)
      }
    })

    test("a client that has the answer gets 304", async () => {
      const { headers } = await ask(face, "GET /orders?limit=1")
      assert.match(headers["etag"] ?? "", /^"[\w-]+"$/)
      for (const condition of [
        headers["etag"] ?? "",
        `W/${headers["etag"]}`,
        `"x", ${headers["etag"]}`,
        "*",
      ]) {
        const again = await ask(face, "GET /orders?limit=1", { "if-none-match": condition })
        assert.equal(again.status, 304, condition)
        assert.equal(again.body, "")
        const { etag, link, vary, "cache-control": cache } = headers
        assert.deepEqual(again.headers, { etag, link, vary, "cache-control": cache })
      }
      const other = await ask(face, "GET /orders?limit=2", { "if-none-match": headers["etag"] ?? "" })
      assert.equal(other.status, 200)
    })

    test("the total comes by preference too, and the answer says so", async () => {
      const counted = await ask(face, "GET /orders?limit=0", { prefer: "return=minimal, Count=Exact; x=1" })
      assert.equal(counted.body, '{"data":[],"page":{"next":null,"prev":null,"total":3}}')
      assert.equal(counted.headers["preference-applied"], "count=exact")
      const single = await ask(face, "GET /orders/1", { prefer: "count=exact" })
      assert.equal(single.headers["preference-applied"], undefined)
      const guessed = await ask(face, "GET /orders?limit=0", { prefer: "count=estimated" })
      assert.equal(guessed.body, '{"data":[],"page":{"next":null,"prev":null}}')
    })

    test("a list as CSV", async () => {
      const target = "GET /orders?fields=number,note,extra&include=billingAddress&sort=number&limit=2"
      const response = await ask(face, target, { accept: "text/csv" })
      assert.equal(response.headers["content-type"], "text/csv; charset=utf-8; header=present")
      assert.equal(
        compact(response.body),
        [
          "id,number,note,extra,billingAddress.id,billingAddress.street,billingAddress.number",
          'ord_1,A-1,,"{""big"":12345678901234567890}",adr_1,"High, Road",7',
          'ord_2,A-2,"",,,,',
          "",
        ].join("\r\n"),
      )
      assert.match(response.headers["link"] ?? "", /rel="next"/)
      const none = await ask(face, "GET /orders?fields=number&limit=0", { accept: "text/csv" })
      assert.equal(none.body, "id,number\r\n")
    })

    test("a list as NDJSON", async () => {
      const response = await ask(
        face,
        "GET /orders/1/lines?fields=quantity&include=order&include[order][fields]=id",
        {
          accept: "application/x-ndjson",
        },
      )
      assert.equal(response.headers["content-type"], "application/x-ndjson")
      assert.equal(
        response.body,
        '{"id":"line_1~1","quantity":2,"order":{"id":"ord_1"}}\n{"id":"line_1~2","quantity":1,"order":{"id":"ord_1"}}\n',
      )
    })
  })
}

test("JSON values keep their type in CSV, as included ones do", async (context) => {
  const model = loadOpen(
    service({
      name: "box",
      resources: {
        thing: resource({
          key: ["name"],
          fields: { name: f.text(), facts: f.json({ optional: true }) },
          relations: { like: one("thing", { optional: true }) },
        }),
      },
    }),
  )
  const facts = ['"1.5"', "1.5", '"true"', '["1"]', null]
  const things = facts.map((text, index) => ({ name: `${index}`, facts: text, likeId: "0" }))
  const records: Records = { records: new Map([["thing", things]]), links: [] }
  const { rest } = await openService(context, { model, records, database: "sqlite" })
  const query = "fields=name,facts&include=like&include[like][fields]=facts"
  const { body } = await rest({ method: "GET", path: "/things", query, headers: { accept: "text/csv" } })
  const cells = ['"""1.5"""', "1.5", '"""true"""', '"[""1""]"', ""]
  assert.deepEqual(body.trimEnd().split("\r\n"), [
    "id,name,facts,like.id,like.facts",
    ...cells.map((cell, index) => `thing_${index},${index},${cell},thing_0,"""1.5"""`),
  ])
})

test("a stored value that does not fit its declaration is null, and the answer points to it", async (context) => {
  const path = join(await temporaryFolder(context), "loose.sqlite")
  const database = new DatabaseSync(path)
  database.exec(
    "CREATE TABLE thing (id INTEGER PRIMARY KEY, amount); INSERT INTO thing VALUES (1, 5), (2, 'five')",
  )
  database.close()
  const model = loadOpen(
    service({
      name: "loose",
      managed: false,
      resources: {
        thing: resource({
          key: { column: "id", type: "integer" },
          fields: { amount: f.integer({ stored: "loose" }) },
        }),
      },
    }),
  )
  const storage = await openStorage(path)
  context.after(() => storage.close())
  const { rest } = connectFaces(model, storage)
  const sound = await rest({ method: "GET", path: "/things/1", query: "" })
  assert.equal(sound.body, '{"id":"thing_1","amount":5}')
  const flawed = await rest({ method: "GET", path: "/things", query: "" })
  assert.equal(flawed.status, 200)
  assert.equal(flawed.headers["value-errors"], 'count=1, pointers=("/data/1/amount")')
  const { data, errors } = JSON.parse(flawed.body)
  assert.deepEqual(data, [
    { id: "thing_1", amount: 5 },
    { id: "thing_2", amount: null },
  ])
  assert.deepEqual(errors, [
    {
      code: "unrepresentable_value",
      detail: "The stored value of `amount` does not fit its declaration.",
      pointer: "/data/1/amount",
    },
  ])
})
