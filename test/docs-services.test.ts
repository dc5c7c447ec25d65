// Each whole service file in the documentation compiles and loads.
import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { loadService } from "../src/plan/access/policies.ts"
import { compile } from "./model/compile.ts"
import { evaluate } from "./model/evaluate.ts"
import { blocksOf } from "./support/documents.ts"

const root = join(import.meta.dirname, "..")
const isService = (text: string): boolean =>
  /^import .*\bservice\b.* from "bifold"\n[\s\S]*^export default /m.test(text) &&
  [...text.matchAll(/ from "(.*)"/g)].length === 1

const services = globSync(["README.md", "docs/**/*.md"], { cwd: root, exclude: ["**/node_modules"] }).flatMap(
  (page) =>
    blocksOf(readFileSync(join(root, page), "utf8"))
      .filter(({ info, text }) => info === "ts" && isService(text))
      .map(({ text }, index) => ({ name: `${page}, ${index + 1}`, text })),
)

test("services of the documents are many", () => assert.ok(services.length >= 8, `${services.length}`))

for (const { name, text } of services)
  test(`the service of ${name} loads`, () => assert.ok(loadService(evaluate(text)).resources.size > 0))

test("the services compile", async () => {
  assert.equal((await compile(services.map(({ text }) => text))).output, "")
})
