// Reads a service file: runs it, and takes what it exports by default.
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { refusal } from "../base/problem.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import { importFile } from "./import-file.ts"
import type { WatchedFiles } from "./watched-files.ts"

/** The declaration as it was written, which may be full of mistakes. Throws a Refusal when there is none. */
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
      hint: 'It has to end in a service: import { service } from "bifold", then export default service({ … }).',
    })
  if (typeof declaration !== "object" || declaration === null || Array.isArray(declaration))
    throw refusal("invalid_declaration", `The default export of ${file} is not a service.`, {
      hint: "Export what service({ … }) gives, neither a function nor a promise of it.",
    })
  return declaration as ServiceDeclaration
}
