// Observations of a running server, one row each: the entry of the log, the words for a terminal, and the metric.
import { kindOf, type Problem, Refusal } from "../base/problem.ts"
import { thrownMessage, thrownTrace } from "../base/thrown.ts"
import { UserCodeError } from "../engine/code/user-code-error.ts"
import type { FailedEvent } from "../events/handlers/followed.ts"
import { webhookPrefix } from "../events/handlers/followed.ts"
import type { Observation } from "../server/observation.ts"
import type { Entry, error, failedEvent, Members } from "./logs/catalog.ts"
import { terminalText, withoutSecrets } from "./logs/safe-text.ts"
import { problemLines } from "./terminal/failure.ts"
import { shellWord, type Terminal } from "./terminal/terminal.ts"

type Painted = Pick<Terminal, "err" | "debug">
type Of<Kind extends Observation["kind"]> = Extract<Observation, { readonly kind: Kind }>

interface Row<Observed> {
  entry(observation: Observed): Entry
  text(terminal: Painted, observation: Observed): string
  /** A counter, the value of its label, and by how much it rises; 1 when absent. */
  counts?(observation: Observed): Count
  /** A part that cannot go on, or goes on again. */
  readonly halts?: { readonly part: "handlers" | "sink"; readonly now: boolean }
}

interface Count {
  readonly metric: "handlerFailures" | "webhookAttempts" | "logReplaced" | "socketsClosed"
  readonly label?: string
  readonly by?: number
}

type ErrorMembers = Members<typeof error>

export function driftText({ err }: Pick<Terminal, "err">, { problems, served }: Of<"drifted">): string {
  if (problems.length === 0) return "The database has all that the service needs again."
  const until = served
    ? `${err.yellow("These resources answer 503;")} the others are served: ${served.join(", ")}.`
    : `${err.yellow("These resources answer 503")} until the database has it again.`
  return `${problemLines(problems, { err })}\n${until}`
}

const observations: { readonly [Kind in Observation["kind"]]: Row<Of<Kind>> } = {
  failed: {
    entry: ({ requestId, error, count = 1 }) =>
      error instanceof UserCodeError
        ? {
            event: "request_failed",
            members: { requestId, count, in: error.message, ...errorMembers(error.cause ?? error) },
          }
        : { event: "request_failed", members: { requestId, count, in: "bifold", ...errorMembers(error) } },
    text({ err }, { error, requestId, count }) {
      const told =
        error instanceof UserCodeError
          ? `in user code. ${error.message} ${"cause" in error ? thrownTrace(error.cause) : ""}`
          : `which is a fault of Bifold: ${thrownTrace(error)}`
      return `${err.red("✗")} ${requestText(requestId, count, ",")} failed, ${told}`
    },
  },
  unanswered: {
    entry: ({ requestId, problem: { code, message: problem }, cause, count }) => ({
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
    text({ err }, { requestId, problem, cause, count }) {
      const which =
        count === 1
          ? `Request ${requestId} was not answered`
          : `${count} more requests were not answered, the last of them ${requestId}`
      const because = cause === undefined ? "" : ` ${causeText(cause)}`
      return `${err.red("✗")} ${which} (${problem.code}). ${problem.message}${because}`
    },
  },
  withheld: {
    entry: ({ requestId, error: { message, problems }, count = 1 }) => ({
      event: "code_refused",
      members: {
        requestId,
        count,
        in: message,
        ...problemMembers(problems[0]),
        ...(problems[0].place?.length && { place: problems[0].place.join(".") }),
      },
    }),
    text: ({ err }, { requestId, error, count }) =>
      `${requestText(requestId, count)}. ${error.message}\n${problemLines(error.problems, { err })}`,
  },
  unidentified: {
    entry: ({ requestId, fault, count }) => ({
      event: "credentials_refused",
      members: { requestId, fault, count },
    }),
    text: ({ err }, { requestId, fault, count }) =>
      err.dim(`${requestText(requestId, count, ",")} showed credentials that are not accepted: ${fault}.`),
  },
  uncounted: {
    entry: ({ fault, count }) => ({
      event: "limits_uncounted",
      members: { count, ...withoutStack(errorMembers(fault)) },
    }),
    text: ({ err }, { fault, count }) =>
      `${err.red("✗")} ${count === 1 ? "A request was" : `${count} more requests were`} not counted towards the limits: their store does not answer. ${causeText(fault)}`,
  },
  refused: {
    entry: ({ problem, count }) => ({
      event: "connections_refused",
      members: { ...problemMembers(problem), count },
    }),
    text: ({ err }, { problem, count }) =>
      `${err.red("✗")} ${connectionsText(count)} refused. ${problem.message} ${problem.hint ?? ""}`,
  },
  flooded: {
    entry: ({ bound, count }) => ({ event: "socket_closed", members: { bound, count } }),
    text: ({ err }, { bound, count }) => err.dim(`${connectionsText(count)} closed: too many ${bound}.`),
    counts: ({ bound, count }) => ({ metric: "socketsClosed", label: bound, by: count }),
  },
  unready: {
    entry: ({ check, fault }) => ({
      event: "readiness_lost",
      members: {
        check,
        ...(fault instanceof Refusal && codeAndProblem(fault.problems[0])),
        ...(fault !== undefined && faultMembers(fault)),
      },
    }),
    text: ({ err }, { check, fault }) => `${err.red("✗")} Not ready (${check}): ${refusedText(fault)}`,
  },
  ready: {
    entry: ({ after }) => ({ event: "readiness_regained", members: { afterMs: after } }),
    text: ({ err }, { after }) => `${err.green("✓")} Ready again, after ${(after / 1_000).toFixed(1)} s.`,
  },
  cut: {
    entry: ({ connections }) => ({ event: "connections_cut", members: { connections } }),
    text: (_, { connections }) => `${connections} connections took too long and were cut.`,
  },
  hung: {
    entry: ({ process: worker = null, after }) => ({
      event: "worker_hung",
      members: { worker, afterMs: after },
    }),
    text: ({ err }, { process: worker, after }) =>
      `${err.red("✗")} Worker ${worker} has taken no connection for ${after / 1_000} s; others get them.`,
  },
  unhung: {
    entry: ({ process: worker = null }) => ({ event: "worker_unhung", members: { worker } }),
    text: ({ err }, { process: worker }) => `${err.green("✓")} Worker ${worker} takes connections again.`,
  },
  said: {
    entry: ({ process: worker = null, text }) => ({ event: "worker_output", members: { worker, text } }),
    text: (_, { text }) => text,
  },
  lost: {
    entry: ({ process: worker = null, reason }) => ({ event: "worker_lost", members: { worker, reason } }),
    text: ({ err }, { process: worker, reason }) =>
      `${err.red("✗")} Worker ${worker} ended (${reason}) and is being replaced.`,
  },
  unstarted: {
    entry: ({ problems: [first], cause }) => ({
      event: "worker_unstarted",
      members: { ...problemMembers(first), ...(cause !== undefined && withoutStack(errorMembers(cause))) },
    }),
    text: ({ err }, { problems }) => problems.map((problem) => problemLines([problem], { err })).join("\n"),
  },
  certificate: {
    entry: ({ problem }) =>
      problem
        ? { event: "certificate_refused", members: problemMembers(problem) }
        : { event: "certificate_renewed", members: {} },
    text: ({ err }, { problem }) =>
      problem
        ? `${problemLines([problem], { err })}\n  The certificate from before is kept.`
        : "The certificate was renewed: new connections get it.",
  },
  expiring: {
    entry: ({ until, days }) => ({
      event: "certificate_expiring",
      members: { validUntil: until.toISOString(), days },
    }),
    text({ err }, { until, days }) {
      const left = days === 1 ? "within a day" : `within ${days} days`
      return err.yellow(
        `The certificate expires ${left}, at ${until.toISOString()}, and has not been renewed.`,
      )
    },
  },
  outdated: {
    entry: ({ valid: { from, until } }) => ({
      event: "certificate_outdated",
      members: { validFrom: from.toISOString(), validUntil: until.toISOString() },
    }),
    text: ({ err }, { valid: { from, until } }) =>
      err.yellow(
        `The certificate is valid from ${from.toISOString()} to ${until.toISOString()}: clients refuse it now.`,
      ),
  },
  crashed: {
    entry: ({ what = null, error, count = 1 }) => ({
      event: "code_crashed",
      members: { in: what, count, ...errorMembers(error) },
    }),
    text({ err }, { what, error, count = 1 }) {
      const often = count === 1 ? "" : ` ${count} more times`
      return `${err.red("✗")} User code${what === undefined ? "" : ` (${what})`} ended its thread${often}, outside any call: ${thrownTrace(error)}`
    },
  },
  drifted: {
    entry: ({ problems: [first, ...more] }) =>
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
    text: driftText,
  },
  noticed: {
    entry: ({ text }) => ({ event: "notice", members: { text } }),
    text: (_, { text }) => text,
  },
  unhandled: {
    entry: (told) => ({
      event: "handler_failed",
      members: { handler: told.handler, ...failedMembers(told) },
    }),
    text: (terminal, observation) => {
      const { handler, record, due } = observation
      const { err } = terminal
      const what = failedText(terminal, observation, `Handler ${err.bold(handler)}`)
      return due === null
        ? `${what}\n  ${err.yellow("No further attempt follows, and later events of the record wait.")} ${err.dim(`→ bifold handlers retry ${shellWord(handler)} --record ${shellWord(record)}, or skip`)}`
        : what
    },
    counts: ({ handler }) => ({ metric: "handlerFailures", label: handler }),
  },
  undelivered: {
    entry: (told) => ({
      event: "delivery_failed",
      members: { endpoint: told.handler.slice(webhookPrefix.length), ...failedMembers(told) },
    }),
    text: (terminal, observation) => {
      const { err } = terminal
      const endpoint = observation.handler.slice(webhookPrefix.length)
      const what = failedText(terminal, observation, `Webhook endpoint ${err.bold(endpoint)}`)
      return observation.due === null
        ? `${what}\n  ${err.yellow("No further attempt follows; later events of the record are sent.")}`
        : what
    },
    counts: () => ({ metric: "webhookAttempts", label: "fault" }),
  },
  halted: {
    entry: ({ error }) => ({ event: "handlers_halted", members: errorMembers(error) }),
    text: ({ err, debug }, { error }) =>
      `${err.red("✗")} No handler runs for now: ${errorText(error, debug)}. It is tried again until it can be.`,
    halts: { part: "handlers", now: true },
  },
  resumed: {
    entry: () => ({ event: "handlers_resumed", members: {} }),
    text: ({ err }) => `${err.green("✓")} The handlers run again.`,
    halts: { part: "handlers", now: false },
  },
  held: {
    entry: ({ handler, since }) => ({ event: "log_held", members: { handler, since: at(since) } }),
    text: ({ err }, { handler, since }) =>
      `${err.yellow("!")} The log still has events of ${new Date(since).toISOString()}, which it need not keep: handler ${err.bold(handler)} has not come to them. ${err.dim("→ bifold handlers")}`,
  },
  replaced: {
    entry: ({ handlers }) => ({
      event: "log_replaced",
      members: { handlers: handlers.join(" "), count: handlers.length },
    }),
    text: ({ err }, { handlers }) =>
      `${err.yellow("!")} The log of changes was emptied or replaced: ${handlers.map((name) => err.bold(name)).join(", ")} ${handlers.length === 1 ? "goes" : "go"} back to its start. Events may be handled again.`,
    counts: () => ({ metric: "logReplaced" }),
  },
  unforgotten: {
    entry: ({ error }) => ({ event: "log_unremoved", members: errorMembers(error) }),
    text: ({ err, debug }, { error }) =>
      `${err.red("✗")} Old events could not be removed from the log: ${errorText(error, debug)}. It is tried again each minute.`,
  },
  unsent: {
    entry: ({ sink, error }) => ({
      event: "sink_halted",
      members: { sink, ...withoutStack(errorMembers(error)) },
    }),
    text: ({ err, debug }, { sink, error }) =>
      `${err.red("✗")} No event is sent to ${sink} for now: ${errorText(error, debug)}. They wait in the log, and it is tried again until it can be.`,
    halts: { part: "sink", now: true },
  },
  sent: {
    entry: ({ sink }) => ({ event: "sink_resumed", members: { sink } }),
    text: ({ err }, { sink }) => `${err.green("✓")} Events are sent to ${sink} again.`,
    halts: { part: "sink", now: false },
  },
}

/** A host with a logger of its own writes the same events from what `observe` is given. */
export const entryOf = (observation: Observation): Entry => rowOf(observation).entry(observation)

/** Messages of drivers and user code may hold what a client has sent, and secrets. */
export function sayObservation(terminal: Terminal, observation: Observation): void {
  terminal.say(withoutSecrets(terminalText(rowOf(observation).text(terminal, observation))))
}

export const rowOf = (observation: Observation): Row<Observation> =>
  observations[observation.kind] as Row<Observation>

const requestText = (id: string, count = 1, comma = ""): string =>
  count === 1 ? `Request ${id}` : `${count} more requests, the last of them ${id}${comma}`

const connectionsText = (count: number): string =>
  count === 1 ? "A connection was" : `${count} more connections were`

function failedText(
  { err }: Painted,
  { event, record, error, attempts, due, count = 1 }: FailedEvent,
  who: string,
): string {
  const often = count === 1 ? "" : `${count} more times, the last time `
  const what = `${err.red("✗")} ${who} failed ${often}with ${event} of ${record}, for the ${ordinal(attempts)} time: ${thrownTrace(error)}`
  return due === null ? what : `${what}\n  ${err.dim(`Next attempt at ${new Date(due).toISOString()}.`)}`
}

/** Behind it stands a full stop. */
const errorText = (error: unknown, stack: boolean): string =>
  (stack ? thrownTrace(error) : thrownMessage(error)).replace(/\.$/, "")

/** `3rd` */
function ordinal(count: number): string {
  const ending = ["th", "st", "nd", "rd"][count % 10] ?? "th"
  return `${count}${count % 100 >= 11 && count % 100 <= 13 ? "th" : ending}`
}

/** Our own words, and the driver's if there are any. */
function refusedText(fault: unknown): string {
  if (!(fault instanceof Refusal)) return causeText(fault)
  const [{ message }] = fault.problems
  return fault.cause === undefined ? message : `${message} ${causeText(fault.cause)}`
}

/**
 * Without a stack: a connection fault has no place in the code. After several tries to connect, the text has the reason of
 * each.
 */
function causeText(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0)
    return cause.errors.map(causeText).join(", ")
  return cause instanceof Error ? cause.message : String(cause)
}

const at = (time: number): string => new Date(time).toISOString()

const failedMembers = ({
  event,
  record,
  error,
  attempts,
  due,
  count = 1,
}: FailedEvent): Members<typeof failedEvent> => ({
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
  problem: problem?.message ?? "No reason was given.",
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
