import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { promisify } from "node:util"
import { cleanUp } from "../../support/database.ts"
import { withShop } from "../../support/shop-server.ts"
import {
  compileProgram,
  openProject,
  readsTypedPages,
  schemaText,
  solvesTypedConflict,
} from "../../support/typed-program.ts"

const hooks = cleanUp(after)
let folder = ""
let program: Awaited<ReturnType<typeof compileProgram>>

before(async () => {
  folder = await openProject(hooks, import.meta.dirname)
  writeFileSync(join(folder, "schema.graphql"), schemaText())
  const plugin = { name: "gql.tada/ts-plugin", schema: "./schema.graphql" }
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { plugins: [{ ...plugin, tadaOutputLocation: "./src/introspection.d.ts" }] },
    }),
  )
  const cli = join(import.meta.dirname, "node_modules/gql.tada/bin/cli.js")
  await promisify(execFile)(process.execPath, [cli, "generate-output"], { cwd: folder })
  program = await compileProgram(folder)
})

test("inferred types compile strictly, and refuse mistakes", () => {
  // Mistakes are in app/shop.ts: one that compiled would be an unused @ts-expect-error.
  assert.equal(readFileSync(join(folder, "src/shop.ts"), "utf8").match(/@ts-expect-error/g)?.length, 4)
})

withShop("gql.tada", (shop) => {
  test("pages by cursor, with typed conditions", () => readsTypedPages(shop(), program))
  test("a conflict found by `ifMatch` and solved", () => solvesTypedConflict(shop(), program))
})
