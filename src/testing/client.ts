// A client of both faces for one actor, without a network: what it sends and is given is what a server would.
import { textOf } from "../base/json.ts"
import { wholeBody } from "../http/body.ts"
import type { Face, FaceResponse } from "../http/face.ts"
import type { Actor } from "../plan/access/actor.ts"
import type { Faces } from "../server/service.ts"

export type Headers = Readonly<Record<string, string>>

export interface Client {
  /** By POST. Rejects when the service itself breaks, and never because of what is in the answer. */
  graphql<Data = unknown>(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Headers,
  ): Promise<GraphqlAnswer<Data>>
  /**
   * @param path below the service, with its query: `/orders?limit=2`
   * @param body a value, which is sent as JSON; text and bytes are sent as they are
   */
  rest<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ): Promise<RestAnswer<Body>>
}

export interface GraphqlAnswer<Data = unknown> {
  readonly status: number
  /** Null where nothing was answered, undefined where the answer has no data at all. */
  readonly data: Data | null | undefined
  /** Empty where all is well. */
  readonly errors: readonly GraphqlError[]
  /** Names in lower case. */
  readonly headers: Headers
}

export interface GraphqlError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly extensions: Readonly<Record<string, unknown>> & { readonly code: string }
}

export interface RestAnswer<Body = unknown> {
  readonly status: number
  /** The parsed JSON, else the text; null where there is none. */
  readonly body: Body
  /** Names in lower case. */
  readonly headers: Headers
}

interface Asking {
  readonly actor: Actor
  readonly facesFor: (actor: Actor) => Faces
  readonly nextRequestId: () => string
}

export function createClient({ actor, facesFor, nextRequestId }: Asking): Client {
  const ask = async (
    face: Face,
    [method, address]: readonly [method: string, address: string],
    body: unknown,
    headers: Headers,
  ): Promise<FaceResponse> => {
    const [path = "", ...query] = address.split("?")
    const response = await face({
      method: method.toUpperCase(),
      path,
      query: query.join("?"),
      headers: headersOf(body, headers),
      body: bytesOf(body),
      actor,
      requestId: nextRequestId(),
    })
    if (response.fault !== undefined) throw response.fault
    return response
  }
  return {
    async graphql<Data>(query: string, variables = {}, headers: Headers = {}) {
      const face = facesFor(actor).graphql
      const response = await ask(face, ["POST", "/graphql"], { query, variables }, headers)
      const { data, errors = [] } = JSON.parse(textOf(await wholeBody(response.body)))
      return { status: response.status, data: data as Data, errors, headers: response.headers }
    },
    async rest<Body>(method: string, path: string, body?: unknown, headers: Headers = {}) {
      const response = await ask(facesFor(actor).rest, [method, path], body, headers)
      return { status: response.status, body: (await bodyOf(response)) as Body, headers: response.headers }
    },
  }
}

function headersOf(body: unknown, given: Headers): Headers {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return body === undefined ? headers : { "content-type": "application/json", ...headers }
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body))
}

async function bodyOf({ headers, body }: FaceResponse): Promise<unknown> {
  const text = textOf(await wholeBody(body))
  if (text === "") return null
  return /^application\/([\w.-]+\+)?json\b/.test(headers["content-type"] ?? "") ? JSON.parse(text) : text
}
