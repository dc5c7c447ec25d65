// Every metric of Bifold's own: docs/operate/metrics.md lists them. Labels are words of Bifold's and names of the model, so that
// no request makes a new one.

export interface Definition {
  readonly name: string
  readonly help: string
  readonly kind: "counter" | "gauge" | "histogram"
  readonly labels: readonly string[]
  /** Upper bounds. */
  readonly buckets?: readonly number[]
  /** The figure of several processes; the sum when absent. */
  readonly together?: "max"
}

/** Seconds: from a read in memory to the usual deadline. */
const seconds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

export const definitions = {
  requests: {
    name: "bifold_requests_total",
    help: "Requests whose answer was sent, or whose client has left.",
    kind: "counter",
    labels: ["face", "method", "route", "operation", "status", "code"],
  },
  requestSeconds: {
    name: "bifold_request_duration_seconds",
    help: "Time from the headers of a request to the end of its answer.",
    kind: "histogram",
    labels: ["face", "method", "route", "operation"],
    buckets: seconds,
  },
  stageSeconds: {
    name: "bifold_request_stage_seconds",
    help: "Time of a request in each stage: read, plan, queue, statement, code, write.",
    kind: "histogram",
    labels: ["face", "stage"],
    buckets: seconds,
  },
  underWay: {
    name: "bifold_requests_under_way",
    help: "Requests that are admitted and not answered.",
    kind: "gauge",
    labels: [],
  },
  admitted: {
    name: "bifold_requests_limit",
    help: "Requests that may be under way now; the rest is refused with 503.",
    kind: "gauge",
    labels: [],
  },
  points: {
    name: "bifold_points_total",
    help: "Price of requests in points.",
    kind: "counter",
    labels: ["face"],
  },
  plans: {
    name: "bifold_plans_total",
    help: "Plans: those whose shape was prepared before (hit), and new ones (miss).",
    kind: "counter",
    labels: ["cache"],
  },
  cacheBytes: {
    name: "bifold_cache_bytes",
    help: "Estimated size of the caches: documents, plans, statements.",
    kind: "gauge",
    labels: [],
  },
  cacheLimit: {
    name: "bifold_cache_limit_bytes",
    help: "Limit of all caches of a process together; the largest caches shed entries first.",
    kind: "gauge",
    labels: [],
  },
  joins: {
    name: "bifold_single_flight_joins_total",
    help: "Reads that were answered by an equal statement of another request.",
    kind: "counter",
    labels: [],
  },
  statements: {
    name: "bifold_statements_total",
    help: "Statements that the database was sent.",
    kind: "counter",
    labels: ["kind", "origin"],
  },
  statementSeconds: {
    name: "bifold_statement_duration_seconds",
    help: "Time that the database had a read, all commands of a write, or a commit.",
    kind: "histogram",
    labels: ["kind"],
    buckets: seconds,
  },
  statementFailures: {
    name: "bifold_statement_failures_total",
    help: "Statements that the database answered with an error, or not at all.",
    kind: "counter",
    labels: ["kind"],
  },
  repeated: {
    name: "bifold_transactions_repeated_total",
    help: "Transactions that were undone because of others, and done again (PostgreSQL).",
    kind: "counter",
    labels: ["kind"],
  },
  commitWrites: {
    name: "bifold_commit_writes",
    help: "Writes that were committed together.",
    kind: "histogram",
    labels: [],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000],
  },
  laneUsed: {
    name: "bifold_lane_used",
    help: "Places in use: readers, connections, or statements on shared connections.",
    kind: "gauge",
    labels: ["lane"],
  },
  laneLimit: {
    name: "bifold_lane_limit",
    help: "Places that there are.",
    kind: "gauge",
    labels: ["lane"],
  },
  laneWaiting: {
    name: "bifold_lane_waiting",
    help: "Statements, writes and transactions that wait for a place.",
    kind: "gauge",
    labels: ["lane"],
  },
  certificateExpiry: {
    name: "bifold_certificate_expiry_timestamp_seconds",
    help: "When the certificate of the server expires, in seconds since 1970.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  databaseUp: {
    name: "bifold_database_up",
    help: "1 if the database answers, otherwise 0.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  logPosition: {
    name: "bifold_log_position",
    help: "Position of the last event in the log.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  handlerPosition: {
    name: "bifold_handler_position",
    help: "Position up to which all events of a handler are done.",
    kind: "gauge",
    labels: ["handler"],
    together: "max",
  },
  handlerBehind: {
    name: "bifold_handler_behind_events",
    help: "Events that a handler has not reached.",
    kind: "gauge",
    labels: ["handler"],
    together: "max",
  },
  handlerLag: {
    name: "bifold_handler_lag_seconds",
    help: "Age of the first event that a handler has not reached; 0 without such an event.",
    kind: "gauge",
    labels: ["handler"],
    together: "max",
  },
  handlerWaiting: {
    name: "bifold_handler_waiting_records",
    help: "Records whose event has failed and waits for another attempt, or for people.",
    kind: "gauge",
    labels: ["handler"],
    together: "max",
  },
  handlersHalted: {
    name: "bifold_handlers_halted",
    help: "1 while nothing follows the log, because the database cannot be asked; otherwise 0.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  logReplaced: {
    name: "bifold_log_replaced_total",
    help: "Times that the log was found emptied or replaced by those who follow it.",
    kind: "counter",
    labels: [],
  },
  webhookBehind: {
    name: "bifold_webhook_behind_events",
    help: "Events that the active endpoint furthest behind has not reached.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  webhookLag: {
    name: "bifold_webhook_lag_seconds",
    help: "Age of the first event that an active endpoint has not reached; 0 without such an event.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  webhookWaiting: {
    name: "bifold_webhook_waiting_records",
    help: "Records whose event has failed at an endpoint and waits for another attempt.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  sinkHalted: {
    name: "bifold_sink_halted",
    help: "1 while the sink takes no events; otherwise 0.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  sinkBehind: {
    name: "bifold_sink_behind_events",
    help: "Events that the sink has not acknowledged.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  sinkLag: {
    name: "bifold_sink_lag_seconds",
    help: "Age of the first event that the sink has not acknowledged; 0 without such an event.",
    kind: "gauge",
    labels: [],
    together: "max",
  },
  socketsClosed: {
    name: "bifold_sockets_closed_total",
    help: "Connections that were closed since their client went on beyond a bound: messages, bytes or points of a WebSocket, frames of HTTP/2.",
    kind: "counter",
    labels: ["bound"],
  },
  handlerFailures: {
    name: "bifold_handler_failures_total",
    help: "Attempts of a handler that have failed.",
    kind: "counter",
    labels: ["handler"],
  },
  webhookAttempts: {
    name: "bifold_webhook_attempts_total",
    help: "Attempts to deliver an event to an endpoint: delivered, failed, or kept from being made by a fault.",
    kind: "counter",
    labels: ["outcome"],
  },
} as const satisfies Readonly<Record<string, Definition>>
