// Changes of single records that somebody may ask for by a mutation: updates of one member, new records, transitions, and
// deletions.
import type { Random } from "../../examples/storefront/random.ts"
import type { Entry } from "../support/naive-access.ts"
import { transitionsIn } from "../support/naive-states.ts"
import type { Change } from "./changes.ts"
import { type Guarded, resourceOf } from "./guarded.ts"
import { keyOf, memberValue, neededOf } from "./writes.ts"

interface Move {
  readonly change: Change
  readonly root: { readonly head: string; readonly call: string }
  readonly variables: Entry
}

/** @param drawing how many changes of each kind, and by what chance */
export function movesOf(
  { whole, store, declared }: Guarded,
  name: string,
  drawing: { readonly random: Random; readonly times: number },
): readonly Move[] {
  const { random } = drawing
  const resource = resourceOf(whole, name)
  const { type } = resource
  const rows = store.records[name] ?? []
  const times = Array.from({ length: drawing.times }, (_, index) => index)
  const members = [...resource.fields.values()]
    .filter(({ computed, immutable, readonly }) => !computed && !immutable && !readonly)
    .map((field) => field.name)
  const drawn = (): Entry => random.pick(rows as [Entry, ...Entry[]])
  const updates = times.map((number): Move => {
    const member = random.pick(members as [string, ...string[]])
    const given = { [member]: memberValue(whole, resource, member, { store, random, number }) }
    const id = String(drawn()["id"])
    return {
      change: { kind: "update", resource: name, id, given },
      root: {
        head: `($id: ID!, $input: ${type}UpdateInput!)`,
        call: `update${type}(id: $id, input: $input)`,
      },
      variables: { id, input: given },
    }
  })
  const creates = times.map((number): Move => {
    const place = { store, random, number: number + 1 }
    const given = neededOf(whole, resource, place)
    const id = `${resource.prefix}_${keyOf(resource, given, place)}`
    return {
      change: { kind: "create", resource: name, id, given },
      root: { head: `($input: ${type}CreateInput!)`, call: `create${type}(input: $input)` },
      variables: { input: given },
    }
  })
  const fires = transitionsIn(declared, name).flatMap((transition) =>
    times.map((): Move => {
      const id = String(drawn()["id"])
      return {
        change: { kind: "fire", resource: name, ids: [id], transition: transition.name, given: {} },
        root: { head: "($id: ID!)", call: `${transition.name}${type}(id: $id)` },
        variables: { id },
      }
    }),
  )
  const deletes = Array.from({ length: drawing.times }, (): Move => {
    const id = String(drawn()["id"])
    return {
      change: { kind: "delete", resource: name, id },
      root: { head: "($id: ID!)", call: `delete${type}(id: $id)` },
      variables: { id },
    }
  })
  return [...updates, ...creates, ...fires, ...deletes]
}
