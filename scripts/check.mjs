// The checks beside the tests: types, format and lint, dead code, the package. All of them run, whatever fails.
import { spawnSync } from "node:child_process"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const checks = [
  ["Types", ["tsc", "--noEmit"]],
  ["Format and lint", ["biome", "check", "--error-on-warnings", "."]],
  ["Dead code and dependencies", ["knip", "--no-progress"]],
  ["Build", ["tsc", "-p", "tsconfig.build.json"]],
  ["Package", ["publint", "--strict"]],
]

const failed = []
for (const [title, [tool, ...args]] of checks) {
  console.log(`\n== ${title}: ${tool} ${args.join(" ")}`)
  const path = join(root, "node_modules", ".bin", tool)
  const { status } = spawnSync(path, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  })
  if (status !== 0) failed.push(title)
}
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.join(", ")}.`)
process.exitCode = failed.length === 0 ? 0 : 1
