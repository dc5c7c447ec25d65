// Bifold's own files: the sources of a clone, or a package, in which modules are joined to fewer files than they were written in.
// Only the entries of scripts/build.mjs keep their names there.
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { pathToFileURL } from "node:url"
import { present } from "./invariant.ts"

const packageFile = present(findPackageJSON("..", import.meta.url), "package.json")

export const isBuilt = !import.meta.url.endsWith(".ts")

/** The folder of package.json. */
export const ownFolder = new URL(".", pathToFileURL(packageFile))

/** @param name from `src`, without its ending; of an entry */
export const ownModule = (name: string): URL =>
  new URL(isBuilt ? `dist/${name}.js` : `src/${name}.ts`, ownFolder)

export function ownVersion(): string {
  return (JSON.parse(readFileSync(packageFile, "utf8")) as { readonly version: string }).version
}
