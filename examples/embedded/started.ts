// A host that listens, and how it ends.
import type { Server } from "node:http"

export interface Started {
  readonly server: Server
  /** For a signal to end: no more connections, then the service ends streams and answers what it was asked. */
  readonly close: () => Promise<unknown>
}
