// JSON Schema (draft 2020-12) of values and of what they are compared with.
import type { JsonValue } from "../../base/json.ts"
import type { Enumeration, Field, Model } from "../../model/model.ts"
import { identityOperators, type OperatorName, operators, operatorsOf } from "../../model/operators.ts"
import { type ScalarName, scalars } from "../../model/scalars.ts"
import { type Components, freeName, type Json } from "./openapi-components.ts"

/** What the schemas of one document share. */
export interface Describing {
  readonly model: Model
  readonly components: Components
  readonly taken: ReadonlySet<string>
}

type ValueType = Pick<Field, "scalar" | "list" | "optional" | "enumeration" | "constraints">

/** Of a field's value in an answer. */
export function valueSchema(describing: Describing, type: ValueType): Json {
  const item = itemSchema(describing, type)
  return nullableWhen(type.optional, type.list ? { type: "array", items: item } : item)
}

function itemSchema(describing: Describing, type: ValueType): Json {
  const enumeration = describing.model.enums.get(type.enumeration ?? "")
  if (enumeration) return enumSchema(describing, enumeration)
  const { wire, format } = scalars[type.scalar]
  const pattern = patternOf(type)
  return {
    ...(wire === "any" ? {} : { type: type.scalar === "integer" ? "integer" : wire }),
    ...(type.scalar === "bytes" ? { contentEncoding: "base64" } : format === undefined ? {} : { format }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

function enumSchema({ components }: Describing, { name, values, description }: Enumeration): Json {
  return components.refer("schemas", name, () => ({
    type: "string",
    ...(description === undefined ? {} : { description }),
    enum: values,
  }))
}

const wholeNumber = "^-?[0-9]+$"

function patternOf({ scalar, constraints: { scale } }: ValueType): string | undefined {
  switch (scalar) {
    case "decimal":
      return scale === undefined
        ? "^-?[0-9]+(\\.[0-9]+)?$"
        : scale === 0
          ? wholeNumber
          : `^-?[0-9]+\\.[0-9]{${scale}}$`
    case "int64":
      return wholeNumber
    case "time":
      return "^[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?$"
    default:
      return undefined
  }
}

/** The schema, and null besides. */
export function nullableWhen(optional: boolean, schema: Json): Json {
  const { type } = schema
  if (!optional || Object.keys(schema).length === 0) return schema
  return typeof type === "string"
    ? { ...schema, type: [type, "null"] }
    : { anyOf: [schema, { type: "null" }] }
}

/** What a field is compared with: an object of its operators. Undefined when it has none. */
export function comparisonSchema(describing: Describing, field: Field): Json | undefined {
  const names = operatorsOf(field)
  if (names.length === 0) return undefined
  const enumeration = describing.model.enums.get(field.enumeration ?? "")
  const about = `${enumeration?.name ?? pascal(comparedAs(field.scalar))}${field.list ? "List" : ""}`
  const operand = enumeration ? enumSchema(describing, enumeration) : operandSchema(field.scalar)
  return comparison(describing, { about, optional: field.optional, names, operand })
}

export function identitySchema(describing: Describing, optional: boolean): Json {
  const names = identityOperators(optional)
  return comparison(describing, { about: "Id", optional, names, operand: { type: "string" } })
}

interface Comparison {
  readonly about: string
  readonly optional: boolean
  readonly names: readonly OperatorName[]
  readonly operand: Json
}

function comparison(
  { components, taken }: Describing,
  { about, optional, names, operand }: Comparison,
): Json {
  const title = freeName(taken, `${optional ? "Optional" : ""}${about}Comparison`)
  return components.refer("schemas", title, () => ({
    type: "object",
    description: "All operators that are given must hold.",
    properties: Object.fromEntries(
      names.map((name) => [name, { ...operandOf(name, operand), description: operators[name].description }]),
    ),
    additionalProperties: false,
  }))
}

function operandOf(name: OperatorName, value: Json): Json {
  switch (operators[name].operand) {
    case "values":
      return { type: "array", items: value }
    case "flag":
      return { type: "boolean" }
    case "text":
      return { type: "string" }
    case "value":
      return value
  }
}

/** A filter need not be an e-mail address to be compared with one. */
function comparedAs(scalar: ScalarName): ScalarName {
  return scalar === "email" || scalar === "url" || scalar === "slug" ? "text" : scalar
}

function operandSchema(given: ScalarName): Json {
  const scalar = comparedAs(given)
  const { wire, format } = scalars[scalar]
  if (scalar === "int64" || scalar === "decimal") return { type: ["string", "integer"] }
  return {
    type: scalar === "integer" ? "integer" : wire,
    ...(format === undefined || wire === "number" ? {} : { format }),
  }
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

export function described(schema: Json, description: string | undefined): Json {
  return description === undefined ? schema : { ...schema, description }
}

/** An object schema from members that may be absent. */
export function objectSchema(
  properties: readonly (readonly [string, JsonValue] | undefined)[],
  rest: Json = {},
): Json {
  const present = properties.filter((property) => property !== undefined)
  return { type: "object", properties: Object.fromEntries(present), ...rest }
}
