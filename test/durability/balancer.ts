// TCP balancers with servers behind them, which read nothing of what passes.
import { once } from "node:events"
import { request } from "node:http"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { Hooks } from "../support/database.ts"

/**
 * A connection that one server refuses goes to the next, and nothing else is tried again.
 * @returns the port that it listens on
 */
export async function startBalancer(hooks: Hooks, ports: readonly number[]): Promise<number> {
  let turn = 0
  return await listen(hooks, (near) => {
    turn += 1
    const [first = 0, ...others] = ports.map((_, index) => ports[(turn + index) % ports.length] ?? 0)
    void join(near, first, others)
  })
}

export interface CheckingBalancer {
  readonly port: number
  /** Resolves when it sends connections to the server. */
  sends(to: number): Promise<void>
}

/**
 * Connections go to the servers whose last check of `/readyz` was 200, in turns. One that is refused there is lost.
 * @param every milliseconds between two checks of a server
 */
export async function startCheckingBalancer(
  hooks: Hooks,
  ports: readonly number[],
  every: number,
): Promise<CheckingBalancer> {
  const ready = new Set<number>()
  const waiting = new Set<() => void>()
  const ending = new AbortController()
  const { signal } = ending
  let turn = 0
  const check = async (port: number): Promise<void> => {
    while (!signal.aborted) {
      if (await isReady(port)) ready.add(port)
      else ready.delete(port)
      for (const look of waiting) look()
      await sleep(every, undefined, { signal }).catch(() => {})
    }
  }
  const checks = ports.map(check)
  hooks.after(async () => {
    ending.abort()
    await Promise.all(checks)
  })
  const port = await listen(hooks, (near) => {
    const all = [...ready]
    turn += 1
    const chosen = all[turn % all.length]
    if (chosen === undefined) near.resetAndDestroy()
    else void join(near, chosen, [])
  })
  const sends = (to: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!ready.has(to)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  return { port, sends }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ port, path: "/readyz", agent: false, timeout: 5_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.on("timeout", () => asked.destroy())
    asked.on("error", () => resolve(false))
    asked.end()
  })
}

async function listen(hooks: Hooks, take: (near: Socket) => void): Promise<number> {
  const open = new Set<Socket>()
  const balancer = createServer({ allowHalfOpen: true }, (near) => {
    near.on("error", () => {}) // the client sees it
    open.add(near.once("close", () => open.delete(near)))
    take(near)
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
