// A machine moves records that can be changed, and a field that can hold its states, and nothing else, holds them.
import { suggest } from "../../base/suggest.ts"
import { isDatabaseDefault } from "../declaration/build-field.ts"
import type {
  FieldDeclaration,
  MachineDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import { isNaturalKey, own } from "../declaration/keys.ts"
import { machinesIn, statesIn } from "../declaration/states.ts"
import { machinesOf, type PlacedResource, type Report, type Rule, resourcesOf } from "./context.ts"

export const stateMachines: Rule = (service, report) => {
  for (const placed of resourcesOf(service)) checkResource(placed, report)
  for (const { name, member, place, of } of machinesOf(service)) {
    const field = own(of.resource.fields, name)
    if (!field) continue
    const at = [...of.place, "fields", name]
    const unfit = whyUnfit(service, of.resource, name, field)
    if (unfit !== undefined) report(at, `"${name}" cannot hold a state: ${unfit}.`)
    else checkValues({ service, machine: member, name, field }, place, report)
    const usual = field.default
    if (usual !== undefined && !isDatabaseDefault(usual) && usual !== member.initial)
      report(
        [...at, "default"],
        `"${name}" of a new record is "${member.initial}", its initial state, not ${JSON.stringify(usual)}.`,
        "Leave out the default.",
      )
  }
}

function checkResource({ name, resource, place }: PlacedResource, report: Report): void {
  const { states, history } = resource
  const why = resource.readonly === true ? "is read-only" : resource.key === false ? "has no key" : undefined
  if (states !== undefined && why !== undefined)
    report([...place, "states"], `"${name}" ${why}, so nothing can move its records from state to state.`)
  else if (states !== undefined && Object.keys(machinesIn(states)).length === 0)
    report([...place, "states"], `"${name}" has no state machine.`, "Name one in `states`, or leave it out.")
  if (history === true && why !== undefined)
    report([...place, "history"], `"${name}" ${why}, so there are no changes of its records to be kept.`)
}

/** The rest of a sentence. */
function whyUnfit(
  { managed }: ServiceDeclaration,
  { key, unique }: ResourceDeclaration,
  name: string,
  field: FieldDeclaration,
): string | undefined {
  if (field.list) return "it is a list"
  if (field.scalar !== "text" && field.scalar !== "oneOf")
    return `it is ${field.scalar}, neither text nor one of some values`
  if (field.generated) return "it is computed by the database"
  if (isNaturalKey(key) && key.includes(name)) return "it is in the key, which never changes"
  const alone = unique?.some(([first, ...more]) => first === name && more.length === 0)
  if (field.unique || alone) return "it is unique, and several records may be in one state"
  return field.optional && managed !== false
    ? "it is optional, and a record is always in some state"
    : undefined
}

interface Held {
  readonly service: ServiceDeclaration
  readonly machine: MachineDeclaration
  readonly name: string
  readonly field: FieldDeclaration
}

/** The values of a field with an enumeration. An unknown enumeration is another rule's matter. */
function checkValues(
  { service, machine, name, field: { of } }: Held,
  place: readonly (string | number)[],
  report: Report,
): void {
  const values = typeof of === "string" ? own(service.enums, of)?.values : of
  if (!values) return
  for (const state of statesIn(machine))
    if (!values.includes(state))
      report(place, `"${name}" cannot be "${state}": its field has no such value.`, suggest(state, values))
}
