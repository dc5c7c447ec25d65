// The dependencies of package-lock.json, installed where what is there, whoever installed it, is not what it names.
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { npmEnvironment } from "./npm.mjs"
import { Trouble } from "./trouble.mjs"

const root = join(import.meta.dirname, "..")
const lock = join(root, ".runtime", "installing")

/** `all`, or `start`: without what only developers need. */
export async function installDependencies(wanted) {
  if (isEnough(installed(), wanted)) return
  await whileLocked(async () => {
    const before = installed()
    if (isEnough(before, wanted)) return
    const all = wanted === "all" || before.development
    console.error(`Installing what Bifold needs${all ? " and what tests it" : ""} …`)
    const which = all ? "--include=dev" : "--omit=dev"
    // What is there stays where only more is wanted: a server may be running from it.
    await npm([before.start ? "install" : "ci", ...(before.start ? ["--no-save"] : []), which])
  })
}

const isEnough = ({ start, all }, wanted) => all || (wanted === "start" && start)

/** npm lists what it has installed when it is done, and may list more than it has; each package names its version. */
function installed() {
  const listed = packagesOf("node_modules/.package-lock.json")
  const isThere = ([path, { version, optional }]) =>
    optional || (path in listed && versionIn(path) === version)
  const needed = Object.entries(packagesOf("package-lock.json")).filter(([path]) => path !== "")
  return {
    start: needed.filter(([, { dev, devOptional }]) => !dev && !devOptional).every(isThere),
    all: needed.every(isThere),
    development: Object.values(listed).some(({ dev }) => dev),
  }
}

function versionIn(path) {
  const file = join(root, path, "package.json")
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined
}

function packagesOf(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {}
}

function npm(args) {
  return new Promise((resolve, reject) => {
    const all = [...args, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    const child = spawn("npm", all, {
      cwd: root,
      env: npmEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
      shell: process.platform === "win32",
    })
    let said = ""
    child.stderr.on("data", (text) => {
      said += text
    })
    const fail = (reason) =>
      reject(
        new Trouble(
          `The dependencies could not be installed: ${reason}`,
          "Is the package registry reachable, and is there room on the disk? Then run the command again.",
        ),
      )
    child.on("error", (error) => fail(error.message))
    child.on("exit", (code) =>
      code === 0
        ? resolve()
        : fail(said.trim().split("\n").slice(0, 12).join("\n") || `npm ended with ${code}`),
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
