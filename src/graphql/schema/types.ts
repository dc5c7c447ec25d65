// The GraphQL types of a model: each is made once, under a unique name.
import type { GraphQLNamedType } from "graphql"
import type { Model, Resource } from "../../model/model.ts"
import { resourceNamed } from "../../plan/lookup.ts"

/** Makes the type under the name it was given. */
type Make<Type extends GraphQLNamedType> = (name: string) => Type

/**
 * Resources and enumerations have the names that the model settled. Any other type yields: its name ends in `_` when
 * it is taken, as `OrderGroup` is where there is a resource `orderGroup`.
 */
export interface Types {
  readonly model: Model
  /** The resource that a relation leads to. */
  target(relation: { readonly target: string }): Resource
  /** The type of a resource or an enumeration. */
  own<Type extends GraphQLNamedType>(name: string, make: Make<Type>): Type
  /** A type that goes with the resource, such as `OrderConnection` for the role `Connection`. */
  ofResource<Type extends GraphQLNamedType>(resource: Resource, role: string, make: Make<Type>): Type
  /** One that goes with the resource under a name of its own, such as `PayOrderInput`. */
  besideResource<Type extends GraphQLNamedType>(resource: Resource, wanted: string, make: Make<Type>): Type
  /** A type of the whole schema; `identity` tells types apart that would like the same name. */
  shared<Type extends GraphQLNamedType>(wanted: string, make: Make<Type>, identity?: string): Type
  /** Resources with what goes with them, in the model's order, then the shared types. */
  all(): readonly GraphQLNamedType[]
}

export function collectTypes(model: Model): Types {
  const resources = [...model.resources.values()]
  const made = new Map<string, GraphQLNamedType>()
  const homes = new Map<string, GraphQLNamedType[]>(resources.map(({ type }) => [type, []]))
  const histories = [...model.histories.values()].map(({ type }) => type)
  const taken = new Set<string>([...homes.keys(), ...histories, ...model.enums.keys()])
  const shared: GraphQLNamedType[] = []
  const claim = (wanted: string): string => {
    let name = wanted
    while (taken.has(name)) name += "_"
    taken.add(name)
    return name
  }
  const once = <Type extends GraphQLNamedType>(
    identity: string,
    home: string | undefined,
    make: () => Type,
  ): Type => {
    const known = made.get(identity)
    if (known) return known as Type
    const type = make()
    made.set(identity, type)
    const group = home === undefined ? shared : (homes.get(home) ?? shared)
    group.push(type)
    return type
  }
  return {
    model,
    target: ({ target }) => resourceNamed(model, target),
    own: (name, make) => once(`own ${name}`, name, () => make(name)),
    ofResource: ({ name, type }, role, make) =>
      once(`${role} of ${name}`, type, () => make(claim(`${type}${role}`))),
    besideResource: ({ type }, wanted, make) => once(`beside ${wanted}`, type, () => make(claim(wanted))),
    shared: (wanted, make, identity = wanted) =>
      once(`shared ${identity}`, undefined, () => make(claim(wanted))),
    all: () => [...[...homes.values()].flat(), ...shared],
  }
}
