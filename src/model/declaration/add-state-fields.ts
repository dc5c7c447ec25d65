// The fields that hold states: written into a declaration, so that all that is said of fields is said of them as well.
import type { Place } from "../../base/problem.ts"
import { isDatabaseDefault } from "./build-field.ts"
import type {
  FieldDeclaration,
  MachineDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "./declaration.ts"
import { own } from "./keys.ts"
import { isMachine, machinesIn, statesIn } from "./states.ts"

export function withStates(service: ServiceDeclaration): ServiceDeclaration {
  const resources = Object.entries(service.resources).map(([name, it]) => [name, withFields(it)] as const)
  return { ...service, resources: Object.fromEntries(resources) }
}

function withFields(resource: ResourceDeclaration): ResourceDeclaration {
  const machines = Object.entries(machinesIn(resource.states))
  if (machines.length === 0) return resource
  const held = machines.map(([name, it]) => [name, stateField(own(resource.fields, name), it)] as const)
  return { ...resource, fields: { ...resource.fields, ...Object.fromEntries(held) } }
}

/**
 * A field that is declared keeps its column and what it is called, and whatever states-held-by-fields (rules/) complains
 * about; texts become what the machine names.
 */
function stateField(declared: FieldDeclaration | undefined, machine: MachineDeclaration): FieldDeclaration {
  const { min, max, pattern, ...text } = declared ?? { scalar: "text" }
  const field: FieldDeclaration =
    text.scalar === "text" ? { ...text, scalar: "oneOf", of: statesIn(machine) } : (declared ?? text)
  const isUsual = field.default === undefined || isDatabaseDefault(field.default)
  const isFit = field.scalar === "oneOf" && !field.list && !field.generated
  return {
    ...field,
    readonly: true,
    ...(isUsual && isFit && { default: machine.initial }),
  }
}

/** Where a mistake stands in what was written, of one found in a field that was not. */
export function writtenPlace(written: ServiceDeclaration, place: Place): Place {
  const [first, resource, members, name] = place
  if (first !== "resources" || members !== "fields") return place
  const { states, fields } = own(written.resources, String(resource)) ?? {}
  const held = own(machinesIn(states), String(name))
  if (!held || states === undefined || own(fields, String(name))) return place
  return ["resources", String(resource), "states", ...(isMachine(states) ? [] : [String(name)])]
}
