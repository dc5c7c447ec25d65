// docs/reference/language.md, docs/guide/access.md and docs/guide/states.md: every example compiles, loads with its rules, and is printed and read back.
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { describe, it } from "node:test"
import { printDeclaration } from "../../src/model/language/print.ts"
import { load } from "../../src/model/load.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { compile } from "./compile.ts"
import { evaluate } from "./evaluate.ts"

for (const [name, least] of [
  ["reference/language", 7],
  ["guide/access", 2],
  ["guide/states", 2],
] as const) {
  const page = await readFile(new URL(`../../docs/${name}.md`, import.meta.url), "utf8")
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source = ""]) => source)

  describe(`docs/${name}.md`, () => {
    it("has examples", () => assert.ok(examples.length >= least))

    it("has examples that compile", async () => assert.equal((await compile(examples)).output, ""))

    for (const [index, source] of examples.entries()) {
      it(`example ${index + 1} loads, and is printed and read back`, () => {
        const declaration = evaluate(source)
        assert.deepStrictEqual(load(evaluate(printDeclaration(declaration))), loadService(declaration))
      })
    }
  })
}
