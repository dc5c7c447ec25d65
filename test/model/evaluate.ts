// Runs the source of a service file, as `bifold serve` would import it, without writing it to disk.
import assert from "node:assert/strict"
import { stripTypeScriptTypes } from "node:module"
import * as language from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"

/** The default export of a file that imports from "bifold" only. */
export function evaluate(source: string): ServiceDeclaration {
  const plain = stripTypeScriptTypes(source)
  const found = /^import \{([^}]+)\} from "bifold"\n/m.exec(plain)
  assert.ok(found, 'the file imports from "bifold"')
  const names = (found[1] ?? "").split(",").map((name) => name.trim())
  const used = names.filter((name) => name !== "")
  const body = plain
    .slice(found.index + found[0].length)
    .replace(/^export const /gm, "const ")
    .replace(/^export default /m, "return ")
  const known: Readonly<Record<string, unknown>> = language
  const run = new Function(...used, `"use strict"\n${body}`)
  return run(...used.map((name) => known[name])) as ServiceDeclaration
}
