// Runs the source of a service file, as `bifold serve` would import it, without writing it to disk.
import assert from "node:assert/strict"
import * as language from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration.ts"

/** The default export of a file that imports from "bifold" only. */
export function evaluate(source: string): ServiceDeclaration {
  const found = /^import \{ ([^}]+) \} from "bifold"\n/m.exec(source)
  assert.ok(found, 'the file imports from "bifold"')
  const names = (found[1] ?? "").split(", ")
  const body = source.slice(found.index + found[0].length).replace("export default ", "return ")
  assert.match(body, /^return /m)
  const known: Readonly<Record<string, unknown>> = language
  const run = new Function(...names, `"use strict"\n${body}`)
  return run(...names.map((name) => known[name])) as ServiceDeclaration
}
