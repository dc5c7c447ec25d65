// The small services with a field in each resource that own code computes: it tells all that the code was given, which keeps
// it too. What is asked of it by each door, and what should come of that.
import { seeded } from "../../examples/storefront/random.ts"
import type { CodeActor } from "../../src/model/code-actor.ts"
import { kebabCase } from "../../src/model/names.ts"
import type { Entry, Store, Who } from "../support/naive-access.ts"
import { codeComputed } from "../support/naive-code-computed.ts"
import { type Guarded, guarded, resourceOf } from "./guarded.ts"
import { isDeclared } from "./twin.ts"

/** One call of the code. */
interface Given {
  readonly resource: string
  readonly records: readonly Entry[]
  /** Of whoever asked. */
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  readonly id: string | null
}

export interface Computing extends Guarded {
  /** By resource. */
  readonly needs: Readonly<Record<string, readonly string[]>>
  /** All calls; whoever looks at them empties it. */
  readonly calls: Given[]
}

export function withComputedFields(service: Guarded, seed: number): Computing {
  const random = seeded(seed)
  const calls: Given[] = []
  const all = Object.entries(service.declaration.resources).map(([resource, { fields, relations = {} }]) => {
    const references = Object.entries(relations).flatMap(([name, relation]) =>
      relation.kind === "one" && relation.by === undefined ? [`${name}Id`] : [],
    )
    const members = random.shuffle([...Object.keys(fields), ...references])
    return [resource, members.slice(0, random.between(1, 3))] as const
  })
  const computed = all.map(([resource, needs]) => {
    const run = (records: readonly Entry[], { actor }: { readonly actor: CodeActor }): readonly string[] => {
      const { roles, scopes, id } = actor
      calls.push({ resource, records, roles, scopes, id })
      return records.map((record) => JSON.stringify(record))
    }
    return [resource, { told: { type: { scalar: "text" as const }, needs, run } }] as const
  })
  const declaration = { ...service.declaration, code: { computed: Object.fromEntries(computed) } }
  const { name, stored, people } = service
  return {
    ...guarded(name, { declaration, records: stored, people }),
    needs: Object.fromEntries(all),
    calls,
  }
}

/** What was told of a record, and of those that come with it: relations by name, lists in the order of their ids. */
export interface Told {
  readonly [member: string]: unknown
}

/** What somebody should be told, and how it is asked for. */
export function telling({ whole, declared, needs }: Computing, store: Store, who: Who) {
  const { rules, knows, given } = codeComputed(declared, store, who)
  const needsOf = (name: string): readonly string[] => needs[name] ?? []
  const isKnown = (name: string): boolean => knows(name, needsOf(name))
  const relationsOf = (name: string, depth: number) =>
    depth === 0
      ? []
      : [...resourceOf(whole, name).relations.values()].filter(
          (one) => isDeclared(one) && rules.knows(one.target),
        )

  const tellOf = (name: string, row: Entry, depth: number): Told => {
    const record = isKnown(name) ? given(name, row, needsOf(name)) : null
    const related = relationsOf(name, depth).map((relation) => {
      const found = rules
        .related(name, relation.name, row)
        .filter((one) => rules.sees(relation.target, one))
        .map((one) => tellOf(relation.target, one, depth - 1))
      return [relation.name, relation.kind === "many" ? inOrder(found) : (found[0] ?? null)] as const
    })
    return {
      id: row["id"],
      ...(isKnown(name) && { told: record && JSON.stringify(record) }),
      ...Object.fromEntries(related),
    }
  }

  const selectOf = (name: string, depth: number): string => {
    const related = relationsOf(name, depth).map(({ name: relation, target, kind }) => {
      const members = selectOf(target, depth - 1)
      return kind === "many" ? `${relation}(first: 100) { nodes ${members} }` : `${relation} ${members}`
    })
    return `{ ${["id", ...(isKnown(name) ? ["told"] : []), ...related].join(" ")} }`
  }

  return {
    rules,
    isKnown,
    tellOf,
    selectOf,
    seen: (name: string): readonly Entry[] =>
      (store.records[name] ?? []).filter((row) => rules.sees(name, row)),

    /** REST's parameters for a record with what is related to it. */
    query(name: string): string {
      const relations = relationsOf(name, 1)
      const own = isKnown(name) ? "id,told" : "id"
      if (relations.length === 0) return `fields=${own}`
      const included = relations.map(({ name: relation, target, kind }) => {
        const fields = `include[${relation}][fields]=${isKnown(target) ? "id,told" : "id"}`
        return kind === "many" ? `${fields}&include[${relation}][limit]=100` : fields
      })
      return `fields=${own}&include=${relations.map((one) => one.name).join()}&${included.join("&")}`
    },

    /** The to-many addresses below a record. */
    below: (name: string) =>
      relationsOf(name, 1)
        .filter(({ kind, target }) => kind === "many" && isKnown(target))
        .map(({ name: relation, target }) => ({ relation, target, path: kebabCase(relation) })),
  }
}

const inOrder = (all: readonly Told[]): readonly Told[] =>
  [...all].sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))

/** An answer of either face in the common form: lists as what they hold, in the order of ids. */
export function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return inOrder(value.map(plainOf) as Told[])
  if (typeof value !== "object" || value === null) return value
  const { nodes, data, page: _, ...members } = value as Told
  const list = nodes ?? data
  if (Array.isArray(list)) return plainOf(list)
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, plainOf(one)]))
}

/** All that is told anywhere in it, each once. */
export function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(textsIn))].sort()
  if (typeof value !== "object" || value === null) return []
  const { told, ...members } = value as Told
  const own = typeof told === "string" ? [told] : []
  return [...new Set([...own, ...Object.values(members).flatMap(textsIn)])].sort()
}
