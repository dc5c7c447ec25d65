import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { test } from "node:test"
import type { Model } from "../../../src/model/model.ts"
import { openapi } from "../../../src/rest/openapi/openapi.ts"
import { chinook, chinookModel, describedModels, wideModel } from "../../support/described-models.ts"
import { lint } from "./recipe.ts"

/** As a service says it that has somebody to ask; the rules warn where nobody is named. */
const about = { contact: { name: "Team of the tests", url: "https://example.org" } }

const documentOf = (model: Model, options = {}): Record<string, unknown> =>
  JSON.parse(JSON.stringify(openapi({ ...model, about }, options)))

const exact = { depth: "full", purpose: "validation" }

/** The proof has all of them deep; nothing of another kind is in the others. */
const deep =
  process.env["BIFOLD_PROOF"] === "full" ? Object.keys(describedModels) : ["kiosk", "gallery", "shop"]

test("nothing found in the documents of all services, flat and deep", async (t) => {
  for (const [name, model] of Object.entries(describedModels)) {
    await t.test(name, async () => assert.deepEqual(await lint(documentOf(model)), []))
    if (!deep.includes(name)) continue
    await t.test(`${name}, deep`, async () => assert.deepEqual(await lint(documentOf(model, exact)), []))
  }
})

test("nothing found in the document of 60 tables", async () => {
  assert.deepEqual(await lint(documentOf(wideModel())), [])
})

test("nothing found in the document of an introspected database", {
  skip: !existsSync(chinook) && "no ../shared",
}, async () => {
  assert.deepEqual(await lint(documentOf(await chinookModel())), [])
})

test("a broken document is reported", async () => {
  const { kiosk } = describedModels
  assert.ok(kiosk)
  const document = documentOf(kiosk)
  const broken = JSON.parse(
    JSON.stringify(document).replaceAll('"operationId":"listOrders"', '"operationId":"createOrder"'),
  )
  delete broken.info.contact
  const codes = (await lint(broken)).map((line) => line.split(" ")[0])
  assert.deepEqual(codes.toSorted(), ["info-contact", "operation-operationId-unique"])
})
