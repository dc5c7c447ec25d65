// Constants of a declaration, held against the field that they are for.
import * as z from "zod"
import { describeRange, fractionOf, isNumberWithin, isWithin, lengthOf, lengthUnit } from "../bounds.ts"
import type { FieldDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { fitsFloat32 } from "../float32.ts"
import { compilePattern } from "../pattern.ts"
import { type ScalarName, scalars } from "../scalars.ts"

/** The expected value; undefined when the value fits, or when another rule reports the expectation itself. */
export function wrongValue(
  service: ServiceDeclaration,
  field: FieldDeclaration,
  value: unknown,
): string | undefined {
  if (!field.list) return wrongItem(service, field, value)
  if (!Array.isArray(value)) return "a list"
  if (!isWithin(value.length, field)) return `a list of ${describeRange(field)} items`
  const items: FieldDeclaration = {
    ...field,
    ...{ min: undefined, max: undefined },
    ...field.items,
  } as FieldDeclaration
  for (const item of value) {
    const wrong = wrongItem(service, items, item)
    if (wrong !== undefined) return `a list of ${wrong}`
  }
  return undefined
}

function wrongItem(service: ServiceDeclaration, field: FieldDeclaration, value: unknown): string | undefined {
  if (field.scalar === "oneOf") {
    const values = typeof field.of === "string" ? own(service.enums, field.of)?.values : field.of
    return values?.some((known) => known === value) === false
      ? `one of ${values.map((known) => `"${known}"`).join(", ")}`
      : undefined
  }
  if (value === "now" && !field.list && scalars[field.scalar].family === "moment") return undefined
  const { schema, name } = forms[field.scalar]
  if (!schema.safeParse(value).success) return name
  if (field.scalar === "decimal" && !fitsDecimal(String(value), field))
    return `a decimal of at most ${field.precision} digits, ${field.scale} of them after the point`
  if (field.stored === "single" && !fitsFloat32(Number(value))) return "a number that 32 bits keep"
  if (scalars[field.scalar].family === "moment" && fractionOf(String(value)) > (field.precision ?? 6))
    return `${name}, with at most ${field.precision} digits of a second's fraction`
  if (!measures(field, value))
    return typeof value === "string" && scalars[field.scalar].family === "text"
      ? `text of ${describeRange(field)} characters`
      : `${name}, ${describeRange(field)}`
  return field.pattern !== undefined && !matches(field.pattern, value)
    ? `text that matches ${field.pattern}`
    : undefined
}

/** Whether the value is as great, or as long, as the field says. */
function measures(field: FieldDeclaration, value: unknown): boolean {
  const { scalar } = field
  if (lengthUnit(scalar) !== undefined) return isWithin(lengthOf(scalar, String(value)), field)
  return (
    scalars[scalar].family !== "number" ||
    isNumberWithin(typeof value === "number" ? value : String(value), field)
  )
}

/** A pattern that does not compile is another rule's matter. */
function matches(pattern: string, value: unknown): boolean {
  try {
    new RegExp(pattern, "u")
  } catch {
    return true
  }
  const compiled = compilePattern(pattern)
  return "reason" in compiled || compiled.matches(String(value))
}

function fitsDecimal(text: string, { precision, scale }: FieldDeclaration): boolean {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".")
  if (precision === undefined || scale === undefined) return true
  return (
    fraction.replace(/0+$/, "").length <= scale && (whole === "0" ? 0 : whole.length) <= precision - scale
  )
}

const text = z.string().refine((value) => !value.includes("\u0000") && value.isWellFormed())
const int64 = z
  .union([z.string().regex(/^-?(0|[1-9]\d{0,18})$/), z.int().transform(String)])
  .refine((digits) => BigInt.asIntN(64, BigInt(digits)) === BigInt(digits))

/** The forms of docs/guide/reading.md, as a person writes them. */
const forms: Readonly<
  Record<Exclude<ScalarName, "oneOf">, { readonly schema: z.ZodType; readonly name: string }>
> = {
  text: { schema: text, name: "text" },
  email: { schema: z.email({ pattern: z.regexes.html5Email }), name: "an e-mail address" },
  url: { schema: text.refine((value) => URL.canParse(value)), name: "an absolute URL" },
  slug: {
    schema: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    name: "lower-case letters, digits and single hyphens",
  },
  integer: { schema: z.int32(), name: "a whole number of 32 bits" },
  int64: { schema: int64, name: "a whole number of 64 bits, as a string" },
  float: { schema: z.number(), name: "a finite number" },
  decimal: {
    schema: z.union([z.string().regex(/^-?(0|[1-9]\d*)(\.\d+)?$/), z.int()]),
    name: "a decimal number, as a string",
  },
  boolean: { schema: z.boolean(), name: "true or false" },
  date: {
    schema: z.iso.date().refine((value) => value >= "0001"),
    name: 'a date such as "2026-11-01", or "now"',
  },
  time: {
    schema: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$/),
    name: 'a time such as "09:30:00", or "now"',
  },
  timestamp: {
    schema: z.iso.datetime({ offset: true }),
    name: 'a moment such as "2026-11-01T09:30:00Z", or "now"',
  },
  uuid: { schema: z.guid(), name: "a UUID" },
  json: { schema: z.unknown(), name: "JSON" },
  bytes: { schema: z.base64(), name: "bytes in base64" },
}
