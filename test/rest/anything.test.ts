import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ask, kioskFace, unread } from "./kiosk.ts"

const face = kioskFace(unread)

const piece = fc.oneof(
  fc.constantFrom(
    ..."filter sort fields include limit after before from total aggregate groupBy groups ids".split(" "),
    ..."orders customer lines number status total placedAt quantity id extra __proto__ constructor".split(
      " ",
    ),
    ..."eq in gt some none isNull and or not count sum end true 1 -1 paid ord_1".split(" "),
    ...'[ ] = & ? , . : / - + % %00 %ff %ED%A0%80 %7B { } " \\ %5C \u{1f600} \u0301'.split(" "),
  ),
  fc.string({ maxLength: 3 }),
)
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""))
const parameter = fc
  .tuple(
    fc.constantFrom(
      "filter",
      "filter[number]",
      "sort",
      "include",
      "include[lines][filter]",
      "aggregate",
      "fields",
    ),
    text,
  )
  .map(([name, value]) => `${name}=${value}`)
const target = fc.oneof(
  text.map((path) => `/${path}`),
  fc
    .tuple(
      fc.constantFrom("/orders", "/orders/1", "/orders/1/lines", "/nodes"),
      fc.array(fc.oneof(parameter, text), { maxLength: 4 }),
    )
    .map(([path, parameters]) => `${path}?${parameters.join("&")}`),
)

/** What a person can be told; a plan that is fine ends at the engine that this face does not have. */
function isTold(status: number, fault: unknown): boolean {
  return (
    [400, 404, 405, 413].includes(status) ||
    (status === 500 && String(fault).includes("nothing should be read"))
  )
}

test("whatever the address, the answer is a plan or a problem that names the mistake", async () => {
  await fc.assert(
    fc.asyncProperty(target, async (address) => {
      const { status, fault, body } = await ask(face, `GET ${address}`)
      assert.ok(isTold(status, fault), `${status} ${String(fault)}`)
      assert.ok(JSON.parse(body).errors.length > 0)
    }),
    { numRuns: 3_000 },
  )
})

const members = fc.constantFrom(
  "filter",
  "sort",
  "fields",
  "include",
  "limit",
  "total",
  "lines",
  "customer",
  "number",
  "eq",
  "or",
  "__proto__",
)
const { body } = fc.letrec((tie) => ({
  body: fc.oneof({ depthSize: "small" }, fc.dictionary(members, tie("value")), fc.jsonValue()),
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(1, -1, "number", "A", true, null, ["number"]),
    fc.dictionary(members, tie("value")),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}))

test("whatever the body, the answer is a plan or a problem that names the mistake", async () => {
  await fc.assert(
    fc.asyncProperty(body, async (question) => {
      const headers = { "content-type": "application/json", body: JSON.stringify(question) }
      const { status, fault, body: told } = await ask(face, "POST /orders/query", headers)
      assert.ok(isTold(status, fault), `${status} ${String(fault)}`)
      assert.ok(JSON.parse(told).errors.length > 0)
    }),
    { numRuns: 3_000 },
  )
})
