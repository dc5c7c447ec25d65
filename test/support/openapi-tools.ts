// Tools that are given the OpenAPI document of the running storefront, as its staff gets it.
import assert from "node:assert/strict"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, readFile, rm } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import type { Hooks } from "./database.ts"
import { authorization, type ShopServer } from "./shop-server.ts"

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

/** @param query such as `purpose=validation` */
export async function fetchDocument({ url }: ShopServer, query = ""): Promise<OpenapiDocument> {
  const answer = await fetch(`${url}/openapi.json?${query}`, { headers: { authorization } })
  assert.equal(answer.status, 200)
  return (await answer.json()) as OpenapiDocument
}

export const operationsOf = ({ paths }: OpenapiDocument): readonly string[] =>
  Object.values(paths).flatMap(({ parameters: _common, ...operations }) =>
    Object.values(operations).map(({ operationId }) => operationId),
  )

/** The environment of a recipe of the folder: with its programs, this Node before others, and what the shop is. */
export function recipeEnvironment(client: string, shop: { readonly url: string }): NodeJS.ProcessEnv {
  const programs = join(import.meta.dirname, "../clients", client, "node_modules/.bin")
  const path = [programs, dirname(process.execPath), process.env["PATH"]].join(delimiter)
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...own } = process.env
  return { ...own, PATH: path, url: shop.url, authorization, NO_COLOR: "1" }
}

/** Runs a recipe in the folder. */
export async function runRecipe(
  recipe: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const options = { cwd: folder, env: environment, maxBuffer: 2 ** 26 }
  await promisify(execFile)("bash", ["-euo", "pipefail", recipe], options)
}

/** Starts a recipe, whose last command replaces the shell; it ends with the tests. */
export function startRecipe(
  hooks: Hooks,
  recipe: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): ChildProcess {
  const args = ["-euo", "pipefail", recipe]
  const child = spawn("bash", args, { cwd: folder, env: environment, stdio: "pipe" })
  hooks.after(() => void child.kill())
  return child
}

/** Seconds of processors that a process has used; undefined where the system does not say. */
export async function processorSeconds(pid: number | undefined): Promise<number | undefined> {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  const numbers = (await readFile(file, "utf8")).replace(/^.*\) /, "").split(" ")
  // proc(5): utime and stime, in hundredths of a second.
  return (Number(numbers[11]) + Number(numbers[12])) / 100
}

/** Compiles a folder of a client by its tsconfig.json. Throws with what the compiler finds. */
export async function compileTypes(client: string, folder: string): Promise<void> {
  const compiler = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc")
  const project = join(import.meta.dirname, "../clients", client, folder)
  const run = promisify(execFile)(process.execPath, [compiler, "-p", project], { maxBuffer: 2 ** 26 })
  await run.catch(({ stdout }: { stdout: string }) => assert.fail(stdout))
}

/** The folder of a client for what its tools generate, empty. Git does not keep it. */
export async function generatedFolder(client: string): Promise<string> {
  const folder = join(import.meta.dirname, "../clients", client, "generated")
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  return folder
}
