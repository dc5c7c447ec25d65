// docs/guide/computed.md: every example loads with its rules. test/docs-services.test.ts compiles them.
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test } from "node:test"
import { loadService } from "../../src/plan/access/policies.ts"
import { evaluate } from "../model/evaluate.ts"

const page = await readFile(new URL("../../docs/guide/computed.md", import.meta.url), "utf8")
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source = ""]) => source)

test("the examples load, and have what they say", () => {
  assert.equal(examples.length, 2)
  const [shop, code] = examples.map((source) => loadService(evaluate(source)))
  assert.equal(shop?.resources.get("order")?.fields.get("due")?.computed?.kind, "arithmetic")
  assert.deepEqual(code?.resources.get("product")?.computed?.get("availability")?.needs, ["stock", "active"])
})
