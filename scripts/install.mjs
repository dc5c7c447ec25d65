// Installs the dependencies of package-lock.json where `node_modules` differs from it.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { whileLocked } from "./lock.mjs"
import { installByNpm } from "./npm.mjs"
import { Trouble } from "./trouble.mjs"

const root = join(import.meta.dirname, "..")

/** `all`, or `start`: without what only developers need. */
export async function installDependencies(wanted) {
  if (isEnough(installed(), wanted)) return
  await whileLocked("installing", async () => {
    const before = installed()
    if (isEnough(before, wanted)) return
    const all = wanted === "all" || before.development
    console.error(`Installing what Bifold needs${all ? " and what tests it" : ""} …`)
    const which = all ? "--include=dev" : "--omit=dev"
    // Installed packages stay where only more are needed: a server may be running from them.
    const reason = await installByNpm(
      [before.start ? "install" : "ci", ...(before.start ? ["--no-save"] : []), which],
      root,
    )
    if (reason)
      throw new Trouble(
        `The dependencies could not be installed: ${reason}`,
        "Is the package registry reachable, and is there room on the disk? Then run the command again.",
      )
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
