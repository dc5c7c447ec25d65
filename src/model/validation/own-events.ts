// An own event has a name that no other event of its resource has, is about records that can be named, and its payload is values.
import { ownEventType } from "../declaration/own-events.ts"
import { machinesIn, statesIn } from "../declaration/states.ts"
import { isGraphqlName } from "../names.ts"
import { ofColumns, type Rule, resourcesOf } from "./context.ts"
import { takenByEvents } from "./state-names.ts"
import { checkValues } from "./values-apart.ts"

/** Names of events that streams and webhooks have of every record. */
const takenByStreams: ReadonlySet<string> = new Set([...takenByEvents, "left"])

/** Values are told as they were emitted; who sees one is a matter of `read`. */
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
        `The records of "${resource}" are never written, and so nothing can be told of them.`,
        'Say what is withheld instead: readonly: ["create", "update", "delete"].',
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
