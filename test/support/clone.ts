// A clone of this repository in a folder of its own, as somebody has it who has just fetched it.
import { cpSync, symlinkSync } from "node:fs"
import { delimiter, dirname, join, relative } from "node:path"
import { type Hooks, temporaryFolder } from "./database.ts"

const root = join(import.meta.dirname, "../..")
/** What git does not keep, and what only the tests need. */
const absent = new Set([".git", ".runtime", ".bifold", "node_modules", "dist", "site", "test", "bench"])

/** @param installed whether its dependencies are there: those of this repository */
export async function temporaryClone(hooks: Hooks, installed: boolean): Promise<string> {
  const folder = join(await temporaryFolder(hooks), "bifold")
  cpSync(root, folder, { recursive: true, filter: (path) => !absent.has(relative(root, path)) })
  if (installed) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  return folder
}

/** The environment of a person: nothing of the test run's settings or of npm's around it, and this Node before any other. */
export function personsEnvironment(): Record<string, string | undefined> {
  const foreign =
    /^(BIFOLD_|npm_(?!config_(registry|cache)$)|NODE_(OPTIONS|TEST_CONTEXT|COMPILE_CACHE)$|FORCE_COLOR$|INIT_CWD$)/
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path, NO_COLOR: "1", BIFOLD_LOG_FORMAT: "pretty" }
}
