// Installs the benchmark's own packages, in folders of their own, when they are not as their lock file says.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Throws with npm's words when it fails. */
export function installPackages(folder: string): void {
  const stamp = join(folder, "node_modules", ".bench-installed")
  const needed = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === needed) return
  const { status, stderr, error } = spawnSync(
    "npm",
    ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
    { cwd: folder, encoding: "utf8", shell: process.platform === "win32" },
  )
  if (status !== 0) throw new Error(error?.message ?? (stderr.trim() || `npm ci ended with ${status}`))
  writeFileSync(stamp, needed)
}
