// Keysets: reads what a cursor holds as the position in an order that it stands for.
import { present } from "../base/invariant.ts"
import type { Resource } from "../model/model.ts"
import type { Draft } from "./draft.ts"
import type { Keyset, OrderTerm, Value } from "./types.ts"
import { readValue, type ValueType, valueTypeOf } from "./values.ts"

/** The position, or undefined when the values are not those of this order. */
export function readKeyset(
  draft: Draft,
  resource: Resource,
  order: readonly OrderTerm[],
  values: readonly unknown[],
): Keyset | undefined {
  if (values.length !== order.length) return undefined
  const keyset: (Value | null)[] = []
  for (const [index, term] of order.entries()) {
    const input = values[index]
    const value = input === null ? null : readTermValue(draft, resource, term, input)
    if (value === undefined || (value === null && term.nulls === undefined)) return undefined
    keyset.push(value)
  }
  return keyset.map((value) => (value === null ? null : draft.bind(value)))
}

function readTermValue(draft: Draft, resource: Resource, term: OrderTerm, input: unknown): Value | undefined {
  const { subject } = term
  if (subject.kind === "row") return readTyped({ scalar: "text", list: false }, input)
  let holder = resource
  for (const name of term.path) holder = targetOf(draft, holder, name)
  if (subject.kind === "field") {
    const field = present(holder.fields.get(subject.field), `no field ${subject.field}`)
    return readTyped(storedType(valueTypeOf(draft.model, field)), input)
  }
  return readKey(subject.kind === "id" ? holder : targetOf(draft, holder, subject.relation), input)
}

function targetOf(draft: Draft, resource: Resource, relation: string): Resource {
  const target = resource.relations.get(relation)?.target ?? ""
  return present(draft.model.resources.get(target), `no relation ${relation} in ${resource.name}`)
}

function readKey(resource: Resource, input: unknown): Value | undefined {
  const parts = resource.key?.parts ?? []
  if (!Array.isArray(input) || input.length !== parts.length) return undefined
  const key: Value[] = []
  for (const [index, part] of parts.entries()) {
    const value = readTyped({ scalar: part.scalar, list: false }, input[index])
    if (value === undefined) return undefined
    key.push(value)
  }
  return key
}

/** A cursor may stand at a row whose text or decimal breaks its declaration; only the kind of value counts. */
function storedType({ scalar }: ValueType): ValueType {
  const text = scalar === "oneOf" || scalar === "email" || scalar === "url" || scalar === "slug"
  return { scalar: text ? "text" : scalar, list: false }
}

function readTyped(type: ValueType, input: unknown): Value | undefined {
  const read = readValue(type, input, "json")
  return read.ok ? read.value : undefined
}
