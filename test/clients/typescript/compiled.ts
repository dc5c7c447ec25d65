// The types of the package in a project of somebody who has an older compiler than this repository.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { installBuilt } from "../../support/built-package.ts"
import { cleanUp, temporaryFolder } from "../../support/database.ts"

const root = join(import.meta.dirname, "../../..")
const folder = await temporaryFolder(cleanUp(after))

/** What a compiler says; empty when it finds nothing. */
function compile(compiler: string, ...parameters: readonly string[]): Promise<string> {
  const program = join(compiler, "bin/tsc")
  const { NODE_OPTIONS: _, ...env } = process.env
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [program, "--pretty", "false", ...parameters],
      { cwd: folder, env },
      (error, stdout) => resolve(error && stdout === "" ? String(error) : stdout),
    ),
  )
}

before(async () => {
  await installBuilt(folder)
  const template = join(root, "create-bifold/template")
  for (const file of ["service.ts", "service.test.ts"]) cpSync(join(template, file), join(folder, file))
  const recipe = readFileSync(join(import.meta.dirname, "recipe.json"), "utf8")
  assert.equal(readFileSync(join(template, "tsconfig.json"), "utf8"), recipe)
  writeFileSync(join(folder, "tsconfig.json"), recipe)
  const correct = readFileSync(join(folder, "service.ts"), "utf8")
  writeFileSync(join(folder, "wrong.ts"), correct.replace('create: role("editor")', 'create: role("editr")'))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
})

/** Of the whole project, the mistake of `wrong.ts` is all that there is. */
async function compiles(compiler: string, ...parameters: readonly string[]): Promise<void> {
  const found = await compile(compiler, "-p", folder, ...parameters)
  assert.match(found, /^wrong\.ts\(\d+,\d+\): error TS\d+: .*editr/)
  // Its explanation is indented.
  assert.deepEqual(
    found
      .split("\n")
      .slice(1)
      .filter((line) => /^\S/.test(line)),
    [],
    found,
  )
}

/** The types of libraries are checked too, which takes half a minute, in the proof. */
const parameters = process.env["BIFOLD_PROOF"] === "full" ? [] : ["--skipLibCheck"]

test("a new project compiles strictly with TypeScript 5.9, and a misspelt role does not", () =>
  compiles(join(import.meta.dirname, "node_modules/typescript"), ...parameters))

test("the same with TypeScript 6.0", () =>
  compiles(join(import.meta.dirname, "node_modules/typescript-6"), ...parameters))
