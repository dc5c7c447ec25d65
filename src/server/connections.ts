// The connections of a server, and how they end: a request that was sent is answered, and no answer is lost to a reset.
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Server as Listener, Socket } from "node:net"

/** An import would load all that node:net can give. */
const net = process.getBuiltinModule("node:net")
const { close: stop }: Listener = net.Server.prototype

export interface Patience {
  /** Milliseconds for which a connection without a request is kept: one may be on its way. */
  readonly linger: number
  /** Milliseconds for what is being answered; connections are cut afterwards. */
  readonly drain: number
}

/** Milliseconds that a client has to close a connection whose answers have all been sent. */
const farewell = 1_000
/** Milliseconds that a turn of the event loop with nothing to do takes on a fast machine, */
const shortest = 0.005
/** and after which one that is twice as long will do. */
const patience = 20

export class Connections {
  readonly #servers: Server[] = []
  /** Of each connection the bytes that belong to requests which are answered. */
  readonly #answered = new Map<Socket, number>()
  /** The last request of a connection on which several are under way. */
  readonly #behind = new WeakMap<Socket, IncomingMessage>()
  #closing = false
  #taken = 0
  /** Called when the last connection has ended. */
  #gone = (): void => {}

  /** Before it listens. */
  watch(server: Server): void {
    this.#servers.push(server)
    server.on("connection", (socket) => this.#take(socket))
  }

  /** False for a request that came when no more answers can be sent on its connection: nothing may be done for it. */
  begin(request: IncomingMessage, to: ServerResponse): boolean {
    // A response has a connection when all before it are sent.
    if (to.socket === null) this.#behind.set(request.socket, request)
    return !this.#closing || request.socket.writable
  }

  /** Whether the answer to the request is the last on its connection. */
  isLast(request: IncomingMessage): boolean {
    return this.#closing && (this.#behind.get(request.socket) ?? request) === request
  }

  end(request: IncomingMessage): void {
    const { socket } = request
    const behind = this.#behind.get(socket)
    if (behind !== undefined && behind !== request) return
    if (behind) this.#behind.delete(socket)
    if (this.#answered.has(socket)) this.#answered.set(socket, socket.bytesRead)
  }

  /** Resolves with how many connections had to be cut. */
  async close({ linger, drain }: Patience): Promise<number> {
    const gone = new Promise<void>((resolve) => {
      this.#gone = resolve
    })
    let cut = 0
    const cutting = setTimeout(() => {
      cut = this.#answered.size
      for (const socket of this.#answered.keys()) socket.destroy()
    }, drain)
    await rehearse()
    for (const server of this.#servers) await this.#stopListening(server)
    // Not before: a client that is told to leave comes back on another connection.
    this.#closing = true
    for (const socket of this.#answered.keys()) closeGently(socket)
    if (this.#answered.size === 0) this.#gone()
    const lingering = setTimeout(() => this.#endIdle(), linger)
    await gone
    clearTimeout(cutting)
    clearTimeout(lingering)
    return cut
  }

  #take(socket: Socket): void {
    this.#taken += 1
    this.#answered.set(socket, 0)
    if (this.#closing) closeGently(socket)
    socket.once("close", () => {
      this.#answered.delete(socket)
      if (this.#closing && this.#answered.size === 0) this.#gone()
    })
  }

  /**
   * The kernel resets connections that it has made and that nobody has taken from it. Node takes one of them in a turn of the
   * event loop, so that none is left after a turn without any; after a short one, as others arrive meanwhile.
   */
  #stopListening(server: Server): Promise<void> {
    const began = performance.now()
    let [taken, at] = [-1, began]
    return new Promise((resolve) => {
      const turn = (): void => {
        const now = performance.now()
        const short = shortest * 2 ** ((now - began) / patience)
        if (this.#taken !== taken || now - at > short) {
          taken = this.#taken
          at = performance.now()
          setImmediate(turn)
        } else {
          // That of node:http destroys connections without a request.
          stop.call(server)
          resolve()
        }
      }
      setImmediate(turn)
    })
  }

  #endIdle(): void {
    for (const [socket, answered] of this.#answered) if (socket.bytesRead === answered) endGently(socket)
  }
}

/** What closes a listener takes ten times as long when it is called for the first time, and connections arrive meanwhile. */
async function rehearse(): Promise<void> {
  const listener = net.createServer().listen({ host: "127.0.0.1", port: 0, exclusive: true })
  const ended = new Promise<void>((resolve) => {
    listener.once("error", () => resolve())
    listener.once("close", () => resolve())
  })
  listener.once("listening", () => stop.call(listener))
  await ended
}

/** For what node:http does after an answer with `Connection: close`. */
function closeGently(socket: Socket): void {
  socket.destroySoon = () => endGently(socket)
}

/**
 * What is not read when a socket is closed has the kernel send a reset, for which the client loses an answer that it has not
 * read. So what comes is read until the client has closed (RFC 9112 section 9.6).
 */
function endGently(socket: Socket): void {
  if (socket.writableEnded) return
  socket.end()
  const cut = setTimeout(() => socket.destroy(), farewell)
  socket.once("close", () => clearTimeout(cut))
}
