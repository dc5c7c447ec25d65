// A client of both faces for one actor, without a network: what it sends and is given is what a server would.
import { present } from "../../base/invariant.ts"
import { textOf } from "../../base/json.ts"
import type { Problem, Withheld } from "../../base/problem.ts"
import { wholeBody } from "../../http/answer.ts"
import { type Dispatch, dispatch } from "../../server/dispatch.ts"
import type { Incoming } from "../../server/incoming.ts"
import { noBody, plainBody, type ReadBody, tooLarge } from "../../server/incoming.ts"

export type Headers = Readonly<Record<string, string>>

export interface Client {
  /** By POST. Rejects only when the service itself breaks; errors in the answer do not reject. */
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

/** Why user code that is lent roles was refused, as the log has it: the client gets general words. */
export interface CodeRefused {
  /** Names the operation. */
  readonly message: string
  readonly problems: readonly Problem[]
}

export interface GraphqlAnswer<Data = unknown> {
  readonly status: number
  /** Null where nothing was answered, undefined where the answer has no data at all. */
  readonly data: Data | null | undefined
  /** Empty where all is well. */
  readonly errors: readonly GraphqlError[]
  /** Names in lower case. */
  readonly headers: Headers
  readonly withheld?: CodeRefused
}

export interface GraphqlError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly extensions: Readonly<Record<string, unknown>> & { readonly code: string }
}

export interface RestAnswer<Body = unknown> {
  readonly status: number
  /** The parsed JSON, else the text; null without a body. */
  readonly body: Body
  /** Names in lower case. */
  readonly headers: Headers
  readonly withheld?: CodeRefused
}

interface Asking {
  /** The dispatch of a server for the caller of this client. */
  readonly to: Dispatch
  readonly nextRequestId: () => string
}

interface Message extends Incoming {
  readonly bytes: Uint8Array | undefined
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Absent if the answer has none. */
  readonly own: { readonly withheld?: Withheld }
}

export function createClient({ to, nextRequestId }: Asking): Client {
  const ask = async (method: string, url: string, body: unknown, given: Headers): Promise<Answer> => {
    const faults: unknown[] = []
    let own: Answer["own"] = {}
    const observing: Dispatch = {
      ...to,
      observe(observation) {
        if (observation.kind === "failed") faults.push(observation.error)
        if (observation.kind === "withheld") own = { withheld: observation.error }
      },
    }
    const headers = { host: "localhost", "x-request-id": nextRequestId(), ...headersOf(body, given) }
    const message = {
      method: method.toUpperCase(),
      url,
      headers,
      bytes: body === undefined ? undefined : bytesOf(body),
      ...connected,
    }
    const sent = present(await dispatch(observing, message, readMessage), "a test's client stays")
    if (faults.length > 0) throw faults[0]
    const { status, headers: pairs } = sent
    return { status, headers: fromPairs(pairs), text: textOf(await wholeBody(sent.body)), own }
  }
  return {
    async graphql<Data>(query: string, variables = {}, given: Headers = {}) {
      const { status, headers, text, own } = await ask("POST", "/graphql", { query, variables }, given)
      const { data, errors = [] } = JSON.parse(text)
      return { status, data: data as Data, errors, headers, ...own }
    },
    async rest<Body>(method: string, path: string, body?: unknown, given: Headers = {}) {
      const { status, headers, text, own } = await ask(method, path, body, given)
      return { status, body: bodyOf(headers, text) as Body, headers, ...own }
    },
  }
}

/** Each client is at this machine. */
const connected = {
  httpVersion: "1.1",
  headersDistinct: {},
  rawHeaders: [],
  socket: { destroyed: false, remoteAddress: "127.0.0.1", once() {}, off() {} },
}

const readMessage: ReadBody<Message> = async ({ bytes, headers }, limit) => {
  if (!bytes) return noBody
  return bytes.length > limit ? tooLarge(limit) : plainBody({ bytes }, headers["content-encoding"])
}

function fromPairs(pairs: readonly string[]): Headers {
  const headers: Record<string, string> = {}
  for (let index = 0; index < pairs.length; index += 2) headers[pairs[index] ?? ""] = pairs[index + 1] ?? ""
  return headers
}

function headersOf(body: unknown, given: Headers): Headers {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return body === undefined ? headers : { "content-type": "application/json", ...headers }
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
}

function bodyOf(headers: Headers, text: string): unknown {
  if (text === "") return null
  return /^application\/([\w.-]+\+)?json\b/.test(headers["content-type"] ?? "") ? JSON.parse(text) : text
}
