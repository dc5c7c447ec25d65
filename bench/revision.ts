// Another revision of Bifold, checked out beside this one for the length of a run.
import { execFileSync } from "node:child_process"
import { readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { installPackages } from "./install.ts"

export interface Checkout {
  readonly root: string
  /** Such as `1a2b3c4`. */
  readonly short: string
  remove(): void
}

const root = join(import.meta.dirname, "..")
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()

/** @param folder to make it in; throws git's words when there is no such revision */
export function checkOut(revision: string, folder: string): Checkout {
  const commit = git("rev-parse", "--verify", `${revision}^{commit}`)
  const short = git("rev-parse", "--short", commit)
  const path = join(folder, short)
  git("worktree", "add", "--detach", path, commit)
  const remove = (): void => void git("worktree", "remove", "--force", path)
  try {
    const lock = (at: string): string => readFileSync(join(at, "package-lock.json"), "utf8")
    if (lock(path) === lock(root)) symlinkSync(join(root, "node_modules"), join(path, "node_modules"), "dir")
    else installPackages(path)
  } catch (error) {
    remove()
    throw error
  }
  return { root: path, short, remove }
}
