// GraphQL over WebSocket: the protocol `graphql-transport-ws`, whose messages `graphql-ws` reads and `ws` carries.
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { GraphQLError, parse } from "graphql"
import { CloseCode, handleProtocols, makeServer } from "graphql-ws"
import { type WebSocket, WebSocketServer } from "ws"
import type { Identify } from "../../access/identity/identify.ts"
import { isText, type Json, piecesOf } from "../../base/json.ts"
import { kindOf, Refusal } from "../../base/problem.ts"
import type { FaceRequest } from "../../http/face.ts"
import { callerState, isClients } from "../../http/same-caller.ts"
import { createSharedBytes, type SharedBytes } from "../../http/shared-bytes.ts"
import { versionHeader } from "../../model/versions/served.ts"
import type { Actor } from "../../plan/access/actor.ts"
import type { Leave } from "../admission.ts"
import { requestIdOf } from "../incoming.ts"
import type { Observe } from "../observation.ts"
import { Inbox, type InboxOptions, type SocketBound, type SocketRates } from "./inbox.ts"
import { runCounted } from "./lasting.ts"
import { type Answered, type OperationsOptions, type Results, runOperation } from "./operations.ts"

export interface SocketsOptions
  extends Pick<OperationsOptions, "openMeter" | "beginLasting" | "telemetry">,
    Pick<InboxOptions, "rates" | "patience"> {
  /** Runs work for the client of the request when its turn has come. */
  readonly begin: (request: IncomingMessage, work: () => void) => void
  readonly identify: Identify
  readonly bySession?: true | undefined
  readonly operateFor: (actor: Actor) => OperationsOptions["operate"] | undefined
  readonly clientOf: (actor: Actor, request: IncomingMessage) => string
  readonly enter: (request: IncomingMessage) => ReturnType<OperationsOptions["enter"]>
  /** Bytes of a message. */
  readonly most: number
  /** Milliseconds for a client that takes nothing. */
  readonly untaken: number
  readonly observe: Observe
}

export interface Sockets {
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes each with 1001, so that its client connects elsewhere. */
  close(): void
}

/** Milliseconds between looks at the credentials, as for streams, and between pings. */
const recheck = 1_500
const ping = 15_000
/** Operations of one socket at a time. */
const mostOperations = 100
/** Frames of one message. */
const mostFrames = 1_000
/** Milliseconds for a client to end its side of a connection that is closed. */
const farewell = 2_000
/** Bytes that wait for a client. */
const mostWaiting = 16_000_000

interface Extra {
  readonly request: IncomingMessage
  readonly socket: WebSocket
  /** Known after `connection_init`. */
  caller?: Caller
  /** Ends the stay of the message that is handled, until an operation takes it over. */
  leave?: Leave | undefined
  /** Operations without a first result, with those that the client has ended meanwhile. */
  beginning: number
}

type Caller = Parameters<typeof callerState>[0]

type Protocol = ReturnType<typeof makeServer<Readonly<Record<string, unknown>>, Extra>>

export function createSockets(options: SocketsOptions): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.most,
    maxFragments: mostFrames,
    // Each frame in a turn of the event loop.
    allowSynchronousEvents: false,
    autoPong: false,
    perMessageDeflate: false,
    handleProtocols,
  })
  const protocol = createProtocol(options)
  server.on("connection", (socket: WebSocket, request: IncomingMessage) =>
    open(options, protocol, { request, socket, beginning: 0 }),
  )
  return {
    take(request, socket, head) {
      server.handleUpgrade(request, socket, head, (opened) => server.emit("connection", opened, request))
    },
    close() {
      for (const socket of server.clients) closeSoon(socket, 1001, "Going away")
      server.close()
    },
  }
}

function createProtocol(options: SocketsOptions): Protocol {
  const share = createSharedBytes()
  return makeServer<Readonly<Record<string, unknown>>, Extra>({
    connectionInitWaitTimeout: 5_000,
    async onConnect({ connectionParams, extra }) {
      const leave = takeLeave(extra)
      const headers = headersWith(extra.request, connectionParams)
      if (!headers) return false
      try {
        if (leave) extra.caller = await callerOf(options, headers, extra.request)
        else closeForNow(extra.socket)
        return leave !== undefined
      } catch (error) {
        refuse(extra, error, options.observe)
        return false
      } finally {
        leave?.()
      }
    },
    async onSubscribe({ extra, subscriptions }, id, payload) {
      const leave = takeLeave(extra)
      const under = Math.max(Object.keys(subscriptions).length - 1, extra.beginning)
      if (under >= mostOperations) {
        leave?.()
        return [tooMany()]
      }
      extra.beginning += 1
      const answered = await operationOf(options, extra, { leave, payload }).finally(() => {
        extra.beginning -= 1
        leave?.()
      })
      if (!answered) return [new GraphQLError("Nothing is served here.")]
      if (answered.kind === "refused") return answered.errors.map((error) => new ToldError(error))
      const sending = sendResults(answered.results, (result) =>
        sendResult(extra.socket, { id, result, share, untaken: options.untaken }),
      )
      return { schema: noSchema, document: anyDocument, contextValue: sending }
    },
    execute: ({ contextValue }) => contextValue as AsyncGenerator<never, void>,
  })
}

/** The caller that the headers name, who pays for the connection as for a request. */
async function callerOf(
  { identify, bySession, openMeter, clientOf }: SocketsOptions,
  headers: FaceRequest["headers"],
  request: IncomingMessage,
): Promise<Caller> {
  const pay = (actor: Actor): Promise<void> =>
    runCounted({ openMeter, actor, client: clientOf(actor, request) }, async () => {})
  const again = (): ReturnType<Identify> => identify(headers, request)
  try {
    const actor = await again()
    await pay(actor)
    return { actor, headers, lasting: { identify: again, bySession } }
  } catch (error) {
    // Looking at credentials is work, too.
    if (error instanceof Refusal && kindOf(error.problems[0]) === "unidentified")
      await pay(await identify({}))
    throw error
  }
}

/**
 * For `graphql-ws` an operation without results: each is sent as the text that it is, which `graphql-ws` would write again. The
 * next one is made when the system has taken it. The end does not wait for a result that is made.
 */
function sendResults(results: Results, send: (result: Json) => Promise<void>): AsyncGenerator<never, void> {
  const done = { done: true, value: undefined } as const
  let ended = false
  const sending: AsyncGenerator<never, void> = {
    async next() {
      for await (const result of results) {
        if (ended) break
        await send(result)
      }
      return done
    },
    async return() {
      ended = true
      await results.return()
      return done
    },
    throw: (error) => results.throw(error).then(() => done),
    [Symbol.asyncIterator]: () => sending,
    [Symbol.asyncDispose]: async () => void (await sending.return()),
  }
  return sending
}

interface Asked {
  readonly leave: Leave | undefined
  readonly payload: unknown
}

/** Undefined for a caller that is served nothing. */
async function operationOf(
  options: SocketsOptions,
  { caller, request, socket }: Extra,
  { leave, payload }: Asked,
): Promise<Answered | undefined> {
  const operate = caller && options.operateFor(caller.actor)
  if (!operate) return undefined
  const { openMeter, beginLasting, telemetry, observe } = options
  const { actor } = caller
  return runOperation(
    {
      operate,
      actor,
      client: options.clientOf(actor, request),
      enter: () => leave,
      openMeter,
      beginLasting,
      telemetry,
      observe,
      cut: () => socket.terminate(),
    },
    JSON.stringify(payload),
  )
}

function takeLeave(extra: Extra): Leave | undefined {
  const { leave } = extra
  extra.leave = undefined
  return leave
}

function open(options: SocketsOptions, protocol: Protocol, extra: Extra): void {
  const { socket, request } = extra
  const { observe } = options
  const failed = (error: unknown): void => {
    const unexpected = error instanceof Error && error.message.startsWith("Unexpected message of type")
    if (unexpected) {
      socket.close(CloseCode.BadRequest, "Invalid message received")
      return
    }
    observe({ kind: "failed", requestId: requestIdOf(undefined), error })
    closeForNow(socket)
  }
  const inbox = new Inbox(socket, request.socket, {
    ...options,
    begin: (work) => options.begin(request, work),
    enter: () => options.enter(request),
    pay: () => payAgain(options, extra),
    close(bound) {
      observe({ kind: "flooded", bound, count: 1 })
      closeSoon(socket, tooManyRequests, boundText(bound, options.rates))
    },
  })
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) => send(socket, text, options.untaken),
      close: (code, reason) => socket.close(code, fitting(reason)),
      onMessage: (handle) =>
        void socket.on("message", (data, isBinary) =>
          inbox.take((leave) => {
            extra.leave = leave
            if (isBinary) socket.close(CloseCode.BadRequest, "Invalid message received")
            else handle(String(data)).catch(failed)
            takeLeave(extra)?.()
          }),
        ),
    },
    extra,
  )
  socket.on("ping", (data) =>
    inbox.take((leave) => {
      socket.pong(data)
      leave?.()
    }),
  )
  socket.on("pong", () => inbox.take((leave) => leave?.()))
  // A frame that breaks the protocol: ws has sent the close code of RFC 6455.
  socket.on("error", () => {})
  const ends = [keepAlive(extra), watchCaller(socket, extra)]
  socket.once("close", (code, reason) => {
    for (const end of ends) end()
    closed(code, String(reason)).catch(failed)
  })
}

/** False where the caller has no points. */
async function payAgain(options: SocketsOptions, { caller, request }: Extra): Promise<boolean> {
  if (!caller) return true
  const { openMeter, clientOf } = options
  const { actor } = caller
  try {
    await runCounted({ openMeter, actor, client: clientOf(actor, request) }, async () => {})
    return true
  } catch (error) {
    if (error instanceof Refusal && kindOf(error.problems[0]) === "limited") return false
    if (!(error instanceof Refusal))
      options.observe({ kind: "failed", requestId: requestIdOf(undefined), error })
    return true
  }
}

/** The code of `graphql-transport-ws` for a second `connection_init`. */
const tooManyRequests = CloseCode.TooManyInitialisationRequests

const boundText = (bound: SocketBound, rates: SocketRates): string =>
  bound === "points"
    ? "The points of this minute are used up, and messages go on (limit perMinute)"
    : `More than ${rates[bound].toLocaleString("en")} ${bound} a second (--socket-${bound})`

function closeSoon(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason)
  setTimeout(() => socket.terminate(), farewell).unref()
}

/** Clients connect again later. */
const closeForNow = (socket: WebSocket): void => socket.close(1013, "Try again later")

/** Bytes of the reason of a close frame (RFC 6455 section 5.5). */
const mostReason = 123

/** A client may have chosen a part of it, such as the id of an operation. A character has three bytes at the most. */
const fitting = (reason = ""): string =>
  Buffer.byteLength(reason) > mostReason ? `${reason.slice(0, mostReason / 3 - 1).toWellFormed()}…` : reason

/** Closes a connection that is not accepted, with the reason. */
function refuse({ socket }: Extra, error: unknown, observe: Observe): void {
  if (!(error instanceof Refusal)) throw error
  const [problem] = error.problems
  if (!isClients(error)) {
    observe({
      kind: "unanswered",
      requestId: requestIdOf(undefined),
      problem,
      cause: error.cause,
      count: 1,
    })
    closeForNow(socket)
  } else if (kindOf(problem) === "limited") socket.close(1013, fitting(problem.message))
  else if (kindOf(problem) === "unidentified") socket.close(CloseCode.Forbidden, "Forbidden")
  else
    socket.close(
      CloseCode.BadRequest,
      Buffer.byteLength(problem.message) > mostReason ? "Bad request" : problem.message,
    )
}

/** An error in the words of the engine, which `graphql-ws` sends as they are. */
class ToldError extends GraphQLError {
  readonly #told: object
  constructor(told: object) {
    super("")
    this.#told = told
  }
  override toJSON(): ReturnType<GraphQLError["toJSON"]> {
    return this.#told as ReturnType<GraphQLError["toJSON"]>
  }
}

const tooMany = (): GraphQLError =>
  new GraphQLError(`${mostOperations} operations of this connection are under way already.`, {
    extensions: { code: "rate_limited", hint: "End one of them first, or open another connection." },
  })

/** The engine reads the operation's own; `graphql-ws` only asks which function runs it. */
const anyDocument = parse("{ __typename }")
const noSchema = undefined as never

/** A browser cannot give a socket's request headers of its own. Undefined where the two differ. */
function headersWith(
  { headers }: IncomingMessage,
  parameters: Readonly<Record<string, unknown>> | undefined,
): FaceRequest["headers"] | undefined {
  const found: Record<string, string> = {}
  for (const name of ["authorization", versionHeader]) {
    const own = headers[name]
    const given =
      Object.entries(parameters ?? {}).find(([called]) => called.toLowerCase() === name)?.[1] ?? own
    if (given === undefined) continue
    if (typeof given !== "string" || (own !== undefined && own !== given)) return undefined
    found[name] = given
  }
  return found
}

interface Result {
  /** The operation's. */
  readonly id: string
  readonly result: Json
  readonly share: SharedBytes
  readonly untaken: number
}

/** Resolves when the system has taken it, so that the next one is made only then. */
function sendResult(socket: WebSocket, { id, result, share, untaken }: Result): Promise<void> {
  const begin = `{"id":${JSON.stringify(id)},"type":"next","payload":`
  const given = isText(result) ? share(result) : result
  if (isText(given)) return send(socket, `${begin}${given}}`, untaken)
  // In frames of one message (RFC 6455 section 5.4), without copying the bytes.
  return sending(socket, untaken, (sent) => {
    socket.send(begin, { fin: false })
    for (const piece of piecesOf(given)) socket.send(piece, { binary: false, fin: false })
    socket.send("}", sent)
  })
}

const send = (socket: WebSocket, text: string, untaken: number): Promise<void> =>
  sending(socket, untaken, (sent) => socket.send(text, sent))

/** Resolves when the system has taken the written bytes. */
function sending(socket: WebSocket, untaken: number, write: (sent: () => void) => void): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  if (socket.bufferedAmount > mostWaiting) {
    socket.terminate()
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    const waiting = setTimeout(() => socket.terminate(), untaken)
    write(() => {
      clearTimeout(waiting)
      resolve()
    })
  })
}

/** Gives what ends it. A client that sends anything is there. */
function keepAlive({ socket, request }: Extra): () => void {
  let read = -1
  const beating = setInterval(() => {
    const { bytesRead } = request.socket
    if (bytesRead === read) socket.terminate()
    else socket.ping()
    read = bytesRead
  }, ping)
  return () => clearInterval(beating)
}

/** Gives what ends it. */
function watchCaller(socket: WebSocket, extra: Extra): () => void {
  const looking = setInterval(async () => {
    const standing = extra.caller ? await callerState(extra.caller) : "same"
    if (standing === "ended") socket.close(CloseCode.Forbidden, "Forbidden")
    if (standing === "unknown") closeForNow(socket)
  }, recheck)
  return () => clearInterval(looking)
}
