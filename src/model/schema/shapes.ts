// The forms of which the schema of a declaration is made, each with the words for what it must be.
import * as z from "zod"

export const reservedName = "a name of JavaScript's own"

/** A hint travels behind the message, because a zod issue has room for one text only. */
export const hintMark = "\n"

export const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null

export const text = z.string("a text")
export const flag = z.boolean("true or false")
export const number = z.number("a finite number")
export const names = z.tuple([text], text, `a list of at least one text${hintMark}Such as ["name"].`)

export function members<Shape extends z.core.$ZodLooseShape>(shape: Shape, what: string) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? Object.keys(shape).join(hintMark) : what),
  })
}

/** Picks the intended form among several, so that a mistake is reported at its own place. */
export const either = (formOf: (input: unknown) => z.ZodType) =>
  z.unknown().transform((input, context) => {
    const read = formOf(input).safeParse(input, { reportInput: true })
    if (read.success) return read.data
    for (const issue of read.error.issues) context.issues.push(issue as z.core.$ZodRawIssue)
    return z.NEVER
  })

/** An object of things by name. `__proto__` is refused aloud: it would be passed over in silence (zod drops it). */
export const record = <Value extends z.core.SomeType>(value: Value, what: string) =>
  z.preprocess(
    (input, context) => {
      if (isObject(input) && Object.hasOwn(input, "__proto__"))
        context.addIssue({ code: "custom", message: reservedName, path: ["__proto__"], continue: false })
      return input
    },
    z.record(z.string(), value, what),
  )
export const formerNames = z.union([text, names], "the name that it had, or a list of names")
export const formerValues = record(formerNames, "an object: a value, and the names that it had")
export const columns = record(text, "an object of column names")

/** A value by itself or an object with members; of an object a mistake is told of the member where it is. */
export const orObject = (single: z.ZodType, object: z.ZodType) =>
  either((input) => (isObject(input) && !Array.isArray(input) ? object : single))
/** How deep a default may be nested; a value that contains itself is deeper. */
const deepestDefault = 100

export function isJson(input: unknown, depth = 0): boolean {
  if (input === null || typeof input === "string" || typeof input === "boolean") return true
  if (typeof input === "number") return Number.isFinite(input)
  if (typeof input !== "object" || depth === deepestDefault) return false
  const prototype: unknown = Object.getPrototypeOf(input)
  const plain = Array.isArray(input) || prototype === Object.prototype || prototype === null
  return plain && Object.values(input).every((inner) => isJson(inner, depth + 1))
}

export const json = z
  .custom((input) => input === undefined || isJson(input), "a JSON value")
  .transform((value) => structuredClone(value))

export const expression = z
  .custom(isJson, "an expression: the name of a field, a constant, or { add: […] }")
  .transform((value) => structuredClone(value))

const ruleObject = z.custom(
  (input) => isObject(input) && !Array.isArray(input) && isJson(input),
  "a rule: role(…), scope(…), signedIn, anyone, together(…) or a condition",
)
export const rule = z
  .union([z.array(ruleObject), ruleObject], "a rule, or a list of rules")
  .transform((value) => structuredClone(value))
