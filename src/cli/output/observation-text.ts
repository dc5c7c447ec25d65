// Observations of a running server in words, on stderr.
import { Refusal } from "../../base/problem.ts"
import { thrownTrace } from "../../base/thrown.ts"
import { UserCodeError } from "../../engine/code/user-code-error.ts"
import type { HandlerObservation } from "../../events/observation.ts"
import type { Observation } from "../../server/observation.ts"
import { terminalText, withoutSecrets } from "../../telemetry/logs/safe-text.ts"
import { problemLines } from "./failure.ts"
import { handlerText, sinkText } from "./handler-text.ts"
import type { Terminal } from "./terminal.ts"

type Drifted = Extract<Observation, { readonly kind: "drifted" }>

export function driftText({ err }: Pick<Terminal, "err">, { problems, served }: Drifted): string {
  if (problems.length === 0) return "The database has all that the service needs again."
  const until = served
    ? `${err.yellow("These resources answer 503;")} the others are served: ${served.join(", ")}.`
    : `${err.yellow("These resources answer 503")} until the database has it again.`
  return `${problemLines(problems, { err })}\n${until}`
}

/** Messages of drivers and user code may hold what a client has sent, and secrets. */
export const sayObservation = (terminal: Terminal, observation: Observation): void =>
  tell({ ...terminal, say: (text) => terminal.say(withoutSecrets(terminalText(text))) }, observation)

function tell(terminal: Terminal, observation: Observation): void {
  if (observation.kind === "cut") {
    terminal.say(`${observation.connections} connections took too long and were cut.`)
    return
  }
  if (observation.kind === "unready") {
    terminal.say(
      `${terminal.err.red("✗")} Not ready (${observation.check}): ${refusedText(observation.fault)}`,
    )
    return
  }
  if (observation.kind === "ready") {
    terminal.say(`${terminal.err.green("✓")} Ready again, after ${(observation.after / 1_000).toFixed(1)} s.`)
    return
  }
  if (observation.kind === "lost") {
    terminal.say(
      `${terminal.err.red("✗")} Worker ${observation.process} ended (${observation.reason}) and is being replaced.`,
    )
    return
  }
  if (observation.kind === "noticed") {
    terminal.say(observation.text)
    return
  }
  if (observation.kind === "drifted") {
    terminal.say(driftText(terminal, observation))
    return
  }
  if (observation.kind === "unidentified") {
    const { requestId, fault, count } = observation
    const which =
      count === 1 ? `Request ${requestId}` : `${count} more requests, the last of them ${requestId},`
    terminal.say(terminal.err.dim(`${which} showed credentials that are not accepted: ${fault}.`))
    return
  }
  if (observation.kind === "withheld") {
    const { requestId, error, count = 1 } = observation
    const which =
      count === 1 ? `Request ${requestId}` : `${count} more requests, the last of them ${requestId}`
    terminal.say(`${which}. ${error.message}\n${problemLines(error.problems, terminal)}`)
    return
  }
  if (observation.kind === "uncounted") {
    const { fault, count } = observation
    const which = count === 1 ? "A request was" : `${count} more requests were`
    terminal.say(
      `${terminal.err.red("✗")} ${which} not counted towards the limits: their store does not answer. ${causeText(fault)}`,
    )
    return
  }
  if (isOfHandlers(observation)) {
    terminal.say(handlerText(terminal, observation))
    return
  }
  if (observation.kind === "unsent" || observation.kind === "sent") {
    terminal.say(sinkText(terminal, observation))
    return
  }
  if (observation.kind === "certificate") {
    const { problem } = observation
    if (!problem) terminal.say("The certificate was renewed: new connections get it.")
    else terminal.say(`${problemLines([problem], terminal)}\n  The certificate from before is kept.`)
    return
  }
  if (observation.kind === "expiring") {
    const { until, days } = observation
    const left = days === 1 ? "within a day" : `within ${days} days`
    terminal.say(
      terminal.err.yellow(
        `The certificate expires ${left}, at ${until.toISOString()}, and has not been renewed.`,
      ),
    )
    return
  }
  if (observation.kind === "outdated") {
    const [from, until] = [observation.valid.from, observation.valid.until].map((date) => date.toISOString())
    terminal.say(
      terminal.err.yellow(`The certificate is valid from ${from} to ${until}: clients refuse it now.`),
    )
    return
  }
  if (observation.kind === "unstarted") {
    for (const problem of observation.problems) terminal.say(problemLines([problem], terminal))
    return
  }
  if (observation.kind === "crashed") {
    const { what, error, count = 1 } = observation
    const often = count === 1 ? "" : ` ${count} more times`
    terminal.say(
      `${terminal.err.red("✗")} User code${what === undefined ? "" : ` (${what})`} ended its thread${often}, outside any call: ${thrownTrace(error)}`,
    )
    return
  }
  if (observation.kind === "unanswered") {
    terminal.say(unansweredText(terminal, observation))
    return
  }
  if (observation.kind === "refused") {
    const { problem, count } = observation
    const which = count === 1 ? "A connection was" : `${count} more connections were`
    terminal.say(`${terminal.err.red("✗")} ${which} refused. ${problem.message} ${problem.hint ?? ""}`)
    return
  }
  if (observation.kind === "flooded") {
    const { bound, count } = observation
    const which = count === 1 ? "A connection was" : `${count} more connections were`
    terminal.say(terminal.err.dim(`${which} closed: too many ${bound}.`))
    return
  }
  if (observation.kind === "hung") {
    const { process: worker, after } = observation
    terminal.say(
      `${terminal.err.red("✗")} Worker ${worker} has taken no connection for ${after / 1_000} s; others get them.`,
    )
    return
  }
  if (observation.kind === "unhung") {
    terminal.say(`${terminal.err.green("✓")} Worker ${observation.process} takes connections again.`)
    return
  }
  if (observation.kind === "said") {
    terminal.say(observation.text)
    return
  }
  const { error, requestId, count = 1 } = observation
  const which =
    count === 1 ? `Request ${requestId}` : `${count} more requests, the last of them ${requestId},`
  const told =
    error instanceof UserCodeError
      ? `in user code. ${error.message} ${"cause" in error ? thrownTrace(error.cause) : ""}`
      : `which is a fault of Bifold: ${thrownTrace(error)}`
  terminal.say(`${terminal.err.red("✗")} ${which} failed, ${told}`)
}

const isOfHandlers = (observation: Observation): observation is HandlerObservation =>
  ["unhandled", "undelivered", "halted", "resumed", "held", "replaced", "unforgotten"].includes(
    observation.kind,
  )

function unansweredText(
  { err }: Terminal,
  { requestId, problem, cause, count }: Extract<Observation, { readonly kind: "unanswered" }>,
): string {
  const which =
    count === 1
      ? `Request ${requestId} was not answered`
      : `${count} more requests were not answered, the last of them ${requestId}`
  const because = cause === undefined ? "" : ` ${causeText(cause)}`
  return `${err.red("✗")} ${which} (${problem.code}). ${problem.message}${because}`
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
