// Processes that a process has started, and whether they are there.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"

export function childrenOf(pid: number | undefined): readonly number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "ppid=,pid="], { encoding: "utf8" })
  const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []))
}

export const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return
    await sleep(50)
  }
  assert.fail(`${what}, after ten seconds`)
}
