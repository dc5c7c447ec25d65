// A message of node:http as a host passes it on: at another path than it came with, its body read already, or by a test's double.
import type { IncomingMessage } from "node:http"
import { refusal } from "../base/problem.ts"
import { type Body, hasBody, noBody, readBody } from "../server/body.ts"
import type { FromHost } from "./host-identify.ts"
import { passedBody } from "./passed-body.ts"
import type { Passed } from "./web-message.ts"

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

export function nodeMessage(request: HostRequest, { address, body, caller = request }: Passed): NodeMessage {
  const { method, originalUrl, url, httpVersion, headers, headersDistinct, rawHeaders, socket } = request
  return {
    request,
    given: body === undefined ? request.body : body,
    caller,
    method,
    url: originalUrl ?? url,
    httpVersion,
    headers,
    headersDistinct,
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
  if (!hasBody(request)) return noBody
  if (!request.readableDidRead && !request.readableEnded) return readBody(request, limit)
  if (given !== undefined) return passedBody(given, limit)
  return {
    ...noBody,
    refused: refusal("internal", "The host has read the body of this request before Bifold.", {
      hint: "Leave the body to Bifold, or give what was read: as request.body, or node(request, response, { body }).",
    }),
  }
}
