import assert from "node:assert/strict"
import { test } from "node:test"
import { RequestCache } from "../../src/base/caches.ts"
import type { PlanContext } from "../../src/plan/draft/draft.ts"
import { createShapes } from "../../src/plan/draft/plan-cache.ts"
import { createEntityTag } from "../../src/rest/http/respond.ts"
import { createAddresses, findRoutes, isRead, routeFor } from "../../src/rest/http/route.ts"
import type { WriteContext } from "../../src/rest/question/request-context.ts"
import { createWriteQuestions, readWriteQuestion } from "../../src/rest/read/query-cache.ts"
import { writtenResponse } from "../../src/rest/write/write-answer.ts"
import { planWrite, type WriteShapes } from "../../src/rest/write/write-plan.ts"
import { readWrite } from "../../src/rest/write/write-request.ts"
import { desk } from "./desk.ts"
import { cursors } from "./kiosk.ts"

const addresses = createAddresses(desk)

/** With ids and a time that are the same for each plan. */
function context(): PlanContext {
  let made = 0
  const id = (): string => {
    made += 1
    return `01gnna1j00e1rrmypgynq0q${String(made).padStart(3, "0")}`
  }
  return { model: desk, cursors, fresh: { id, uuid: id, now: () => "2026-01-01T00:00:00Z" } }
}

function asked(line: string, input?: unknown, headers: Readonly<Record<string, string>> = {}): WriteContext {
  const [method = "", target = ""] = line.split(" ")
  const [path = "", query = ""] = target.split("?")
  const route = routeFor(findRoutes(addresses, path), method)
  assert.ok(route && !isRead(route) && route.kind !== "batch" && route.kind !== "description", line)
  assert.ok(route.kind !== "call", line)
  return readWrite(route, {
    model: desk,
    read: readWriteQuestion(route, query),
    headers,
    input,
    place: ["the body"],
  })
}

const [one, two] = ["01gnna1j00e1rrmypgynq0qqf2", "01gnna73qgf1p9fbnv5kgc46y8"]

const alike: readonly (readonly [name: string, first: WriteContext, second: WriteContext])[] = [
  [
    "creations",
    asked("POST /customers?fields=name", { email: "a@b.c", name: "A" }),
    asked("POST /customers?fields=name", { email: "b@b.c", name: "B" }),
  ],
  [
    "creations with nested records, and a condition on what is included",
    asked("POST /orders?include=lines&include[lines][filter][quantity][gt]=1", {
      number: "1",
      total: "1",
      customerId: one,
      lines: { create: [{ position: 1, quantity: 1 }] },
    }),
    asked("POST /orders?include=lines&include[lines][filter][quantity][gt]=7", {
      number: "2",
      total: "2",
      customerId: two,
      lines: { create: [{ position: 3, quantity: 4 }] },
    }),
  ],
  [
    "updates with a condition",
    asked(`PATCH /orders/${one}`, { note: "x" }, { "if-match": '"1.x"' }),
    asked(`PATCH /orders/${two}`, { note: null }, { "if-match": '"7", "8"' }),
  ],
  [
    "replacements by a unique key",
    asked("PUT /customers/email=a@b.c", { name: "A" }),
    asked("PUT /customers/email=b@b.c", { name: "B" }),
  ],
  [
    "replacements by a composite key",
    asked(`PUT /lines/${one}~1`, { quantity: 1 }),
    asked(`PUT /lines/${two}~2`, { quantity: 3 }),
  ],
  [
    "bulk updates",
    asked("PATCH /lines?filter[quantity]=1", { quantity: 2 }, { prefer: "max-affected=1" }),
    asked("PATCH /lines?filter[quantity]=3", { quantity: 4 }, { prefer: "max-affected=9" }),
  ],
  ["deletions", asked(`DELETE /orders/${one}`), asked(`DELETE /orders/${two}`)],
  ["links", asked(`PUT /orders/${one}/tags/new`), asked(`PUT /orders/${two}/tags/old`)],
  [
    "records under another one",
    asked("POST /orders/number=1/lines", { position: 1, quantity: 1 }),
    asked("POST /orders/number=2/lines", { position: 2, quantity: 1 }),
  ],
]

for (const [name, first, second] of alike)
  test(`one plan serves all that differ in values only: ${name}`, () => {
    const cache = new RequestCache()
    const shapes: WriteShapes = createShapes(cache)
    const plan = planWrite(context(), shapes, first)
    const again = planWrite(context(), shapes, second)
    assert.equal(again.steps, plan.steps)
    assert.equal(cache.count, 1)
    const alone = planWrite(context(), createShapes(new RequestCache()), second)
    assert.deepEqual(again.steps, alone.steps)
    assert.deepEqual(again.values, alone.values)
  })

const apart: readonly (readonly [name: string, first: WriteContext, second: WriteContext])[] = [
  [
    "members that are set",
    asked(`PATCH /orders/${one}`, { note: "x" }),
    asked(`PATCH /orders/${one}`, { total: "1" }),
  ],
  [
    "a condition",
    asked(`PATCH /orders/${one}`, {}),
    asked(`PATCH /orders/${one}`, {}, { "if-match": '"1"' }),
  ],
  [
    "what is answered",
    asked(`PATCH /orders/${one}`, {}),
    asked(`PATCH /orders/${one}`, {}, { prefer: "return=minimal" }),
  ],
  ["members of the answer", asked(`PATCH /orders/${one}?fields=note`, {}), asked(`PATCH /orders/${one}`, {})],
  [
    "one and several",
    asked("POST /customers", { email: "a@b.c", name: "A" }),
    asked("POST /customers", [{ email: "a@b.c", name: "A" }]),
  ],
  ["methods", asked(`PUT /tags/new`, {}), asked(`PATCH /tags/new`, {})],
  ["links and their end", asked(`PUT /orders/${one}/tags/new`), asked(`DELETE /orders/${one}/tags/new`)],
  ["an absent record", asked("PUT /tags/new", {}), asked("PUT /tags/new", {}, { "if-none-match": "*" })],
]

for (const [name, first, second] of apart)
  test(`plans differ by ${name}`, () => {
    const cache = new RequestCache()
    const shapes: WriteShapes = createShapes(cache)
    assert.notDeepEqual(planWrite(context(), shapes, first).steps, planWrite(context(), shapes, second).steps)
    assert.equal(cache.count, 2)
  })

test("parameters that were read are found by their text, and each is as it would be read anew", () => {
  const questions = createWriteQuestions(new RequestCache())
  const { route } = asked(`PATCH /orders/${one}`)
  for (const query of [
    "fields=note",
    "fields=total",
    "",
    "include=lines&include[lines][limit]=2",
    "fields=note",
  ])
    for (let times = 0; times < 2; times += 1)
      assert.deepEqual(questions(route, query), readWriteQuestion(route, query), query)
  assert.equal(questions(route, "fields=note"), questions(route, "fields=note"))
  for (let times = 0; times < 3; times += 1) assert.equal(questions(route, "filed=note").mistakes.length, 1)
  assert.throws(() => questions(route, "filed=%"))
})

test("Location names the record, whatever its id is made of and wherever it stands", () => {
  const made = asked("POST /tags", { word: "x" })
  const serving = { base: "/api", context: context(), entityTag: createEntityTag("secret") }
  for (const id of ["tag_x", 'tag_"', "tag_\\", "tag_\u00e9 ü", "tag_a\nb", "tag_😀/?"])
    for (const record of [{ id, word: "x" }, { word: '"id":"no"', id }, { id }]) {
      const { headers } = writtenResponse(
        serving,
        made,
        { roots: [JSON.stringify(record)], flawed: false },
        0,
      )
      assert.equal(headers["location"], `/api/tags/${encodeURIComponent(id)}`)
    }
})
