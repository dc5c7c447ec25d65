// Constants of a declaration, held against the field that they are for.
import { describeRange, fitsFloat32, fractionOf, isNumberWithin, isWithin, lengthIn } from "../bounds.ts"
import type { FieldDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { compilePattern } from "../pattern.ts"
import { scalars } from "../scalars.ts"

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
  const { read, declared: name } = scalars[field.scalar]
  if (read(value, { scalar: field.scalar, list: false }) === undefined) return name
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
  const { unit, family } = scalars[field.scalar]
  if (unit !== undefined) return isWithin(lengthIn(unit, String(value)), field)
  return family !== "number" || isNumberWithin(typeof value === "number" ? value : String(value), field)
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
