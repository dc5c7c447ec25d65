// A server of a test on any free port, gone when the test ends.
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Hooks } from "../support/database.ts"

/** Gives its address. */
export async function listenAnywhere(hooks: Hooks, server: Server): Promise<string> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  hooks.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
