// What a step of a batch is refused for is what the same request is refused for by itself, to whoever asks.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { load } from "../../src/model/load.ts"
import { cleanUp } from "../support/database.ts"
import { described } from "../support/described.ts"
import { dialects, type OpenService, openExample } from "../support/open-service.ts"

const ada = "customer:cus_01gnna1j00e1rrmypgynq0qqf2"
const people = ["anyone", ada, "role:warehouse", "scope:catalogue"]
/** Ada's own, and shipped. */
const order = "/orders/ord_01gnna73qgf1p9fbnv5kgc46y8"

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const json = { "content-type": "application/json" }

async function codeOf(service: OpenService, { method, path, body }: Asked): Promise<string> {
  const [plain = "", query = ""] = path.split("?")
  const bytes = body === undefined ? {} : { headers: json, body: Buffer.from(JSON.stringify(body)) }
  const { status, body: answer } = await service.rest({ method, path: plain, query, ...bytes })
  if (status < 300) return "done"
  const problem: { code: string; status: number } = JSON.parse(answer)
  assert.equal(problem.status, status)
  return `${status} ${problem.code}`
}

const batchOf = (...requests: readonly Asked[]): Asked => ({
  method: "POST",
  path: "/batch",
  body: { requests },
})

/** A batch is in no batch, and reads nothing by its body. */
const isForBatches = (path: string): boolean =>
  path !== "/batch" && path !== "/openapi.json" && !path.endsWith("/query")

const { paths } = described(load(storefront)) as { paths: Record<string, object> }
const operations = Object.entries(paths)
  .filter(([path]) => isForBatches(path))
  .flatMap(([path, item]) => Object.keys(item).map((method) => ({ path, method: method.toUpperCase() })))

for (const database of dialects)
  describe(`steps of batches on ${database}`, () => {
    const hooks = cleanUp(after)
    let service: OpenService
    before(async () => {
      service = await openExample(hooks, "storefront", database, { writes: "unsafe" })
    })

    for (const [method, path, stranger, customer] of [
      ["POST", "/tags", "401 unauthenticated", "403 forbidden"],
      ["POST", "/orders", "401 unauthenticated", "400 missing_field"],
      ["POST", "/customers", "401 unauthenticated", "403 forbidden"],
      ["POST", `${order}/transitions/pay`, "401 unauthenticated", "403 forbidden"],
      ["POST", "/orders/transitions/pay?ids=1", "401 unauthenticated", "403 forbidden"],
      ["POST", `${order}/actions/apply-coupon`, "401 unauthenticated", "400 missing_field"],
      ["PUT", "/products/1/tags/new", "401 unauthenticated", "403 forbidden"],
      ["GET", "/orders", "401 unauthenticated", "done"],
      ["GET", "/viewer", "401 unauthenticated", "done"],
      ["GET", "/coupons", "401 unauthenticated", "404 not_found"],
      ["PUT", "/tags", "405 method_not_allowed", "405 method_not_allowed"],
      ["GET", "/nothing", "404 not_found", "404 not_found"],
    ] as const)
      test(`${method} ${path} is refused as by itself`, async () => {
        const asked = { method, path, ...(method === "POST" && { body: {} }) }
        for (const [who, code] of [
          ["anyone", stranger],
          [ada, customer],
        ] as const) {
          assert.equal(await codeOf(service.as(who), asked), code, who)
          assert.equal(await codeOf(service.as(who), batchOf(asked)), code, `${who}, in a batch`)
        }
      })

    test("whoever may not do one step does none, and is told which", async () => {
      const first = { method: "GET", path: "/tags" }
      const second = { method: "POST", path: "/tags", body: { name: "new" } }
      const { status, body } = await service.as("anyone").rest({
        ...{ method: "POST", path: "/batch", query: "", headers: json },
        body: Buffer.from(JSON.stringify({ requests: [first, second] })),
      })
      const { errors } = JSON.parse(body)
      assert.deepEqual([status, errors[0].pointer], [401, "/requests/1/path"])
    })

    test("so is every operation of the service, whoever asks", async (context) => {
      const refused = new Set<string>()
      // Two of them ask each database.
      const asking = people.filter((_, index) => index % 2 === dialects.indexOf(database))
      for (const who of asking)
        for (const { path, method } of operations) {
          const body = method === "GET" || method === "DELETE" ? {} : { body: {} }
          const asked = { method, path: path.replace(/\{\w+\}/g, "x"), ...body }
          const code = await codeOf(service.as(who), asked)
          // What is done twice need not be done again.
          if (code === "done" && method !== "GET") continue
          assert.equal(await codeOf(service.as(who), batchOf(asked)), code, `${method} ${path}: ${who}`)
          if (/^40[134] /.test(code)) refused.add(`${who} ${method} ${path}`)
        }
      context.diagnostic(`${refused.size} refused`)
      assert.ok(refused.size > asking.length * 50)
    })
  })
