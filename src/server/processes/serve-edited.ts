// Serves a service while a person edits it: behind one listener, a new server replaces the old one at each edit.
import { createServer, type Server, type Socket } from "node:net"
import type { Ending } from "../lifecycle/ending.ts"
import { type Reached, stopListening } from "../listening.ts"
import { takeConnections } from "./take-connections.ts"

interface Edited {
  readonly place: Parameters<typeof takeConnections>[0]
  /** @param receive gives the server its connections */
  readonly start: (receive: (take: (socket: Socket) => void) => void) => Promise<Ending>
  /** Says why the edited service cannot be served. */
  readonly failed: (error: unknown) => void
}

interface ServedEdits extends Ending, Pick<Reached, "url"> {
  /** Reads the files again. The old server goes on where the new one cannot start. */
  reload(): void
}

export async function serveEdited({ place, start, failed }: Edited): Promise<ServedEdits> {
  const servers: Server[] = []
  let take = (socket: Socket): void => void socket.destroy()
  const begin = async (): Promise<Ending> => {
    let own = take
    const server = await start((next) => {
      own = next
    })
    // A server whose start fails after it asked for connections gets none.
    take = own
    return server
  }
  let current = await begin()
  const { url } = await takeConnections(place, () => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => take(socket))
    servers.push(server)
    return server
  }).catch(async (error: unknown) => {
    await current.close()
    throw error
  })
  let reloading: Promise<void> = Promise.resolve()
  let closing = false
  const replace = async (): Promise<void> => {
    if (closing) return
    try {
      const former = current
      current = await begin()
      former.close().catch(failed)
    } catch (error) {
      failed(error)
    }
  }
  return {
    url,
    reload() {
      reloading = reloading.then(replace)
    },
    drain: (delay) => current.drain(delay),
    async close() {
      closing = true
      await stopListening(servers)
      await reloading
      await current.close()
    },
  }
}
