// A service file that is served: its declaration, with the code that it has in threads of its own.
import { threadEntry } from "../base/own-files.ts"
import type { CodeThreads } from "../engine/code/threads.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import { readServiceFile } from "./service-file.ts"
import type { WatchedFiles } from "./watched-files.ts"

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
