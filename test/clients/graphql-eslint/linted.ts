// The storefront's schema as graphql-eslint sees it: its recommended rules and those of Relay, but for what
// docs/reference/graphql.md decides otherwise.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import plugin from "@graphql-eslint/eslint-plugin"
import { ESLint, type Linter } from "eslint"
import { printGraphql } from "../../../src/graphql/schema/schema.ts"
import { temporaryFolder } from "../../support/database.ts"
import { exampleRecords } from "../../support/open-service.ts"
import { schemaConfig } from "./recipe.ts"

interface Found {
  readonly ruleId: string | null
  readonly message: string
  readonly line: number
}

/** The first finding of each rule. */
async function findings(folder: string, { rules, ...config }: ReturnType<typeof schemaConfig>) {
  const eslint = new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: [{ ...config, rules } as Linter.Config],
  })
  const messages = (await eslint.lintFiles(["*.graphql"])).flatMap(
    (result): readonly Found[] => result.messages,
  )
  const broken = new Map<string, string>()
  for (const { ruleId, message, line } of messages)
    if (!broken.has(ruleId ?? "none")) broken.set(ruleId ?? "none", `line ${line}: ${message}`)
  return broken
}

async function written(t: TestContext): Promise<readonly [string, ReturnType<typeof schemaConfig>]> {
  const folder = await temporaryFolder(t)
  const schema = join(folder, "schema.graphql")
  writeFileSync(schema, printGraphql(exampleRecords("storefront").model))
  return [folder, schemaConfig(schema)]
}

test("nothing found in the schema of the storefront", async (t) => {
  assert.deepEqual([...(await findings(...(await written(t))))], [])
})

test("rules that are turned off, each with a reason, find something", async (t) => {
  const [folder, config] = await written(t)
  const rules: Readonly<Record<string, unknown>> = config.rules
  const off = Object.entries(rules).flatMap(([name, level]) => (level === "off" ? [name] : []))
  const presets = [plugin.configs["flat/schema-recommended"].rules, plugin.configs["flat/schema-relay"].rules]
  const broken = await findings(folder, { ...config, rules: Object.assign({}, ...presets) })
  assert.deepEqual([...broken.keys()].toSorted(), off.toSorted(), JSON.stringify([...broken], null, 2))
  const documented = readFileSync(join(import.meta.dirname, "../../../docs/reference/graphql.md"), "utf8")
  for (const rule of off) assert.ok(documented.includes(`| \`${rule.split("/")[1]}\` |`), rule)
})
