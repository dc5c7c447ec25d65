// What `npm start` and `npm test` run through: a child's end is told, and none outlives those above it.
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"

const file = pathToFileURL(join(import.meta.dirname, "../../scripts/child.mjs")).href

/** A process that runs the code by `runChild`, below a shell as npm has one. */
function belowShell(code: string, environment: Record<string, string> = {}): ChildProcess {
  const runner = `import { runChild } from ${JSON.stringify(file)}
    process.exitCode = await runChild(process.execPath, ["-e", ${JSON.stringify(code)}], { env: process.env })`
  const command = `'${process.execPath}' --input-type=module -e "$RUNNER"; exit $?`
  const env = { ...process.env, ...environment, RUNNER: runner }
  return spawn("sh", ["-c", command], { env, stdio: ["ignore", "pipe", "inherit"] })
}

const lasting = `console.log(process.pid); setTimeout(() => {}, 60_000)`

async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const [line] = await once(createInterface(child.stdout), "line")
  return line
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("a child run in our place", () => {
  for (const [code, expected] of [
    ["process.exit(0)", 0],
    ["process.exit(7)", 7],
    ["process.kill(process.pid, 'SIGKILL')", 137],
  ] as const)
    it(`ends us with ${expected} after ${code}`, async () => {
      assert.deepEqual(await once(belowShell(code), "exit"), [expected, null])
    })

  it("is sent the signals that we are sent", async () => {
    const shell = belowShell(
      "process.on('SIGTERM', () => process.exit(9)); console.log(process.ppid); setTimeout(() => {}, 60_000)",
    )
    const ended = once(shell, "exit")
    process.kill(Number(await firstLine(shell)), "SIGTERM")
    assert.deepEqual(await ended, [9, null])
  })

  it("ends when npm's shell is gone, which passes nothing on", async () => {
    const shell = belowShell(lasting, { npm_lifecycle_event: "start" })
    const pid = Number(await firstLine(shell))
    shell.kill("SIGTERM")
    const deadline = Date.now() + 10_000
    while (isAlive(pid) && Date.now() < deadline) await sleep(50)
    assert.ok(!isAlive(pid), "the child is gone")
  })
})
