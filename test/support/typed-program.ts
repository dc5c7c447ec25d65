// Programs with typed GraphQL documents, app/shop.ts of a client: compiled strictly, then run against the storefront.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { cpSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import storefront from "../../examples/storefront/service.ts"
import { printGraphql } from "../../src/graphql/schema/schema.ts"
import { load } from "../../src/model/load.ts"
import { type Hooks, temporaryFolder } from "./database.ts"
import { slugs } from "./graphql-shop.ts"
import { renameByOthers } from "./shop-requests.ts"
import { authorization, productId, type ShopServer } from "./shop-server.ts"

interface Server {
  readonly url: string
  readonly authorization: string
}

/** The exports of app/shop.ts. */
interface Program {
  slugsOfAll(server: Server, least: string): Promise<readonly string[]>
  setPrice(server: Server, id: string, price: string, between: () => Promise<void>): Promise<string>
}

/** The storefront's schema, as `bifold schema --graphql` prints it. */
export const schemaText = (): string => printGraphql(load(storefront))

/** A project with the app of a client in `src`. */
export async function openProject(hooks: Hooks, client: string): Promise<string> {
  const folder = await temporaryFolder(hooks)
  cpSync(join(client, "app"), join(folder, "src"), { recursive: true })
  symlinkSync(join(client, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  return folder
}

/** Compiles strictly; rejects with what the compiler says. */
export async function compileProgram(folder: string): Promise<Program> {
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        target: "esnext",
        module: "nodenext",
        lib: ["esnext", "dom"],
        types: [],
        rootDir: "src",
        outDir: "out",
      },
      include: ["src"],
    }),
  )
  const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc")
  const { code, stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
    () => ({ code: 0, stdout: "" }),
    (error: { code: number; stdout: string }) => error,
  )
  assert.deepEqual([code, stdout], [0, ""])
  return await import(pathToFileURL(join(folder, "out/shop.js")).href)
}

export async function readsTypedPages({ url }: ShopServer, program: Program): Promise<void> {
  const found = await program.slugsOfAll({ url, authorization }, "2.00")
  assert.deepEqual(
    found,
    slugs(2, 25).map((slug) => `Things: ${slug}`),
  )
}

export async function solvesTypedConflict(shop: ShopServer, program: Program): Promise<void> {
  const id = productId(2)
  const server = { url: shop.url, authorization }
  const told = await program.setPrice(server, id, "3.00", () => renameByOthers(shop, id, "Theirs"))
  assert.equal(told, "Theirs 3.00")
}
