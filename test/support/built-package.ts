// The package as `npm run build` makes it, built once for all test files that need it, and anew when its sources have changed.
import { execFile } from "node:child_process"
import { createHash, type Hash } from "node:crypto"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"

const root = join(import.meta.dirname, "../..")
const home = join(root, "node_modules/.cache/bifold-built")
const hour = 3_600_000

interface Lock {
  whileLocked(name: string, work: () => Promise<void>): Promise<void>
}

/** A folder with `package.json` and `dist`, which nobody may change. */
export async function builtPackage(): Promise<string> {
  const folder = join(home, fingerprint())
  if (existsSync(folder)) return folder
  const { whileLocked } = (await import(pathToFileURL(join(root, "scripts/lock.mjs")).href)) as Lock
  await whileLocked("building-for-tests", async () => {
    if (!existsSync(folder)) await build(folder)
  })
  return folder
}

async function build(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const args = [join(root, "scripts/build.mjs"), join(unfinished, "dist"), "--types-are-checked"]
  await promisify(execFile)(process.execPath, args).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`The package cannot be built:\n${error.stdout}${error.stderr}`)
  })
  cpSync(join(root, "package.json"), join(unfinished, "package.json"))
  renameSync(unfinished, folder)
  removeOlder(folder)
}

/** Older builds, unless another run may still use them. */
function removeOlder(folder: string): void {
  for (const path of globSync(join(home, "*")))
    if (path !== folder && Date.now() - statSync(path).mtimeMs > hour)
      rmSync(path, { recursive: true, force: true })
}

function fingerprint(): string {
  const hash = createHash("sha256")
  const settings = [
    "package.json",
    "package-lock.json",
    "scripts/build.mjs",
    "tsconfig.json",
    "tsconfig.build.json",
  ]
  for (const path of [...settings, ...globSync("src/**/*.ts", { cwd: root }).toSorted()]) add(hash, path)
  return hash.digest("hex").slice(0, 32)
}

const add = (hash: Hash, path: string): void =>
  void hash
    .update(path)
    .update("\0")
    .update(readFileSync(join(root, path)))
    .update("\0")

/** Installs the package in a project, and beside it, by links, what it depends on and the types of Node. */
export async function installBuilt(project: string): Promise<void> {
  const modules = join(project, "node_modules")
  cpSync(await builtPackage(), join(modules, "bifold"), { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
}
