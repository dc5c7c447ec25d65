// Reads a service file: runs it, and takes what it exports by default.

import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Code } from "../base/codes.ts"
import { threadEntry } from "../base/own-files.ts"
import { Refusal, refusal } from "../base/problem.ts"
import { suggest } from "../base/suggest.ts"
import type { CodeThreads } from "../engine/code/threads.ts"
import * as bifold from "../index.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import { f } from "../model/declaration/service.ts"
import { withoutSecrets } from "../observe/logs/safe-text.ts"
import { resolveSelf } from "./self-import.ts"
import type { WatchedFiles } from "./watched-files.ts"

/** The declaration as written, which may be full of mistakes. Throws a Refusal when the file has no declaration. */
export async function readServiceFile(file: string, watched?: WatchedFiles): Promise<ServiceDeclaration> {
  const path = resolve(file)
  if (!existsSync(path))
    throw refusal("invalid_command", `There is no file ${file}.`, {
      hint: "Give the path of a service file, such as ./service.ts.",
    })
  if (!statSync(path).isFile())
    throw refusal("invalid_command", `${file} is not a file.`, { hint: "Give the service file itself." })
  const exported = await importFile(file, "invalid_declaration", watched)
  const declaration = exported["default"]
  if (declaration === undefined)
    throw refusal("invalid_declaration", `${file} has no default export.`, {
      hint: 'End it with a service: import { service } from "bifold", then export default service({ … }).',
    })
  if (typeof declaration !== "object" || declaration === null || Array.isArray(declaration))
    throw refusal("invalid_declaration", `The default export of ${file} is not a service.`, {
      hint: "Export what service({ … }) gives, neither a function nor a promise of it.",
    })
  return declaration as ServiceDeclaration
}

// Runs a file that a person wrote, and words what goes wrong with its place.

/** Milliseconds: a file may ask a store of secrets before it exports its service. */
const longest = 30_000

/**
 * The exports of a file that a person wrote. Throws a Refusal with this code, and the place, when it cannot be run, or awaits
 * something for longer than the bound.
 */
export async function importFile(
  file: string,
  code: Code,
  watched?: WatchedFiles,
  bound = longest,
): Promise<Record<string, unknown>> {
  const hook = resolveSelf()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unended(file, code, bound)), bound)
  })
  try {
    const { href } = pathToFileURL(resolve(file))
    const within = <Loaded>(loading: Promise<Loaded>): Promise<Loaded> => Promise.race([loading, late])
    return await (watched ? watched.import(href, within) : within(import(href)))
  } catch (error) {
    throw unreadable(file, code, error)
  } finally {
    clearTimeout(timer)
    hook.deregister()
  }
}

const unended = (file: string, code: Code, bound: number): Refusal =>
  refusal(code, `${file} has not ended loading after ${bound / 1000} seconds.`, {
    hint: "Look for a top-level await that never settles, in it and in the files that it imports.",
  })

function unreadable(file: string, problem: Code, error: unknown): Error {
  if (error instanceof Refusal) return error
  const said = withoutSecrets(error instanceof Error ? error.message : String(error))
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND")
    return refusal(problem, `${file} imports what cannot be found: ${said}`, {
      hint: "Install what it needs, or correct the path. File names in imports have their ending: ./roles.ts.",
    })
  if (error instanceof SyntaxError)
    return refusal(problem, `${where(file, error)} cannot be read: ${said}`, {
      ...hinted(code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" ? onlyTypes : meantExport(said)),
    })
  const message = `${file} failed while it ran: ${said}${placeIn(file, error)}`
  return new Refusal([{ code: problem, message, ...hinted(meantBuilder(error)) }], {
    cause: error,
  })
}

const hinted = (hint: string | undefined) => (hint === undefined ? {} : { hint })

/** For `f.decimel()`: the builder of a field that is spelt nearly so. */
function meantBuilder(error: unknown): string | undefined {
  const said = error instanceof TypeError ? error.message : ""
  const [, name] = /^(?:[\w$]+\.)*f\.([\w$]+) is not a function$/.exec(said) ?? []
  const builders = Object.keys(f).map((builder) => `f.${builder}`)
  return name === undefined ? undefined : suggest(`f.${name}`, builders)
}

/** For `import { rol } from "bifold"`: the export that is spelt nearly so. */
function meantExport(said: string): string | undefined {
  const [, name] = /requested module 'bifold' does not provide an export named '([^']+)'/.exec(said) ?? []
  return name === undefined ? undefined : suggest(name, Object.keys(bifold))
}

const onlyTypes =
  "Only types are taken away from TypeScript here: enum, namespace and parameter properties do not run."

/** With the line: the stack of a mistake in the text begins with where it is, which may be a file that this one imports. */
function where(file: string, { stack = "" }: SyntaxError): string {
  const [, url = "", line] = /^(file:.*?):(\d+)$/.exec(stack.split("\n", 1)[0] ?? "") ?? []
  if (line === undefined) return file
  const path = fileURLToPath(url)
  return path === resolve(file) ? `${file} (line ${line})` : `${path} (line ${line}), which ${file} imports,`
}

/** ` (line 12)` when the stack says where in the file it was. */
function placeIn(file: string, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : ""
  const line = stack.split("\n").find((text) => text.includes(pathToFileURL(resolve(file)).href))
  const position = line && /:(\d+):\d+\)?$/.exec(line.trim())
  return position ? ` (line ${position[1]})` : ""
}

// A service file that is served: its declaration, with the code that it has in threads of its own.
export interface ServedFile {
  readonly declaration: ServiceDeclaration
  /** Absent where it has no code. */
  readonly threads?: CodeThreads
}

/** Throws a Refusal as `readServiceFile` does. */
export async function serveFile(file: string, watched?: WatchedFiles): Promise<ServedFile> {
  const declaration = await readServiceFile(file, watched)
  if (!declaration.code) return { declaration }
  const { codeInThreads } = await import("../engine/code/threads.ts")
  const threads = codeInThreads(declaration, { file, entry: threadEntry("cli/code-thread") })
  return { declaration: threads.declaration, threads }
}
