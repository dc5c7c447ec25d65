// Makes `import … from "bifold"` in a service file or a test mean the running Bifold, wherever the file lies. Such a
// file is always read as a module, whatever package.json lies beside it.
import { registerHooks } from "node:module"
import { isBuilt, ownModule } from "../base/own-files.ts"

/** For the rest of the process, or until the hook given back is taken down. */
export function resolveSelf(): { deregister(): void } {
  const own: ReadonlyMap<string, string> = new Map([
    ["bifold", ownModule("index").href],
    ["bifold/testing", ownModule("tools/testing/start-service").href],
  ])
  return registerHooks({
    resolve(specifier, context, next) {
      const url = own.get(specifier)
      if (url !== undefined) return { url, shortCircuit: true, format: isBuilt ? "module" : typed }
      const found = next(specifier, context)
      return context.conditions.includes("import") && isTyped(found.url) ? { ...found, format: typed } : found
    },
  })
}

const typed = "module-typescript"

/**
 * Files that have to be modules, since they import "bifold". Node would ask the nearest package.json, and `npm init` writes one that
 * says "commonjs". CommonJS is chosen by the ending .cts.
 */
const isTyped = (url: string): boolean => url.startsWith("file:") && new URL(url).pathname.endsWith(".ts")
