// HTTP/2 (RFC 9113): streams of a connection are requests of their own, with the limits and deadlines of HTTP/1.1.
import type { OutgoingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from "node:http2"
import type { Socket } from "node:net"
import { present } from "../../base/invariant.ts"
import { type AnswerHeaders, type Body, isStream } from "../../http/answer.ts"
import type { Arrival, Leave } from "../admission.ts"
import { type Dispatch, type Dispatched, dispatch } from "../dispatch.ts"
import { watchSending } from "../exchange/answer-messages.ts"
import { takenFrom } from "../held-bytes.ts"
import { type Incoming, isProbe, noBody, type ReadBody, requestIdOf } from "../incoming.ts"
import { shedResponse } from "../shed.ts"
import {
  createStreamMessage,
  headersOf,
  readStreamAhead,
  type StreamMessage,
  sendOnStream,
} from "./http2-message.ts"

export interface Http2Options {
  readonly dispatch: Dispatch
  /** Bytes of all headers of a request together. */
  readonly maxHeaderSize: number
  /** Milliseconds. */
  readonly deadlines: { readonly request: number; readonly idle: number; readonly untaken: number }
  readonly arrivalOf: (request: Incoming) => Arrival
  /** Begins the request, or gives undefined when it is refused. */
  readonly enter: (arrival: Arrival) => Leave | undefined
  /** Runs work when its turn has come. */
  readonly begin: (client: string, work: () => void) => void
  readonly isGraphql: (request: Pick<Incoming, "url">) => boolean
  readonly shareHeaders: (origin: string | undefined) => AnswerHeaders
  /** Counts a connection; false where its client has too many. */
  readonly admit: (socket: Socket) => boolean
  /** Keeps a session until it has ended, or the server closes. */
  readonly hold: (session: ServerHttp2Session) => void
}

/** Takes a connection whose client speaks HTTP/2. */
export type TakeHttp2 = (socket: Socket) => void

/** Streams of a connection that may be open at a time. */
const mostStreams = 100
/** Streams that a client may give up at once, and in a second after that (CVE-2023-44487). */
const resets = { streamResetBurst: 2 * mostStreams, streamResetRate: 33 } as const
/** Frames against the protocol, and streams over the bound, after which a connection is ended. */
const mostFaults = 100
/** Bytes of a stream that a client sends before the server reads any, also of a refused body (RFC 9113 section 6.9.2). */
const streamWindow = 65_535
/** Megabytes that one connection may hold. */
const sessionMemory = 10

export function createHttp2(options: Http2Options): TakeHttp2 {
  const http2 = process.getBuiltinModule("node:http2")
  const { deadlines, maxHeaderSize } = options
  const settings = {
    ...resets,
    maxSessionMemory: sessionMemory,
    maxSessionInvalidFrames: mostFaults,
    maxSessionRejectedStreams: mostFaults,
    settings: {
      maxConcurrentStreams: mostStreams,
      maxHeaderListSize: maxHeaderSize,
      enablePush: false,
      enableConnectProtocol: false,
    },
  }
  const server = http2.createServer(settings)
  const answer = createAnswerStream(options)
  // Node emits `session` while the connection is taken; the session itself shows only a substitute of its socket.
  let taken: Socket | undefined
  server.on("session", (session) => {
    const socket = present(taken, "a session has a connection")
    // A fault of the protocol ends the connection, and nothing else.
    session.on("error", () => {})
    options.hold(session)
    boundFrames(session, socket, {
      streams: mostStreams,
      request: maxHeaderSize + options.dispatch.bodyLimit + streamWindow,
      ended: () => options.dispatch.observe({ kind: "flooded", bound: "frames", count: 1 }),
    })
    const peer = { remoteAddress: socket.remoteAddress, encrypted: "encrypted" in socket }
    let open = 0
    // Time runs while nothing is sent or received.
    session.setTimeout(deadlines.idle, () => {
      if (open === 0) session.close()
    })
    session.on("stream", (stream, headers, _flags, raw) => {
      open += 1
      stream.on("error", () => {})
      stream.once("close", () => {
        open -= 1
      })
      // Thrown from here, a fault would end the process.
      try {
        if (headers[":method"] === "CONNECT") respondAtOnce(stream, { ":status": 405, allow: "" })
        else answer(createStreamMessage(stream, { headers, raw: raw as unknown as string[] }, peer), socket)
      } catch (error) {
        giveUp(stream, headers["x-request-id"], { observe: options.dispatch.observe, error })
      }
    })
  })
  server.on("sessionError", () => {})
  return (socket) => {
    // Before there is a session, which Node would still set up.
    if (!options.admit(socket)) return void socket.destroy()
    // Both sides of such a connection end together.
    socket.allowHalfOpen = false
    taken = socket
    server.emit("connection", socket)
    taken = undefined
  }
}

/** RFC 9113 section 7. */
const [internalError, cancel] = [2, 8]

interface Answering {
  readonly socket: Socket
  readonly leave: Leave
  readonly read: ReadBody<StreamMessage>
}

function createAnswerStream(options: Http2Options): (message: StreamMessage, socket: Socket) => void {
  const { dispatch: dispatching, deadlines, arrivalOf, enter, begin } = options
  const answer = async (message: StreamMessage, { socket, leave, read }: Answering): Promise<void> => {
    const { stream, headers } = message
    let response: Dispatched | undefined
    try {
      // Its client has left while it waited.
      if (stream.destroyed) return
      response = await arrivingIn(deadlines.request, stream, () => dispatch(dispatching, message, read))
      if (!response) return
      leave()
      if (response.record) watchSending(stream, response.record)
      stream.setTimeout(deadlines.untaken, () => stream.close(cancel))
      const sending = sendOnStream(stream, response, message.method === "HEAD")
      holdUntaken(stream, response.body, socket)
      await sending
    } catch (error) {
      giveUp(stream, headers["x-request-id"], { observe: dispatching.observe, error })
      response?.record?.failed()
    } finally {
      leave()
      // Unread parts of its body keep the stream open.
      stream.resume()
    }
  }
  const holdUntaken = (stream: ServerHttp2Stream, body: Body, socket: Socket): void => {
    if (stream.writableLength === 0 && stream.writableEnded) return
    const hold = dispatching.untaken.hold(socket, {
      bytes: isStream(body) ? 0 : stream.writableLength,
      taken: () => takenFrom(socket),
      ...(isStream(body) && { look: () => stream.writableLength }),
    })
    stream.once("close", () => hold.end())
  }
  return (message, socket) => {
    if (isProbe(message) && message.stream.endAfterHeaders)
      return void answer(message, { socket, leave: () => {}, read: () => noBody })
    const arrival = arrivalOf(message)
    const leave = enter(arrival)
    if (!leave) return shedStream(message, options)
    const read = readStreamAhead(message, dispatching)
    begin(arrival.client, () => void answer(message, { socket, leave, read }))
  }
}

/** Reports a fault and ends the stream, unless its client has given it up. */
function giveUp(
  stream: ServerHttp2Stream,
  given: string | string[] | undefined,
  { observe, error }: Pick<Dispatch, "observe"> & { readonly error: unknown },
): void {
  if (stream.destroyed || stream.closed) return
  const requestId = requestIdOf(typeof given === "string" ? given : undefined)
  observe({ kind: "failed", requestId, error })
  stream.close(internalError)
}

/** The client may have given the stream up before the server learned of it. @param body absent for an empty answer */
function respondAtOnce(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders, body?: string): void {
  if (stream.destroyed || stream.closed) return
  stream.respond(headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
}

/** A body has to be whole in time: the stream of one that is not is given up. */
async function arrivingIn<Result>(
  patience: number,
  stream: ServerHttp2Stream,
  answer: () => Promise<Result>,
): Promise<Result> {
  if (stream.endAfterHeaders) return answer()
  const cut = setTimeout(() => stream.close(cancel), patience)
  stream.once("end", () => clearTimeout(cut))
  try {
    return await answer()
  } finally {
    clearTimeout(cut)
  }
}

function shedStream(message: StreamMessage, { dispatch, isGraphql, shareHeaders }: Http2Options): void {
  const { stream, headers } = message
  const shed = shedResponse(message, {
    isGraphql: isGraphql(message),
    shared: shareHeaders(headers.origin),
    telemetry: dispatch.telemetry,
  })
  respondAtOnce(stream, headersOf(503, shed.headers), message.method === "HEAD" ? undefined : shed.body)
}

// Bounds the bytes that a connection of HTTP/2 sends beside its requests. nghttp2 ends floods of PING, SETTINGS and empty frames,
// but takes any number of WINDOW_UPDATE frames.
interface FrameBounds {
  /** Streams whose bytes may be on their way. */
  readonly streams: number
  /** Bytes of a request: its headers and its body. */
  readonly request: number
  /** The connection has been ended. */
  readonly ended: () => void
}

/** Bytes a second. */
const beside = 1_048_576
/** Milliseconds. */
const look = 1_000
/** Frames of a request take less than its content again. */
const framed = 2
/** ENHANCE_YOUR_CALM (RFC 9113 section 7). */
const calm = 11

function boundFrames(
  session: ServerHttp2Session,
  socket: Socket,
  { streams, request, ended }: FrameBounds,
): void {
  /** Bytes that its requests may have. */
  let left = 0
  let seen = socket.bytesRead
  session.on("stream", () => {
    left = Math.min(left + request * framed, streams * request * framed)
  })
  const looking = setInterval(() => {
    const read = socket.bytesRead - seen
    seen = socket.bytesRead
    left -= Math.max(0, read - beside)
    if (left >= 0) return
    session.destroy(undefined, calm)
    ended()
  }, look).unref()
  session.once("close", () => clearInterval(looking))
}
