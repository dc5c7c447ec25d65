// Every event that a log may have: its level, its words and its members. A line has these members and nothing else.
// Each member has a form that bounds it, so that code elsewhere cannot add parts of a request to a log.
import { blockText, endsText, lineText, withoutSecrets } from "./safe-text.ts"

export type Value = string | number | boolean | null | readonly string[]

/** A member in a line: the form turns the observed value into the written one. */
type Form<Given = never> = (value: Given) => Value

/** Undefined is left out, and null stays. */
const optional = <Given>(form: Form<Given>) => form as Form<Given | undefined>
const orNull = <Given>(form: Form<Given>) => form as Form<Given | null>

interface EventForm {
  readonly level: Level
  readonly text: string
  readonly members: Readonly<Record<string, Form>>
  /** A member that stands in the place of the text. */
  readonly message?: string
}

type GivenOf<Of> = Of extends Form<infer Given> ? Given : never

export type Members<Forms> = {
  readonly [Name in keyof Forms as undefined extends GivenOf<Forms[Name]> ? never : Name]: GivenOf<
    Forms[Name]
  >
} & {
  readonly [Name in keyof Forms as undefined extends GivenOf<Forms[Name]> ? Name : never]?: GivenOf<
    Forms[Name]
  >
}

const count: Form<number> = (value) => value
const flag: Form<boolean> = (value) => value
/** Hundredths of a millisecond. */
const milliseconds = (value: number): number => Math.round(value * 100) / 100
const line = (value: string): string => lineText(value)
/** A name that a client chose. */
const short = (value: string): string => lineText(value, 128)
/** Words of others. */
const foreign = (value: string): string => withoutSecrets(lineText(value, 1_000))
const list = (values: readonly string[]): readonly string[] => values.slice(0, 20).map(line)

/** A fault, from the driver, from user code or from Bifold: its class, its code (SQLSTATE, `errcode`, `ECONNREFUSED`), its words. */
export const error = {
  error: line,
  errorCode: optional(line),
  errorMessage: foreign,
  stack: optional((value: string) => withoutSecrets(blockText(value, 2_000))),
}
/** Where there may be none. */
const maybe = {
  ...error,
  error: optional(error.error),
  errorMessage: optional(error.errorMessage),
}
const problem = { code: line, problem: foreign, hint: optional(foreign) }
/** An event that failed, and when it is tried again: RFC 3339, null where it is given up or left to people. */
export const failedEvent = {
  eventId: line,
  record: line,
  count,
  attempts: count,
  retryAt: orNull(line),
  ...error,
}

export const catalog = {
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
      workers: count,
      writes: flag,
      secretGiven: flag,
      deadlineMs: count,
      maxRequests: count,
      maxConnections: count,
      proxies: count,
      limitsStore: line,
      sinks: list,
      logRequests: line,
      logSample: count,
      slowRequestMs: count,
      slowStatementMs: count,
    },
  },
  start_failed: {
    level: "error",
    text: "The service could not be started.",
    members: { ...problem, ...maybe },
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
    members: { check: line, code: optional(line), problem: optional(foreign), ...maybe },
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
    members: { connections: count },
  },
  request: {
    level: "info",
    text: "A request was answered.",
    members: {
      method: (value: string) => lineText(value, 16),
      face: line,
      route: optional(line),
      operationKind: optional(line),
      operation: optional(short),
      status: count,
      code: optional(line),
      durationMs: milliseconds,
      rows: count,
      statements: count,
      cost: count,
      actorKind: line,
      actor: optional(line),
      requestId: line,
      traceId: optional(line),
    },
  },
  requests_omitted: {
    level: "warn",
    text: "More requests failed or were slow than the log takes in a second.",
    members: { count },
  },
  slow_statement: {
    level: "warn",
    text: "A statement was slow.",
    members: {
      kind: line,
      durationMs: milliseconds,
      count,
      statement: line,
      sql: (value: string) => endsText(value, 1_500),
      failed: flag,
      operation: optional(short),
      requestId: optional(line),
      traceId: optional(line),
    },
  },
  request_failed: {
    level: "error",
    text: "A request failed by a fault of the service.",
    members: { requestId: line, count, in: line, ...error },
  },
  request_unanswered: {
    level: "error",
    text: "Requests could not be answered.",
    members: { requestId: line, count, code: line, problem: foreign, ...maybe },
  },
  code_refused: {
    level: "warn",
    text: "User code was refused; its client got general words.",
    members: { requestId: line, count, in: line, ...problem, place: optional(line) },
  },
  credentials_refused: {
    level: "warn",
    text: "Credentials were not accepted.",
    members: { requestId: line, fault: line, count },
  },
  limits_uncounted: {
    level: "error",
    text: "Requests were not counted toward the limits: their store does not answer.",
    members: { count, ...error },
  },
  connections_refused: {
    level: "error",
    text: "Connections were refused.",
    members: { ...problem, count },
  },
  socket_closed: {
    level: "warn",
    text: "Connections were closed: their clients went on beyond a bound.",
    members: { bound: line, count },
  },
  worker_hung: {
    level: "error",
    text: "A worker takes no connections; others get them.",
    members: { worker: orNull(count), afterMs: milliseconds },
  },
  worker_unhung: {
    level: "info",
    text: "A worker takes connections again.",
    members: { worker: orNull(count) },
  },
  worker_output: {
    level: "warn",
    text: "A worker wrote to standard error.",
    members: { worker: orNull(count), text: foreign },
  },
  worker_lost: {
    level: "error",
    text: "A worker ended and is being replaced.",
    members: { worker: orNull(count), reason: line },
  },
  worker_unstarted: {
    level: "error",
    text: "A worker could not be started.",
    members: { ...problem, ...maybe },
  },
  certificate_renewed: {
    level: "info",
    text: "The certificate was renewed: new connections get it.",
    members: {},
  },
  certificate_expiring: {
    level: "warn",
    text: "The certificate expires soon, and has not been renewed.",
    members: { validUntil: line, days: count },
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
    members: { ...problem, count },
  },
  schema_repaired: {
    level: "info",
    text: "The database has all that the service needs again.",
    members: {},
  },
  code_crashed: {
    level: "error",
    text: "User code ended its thread, outside any call.",
    members: { in: orNull(line), count, ...error },
  },
  handler_failed: {
    level: "error",
    text: "A handler failed with an event.",
    members: {
      handler: line,
      ...failedEvent,
    },
  },
  delivery_failed: {
    level: "error",
    text: "A fault kept an event from being sent to an endpoint.",
    members: {
      endpoint: line,
      ...failedEvent,
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
    members: { handlers: line, count },
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
  process_failed: { level: "error", text: "The process ends by an uncaught fault.", members: error },
  process_warning: { level: "warn", text: "Node warns of something.", members: error },
  lines_dropped: {
    level: "warn",
    text: "The destination of the log was too slow, and lines were dropped.",
    members: { count },
  },
} satisfies Readonly<Record<string, EventForm>>

export type EventName = keyof typeof catalog

/** An event with what there is to say about it. */
export type Entry = {
  readonly [Name in EventName]: {
    readonly event: Name
    readonly members: Members<(typeof catalog)[Name]["members"]>
  }
}[EventName]

/** Failures of requests have the level of their status. */
export const levelOf = (entry: Entry): Level =>
  entry.event === "request" && entry.members.status >= 500 ? "error" : catalog[entry.event].level

/** The members of an entry as they may be written: the catalog's, in its order. */
export function safeMembers({ event, members }: Entry): Record<string, Value> {
  const given: Readonly<Record<string, unknown>> = { ...members }
  const safe: Record<string, Value> = {}
  const forms: EventForm["members"] = catalog[event].members
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
