// `bifold serve --dev`: an edited service file, and what it imports, is served at once.
import assert from "node:assert/strict"
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { until } from "./processes.ts"
import { serving } from "./run.ts"

const service = `import { anyone, operation, resource, service, withCode } from "bifold"
import { fields } from "./fields.ts"
import greeting from "./greeting.cjs"

const books = service({
  name: "books",
  resources: { book: resource({ id: "bk", fields: fields(greeting), allow: { read: anyone, create: anyone } }) },
})

export default withCode(books, {
  operations: { greet: operation({ allow: anyone, run: () => console.error(greeting) }) },
})
`
const fields = (more = ""): string =>
  `import { f } from "bifold"
export const fields = (title: string) => ({ title: f.text({ max: 100, default: title })${more} })
`
const greeting = (text: string): string => `module.exports = ${JSON.stringify(text)}\n`

const hooks = cleanUp(after)

async function open(...options: readonly string[]) {
  const cwd = await temporaryFolder(hooks)
  const write = (file: string, text: string): void => writeFileSync(join(cwd, file), text)
  write("service.ts", service)
  write("fields.ts", fields())
  write("greeting.cjs", greeting("Hello"))
  const server = await serving(["service.ts", "--dev", ...options], { cwd })
  hooks.after(async () => void (await server.end("SIGKILL")))
  const ask = (path: string, body?: object): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      ...(body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    })
  const make = async (body: object): Promise<Record<string, unknown>> => {
    const made = await ask("/books", body)
    assert.equal(made.status, 201, await made.clone().text())
    return (await made.json()) as Record<string, unknown>
  }
  return { ...server, said: server.saidError, cwd, write, ask, make }
}

for (const kind of ["sqlite", "postgres"] as const)
  describe(`bifold serve --dev (${kind})`, () => {
    const database = async (): Promise<string> =>
      kind === "postgres" ? await temporaryPostgres(hooks) : "books.db"

    it("serves what was edited: a new field, a mistake, a file that is replaced, and code", async () => {
      const { ask, make, write, cwd, said, end } = await open(
        "--database",
        await database(),
        "--accept-data-loss",
      )
      const { id } = await make({ title: "One" })
      assert.equal((await ask("/books?fields=pages")).status, 400)
      write("fields.ts", fields(", pages: f.integer({ optional: true })"))
      await until(async () => (await ask("/books?fields=pages")).status === 200, "the new field is served")
      await make({ title: "Two", pages: 2 })
      assert.equal((await ask(`/books/${id}`)).status, 200)

      write("fields.ts", `${fields()}export const = 1\n`)
      await until(() => said().includes("goes on"), "the mistake is said")
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask("/books?fields=pages")))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))

      write("fields.ts", fields())
      write("next.ts", service.replace("book: resource", "volume: resource").replace('"bk"', '"vol"'))
      renameSync(join(cwd, "next.ts"), join(cwd, "service.ts"))
      await until(async () => (await ask("/volumes")).status === 200, "the mended file is served")
      assert.equal((await ask("/books")).status, 404)

      write("greeting.cjs", greeting("Good day"))
      await until(async () => {
        const made = (await (await ask("/volumes", {})).json()) as { readonly title: string }
        return made.title === "Good day"
      }, "the module of CommonJS is read again")
      assert.equal((await ask("/actions/greet", {})).status, 204)
      const { code, stderr } = await end()
      assert.equal(code, 0)
      assert.match(stderr, /Good day/)
      assert.match(stderr, /fields\.ts \(line 3\), which service\.ts imports, cannot be read/)
      assert.match(stderr, /service\.ts was read again and is served\./)
    })
  })

describe("bifold serve --dev", () => {
  it("answers every request while files are edited", async () => {
    const { ask, write, end } = await open("--database", "books.db")
    let edits = true
    const asking = Array.from({ length: 4 }, async () => {
      let answers = 0
      for (; edits; answers++) assert.equal((await ask("/books")).status, 200)
      return answers
    })
    for (let edit = 1; edit <= 5; edit++) {
      write("fields.ts", fields(`, n${edit}: f.integer({ optional: true })`))
      await until(async () => (await ask(`/books?fields=n${edit}`)).status === 200, `edit ${edit}`)
    }
    edits = false
    for (const answers of await Promise.all(asking)) assert.ok(answers > 0)
    assert.equal((await end()).code, 0)
  })
})
