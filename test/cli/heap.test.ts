// What V8 is told about its heap: that it is told, by a name that it knows, and not against a person's will.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, test } from "node:test"
import { letHeapGrow } from "../../src/server/processes/node-heap.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { serving } from "./run.ts"

const hooks = cleanUp(after)

function told(...given: readonly string[]): readonly string[] {
  const flags: string[] = []
  letHeapGrow(given, (flag) => void flags.push(flag))
  return flags
}

test("the heap may grow, by an option that this Node has", () => {
  const [flag = "", ...others] = told("--max-semi-space-size=8")
  assert.deepEqual(others, [])
  assert.match(flag, /^--heap-growing-percent=\d+$/)
  const known = (option: string): number | null =>
    spawnSync(process.execPath, [option, "--eval", ""], { env: { ...process.env, NODE_OPTIONS: "" } }).status
  assert.deepEqual([known(flag), known(flag.replace("growing", "grown"))], [0, 9])
})

test("a part that a person has set stays", () => {
  assert.deepEqual(told("--max-semi-space-size=8", "--heap-growing-percent=20"), [])
})

/** Loaded before the program: notes what V8 is told, after the process that tells it. */
const listening = `const v8 = require("node:v8")
const { appendFileSync } = require("node:fs")
const tell = v8.setFlagsFromString
v8.setFlagsFromString = (flag) => {
  appendFileSync(process.env.HEARD, process.pid + " " + flag + "\\n")
  tell(flag)
}
require("node:module").syncBuiltinESMExports()
`

test("every process that serves says so to V8, and no other", async () => {
  const cwd = await temporaryFolder(hooks)
  const database = new DatabaseSync(join(cwd, "shop.db"))
  database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
  database.close()
  writeFileSync(join(cwd, "listening.cjs"), listening)
  const [flag = ""] = told()
  for (const [workers, processes] of [
    [1, 1],
    [2, 2],
  ] as const) {
    const heard = join(cwd, `heard-${workers}`)
    const environment = {
      NODE_OPTIONS: `--require ${JSON.stringify(join(cwd, "listening.cjs"))}`,
      HEARD: heard,
    }
    const given = ["shop.db", "--open", "read", "--workers", String(workers)]
    const server = await serving(given, { cwd, environment })
    await server.end()
    const lines = readFileSync(heard, "utf8").trim().split("\n")
    assert.deepEqual([...new Set(lines.map((line) => line.split(" ")[1]))], [flag])
    const tellers = new Set(lines.map((line) => Number(line.split(" ")[0])))
    assert.equal(tellers.size, processes)
    assert.equal(tellers.has(server.pid ?? 0), workers === 1)
  }
})
