// Runs the examples of docs/graphql.md against the storefront: each `graphql` block, with the variables behind it, has the
// answer in the `json` block that follows. BIFOLD_UPDATE=1 writes the answers into the document.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { test } from "node:test"
import { openExample } from "../support/open-service.ts"

const file = new URL("../../docs/graphql.md", import.meta.url)
const example =
  /```graphql\n(?<query>.*?)```\n\n(?:```json variables\n(?<variables>.*?)```\n\n)?```json\n(?<answer>.*?)```/gs

/** Cursors and request ids differ from one time to the next. */
const isPassing = (name: string): boolean =>
  ["cursor", "endCursor", "startCursor", "requestId"].includes(name)

function settled(text: string): unknown {
  return JSON.parse(text, (name, value) => (isPassing(name) && typeof value === "string" ? "…" : value))
}

test("the examples of docs/graphql.md are answered as it says", async (t) => {
  const { graphql } = await openExample(t, "storefront", "sqlite")
  const document = readFileSync(file, "utf8")
  const examples = [...document.matchAll(example)]
  assert.equal(examples.length, 5)
  assert.equal(document.match(/```graphql/g)?.length, examples.length)
  let updated = document
  for (const { 0: block, groups: { query = "", variables, answer = "" } = {} } of examples) {
    const asked = { query, ...(variables !== undefined && { variables: JSON.parse(variables) }) }
    const given = settled((await graphql({ body: asked })).body)
    const written = `${block.slice(0, block.length - answer.length - 3)}${JSON.stringify(given, null, 2)}\n\`\`\``
    if (process.env["BIFOLD_UPDATE"] === "1") updated = updated.replace(block, () => written)
    else assert.deepEqual(given, JSON.parse(answer), query)
  }
  if (process.env["BIFOLD_UPDATE"] === "1") writeFileSync(file, updated)
})
