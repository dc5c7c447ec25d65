import assert from "node:assert/strict"
import { test } from "node:test"
import { printPlan } from "../../src/plan/analysis/print.ts"
import type { Root } from "../../src/plan/read-plan.ts"
import { type PlannedRequest, planRequest } from "../../src/rest/read/plan.ts"
import { cursors, kiosk, requestOf } from "./kiosk.ts"

const context = { model: kiosk, cursors }

const planned = (request: PlannedRequest): string => printPlan(planRequest(context, request))
const get = (target: string): string => planned(requestOf(`GET ${target}`))
const query = (path: string, question: unknown): string =>
  planned(requestOf(`POST ${path}/query`, {}, JSON.stringify(question)))

const pairs: readonly (readonly [name: string, target: string, question: unknown])[] = [
  ["nothing", "/orders", {}],
  ["fields and a page", "/orders?fields=number&limit=3", { fields: ["number"], limit: 3 }],
  [
    "several filters",
    "/orders?filter[total][gte]=10&filter[customer.name]=x",
    { filter: { total: { gte: "10" }, customer: { name: { eq: "x" } } } },
  ],
  [
    "a filter as JSON",
    '/orders?filter={"or":[{"total":{"gte":"10"}},{"not":{"status":{"eq":"paid"}}}]}',
    { filter: { or: [{ total: { gte: 10 } }, { not: { status: { eq: "paid" } } }] } },
  ],
  [
    "filters that begin alike are about one related record",
    "/orders?filter[lines.some.quantity][gt]=2&filter[lines.some.weight][lt]=1.5",
    { filter: { lines: { some: { quantity: { gt: 2 }, weight: { lt: 1.5 } } } } },
  ],
  [
    "several values",
    "/orders?filter[number][in]=a,b%5C,c,%5C%5C&filter[number][notIn]=x&filter[number][notIn]=y",
    { filter: { number: { in: ["a", "b,c", "\\"], notIn: ["x", "y"] } } },
  ],
  ["no values", "/orders?filter[number][in]=", { filter: { number: { in: [] } } }],
  ["missing values", "/orders?filter[note][isNull]=true", { filter: { note: { isNull: true } } }],
  [
    "an order",
    "/orders?sort=-placedAt,customer.name,billingAddress.street:nulls-first",
    { sort: ["-placedAt", "customer.name", "billingAddress.street:nulls-first"] },
  ],
  ["the last page", "/orders?from=end&limit=2", { from: "end", limit: 2 }],
  [
    "a total and figures",
    "/orders?total=true&aggregate=count,sum.total,max.placedAt",
    { total: true, aggregate: ["count", "sum.total", "max.placedAt"] },
  ],
  [
    "groups",
    "/orders?aggregate=count,sum.total&groupBy=status,customerId&groups=5",
    { aggregate: ["count", "sum.total"], groupBy: ["status", "customerId"], groups: 5 },
  ],
  [
    "includes",
    "/orders?include=customer.orders,lines&include[lines][limit]=5&include[lines][sort]=-quantity&include[lines][filter][quantity][gt]=1&include[customer.orders][fields]=number&include[lines][total]=true",
    {
      include: {
        customer: { include: { orders: { fields: ["number"] } } },
        lines: { limit: 5, sort: ["-quantity"], filter: { quantity: { gt: 1 } }, total: true },
      },
    },
  ],
]

for (const [name, target, question] of pairs)
  test(`parameters and body ask the same: ${name}`, () => {
    assert.equal(get(target), query("/orders", question))
  })

test("a space may be written + or %20, and a plus is %2B", () => {
  assert.equal(get("/orders?filter[number]=a+b%2B"), query("/orders", { filter: { number: { eq: "a b+" } } }))
})

test("id comes first, then the fields as asked, then what is included", () => {
  const keys = (root: Root | undefined): readonly string[] =>
    root?.kind === "record" ? root.members.map(({ key }) => key) : []
  const root = (target: string): Root | undefined => planRequest(context, requestOf(`GET ${target}`)).roots[0]
  assert.deepEqual(keys(root("/orders/1?include=tags,customer&fields=total,id,number")), [
    "id",
    "total",
    "number",
    "tags",
    "customer",
  ])
  assert.deepEqual(keys(root("/orders/1")), [
    "id",
    "number",
    "status",
    "total",
    "note",
    "placedAt",
    "extra",
    "customerId",
    "billingAddressId",
  ])
})

test("a record is named by its bare id, its global id, or a unique key", () => {
  const plan = (address: string): string => get(`/orders/${address}?fields=id`)
  assert.equal(plan("7"), "order where id eq [7]\n  id")
  assert.equal(plan("ord_7"), plan("7"))
  assert.equal(plan("number=A-1"), 'order where number eq "A-1"\n  id')
  assert.equal(plan("number=A%2D1"), plan("number=A-1"))
  assert.equal(
    get("/addresses/number=7,street=High%2C+%3D%20Road?fields=id"),
    'address where street eq "High,+= Road" and number eq 7\n  id',
  )
})

test("an id may hold what separates the parts of a unique key, percent-encoded or not", () => {
  assert.match(get("/tags/a%3Db"), /"a=b"/)
  assert.match(get("/tags/a=b"), /"a=b"/)
  assert.match(get("/tags/word=b"), /"word=b"/)
})

test("a path may be written with any characters percent-encoded, once", () => {
  assert.equal(get("/%6Frders/%31"), get("/orders/1"))
  assert.match(get("/tags/a%2Fb"), /"a\/b"/)
  assert.match(get("/tags/a%252Fb"), /"a%2Fb"/)
})
