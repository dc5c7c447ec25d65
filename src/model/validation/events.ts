// Events: own events, the log, handlers and webhooks.

import { isIP } from "node:net"
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { isLogged } from "../build/history.ts"
import type { ServiceDeclaration } from "../declaration/declaration.ts"
import { eventKinds, eventParts, handlersIn, type PlacedHandler } from "../declaration/handlers.ts"
import { own } from "../declaration/keys.ts"
import { ownEventType } from "../declaration/own-events.ts"
import { machinesIn, statesIn } from "../declaration/states.ts"
import { readDuration } from "../log.ts"
import { isGraphqlName } from "../names.ts"
import { claims, ofColumns, type Report, type Rule, resourcesOf } from "./context.ts"
import { takenByEvents } from "./states.ts"
import { checkRunAs } from "./user-code.ts"
import { checkValues } from "./values-apart.ts"

// The name of an own event is unique in its resource. Its records have ids, and its payload holds values.

/** Names of events that streams and webhooks have of every record. */
const takenByStreams: ReadonlySet<string> = new Set([...takenByEvents, "left"])

/** Events keep values as they were emitted; `read` decides who sees one. */
const withoutColumn = [...ofColumns.filter((setting) => setting !== "read"), "default", "computed"] as const

export const ownEvents: Rule = (service, report) => {
  for (const { name: resource, resource: declared, place } of resourcesOf(service)) {
    const events = Object.entries(declared.events ?? {})
    if (events.length === 0) continue
    const at = [...place, "events"]
    if (declared.key === false)
      report(at, `The records of "${resource}" have no id by which an event could name them.`)
    if (declared.readonly === true)
      report(
        at,
        `The records of "${resource}" are never written, so they have no events.`,
        'List the withheld actions instead: readonly: ["create", "update", "delete"].',
      )
    const states = new Set(Object.values(machinesIn(declared.states)).flatMap(statesIn))
    for (const [name, { payload }] of events) {
      const type = ownEventType(resource, name)
      if (!isGraphqlName(name))
        report(
          [...at, name],
          `"${name}" cannot be the name of an event.`,
          "Letters and digits, as in couponApplied.",
        )
      else if (takenByStreams.has(name))
        report([...at, name], `"${type}" is an event that every record has.`, "Give yours another name.")
      else if (states.has(name))
        report(
          [...at, name],
          `"${type}" is the event of a transition to the state "${name}".`,
          "Give yours another name.",
        )
      checkValues(service, payload, { place: [...at, name, "payload"], without: withoutColumn }, report)
    }
  }
}

// The log's options: a time that it is kept for, and whose changes are captured, of a service that has a log.
export const log: Rule = (service, report) => {
  const { keep, capture } = service.log ?? {}
  if (keep !== undefined) checkKeep(keep, report)
  if (capture !== undefined && service.managed !== false)
    report(
      ["log", "capture"],
      "Bifold manages the tables of this service, and counts the versions of their records: changes by other programs are not captured.",
      "Write to them by Bifold, or serve them as they are with `managed: false`.",
    )
  const first = keep === undefined ? capture && "capture" : "keep"
  if (first && !hasLog(service))
    report(
      ["log", first],
      "Nothing is in the log of this service.",
      "A resource with states, with events or with history: true is logged, and one that handlers follow.",
    )
}

function checkKeep(keep: string, report: Report): void {
  if (readDuration(keep) === undefined)
    report(
      ["log", "keep"],
      `${JSON.stringify(keep)} is no time that a log is kept for.`,
      'Give hours, days, weeks or years, such as "30 days"; a century at the most.',
    )
}

const hasLog = ({ resources, code }: ServiceDeclaration): boolean =>
  code?.on !== undefined || Object.values(resources).some(isLogged)

// Handlers follow existing events, and each has a name of its own.

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

// Webhooks are of a service that has a log, and networks that they may reach are networks.
export const webhooks: Rule = ({ webhooks: declared, resources }, report) => {
  if (declared === undefined) return
  const own = Object.entries(resources).filter(([name]) => !name.startsWith("webhook"))
  if (!own.some(([, resource]) => isLogged(resource)))
    report(
      ["webhooks"],
      "Nothing of this service happens that could be sent.",
      "A resource with states, with events of its own or with history: true has events.",
    )
  if (declared === true) return
  for (const [index, network] of (declared.networks ?? []).entries())
    if (!isNetwork(network))
      report(
        ["webhooks", "networks", index],
        `${JSON.stringify(network)} is no network.`,
        'Give an address and its bits, such as "10.0.0.0/8" or "fd00::/8".',
      )
}

function isNetwork(text: string): boolean {
  const [, address = "", bits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const kind = isIP(address)
  return kind !== 0 && Number(bits) <= (kind === 4 ? 32 : 128)
}
