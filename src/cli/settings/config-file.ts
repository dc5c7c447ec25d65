// Finds and reads the configuration file, where there is one.
import { existsSync, readFileSync } from "node:fs"
import { extname } from "node:path"
import { refusal } from "../../base/problem.ts"
import type { ConfigSource, Environment } from "../../settings/resolve.ts"
import { checkConfig, otherVariables } from "../../settings/unknown.ts"

const configFiles = [
  "bifold.config.ts",
  "bifold.config.mts",
  "bifold.config.js",
  "bifold.config.mjs",
  "bifold.config.json",
] as const

const example = 'import { defineConfig } from "bifold", then export default defineConfig({ port: 8080 }).'

/** Throws a Refusal when the file cannot be read, or has an unknown key or a wrong value. */
export async function readConfig(environment: Environment): Promise<ConfigSource | undefined> {
  const file = findConfig(environment)
  if (file === undefined) return undefined
  const { default: exported } = extname(file) === ".json" ? { default: readJson(file) } : await runFile(file)
  if (!isPlainObject(exported))
    throw refusal("invalid_command", `${file} does not give an object of settings.`, {
      hint: extname(file) === ".json" ? 'Write { "port": 8080 }.' : example,
    })
  return { file, values: checkConfig(file, exported) }
}

/** Neither a list, nor a function, nor a promise. */
function isPlainObject(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false
  const prototype: unknown = Object.getPrototypeOf(given)
  return prototype === Object.prototype || prototype === null
}

function findConfig(environment: Environment): string | undefined {
  const named = environment[otherVariables.config]
  if (named !== undefined) {
    if (existsSync(named)) return named
    throw refusal("invalid_command", `There is no file ${named}, which ${otherVariables.config} names.`, {
      hint: "Correct the path, or unset the variable.",
    })
  }
  const [first, second] = configFiles.filter((name) => existsSync(name))
  if (second !== undefined)
    throw refusal("invalid_command", `There are both ${first} and ${second} here.`, {
      hint: "Keep one of the two.",
    })
  return first
}

/** The module, since a promise that it exports would be waited for here. */
async function runFile(file: string): Promise<{ readonly default?: unknown }> {
  const { importFile } = await import("../service-file.ts")
  return importFile(file, "invalid_command")
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw refusal("invalid_command", `${file} cannot be read: ${said}`, { hint: "Write JSON (RFC 8259)." })
  }
}
