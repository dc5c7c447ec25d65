// docs/reference/language.md, docs/guide/permissions.md and docs/guide/states.md: every example compiles, loads with its rules, and is printed and read back.
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { describe, it } from "node:test"
import { declaration } from "../../src/model/language/declaration.ts"
import { fieldMembers } from "../../src/model/language/fields.ts"
import { unprinted } from "../../src/model/language/forms.ts"
import { printDeclaration } from "../../src/model/language/print.ts"
import { resourceMembers, toManyMembers, toOneMembers } from "../../src/model/language/resources.ts"
import { load } from "../../src/model/load.ts"
import { scalars } from "../../src/model/scalars.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { compile } from "./compile.ts"
import { evaluate } from "./evaluate.ts"

describe("docs/reference/language.md", async () => {
  const page = await readFile(new URL("../../docs/reference/language.md", import.meta.url), "utf8")
  const section = (title: string): string =>
    page.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ""
  const rows = (title: string): string =>
    [...section(title).matchAll(/^\| ([^|]*)\|([^|]*)/gm)]
      .map(([, member, own]) => `${member} ${own}`)
      .join("\n")
  /** Members that a service file writes. */
  const written = (table: object): readonly string[] =>
    Object.entries(table).flatMap(([name, { print }]) => (print === unprinted ? [] : name))

  it("has a row for each member of a service", () => {
    const missing = written(declaration.table).filter((name) => !rows("Service").includes(`\`${name}\``))
    assert.deepEqual(missing, [])
  })

  it("has a row for each option of a field, and for each scalar", () => {
    const told = rows("Fields")
    const missing = written(fieldMembers.table).filter((name) => !told.includes(name))
    assert.deepEqual(missing, [])
    assert.deepEqual(
      Object.keys(scalars).filter((name) => !told.includes(`f.${name}(`)),
      [],
    )
  })

  it("names each member of a resource and of a relation", () => {
    const named = (name: string): boolean => new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``).test(page)
    const members = [resourceMembers, toOneMembers, toManyMembers].flatMap(({ table }) => written(table))
    assert.deepEqual(
      members.filter((name) => !named(name)),
      [],
    )
  })
})

for (const [name, least] of [
  ["reference/language", 7],
  ["guide/permissions", 2],
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
