// Handlers are for events that there are, and each is told from the others by its name.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type { ServiceDeclaration } from "../declaration/declaration.ts"
import { eventKinds, eventParts, handlersIn, type PlacedHandler } from "../declaration/handlers.ts"
import { own } from "../declaration/keys.ts"
import { claims, type Report, type Rule } from "./context.ts"
import { checkRunAs } from "./run-as.ts"

/** Milliseconds. */
const longestTimeout = 3_600_000
const mostRetries = 1_000
/** Characters. */
const longestName = 100

export const handlers: Rule = (service, report) => {
  for (const event of Object.keys(service.code?.on ?? {})) checkEvent(service, event, report)
  const names = claims<string>()
  for (const placed of handlersIn(service)) {
    const place: Place = ["code", "on", ...placed.place]
    checkHandler(service, placed, (at, ...words) => report([...place, ...at], ...words))
    const first = names.claim(placed.name, placed.event)
    if (first !== undefined)
      report(
        place,
        `Two handlers are called "${placed.name}": each keeps its position under its name.`,
        'Give one of them another: handler({ name: "mail", run: … }).',
      )
  }
}

function checkEvent(service: ServiceDeclaration, event: string, report: Report): void {
  const place: Place = ["code", "on", event]
  const [name, kind] = eventParts(event)
  const resource = own(service.resources, name)
  if (!resource) {
    const hint = suggest(name, Object.keys(service.resources))
    report(place, `There is no resource "${name}", whose event "${event}" would be.`, hint)
    return
  }
  const kinds = eventKinds(resource)
  if (!kinds.includes(kind))
    report(
      place,
      `There is no event "${event}".`,
      suggest(
        event,
        kinds.map((one) => `${name}.${one}`),
      ),
    )
  if (resource.key === false)
    report(place, `The records of "${name}" have no id by which an event could name them.`)
}

function checkHandler(service: ServiceDeclaration, { name, handler }: PlacedHandler, report: Report): void {
  const { as, retries, timeout } = handler
  if (name.length === 0 || name.length > longestName)
    report(["name"], `A handler's name has from 1 to ${longestName} characters.`)
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0 && retries <= mostRetries))
    report(["retries"], `Retries are a whole number from 0 to ${mostRetries}, not ${retries}.`)
  if (timeout !== undefined && !(Number.isInteger(timeout) && timeout >= 1 && timeout <= longestTimeout))
    report(
      ["timeout"],
      `A timeout is a whole number of milliseconds from 1 to ${longestTimeout}, not ${timeout}.`,
    )
  checkRunAs(service, as, [], report)
}
