import plugin from "@graphql-eslint/eslint-plugin"

/** Findings that the schema of a Bifold service has on purpose: docs/reference/graphql.md says why. */
const decided = ["naming-convention", "relay-arguments", "relay-edge-types", "strict-id-in-types"]

/** @param schema path of what `bifold schema --graphql` prints */
export const schemaConfig = (schema: string) => ({
  files: ["**/*.graphql"],
  languageOptions: { parser: plugin.parser, parserOptions: { graphQLConfig: { schema } } },
  plugins: { "@graphql-eslint": plugin },
  rules: {
    ...plugin.configs["flat/schema-recommended"].rules,
    ...plugin.configs["flat/schema-relay"].rules,
    ...Object.fromEntries(decided.map((rule) => [`@graphql-eslint/${rule}`, "off"])),
  },
})
