// A service of the tests with its own code in threads, as a service file that is served has it.
import { fileURLToPath } from "node:url"
import { codeInThreads } from "../../src/engine/code/threads.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import type { Hooks } from "../support/database.ts"

/** Where own code runs: everything holds in both. */
export const places = ["in process", "in threads"] as const
export type Where = (typeof places)[number]

/** @param name of what a file of this folder exports: `shop.ts#shop` */
export function codeAt(
  where: Where,
  hooks: Hooks,
  declaration: ServiceDeclaration,
  name: string,
): ServiceDeclaration {
  if (where === "in process") return declaration
  const threads = codeInThreads(declaration, {
    file: fileURLToPath(new URL(name.replace("#", "%23"), import.meta.url)),
    entry: () => new URL("./thread.ts", import.meta.url),
  })
  hooks.after(() => threads.close())
  return threads.declaration
}
