// Makes `import … from "bifold"` in a service file or a test mean the Bifold that runs, wherever the file lies.
import { registerHooks } from "node:module"

const sources = import.meta.url.endsWith(".ts")

/** @param name from `src`, without its ending */
export const moduleBeside = (name: string): string =>
  new URL(`../${name}.${sources ? "ts" : "js"}`, import.meta.url).href

const own: ReadonlyMap<string, string> = new Map([
  ["bifold", moduleBeside("index")],
  ["bifold/testing", moduleBeside("testing/start-service")],
])

/** For the rest of the process, or until the hook given back is taken down. */
export function resolveSelf(): { deregister(): void } {
  return registerHooks({
    resolve(specifier, context, next) {
      const url = own.get(specifier)
      return url === undefined
        ? next(specifier, context)
        : { url, shortCircuit: true, format: sources ? "module-typescript" : "module" }
    },
  })
}
