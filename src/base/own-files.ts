// Paths of Bifold's own files, in a clone and in the package. The package is bundled: only the entries of scripts/build.mjs keep
// their names.
import { existsSync, readFileSync } from "node:fs"

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

const absent = (path: string): Error =>
  new Error(
    `Bifold's file ${path} is not where the package has it. If a bundle has Bifold in it, leave the package out: esbuild --external:bifold.`,
  )

export function ownVersion(): string {
  return (
    JSON.parse(readFileSync(new URL("package.json", ownFolder()), "utf8")) as { readonly version: string }
  ).version
}
