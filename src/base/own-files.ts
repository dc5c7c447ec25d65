// Paths of Bifold's own files, in a clone and in the package. The package is bundled: only the entries of scripts/build.mjs keep
// their names.
import { existsSync, readFileSync } from "node:fs"

export const isBuilt = !import.meta.url.endsWith(".ts")

/** The folder of package.json. Bun and Deno lack or differ in Node's findPackageJSON. */
export const ownFolder = folderOfPackage(new URL(".", import.meta.url))

function folderOfPackage(folder: URL): URL {
  if (existsSync(new URL("package.json", folder))) return folder
  const above = new URL("..", folder)
  if (above.href === folder.href) throw new Error("Bifold's package.json is lacking.")
  return folderOfPackage(above)
}

/** @param name path of an entry below `src`, without its extension */
export const ownModule = (name: string): URL =>
  new URL(isBuilt ? `dist/${name}.js` : `src/${name}.ts`, ownFolder)

export function ownVersion(): string {
  return (
    JSON.parse(readFileSync(new URL("package.json", ownFolder), "utf8")) as { readonly version: string }
  ).version
}
