// Locks between processes of one checkout: folders in .runtime/ with the number of the process that holds them.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Trouble } from "./trouble.mjs"

const runtime = join(import.meta.dirname, "..", ".runtime")

/** Runs `work` alone in a checkout under this name; a lock whose owner is gone is taken over. */
export async function whileLocked(name, work) {
  const lock = join(runtime, name)
  mkdirSync(runtime, { recursive: true })
  const deadline = Date.now() + 10 * 60_000
  while (!take(lock)) {
    if (Date.now() > deadline)
      throw new Trouble(`Another install holds ${lock} for too long.`, "Remove it if none runs.")
    await sleep(200)
  }
  try {
    await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function take(lock) {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, "pid"), String(process.pid))
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function isAbandoned(lock) {
  try {
    process.kill(Number(readFileSync(join(lock, "pid"), "utf8")), 0)
    return false
  } catch (error) {
    if (error.code === "ESRCH") return true
    // Its owner is about to write the number, or never came to it.
    return error.code === "ENOENT" && existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 5_000
  }
}
