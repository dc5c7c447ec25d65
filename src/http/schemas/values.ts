// JSON Schema (draft 2020-12) of values as they are answered and as they are taken, for whatever describes them.
import type { JsonValue } from "../../base/json.ts"
import type { Enumeration, Field, Model } from "../../model/model.ts"
import { type ScalarName, scalars } from "../../model/scalars.ts"

export type Json = { readonly [name: string]: JsonValue }

/** How far schemas go, and whom they serve. */
export interface Detail {
  /**
   * `flat`: relations to the first level, with conditions and questions about them as plain objects, so that no schema refers
   * to itself. `full`: all levels, by references that may lead back.
   */
  readonly depth: "flat" | "full"
  /**
   * `clients`: answers to typical requests, for generators of types. `validation`: every possible answer, such as records
   * without the members that `fields` leaves out.
   */
  readonly purpose: "clients" | "validation"
}

/** The usual detail of a document. */
export const defaultDetail: Detail = { depth: "flat", purpose: "clients" }

export const depths = ["flat", "full"] as const satisfies readonly Detail["depth"][]
export const purposes = ["clients", "validation"] as const satisfies readonly Detail["purpose"][]

/** The context of schemas: the model, and the store of referenced schemas. */
export interface Schemas extends Detail {
  readonly model: Model
  /** The schema of a resource or an enumeration, which has its name. */
  named(name: string, make: () => Json): Json
  /** Any other, whose name has `_` after it where a resource or an enumeration is called so. */
  derived(name: string, make: () => Json): Json
}

/** For a schema that stands alone. */
export const inPlace = (model: Model): Schemas => ({
  model,
  depth: "flat",
  purpose: "validation",
  named: (_name, make) => make(),
  derived: (_name, make) => make(),
})

type ValueType = Pick<Field, "scalar" | "list" | "optional" | "enumeration" | "constraints">

/** The schema of a field's value in an answer. */
export function valueSchema(schemas: Schemas, type: ValueType): Json {
  const item = itemSchema(schemas, type)
  return nullableWhen(type.optional, type.list ? { type: "array", items: item } : item)
}

function itemSchema(schemas: Schemas, type: ValueType): Json {
  const enumeration = schemas.model.enums.get(type.enumeration ?? "")
  if (enumeration) return enumSchema(schemas, enumeration)
  const { wire, format } = scalars[type.scalar]
  const pattern = patternOf(type)
  return {
    ...(wire === "any" ? {} : { type: type.scalar === "integer" ? "integer" : wire }),
    ...(type.scalar === "bytes" ? { contentEncoding: "base64" } : format === undefined ? {} : { format }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

export function enumSchema(schemas: Schemas, { name, values, description }: Enumeration): Json {
  return schemas.named(name, () => ({
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
        : scale <= 0
          ? wholeNumber
          : `^-?[0-9]+\\.[0-9]{${scale}}$`
    case "int64":
      return wholeNumber
    case "time":
      return scalars.time.pattern
    default:
      return undefined
  }
}

/** The schema, and null besides. */
export function nullableWhen(optional: boolean, schema: Json): Json {
  const { type } = schema
  if (!optional || Object.keys(schema).length === 0) return schema
  // A member of an enumeration is not null, whatever the type says.
  const types = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined
  return types && !("enum" in schema)
    ? { ...schema, type: [...types, "null"] }
    : { anyOf: [schema, { type: "null" }] }
}

/** Inputs take more forms than answers give: `"1"` for `"1.00"`. */
export function inputValue(schemas: Schemas, field: Field): Json {
  const { min, max, items, declared, pattern } = field.constraints
  const { family } = scalars[field.scalar]
  const item = inputItem(schemas, field)
  const bounds = field.list
    ? (items ?? {})
    : { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  const bounded: Json = "$ref" in item ? item : { ...item, ...boundsOf(field.scalar, bounds, item) }
  const names = field.list ? items?.declared : declared
  const named: Json = names?.length ? { ...bounded, enum: names } : bounded
  const patterned: Json = pattern !== undefined && family === "text" ? { ...named, pattern } : named
  const list: Json = {
    type: "array",
    items: patterned,
    ...(min === undefined ? {} : { minItems: min }),
    ...(max === undefined ? {} : { maxItems: max }),
  }
  return nullableWhen(field.optional, field.list ? list : patterned)
}

/**
 * A member of an input. Clients have its default in words: generators of types take a member with the keyword `default`
 * for one that is always there.
 */
export function inputMember(schemas: Schemas, field: Field): Json {
  const { description } = field
  const value = inputValue(schemas, field)
  if (field.default?.kind !== "value") return described(value, description)
  const given = field.default.value
  if (schemas.purpose === "validation")
    return described("$ref" in value ? value : { ...value, default: given }, description)
  const inWords = `Default: \`${JSON.stringify(given)}\`.`
  return described(value, description === undefined ? inWords : `${description} ${inWords}`)
}

function inputItem(schemas: Schemas, field: Field): Json {
  const { scalar, list, constraints } = field
  const { min, max, precision, scale } = constraints
  // Numbers without bounds of their own are alike in all inputs.
  const alike = (name: string, schema: Json): Json =>
    schemas.depth === "flat" && !list && min === undefined && max === undefined
      ? schemas.derived(name, () => schema)
      : schema
  if (scalar === "decimal")
    return alike(
      ["DecimalInput", precision, scale].filter((part) => part !== undefined).join("_"),
      decimalInput(constraints),
    )
  if (scalar === "int64")
    return alike(
      "Int64Input",
      wholeInput({ type: ["string", "integer"], pattern: "^-?(0|[1-9][0-9]{0,18})$" }),
    )
  if (scalar === "integer")
    return {
      type: "integer",
      format: scalars.integer.format ?? "",
      // The format says it too.
      ...(!isCompact(schemas) && { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
    }
  // Optional members may be null, items may not.
  if (scalar === "json" && (list || !field.optional) && schemas.purpose === "validation")
    return { type: ["object", "array", "string", "number", "boolean"], items: {} }
  const { pattern } = scalars[scalar]
  return { ...itemSchema(schemas, field), ...(pattern !== undefined && { pattern }) }
}

/** As a JSON number, such as no double has rounded. */
const wholeInput = (schema: Json): Json => ({
  ...schema,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})

/** Zeros at the end are no digits; as many before the point as are left of the precision. */
function decimalInput({ precision, scale }: Field["constraints"]): Json {
  const before = precision === undefined ? undefined : precision - (scale ?? 0)
  const digits =
    before === undefined ? "(0|[1-9][0-9]*)" : before === 0 ? "0" : `(0|[1-9][0-9]{0,${before - 1}})`
  const fraction = scale === undefined ? "[0-9]+" : scale === 0 ? "0+" : `[0-9]{1,${scale}}0*`
  const schema = wholeInput({ type: ["string", "integer"], pattern: `^-?${digits}(\\.${fraction})?$` })
  if (before === undefined || before > 15) return schema
  const most = 10 ** before - 1
  return { ...schema, minimum: most === 0 ? 0 : -most, maximum: most }
}

/** Lengths of texts; bounds of numbers, as far as the type has them: strings of digits are not held to them. */
function boundsOf(
  scalar: ScalarName,
  { min, max }: { readonly min?: number; readonly max?: number },
  item: Json,
): Json {
  const { family } = scalars[scalar]
  const [least, most] =
    family === "text" ? ["minLength", "maxLength"] : family === "number" ? ["minimum", "maximum"] : []
  const { minimum, maximum } = item
  return {
    ...(least !== undefined &&
      min !== undefined && { [least]: typeof minimum === "number" ? Math.max(min, minimum) : min }),
    ...(most !== undefined &&
      max !== undefined && { [most]: typeof maximum === "number" ? Math.min(max, maximum) : max }),
  }
}

export function described(schema: Json, description: string | undefined): Json {
  return description === undefined ? schema : { ...schema, description }
}

/** Whether parts that several schemas share are described once. */
export const isCompact = ({ depth, purpose }: Detail): boolean => depth === "flat" && purpose === "clients"

/** For objects that have no other members. Schemas that are parts of others cannot say it, and types do not know it. */
export const closed = (detail: Detail): Json => (isCompact(detail) ? {} : { additionalProperties: false })

/** An object whose members are described elsewhere. */
export const openObject = (description?: string): Json =>
  described({ type: "object", additionalProperties: true }, description)

/** An object schema from members that may be absent. */
export function objectSchema(
  properties: readonly (readonly [string, JsonValue] | undefined)[],
  rest: Json = {},
): Json {
  const present = properties.filter((property) => property !== undefined)
  return { type: "object", properties: Object.fromEntries(present), ...rest }
}
