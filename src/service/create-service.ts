// `createService`: a service inside a server of the host's own.
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { Handle } from "../model/declaration/client-types.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import type { CannotAnswer } from "./cannot-answer.ts"
import type { EmbeddedMetrics } from "./embedded-metrics.ts"
import type { EmbedOptions, Identified } from "./embedded-options.ts"
import type { OpenedService, OpenOptions } from "./open-embedded.ts"

/** Context that a host passes on with a request; all of it may be absent. */
export interface PassedOn<Caller = unknown> {
  /** For `identify`, in place of the request: such as the context of a framework, which knows the session. */
  readonly caller?: Caller
  /** A body that the host has read: bytes, text, or parsed JSON. The bytes themselves go before, where they are unread. */
  readonly body?: unknown
  /** The address of the client. A `Request` has none: without it, anonymous callers share one place in limits. */
  readonly address?: string | undefined
}

/** A request of a test. */
export interface HandledRequest {
  /** GET when absent. */
  readonly method?: string
  /** With the base, and its query: `/api/orders?limit=2`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A value, which is sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown
}

export interface HandledResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, else the text; null without a body. A stream is waited for to its end. */
  readonly body: unknown
}

export interface EmbeddedService<Caller = Request | IncomingMessage, Service = ServiceDeclaration>
  extends AsyncDisposable {
  /**
   * Answers a request of the web: Hono, Next.js, Bun, Deno. Never rejects. A stream is made as it is taken, and ends
   * when `request.signal` aborts or the body of the response is canceled.
   * @param passed other second arguments, as runtimes give them, are ignored
   */
  fetch(this: void, request: Request, passed?: PassedOn<Caller> | unknown): Promise<Response>
  /**
   * Answers a message of node:http: Express, Fastify, Connect, `http.createServer`. Resolves when the answer was sent or the
   * client has left; never rejects. A body that was read before is taken from `request.body`.
   * @param passed a function, as middleware is given, is never called: all requests are answered
   */
  node(
    this: void,
    request: IncomingMessage,
    response: ServerResponse,
    passed?: PassedOn<Caller> | unknown,
  ): Promise<void>
  /**
   * Subscriptions over WebSocket, for the event `upgrade` of node:http. False, without any effect, for an upgrade that
   * is not the service's.
   */
  upgrade(this: void, request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** Answers a request without a network, by the same way. */
  handle(this: void, request: HandledRequest): Promise<HandledResponse>
  /**
   * Opens the service, and gives code of the host the `db` of user code: by the rules of an actor, each call a transaction.
   * @param actor as from `identify`; null for an anonymous caller
   */
  db(this: void, actor: Exclude<Identified<Service>, undefined>): Promise<Handle<Service>>
  /**
   * Opens the service, which else the first request does, and asks its database. Rejects with a Refusal that says every mistake
   * in the declaration and the options, in what the database differs, or that it does not answer.
   */
  ready(this: void): Promise<void>
  /**
   * Metrics in the text format of Prometheus, for a path of the host's own; the option `metrics` says which. Opens the service.
   * One that cannot be opened, or was closed, has `bifold_database_up 0`. Rejects where the option is absent.
   */
  metrics(this: void): Promise<{ readonly contentType: string; readonly text: string }>
  /** Ends streams, waits for open requests (ten seconds at the most), and closes the database. */
  close(this: void): Promise<void>
}

/**
 * A service inside a server of the host's own: requests are answered as `bifold serve` answers them. Nothing is loaded or opened
 * before `ready`, or the first request.
 */
export function createService<Service extends ServiceDeclaration, Caller = Request | IncomingMessage>(
  declaration: Service,
  options: EmbedOptions<Service, Caller>,
): EmbeddedService<Caller, Service> {
  const own = new Opening(declaration, options as OpenOptions)
  const unable = async (cause: unknown): Promise<CannotAnswer> => {
    const { cannotAnswer } = await import("./cannot-answer.ts")
    return cannotAnswer(own.isClosing ? undefined : cause, options.observe)
  }
  const fetch = async (request: Request, passed?: unknown): Promise<Response> => {
    let opened: OpenedService
    try {
      opened = await own.open()
    } catch (cause) {
      const { status, headers, body } = await unable(cause)
      return new Response(body, { status, headers })
    }
    return opened.fetch(request, passedOn(passed))
  }
  return {
    fetch,
    async node(request, response, passed) {
      let opened: OpenedService
      try {
        opened = await own.open()
      } catch (cause) {
        const { status, headers, body } = await unable(cause)
        response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body)
        return
      }
      return opened.node(request, response, passedOn(passed))
    },
    upgrade(request, socket, head) {
      const [path] = (request.url ?? "").split("?")
      if (path !== `${options.base ?? ""}/graphql`) return false
      socket.on("error", () => {})
      own.open().then(
        (opened) => opened.upgrade(request, socket as Parameters<OpenedService["upgrade"]>[1], head),
        () => socket.destroy(),
      )
      return true
    },
    async handle(request) {
      return handled(await fetch(requestOf(request)))
    },
    async db(actor) {
      return (await own.open()).db(actor) as Handle<Service>
    },
    async ready() {
      await (await own.open()).health()
    },
    metrics: () => own.metrics(),
    close: () => own.close(),
    [Symbol.asyncDispose]: () => own.close(),
  }
}

/** A service from its first opening on. */
class Opening implements OpenPlace {
  readonly #declaration: ServiceDeclaration
  readonly #options: OpenOptions
  #opening: Promise<OpenedService> | undefined
  #closing: Promise<void> | undefined
  /** Where it was open, and since when another service is there. */
  #place: string | undefined
  #replaced: Promise<void> | undefined
  #counting: Promise<EmbeddedMetrics> | undefined

  constructor(declaration: ServiceDeclaration, options: OpenOptions) {
    this.#declaration = declaration
    this.#options = options
  }

  get isClosing(): boolean {
    return this.#closing !== undefined
  }

  open(): Promise<OpenedService> {
    if (this.#closing) return Promise.reject(new Error("This service has been closed."))
    const there = this.#newer()
    if (there) return there.open()
    this.#opening ??= this.#load().catch((error) => {
      // A database that was away may be back.
      setTimeout(() => (this.#opening = undefined), retry).unref()
      throw error
    })
    return this.#opening
  }

  async metrics(): Promise<{ readonly contentType: string; readonly text: string }> {
    const there = this.#closing ? undefined : this.#newer()
    if (there) return there.metrics()
    const { metrics } = this.#options
    if (!metrics) {
      const { refusal } = await import("../base/problem.ts")
      throw refusal("invalid_command", "Metrics of this service are not collected.", {
        hint: `Give createService the option metrics: "service", or "process" to include Node's own.`,
      })
    }
    // Requests and `ready` report why the database cannot be opened.
    await this.open().catch(() => {})
    return (await this.#countBy(metrics)).scrape()
  }

  replace(): void {
    const former = this.#opening
    this.#opening = undefined
    this.#replaced = Promise.all([this.#replaced, former?.then((opened) => opened.retire())]).then(
      () => {},
      () => {},
    )
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    if (this.#place !== undefined) leavePlace(this.#place, this)
    await Promise.all([opened?.close(), this.#replaced])
  }

  async #load(): Promise<OpenedService> {
    const { openEmbedded } = await import("./open-embedded.ts")
    const { metrics: counted } = this.#options
    const metrics = counted && (await this.#countBy(counted))
    const opened = await openEmbedded(this.#declaration, this.#options, metrics)
    this.#place = opened.place
    if (this.#place !== undefined && !this.#closing) takePlace(this.#place, this, opened.warnReplacing)
    return opened
  }

  #countBy(what: "service" | "process"): Promise<EmbeddedMetrics> {
    this.#counting ??= import("./embedded-metrics.ts").then((its) => its.createEmbeddedMetrics(what))
    return this.#counting
  }

  /** The newer service, while this one is replaced. */
  #newer(): OpenPlace | undefined {
    if (!this.#replaced || this.#place === undefined) return undefined
    const there = openedAt(this.#place)
    return there === this ? undefined : there
  }
}

/** Milliseconds after which a service that could not be opened is tried again. */
const retry = 1_000

function passedOn(given: unknown): Omit<PassedOn, "address"> & { readonly address?: string } {
  if (typeof given !== "object" || given === null) return {}
  const { caller, body, address } = given as PassedOn
  return { caller, body, ...(typeof address === "string" && { address }) }
}

function requestOf({ method = "GET", path, headers, body }: HandledRequest): Request {
  const isJson = body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array)
  const content = isJson ? JSON.stringify(body) : (body as string | undefined)
  const own = isJson ? { "content-type": "application/json", ...headers } : { ...headers }
  return new Request(`http://localhost${path}`, {
    method,
    headers: own,
    ...(content !== undefined && { body: content }),
  })
}

async function handled(response: Response): Promise<HandledResponse> {
  const text = await response.text()
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(response.headers.get("content-type") ?? "")
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text === "" ? null : isJson ? JSON.parse(text) : text,
  }
}

// The services that are open in this process, by their place. A module that a host loads again creates its service again: the
// newer one replaces the older one.

/** An open service. */
interface OpenPlace {
  /** The open service, or the one that has replaced it. */
  open(): Promise<OpenedService>
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>
  /** Closes in the background; requests go to the newer service from now on. */
  replace(): void
}

interface Known {
  readonly open: Map<string, OpenPlace>
  /** Places with a warning. */
  readonly warned: Set<string>
}

/** Shared by the whole process: bundlers and module runners load Bifold several times, too. */
const key = Symbol.for("bifold.services.1")

function known(): Known {
  const holder = globalThis as { [key]?: Known }
  holder[key] ??= { open: new Map(), warned: new Set() }
  return holder[key]
}

const openedAt = (place: string): OpenPlace | undefined => known().open.get(place)

/** @param warn is called once for each place, when a service is replaced there */
function takePlace(place: string, service: OpenPlace, warn: () => void): void {
  const { open, warned } = known()
  const former = open.get(place)
  open.set(place, service)
  if (!former || former === service) return
  former.replace()
  if (warned.has(place)) return
  warned.add(place)
  warn()
}

function leavePlace(place: string, service: OpenPlace): void {
  const { open } = known()
  if (open.get(place) === service) open.delete(place)
}
