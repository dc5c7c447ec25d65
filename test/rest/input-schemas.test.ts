import assert from "node:assert/strict"
import { test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { f, one, resource, service } from "../../src/model/declaration/service.ts"
import { restFace } from "../../src/rest/face.ts"
import { described } from "../support/described.ts"
import { loadOpen } from "../support/everybody.ts"
import { asText, type TextFace } from "../support/text-face.ts"
import { desk } from "./desk.ts"
import { cursors, requestOf, unread } from "./kiosk.ts"

/** Values of which the description has more to say than their type. */
const shelf = loadOpen(
  service({
    name: "shelf",
    resources: {
      box: resource({
        key: { column: "id", type: "integer" },
        fields: {
          facts: f.json(),
          count: f.int64({ optional: true, max: 100 }),
          at: f.time({ optional: true }),
          free: f.decimal({ optional: true }),
          whole: f.decimal({ precision: 3, scale: 0, optional: true }),
          share: f.decimal({ precision: 2, scale: 2, optional: true }),
          prices: f.list(f.decimal({ precision: 5, scale: 2 }), { optional: true }),
          notes: f.list(f.json(), { optional: true }),
          handle: f.slug({ optional: true }),
          site: f.url({ optional: true }),
        },
        relations: { around: one("box", { optional: true }) },
      }),
    },
  }),
)

const models = { desk, shelf }
type Name = keyof typeof models

const faces: Readonly<Record<Name, TextFace>> = {
  desk: asText(restFace({ model: desk, cursors, answer: unread }), desk),
  shelf: asText(restFace({ model: shelf, cursors, answer: unread }), shelf),
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly requestBody: { readonly content: object } }>>>
  >
}

const documents = {
  desk: described(desk) as unknown as Document,
  shelf: described(shelf) as unknown as Document,
}
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
for (const name of ["desk", "shelf"] as const) ajv.addSchema({ $id: name, ...documents[name] })

interface Described {
  readonly of: Name
  readonly path: string
  readonly method: string
  readonly type: string
}

/** Whether the description takes the body. */
function isDescribed({ of, path, method, type }: Described, body: unknown): boolean {
  assert.ok(
    type in (documents[of].paths[path]?.[method]?.requestBody.content ?? {}),
    `${method} ${path} ${type}`,
  )
  const steps = ["paths", path, method, "requestBody", "content", type, "schema"]
  const pointer = steps.map((step) => `/${encodeURIComponent(step.replaceAll("/", "~1"))}`).join("")
  return ajv.validate({ $ref: `${of}#${pointer}` }, body)
}

/** Whether the face takes it: what is taken goes on to the database, which is not there. */
async function isTaken(of: Name, line: string, type: string, body: unknown): Promise<boolean> {
  const response = await faces[of](requestOf(line, { "content-type": type }, JSON.stringify(body)))
  assert.ok(response.status === 400 || response.status === 500, `${line} ${response.body}`)
  return response.status === 500
}

const id = "cus_01gnna1j00e1rrmypgynq0qqf2"
const line = { position: 1, quantity: 1 }
const json = "application/json"
const customer = { email: "a@b.c", name: "A" }

const facts = {}
const boxes: readonly unknown[] = [
  { facts },
  {},
  ...[null, 0, "", false, []].map((value) => ({ facts: value })),
  ...["7", "007", "-1", "1.0", "", "+1", 7, 7.5, 101, -1, 2 ** 53].map((count) => ({ facts, count })),
  ...["09:30:00", "09:30", "24:00:00", "23:59:59.999999", "23:59:59.1234567", "09:60:00"].map((at) => ({
    facts,
    at,
  })),
  ...["1", "1.23456", "01", "1.", ".5", 3, 0.5, -3].map((free) => ({ facts, free })),
  ...["999", "1000", "7.00", "7.1", 999, 1000, -999].map((whole) => ({ facts, whole })),
  ...["0.25", "1.25", "0.255", "0", "-0.5", 0, 1].map((share) => ({ facts, share })),
  ...[["1.25", 999], ["1.255"], [1000], ["1000"], [null], []].map((prices) => ({ facts, prices })),
  ...[[null, 1], "x"].map((notes) => ({ facts, notes })),
  ...["a-b", "A", "a--b", ""].map((handle) => ({ facts, handle })),
  { facts, site: "https://example.org/|" },
  ...[{ link: 7 }, { link: "7" }, { link: true }, {}].map((around) => ({ facts, around })),
  ...[7, "7", null, true].map((aroundId) => ({ facts, aroundId })),
]

const bodies: readonly (readonly [
  path: string,
  line: string,
  type: string,
  bodies: readonly unknown[],
  of?: Name,
])[] = [
  ["/boxes", "POST /boxes", json, boxes, "shelf"],
  // The key of the address may be repeated. The description cannot say that it has to be the same.
  [
    "/customers/{id}",
    `PATCH /customers/${id}`,
    json,
    [{ id }, { id, name: "B" }, { id: true }, { id: null }],
  ],
  ["/customers/{id}", `PUT /customers/${id}`, json, [{ ...customer, id }, customer, { id }]],
  ["/tags/{id}", "PUT /tags/tag_a", json, [{ word: "a", id: "tag_a" }, { id: "a" }, { word: 7 }, {}]],
  ["/tags/{id}", "PATCH /tags/a", json, [{ word: "a" }, { id: "tag_a", rank: 1 }, { word: [] }]],
  ["/lines/{id}", `PATCH /lines/01gnna1j00e1rrmypgynq0qqf2~1`, json, [{ position: 1 }, { orderId: {} }]],
  [
    "/customers",
    "POST /customers",
    json,
    [
      customer,
      [customer, { ...customer, points: 3, facts: { x: [1] }, words: ["a"], note: null }],
      {},
      { ...customer, points: "3" },
      { ...customer, points: 2 ** 31 },
      { ...customer, points: -(2 ** 31) },
      { ...customer, email: "a@b" },
      { ...customer, email: "a b@c" },
      { ...customer, email: '"a b"@c.d' },
      { ...customer, name: null },
      { ...customer, name: "x".repeat(21) },
      { ...customer, more: 1 },
      { ...customer, createdAt: "2026-01-01T00:00:00Z" },
      { ...customer, id },
      [customer, {}],
      [],
      "x",
    ],
  ],
  [
    "/orders",
    "POST /orders",
    json,
    [
      { number: "1", total: "1.00", customerId: id },
      { number: "1", total: "1", customer: { create: customer } },
      { number: "1", total: "1", customer: { link: id }, lines: { create: [line] }, tags: { link: ["new"] } },
      { number: "1", total: "1", customerId: id, lines: { create: [{ ...line, orderId: "x" }] } },
      { number: "1", total: "1", customerId: id, lines: { create: line } },
      { number: "1", total: "1", customerId: id, lines: { remove: [] } },
      { number: "1", total: 1.5, customerId: id },
      { number: "1", total: 1, customerId: id },
      { number: "1", total: 12345678901, customerId: id },
      { number: "1", total: "1.25000", customerId: id },
      { number: "1", total: "1.255", customerId: id },
      { number: "1", total: "01.25", customerId: id },
      { number: "1", total: "-0.5", customerId: id },
      { number: "1", total: "12345678901", customerId: id },
      { number: "1", total: "1", customer: { link: id, create: customer } },
      { number: "1", total: "1", customer: {} },
      { number: "1", total: "1", customerId: id, customer: {}, lines: [] },
    ],
  ],
  [
    "/orders/{id}",
    "PATCH /orders/01gnna1j00e1rrmypgynq0qqf2",
    json,
    [
      {},
      { note: null },
      { lines: { update: [{ id: "01gnna1j00e1rrmypgynq0qqf2~1", input: { quantity: 2 } }] } },
      { lines: { delete: ["01gnna1j00e1rrmypgynq0qqf2~1"] }, tags: { unlink: ["new"] } },
      { number: "2" },
      { total: null },
      { lines: { update: [{ id: "x" }] } },
      { customer: { unlink: true } },
      { customer: { update: { name: "B" } } },
    ],
  ],
  [
    "/customers/{id}",
    `PUT /customers/${id}`,
    json,
    [customer, { ...customer, orders: { create: [] } }, {}, { name: "A" }, { ...customer, id }],
  ],
  ["/customers/email={email}", "PUT /customers/email=a@b.c", json, [{ name: "A" }, customer, {}]],
  ["/tags/{id}", "PUT /tags/new", json, [{}, { colour: null }, { word: "new" }, { rank: 1.5 }]],
  [
    "/lines/{id}",
    "PUT /lines/01gnna1j00e1rrmypgynq0qqf2~1",
    json,
    [{ quantity: 1 }, { quantity: 0 }, line, {}],
  ],
  [
    "/orders/{id}/lines",
    "POST /orders/01gnna1j00e1rrmypgynq0qqf2/lines",
    json,
    [line, { ...line, orderId: "01gnna1j00e1rrmypgynq0qqf2" }, { position: 1 }],
  ],
  [
    "/batch",
    "POST /batch",
    json,
    [
      { requests: [{ method: "POST", path: "/customers", body: customer }] },
      { requests: [] },
      { requests: [{ path: "/customers" }] },
      { requests: [{ method: "GET", path: "/customers", headers: { cookie: "x" } }] },
      [],
    ],
  ],
]

for (const [path, request, type, all, of = "desk"] of bodies)
  test(`${request} takes what its description says`, async () => {
    const method = request.split(" ")[0]?.toLowerCase() ?? ""
    const verdicts = new Set<boolean>()
    for (const body of all) {
      const taken = await isTaken(of, request, type, body)
      verdicts.add(taken)
      assert.equal(isDescribed({ of, path, method, type }, body), taken, JSON.stringify(body))
    }
    assert.equal(verdicts.size, 2, "some are taken and some are not")
  })
