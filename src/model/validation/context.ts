// A rule is one function that reads a declaration and reports every mistake of one kind. A rule skips mistakes that another
// rule reports, so that one mistake is one problem.
import type { Place } from "../../base/problem.ts"
import type {
  FieldDeclaration,
  MachineDeclaration,
  RelationDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  TransitionDeclaration,
} from "../declaration/declaration.ts"
import { isMachine, machinesIn } from "../declaration/states.ts"

export type Report = (place: Place, message: string, hint?: string) => void
export type Rule = (service: ServiceDeclaration, report: Report) => void

export interface PlacedResource {
  readonly name: string
  readonly resource: ResourceDeclaration
  readonly place: Place
}

export interface Placed<Member> {
  readonly name: string
  readonly member: Member
  readonly place: Place
  /** The resource it belongs to. */
  readonly of: PlacedResource
}

export function resourcesOf(service: ServiceDeclaration): readonly PlacedResource[] {
  return Object.entries(service.resources).map(([name, resource]) => ({
    name,
    resource,
    place: ["resources", name],
  }))
}

export function fieldsOf(service: ServiceDeclaration): readonly Placed<FieldDeclaration>[] {
  return resourcesOf(service).flatMap((of) =>
    Object.entries(of.resource.fields).map(([name, member]) => ({
      name,
      member,
      place: [...of.place, "fields", name],
      of,
    })),
  )
}

export function relationsOf(service: ServiceDeclaration): readonly Placed<RelationDeclaration>[] {
  return resourcesOf(service).flatMap((of) =>
    Object.entries(of.resource.relations ?? {}).map(([name, member]) => ({
      name,
      member,
      place: [...of.place, "relations", name],
      of,
    })),
  )
}

export function machinesOf(service: ServiceDeclaration): readonly Placed<MachineDeclaration>[] {
  return resourcesOf(service).flatMap((of) => {
    const { states } = of.resource
    const single = states !== undefined && isMachine(states)
    return Object.entries(machinesIn(states)).map(([name, member]) => ({
      name,
      member,
      place: [...of.place, "states", ...(single ? [] : [name])],
      of,
    }))
  })
}

export interface PlacedTransition extends Placed<TransitionDeclaration> {
  readonly machine: Placed<MachineDeclaration>
}

export function transitionsOf(service: ServiceDeclaration): readonly PlacedTransition[] {
  return machinesOf(service).flatMap((machine) =>
    Object.entries(machine.member.transitions).map(([name, member]) => ({
      name,
      member,
      place: [...machine.place, "transitions", name],
      of: machine.of,
      machine,
    })),
  )
}

/** Inputs of transitions: fields without columns. */
export function inputsOf(service: ServiceDeclaration): readonly (Placed<FieldDeclaration> & {
  readonly transition: PlacedTransition
})[] {
  return transitionsOf(service).flatMap((transition) =>
    Object.entries(transition.member.input ?? {}).map(([name, member]) => ({
      name,
      member,
      place: [...transition.place, "input", name],
      of: transition.of,
      transition,
    })),
  )
}

/** Everything that holds given values: fields, and inputs. */
export const valuesOf = (service: ServiceDeclaration): readonly Placed<FieldDeclaration>[] => [
  ...fieldsOf(service),
  ...inputsOf(service),
]

/**
 * How names of a resource's table and columns are compared. Tables that Bifold makes ignore letter case, as SQLite does.
 * An existing database may have both `Order` and `order`.
 */
export function spelling({ key }: ResourceDeclaration): (name: string) => string {
  return key === undefined ? (name) => name.toLowerCase() : (name) => name
}

/** Tells when two things claim one name: `claim` gives who had it first. */
export function claims<Owner>(): { claim(name: string, owner: Owner): Owner | undefined } {
  const owners = new Map<string, Owner>()
  return {
    claim(name, owner) {
      const first = owners.get(name)
      if (first === undefined) owners.set(name, owner)
      return first
    },
  }
}

/** Settings of columns and of record fields, which inputs and outputs do not have. */
export const ofColumns = [
  "unique",
  "readonly",
  "immutable",
  "generated",
  "was",
  "from",
  "formerly",
  "column",
  "stored",
  "read",
  "write",
] as const
