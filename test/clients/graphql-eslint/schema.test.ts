// The storefront's schema as graphql-eslint sees it: its recommended rules and those of Relay, but for what
// docs/reference/graphql.md decides otherwise.
import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { printGraphql } from "../../../src/graphql/schema/schema.ts"
import { temporaryFolder } from "../../support/database.ts"
import { exampleRecords } from "../../support/open-service.ts"

const here = import.meta.dirname
const installed = existsSync(join(here, "node_modules", "@graphql-eslint", "eslint-plugin"))
const skip = installed ? false : "the packages of test/clients/graphql-eslint are not installed"

/** Rules that some part of the schema breaks on purpose. */
const exceptions = [
  "@graphql-eslint/naming-convention",
  "@graphql-eslint/relay-arguments",
  "@graphql-eslint/relay-edge-types",
  "@graphql-eslint/strict-id-in-types",
]

/** Not a literal, so that the compiler does not look for what may not be installed. */
const load = (name: string) => import(name)

interface Found {
  readonly ruleId: string | null
  readonly message: string
  readonly line: number
}

test("the schema breaks exactly the rules that the documents name", { skip }, async (t) => {
  const { ESLint } = await load("eslint")
  const plugin = (await load("@graphql-eslint/eslint-plugin")).default
  const folder = await temporaryFolder(t)
  const schema = join(folder, "schema.graphql")
  writeFileSync(schema, printGraphql(exampleRecords("storefront").model))
  const configs = plugin.configs
  const eslint = new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ["**/*.graphql"],
        languageOptions: { parser: plugin.parser, parserOptions: { graphQLConfig: { schema } } },
        plugins: { "@graphql-eslint": plugin },
        rules: {
          ...configs["flat/schema-recommended"].rules,
          ...configs["flat/schema-relay"].rules,
        },
      },
    ],
  })
  const [{ messages }] = (await eslint.lintFiles([schema])) as [{ readonly messages: readonly Found[] }]
  const broken = new Map<string, string>()
  for (const { ruleId, message, line } of messages)
    if (!broken.has(ruleId ?? "none")) broken.set(ruleId ?? "none", `line ${line}: ${message}`)
  assert.deepEqual([...broken.keys()].toSorted(), exceptions, JSON.stringify([...broken], null, 2))
  const documented = readFileSync(join(here, "../../../docs/reference/graphql.md"), "utf8")
  for (const rule of exceptions) assert.ok(documented.includes(`| \`${rule.split("/")[1]}\` |`), rule)
})
