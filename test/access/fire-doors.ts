// The doors by which a transition can be asked for: of one record, of several by their ids or by a condition, at both
// faces and in a batch, with and without the version that is meant.
import type { Resource } from "../../src/model/model.ts"
import { kebabCase } from "../../src/model/names.ts"
import type { Entry } from "../support/naive-access.ts"
import type { DeclaredTransition } from "../support/naive-states.ts"
import type { Change } from "./changes.ts"
import { batch, current, type Door, mutation, rest } from "./write-doors.ts"

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

export function fireDoors(
  resource: Resource,
  given: {
    readonly id: string
    /** Another record, for those that name several. */
    readonly other: string
    readonly transition: DeclaredTransition
    readonly input: Entry
  },
): readonly Door[] {
  const { id, other, transition, input } = given
  const fire = { kind: "fire", resource: resource.name, transition: transition.name, given: input } as const
  const one: readonly Change[] = [{ ...fire, ids: [id] }]
  const stale: readonly Change[] = [{ ...fire, ids: [id], stale: true }]
  const listed: readonly Change[] = [
    { ...fire, ids: [id] },
    { ...fire, ids: [other] },
  ]
  const found: readonly Change[] = [{ ...fire, ids: [id, other], several: true }]
  const takes = Object.keys(transition.input).length > 0
  const name = `${transition.name}${resource.type}`
  const needed = Object.values(transition.input).some((one) => !(one as { optional?: boolean }).optional)
  const type = `${upper(transition.name)}${resource.type}Input${needed ? "!" : ""}`
  const typed = takes ? { input: [input, type] as const } : undefined
  const body = takes ? { body: input } : undefined
  const path = `/${resource.path}/${encodeURIComponent(id)}/transitions/${kebabCase(transition.name)}`
  const bulk = {
    method: "POST",
    path: `/${resource.path}/transitions/${kebabCase(transition.name)}`,
    ...body,
  }
  const ids = [id, other]
  const mutate = { resource, ...typed }
  const all = { ...mutate, name: `${transition.name}${upper(resource.collection)}`, several: true } as const
  const text = ids.map(encodeURIComponent).join()
  return [
    mutation({ ...mutate, name, changes: one, id }),
    mutation({ ...mutate, name, changes: one, id, ifMatch: current }),
    mutation({ ...mutate, name, changes: stale, id, ifMatch: "999" }),
    mutation({ ...all, changes: listed, ids }),
    mutation({ ...all, changes: found, where: ids }),
    rest({ method: "POST", path, ...body, changes: one, note: "transition" }),
    rest({ method: "POST", path, ...body, changes: one, note: "transition", record: id, resource }),
    rest({ method: "POST", path, ...body, changes: stale, headers: { "if-match": '"999"' } }),
    rest({ ...bulk, query: `ids=${text}`, changes: listed, note: "transition by ids" }),
    rest({
      ...bulk,
      query: `filter[id][in]=${text}`,
      changes: found,
      headers: { prefer: "max-affected=5" },
    }),
    batch({ method: "POST", path, ...body, changes: one }),
  ]
}
