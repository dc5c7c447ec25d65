// Every event that a log may have: its level, its words and its members. A line is made of these members and of nothing else,
// and each member has a form that bounds it, so that nothing of a request reaches a log by an addition elsewhere.
import { blockText, endsText, lineText, withoutSecrets } from "./safe-text.ts"

/** A fault: from the driver, from user code, from Bifold. */
export interface ErrorMembers {
  /** The class of the error. */
  readonly error: string
  /** The code that a driver or the system gives: SQLSTATE, `errcode`, `ECONNREFUSED`. */
  readonly errorCode?: string
  readonly errorMessage: string
  readonly stack?: string
}

/** An event that failed, and when it is tried again: RFC 3339, null where it is given up or left to people. */
export interface FailedEventMembers extends ErrorMembers {
  readonly eventId: string
  readonly record: string
  readonly count: number
  readonly attempts: number
  readonly retryAt: string | null
}

interface EventMembers {
  readonly started: {
    readonly service: string
    readonly version: string
    readonly node: string
    readonly urls: readonly string[]
    readonly base: string
    readonly database: string
    readonly access: string
    readonly workers: number
    readonly writes: boolean
    readonly secretGiven: boolean
    readonly deadlineMs: number
    readonly maxRequests: number
    readonly maxConnections: number
    readonly proxies: number
    readonly limitsStore: string
    readonly sinks: readonly string[]
    readonly logRequests: string
    readonly logSample: number
    readonly slowRequestMs: number
    readonly slowStatementMs: number
  }
  readonly start_failed: {
    readonly code: string
    readonly problem: string
    readonly hint?: string
  } & Partial<ErrorMembers>
  readonly notice: { readonly text: string }
  readonly draining: { readonly delayMs: number }
  readonly readiness_lost: {
    readonly check: string
    readonly code?: string
    readonly problem?: string
  } & Partial<ErrorMembers>
  readonly readiness_regained: { readonly afterMs: number }
  readonly stopping: { readonly uptimeMs: number }
  readonly stopped: { readonly drainMs: number }
  readonly connections_cut: { readonly connections: number }
  readonly request: {
    readonly method: string
    readonly face: string
    readonly route?: string | undefined
    readonly operationKind?: string | undefined
    readonly operation?: string | undefined
    readonly status: number
    readonly code?: string | undefined
    readonly durationMs: number
    readonly rows: number
    readonly statements: number
    readonly cost: number
    readonly actorKind: string
    readonly actor?: string | undefined
    readonly requestId: string
    readonly traceId?: string | undefined
  }
  readonly requests_omitted: { readonly count: number }
  readonly slow_statement: {
    readonly kind: string
    readonly durationMs: number
    readonly count: number
    readonly statement: string
    readonly sql: string
    readonly failed: boolean
    readonly operation?: string
    readonly requestId?: string
    readonly traceId?: string
  }
  readonly request_failed: {
    readonly requestId: string
    readonly count: number
    readonly in: string
  } & ErrorMembers
  readonly request_unanswered: {
    readonly requestId: string
    readonly code: string
    readonly problem: string
    readonly count: number
  } & Partial<ErrorMembers>
  readonly code_refused: {
    readonly requestId: string
    readonly count: number
    readonly in: string
    readonly code: string
    readonly problem: string
    readonly hint?: string
    readonly place?: string
  }
  readonly credentials_refused: { readonly requestId: string; readonly fault: string; readonly count: number }
  readonly limits_uncounted: { readonly count: number } & ErrorMembers
  readonly connections_refused: {
    readonly code: string
    readonly problem: string
    readonly hint?: string
    readonly count: number
  }
  readonly socket_closed: { readonly bound: string; readonly count: number }
  readonly worker_hung: { readonly worker: number | null; readonly afterMs: number }
  readonly worker_unhung: { readonly worker: number | null }
  readonly worker_output: { readonly worker: number | null; readonly text: string }
  readonly worker_lost: { readonly worker: number | null; readonly reason: string }
  readonly worker_unstarted: {
    readonly code: string
    readonly problem: string
    readonly hint?: string
  } & Partial<ErrorMembers>
  readonly certificate_renewed: Readonly<Record<never, never>>
  readonly certificate_expiring: { readonly validUntil: string; readonly days: number }
  readonly certificate_outdated: { readonly validFrom: string; readonly validUntil: string }
  readonly certificate_refused: { readonly code: string; readonly problem: string; readonly hint?: string }
  readonly schema_drifted: {
    readonly code: string
    readonly problem: string
    readonly hint?: string
    readonly count: number
  }
  readonly schema_repaired: Readonly<Record<never, never>>
  readonly code_crashed: { readonly in: string | null; readonly count: number } & ErrorMembers
  readonly handler_failed: { readonly handler: string } & FailedEventMembers
  readonly delivery_failed: { readonly endpoint: string } & FailedEventMembers
  readonly handlers_halted: ErrorMembers
  readonly handlers_resumed: Readonly<Record<never, never>>
  readonly log_held: { readonly handler: string; readonly since: string }
  readonly log_replaced: { readonly handlers: string; readonly count: number }
  readonly log_unremoved: ErrorMembers
  readonly sink_halted: { readonly sink: string } & ErrorMembers
  readonly sink_resumed: { readonly sink: string }
  readonly process_failed: ErrorMembers
  readonly process_warning: ErrorMembers
  readonly lines_dropped: { readonly count: number }
}

export type EventName = keyof EventMembers

/** An event with what there is to say about it. */
export type Entry = {
  readonly [Name in EventName]: { readonly event: Name; readonly members: EventMembers[Name] }
}[EventName]

export type Value = string | number | boolean | null | readonly string[]

type Forms<Members> = {
  readonly [Name in keyof Members]-?: (value: Exclude<Members[Name], null | undefined>) => Value
}

interface EventForm<Members> {
  readonly level: Level
  readonly text: string
  readonly members: Forms<Members>
  /** A member that stands in the place of the text. */
  readonly message?: keyof Members
}

const asIs = <Plain extends number | boolean>(value: Plain): Plain => value
/** Hundredths of a millisecond. */
const milliseconds = (value: number): number => Math.round(value * 100) / 100
const line = (value: string): string => lineText(value)
/** A name that a client chose. */
const short = (value: string): string => lineText(value, 128)
/** Words of others. */
const foreign = (value: string): string => withoutSecrets(lineText(value, 1_000))
const list = (values: readonly string[]): readonly string[] => values.slice(0, 20).map(line)

const error: Forms<ErrorMembers> = {
  error: line,
  errorCode: line,
  errorMessage: foreign,
  stack: (value) => withoutSecrets(blockText(value, 2_000)),
}
const problem = { code: line, problem: foreign, hint: foreign }

export const catalog: { readonly [Name in EventName]: EventForm<EventMembers[Name]> } = {
  started: {
    level: "info",
    text: "The service is being served.",
    members: {
      service: line,
      version: line,
      node: line,
      urls: list,
      base: line,
      database: line,
      access: line,
      workers: asIs,
      writes: asIs,
      secretGiven: asIs,
      deadlineMs: asIs,
      maxRequests: asIs,
      maxConnections: asIs,
      proxies: asIs,
      limitsStore: line,
      sinks: list,
      logRequests: line,
      logSample: asIs,
      slowRequestMs: asIs,
      slowStatementMs: asIs,
    },
  },
  start_failed: {
    level: "error",
    text: "The service could not be started.",
    members: { ...problem, ...error },
  },
  notice: {
    level: "info",
    text: "A message to the operator.",
    members: { text: foreign },
    message: "text",
  },
  draining: {
    level: "info",
    text: "Not ready any more; new requests are still answered.",
    members: { delayMs: milliseconds },
  },
  readiness_lost: {
    level: "error",
    text: "Not ready: the probe found something that is amiss.",
    members: { check: line, code: line, problem: foreign, ...error },
  },
  readiness_regained: {
    level: "info",
    text: "Ready again.",
    members: { afterMs: milliseconds },
  },
  stopping: { level: "info", text: "Shutting down; draining requests.", members: { uptimeMs: milliseconds } },
  stopped: { level: "info", text: "The service has ended.", members: { drainMs: milliseconds } },
  connections_cut: {
    level: "warn",
    text: "Connections took too long to end and were cut.",
    members: { connections: asIs },
  },
  request: {
    level: "info",
    text: "A request was answered.",
    members: {
      method: (value) => lineText(value, 16),
      face: line,
      route: line,
      operationKind: line,
      operation: short,
      status: asIs,
      code: line,
      durationMs: milliseconds,
      rows: asIs,
      statements: asIs,
      cost: asIs,
      actorKind: line,
      actor: line,
      requestId: line,
      traceId: line,
    },
  },
  requests_omitted: {
    level: "warn",
    text: "More requests failed or were slow than the log takes in a second.",
    members: { count: asIs },
  },
  slow_statement: {
    level: "warn",
    text: "A statement was slow.",
    members: {
      kind: line,
      durationMs: milliseconds,
      count: asIs,
      statement: line,
      sql: (value) => endsText(value, 1_500),
      failed: asIs,
      operation: short,
      requestId: line,
      traceId: line,
    },
  },
  request_failed: {
    level: "error",
    text: "A request failed by a fault of the service.",
    members: { requestId: line, count: asIs, in: line, ...error },
  },
  request_unanswered: {
    level: "error",
    text: "Requests could not be answered.",
    members: { requestId: line, count: asIs, code: line, problem: foreign, ...error },
  },
  code_refused: {
    level: "warn",
    text: "User code was refused; its client got general words.",
    members: { requestId: line, count: asIs, in: line, ...problem, place: line },
  },
  credentials_refused: {
    level: "warn",
    text: "Credentials were not accepted.",
    members: { requestId: line, fault: line, count: asIs },
  },
  limits_uncounted: {
    level: "error",
    text: "Requests were not counted towards the limits: their store does not answer.",
    members: { count: asIs, ...error },
  },
  connections_refused: {
    level: "error",
    text: "Connections were refused.",
    members: { ...problem, count: asIs },
  },
  socket_closed: {
    level: "warn",
    text: "Connections were closed: their clients went on beyond a bound.",
    members: { bound: line, count: asIs },
  },
  worker_hung: {
    level: "error",
    text: "A worker takes no connections; others get them.",
    members: { worker: asIs, afterMs: milliseconds },
  },
  worker_unhung: { level: "info", text: "A worker takes connections again.", members: { worker: asIs } },
  worker_output: {
    level: "warn",
    text: "A worker wrote to standard error.",
    members: { worker: asIs, text: foreign },
  },
  worker_lost: {
    level: "error",
    text: "A worker ended and is being replaced.",
    members: { worker: asIs, reason: line },
  },
  worker_unstarted: {
    level: "error",
    text: "A worker could not be started.",
    members: { ...problem, ...error },
  },
  certificate_renewed: {
    level: "info",
    text: "The certificate was renewed: new connections get it.",
    members: {},
  },
  certificate_expiring: {
    level: "warn",
    text: "The certificate expires soon, and has not been renewed.",
    members: { validUntil: line, days: asIs },
  },
  certificate_outdated: {
    level: "warn",
    text: "The certificate is not valid now: clients refuse it.",
    members: { validFrom: line, validUntil: line },
  },
  certificate_refused: {
    level: "error",
    text: "Renewed files of the certificate cannot be used; the last ones are kept.",
    members: problem,
  },
  schema_drifted: {
    level: "error",
    text: "The database lacks what some resources need: they answer 503, the others are served.",
    members: { ...problem, count: asIs },
  },
  schema_repaired: {
    level: "info",
    text: "The database has all that the service needs again.",
    members: {},
  },
  code_crashed: {
    level: "error",
    text: "User code ended its thread, outside any call.",
    members: { in: line, count: asIs, ...error },
  },
  handler_failed: {
    level: "error",
    text: "A handler failed with an event.",
    members: {
      handler: line,
      eventId: line,
      record: line,
      count: asIs,
      attempts: asIs,
      retryAt: line,
      ...error,
    },
  },
  delivery_failed: {
    level: "error",
    text: "A fault kept an event from being sent to an endpoint.",
    members: {
      endpoint: line,
      eventId: line,
      record: line,
      count: asIs,
      attempts: asIs,
      retryAt: line,
      ...error,
    },
  },
  handlers_halted: {
    level: "error",
    text: "No handler runs for now; it is tried again until one can.",
    members: error,
  },
  handlers_resumed: { level: "info", text: "The handlers run again.", members: {} },
  log_held: {
    level: "warn",
    text: "The log of changes keeps old events, because a handler has not come to them.",
    members: { handler: line, since: line },
  },
  log_replaced: {
    level: "warn",
    text: "The log of changes was emptied or replaced; those who follow it go back to its start.",
    members: { handlers: line, count: asIs },
  },
  log_unremoved: {
    level: "error",
    text: "Old events could not be removed from the log of changes; it is tried again each minute.",
    members: error,
  },
  sink_halted: {
    level: "error",
    text: "No event is sent to a sink for now; they wait in the log of changes.",
    members: { sink: line, ...error },
  },
  sink_resumed: { level: "info", text: "Events are sent to a sink again.", members: { sink: line } },
  process_failed: { level: "error", text: "The process ends by a fault that nobody caught.", members: error },
  process_warning: { level: "warn", text: "Node warns of something.", members: error },
  lines_dropped: {
    level: "warn",
    text: "The destination of the log was too slow, and lines were dropped.",
    members: { count: asIs },
  },
}

/** Failures of requests have the level of their status. */
export const levelOf = (entry: Entry): Level =>
  entry.event === "request" && entry.members.status >= 500 ? "error" : catalog[entry.event].level

/** The members of an entry as they may be written: those of the catalog, in its order. */
export function safeMembers({ event, members }: Entry): Record<string, Value> {
  const given: Readonly<Record<string, unknown>> = { ...members }
  const safe: Record<string, Value> = {}
  const forms: Readonly<Record<string, (value: never) => Value>> = catalog[event].members
  for (const [name, form] of Object.entries(forms)) {
    const value = given[name]
    if (value !== undefined) safe[name] = value === null ? null : form(value as never)
  }
  return safe
}

// Settings of the log, apart from all that writes it.
export const levels = ["debug", "info", "warn", "error"] as const
export type Level = (typeof levels)[number]

/** Each has what the one before it has: failures of the service, what took long, everything. */
export type RequestChoice = "none" | "errors" | "slow" | "all"
