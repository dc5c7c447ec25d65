// Observations of a running server as entries of its log.
import { kindOf, type Problem, Refusal } from "../../base/problem.ts"
import { thrownMessage } from "../../base/thrown.ts"
import { UserCodeError } from "../../engine/code/user-code-error.ts"
import type { FailedEvent } from "../../events/followed.ts"
import { webhookPrefix } from "../../events/followed.ts"
import type { Observation } from "../../server/observation.ts"
import type { Entry, ErrorMembers, FailedEventMembers } from "./catalog.ts"

type Entries = {
  readonly [Kind in Observation["kind"]]: (
    observation: Extract<Observation, { readonly kind: Kind }>,
  ) => Entry
}

const entries: Entries = {
  failed: ({ requestId, error, count = 1 }) =>
    error instanceof UserCodeError
      ? {
          event: "request_failed",
          members: { requestId, count, in: error.message, ...errorMembers(error.cause ?? error) },
        }
      : { event: "request_failed", members: { requestId, count, in: "bifold", ...errorMembers(error) } },
  unanswered: ({ requestId, problem: { code, message: problem }, cause, count }) => ({
    event: "request_unanswered",
    members: {
      requestId,
      code,
      problem,
      count,
      // About the database, not about a place in the code.
      ...(cause !== undefined && withoutStack(errorMembers(cause))),
    },
  }),
  withheld: ({ requestId, error: { message, problems }, count = 1 }) => ({
    event: "code_refused",
    members: {
      requestId,
      count,
      in: message,
      ...problemMembers(problems[0]),
      ...(problems[0].place?.length && { place: problems[0].place.join(".") }),
    },
  }),
  unidentified: ({ requestId, fault, count }) => ({
    event: "credentials_refused",
    members: { requestId, fault, count },
  }),
  uncounted: ({ fault, count }) => ({
    event: "limits_uncounted",
    members: { count, ...withoutStack(errorMembers(fault)) },
  }),
  refused: ({ problem, count }) => ({
    event: "connections_refused",
    members: { ...problemMembers(problem), count },
  }),
  flooded: ({ bound, count }) => ({ event: "socket_closed", members: { bound, count } }),
  unready: ({ check, fault }) => ({
    event: "readiness_lost",
    members: {
      check,
      ...(fault instanceof Refusal && codeAndProblem(fault.problems[0])),
      ...(fault !== undefined && faultMembers(fault)),
    },
  }),
  ready: ({ after }) => ({ event: "readiness_regained", members: { afterMs: after } }),
  cut: ({ connections }) => ({ event: "connections_cut", members: { connections } }),
  hung: ({ process: worker = null, after }) => ({
    event: "worker_hung",
    members: { worker, afterMs: after },
  }),
  unhung: ({ process: worker = null }) => ({ event: "worker_unhung", members: { worker } }),
  said: ({ process: worker = null, text }) => ({ event: "worker_output", members: { worker, text } }),
  lost: ({ process: worker = null, reason }) => ({ event: "worker_lost", members: { worker, reason } }),
  unstarted: ({ problems: [first], cause }) => ({
    event: "worker_unstarted",
    members: { ...problemMembers(first), ...(cause !== undefined && withoutStack(errorMembers(cause))) },
  }),
  certificate: ({ problem }) =>
    problem
      ? { event: "certificate_refused", members: problemMembers(problem) }
      : { event: "certificate_renewed", members: {} },
  expiring: ({ until, days }) => ({
    event: "certificate_expiring",
    members: { validUntil: until.toISOString(), days },
  }),
  outdated: ({ valid: { from, until } }) => ({
    event: "certificate_outdated",
    members: { validFrom: from.toISOString(), validUntil: until.toISOString() },
  }),
  crashed: ({ what = null, error, count = 1 }) => ({
    event: "code_crashed",
    members: { in: what, count, ...errorMembers(error) },
  }),
  drifted: ({ problems: [first, ...more] }) =>
    first
      ? {
          event: "schema_drifted",
          members: {
            ...problemMembers(first),
            problem: [first, ...more].map(({ message }) => message).join(" "),
            count: 1 + more.length,
          },
        }
      : { event: "schema_repaired", members: {} },
  noticed: ({ text }) => ({ event: "notice", members: { text } }),
  unhandled: (told) => ({
    event: "handler_failed",
    members: { handler: told.handler, ...failedEvent(told) },
  }),
  undelivered: (told) => ({
    event: "delivery_failed",
    members: { endpoint: told.handler.slice(webhookPrefix.length), ...failedEvent(told) },
  }),
  halted: ({ error }) => ({ event: "handlers_halted", members: errorMembers(error) }),
  resumed: () => ({ event: "handlers_resumed", members: {} }),
  held: ({ handler, since }) => ({ event: "log_held", members: { handler, since: at(since) } }),
  replaced: ({ handlers }) => ({
    event: "log_replaced",
    members: { handlers: handlers.join(" "), count: handlers.length },
  }),
  unforgotten: ({ error }) => ({ event: "log_unremoved", members: errorMembers(error) }),
  unsent: ({ sink, error }) => ({
    event: "sink_halted",
    members: { sink, ...withoutStack(errorMembers(error)) },
  }),
  sent: ({ sink }) => ({ event: "sink_resumed", members: { sink } }),
}

/** A host with a logger of its own writes the same events from what `observe` is given. */
export function entryOf(observation: Observation): Entry {
  const make: (of: never) => Entry = entries[observation.kind]
  return make(observation as never)
}

const at = (time: number): string => new Date(time).toISOString()

const failedEvent = ({
  event,
  record,
  error,
  attempts,
  due,
  count = 1,
}: FailedEvent): FailedEventMembers => ({
  eventId: event,
  record,
  count,
  attempts,
  retryAt: due === null ? null : at(due),
  ...errorMembers(error),
})

export const problemMembers = (
  problem: Problem | undefined,
): { readonly code: string; readonly problem: string; readonly hint?: string } => ({
  code: problem?.code ?? "internal",
  problem: problem?.message ?? "It ended without a reason.",
  ...(problem?.hint !== undefined && { hint: problem.hint }),
})

const codeAndProblem = ({ code, message }: Problem): { readonly code: string; readonly problem: string } => ({
  code,
  problem: message,
})

/** Words of the driver, where a refusal has them: about the database, not about a place in the code. */
export function faultMembers(fault: unknown): Partial<ErrorMembers> {
  if (!(fault instanceof Refusal)) return withoutStack(errorMembers(fault))
  return fault.cause === undefined ? {} : withoutStack(errorMembers(fault.cause))
}

/** @param thrown whatever was thrown: it need not be an error */
export function errorMembers(thrown: unknown): ErrorMembers {
  if (!(thrown instanceof Error)) return { error: typeof thrown, errorMessage: thrownMessage(thrown) }
  if (thrown instanceof AggregateError && thrown.message === "" && thrown.errors.length > 0)
    return {
      ...errorMembers(thrown.errors[0]),
      errorMessage: thrown.errors.slice(0, 5).map(thrownMessage).join(", "),
    }
  const code = codeOf(thrown)
  const message = messageOf(thrown)
  const stack = placesOf(thrown)
  return {
    error: thrown.name,
    ...(code !== undefined && { errorCode: code }),
    errorMessage: message,
    ...(stack !== "" && { stack }),
  }
}

function codeOf(error: Error): string | undefined {
  if (error instanceof Refusal) return `${kindOf(error.problems[0])}`
  if ("errcode" in error) return String(error.errcode)
  if ("code" in error) return String(error.code)
  return undefined
}

/** Data exceptions (SQLSTATE 22) quote the value: PostgreSQL puts it in double quotation marks. */
function messageOf(error: Error): string {
  const message = thrownMessage(error)
  return "code" in error && /^22[0-9A-Z]{3}$/.test(String(error.code))
    ? message.replaceAll(/"[^"]*"/g, '"…"')
    : message
}

/** The places alone: a message stands at the beginning of a stack, too. */
function placesOf({ stack = "" }: Error): string {
  const begin = stack.search(/\n +at /)
  return begin < 0
    ? ""
    : stack
        .slice(begin + 1)
        .split("\n")
        .map((line) => line.trim())
        .join("\n")
}

const withoutStack = ({ stack: _, ...members }: ErrorMembers): ErrorMembers => members
