// A way to a PostgreSQL server that can stop carrying anything, while its connections stay open.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { Hooks } from "./database.ts"

export interface Muffled {
  /** The same database, by this way. */
  readonly url: string
  /** Connections through it that are open. */
  readonly open: number
  /** From now on nothing goes either way on the connections that there are; new ones are as before. */
  muffle(): void
}

export async function muffled(hooks: Hooks, url: string): Promise<Muffled> {
  const target = new URL(url)
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    const [out, back] = [near.pipe(far), far.pipe(near)]
    for (const side of [out, back])
      side
        .on("error", () => {})
        .on("close", () => {
          pairs.delete(pair)
          for (const one of pair) one.destroy()
        })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  hooks.after(() => {
    for (const pair of pairs) for (const one of pair) one.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    get open() {
      return pairs.size
    },
    muffle() {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        // Reading goes on, so that an end is still seen.
        near.resume()
        far.resume()
      }
    },
  }
}
