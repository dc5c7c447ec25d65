// JSON as text: answers are built and joined as text, and are not parsed on their way out.

export type JsonText = string

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
