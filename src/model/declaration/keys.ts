// Keys and foreign keys of a declaration, as columns: names in a natural key or a relation, followed to their columns.

import type { ColumnPair, Key, KeyPart } from "../model.ts"
import { scalars } from "../scalars.ts"
import type {
  KeyDeclaration,
  OneDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "./declaration.ts"
import { defaultColumn, defaultForeignKey } from "./default-names.ts"

const typeid: Key = { origin: "typeid", parts: [{ column: "id", scalar: "text", stored: "plain" }] }

/** The record's own member, never one of Object.prototype. */
export function own<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

export const isNaturalKey = (key: ResourceDeclaration["key"]): key is readonly [string, ...string[]] =>
  Array.isArray(key)

/** The resource's key; undefined when it has none, or when a mistake stands in the way of finding its parts. */
export function keyOf(
  service: ServiceDeclaration,
  name: string,
  seen: readonly string[] = [],
): Key | undefined {
  const resource = own(service.resources, name)
  if (!resource || resource.key === false || seen.includes(name)) return undefined
  if (resource.key === undefined) return typeid
  if (!isNaturalKey(resource.key))
    return { origin: resource.key.given ? "given" : "database", parts: declaredParts(resource.key) }
  const parts: KeyPart[] = []
  for (const member of resource.key) {
    const found = memberParts(service, resource, member, [...seen, name])
    if (!found) return undefined
    parts.push(...found)
  }
  return { origin: "natural", parts }
}

function declaredParts(key: KeyDeclaration): readonly KeyPart[] {
  const parts = "parts" in key ? key.parts : [key]
  return parts.map(({ column, type, stored }) => ({ column, scalar: type, stored: stored ?? "plain" }))
}

function memberParts(
  service: ServiceDeclaration,
  resource: ResourceDeclaration,
  member: string,
  seen: readonly string[],
): readonly KeyPart[] | undefined {
  const field = own(resource.fields, member)
  if (field) {
    const scalar = field.list ? undefined : scalars[field.scalar].key
    return scalar && [{ column: defaultColumn(member, field), scalar, stored: field.stored ?? "plain" }]
  }
  const relation = own(resource.relations, member)
  if (relation?.kind !== "one") return undefined
  const parts: KeyPart[] = []
  for (const { from, to } of foreignKey(service, member, relation, seen) ?? []) {
    const part = columnPart(service, relation.target, to, seen)
    if (!part) return undefined
    parts.push({ ...part, column: from })
  }
  return parts.length > 0 ? parts : undefined
}

/** The type of a key part that a column of the resource's table holds. */
function columnPart(
  service: ServiceDeclaration,
  name: string,
  column: string,
  seen: readonly string[],
): KeyPart | undefined {
  const part = keyOf(service, name, seen)?.parts.find((part) => part.column === column)
  if (part) return part
  const resource = own(service.resources, name)
  const field = Object.entries(resource?.fields ?? {}).find(
    ([field, it]) => defaultColumn(field, it) === column,
  )
  return resource && field && memberParts(service, resource, field[0], seen)?.[0]
}

/**
 * The columns of a to-one relation whose foreign key is here, in the order of the target's key if they name it.
 * Undefined for the far side of a one-to-one, and after a mistake in the relation.
 */
export function foreignKey(
  service: ServiceDeclaration,
  name: string,
  relation: OneDeclaration,
  seen: readonly string[] = [],
): readonly ColumnPair[] | undefined {
  if (relation.by !== undefined) return undefined
  const target = keyOf(service, relation.target, seen)
  if (relation.columns === undefined) {
    const [part, ...more] = target?.parts ?? []
    return part && more.length === 0
      ? [{ from: defaultForeignKey(name, relation), to: part.column }]
      : undefined
  }
  const pairs = Object.entries(relation.columns).map(([from, to]) => ({ from, to }))
  const rank = new Map(target?.parts.map((part, index) => [part.column, index]))
  return pairs.toSorted((a, b) => (rank.get(a.to) ?? rank.size) - (rank.get(b.to) ?? rank.size))
}

/** Whether these columns name the target's key, so that the relation comes with a reference scalar. */
export function namesKey(key: Key | undefined, join: readonly ColumnPair[]): boolean {
  return (
    key !== undefined &&
    key.parts.length === join.length &&
    key.parts.every((part, index) => part.column === join[index]?.to)
  )
}
