// Keysets: reads what a cursor holds as the position in an order that it stands for.
import type { Field, Resource } from "../../model/model.ts"
import { isTextual, type ValueType } from "../../model/scalars.ts"
import type { Draft } from "../draft/draft.ts"
import { endOf, fieldNamed, targetOf } from "../lookup.ts"
import type { Keyset, OrderTerm, Value } from "../read-plan.ts"
import { readValue } from "../values/values.ts"

/** The position, or undefined when the values are not those of this order. */
export function readKeyset(
  draft: Draft,
  resource: Resource,
  order: readonly OrderTerm[],
  values: readonly unknown[],
): Keyset | undefined {
  if (values.length !== order.length) return undefined
  const keyset: (Value | null)[] = []
  for (const term of order) {
    const input = values[keyset.length]
    const value = input === null ? null : readTermValue(draft, resource, term, input)
    if (value === undefined || (value === null && term.nulls === undefined)) return undefined
    keyset.push(value)
  }
  return keyset.map((value) => (value === null ? null : draft.bind(value)))
}

function readTermValue(draft: Draft, resource: Resource, term: OrderTerm, input: unknown): Value | undefined {
  const { model } = draft
  const { subject } = term
  const holder = endOf(model, resource, term.path)
  switch (subject.kind) {
    case "row":
      return readTyped({ scalar: holder.historyOf ? "int64" : "text", list: false }, input)
    case "id":
      return readKey(holder, input)
    case "reference":
      return readKey(targetOf(model, holder, subject.relation), input)
    case "field":
      return readTyped(storedType(fieldNamed(holder, subject.field)), input)
  }
}

function readKey(resource: Resource, input: unknown): Value | undefined {
  const parts = resource.key?.parts ?? []
  if (!Array.isArray(input) || input.length !== parts.length) return undefined
  const key: Value[] = []
  for (const { scalar } of parts) {
    const value = readTyped({ scalar, list: false }, input[key.length])
    if (value === undefined) return undefined
    key.push(value)
  }
  return key
}

/** A cursor may stand at a row that breaks its declaration; only the kind of value counts, and a decimal's scale. */
function storedType({ scalar, constraints: { scale } }: Field): ValueType {
  const text = isTextual(scalar)
  return { scalar: text ? "text" : scalar, list: false, constraints: scale === undefined ? {} : { scale } }
}

/** A value without a JSON text stands in a cursor by its name and text in the database (sql/dialect.ts, `position`). */
function readTyped(type: ValueType, input: unknown): Value | undefined {
  if (Array.isArray(input)) return input.length === 2 ? input.map(String) : undefined
  const read = readValue(type, input, "json")
  return read.ok ? read.value : undefined
}
