// Where a server listens: takes its addresses, and leaves them without the loss of a connection.
import { lookup } from "node:dns/promises"
import type { Server, Socket } from "node:net"
import { type ConnectionFiles, filesForConnections } from "../base/open-files.ts"
import { type Refusal, refusal } from "../base/problem.ts"
import type { Observe } from "./observation.ts"

/** An import would load all that node:net can give. */
const net = process.getBuiltinModule("node:net")
const { close: stop }: Server = net.Server.prototype

/** Connections that the system keeps until they are taken; it may allow less (`net.core.somaxconn`). */
export const backlog = 4_096

export interface Address {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

/** Where a server is, and how it is spoken to. */
export interface Place extends Address {
  readonly socket?: { readonly path: string } | undefined
  readonly tls?: object | undefined
}

export interface Reached {
  /** `http://127.0.0.1:4000`; of a socket `http://unix:/run/bifold.sock:`, as proxies spell it. */
  readonly url: string
  readonly port: number
}

/** Milliseconds that a turn of the event loop with nothing to do takes on a fast machine, */
const shortest = 0.005
/** and after which one that is twice as long will do. */
const patience = 20
/** Milliseconds that another program has to take a connection. */
const trial = 250
/** Milliseconds after which it stops although connections arrive in each turn: their clients would keep it for ever. */
const longest = 2_000

/**
 * The first address of the host has to be had, the others are as good as they can be. Throws a Refusal when it cannot.
 * @param listen listens on one address, and gives the port
 */
export async function listenAt(
  address: Place,
  listen: (host: string, port: number) => Promise<number>,
): Promise<Reached> {
  const { host } = address
  const [first = host, ...others] = await addressesOf(host)
  try {
    const port = await listen(first, address.port)
    await Promise.allSettled(others.map((other) => listen(other, port)))
    return reachedAt({ ...address, port })
  } catch (error) {
    throw cannotListen(error, address) ?? error
  }
}

/**
 * Throws a Refusal when another program listens there already: before anything is begun that would have to be undone. Whether
 * the address can be had is known when it is taken.
 */
export async function refuseTaken(address: Address): Promise<void> {
  if (address.port !== 0 && (await answers(address))) throw inUse(address)
}

/** A trial of the address itself would reset clients that connect meanwhile. */
function answers({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port })
    const tell = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.setTimeout(trial, () => tell(false))
    socket.once("connect", () => tell(true))
    socket.once("error", () => tell(false))
  })
}

export function reachedAt({ host, port, socket, tls }: Place): Reached {
  const scheme = tls ? "https" : "http"
  const url = socket
    ? `${scheme}://unix:${socket.path}:`
    : `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`
  return { url, port }
}

/** For a name of this machine, the server listens on all its addresses: clients choose any of them. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (host !== "localhost") return [host]
  const found = await lookup(host, { all: true }).catch(() => [])
  return [...new Set(found.map(({ address }) => address))]
}

/** Each connection that a client has made is taken before. */
export async function stopListening(servers: readonly Server[]): Promise<void> {
  const listening = servers.filter((server) => server.listening)
  if (listening.length > 0) await rehearse()
  for (const server of listening) await stopOne(server)
}

/**
 * The kernel resets connections that no process has accepted. Node accepts one of them in a turn of the event loop, so the
 * queue is empty after a turn without any. The turn must be short, as others arrive meanwhile.
 */
function stopOne(server: Server): Promise<void> {
  const began = performance.now()
  let [isTaken, at] = [true, began]
  const take = (): void => {
    isTaken = true
  }
  server.on("connection", take)
  return new Promise((resolve) => {
    const turn = (): void => {
      const now = performance.now()
      const short = shortest * 2 ** ((now - began) / patience)
      if ((isTaken || now - at > short) && now - began < longest) {
        isTaken = false
        at = performance.now()
        setImmediate(turn)
      } else {
        // The `close` of node:http destroys connections without a request.
        stop.call(server)
        server.off("connection", take)
        resolve()
      }
    }
    setImmediate(turn)
  })
}

/** The first call of a listener's close takes ten times as long as later ones, and connections arrive meanwhile. */
async function rehearse(): Promise<void> {
  const listener = net.createServer().listen({ host: "127.0.0.1", port: 0, exclusive: true })
  const ended = new Promise<void>((resolve) => {
    listener.once("error", () => resolve())
    listener.once("close", () => resolve())
  })
  listener.once("listening", () => stop.call(listener))
  await ended
}

const inUse = ({ host, port }: Address): Refusal =>
  refusal("cannot_listen", `Port ${port} of ${host} is in use already.`, {
    hint: "Choose another with --port (0 takes any that is free), or end the program that uses it.",
  })

function cannotListen(error: unknown, { host, port }: Address): Refusal | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "EADDRINUSE") return inUse({ host, port })
  if (code === "EACCES")
    return refusal("cannot_listen", `Port ${port} may only be used by the system's administrator.`, {
      hint: "Choose a port above 1023 with --port.",
    })
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return refusal("cannot_listen", `${host} is not an address of this machine.`, {
      hint: "Choose one with --host, such as 127.0.0.1, or 0.0.0.0 for all of them.",
    })
  return undefined
}

// Whether the process has descriptors for one more connection. Without any, libuv closes connections silently,
// the database cannot be opened, and connections that are handed to a worker are lost.

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
