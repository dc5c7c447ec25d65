// A stream of HTTP/2 as a request that dispatch reads, and the answer on it.
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2"
import { pipeline } from "node:stream/promises"
import { isText, piecesOf, sizeOf } from "../../base/json.ts"
import { cutBy, isStream } from "../../http/answer.ts"
import type { Dispatch, Dispatched } from "../dispatch.ts"
import type { Arriving, Incoming } from "../incoming.ts"
import { noBody, type ReadBody, readAhead } from "../incoming.ts"

export interface StreamMessage extends Incoming {
  readonly stream: ServerHttp2Stream
  readonly url: string
}

/** Pseudo-headers of a stream (RFC 9113 section 8.3.1). */
interface Received {
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn. */
  readonly raw: readonly string[]
}

export function createStreamMessage(
  stream: ServerHttp2Stream,
  { headers, raw }: Received,
  { remoteAddress, encrypted }: Pick<Incoming["socket"], "remoteAddress" | "encrypted">,
): StreamMessage {
  const { ":authority": authority } = headers
  const rawHeaders = raw.flatMap((name, index) => {
    const value = raw[index + 1]
    return index % 2 === 1 || name.startsWith(":") || value === undefined ? [] : [name, value]
  })
  // A client may name a header after a member of all objects, such as `constructor`.
  const distinct: Record<string, string[]> = Object.create(null)
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = [rawHeaders[index]?.toLowerCase(), rawHeaders[index + 1]]
    distinct[name] = [...(distinct[name] ?? []), value]
  }
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(":")))
  // A header Host that says something else is one Host too many.
  if (authority !== undefined && own["host"] !== authority) rawHeaders.push("host", authority)
  return {
    stream,
    method: headers[":method"],
    url: headers[":path"] ?? "/",
    httpVersion: "2.0",
    headers: authority === undefined ? own : { ...own, host: authority },
    headersDistinct: distinct,
    rawHeaders,
    socket: {
      get destroyed() {
        return stream.destroyed
      },
      remoteAddress,
      encrypted,
      once: (event, gone) => stream.once(event, gone),
      off: (event, gone) => stream.off(event, gone),
    },
  }
}

/** Begins to read the body of a request, and gives what reads the rest. */
export const readStreamAhead = (
  message: StreamMessage,
  { bodyLimit, arriving }: Pick<Dispatch, "bodyLimit" | "arriving">,
): ReadBody<StreamMessage> =>
  message.stream.endAfterHeaders
    ? () => noBody
    : readAhead({ ...arrivingOn(message), held: arriving }, bodyLimit)

/** A request that its client gave up does not count, however much of it has arrived. */
const arrivingOn = ({ stream, headers }: StreamMessage): Arriving => ({
  message: stream,
  headers,
  isCut: () => stream.aborted || stream.closed || stream.destroyed,
})

/** Headers of a connection have no place in HTTP/2 (RFC 9113 section 8.2.2). */
const ofConnections = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade"])

/** @param list names and values in turn */
export function headersOf(
  status: number,
  list: readonly string[],
): Record<string, string | string[] | number> {
  const headers: Record<string, string | string[] | number> = { ":status": status }
  for (let index = 0; index < list.length; index += 2) {
    const [name = "", value = ""] = [list[index]?.toLowerCase(), list[index + 1]]
    if (ofConnections.has(name)) continue
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat().map(String)
  }
  return headers
}

/** Resolves when the answer is with the client, or the client is gone. */
export async function sendOnStream(
  stream: ServerHttp2Stream,
  sent: Dispatched,
  isHead: boolean,
): Promise<void> {
  const { status, headers, body } = sent
  if (stream.destroyed) return
  if (isStream(body)) {
    stream.respond(headersOf(status, headers), { endStream: isHead })
    if (isHead) return
    const options = cutBy(body)
    await (sent.through ? pipeline(body, sent.through(), stream, options) : pipeline(body, stream, options))
    return
  }
  const bodiless = status === 204 || status === 304
  const length = bodiless ? [] : ["content-length", sent.length ?? String(sizeOf(body))]
  const isEmpty = bodiless || isHead || sizeOf(body) === 0
  stream.respond(headersOf(status, [...headers, ...length]), { endStream: isEmpty })
  if (isEmpty) return
  stream.end(isText(body) ? body : joined(piecesOf(body)))
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  return pieces.length === 1 && first ? first : Buffer.concat(pieces)
}
