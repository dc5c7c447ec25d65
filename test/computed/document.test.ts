// docs/guide/computed.md: every example compiles, and loads with its rules.
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test } from "node:test"
import { loadService } from "../../src/plan/access/policies.ts"
import { compile } from "../model/compile.ts"
import { evaluate } from "../model/evaluate.ts"

const page = await readFile(new URL("../../docs/guide/computed.md", import.meta.url), "utf8")
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source = ""]) => source)

test("the examples compile", async () => {
  assert.equal(examples.length, 2)
  assert.equal((await compile(examples)).output, "")
})

test("the examples load, and have what they say", () => {
  const [shop, code] = examples.map((source) => loadService(evaluate(source)))
  assert.equal(shop?.resources.get("order")?.fields.get("due")?.computed?.kind, "arithmetic")
  assert.deepEqual(code?.resources.get("product")?.computed?.get("availability")?.needs, ["stock", "active"])
})
