// The dependencies of package-lock.json, installed when they changed since the last time.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Trouble } from "./trouble.mjs"

const root = join(import.meta.dirname, "..")
const stamp = join(root, "node_modules", ".bifold-installed")
const lock = join(root, ".runtime", "installing")

/** `all`, or `start`: without what only developers need. */
export async function installDependencies(wanted) {
  const needed = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex")
  if (isInstalled(needed, wanted)) return
  await whileLocked(async () => {
    if (isInstalled(needed, wanted)) return
    rmSync(stamp, { force: true })
    console.error(`Installing what Bifold needs${wanted === "all" ? " and what tests it" : ""} …`)
    await npmCi(wanted === "all" ? [] : ["--omit=dev"])
    writeFileSync(stamp, `${needed} ${wanted}`)
  })
}

function isInstalled(needed, wanted) {
  if (!existsSync(stamp)) return false
  const [hash, mode] = readFileSync(stamp, "utf8").split(" ")
  return hash === needed && (mode === "all" || mode === wanted)
}

function npmCi(args) {
  return new Promise((resolve, reject) => {
    const all = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", ...args]
    const npm = spawn("npm", all, {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      shell: process.platform === "win32",
    })
    let said = ""
    npm.stderr.on("data", (text) => {
      said += text
    })
    const fail = (reason) =>
      reject(
        new Trouble(
          `The dependencies could not be installed: ${reason}`,
          "Is the package registry reachable, and is there room on the disk? Then run the command again.",
        ),
      )
    npm.on("error", (error) => fail(error.message))
    npm.on("exit", (code) =>
      code === 0
        ? resolve()
        : fail(said.trim().split("\n").slice(0, 12).join("\n") || `npm ci ended with ${code}`),
    )
  })
}

/** One install at a time in a checkout; a lock whose owner is gone is taken over. */
async function whileLocked(work) {
  mkdirSync(join(root, ".runtime"), { recursive: true })
  const deadline = Date.now() + 10 * 60_000
  while (!take()) {
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

function take() {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, "pid"), String(process.pid))
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    if (isAbandoned()) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function isAbandoned() {
  try {
    process.kill(Number(readFileSync(join(lock, "pid"), "utf8")), 0)
    return false
  } catch (error) {
    if (error.code === "ESRCH") return true
    // Its owner is about to write the number, or never came to it.
    return error.code === "ENOENT" && existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 5_000
  }
}
