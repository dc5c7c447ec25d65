import assert from "node:assert/strict"
import { test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { restFace } from "../../src/faces/rest/face.ts"
import { openapi } from "../../src/faces/rest/openapi.ts"
import { asText } from "../support/text-face.ts"
import { desk } from "./desk.ts"
import { cursors, requestOf, unread } from "./kiosk.ts"

const face = asText(restFace({ model: desk, cursors, answer: unread }), desk)

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly requestBody: { readonly content: object } }>>>
  >
}

const document = openapi(desk) as unknown as Document
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema({ $id: "service", ...document })

/** Whether the description takes the body. */
function isDescribed(path: string, method: string, type: string, body: unknown): boolean {
  assert.ok(type in (document.paths[path]?.[method]?.requestBody.content ?? {}), `${method} ${path} ${type}`)
  const steps = ["paths", path, method, "requestBody", "content", type, "schema"]
  const pointer = steps.map((step) => `/${encodeURIComponent(step.replaceAll("/", "~1"))}`).join("")
  return ajv.validate({ $ref: `service#${pointer}` }, body)
}

/** Whether the face takes it: what is taken goes on to the database, which is not there. */
async function isTaken(line: string, type: string, body: unknown): Promise<boolean> {
  const response = await face(requestOf(line, { "content-type": type }, JSON.stringify(body)))
  assert.ok(response.status === 400 || response.status === 500, `${line} ${response.body}`)
  return response.status === 500
}

const id = "cus_01gnna1j00e1rrmypgynq0qqf2"
const line = { position: 1, quantity: 1 }
const json = "application/json"
const customer = { email: "a@b.c", name: "A" }

const bodies: readonly (readonly [path: string, line: string, type: string, bodies: readonly unknown[]])[] = [
  [
    "/customers",
    "POST /customers",
    json,
    [
      customer,
      [customer, { ...customer, points: 3, facts: { x: [1] }, words: ["a"], note: null }],
      {},
      { ...customer, points: "3" },
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

for (const [path, request, type, all] of bodies)
  test(`${request} takes what its description says`, async () => {
    const method = request.split(" ")[0]?.toLowerCase() ?? ""
    const verdicts = new Set<boolean>()
    for (const body of all) {
      const taken = await isTaken(request, type, body)
      verdicts.add(taken)
      assert.equal(isDescribed(path, method, type, body), taken, JSON.stringify(body))
    }
    assert.equal(verdicts.size, 2, "some are taken and some are not")
  })
