// Requests to addresses that others have named: connected to only where that is allowed, never redirected, and read in
// bounds of time and size.
import { lookup as lookUpName, Resolver } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
import { Agent, buildConnector, type Dispatcher, errors } from "undici"
import { createMayReach, createMayReachOwn, type MayReach } from "../base/networks.ts"

export interface DialerOptions {
  /** Networks that are reached beside the public internet; `any` for all. These by http, too. */
  readonly networks?: readonly string[] | "any"
  /** Milliseconds for all of a request; 15 seconds when absent. */
  readonly deadline?: number
  /** Bytes of an answer that are read; 64 KiB when absent. A longer answer is cut. */
  readonly mostBytes?: number
  /** Name servers, such as `127.0.0.1:53`; the system's own when absent. */
  readonly nameServers?: readonly string[]
}

interface DialedRequest {
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

interface DialedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  /** Whether there was more of the body than is read. */
  readonly isCut: boolean
}

/** Why there was no answer. */
export type DialFault =
  | "address_invalid"
  | "address_forbidden"
  | "name_unknown"
  | "connection_failed"
  | "timeout"
  | "answer_invalid"

export class DialError extends Error {
  readonly fault: DialFault

  constructor(fault: DialFault, cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

export interface Dialer {
  /** Rejects with a DialError, or with the reason of the signal. */
  send(url: string, request: DialedRequest): Promise<DialedAnswer>
  close(): Promise<void>
}

const usual = { deadline: 15_000, bytes: 65_536 } as const
/** Milliseconds. */
const connectDeadline = 10_000
/** Milliseconds for which an unused connection is kept. */
const unused = 10_000
/** Connections to one server. */
const mostConnections = 16
const mostHeaderBytes = 16_384

export function createDialer({
  networks = [],
  deadline = usual.deadline,
  mostBytes = usual.bytes,
  nameServers,
}: DialerOptions = {}): Dialer {
  const allowsHttp = networks === "any" || networks.length > 0
  const guarded = (mayReach: MayReach): buildConnector.connector =>
    guardedConnect(mayReach, createLookup(mayReach, { system: allowsHttp, nameServers }))
  const [secure, plain] = [guarded(createMayReach(networks)), guarded(createMayReachOwn(networks))]
  const agent = new Agent({
    connect: (options, callback) => (options.protocol === "https:" ? secure : plain)(options, callback),
    connections: mostConnections,
    keepAliveTimeout: unused,
    keepAliveMaxTimeout: unused,
    headersTimeout: deadline,
    bodyTimeout: deadline,
    maxHeaderSize: mostHeaderBytes,
  })
  return {
    async send(url, { method, headers, body, signal }) {
      const { origin, pathname, search } = readUrl(url, allowsHttp)
      const late = AbortSignal.timeout(deadline)
      const ended = signal ? AbortSignal.any([late, signal]) : late
      try {
        const answer = await agent.request({
          origin,
          path: pathname + search,
          method,
          headers: { ...headers },
          signal: ended,
          // A server closes a kept connection as the next request arrives. Reads are rare: each has a connection of its own.
          reset: method === "GET",
          ...(body !== undefined && { body }),
        })
        return { ...(await readBody(answer, mostBytes)), status: answer.statusCode, headers: answer.headers }
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        throw late.aborted ? new DialError("timeout", error) : faultOf(error)
      }
    },
    close: () => agent.destroy(),
  }
}

/** Throws a DialError. */
function readUrl(text: string, allowsHttp: boolean): URL {
  const url = URL.parse(text)
  const isWeb = url?.protocol === "https:" || (allowsHttp && url?.protocol === "http:")
  if (!url || !isWeb || url.username !== "" || url.password !== "") throw new DialError("address_invalid")
  return url
}

/** A name is checked after it is resolved; a literal address is checked before. */
function guardedConnect(mayReach: MayReach, lookup: LookupFunction): buildConnector.connector {
  const connect = buildConnector({ lookup, timeout: connectDeadline, autoSelectFamily: true })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "")
    if (isIP(host) && !mayReach(host)) callback(new DialError("address_forbidden"), null)
    else connect(options, callback)
  }
}

interface Names {
  /** By the system's own means, which know the names of its network too. */
  readonly system: boolean
  readonly nameServers: readonly string[] | undefined
}

function createLookup(mayReach: MayReach, { system, nameServers }: Names): LookupFunction {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  /** The system's own lookup takes one of few threads that all of the process share. */
  const asked = async (name: string): Promise<readonly string[]> => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []))
  }
  const find = async (name: string): Promise<readonly string[]> =>
    system && !nameServers
      ? (await lookUpName(name, { all: true })).map(({ address }) => address)
      : asked(name)
  return (name, { all }, callback) => {
    find(name)
      .then((addresses) => {
        if (addresses.length === 0) throw new DialError("name_unknown")
        // Reject a host that resolves to both public and private addresses without blaming the caller.
        if (!addresses.every(mayReach)) throw new DialError("address_forbidden")
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (all || !first) callback(null, found)
        else callback(null, first.address, first.family)
      })
      .catch((error: unknown) =>
        callback(error instanceof DialError ? error : new DialError("name_unknown", error), []),
      )
  }
}

async function readBody(
  { body }: Dispatcher.ResponseData,
  most: number,
): Promise<Pick<DialedAnswer, "body" | "isCut">> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > most) return { body: Buffer.concat(chunks).subarray(0, most), isCut: true }
  }
  return { body: Buffer.concat(chunks), isCut: false }
}

function faultOf(error: unknown): DialError {
  for (let of = error; of instanceof Error; of = of.cause) if (of instanceof DialError) return of
  const isTimeout =
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  if (isTimeout) return new DialError("timeout", error)
  const isAnswer =
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseExceededMaxSizeError
  return new DialError(isAnswer ? "answer_invalid" : "connection_failed", error)
}
