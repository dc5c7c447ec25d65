#!/usr/bin/env node
// The entry of the process: settings of Node that must precede every other module. This file must run on a Node that is
// too old, to say so; it imports nothing that such a Node lacks.
import nodeModule from "node:module"

/** Hides Node's warning that node:sqlite is experimental: operators cannot do anything about it. */
function quietExperiments(): void {
  process.removeAllListeners("warning")
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.name}: ${warning.message}\n`)
  })
}

/** The version in package.json's `engines`; npm only warns about it. */
const oldest = "24.10"

if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) < 0) {
  const found = `✗ Bifold needs Node ${oldest} or later; this is Node ${process.versions.node}.`
  process.stderr.write(
    `${found}\n  → Install it from https://nodejs.org, or by a version manager: nvm install 24\n`,
  )
  process.exitCode = 1
} else {
  quietExperiments()
  // Caches compiled modules that are loaded from here on, which is why nothing is imported above: the next start takes half the time.
  nodeModule.enableCompileCache()
  const { run } = await import("./program.ts")
  await run(process)
}
