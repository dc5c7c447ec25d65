// The text of a request's body.

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Undefined when the bytes are no UTF-8 (RFC 3629). */
export function utf8In(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}
