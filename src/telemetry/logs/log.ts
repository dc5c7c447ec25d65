// Where entries of the log of a running server go, whatever its form.
import type { Entry } from "./catalog.ts"

export interface Log {
  write(entry: Entry): void
  /** Resolves when what was written has arrived, or cannot. */
  close(): Promise<void>
}
