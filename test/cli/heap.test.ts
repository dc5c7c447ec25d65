// What V8 is told about its heap: that it is told, by a name that it knows, and not against a person's will.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { test } from "node:test"
import { letHeapGrow } from "../../src/cli/heap.ts"

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
