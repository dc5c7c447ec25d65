// The fields that hold states: written into a declaration, so that all that is said of fields is said of them as well.
import type {
  FieldDeclaration,
  MachineDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "./declaration.ts"
import { own } from "./keys.ts"
import { machinesIn, statesIn } from "./states.ts"

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

/** A field that is declared keeps its column and what it is called; texts become what the machine names. */
function stateField(declared: FieldDeclaration | undefined, machine: MachineDeclaration): FieldDeclaration {
  const isText = declared === undefined || declared.scalar === "text"
  return {
    ...declared,
    ...(isText && { scalar: "oneOf", of: statesIn(machine) }),
    scalar: isText ? "oneOf" : declared.scalar,
    readonly: true,
    default: machine.initial,
  }
}
