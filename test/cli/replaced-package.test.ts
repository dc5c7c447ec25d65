// A package that is removed, replaced or not whole while a process runs from it.
import assert from "node:assert/strict"
import { appendFileSync, cpSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { until } from "../feed/stream.ts"
import { installBuilt } from "../support/built-package.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { bifold, type Serving, serving } from "./run.ts"

const hooks = cleanUp(after)
const original = await temporaryFolder(hooks)
await installBuilt(original)
writeFileSync(join(original, "package.json"), '{ "type": "module" }')
writeFileSync(
  join(original, "notes.ts"),
  `import { action, anyone, f, resource, service } from "bifold"
export default service({
  name: "notes",
  resources: {
    note: resource({ fields: { text: f.text() }, history: true, allow: { read: anyone, create: anyone } }),
  },
  code: {
    actions: {
      note: {
        leave: action({ allow: anyone, run: () => void setImmediate(() => { throw new Error("its thread ends") }) }),
      },
    },
  },
})
`,
)

async function install(): Promise<string> {
  const project = await temporaryFolder(hooks)
  cpSync(original, project, { recursive: true, verbatimSymlinks: true })
  return project
}

async function serve(project: string, database: string): Promise<Serving> {
  const migrated = await bifold(["migrate", "apply", "notes.ts", "--database", database], { cwd: original })
  assert.equal(migrated.code, 0, migrated.stderr)
  const given = ["notes.ts", "--database", database, "--accept-data-loss"]
  const served = await serving(given, { cwd: project, installed: project })
  hooks.after(async () => void (await served.end("SIGKILL")))
  return served
}

async function readiness({ url }: Serving) {
  const response = await fetch(`${url}/readyz`)
  const { checks } = (await response.json()) as { readonly checks: { readonly program: string } }
  return { status: response.status, program: checks.program }
}

const json = (body: object) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
})

/** Files of the build that no start reads. */
const late = /^(graphql|write|openapi|asyncapi|events-face)-/

/** One request of each kind that loads something at its first use. */
async function askAll({ url }: Serving): Promise<readonly string[]> {
  const leaving = new AbortController()
  const stream = await fetch(`${url}/events/stream`, { signal: leaving.signal })
  leaving.abort()
  const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
    ["/graphql", json({ query: 'mutation { createNote(input: { text: "a" }) { note { id } } }' })],
    ["/notes", json({ text: "b" })],
    ["/notes", { headers: { accept: "text/csv" } }],
    ["/events"],
    ["/openapi.json"],
    ["/asyncapi.json"],
    ["/schema.graphql"],
  ]
  const answers = [`/events/stream ${stream.status}`]
  for (const [path, init] of requests) {
    const response = await fetch(url + path, init)
    answers.push(`${path} ${response.status}`)
    await response.arrayBuffer()
  }
  return answers
}

const answered = (answers: readonly string[]): boolean => answers.every((text) => / 20[01]$/.test(text))

for (const database of dialects)
  describe(`a package that changes under its process, ${database}`, { concurrency: true }, () => {
    const open = async (project: string): Promise<string> =>
      database === "postgres" ? temporaryPostgres(hooks) : join(project, "notes.db")

    test("may be removed once all of it has been loaded", { timeout: 60_000 }, async () => {
      const project = await install()
      const served = await serve(project, await open(project))
      await until(async () => (await readiness(served)).program === "ok")
      rmSync(join(project, "node_modules"), { recursive: true })
      const answers = await askAll(served)
      assert.ok(answered(answers), answers.join("\n"))
      assert.deepEqual(await readiness(served), { status: 200, program: "ok" })
      assert.equal((await served.end()).code, 0)
    })

    test("makes it unready while a part of it cannot be loaded", { timeout: 60_000 }, async () => {
      const project = await install()
      const joined = join(project, "node_modules/bifold/dist/joined")
      const parts = readdirSync(joined).filter((name) => late.test(name))
      assert.ok(parts.length >= late.source.split("|").length, parts.join())
      for (const part of parts) renameSync(join(joined, part), join(project, part))
      const served = await serve(project, await open(project))
      for (const [path, init] of [
        ["/graphql", json({ query: "{ __typename }" })],
        ["/notes", json({ text: "b" })],
        ["/openapi.json"],
        ["/asyncapi.json"],
        ["/events"],
      ] as const) {
        const asked = await fetch(served.url + path, init)
        const { code } = (await asked.json()) as { readonly code: string }
        assert.deepEqual([path, asked.status, code], [path, 503, "program_unavailable"])
      }
      assert.deepEqual(await readiness(served), { status: 503, program: "unloadable" })
      for (const part of parts) renameSync(join(project, part), join(joined, part))
      await until(async () => (await readiness(served)).program === "ok")
      assert.ok(answered(await askAll(served)))
      const { stderr } = await served.end()
      const lost = stderr.split("\n").filter((line) => line.includes("Not ready"))
      assert.equal(lost.length, 1, stderr)
      assert.match(lost[0] ?? "", /program/)
      assert.match(stderr, /Cannot find module/)
    })

    test("gives no thread the code of another version", { timeout: 60_000 }, async () => {
      const project = await install()
      const served = await serve(project, await open(project))
      const made = await fetch(`${served.url}/notes`, json({ text: "a" }))
      const { id } = (await made.json()) as { readonly id: string }
      appendFileSync(join(project, "node_modules/bifold/dist/cli/code-thread.js"), "// another version\n")
      // The thread that is there answers once more, and ends.
      await until(async () => {
        const response = await fetch(`${served.url}/notes/${id}/actions/leave`, json({}))
        return (await response.text()).includes('"code":"program_unavailable"')
      })
      assert.deepEqual(await readiness(served), { status: 503, program: "unloadable" })
      await served.end()
    })
  })
