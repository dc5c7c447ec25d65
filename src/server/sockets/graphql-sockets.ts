// GraphQL over WebSocket: the protocol `graphql-transport-ws`, whose messages `graphql-ws` reads and `ws` carries.
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { GraphQLError, parse } from "graphql"
import { CloseCode, handleProtocols, makeServer } from "graphql-ws"
import { type WebSocket, WebSocketServer } from "ws"
import { kindOf, Refusal } from "../../base/problem.ts"
import type { FaceRequest } from "../../http/face.ts"
import { callerState, isClients } from "../../http/same-caller.ts"
import type { Identify } from "../../identity/identify.ts"
import { versionHeader } from "../../model/versions/served.ts"
import type { Actor } from "../../plan/access/actor.ts"
import type { Observe } from "../observation.ts"
import { requestIdOf } from "../request-id.ts"
import { type Answered, type OperationsOptions, runOperation } from "./operations.ts"

export interface SocketsOptions extends Pick<OperationsOptions, "openMeter" | "beginLasting" | "telemetry"> {
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
/** Bytes that wait for a client. */
const mostWaiting = 16_000_000

interface Extra {
  readonly request: IncomingMessage
  readonly socket: WebSocket
  /** Known once the connection is initialised. */
  caller?: Caller
}

type Caller = Parameters<typeof callerState>[0]

export function createSockets(options: SocketsOptions): Sockets {
  const { identify, observe } = options
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.most,
    perMessageDeflate: false,
    handleProtocols,
  })
  const protocol = makeServer<Readonly<Record<string, unknown>>, Extra>({
    connectionInitWaitTimeout: 5_000,
    async onConnect({ connectionParams, extra }) {
      const headers = headersWith(extra.request, connectionParams)
      if (!headers) return false
      try {
        const actor = await identify(headers, extra.request)
        const again = (): ReturnType<Identify> => identify(headers, extra.request)
        extra.caller = { actor, headers, lasting: { identify: again, bySession: options.bySession } }
        return true
      } catch (error) {
        refuse(extra, error, observe)
        return false
      }
    },
    async onSubscribe({ extra, subscriptions }, _id, payload) {
      const { caller, request } = extra
      const operate = caller && options.operateFor(caller.actor)
      if (!operate) return [new GraphQLError("Nothing is served here.")]
      if (Object.keys(subscriptions).length > mostOperations) return [tooMany()]
      const { actor } = caller
      const answered = await runOperation(
        {
          operate,
          actor,
          client: options.clientOf(actor, request),
          enter: () => options.enter(request),
          openMeter: options.openMeter,
          beginLasting: options.beginLasting,
          telemetry: options.telemetry,
          observe,
        },
        JSON.stringify(payload),
      )
      if (answered.kind === "refused") return answered.errors.map((error) => new ToldError(error))
      return { schema: noSchema, document: anyDocument, contextValue: answered }
    },
    execute: ({ contextValue }) => (contextValue as Extract<Answered, { kind: "results" }>).results,
    // They are formatted already.
    onNext: (_context, _id, _payload, _args, result) => result as object,
  })
  server.on("connection", (socket: WebSocket, request: IncomingMessage) => {
    const extra: Extra = { request, socket }
    const failed = (error: unknown): void => {
      const unexpected = error instanceof Error && error.message.startsWith("Unexpected message of type")
      if (unexpected) {
        socket.close(CloseCode.BadRequest, "Invalid message received")
        return
      }
      observe({ kind: "failed", requestId: requestIdOf(undefined), error })
      closeForNow(socket)
    }
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => send(socket, text, options.untaken),
        close: (code, reason) => socket.close(code, fitting(reason)),
        onMessage: (handle) =>
          void socket.on("message", (data, isBinary) => {
            if (isBinary) socket.close(CloseCode.BadRequest, "Invalid message received")
            else handle(String(data)).catch(failed)
          }),
      },
      extra,
    )
    // A frame that breaks the protocol: ws has sent the close code of RFC 6455.
    socket.on("error", () => {})
    const ends = [keepAlive(socket), watchCaller(socket, extra)]
    socket.once("close", (code, reason) => {
      for (const end of ends) end()
      closed(code, String(reason)).catch(failed)
    })
  })
  return {
    take(request, socket, head) {
      server.handleUpgrade(request, socket, head, (opened) => server.emit("connection", opened, request))
    },
    close() {
      for (const socket of server.clients) {
        socket.close(1001, "Going away")
        setTimeout(() => socket.terminate(), 2_000).unref()
      }
      server.close()
    },
  }
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
  } else if (kindOf(problem) === "unidentified") socket.close(CloseCode.Forbidden, "Forbidden")
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

/** Resolves when the system has taken it, so that the next result is made only then. */
function send(socket: WebSocket, text: string, untaken: number): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  if (socket.bufferedAmount > mostWaiting) {
    socket.terminate()
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    const waiting = setTimeout(() => socket.terminate(), untaken)
    socket.send(text, () => {
      clearTimeout(waiting)
      resolve()
    })
  })
}

/** Gives what ends it. */
function keepAlive(socket: WebSocket): () => void {
  let isAlive = true
  socket.on("pong", () => {
    isAlive = true
  })
  const beating = setInterval(() => {
    if (isAlive) socket.ping()
    else socket.terminate()
    isAlive = false
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
