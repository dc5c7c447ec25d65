// A relay before a server that cuts each connection, without a word, after so many bytes of its answer: in the middle of a
// frame as well as anywhere else.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { Hooks } from "../support/database.ts"

export interface Relay {
  readonly url: string
  /** Connections that were cut. */
  readonly cuts: () => number
  /** Cuts all connections there are. */
  cut(): void
}

/** @param bytesOf a connection, each time; Infinity for one that is left alone */
export async function startRelay(hooks: Hooks, url: string, bytesOf: () => number): Promise<Relay> {
  const { port } = new URL(url)
  const open = new Set<Socket>()
  let cuts = 0
  const server = createServer((client) => {
    const target = connect(Number(port), "127.0.0.1")
    let left = bytesOf()
    const end = (): void => {
      client.destroy()
      target.destroy()
    }
    for (const socket of [client, target]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on("error", end)
      socket.on("close", () => {
        open.delete(socket)
        end()
      })
    }
    client.pipe(target)
    target.on("data", (bytes) => {
      const given = bytes.subarray(0, Math.min(bytes.length, left))
      left -= given.length
      if (left > 0) client.write(given)
      else {
        cuts += 1
        // What was written before the cut arrives.
        client.end(given, end)
      }
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  hooks.after(() => {
    server.close()
    cut()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cuts: () => cuts, cut }
}
