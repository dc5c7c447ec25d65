// The compiler finds mistakes in a service: what language-types.ts expects is there, and would be missed.
import assert from "node:assert/strict"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, parse } from "node:path"
import { it } from "node:test"
import { compile } from "./compile.ts"

const path = new URL("./language-types.ts", import.meta.url)
const expectation = "// @ts-expect-error"

const source = (await readFile(path, "utf8")).replace(
  '"../../src/base/json.ts"',
  JSON.stringify(join(import.meta.dirname, "../../src/base/json.ts")),
)
const lines = source.split("\n")
const expected = lines.flatMap((line, index) => (line.trim().startsWith(expectation) ? [index + 2] : []))

it("every mistake is found, on its own line, and nothing else is", async () => {
  assert.equal((await compile(source)).output, "")
  assert.ok(expected.length > 25)
  const found = await compile(source.replaceAll(expectation, "//"))
  assert.deepEqual(
    found.lines.toSorted((a, b) => a - b),
    expected,
  )
})

it("every mistake is found without exactOptionalPropertyTypes too, which few projects set", async () => {
  assert.equal((await compile(source, "--exactOptionalPropertyTypes", "false")).output, "")
})

it("an expectation that nothing answers to is a mistake itself", async () => {
  const right = source.replace('{ b: one("bb") }', '{ b: one("b") }')
  const { output } = await compile(right)
  assert.match(output, /Unused '@ts-expect-error' directive/)
})

it("a service has types that its declaration file names by what the package exports", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "bifold-declarations-"))
  t.after(() => rm(folder, { recursive: true }))
  const emit = [
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--rootDir",
    parse(folder).root,
    "--outDir",
    folder,
  ]
  assert.equal((await compile(source, ...emit)).output, "")
  const files = await readdir(folder, { recursive: true })
  const file = files.find((name) => name.endsWith("service.d.ts") && !name.includes("src/"))
  assert.ok(file)
  const written = await readFile(join(folder, file), "utf8")
  assert.match(written, /import\("bifold"\)\.TypedService</)
  assert.deepEqual(written.match(/import\("\.[^)]*\)\.\w+/g) ?? [], [])
})

it("messages name the mistake in words", async () => {
  const { output } = await compile(source.replaceAll(expectation, "//"))
  for (const message of [
    /no resource is called \\"bb\\"/,
    /cs: no to-one relation \\"bee\\" leads from \\"c\\" to \\"b\\"/,
    /no enumeration is called \\"sizes\\"/,
    /\\"xl\\" is no value of the enumeration \\"size\\"/,
    /no member is called \\"ownr\\"/,
    /no field is called \\"owner\\"/,
    /no role is called \\"stuff\\"/,
    /no scope is called \\"wrote\\"/,
    /no transition leads to the state \\"opn\\"/,
    /no transition leads to the state \\"opne\\", or from it/,
    /no member \\"partsId\\" can be set/,
    /no input is called \\"nam\\"/,
    /no role is called \\"agnt\\"/,
    /Type '"nam"' is not assignable to type .* Did you mean '"name"'\?/,
    /'optinal' does not exist in type .* Did you mean to write 'optional'\?/,
  ])
    assert.match(output, message)
})
