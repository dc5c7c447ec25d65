// docs/language.md: every example compiles and loads.
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { describe, it } from "node:test"
import { load } from "../../src/model/load.ts"
import { printDeclaration } from "../../src/model/print.ts"
import { compile } from "./compile.ts"
import { evaluate } from "./evaluate.ts"

const page = await readFile(new URL("../../docs/language.md", import.meta.url), "utf8")
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source = ""]) => source)

describe("the page on the language", () => {
  it("has examples", () => assert.ok(examples.length >= 5))

  it("has examples that compile", async () => assert.equal((await compile(examples)).output, ""))

  for (const [index, source] of examples.entries()) {
    it(`example ${index + 1} loads, and is printed and read back`, () => {
      const declaration = evaluate(source)
      assert.deepStrictEqual(load(evaluate(printDeclaration(declaration))), load(declaration))
    })
  }
})
