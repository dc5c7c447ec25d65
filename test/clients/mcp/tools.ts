import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { temporaryFolder } from "../../support/database.ts"
import {
  fetchDocument,
  operationsOf,
  processorSeconds,
  recipeEnvironment,
} from "../../support/openapi-tools.ts"
import { withShop } from "../../support/shop-server.ts"

withShop("an MCP server of the document", (shop) => {
  test("every operation is a tool, and tools read and write", async (t) => {
    const folder = await temporaryFolder({ after: (work) => t.after(work) })
    const env = recipeEnvironment("mcp", shop()) as Record<string, string>
    const recipe = join(import.meta.dirname, "recipe.sh")
    const transport = new StdioClientTransport({
      command: "bash",
      args: [recipe],
      env,
      cwd: folder,
      stderr: "ignore",
    })
    const client = new Client({ name: "tests", version: "1" })
    t.after(() => client.close())
    await client.connect(transport)
    t.diagnostic(`ready after ${await processorSeconds(transport.pid ?? undefined)} seconds of a processor`)
    const { tools } = await client.listTools()
    assert.equal(tools.length, operationsOf(await fetchDocument(shop())).length)
    const tool = (name: string) => tools.find((one) => one.name === name)?.name ?? assert.fail(name)
    const call = async (name: string, input: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name: tool(name), arguments: input })
      const [{ text }] = content as [{ text: string }]
      assert.ok(!isError, text)
      return JSON.parse(text)
    }
    const { data } = await call("list-products", { limit: 2, sort: "slug" })
    assert.deepEqual(
      data.map(({ slug }: { slug: string }) => slug),
      ["product-01", "product-02"],
    )
    const made = await call("create-category", { slug: "felt", name: "Felt", position: 2 })
    assert.equal(made.slug, "felt")
  })
})
