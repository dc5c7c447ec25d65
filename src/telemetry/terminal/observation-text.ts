// Observations of a running server in words, on stderr.
import { Refusal } from "../../base/problem.ts"
import { thrownMessage, thrownTrace } from "../../base/thrown.ts"
import { UserCodeError } from "../../engine/code/user-code-error.ts"
import type { FailedEvent } from "../../events/followed.ts"
import { webhookPrefix } from "../../events/followed.ts"
import type { Observation } from "../../server/observation.ts"
import { terminalText, withoutSecrets } from "../logs/safe-text.ts"
import { problemLines } from "./failure.ts"
import type { Terminal } from "./terminal.ts"
import { shellWord } from "./terminal.ts"

type Painted = Pick<Terminal, "err" | "debug">
type Of<Kind extends Observation["kind"]> = Extract<Observation, { readonly kind: Kind }>
type Texts = {
  readonly [Kind in Observation["kind"]]: (terminal: Painted, observation: Of<Kind>) => string
}

export function driftText({ err }: Pick<Terminal, "err">, { problems, served }: Of<"drifted">): string {
  if (problems.length === 0) return "The database has all that the service needs again."
  const until = served
    ? `${err.yellow("These resources answer 503;")} the others are served: ${served.join(", ")}.`
    : `${err.yellow("These resources answer 503")} until the database has it again.`
  return `${problemLines(problems, { err })}\n${until}`
}

const texts: Texts = {
  cut: (_, { connections }) => `${connections} connections took too long and were cut.`,
  unready: ({ err }, { check, fault }) => `${err.red("✗")} Not ready (${check}): ${refusedText(fault)}`,
  ready: ({ err }, { after }) => `${err.green("✓")} Ready again, after ${(after / 1_000).toFixed(1)} s.`,
  lost: ({ err }, { process: worker, reason }) =>
    `${err.red("✗")} Worker ${worker} ended (${reason}) and is being replaced.`,
  hung: ({ err }, { process: worker, after }) =>
    `${err.red("✗")} Worker ${worker} has taken no connection for ${after / 1_000} s; others get them.`,
  unhung: ({ err }, { process: worker }) => `${err.green("✓")} Worker ${worker} takes connections again.`,
  unstarted: ({ err }, { problems }) =>
    problems.map((problem) => problemLines([problem], { err })).join("\n"),
  said: (_, { text }) => text,
  noticed: (_, { text }) => text,
  drifted: driftText,
  unidentified: ({ err }, { requestId, fault, count }) =>
    err.dim(`${requestText(requestId, count, ",")} showed credentials that are not accepted: ${fault}.`),
  withheld: ({ err }, { requestId, error, count }) =>
    `${requestText(requestId, count)}. ${error.message}\n${problemLines(error.problems, { err })}`,
  uncounted: ({ err }, { fault, count }) =>
    `${err.red("✗")} ${count === 1 ? "A request was" : `${count} more requests were`} not counted towards the limits: their store does not answer. ${causeText(fault)}`,
  certificate: ({ err }, { problem }) =>
    problem
      ? `${problemLines([problem], { err })}\n  The certificate from before is kept.`
      : "The certificate was renewed: new connections get it.",
  expiring({ err }, { until, days }) {
    const left = days === 1 ? "within a day" : `within ${days} days`
    return err.yellow(`The certificate expires ${left}, at ${until.toISOString()}, and has not been renewed.`)
  },
  outdated: ({ err }, { valid: { from, until } }) =>
    err.yellow(
      `The certificate is valid from ${from.toISOString()} to ${until.toISOString()}: clients refuse it now.`,
    ),
  crashed({ err }, { what, error, count = 1 }) {
    const often = count === 1 ? "" : ` ${count} more times`
    return `${err.red("✗")} User code${what === undefined ? "" : ` (${what})`} ended its thread${often}, outside any call: ${thrownTrace(error)}`
  },
  unanswered({ err }, { requestId, problem, cause, count }) {
    const which =
      count === 1
        ? `Request ${requestId} was not answered`
        : `${count} more requests were not answered, the last of them ${requestId}`
    const because = cause === undefined ? "" : ` ${causeText(cause)}`
    return `${err.red("✗")} ${which} (${problem.code}). ${problem.message}${because}`
  },
  refused: ({ err }, { problem, count }) =>
    `${err.red("✗")} ${connectionsText(count)} refused. ${problem.message} ${problem.hint ?? ""}`,
  flooded: ({ err }, { bound, count }) => err.dim(`${connectionsText(count)} closed: too many ${bound}.`),
  failed({ err }, { error, requestId, count }) {
    const told =
      error instanceof UserCodeError
        ? `in user code. ${error.message} ${"cause" in error ? thrownTrace(error.cause) : ""}`
        : `which is a fault of Bifold: ${thrownTrace(error)}`
    return `${err.red("✗")} ${requestText(requestId, count, ",")} failed, ${told}`
  },
  unhandled: (terminal, observation) => {
    const { handler, record, due } = observation
    const { err } = terminal
    const what = failedText(terminal, observation, `Handler ${err.bold(handler)}`)
    return due === null
      ? `${what}\n  ${err.yellow("It is not tried again by itself, and later events of the record wait.")} ${err.dim(`→ bifold handlers retry ${shellWord(handler)} --record ${shellWord(record)}, or skip`)}`
      : what
  },
  undelivered: (terminal, observation) => {
    const { err } = terminal
    const endpoint = observation.handler.slice(webhookPrefix.length)
    const what = failedText(terminal, observation, `Webhook endpoint ${err.bold(endpoint)}`)
    return observation.due === null
      ? `${what}\n  ${err.yellow("It is given up, and later events of the record are sent.")}`
      : what
  },
  resumed: ({ err }) => `${err.green("✓")} The handlers run again.`,
  halted: ({ err, debug }, { error }) =>
    `${err.red("✗")} No handler runs for now: ${errorText(error, debug)}. It is tried again until it can be.`,
  held: ({ err }, { handler, since }) =>
    `${err.yellow("!")} The log still has events of ${new Date(since).toISOString()}, which it need not keep: handler ${err.bold(handler)} has not come to them. ${err.dim("→ bifold handlers")}`,
  replaced: ({ err }, { handlers }) =>
    `${err.yellow("!")} The log of changes was emptied or replaced: ${handlers.map((name) => err.bold(name)).join(", ")} ${handlers.length === 1 ? "goes" : "go"} back to its start. Events may be handled again.`,
  unforgotten: ({ err, debug }, { error }) =>
    `${err.red("✗")} Old events could not be removed from the log: ${errorText(error, debug)}. It is tried again each minute.`,
  sent: ({ err }, { sink }) => `${err.green("✓")} Events are sent to ${sink} again.`,
  unsent: ({ err, debug }, { sink, error }) =>
    `${err.red("✗")} No event is sent to ${sink} for now: ${errorText(error, debug)}. They wait in the log, and it is tried again until it can be.`,
}

/** Messages of drivers and user code may hold what a client has sent, and secrets. */
export function sayObservation(terminal: Terminal, observation: Observation): void {
  const render = texts[observation.kind] as (terminal: Painted, observation: Observation) => string
  terminal.say(withoutSecrets(terminalText(render(terminal, observation))))
}

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
  return due === null ? what : `${what}\n  ${err.dim(`It is tried again at ${new Date(due).toISOString()}.`)}`
}

/** Behind it stands a full stop. */
const errorText = (error: unknown, stack: boolean): string =>
  (stack ? thrownTrace(error) : thrownMessage(error)).replace(/\.$/, "")

/** `3rd` */
function ordinal(count: number): string {
  const ending = ["th", "st", "nd", "rd"][count % 10] ?? "th"
  return `${count}${count % 100 >= 11 && count % 100 <= 13 ? "th" : ending}`
}

/** Words of ours, and those of the driver where there are any. */
function refusedText(fault: unknown): string {
  if (!(fault instanceof Refusal)) return causeText(fault)
  const [{ message }] = fault.problems
  return fault.cause === undefined ? message : `${message} ${causeText(fault.cause)}`
}

/** Without a stack: it is not about a place in the code. Of several tries to connect each says why it failed. */
function causeText(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0)
    return cause.errors.map(causeText).join(", ")
  return cause instanceof Error ? cause.message : String(cause)
}
