// A service file that takes long to load in its thread: that time is not the code's.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { bifold, serving } from "../cli/run.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
writeFileSync(
  join(cwd, "shop.ts"),
  `import { isMainThread } from "node:worker_threads"
import { anyone, f, operation, resource, service, withCode } from "bifold"

// Longer than any of its code may take, and than PostgreSQL lets a transaction of it be idle.
if (!isMainThread) await new Promise((resolve) => setTimeout(resolve, 5_000))

const shop = service({
  name: "shop",
  resources: {
    order: resource({
      fields: { number: f.text() },
      allow: { read: anyone, create: anyone },
    }),
  },
})

export default withCode(shop, {
  operations: {
    greet: operation({ input: { how: f.text() }, output: { said: f.text() }, allow: anyone, deadline: 1_000, run: ({ input }) => {
      if (input.how === "exit") process.exit(3)
      return { said: input.how }
    } }),
  },
})
`,
)

for (const [database, address] of [
  ["SQLite", async () => join(cwd, "shop.db")],
  ["PostgreSQL", () => temporaryPostgres(hooks)],
] as const)
  test(`a call while its thread starts has all of its time, on ${database}`, async (context) => {
    const on = ["shop.ts", "--database", await address()]
    const made = await bifold(["migrate", "apply", ...on], { cwd })
    assert.equal(made.code, 0, made.stderr)
    const { url, end } = await serving([...on, "--accept-data-loss"], { cwd })
    context.after(() => end())
    const greet = async (how: string): Promise<unknown> => {
      const headers = { "content-type": "application/json" }
      const body = JSON.stringify({ how })
      const answer = await fetch(`${url}/actions/greet`, { method: "POST", headers, body })
      const told = (await answer.json()) as { readonly said?: string; readonly code?: string }
      return told.said ?? told.code
    }
    assert.deepEqual(await Promise.all([greet("first"), greet("second")]), ["first", "second"])
    assert.equal(await greet("exit"), "internal")
    // Its thread is another one, which has just begun to load.
    assert.equal(await greet("exit"), "internal")
    assert.equal(await greet("third"), "third")
  })
