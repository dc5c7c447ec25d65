// The HTTP server: listens, keeps deadlines, and closes without dropping requests under way.
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Server as Listener, Socket } from "node:net"
import { loadLateModules } from "../base/lazily.ts"
import { Admission, arrivalOf, isGraphql } from "./admission.ts"
import { Connections } from "./connections.ts"
import { createEarlySharing, type EarlySharing, shareHeaders } from "./cross-site.ts"
import { createAnswerMessage } from "./exchange/answer-messages.ts"
import {
  type DispatchOptions,
  openUpgrades,
  type PreparedDispatch,
  prepareDispatch,
} from "./exchange/prepare-dispatch.ts"
import { hasTransferCoding, isProbe } from "./incoming.ts"
import { type Address, backlog, listenAt, type Reached, reachedAt, watchDescriptors } from "./listening.ts"
import { answerExpectation, answerMalformed, answerTransferCoding } from "./malformed.ts"
import { shed } from "./shed.ts"
import { isWebSocket, type Upgrades } from "./sockets/upgrade.ts"
import { TimeSlices } from "./time-slices.ts"
import type { CertificateFiles } from "./transports/certificate.ts"
import type { Transport, TransportOptions } from "./transports/transport.ts"
import type { UnixSocket } from "./transports/unix-socket.ts"

export interface ServerOptions extends DispatchOptions, Address {
  /** Listens here in place of `host` and `port`. */
  readonly socket?: UnixSocket | undefined
  /** Answers by TLS, in HTTP/2 or HTTP/1.1. */
  readonly tls?: CertificateFiles | undefined
  /** Without TLS, also answers clients that begin with HTTP/2. */
  readonly h2c?: boolean | undefined
  /** Another process listens, and gives the connections that it takes to the function. */
  readonly receive?: ((take: (socket: Socket) => void) => void) | undefined
  readonly deadlines?: Partial<Deadlines>
  /** Whether a connection may have more than one request; true when absent. */
  readonly keepAlive?: boolean
  /** Requests that may be under way, at the most; 2,000 when absent. */
  readonly mostRequests?: number
  /** Milliseconds that a request may wait behind other clients' requests; 2,000 when absent. */
  readonly patience?: number
  /** Connections of one address, at the most, where no proxy is trusted; 0: any number. 2,000 when absent. */
  readonly mostConnections?: number
  /** Rates of one WebSocket; the defaults where absent. */
  readonly socketRates?: Parameters<typeof openUpgrades>[1]["rates"]
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
  /** For a WebSocket that sends as much as it may. */
  readonly socketBound: number
  /** For a request to arrive on a connection that has none when the server closes. */
  readonly linger: number
  /** For requests under way when the server closes. */
  readonly drain: number
}

export interface RunningServer extends Reached {
  /** Requests that are admitted and not answered, and the most that may be. */
  use(): { readonly underWay: number; readonly limit: number }
  /** When its certificate expires, if it has one. */
  validUntil(): Date | undefined
  /**
   * Readiness fails from now on, and everything is still answered. In the second half of the time, answers send more and more
   * clients away, so that they do not all leave at its end.
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
  socketBound: 10_000,
  linger: 0,
  drain: 10_000,
}

const defaultRequests = 2_000
const defaultPatience = 2_000
const defaultConnections = 2_000

/** An import would load all that node:http can give, with a client, sockets and events of the web: 30 ms and 12 MB. */
const http = process.getBuiltinModule("node:http")

/** Milliseconds before modules are loaded that no request has asked for yet: the first answers come before them. */
const loadingDelay = 1_000

/** Bytes of the request line and all headers together. */
const maxHeaderSize = 16 * 1024

/** Throws a Refusal when the address cannot be had. */
export async function createServer(given: ServerOptions): Promise<RunningServer> {
  const deadlines = { ...defaultDeadlines, ...given.deadlines }
  const { dispatch: options, readiness, end } = prepareDispatch({ ...given, untakenFor: deadlines.untaken })
  const early = createEarlySharing(given.cors)
  const connections = new Connections({
    mostOfOne: given.proxies || given.socket ? 0 : (given.mostConnections ?? defaultConnections),
    shareHeaders: early.headersFor,
    room: watchDescriptors(options.observe),
  })
  const transport = given.tls || given.h2c ? await openTransport(options) : undefined
  const servers: Server[] = []
  const upgrades: Upgrades[] = []
  const admissions: Admission[] = []
  const add = (): Listener => {
    const built = buildServer(options, { deadlines, connections, early }, transport)
    servers.push(built.server)
    upgrades.push(built.upgrades)
    admissions.push(built.admission)
    return built.listener
  }
  const begin = async (): Promise<Reached> => {
    if (options.receive) {
      takeFrom(options.receive, add())
      return reachedAt(options)
    }
    if (!options.socket) return listenAt(options, (host, port) => listening(add(), host, port))
    const { listenOn } = await import("./transports/unix-socket.ts")
    await listenOn(add(), options.socket, backlog)
    return reachedAt(options)
  }
  const reached = await begin().catch(async (error: unknown) => {
    for (const server of servers) server.close()
    transport?.end()
    throw error
  })
  const later = setTimeout(() => void loadLateModules(), loadingDelay).unref()
  const drain = (delay: number): void => {
    readiness.drain()
    connections.drain(delay)
  }
  const close = async (): Promise<void> => {
    clearTimeout(later)
    for (const one of upgrades) one.close()
    const cut = await connections.close(deadlines)
    if (cut > 0) options.observe({ kind: "cut", connections: cut })
    for (const server of servers) server.close()
    transport?.end()
  }
  const use = (): ReturnType<RunningServer["use"]> => ({
    underWay: admissions.reduce((sum, { underWay }) => sum + underWay, 0),
    limit: admissions.reduce((sum, { bound }) => sum + bound, 0),
  })
  const validUntil = (): Date | undefined => transport?.validUntil()
  return { ...reached, drain, use, validUntil, close: () => close().finally(end) }
}

/** A service that speaks HTTP/1.1 alone, without TLS, loads nothing of it. */
async function openTransport(options: TransportOptions): Promise<Transport> {
  const { createTransport } = await import("./transports/transport.ts")
  return createTransport(options)
}

type Listening = ServerOptions & PreparedDispatch

interface Built {
  readonly server: Server
  /** Takes the connections: the server itself, or what stands before it. */
  readonly listener: Listener
  readonly upgrades: Upgrades
  readonly admission: Admission
}

/** Resolves with the port. */
function listening(server: Listener, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host, port, backlog }, () => {
      server.off("error", reject)
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : port)
    })
  })
}

function takeFrom(receive: NonNullable<ServerOptions["receive"]>, server: Listener): void {
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

function createHttpServer(deadlines: Deadlines, base: string): Server {
  return http.createServer({
    maxHeaderSize,
    headersTimeout: deadlines.headers,
    requestTimeout: deadlines.request,
    keepAliveTimeout: deadlines.idle,
    connectionsCheckingInterval: 1_000,
    // Node would refuse silently; dispatch gives the reason.
    requireHostHeader: false,
    // Nothing is set up to read the body of a request that says it has none.
    optimizeEmptyRequests: true,
    shouldUpgradeCallback: (request) => isWebSocket(request) && isGraphql(request, base),
  })
}

function buildServer(
  options: Listening,
  { deadlines, connections, early }: Shared,
  transport: Transport | undefined,
): Built {
  const { base, mostRequests: most = defaultRequests, patience = defaultPatience } = options
  const slices = new TimeSlices()
  const admission = new Admission({
    ...{ most, patience },
    waitOf: (client) => slices.waitOf(client),
    refused: () => slices.refused(),
  })
  const answer = createAnswerMessage({
    dispatch: options,
    untaken: deadlines.untaken,
    isLast: (request) => options.keepAlive === false || connections.isLast(request),
    ended: (request) => connections.end(request),
  })
  const { telemetry } = options
  const earlyOf = ({ headers }: IncomingMessage) => ({
    shared: shareHeaders(options.cors, headers.origin),
    telemetry,
  })
  const respond = (request: IncomingMessage, to: ServerResponse): void => {
    early.note(request)
    if (hasTransferCoding(request)) return void answerTransferCoding(request, to, earlyOf(request))
    if (!connections.begin(request, to)) return void request.resume()
    if (isProbe(request)) return void answer(request, to, () => {})()
    const arrival = arrivalOf(request, options)
    const leave = admission.enter(arrival)
    if (leave) slices.begin(arrival.client, answer(request, to, leave))
    else {
      shed(request, to, {
        isGraphql: isGraphql(request, base),
        shared: shareHeaders(options.cors, request.headers.origin),
        telemetry: options.telemetry,
      })
      connections.end(request)
    }
  }
  const server = createHttpServer(deadlines, base)
  const upgrades = openUpgrades(options, {
    admission,
    untaken: deadlines.untaken,
    begin: (client, work) => slices.begin(client, work),
    rates: options.socketRates,
    patience: deadlines.socketBound,
  })
  server.on("upgrade", (request, socket: Socket, head) => upgrades.take(request, socket, head))
  server.on("request", respond)
  server.on("connection", () => slices.connected())
  const { headersFor } = early
  server.on("clientError", (error, socket: Socket) =>
    answerMalformed(error, socket, { headersFor, telemetry }),
  )
  server.on("checkExpectation", (request, to) => answerExpectation(request, to, earlyOf(request)))
  const listener = transport?.before(server, {
    dispatch: options,
    deadlines,
    maxHeaderSize,
    arrivalOf: (request) => arrivalOf(request, options),
    enter: (arrival) => admission.enter(arrival),
    begin: (client, work) => slices.begin(client, work),
    isGraphql: (request) => isGraphql(request, base),
    shareHeaders: (origin) => shareHeaders(options.cors, origin),
    admit: (socket) => connections.admit(socket),
    hold: (session) => connections.hold(session),
  })
  connections.watch(server, listener)
  return { server, upgrades, admission, listener: listener ?? server }
}
