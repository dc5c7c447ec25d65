import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { after, before, test } from "node:test"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { preset } from "@graphql-codegen/client-preset"
import { codegen } from "@graphql-codegen/core"
import { buildSchema, parse } from "graphql"
import storefront from "../../../examples/storefront/service.ts"
import { printGraphql } from "../../../src/graphql/schema/schema.ts"
import { load } from "../../../src/model/load.ts"
import { cleanUp, temporaryFolder } from "../../support/database.ts"
import { slugs } from "../../support/graphql-shop.ts"
import { renameByOthers } from "../../support/shop-requests.ts"
import { authorization, productId, withShop } from "../../support/shop-server.ts"
import { config } from "./recipe.ts"

interface Server {
  readonly url: string
  readonly authorization: string
}

/** The program app/shop.ts, compiled. */
interface Program {
  slugsOfAll(server: Server, least: string): Promise<readonly string[]>
  setPrice(server: Server, id: string, price: string, between: () => Promise<void>): Promise<string>
}

const hooks = cleanUp(after)
let folder = ""
let shopping: Program

/** What `graphql-codegen` does with the recipe: takes the documents out of the sources, and writes files beside them. */
async function generate(): Promise<void> {
  const source = readFileSync(join(folder, "src/shop.ts"), "utf8")
  const documents = [...source.matchAll(/graphql\(`([^`]+)`\)/g)].map(([, text = ""]) => ({
    location: join(folder, "src/shop.ts"),
    rawSDL: text,
    document: parse(text),
  }))
  assert.equal(documents.length, 3)
  const schemaText = printGraphql(load(storefront))
  const { presetConfig, config: settings } = config.generates["src/gql/"]
  const files = await preset.buildGeneratesSection({
    baseOutputDir: join(folder, "src/gql/"),
    schema: parse(schemaText),
    schemaAst: buildSchema(schemaText),
    documents,
    config: settings,
    presetConfig,
    plugins: [],
    pluginMap: {},
    pluginContext: {},
    importExtension: ".js",
  } as never)
  for (const file of files) {
    mkdirSync(dirname(file.filename), { recursive: true })
    writeFileSync(file.filename, await codegen(file))
  }
}

/** Strictly; rejects with what the compiler says. */
async function compile(): Promise<void> {
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
  const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc")
  const { code, stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
    () => ({ code: 0, stdout: "" }),
    (error: { code: number; stdout: string }) => error,
  )
  assert.deepEqual([code, stdout], [0, ""])
}

before(async () => {
  folder = await temporaryFolder(hooks)
  cpSync(join(import.meta.dirname, "app"), join(folder, "src"), { recursive: true })
  symlinkSync(join(import.meta.dirname, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  await generate()
  await compile()
  shopping = await import(pathToFileURL(join(folder, "out/shop.js")).href)
})

test("generated types compile strictly, and refuse mistakes", () => {
  const types = readFileSync(join(folder, "src/gql/graphql.ts"), "utf8")
  assert.match(types, /price: string/)
  assert.doesNotMatch(types, /: any\b/)
})

withShop("GraphQL Code Generator", (shop) => {
  test("pages by cursor, with typed conditions", async () => {
    const found = await shopping.slugsOfAll({ url: shop().url, authorization }, "2.00")
    assert.deepEqual(
      found,
      slugs(2, 25).map((slug) => `Things: ${slug}`),
    )
  })

  test("a conflict found by `ifMatch` and solved", async () => {
    const id = productId(2)
    const server = { url: shop().url, authorization }
    const told = await shopping.setPrice(server, id, "3.00", () => renameByOthers(shop(), id, "Theirs"))
    assert.equal(told, "Theirs 3.00")
  })
})
