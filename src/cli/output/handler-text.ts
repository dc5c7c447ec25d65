// Messages about handlers and sinks while a service is served.
import { thrownMessage, thrownTrace } from "../../base/thrown.ts"
import { subscriberPrefixes } from "../../events/followed.ts"
import type { HandlerObservation } from "../../events/observation.ts"
import type { SinkObservation } from "../../sinks/observation.ts"
import { shellWord } from "../shell.ts"
import type { Terminal } from "./terminal.ts"

export function handlerText({ err, debug }: Terminal, told: HandlerObservation): string {
  if (told.kind === "resumed") return `${err.green("✓")} The handlers run again.`
  if (told.kind === "halted")
    return `${err.red("✗")} No handler runs for now: ${errorText(told.error, debug).replace(/\.$/, "")}. It is tried again until it can be.`
  if (told.kind === "held")
    return `${err.yellow("!")} The log still has events of ${new Date(told.since).toISOString()}, which it need not keep: handler ${err.bold(told.handler)} has not come to them. ${err.dim("→ bifold handlers")}`
  if (told.kind === "replaced")
    return `${err.yellow("!")} The log of changes was emptied or replaced: ${told.handlers.map((name) => err.bold(name)).join(", ")} ${told.handlers.length === 1 ? "goes" : "go"} back to its start. Events may be handled again.`
  if (told.kind === "unforgotten")
    return `${err.red("✗")} Old events could not be removed from the log: ${errorText(told.error, debug).replace(/\.$/, "")}. It is tried again each minute.`
  const { handler, event, record, error, attempts, due, count = 1 } = told
  const often = count === 1 ? "" : `${count} more times, the last time `
  const what = `${err.red("✗")} ${told.kind === "undelivered" ? "Webhook endpoint" : "Handler"} ${err.bold(told.kind === "undelivered" ? handler.slice(subscriberPrefixes.webhook.length) : handler)} failed ${often}with ${event} of ${record}, for the ${ordinal(attempts)} time: ${errorText(error, true)}`
  if (due === null && told.kind === "undelivered")
    return `${what}\n  ${err.yellow("It is given up, and later events of the record are sent.")}`
  return due === null
    ? `${what}\n  ${err.yellow("It is not tried again by itself, and later events of the record wait.")} ${err.dim(`→ bifold handlers retry ${shellWord(handler)} --record ${shellWord(record)}, or skip`)}`
    : `${what}\n  ${err.dim(`It is tried again at ${new Date(due).toISOString()}.`)}`
}

export const sinkText = ({ err, debug }: Terminal, told: SinkObservation): string =>
  told.kind === "sent"
    ? `${err.green("✓")} Events are sent to ${told.sink} again.`
    : `${err.red("✗")} No event is sent to ${told.sink} for now: ${errorText(told.error, debug).replace(/\.$/, "")}. They wait in the log, and it is tried again until it can be.`

const errorText = (error: unknown, stack: boolean): string =>
  stack ? thrownTrace(error) : thrownMessage(error)

/** `3rd` */
function ordinal(count: number): string {
  const ending = ["th", "st", "nd", "rd"][count % 10] ?? "th"
  return `${count}${count % 100 >= 11 && count % 100 <= 13 ? "th" : ending}`
}
