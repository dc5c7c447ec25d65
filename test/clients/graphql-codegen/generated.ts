import assert from "node:assert/strict"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { after, before, test } from "node:test"
import { preset } from "@graphql-codegen/client-preset"
import { codegen } from "@graphql-codegen/core"
import { buildSchema, parse } from "graphql"
import { cleanUp } from "../../support/database.ts"
import { withShop } from "../../support/shop-server.ts"
import {
  compileProgram,
  openProject,
  readsTypedPages,
  schemaText,
  solvesTypedConflict,
} from "../../support/typed-program.ts"
import { config } from "./recipe.ts"

const hooks = cleanUp(after)
let folder = ""
let program: Awaited<ReturnType<typeof compileProgram>>

/** Takes the documents out of the sources and writes files beside them, as `graphql-codegen` does with the recipe. */
async function generate(): Promise<void> {
  const source = readFileSync(join(folder, "src/shop.ts"), "utf8")
  const documents = [...source.matchAll(/graphql\(`([^`]+)`\)/g)].map(([, text = ""]) => ({
    location: join(folder, "src/shop.ts"),
    rawSDL: text,
    document: parse(text),
  }))
  assert.equal(documents.length, 3)
  const { presetConfig, config: settings } = config.generates["src/gql/"]
  const files = await preset.buildGeneratesSection({
    baseOutputDir: join(folder, "src/gql/"),
    schema: parse(schemaText()),
    schemaAst: buildSchema(schemaText()),
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

before(async () => {
  folder = await openProject(hooks, import.meta.dirname)
  await generate()
  program = await compileProgram(folder)
})

test("generated types compile strictly, and refuse mistakes", () => {
  // Mistakes are in app/shop.ts: one that compiled would be an unused @ts-expect-error.
  const types = readFileSync(join(folder, "src/gql/graphql.ts"), "utf8")
  assert.match(types, /price: string/)
  assert.doesNotMatch(types, /: any\b/)
})

withShop("GraphQL Code Generator", (shop) => {
  test("pages by cursor, with typed conditions", () => readsTypedPages(shop(), program))
  test("a conflict found by `ifMatch` and solved", () => solvesTypedConflict(shop(), program))
})
