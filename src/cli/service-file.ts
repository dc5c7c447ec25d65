// Reads a service file: runs it, and takes what it exports by default.
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Refusal, refusal } from "../base/problem.ts"
import { suggest } from "../base/suggest.ts"
import * as bifold from "../index.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import { f } from "../model/declaration/service.ts"
import { resolveSelf } from "./self-import.ts"

/** The declaration as it was written, which may be full of mistakes. Throws a Refusal when there is none. */
export async function readServiceFile(file: string): Promise<ServiceDeclaration> {
  const path = resolve(file)
  if (!existsSync(path))
    throw refusal("invalid_command", `There is no file ${file}.`, {
      hint: "Give the path of a service file, such as ./service.ts.",
    })
  if (!statSync(path).isFile())
    throw refusal("invalid_command", `${file} is not a file.`, { hint: "Give the service file itself." })
  const exported = await run(file, path)
  const declaration = exported["default"]
  if (declaration === undefined)
    throw refusal("invalid_declaration", `${file} has no default export.`, {
      hint: 'It has to end in a service: import { service } from "bifold", then export default service({ … }).',
    })
  if (typeof declaration !== "object" || declaration === null || Array.isArray(declaration))
    throw refusal("invalid_declaration", `The default export of ${file} is not a service.`, {
      hint: "Export what service({ … }) gives, neither a function nor a promise of it.",
    })
  return declaration as ServiceDeclaration
}

async function run(file: string, path: string): Promise<Record<string, unknown>> {
  const hook = resolveSelf()
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    hook.deregister()
  }
}

function unreadable(file: string, error: unknown): Error {
  if (error instanceof Refusal) return error
  const said = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND")
    return refusal("invalid_declaration", `${file} imports what cannot be found: ${said}`, {
      hint: "Install what it needs, or correct the path. File names in imports have their ending: ./roles.ts.",
    })
  if (error instanceof SyntaxError)
    return refusal("invalid_declaration", `${where(file, error)} cannot be read: ${said}`, {
      ...hinted(code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" ? onlyTypes : meantExport(said)),
    })
  const message = `${file} failed while it ran: ${said}${placeIn(file, error)}`
  return new Refusal([{ code: "invalid_declaration", message, ...hinted(meantBuilder(error)) }], {
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
