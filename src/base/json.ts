// JSON as text: answers are built and joined as text, and are not parsed on their way out.

export type JsonText = string

/** JSON on its way out: text, or the UTF-8 of it where it is long, which is not made into a string only to be sent. */
export type Json = JsonText | Buffer

export const textOf = (json: Json): JsonText => (typeof json === "string" ? json : json.toString())

/** Bytes when a piece is bytes. */
export function joinJson(pieces: readonly Json[]): Json {
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("")
  return Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)))
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
