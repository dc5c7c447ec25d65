// The connections of a server, and how they end: a request that was sent is answered, and no answer is lost to a reset.
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { ServerHttp2Session } from "node:http2"
import type { Server as Listener, Socket } from "node:net"
import { clientAddress } from "../access/limits/client-address.ts"
import type { EarlySharing } from "./cross-site.ts"
import { endGently, refuseConnection } from "./farewell.ts"
import type { watchDescriptors } from "./listening.ts"
import { stopListening } from "./listening.ts"

export interface Patience {
  /** Milliseconds for which a connection without a request is kept: one may be on its way. */
  readonly linger: number
  /** Milliseconds for requests under way; connections are cut afterwards. */
  readonly drain: number
}

/** When clients begin to be sent away, and when all are; as of `performance.now()`. */
interface Draining {
  readonly from: number
  readonly until: number
}

export interface ConnectionsOptions {
  /** Connections of one client; 0: any number. */
  readonly mostOfOne: number
  readonly shareHeaders: EarlySharing["headersFor"]
  /** Descriptors that a connection leaves. */
  readonly room: ReturnType<typeof watchDescriptors>
}

export class Connections {
  readonly #servers: Listener[] = []
  readonly #mostOfOne: number
  readonly #shareHeaders: EarlySharing["headersFor"]
  readonly #room: ReturnType<typeof watchDescriptors>
  /** Connections by the address of their client. */
  readonly #clients = new Map<string, number>()
  /** Bytes of answered requests, by connection. */
  readonly #answered = new Map<Socket, number>()
  /** The last request of a connection on which several are under way. */
  readonly #behind = new WeakMap<Socket, IncomingMessage>()
  #draining: Draining | undefined
  /** Connections of HTTP/2. */
  readonly #sessions = new Set<ServerHttp2Session>()
  #closing = false
  /** Connections without a request are not kept any more. */
  #lingered = false
  /** Called when the last connection has ended. */
  #gone = (): void => {}

  constructor({ mostOfOne, shareHeaders, room }: ConnectionsOptions) {
    this.#mostOfOne = mostOfOne
    this.#shareHeaders = shareHeaders
    this.#room = room
  }

  /** Call before the server listens. @param front listens on the server's behalf, where present */
  watch(server: Server, front: Listener = server): void {
    this.#servers.push(front)
    // A handshake takes a descriptor, too, and is answered with none.
    if (front !== server)
      front.on("connection", (socket) => {
        if (this.#room(socket) !== "ample") socket.destroy()
      })
    server.on("connection", (socket) => this.#take(socket))
  }

  /** Counts a connection of HTTP/2; false where its client has too many. */
  admit(socket: Socket): boolean {
    return this.#count(socket)
  }

  /** Streams of the session are answered before the server has closed. */
  hold(session: ServerHttp2Session): void {
    this.#sessions.add(session)
    session.once("close", () => {
      this.#sessions.delete(session)
      this.#tellGone()
    })
    if (this.#closing) session.close()
    else if (this.#draining) sendAway(session, this.#draining)
  }

  /** False for a request that came when no more answers can be sent on its connection: nothing may be done for it. */
  begin(request: IncomingMessage, to: ServerResponse): boolean {
    // A response has a connection when all before it are sent.
    if (to.socket === null) this.#behind.set(request.socket, request)
    return request.socket.writable
  }

  /** Whether the answer to the request is the last on its connection. */
  isLast(request: IncomingMessage): boolean {
    return this.#sendsAway() && (this.#behind.get(request.socket) ?? request) === request
  }

  /** @param delay milliseconds until it is closed */
  drain(delay: number): void {
    const now = performance.now()
    if (delay <= 0) return
    this.#draining = { from: now + delay / 2, until: now + delay }
    for (const session of this.#sessions) sendAway(session, this.#draining)
  }

  /** Before the listener has closed a client may come back, so that few are sent away at first. */
  #sendsAway(): boolean {
    if (this.#closing || !this.#draining) return this.#closing
    const { from, until } = this.#draining
    return Math.random() * (until - from) < performance.now() - from
  }

  end(request: IncomingMessage): void {
    const { socket } = request
    const behind = this.#behind.get(socket)
    if (behind !== undefined && behind !== request) return
    if (behind) this.#behind.delete(socket)
    if (this.#answered.has(socket)) this.#answered.set(socket, socket.bytesRead)
    // An answer that took long may have begun before the server closed, and has not said that it is the last.
    if (this.#lingered) endGently(socket)
  }

  /** Resolves with how many connections had to be cut. */
  async close({ linger, drain }: Patience): Promise<number> {
    const gone = new Promise<void>((resolve) => {
      this.#gone = resolve
    })
    let cut = 0
    const cutting = setTimeout(() => {
      cut = this.#answered.size + this.#sessions.size
      for (const socket of this.#answered.keys()) socket.destroy()
      for (const session of this.#sessions) session.destroy()
    }, drain)
    await stopListening(this.#servers)
    // Not before: a client that is sent away returns on another connection.
    this.#closing = true
    this.#tellGone()
    for (const session of this.#sessions) session.close()
    const lingering = setTimeout(() => this.#endIdle(), linger)
    await gone
    clearTimeout(cutting)
    clearTimeout(lingering)
    return cut
  }

  #take(socket: Socket): void {
    const room = this.#room(socket)
    if (room === "none") return void socket.destroy()
    const refuse = (detail: string): void => refuseConnection(socket, detail, this.#shareHeaders(socket))
    if (room === "little") return void refuse("There are too many connections.")
    if (!this.#count(socket)) return void refuse("This address has too many connections.")
    this.#answered.set(socket, 0)
    // For what node:http does after an answer with `Connection: close`.
    socket.destroySoon = () => endGently(socket)
    socket.once("close", () => {
      this.#answered.delete(socket)
      this.#tellGone()
    })
  }

  /** False where its client has as many as it may. */
  #count(socket: Socket): boolean {
    const client = clientAddress({ headers: {}, socket }, 0)
    const count = this.#clients.get(client) ?? 0
    if (this.#mostOfOne > 0 && count >= this.#mostOfOne) return false
    this.#clients.set(client, count + 1)
    socket.once("close", () => {
      const others = (this.#clients.get(client) ?? 1) - 1
      if (others > 0) this.#clients.set(client, others)
      else this.#clients.delete(client)
    })
    return true
  }

  #tellGone(): void {
    if (this.#closing && this.#answered.size === 0 && this.#sessions.size === 0) this.#gone()
  }

  #endIdle(): void {
    this.#lingered = true
    for (const [socket, answered] of this.#answered) if (socket.bytesRead === answered) endGently(socket)
  }
}

/**
 * Each at a time of its own. GOAWAY names the last stream that is answered (RFC 9113 section 6.8): a client may send what came
 * after it on another connection.
 */
function sendAway(session: ServerHttp2Session, { from, until }: Draining): void {
  const now = performance.now()
  const [first, last] = [Math.max(from - now, 0), Math.max(until - now, 0)]
  const timer = setTimeout(() => session.close(), first + Math.random() * (last - first)).unref()
  session.once("close", () => clearTimeout(timer))
}
