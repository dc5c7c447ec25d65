// The body of a response: JSON that is there as a whole, or a stream of pieces that are made while they are sent.
import { type Json, joinJson, sizeOf } from "../base/json.ts"

/** Pieces of UTF-8 in their order. It is iterated at most once, and only while its client reads. */
export interface BodyStream extends AsyncIterable<string | Buffer> {
  /** Aborts to end the answer at once, whatever its client has not taken. */
  readonly cut?: AbortSignal
}

/** Options of a pipeline. */
export const cutBy = ({ cut }: BodyStream): { readonly signal?: AbortSignal } => (cut ? { signal: cut } : {})

export type Body = Json | BodyStream

export const isStream = (body: Body): body is BodyStream =>
  typeof body === "object" && Symbol.asyncIterator in body

/** Waits for all pieces. */
export async function wholeBody(body: Body): Promise<Json> {
  return isStream(body) ? joinJson(await Array.fromAsync(body)) : body
}

/** The body of an answer to HEAD. A stream stays one, so that its answer has no length either (RFC 9110 section 8.6). */
export const emptied = (body: Body): Body => (isStream(body) ? noPieces : "")

export const noPieces: BodyStream = { async *[Symbol.asyncIterator]() {} }

/** Bytes of a response up to which it is sent as a whole, with its length. */
const mostWhole = 64 * 1024

/** A stream, or the whole where it is made from few bytes. @param source what the stream is made from */
export async function streamed(source: Json, stream: BodyStream): Promise<Body> {
  return sizeOf(source) <= mostWhole ? wholeBody(stream) : stream
}
