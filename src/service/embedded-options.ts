// The options of a service that a host embeds.
import type { IncomingMessage } from "node:http"
import type { ClientTraces } from "../base/tracing.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import type { RolesOf, ScopesOf } from "../model/declaration/names-of.ts"
import type { Compression } from "../server/coding.ts"
import type { Observe } from "../server/observation.ts"

/**
 * A caller that the host has identified; absent members are none, and `{}` is anonymous. A member without a value is a mistake:
 * `{ viewer: session?.id }` would sign in callers without a session.
 */
export type EmbeddedActor<Role extends string = string, Scope extends string = string> =
  | (Named<Role, Scope> & {
      /** The id of the viewer's record, with its prefix or without. */
      readonly viewer: string
    })
  | (Named<Role, Scope> & { readonly viewer?: never; readonly roles: readonly Role[] })
  | (Named<Role, Scope> & { readonly viewer?: never; readonly scopes: readonly Scope[] })
  | (Named<Role, Scope> & { readonly viewer?: never; readonly name: string })
  | Readonly<Record<string, never>>

interface Named<Role extends string, Scope extends string> {
  readonly roles?: readonly Role[]
  readonly scopes?: readonly Scope[]
  /** Tells callers without a viewer apart, in limits and histories. */
  readonly name?: string
}

/**
 * The answer of `identify`. Text is as `bifold/testing` takes it: `customer:cus_1+role:staff`. `null`: anonymous.
 * `undefined`: the host does not know. Then keys and tokens in the header `Authorization` count as for `bifold serve`,
 * and a request without them is anonymous.
 */
export type Identified<Service = ServiceDeclaration> =
  | EmbeddedActor<RolesOf<Service>, ScopesOf<Service>>
  | string
  | null
  | undefined

export interface EmbedOptions<Service = ServiceDeclaration, Caller = Request | IncomingMessage> {
  /** `shop.db`, or `postgres://user:password@host/shop`. */
  readonly database: string
  /**
   * Signs cursors, and makes ids of events: the same for every process, and after a restart; 16 characters at the least. When
   * absent a new one is made, so that cursors end with the process. A service with webhooks needs one.
   */
  readonly secret?: string
  /** The path under which the host mounts the service, such as `/api`; none when absent. */
  readonly base?: string
  /**
   * The caller of a request, for a host that has sessions of its own. Is asked again while an answer lasts, every two seconds
   * or so: it ends when the caller is another one. When it throws, the request is answered with 500, and the error is observed;
   * a Refusal that blames the client is answered as it is.
   * @param caller the request, or what the host passed on as `caller`
   */
  readonly identify?: (caller: Caller) => Identified<Service> | Promise<Identified<Service>>
  /** For a service without rules: every client may read, or read and write, all of it. */
  readonly open?: "read" | "write"
  /** Brings the database to what the service declares, where nothing is lost, as `serve --dev` does; else a difference is refused. */
  readonly dev?: boolean
  /** Origins whose pages may read answers, such as `https://shop.example`, or `*`. None when absent. */
  readonly cors?: readonly string[]
  /** `auto` (when absent) codes long answers as clients accept it; `off` leaves it to the host. */
  readonly compression?: Compression
  /** Milliseconds for the database to answer a request, and for `identify`; 10,000 when absent. */
  readonly deadline?: number
  /** Bytes of a request's body, at the most; 1 MiB when absent. */
  readonly bodyLimit?: number
  /** Requests under way, at the most; the rest is answered with 503 at once. 2,000 when absent. */
  readonly maxRequests?: number
  /**
   * Milliseconds that a request may wait behind requests of other clients; a longer wait is refused with 503 at once.
   * 2,000 when absent.
   */
  readonly patience?: number
  /** Trusted proxies before the host, which set `X-Forwarded-For`; 0 when absent. */
  readonly proxies?: number
  /**
   * A client's `traceparent`, where the host has no span for the request. `link` (when absent) begins a trace that
   * links to the client's; `join` goes on with it; `ignore` does neither.
   */
  readonly clientTraces?: ClientTraces
  /** Where points of callers are counted: `memory` (when absent), `redis://…`, `rediss://…` or `postgres://…`. */
  readonly limitsStore?: string
  /** While that store is down: `open` (when absent) answers without limits, `closed` with 503. */
  readonly limitsDown?: "open" | "closed"
  /** Milliseconds for which a write may be sent again with its Idempotency-Key; a day when absent. */
  readonly keepAnswers?: number
  /** Whether equal reads that are under way share one execution. True when absent; false where other processes write, too. */
  readonly singleFlight?: boolean
  /** Whether this process runs handlers and sends webhooks; true when absent. Others of the same database may do it instead. */
  readonly background?: boolean
  /** Writes to a PostgreSQL server that may lose what it has acknowledged (`fsync = off`). */
  readonly acceptDataLoss?: boolean
  /** Whether PostgreSQL may compile statements: `server` as the server has it. Default: off. */
  readonly jit?: "off" | "server"
  /**
   * Counts requests and statements for `metrics()` of the service. `service` has Bifold's own metrics; `process` adds
   * Node's, for a host that does not collect them itself. Nothing is counted when absent.
   */
  readonly metrics?: "service" | "process"
  /** Tells clients in `Server-Timing` where the time of an answer went: every client, how busy the database is. */
  readonly serverTiming?: boolean
  /**
   * Tells services apart that one process has of one declaration, database and base. Without it, a service that is created again
   * replaces the older one.
   */
  readonly instance?: string
  /** Names the service file in messages; `service.ts` when absent. */
  readonly file?: string
  /** Receives faults, outages and refused credentials; they are written to stderr when absent. */
  readonly observe?: Observe
}
