// A message of node:http as a host passes it on. Its path may differ from the client's, a middleware may have read its
// body, and it may be a test's double.
import type { IncomingMessage } from "node:http"
import { refusal } from "../base/problem.ts"
import { type Body, hasBody, noBody, readBody, readWhole } from "../server/incoming.ts"
import type { FromHost } from "./host-identify.ts"
import type { Passed } from "./web-message.ts"
import { passedBody } from "./web-message.ts"

/** A message with members that frameworks add. */
export interface HostRequest extends IncomingMessage {
  /** The path that the client asked for, where `url` is the part of it below a mount (Express, Connect). */
  readonly originalUrl?: string
  /** The body that a middleware has read. */
  readonly body?: unknown
}

export interface NodeMessage extends FromHost {
  readonly request: IncomingMessage
  readonly given: unknown
}

/** A stream of HTTP/2 as `Http2ServerRequest` has it. */
interface HostStream {
  readonly endAfterHeaders: boolean
}

/** The stream of a request by HTTP/2, which a host may take as well. */
const streamOf = (request: HostRequest & { readonly stream?: HostStream }): HostStream | undefined =>
  request.httpVersionMajor >= 2 ? request.stream : undefined

/** By HTTP/2 a host is in `:authority`, and there is no `headersDistinct`. */
function headersOf(request: HostRequest): Pick<FromHost, "headers" | "headersDistinct"> {
  const { headers, headersDistinct, rawHeaders } = request
  if (!streamOf(request)) return { headers, headersDistinct }
  const authority = headers[":authority"]
  const distinct: Record<string, string[]> = Object.create(null)
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = [rawHeaders[index]?.toLowerCase(), rawHeaders[index + 1]]
    distinct[name] = [...(distinct[name] ?? []), value]
  }
  const host = typeof authority === "string" ? { host: authority } : {}
  return { headers: { ...headers, ...host }, headersDistinct: distinct }
}

export function nodeMessage(request: HostRequest, { address, body, caller = request }: Passed): NodeMessage {
  const { method, originalUrl, url, httpVersion, rawHeaders, socket } = request
  return {
    request,
    given: body === undefined ? request.body : body,
    caller,
    method,
    url: originalUrl ?? url,
    httpVersion,
    ...headersOf(request),
    rawHeaders,
    socket: address === undefined ? socket : withAddress(socket, address),
  }
}

function withAddress(socket: IncomingMessage["socket"], remoteAddress: string): FromHost["socket"] {
  return {
    remoteAddress,
    get destroyed() {
      return socket.destroyed
    },
    once: (event, gone) => socket.once(event, gone),
    off: (event, gone) => socket.off(event, gone),
  }
}

/** The bytes themselves are exact: what was read by others is taken only where they are gone. */
export function readNodeBody(
  { request, given }: NodeMessage,
  limit: number,
): Body | Promise<Body | undefined> {
  const stream = streamOf(request)
  if (stream ? stream.endAfterHeaders : !hasBody(request)) return noBody
  if (!request.readableDidRead && !request.readableEnded)
    return stream
      ? readWhole({ message: request, headers: request.headers }, limit)
      : readBody(request, limit)
  if (given !== undefined) return passedBody(given, limit)
  return {
    ...noBody,
    refused: refusal("internal", "The host has read the body of this request before Bifold.", {
      hint: "Leave the body to Bifold, or give what was read: as request.body, or node(request, response, { body }).",
    }),
  }
}
