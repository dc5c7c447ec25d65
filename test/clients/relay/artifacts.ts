// Compiles the documents of shop.ts against the storefront's schema, and loads what the compiler makes of them.
import { execFile } from "node:child_process"
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
// @ts-expect-error it has no types: it is the path of a program
import compiler from "relay-compiler"
import type { ConcreteRequest, ReaderFragment } from "relay-runtime"
import storefront from "../../../examples/storefront/service.ts"
import { printGraphql } from "../../../src/graphql/schema/schema.ts"
import { load } from "../../../src/model/load.ts"
import { type Hooks, temporaryFolder } from "../../support/database.ts"

export interface Artifacts {
  /** The folder of the project, whose `artifacts` were made. */
  readonly folder: string
  /** The words of the compiler. */
  readonly said: string
  request(name: string): Promise<ConcreteRequest>
  fragment(name: string): Promise<ReaderFragment>
}

export async function compile(hooks: Hooks): Promise<Artifacts> {
  const folder = await temporaryFolder(hooks)
  for (const name of ["src", "artifacts"]) mkdirSync(join(folder, name))
  writeFileSync(join(folder, "schema.graphql"), printGraphql(load(storefront)))
  copyFileSync(join(import.meta.dirname, "shop.ts"), join(folder, "src/shop.ts"))
  copyFileSync(join(import.meta.dirname, "relay.config.json"), join(folder, "relay.config.json"))
  symlinkSync(join(import.meta.dirname, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  const { stdout, stderr } = await promisify(execFile)(String(compiler), [], { cwd: folder })
  const module = async (name: string): Promise<unknown> =>
    (await import(pathToFileURL(join(folder, `artifacts/${name}.graphql.ts`)).href)).default
  return {
    folder,
    said: stdout + stderr,
    request: async (name) => (await module(name)) as ConcreteRequest,
    fragment: async (name) => (await module(name)) as ReaderFragment,
  }
}

// Artifacts import each other without an extension, as bundlers take it.
registerHooks({
  resolve: (specifier, context, next) =>
    next(/^\.\/.*\.graphql$/.test(specifier) ? `${specifier}.ts` : specifier, context),
})
