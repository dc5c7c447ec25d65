#!/usr/bin/env node
// Where the process begins: what Node itself has to be told, before anything else is loaded.
import { enableCompileCache } from "node:module"

/** Node calls node:sqlite experimental; whoever serves with it cannot do anything about that. */
function quietExperiments(): void {
  process.removeAllListeners("warning")
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.name}: ${warning.message}\n`)
  })
}

quietExperiments()
// Of all that is loaded from here on, which is why nothing is imported above: the next start takes half the time.
enableCompileCache()
const { run } = await import("./program.ts")
await run()
