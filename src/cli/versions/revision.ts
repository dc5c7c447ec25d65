// A service as it was in a git revision: `HEAD~1:service.ts`. Other names are files and databases as they are.
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { refusal } from "../../base/problem.ts"
import { findSource, type Opened, openSource } from "../source.ts"

export async function openRevision(given: string): Promise<Opened> {
  const [, revision, file] = /^([^:/\\]{2,}(?:\/[^:]*)?):(?!\/\/)(.+)$/.exec(given) ?? []
  return revision !== undefined && file !== undefined && !existsSync(given)
    ? openAt(revision, file)
    : openSource(findSource(given))
}

/** The file as it was, with what it imports, in a folder that is removed again. */
async function openAt(revision: string, file: string): Promise<Opened> {
  const root = git(["rev-parse", "--show-toplevel"]).trim()
  const folder = mkdtempSync(join(tmpdir(), "bifold-diff-"))
  const tree = join(folder, "tree")
  try {
    git(["worktree", "add", "--detach", "--force", tree, revision])
    const modules = join(root, "node_modules")
    const own = join(tree, "node_modules")
    // A revision may have its own.
    if (existsSync(modules) && !existsSync(own)) symlinkSync(modules, own, "junction")
    const path = join(tree, relative(root, resolve(file)))
    if (!existsSync(path))
      throw refusal("invalid_command", `There is no ${file} in ${revision}.`, {
        hint: "Give the path as it was then, from the current folder.",
      })
    return await openSource({ kind: "file", file: path })
  } finally {
    rmSync(folder, { recursive: true, force: true })
    git(["worktree", "prune"])
  }
}

function git(given: readonly string[]): string {
  try {
    return execFileSync("git", given, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error)
    throw refusal("invalid_command", `git ${given[0]} failed: ${said}`, {
      hint: "Revisions are read where git and the repository are.",
    })
  }
}
