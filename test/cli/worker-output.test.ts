// Standard error of `bifold serve --workers` with a JSON log: each line is JSON, whoever writes it.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { main } from "./run.ts"

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
const service = `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "desk",
  resources: { note: resource({ id: "not", fields: { text: f.text() }, allow: { read: anyone } }) },
})
`
/** Done by each worker, once it serves. */
const deeds = {
  throws: `throw new Error("thrown by nobody's request")`,
  rejects: `void Promise.reject(new Error("thrown by nobody's request"))`,
  fills: `const kept = []
    for (;;) kept.push(Array.from({ length: 100_000 }, () => ({ one: Math.random() })))`,
  says: `console.error("words of user code"); process.stderr.write("without an end")`,
} as const

type Line = Readonly<Record<string, unknown>>

interface Ran {
  readonly code: number | null
  readonly lines: readonly Line[]
}

/** Serves until an event is logged once by each of so many workers, and then some. */
async function serveWith(
  deed: keyof typeof deeds,
  [event, times]: readonly [string, number],
  ...given: readonly string[]
): Promise<Ran> {
  const file = `${deed}.ts`
  const begun = `if (process.send || ${given.length === 0}) setTimeout(async () => { ${deeds[deed]} }, 1_500)\n`
  writeFileSync(join(cwd, file), begun + service)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BIFOLD_")))
  const args = [
    "--max-old-space-size=96",
    main,
    "serve",
    file,
    "--database",
    join(cwd, `${deed}.db`),
    "--dev",
    "--port",
    "0",
    ...given,
  ]
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] })
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk
  })
  const ended = once(child, "close")
  for (let tries = 0; tries < 300 && output.split(`"event":"${event}"`).length <= times; tries++)
    await sleep(50)
  await sleep(1_000)
  child.kill("SIGTERM")
  await ended
  const lines = output
    .split("\n")
    .slice(0, -1)
    .map((line): Line => {
      assert.doesNotThrow(() => JSON.parse(line), line)
      return JSON.parse(line)
    })
  return { code: child.exitCode, lines }
}

const named = (lines: readonly Line[], name: string): readonly Line[] =>
  lines.filter(({ event }) => event === name)

describe("standard error of a service whose log is JSON", () => {
  for (const deed of ["throws", "rejects"] as const)
    it(`has what a worker ${deed} as one line`, async () => {
      const { lines, code } = await serveWith(deed, ["worker_lost", 1], "--workers", "2")
      assert.equal(code, 0)
      const [failed] = named(lines, "process_failed")
      assert.equal(failed?.["errorMessage"], "thrown by nobody's request")
      assert.match(String(failed["stack"]), new RegExp(`${deed}\\.ts`))
      assert.equal(named(lines, "worker_lost")[0]?.["reason"], "exit code 1")
      assert.deepEqual(named(lines, "worker_output"), [])
    })

  it("has what a single process throws as one line", async () => {
    const { lines, code } = await serveWith("throws", ["process_failed", 1])
    assert.equal(code, 1)
    assert.equal(named(lines, "process_failed").length, 1)
  })

  it("has the words of Node about a worker without memory as lines of the log", async () => {
    const { lines, code } = await serveWith("fills", ["worker_lost", 1], "--workers", "2")
    assert.equal(code, 0)
    const [lost] = named(lines, "worker_lost")
    assert.equal(lost?.["reason"], "SIGABRT")
    const words = named(lines, "worker_output").filter(({ worker }) => worker === lost["worker"])
    assert.ok(
      words.some(({ text }) => /FATAL ERROR: .*heap out of memory/.test(String(text))),
      JSON.stringify(words),
    )
  })

  it("has what user code writes as lines of the log, by the worker that does", async () => {
    const { lines, code } = await serveWith("says", ["worker_output", 2], "--workers", "2")
    assert.equal(code, 0)
    const words = named(lines, "worker_output")
    const workers = new Set(words.map(({ worker }) => worker))
    assert.equal(workers.size, 2)
    for (const worker of workers)
      assert.deepEqual(
        words.filter((word) => word["worker"] === worker).map(({ text, level }) => `${level} ${text}`),
        ["warn words of user code", "warn without an end"],
      )
  })
})
