// Requests that arrive on a connection before others there are answered are done at the same time only when all of them
// are safe (RFC 9112 section 9.3.2): what is sent after a write sees what it wrote. They are done a few at a time, since a
// client may send any number of them and take no answer.
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

export interface Pipelining {
  /**
   * When the request may be looked at, or its connection has ended; undefined: now, as is that of a client that waits for its
   * answers.
   */
  wait(request: IncomingMessage, to: ServerResponse): Promise<void> | undefined
  /** The request is answered. */
  end(request: IncomingMessage): void
}

/** RFC 9110 section 9.2.1. */
const safe: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"])

/** Requests of one connection that are under way, or whose answers wait for an earlier one. */
const mostUnderWay = 8
/** Bytes of answers that one connection has not taken, from which on no other request is begun there. */
const mostUntaken = 1024 * 1024
/** Requests that wait, from which on no more is read of the connection. */
const mostWaiting = 16

/** One behind the request whose answer is sent next. */
interface Follower {
  readonly to: ServerResponse
  readonly isSafe: boolean
  /** Undefined once it has begun. */
  begin: (() => void) | undefined
}

/** Those of a connection, in their order. */
interface Line {
  readonly followers: Follower[]
  /** How many of them have begun: they stand at the front. */
  begun: number
}

export function createPipelining(): Pipelining {
  /** The request of a connection that is not safe, while it is under way. */
  const unsafe = new WeakMap<Socket, IncomingMessage>()
  const lines = new WeakMap<Socket, Line>()

  const pass = (socket: Socket, line: Line): void => {
    const { followers } = line
    while (line.begun < mostUnderWay - 1 && !unsafe.has(socket) && untaken(socket, line) < mostUntaken) {
      const next = followers[line.begun]
      if (!next?.isSafe) break
      start(line, next)
    }
    // Node leaves it paused where it has reasons of its own.
    if (socket.isPaused() && !isLong(line)) socket.resume()
  }

  const openLine = (socket: Socket): Line => {
    const line: Line = { followers: [], begun: 0 }
    lines.set(socket, line)
    // Nothing is sent there any more, so that no one's turn would come: each is begun, and finds no client.
    socket.once("close", () => {
      for (const follower of line.followers) start(line, follower)
    })
    return line
  }

  const follow = (request: IncomingMessage, to: ServerResponse): Promise<void> | undefined => {
    const { socket } = request
    const line = lines.get(socket) ?? openLine(socket)
    const { promise, resolve } = Promise.withResolvers<void>()
    const follower: Follower = { to, isSafe: safe.has(request.method), begin: resolve }
    line.followers.push(follower)
    // All before it are sent.
    to.once("socket", () => {
      if (!follower.isSafe) unsafe.set(socket, request)
      start(line, follower)
      line.followers.shift()
      line.begun -= 1
      pass(socket, line)
    })
    if (line.begun === line.followers.length - 1) pass(socket, line)
    if (!follower.begin) return undefined
    // Not before the end of what has been read: Node goes on reading after each request in it.
    if (isLong(line)) process.nextTick(() => isLong(line) && socket.pause())
    return promise
  }

  return {
    wait(request, to) {
      // A response has a connection when all before it are sent.
      if (to.socket === null && !request.socket.destroyed) return follow(request, to)
      if (!safe.has(request.method)) unsafe.set(request.socket, request)
      return undefined
    },
    end(request) {
      if (!safe.has(request.method) && unsafe.get(request.socket) === request) unsafe.delete(request.socket)
    },
  }
}

function start(line: Line, follower: Follower): void {
  if (!follower.begin) return
  follower.begin()
  follower.begin = undefined
  line.begun += 1
}

const isLong = ({ followers, begun }: Line): boolean => followers.length - begun >= mostWaiting

const untaken = (socket: Socket, { followers, begun }: Line): number =>
  followers.slice(0, begun).reduce((sum, { to }) => sum + to.writableLength, socket.writableLength)
