// Examples of the OpenAPI document: values that a client may send as they stand, and is answered.

import type { JsonValue } from "../../base/json.ts"
import type { Field, Model, Resource } from "../../model/model.ts"
import { operatorsOf } from "../../model/operators.ts"
import { scalars } from "../../model/scalars.ts"
import { typeidSuffix } from "../../plan/values/typeid.ts"

/** A value of the field's type. */
function exampleValue(
  { enums }: Model,
  { enumeration, scalar, list }: Pick<Field, "enumeration" | "scalar" | "list">,
): JsonValue {
  const value = enums.get(enumeration ?? "")?.values[0] ?? scalars[scalar].example
  return list ? [value] : value
}

/** The id of a record, without its prefix; each part of a key that has several. */
export function exampleId({ key }: Resource): string {
  if (key?.origin === "typeid")
    return typeidSuffix(BigInt(`0x${String(scalars.uuid.example).replaceAll("-", "")}`))
  return (key?.parts ?? []).map(({ scalar }) => String(scalars[scalar].example)).join(",")
}

/** A value of a unique key's member in a path. */
export function exampleMember(model: Model, { fields }: Resource, name: string): string {
  const field = fields.get(name)
  return field ? String(exampleValue(model, field)) : "1"
}

/** A condition of one comparison: with a value of an enumeration where there is one. */
export function exampleFilter(model: Model, { fields }: Resource): JsonValue {
  const comparable = [...fields.values()].filter((field) => !field.list && operatorsOf(field).includes("in"))
  const field = comparable.find(({ enumeration }) => enumeration !== undefined) ?? comparable[0]
  return field ? { [field.name]: { in: [exampleValue(model, field)] } } : {}
}
