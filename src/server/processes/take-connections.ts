// Listens at a place for other servers, which are handed the connections.
import { once } from "node:events"
import type { Server } from "node:net"
import { backlog, listenAt, type Place, type Reached, reachedAt } from "../listening.ts"
import type { UnixSocket } from "../transports/unix-socket.ts"

/**
 * Throws a Refusal when the place cannot be had.
 * @param open makes a listener; a place may need several
 */
export async function takeConnections(
  place: Place & { readonly socket?: UnixSocket | undefined },
  open: () => Server,
): Promise<Reached> {
  const { socket } = place
  if (socket) {
    const { listenOn } = await import("../transports/unix-socket.ts")
    await listenOn(open(), socket, backlog)
    return reachedAt(place)
  }
  return listenAt(place, async (host, port) => {
    const server = open()
    server.listen({ host, port, backlog })
    await once(server, "listening")
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : port
  })
}
