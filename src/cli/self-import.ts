// Makes `import … from "bifold"` in a service file mean the Bifold that runs, wherever the file lies.
import { registerHooks } from "node:module"

const sources = import.meta.url.endsWith(".ts")
const itself = new URL(sources ? "../index.ts" : "../index.js", import.meta.url).href

/** For the rest of the process, or until the hook given back is taken down. */
export function resolveSelf(): { deregister(): void } {
  return registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "bifold"
        ? { url: itself, shortCircuit: true, format: sources ? "module-typescript" : "module" }
        : next(specifier, context),
  })
}
