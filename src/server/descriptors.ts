// Whether the process has descriptors for one more connection. Without any, libuv closes connections and nobody learns of it,
// the database cannot be opened, and connections that are handed to a worker are lost.
import type { Socket } from "node:net"
import { type ConnectionFiles, filesForConnections } from "../base/open-files.ts"
import type { Observe } from "./observation.ts"

/** Little: for a word to the client. None: for nothing. */
type Room = "ample" | "little" | "none"

/** Gives the room that a new connection leaves, and reports one for which there is too little. */
export function watchDescriptors(observe: Observe): (socket: Socket) => Room {
  let files: ConnectionFiles | undefined
  return (socket) => {
    // Not before the first of them, when most of what a service opens is open.
    files ??= filesForConnections()
    const { most, end } = files
    const descriptor = descriptorOf(socket)
    if (descriptor < end) return "ample"
    observe({
      kind: "refused",
      count: 1,
      problem: {
        code: "overloaded",
        message: `The process may have ${most} files open, and no more of them are left for connections.`,
        hint: "Raise the limit: LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536 before the start.",
      },
    })
    return descriptor < end + (most - end) / 2 ? "little" : "none"
  }
}

/** All below it are in use, by whatever it is. */
function descriptorOf(socket: Socket & { readonly _handle?: { readonly fd?: number } | null }): number {
  return socket._handle?.fd ?? -1
}
