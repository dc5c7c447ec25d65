// Requests that ask for a WebSocket: looked at as any other, then given to what serves them, which is loaded with the first.
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { textOf } from "../../base/json.ts"
import { expectModules, lateModule, lazily } from "../../base/lazily.ts"
import { type Refusal, refusal } from "../../base/problem.ts"
import { problemResponse } from "../../rest/question/problem.ts"
import { overloaded } from "../../storage/faults.ts"
import type { AllowedOrigins } from "../cross-site.ts"
import { refusedHost } from "../cross-site.ts"
import { endGently } from "../farewell.ts"
import { requestIdOf } from "../incoming.ts"
import type { Sockets, SocketsOptions } from "./graphql-sockets.ts"

export interface UpgradeOptions extends SocketsOptions {
  readonly cors: AllowedOrigins
  readonly loopbackOnly: boolean
}

export interface Upgrades {
  /** For Node's `upgrade` event. */
  take(request: IncomingMessage, socket: Socket, head: Buffer): void
  close(): void
}

export const isWebSocket = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket"

const socketsModule = lateModule(() => import("./graphql-sockets.ts"))

export function createUpgrades(options: UpgradeOptions): Upgrades {
  expectModules(socketsModule)
  let sockets: Sockets | undefined
  let closed = false
  const load = lazily(async () => {
    const { createSockets } = await socketsModule()
    sockets = createSockets(options)
    if (closed) sockets.close()
    return sockets
  })
  const take = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const refused =
      refusedProtocol(request) ??
      refusedHost(request, options.loopbackOnly) ??
      refusedOrigin(request, options)
    if (refused) return refuse(request, socket, refused)
    const leave = options.enter(request)
    if (!leave) return refuse(request, socket, overloaded())
    try {
      const loaded = await load()
      if (closed) socket.destroy()
      else loaded.take(request, socket, head)
    } finally {
      leave()
    }
  }
  return {
    take(request, socket, head) {
      socket.on("error", () => {})
      options.begin(request, () =>
        take(request, socket, head).catch((error: unknown) => {
          options.observe({ kind: "failed", requestId: requestIdOf(undefined), error })
          socket.destroy()
        }),
      )
    },
    close() {
      closed = true
      sockets?.close()
    },
  }
}

/** Node asks before, from version 24.9 on. */
const refusedProtocol = (request: IncomingMessage): Refusal | undefined =>
  isWebSocket(request)
    ? undefined
    : refusal("malformed_request", "The header Upgrade asks for what this server does not do.")

/** A browser lets each page open a socket: which pages may is said by the server alone (RFC 6455 section 10.2). */
function refusedOrigin(
  { headers }: IncomingMessage,
  { cors, bySession }: Pick<UpgradeOptions, "cors" | "bySession">,
): Refusal | undefined {
  const { origin, host } = headers
  if (origin === undefined || (cors.includes("*") && !bySession) || cors.includes(origin)) return undefined
  if (URL.parse(origin)?.host === host) return undefined
  return refusal("forbidden", "Pages of this origin may not open a socket here.", {
    hint: "Serve with --cors and the origin of the page.",
  })
}

function refuse({ headers }: IncomingMessage, socket: Socket, refused: Refusal): void {
  const { "x-request-id": given } = headers
  const requestId = requestIdOf(typeof given === "string" ? given : undefined)
  const { status, headers: own, body } = problemResponse(refused, { requestId, locate: () => ({}) })
  const text = textOf(body)
  const head = [
    `HTTP/1.1 ${status} Refused`,
    ...Object.entries(own).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${requestId}`,
    "connection: close",
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${text}`)
  endGently(socket)
}
