// A request of the web (`Request`) as dispatch sees it, and the response of dispatch as a `Response`.
import { pipeline } from "node:stream"
import { isText, type Json, piecesOf, sizeOf } from "../base/json.ts"
import { refusal } from "../base/problem.ts"
import { type BodyStream, isStream } from "../http/answer.ts"
import type { Dispatched } from "../server/dispatch.ts"
import { type Body, Gathered, noBody, plainBody, tooLarge } from "../server/incoming.ts"
import type { FromHost } from "./host-identify.ts"

/** Context of a request from its host. */
export interface Passed {
  /** The address of the client, for limits of anonymous callers. */
  readonly address?: string | undefined
  /** A body that the host has read. */
  readonly body?: unknown
  /** For `identify`. */
  readonly caller?: unknown
}

/** The client of a request: it has left when the request's signal aborts, or the body of its response is canceled. */
class Client {
  readonly remoteAddress: string | undefined
  readonly #listeners = new Set<() => void>()
  destroyed: boolean

  constructor({ signal }: Request, address: string | undefined) {
    this.remoteAddress = address
    this.destroyed = signal.aborted
    signal.addEventListener("abort", () => this.leave(), { once: true })
  }

  once(_event: "close", gone: () => void): void {
    this.#listeners.add(gone)
  }

  off(_event: "close", gone: () => void): void {
    this.#listeners.delete(gone)
  }

  leave(): void {
    this.destroyed = true
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const gone of listeners) gone()
  }
}

export interface WebMessage extends FromHost {
  readonly request: Request
  readonly given: unknown
  readonly socket: Client
}

export function webMessage(request: Request, { address, body, caller = request }: Passed): WebMessage {
  const { origin, host } = new URL(request.url)
  const headers = { host, ...Object.fromEntries(request.headers) }
  const { authorization } = headers as { readonly authorization?: string }
  return {
    request,
    given: body,
    caller,
    method: request.method,
    url: request.url.slice(origin.length),
    httpVersion: "1.1",
    headers,
    // A list of them has become one text.
    headersDistinct: authorization === undefined ? {} : { authorization: [authorization] },
    rawHeaders: [],
    socket: new Client(request, address),
  }
}

/** Undefined when the client went away in the middle. */
export async function readWebBody(
  { request, given, headers }: WebMessage,
  limit: number,
): Promise<Body | undefined> {
  if (given !== undefined) return passedBody(given, limit)
  if (request.bodyUsed || request.body?.locked)
    return {
      ...noBody,
      refused: refusal("internal", "The host has read the body of this Request before Bifold.", {
        hint: "Give a Request whose body is unread, such as request.clone(), or what was read: fetch(request, { body }).",
      }),
    }
  if (request.body === null) return noBody
  if (Number(headers["content-length"] ?? 0) > limit) return tooLarge(limit)
  return plainBody(await collect(request.body, limit), headers["content-encoding"])
}

async function collect(body: NonNullable<Request["body"]>, limit: number): Promise<Body | undefined> {
  const gathered = new Gathered(limit)
  try {
    for await (const chunk of body) {
      const refused = gathered.add(chunk)
      // Leaving the loop cancels the rest.
      if (refused) return refused
    }
  } catch {
    return undefined
  }
  return { bytes: gathered.bytes }
}

interface TakenBy {
  readonly client: Pick<WebMessage["socket"], "leave" | "once">
  /** How the answer ended; with the fault of a stream that could not go on. */
  readonly ended: (how: "taken" | "left" | "failed", fault?: unknown) => void
  /** Is called when the service closes. */
  readonly whenClosing: (hasten: () => void) => void
}

export function webResponse(
  { status, headers: pairs, body, length, through }: Dispatched,
  by: TakenBy,
): Response {
  const { ended } = by
  const headers = new Headers()
  for (let index = 0; index < pairs.length; index += 2) {
    const name = pairs[index] ?? ""
    // The connection is the host's.
    if (name !== "connection") headers.append(name, pairs[index + 1] ?? "")
  }
  if (status === 204 || status === 304) {
    ended("taken")
    return new Response(null, { status, headers })
  }
  if (isStream(body)) {
    const pieces = through ? passedThrough(body, through()) : body
    return new Response(streamOf(pieces, by, body.cut), { status, headers })
  }
  headers.set("content-length", length ?? String(sizeOf(body)))
  ended("taken")
  return new Response(wholeOf(body), { status, headers })
}

function wholeOf(body: Json): string | Uint8Array<ArrayBuffer> {
  if (isText(body)) return body
  const [first, ...rest] = piecesOf(body)
  return (first && rest.length === 0 ? first : Buffer.concat(piecesOf(body))) as Uint8Array<ArrayBuffer>
}

function passedThrough(body: BodyStream, coder: ReturnType<NonNullable<Dispatched["through"]>>): BodyStream {
  // The coder is read, so it reports the fault.
  return pipeline(body, coder, () => {})
}

/**
 * Milliseconds within which the host has to take a piece of a stream. While the service is open, one limit holds; when it
 * closes, the first piece and each further one have their own.
 */
const patience = { open: 30_000, first: 1_000, next: 2_000 } as const

/** A piece is made when the one before it was taken. A host that takes none ends the stream, as a client of `serve` does. */
function streamOf(
  pieces: BodyStream,
  { client, ended, whenClosing }: TakenBy,
  given: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  let over = false
  let begun = false
  let pulling = false
  let cut = (): void => {}
  let untaken = setTimeout(() => pulling || cut(), patience.open).unref()
  const end: TakenBy["ended"] = (how, fault) => {
    if (over) return
    over = true
    clearTimeout(untaken)
    ended(how, fault)
  }
  const stop = (): void => {
    end("left")
    iterator.return?.().catch(() => {})
  }
  client.once("close", stop)
  given?.addEventListener("abort", () => over || cut(), { once: true })
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        cut = () => {
          controller.error(new Error("The host did not read this answer in time, so it was given up."))
          client.leave()
          stop()
        }
      },
      async pull(controller) {
        begun = true
        pulling = true
        try {
          const { done, value } = await iterator.next()
          if (!done) {
            pulling = false
            if (!over) untaken.refresh()
            return controller.enqueue(typeof value === "string" ? Buffer.from(value) : value)
          }
          end("taken")
          controller.close()
        } catch (error) {
          end("failed", error)
          controller.error(error)
        }
      },
      cancel() {
        client.leave()
        stop()
      },
    },
    { highWaterMark: 0 },
  )
  const made = performance.now()
  whenClosing(() => {
    if (over) return
    // A stream that was read in part may have been dropped; an active reader keeps it open.
    clearTimeout(untaken)
    untaken = setTimeout(() => pulling || cut(), patience.next)
    if (begun) return
    const left = patience.first - (performance.now() - made)
    setTimeout(() => begun || over || cut(), Math.max(0, left))
  })
  return stream
}

// A body that the host has read already: bytes, text, or parsed JSON.

/** Numbers of parsed JSON are as exact as the host has read them; whole ones may be a bigint. */
export function passedBody(given: unknown, limit: number): Body {
  const bytes = bytesOf(given)
  return bytes.length > limit ? tooLarge(limit) : { bytes }
}

function bytesOf(given: unknown): Uint8Array {
  if (given instanceof Uint8Array) return given
  if (given instanceof ArrayBuffer) return new Uint8Array(given)
  return Buffer.from(typeof given === "string" ? given : textOf(given))
}

/** A bigint has no JSON of its own. Beyond the numbers that a double keeps, whole numbers are texts of digits. */
function textOf(given: unknown): string {
  return JSON.stringify(given, (_, value: unknown) => {
    if (typeof value !== "bigint") return value
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  })
}
