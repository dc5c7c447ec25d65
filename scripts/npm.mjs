// npm: the environment that it is run with, and installs without the scripts of packages.
import { spawn } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

const fallback = join(import.meta.dirname, "..", ".runtime", "npm-cache")

/** Options of an outer npm, such as `npm pack --dry-run`, do not apply to our installs. */
const ofCommand =
  /^npm_config_(dry_run|json|global|location|omit|include|production|package_lock|workspaces?)$/i

/** With a cache in the checkout for who has no home to write to, as users of containers often do. */
export function npmEnvironment() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofCommand.test(name)))
  const cache = env.npm_config_cache ?? join(homedir(), ".npm")
  if (!isWritable(cache)) env.npm_config_cache = fallback
  return env
}

/** Resolves with the reason of a failure in npm's words; undefined where npm succeeded. */
export function installByNpm(args, folder) {
  return new Promise((resolve) => {
    const all = [...args, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    const child = spawn("npm", all, {
      cwd: folder,
      env: npmEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
      shell: process.platform === "win32",
    })
    let said = ""
    child.stderr.on("data", (text) => {
      said += text
    })
    child.on("error", (error) => resolve(error.message))
    child.on("close", (code) =>
      resolve(
        code === 0 ? undefined : said.trim().split("\n").slice(0, 12).join("\n") || `npm ended with ${code}`,
      ),
    )
  })
}

function isWritable(path) {
  let there = path
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  try {
    accessSync(there, constants.W_OK)
    return true
  } catch {
    return false
  }
}
