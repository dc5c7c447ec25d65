// A TCP balancer with two servers behind it: a connection that one of them refuses goes to the other, and nothing else is
// tried again.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { Hooks } from "../support/database.ts"

/** @returns the port that it listens on */
export async function startBalancer(hooks: Hooks, ports: readonly number[]): Promise<number> {
  const open = new Set<Socket>()
  let turn = 0
  const balancer = createServer({ allowHalfOpen: true }, (near) => {
    turn += 1
    near.on("error", () => {}) // the client sees it
    open.add(near.once("close", () => open.delete(near)))
    const [first = 0, ...others] = ports.map((_, index) => ports[(turn + index) % ports.length] ?? 0)
    void join(near, first, others)
  })
  balancer.listen(0, "127.0.0.1")
  await once(balancer, "listening")
  hooks.after(async () => {
    for (const socket of open) socket.destroy()
    balancer.close()
    await once(balancer, "close")
  })
  return (balancer.address() as AddressInfo).port
}

async function join(near: Socket, port: number, others: readonly number[]): Promise<void> {
  const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  try {
    await once(far, "connect")
  } catch {
    const [next, ...rest] = others
    if (next === undefined) near.resetAndDestroy()
    else await join(near, next, rest)
    return
  }
  far.on("error", () => near.resetAndDestroy())
  near.on("error", () => far.destroy())
  near.once("close", () => far.destroy())
  near.pipe(far)
  far.pipe(near)
}
