// Paths of Bifold's own files, in a clone and in the package. The package is bundled: only the entries of scripts/build.mjs keep
// their names.
import { existsSync, readFileSync } from "node:fs"
import { noteFailure, unloadable } from "./lazily.ts"

export const isBuilt = !import.meta.url.endsWith(".ts")

/** The folder of package.json. Bun and Deno lack or differ in Node's findPackageJSON. */
export const ownFolder = (): URL => folderOfPackage(new URL(".", import.meta.url))

function folderOfPackage(folder: URL): URL {
  if (existsSync(new URL("package.json", folder))) return folder
  const above = new URL("..", folder)
  if (above.href === folder.href) throw absent("package.json")
  return folderOfPackage(above)
}

/** @param name path of an entry below `src`, without its extension */
export function ownModule(name: string): URL {
  const path = isBuilt ? `dist/${name}.js` : `src/${name}.ts`
  const url = new URL(path, ownFolder())
  if (!existsSync(url)) throw absent(path)
  return url
}

/**
 * Gives the entry of a thread, at each start of one. Throws a Refusal if the file has changed since the first call. Entries
 * keep their names from version to version, so the thread would run another version than its process.
 * @param name as for `ownModule`
 */
export function threadEntry(name: string): () => URL {
  const url = ownModule(name)
  const read = (): string => readFileSync(url, "utf8")
  // Developers edit the sources while a process runs.
  const first = isBuilt ? read() : undefined
  const entry = (): URL => {
    if (first === undefined) return url
    let now: string | undefined
    try {
      now = read()
    } catch {
      // No longer there.
    }
    if (now !== first) throw unloadable(replaced(name))
    return url
  }
  const again = async (): Promise<void> => void entry()
  return () => {
    try {
      return entry()
    } catch (error) {
      noteFailure(again, error)
      throw error
    }
  }
}

const replaced = (name: string): Error =>
  new Error(
    `Bifold's file dist/${name}.js was replaced or removed while this process ran, so that it can start no thread of it. Start the process again.`,
  )

const absent = (path: string): Error =>
  new Error(
    `Bifold's file ${path} is not where the package has it. If a bundle has Bifold in it, leave the package out: esbuild --external:bifold.`,
  )

export function ownVersion(): string {
  return (
    JSON.parse(readFileSync(new URL("package.json", ownFolder()), "utf8")) as { readonly version: string }
  ).version
}
