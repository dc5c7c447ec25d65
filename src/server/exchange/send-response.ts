// Sends a response of dispatch through node:http.
import type { ServerResponse } from "node:http"
import { pipeline } from "node:stream/promises"
import { isText, type JsonPieces, piecesOf, sizeOf } from "../../base/json.ts"
import { type BodyStream, cutBy, isStream } from "../../http/body.ts"
import type { Dispatched } from "../dispatch.ts"
import { cutUntaken } from "../untaken.ts"

/** Bytes from which on an answer is sent as it is: Node copies a long string more often than a buffer. */
const long = 16_384

interface Sending {
  /** No other answer follows on the connection. */
  readonly last: boolean
  /** Milliseconds. */
  readonly untaken: number
}

/** Resolves when a stream has been sent or its client has left; a whole body is handed over at once. */
export function sendResponse(
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
