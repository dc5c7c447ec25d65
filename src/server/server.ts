// The HTTP server: listens, keeps deadlines, and closes without dropping what is being answered.
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { pipeline } from "node:stream/promises"
import { isText, piecesOf, sizeOf } from "../base/json.ts"
import { type BodyStream, isStream } from "../http/body.ts"
import { clientAddress } from "../limits/client-address.ts"
import { createMeters, type MeterOptions } from "../limits/meters.ts"
import { countsRequests } from "../model/limits.ts"
import { Admission, type Arrival, type Leave } from "./admission.ts"
import { type Compression, createCoding } from "./coding/encode.ts"
import { Connections } from "./connections.ts"
import { createEarlySharing, type EarlySharing, shareHeaders } from "./cors.ts"
import { clientOf, type Dispatch, type Dispatched, dispatch } from "./dispatch.ts"
import { isProbe } from "./lifecycle/probes.ts"
import { createReadiness, type ReadinessOptions } from "./lifecycle/readiness.ts"
import { type Address, listenAt, type Reached, urlOf } from "./listening.ts"
import { answerExpectation, answerMalformed } from "./malformed.ts"
import { createFindMount, type Mounted, mountsOf } from "./mounts.ts"
import { createOutageLog } from "./outage-log.ts"
import { createPipelining } from "./pipelining.ts"
import { requestIdOf } from "./request-id.ts"
import { shed } from "./shed.ts"
import { createLasting } from "./sockets/lasting.ts"
import { createUpgrades, isWebSocket, type Upgrades } from "./sockets/upgrade.ts"
import { TimeSlices } from "./time-slices.ts"
import { cutUntaken } from "./untaken.ts"

export interface ServerOptions
  extends Omit<Dispatch, "findMount" | "openMeter" | "beginLasting" | "coding">,
    Omit<Mounted, "readiness">,
    ReadinessOptions,
    Address {
  /** Limits of callers over time, and where they are counted. */
  readonly counting?: Omit<MeterOptions, "failed"> | undefined
  /** Another process listens, and gives the connections that it takes to the function. */
  readonly receive?: ((take: (socket: Socket) => void) => void) | undefined
  /** Whether answers are coded as clients accept it; they are when absent. */
  readonly compression?: Compression
  readonly deadlines?: Partial<Deadlines>
  /** Requests that may be under way, at the most; 2,000 when absent. */
  readonly mostRequests?: number
  /** Connections of one address, at the most, where no proxy is trusted; 0: any number. 1,000 when absent. */
  readonly mostConnections?: number
  /** Streams and subscriptions of one client, at the most; 1,000 when absent. */
  readonly mostLasting?: number
  /** Milliseconds in which repeated reports are only counted; 0: all are reported. Ten seconds when absent. */
  readonly bundling?: number
}

/** Milliseconds. */
interface Deadlines {
  /** For a request's headers to arrive. */
  readonly headers: number
  /** For a whole request to arrive. */
  readonly request: number
  /** Between requests on one connection. */
  readonly idle: number
  /** For a client that takes nothing of an answer. */
  readonly untaken: number
  /** For a request to arrive on a connection that has none when the server closes. */
  readonly linger: number
  /** For what is being answered when the server closes. */
  readonly drain: number
}

export interface RunningServer extends Reached {
  /**
   * Readiness fails from now on, and everything is still answered. In the second half of the time, more and more clients are
   * sent away with an answer, so that they do not all leave at its end.
   * @param delay milliseconds until it is closed
   */
  drain(delay: number): void
  /** Takes no more connections, answers what was sent, then ends; what takes longer than its deadline is cut. */
  close(): Promise<void>
}

const defaultDeadlines: Deadlines = {
  headers: 10_000,
  request: 30_000,
  idle: 72_000,
  untaken: 30_000,
  linger: 0,
  drain: 10_000,
}

/** Connections that the system keeps until they are taken; it may allow less (`net.core.somaxconn`). */
const backlog = 4_096
const defaultRequests = 2_000
const defaultConnections = 1_000
const defaultLasting = 1_000

/** An import would load all that node:http can give, with a client, sockets and events of the web: 30 ms and 12 MB. */
const http = process.getBuiltinModule("node:http")

/** Bytes of the request line and all headers together. */
const maxHeaderSize = 16 * 1024

/** Throws a Refusal when the address cannot be had. */
export async function createServer(given: ServerOptions): Promise<RunningServer> {
  const { observe, end } = createOutageLog(given.observe, given.bundling)
  const failed = (fault: unknown): void => observe({ kind: "uncounted", fault, count: 1 })
  const readiness = createReadiness(given)
  const options: Listening = {
    ...given,
    observe,
    findMount: createFindMount(mountsOf({ ...given, readiness }), given.base),
    openMeter:
      given.counting && countsRequests(given.counting.limits)
        ? createMeters({ ...given.counting, failed })
        : undefined,
    beginLasting: createLasting(given.mostLasting ?? defaultLasting),
    coding: createCoding(given.compression ?? "auto"),
  }
  const deadlines = { ...defaultDeadlines, ...options.deadlines }
  const early = createEarlySharing(given.cors)
  const connections = new Connections(
    given.proxies ? 0 : (given.mostConnections ?? defaultConnections),
    early.headersFor,
  )
  const servers: Server[] = []
  const upgrades: Upgrades[] = []
  const add = (): Server => {
    const built = buildServer(options, { deadlines, connections, early })
    servers.push(built.server)
    upgrades.push(built.upgrades)
    return built.server
  }
  const listen = (host: string, port: number): Promise<number> => listening(add(), host, port)
  const begin = async (): Promise<Reached> => {
    if (!options.receive) return listenAt(options, listen)
    takeFrom(options.receive, add())
    return { url: urlOf(options), port: options.port }
  }
  const reached = await begin().catch(async (error: unknown) => {
    for (const server of servers) server.close()
    throw error
  })
  const drain = (delay: number): void => {
    readiness.drain()
    connections.drain(delay)
  }
  const close = async (): Promise<void> => {
    for (const one of upgrades) one.close()
    const cut = await connections.close(deadlines)
    if (cut > 0) observe({ kind: "cut", connections: cut })
    for (const server of servers) server.close()
  }
  return { ...reached, drain, close: () => close().finally(end) }
}

type Listening = Dispatch &
  Address &
  Pick<ServerOptions, "receive" | "deadlines" | "mostRequests" | "base" | "facesFor">

interface Built {
  readonly server: Server
  readonly upgrades: Upgrades
}

/** Resolves with the port. */
function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host, port, backlog }, () => {
      server.off("error", reject)
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : port)
    })
  })
}

function takeFrom(receive: NonNullable<ServerOptions["receive"]>, server: Server): void {
  // Node looks at deadlines of connections from then on.
  server.emit("listening")
  receive((socket) => {
    // As those are that node:http takes itself: a client may end its side and still read.
    socket.allowHalfOpen = true
    server.emit("connection", socket)
  })
}

interface Shared {
  readonly deadlines: Deadlines
  readonly connections: Connections
  readonly early: EarlySharing
}

function buildServer(options: Listening, { deadlines, connections, early }: Shared): Built {
  const pipelining = createPipelining()
  const admission = new Admission({ most: options.mostRequests ?? defaultRequests })
  const { base, proxies = 0 } = options
  const slices = new TimeSlices()
  const answer = async (request: IncomingMessage, to: ServerResponse, leave: Leave): Promise<void> => {
    try {
      const turn = pipelining.wait(request, to)
      if (turn) await turn
      // Its client has left while it waited: nothing need be done for it.
      if (request.socket.destroyed) return
      const response = await dispatch(options, request)
      // Without a response there is no client left.
      if (!response) return
      leave(response.slow)
      const sending = write(to, response, {
        last: connections.isLast(request),
        untaken: deadlines.untaken,
      })
      if (sending) await sending
    } catch (error) {
      const { "x-request-id": given } = request.headers
      const requestId = requestIdOf(typeof given === "string" ? given : undefined)
      options.observe({ kind: "failed", requestId, error })
      to.destroy()
    } finally {
      leave()
      pipelining.end(request)
      connections.end(request)
    }
  }
  const respond = (request: IncomingMessage, to: ServerResponse): void => {
    early.note(request)
    if (!connections.begin(request, to)) return void request.resume()
    if (isProbe(request)) return void answer(request, to, () => {})
    const leave = admission.enter(arrivalOf(request, proxies))
    if (leave) slices.begin(() => void answer(request, to, leave))
    else {
      shed(request, to, {
        isGraphql: isGraphql(request, base),
        shared: shareHeaders(options.cors, request.headers.origin),
      })
      connections.end(request)
    }
  }
  const server = http.createServer({
    maxHeaderSize,
    headersTimeout: deadlines.headers,
    requestTimeout: deadlines.request,
    keepAliveTimeout: deadlines.idle,
    connectionsCheckingInterval: 1_000,
    // Node would refuse it without a word; dispatch says what is wrong.
    requireHostHeader: false,
    // Nothing is set up to read the body of a request that says it has none.
    optimizeEmptyRequests: true,
    shouldUpgradeCallback: (request) => isWebSocket(request) && isGraphql(request, base),
  })
  const upgrades = createUpgrades({
    ...options,
    operateFor: (actor) => options.facesFor(actor).operate,
    clientOf: (actor, request) => clientOf(actor, request, proxies),
    enter: (request) => admission.enter(arrivalOf(request, proxies)),
    openMeter: options.openMeter,
    beginLasting: options.beginLasting ?? (() => () => {}),
    most: options.bodyLimit,
    untaken: deadlines.untaken,
  })
  server.on("upgrade", (request, socket: Socket, head) => upgrades.take(request, socket, head))
  server.on("request", respond)
  server.on("connection", () => slices.connected())
  server.on("clientError", (error, socket: Socket) => answerMalformed(error, socket, early))
  server.on("checkExpectation", (request, to) =>
    answerExpectation(request, to, shareHeaders(options.cors, request.headers.origin)),
  )
  connections.watch(server)
  return { server, upgrades }
}

const isGraphql = ({ url = "" }: IncomingMessage, base: string): boolean =>
  url === `${base}/graphql` || url.startsWith(`${base}/graphql?`)

/** Credentials are not checked yet: that takes work, too. */
function arrivalOf(request: IncomingMessage, proxies: number): Arrival {
  const { authorization } = request.headers
  return authorization === undefined
    ? { client: clientAddress(request, proxies), hasCredentials: false }
    : { client: authorization, hasCredentials: true }
}

/** Bytes from which on an answer is sent as it is: Node copies a long string more often than a buffer. */
const long = 16_384

interface Writing {
  /** No other answer follows on the connection. */
  readonly last: boolean
  /** Milliseconds. */
  readonly untaken: number
}

/** Resolves when a stream has been sent or its client has left. */
function write(to: ServerResponse, sent: Dispatched, { last, untaken }: Writing): Promise<void> | undefined {
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
  else if (sizeOf(content) < long) to.end(piecesOf(content).map(asText).join(""), "latin1")
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
    await (through ? pipeline(body, through(), to) : pipeline(body, to))
  } catch (error) {
    if (!hasLeft(error)) throw error
  }
}

const hasLeft = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"

/** A character for each byte: Node puts a string behind the headers, and writes both at once. */
const asText = (bytes: Buffer): string => bytes.toString("latin1")
