// A random request while it is made: apart, so that mutations and the shrinking of what failed can take any part of it.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Who asks, by the word that stands behind `Bearer`; nobody shows none. */
export type Asking = "anonymous" | "creator" | "reader" | "staff"

export interface FuzzRequest {
  readonly as: Asking
  /** What it was drawn as: `PATCH /things/{id}`, `Query.things`. Mutations leave it as it is. */
  readonly door: string
  readonly method: string
  /** Still percent-encoded. */
  readonly path: string
  /** Names and values, percent-encoded when they are joined; `raw` stands as it is. */
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly raw?: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Sent as JSON; bytes and text are sent as they are. Undefined: none. */
  readonly body: Json | Uint8Array | undefined
}

/** Node's own encoding throws at lone surrogates. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

export function targetOf({ path, query, raw }: FuzzRequest): string {
  const pairs = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  const all = [...pairs, ...(raw === undefined ? [] : [raw])].join("&")
  return all === "" ? path : `${path}?${all}`
}

export function bytesOf({ body, headers }: FuzzRequest): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (body instanceof Uint8Array) return Buffer.from(body)
  if (
    typeof body === "string" &&
    headers.some(([name, value]) => name === "content-type" && value.includes("graphql"))
  )
    return Buffer.from(body)
  return Buffer.from(JSON.stringify(body))
}

/** As `curl` would send it, for people who want to see it again. */
export function shownRequest(request: FuzzRequest): string {
  const head = request.headers.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const body = bytesOf(request).toString()
  return [`${request.method} ${targetOf(request)} (as ${request.as})`, ...head, body].join("\n")
}
