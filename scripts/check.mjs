// The checks beside the tests: types, format and lint, dead code, the package. All of them run, whatever fails, side by
// side; the output of each is shown as a whole.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { clientFolders, installClients } from "./clients.mjs"

const root = join(import.meta.dirname, "..")
/** Each line is a sequence of checks, since later ones check the output of earlier ones. */
const lines = [
  [
    ["Types", ["tsc", "--noEmit"]],
    ["Types of clients", ["tsc", "-p", "test/clients"]],
  ],
  [["Format and lint", ["biome", "check", "--error-on-warnings", "."]]],
  [["Dead code and dependencies", ["knip", "--no-progress"]]],
  [["Prose", ["node", "scripts/prose/prose.mjs"]]],
  [["Site of the documents", ["node", "scripts/docs.mjs"]]],
  [
    ["Build", ["node", "scripts/build.mjs", "--types-are-checked"]],
    ["Package", ["publint", "--strict"]],
  ],
]

/** Resolves with whether the tool found nothing wrong. */
function run(title, [tool, ...args]) {
  const began = performance.now()
  const path = tool === "node" ? process.execPath : join(root, "node_modules", ".bin", tool)
  const child = spawn(path, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      console.log(`\n== ${title}: ${tool} ${args.join(" ")} (${seconds} s)`)
      process.stdout.write(Buffer.concat(said))
      resolve(code === 0)
    })
  })
}

const failed = []
const absent = Object.keys(await installClients(clientFolders()))
if (absent.length > 0) {
  const required = process.env.BIFOLD_CLIENTS === "required"
  console.log(`Types of clients are not checked: ${absent.join(", ")} could not be installed.`)
  if (required) failed.push("Types of clients")
  else lines[0].pop()
}
await Promise.all(
  lines.map(async (checks) => {
    for (const [title, command] of checks) if (!(await run(title, command))) failed.push(title)
  }),
)
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.join(", ")}.`)
process.exitCode = failed.length === 0 ? 0 : 1
