// Answers messages of node:http, for any server: in their turn, with the response of dispatch, to the end of a stream.
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { isText, type JsonPieces, piecesOf, sizeOf } from "../../base/json.ts"
import type { RequestRecord } from "../../base/telemetry.ts"
import { type Body, type BodyStream, cutBy, isStream } from "../../http/answer.ts"
import type { Leave } from "../admission.ts"
import { type Dispatch, type Dispatched, dispatch } from "../dispatch.ts"
import { takenFrom } from "../held-bytes.ts"
import { hasBody, type ReadBody, readAhead, readBody, requestIdOf } from "../incoming.ts"

interface AnsweringOptions {
  readonly dispatch: Dispatch
  /** Milliseconds for a client that takes nothing of an answer. */
  readonly untaken: number
  /** Whether the answer to the request is the last on its connection. */
  readonly isLast: (request: IncomingMessage) => boolean
  /** The request is answered. */
  readonly ended: (request: IncomingMessage) => void
}

/**
 * Takes the place of the request on its connection, in the order in which requests arrive there. Gives the function that answers
 * it. The function resolves when the answer was sent, or its client has left, and never rejects: a fault is observed, and ends
 * the connection.
 * @param ask gives the response; dispatch does when absent
 */
type AnswerMessage = (
  request: IncomingMessage,
  to: ServerResponse,
  leave: Leave,
  ask?: () => Promise<Dispatched | undefined>,
) => () => Promise<void>

export function createAnswerMessage(options: AnsweringOptions): AnswerMessage {
  const { dispatch: dispatching, untaken, isLast, ended } = options
  const { bodyLimit } = dispatching
  const pipelining = createPipelining()
  const holdUntaken = (socket: Socket, to: ServerResponse, body: Body): void => {
    if ((to.writableLength === 0 && to.writableEnded) || to.destroyed) return
    const hold = dispatching.untaken.hold(socket, {
      bytes: isStream(body) ? 0 : to.writableLength,
      // Answers behind one that is not ready have to wait for it.
      taken: () => (socket.writableLength > 0 ? takenFrom(socket) : undefined),
      ...(isStream(body) && { look: () => to.writableLength }),
    })
    to.once("close", () => hold.end())
  }
  const answer = async (
    { turn, read }: { readonly turn: Promise<void> | undefined; readonly read: ReadBody<IncomingMessage> },
    ...asked: Parameters<AnswerMessage>
  ): Promise<void> => {
    const [request, to, leave, ask] = asked
    let response: Dispatched | undefined
    try {
      if (turn) await turn
      // Its client has left while it waited: nothing need be done for it.
      if (request.socket.destroyed) return
      response = await (ask ? ask() : dispatch(dispatching, request, read))
      // Without a response there is no client left.
      if (!response) return
      leave()
      if (response.record) watchSending(to, response.record)
      const sending = sendResponse(to, response, { last: isLast(request), untaken })
      holdUntaken(request.socket, to, response.body)
      if (sending) await sending
    } catch (error) {
      const { "x-request-id": given } = request.headers
      const requestId = requestIdOf(typeof given === "string" ? given : undefined)
      dispatching.observe({ kind: "failed", requestId, error })
      response?.record?.failed()
      to.destroy()
    } finally {
      leave()
      pipelining.end(request)
      // Unread parts of the body stand before the next request.
      if (!ask) request.resume()
      ended(request)
    }
  }
  return (request, to, leave, ask) => {
    const read =
      !ask && hasBody(request)
        ? readAhead({ message: request, headers: request.headers, held: dispatching.arriving }, bodyLimit)
        : readBody
    const turn = pipelining.wait(request, to)
    return () => answer({ turn, read }, request, to, leave, ask)
  }
}

/** The record ends with the answer, or with its client. */
export function watchSending(to: Writable, record: RequestRecord): void {
  const ended = (): void => {
    if (to.writableFinished) record.sent()
    else record.left()
  }
  if (to.destroyed) ended()
  else to.once("close", ended)
}

// Sends a response of dispatch through node:http.

/** Bytes from which on an answer is sent as it is: Node copies a long string more often than a buffer. */
const long = 16_384

interface Sending {
  /** No other answer follows on the connection. */
  readonly last: boolean
  /** Milliseconds. */
  readonly untaken: number
}

/** Resolves when a stream has been sent or its client has left; a whole body is handed over at once. */
function sendResponse(
  to: ServerResponse,
  sent: Dispatched,
  { last, untaken }: Sending,
): Promise<void> | undefined {
  const { status, headers, body } = sent
  if (last) headers.push("connection", "close")
  if (isStream(body)) {
    to.writeHead(status, headers)
    cutUntaken(to, untaken)
    return writeStream(to, body, sent.through)
  }
  const content = isText(body) && body.length >= long ? Buffer.from(body) : body
  const bodiless = status === 204 || status === 304
  if (!bodiless) headers.push("content-length", sent.length ?? String(sizeOf(content)))
  to.writeHead(status, headers)
  if (isText(content)) to.end(content)
  else if (sizeOf(content) < long) to.end(asText(piecesOf(content)), "latin1")
  else if (Buffer.isBuffer(content)) to.end(content)
  else {
    // Sent as one: Node waits for the end of the turn.
    for (const piece of content) to.write(piece)
    to.end()
  }
  cutUntaken(to, untaken)
  return undefined
}

/** Rejects with what the making of a piece failed with: the connection is cut, so that the client sees that the body is not whole. */
async function writeStream(
  to: ServerResponse,
  body: BodyStream,
  through: Dispatched["through"],
): Promise<void> {
  try {
    await (through ? pipeline(body, through(), to, cutBy(body)) : pipeline(body, to, cutBy(body)))
  } catch (error) {
    if (!hasLeft(error)) throw error
  }
}

/** Or was cut. */
const hasLeft = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ERR_STREAM_PREMATURE_CLOSE" || error.code === "ABORT_ERR")

/** A character for each byte: Node puts a string behind the headers, and writes both at once. */
const asText = (pieces: JsonPieces): string =>
  pieces.reduce((text, bytes) => text + bytes.toString("latin1"), "")

// Cuts the connection of a client that does not take its answer, which would be kept for it as long as it likes.

/**
 * Node counts from the last bytes that the client took, and looks once in this time.
 * @param to its answer is written, or the first of a stream is about to be
 * @param patience milliseconds
 */
export function cutUntaken(to: ServerResponse, patience: number): void {
  // The kernel sends the bytes that it has taken; more of a stream follows.
  if (to.writableLength === 0 && to.writableEnded) return
  to.setTimeout(patience)
  // Before what Node does then: the next answer may not be ready for a while.
  to.prependOnceListener("finish", () => to.socket?.setTimeout(0))
}

// Pipelined requests of a connection run at the same time only when all of them are safe (RFC 9112 section 9.3.2).
// So a request behind a write sees its effects. A few run at a time, since a client may send any number of requests and take
// no answer.
interface Pipelining {
  /**
   * Call in the order in which requests arrive on their connection. Resolves when the request may begin, or its connection
   * has ended; undefined means now, as for a client that waits for its answers.
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

/** The requests of a connection, in their order. */
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
      if (!next?.isSafe || !next.begin) break
      start(line, next)
    }
    // Node leaves it paused where it has reasons of its own.
    if (socket.isPaused() && !isLong(line)) socket.resume()
  }

  const openLine = (socket: Socket): Line => {
    const line: Line = { followers: [], begun: 0 }
    lines.set(socket, line)
    // Nothing is sent there any more, so no turn would come. Each follower begins, and finds no client.
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
      line.followers.splice(line.followers.indexOf(follower), 1)
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
