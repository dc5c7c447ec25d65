// JSON as text: answers are built and joined as text, and are not parsed on their way out.

export type JsonText = string

/**
 * JSON on its way out: a short text as a string, a long one as its UTF-8, which needs no conversion before it is sent.
 * An answer with insertions is in pieces, so that a few bytes do not cause a copy of a long one.
 */
export type Json = JsonText | Buffer | JsonPieces
/** One after the other; no character is in two of them. */
export type JsonPieces = readonly Buffer[]

export const isText = (json: Json): json is JsonText => typeof json === "string"

export const textOf = (json: Json): JsonText =>
  isText(json) ? json : Buffer.isBuffer(json) ? json.toString() : json.map(String).join("")

/** For anything but text. */
export const piecesOf = (bytes: Buffer | JsonPieces): JsonPieces => (Buffer.isBuffer(bytes) ? [bytes] : bytes)

/** Bytes of UTF-8. */
export function sizeOf(json: Json): number {
  if (isText(json) || Buffer.isBuffer(json)) return Buffer.byteLength(json)
  let size = 0
  for (const piece of json) size += piece.length
  return size
}

/** Text when all pieces are. */
export function joinJson(pieces: readonly Json[]): Json {
  if (pieces.every(isText)) return pieces.join("")
  const joined: Buffer[] = []
  let text = ""
  for (const piece of pieces) {
    if (isText(piece)) {
      text += piece
      continue
    }
    if (text !== "") joined.push(Buffer.from(text))
    text = ""
    joined.push(...piecesOf(piece))
  }
  if (text !== "") joined.push(Buffer.from(text))
  return joined
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** `{"key":text,…}` from members whose values are already JSON text. */
export function joinObject(members: Iterable<readonly [key: string, text: JsonText]>): JsonText {
  let out = "{"
  for (const [key, text] of members) out += `${out.length > 1 ? "," : ""}${JSON.stringify(key)}:${text}`
  return `${out}}`
}
