// A small HTTP server for metrics alone, on an address of its own.
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { isLoopback } from "../../base/networks.ts"
import { refusal } from "../../base/problem.ts"
import { refusedHost } from "../../server/cross-site.ts"

/** An import would load all that node:http can give. */
const http = process.getBuiltinModule("node:http")

export interface MetricsAddress {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  readonly url: string
  close(): Promise<void>
}

export interface Scraped {
  readonly contentType: string
  readonly text: string
}

/** Milliseconds for a request to arrive. */
const patience = 5_000

/** Throws a Refusal when the address cannot be had. */
export async function serveMetrics(
  address: MetricsAddress,
  scrape: () => Promise<Scraped>,
): Promise<MetricsServer> {
  const loopbackOnly = isLoopback(address.host)
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response, { scrape, loopbackOnly }).catch(() => response.destroy())
  }
  const server = http.createServer({ requestTimeout: patience, headersTimeout: patience }, answer)
  const port = await listen(server, address)
  const { host } = address
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Responding {
  readonly scrape: () => Promise<Scraped>
  /** Only requests that name this machine are answered: a page of another site may have its own name lead here. */
  readonly loopbackOnly: boolean
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { scrape, loopbackOnly }: Responding,
): Promise<void> {
  const { method = "GET", url = "/" } = request
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("cache-control", "no-store")
  if (refusedHost(request, loopbackOnly))
    return end(response, 400, "Metrics are for this machine, as localhost or 127.0.0.1: see --metrics.\n")
  if (!isMetricsPath(url)) return end(response, 404, "Metrics are at /metrics.\n")
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD")
    return end(response, 405, "Only GET and HEAD are allowed here.\n")
  }
  const scraped = await scrape().catch(() => undefined)
  if (!scraped) return end(response, 503, "A process has not told its metrics.\n")
  response.setHeader("content-type", scraped.contentType)
  response.end(scraped.text)
}

const isMetricsPath = (url: string): boolean => /^\/metrics(\?|$)/.test(url)

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text)
}

/** Resolves with the port. */
function listen(server: Server, { host, port }: MetricsAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(error, { host, port })))
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : port)
    })
  })
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: MetricsAddress): Error {
  if (error.code === "EADDRINUSE")
    return refusal("cannot_listen", `Port ${port} of ${host}, for metrics, is in use already.`, {
      hint: "Choose another with --metrics (0 takes any that is free), or end the program that uses it.",
    })
  return refusal("cannot_listen", `Metrics cannot be served on port ${port} of ${host}: ${error.message}.`, {
    hint: "Give --metrics a port above 1023, or <address of this machine>:<port>.",
  })
}
