// The forms of a declaration's parts. A form reads a part of a service file, describes the expected form in words, and
// prints the part as source again. The tables of members are made of them.
import * as z from "zod"
import type { JsonValue } from "../../base/json.ts"
import type { FormerNames, FormerValues } from "../declaration/declaration.ts"
import type { ExpressionDeclaration } from "../expression.ts"
import type { RuleDeclaration } from "../policy-declaration.ts"
import { ruleSource } from "./print-rules.ts"
import { jsonSource, type Members, object, openObject, type Source } from "./source-text.ts"

export interface Form<in Value> {
  readonly schema: z.ZodType
  /** Undefined for a value that goes without saying. @param name of the member */
  readonly print: (value: Value, name: string) => Source | undefined
}

interface Optional<in Value> extends Form<Value> {
  readonly optional: true
}

export interface ObjectForm<Value> extends Form<Value> {
  readonly schema: z.ZodObject
  readonly table: Table<Value>
}

/** One row for each member, in the order in which they are printed. Without a row for a member it does not compile. */
export type Table<Value> = {
  readonly [Name in keyof Value]-?: Record<never, never> extends Pick<Value, Name>
    ? Optional<NonNullable<Value[Name]>>
    : Form<Value[Name]> & { readonly optional?: never }
}

/** Printed as the JSON that it is. */
export const plain = <Value>(schema: z.ZodType): Form<Value> => ({
  schema,
  print: (value) => jsonSource(value as JsonValue),
})

export const maybe = <Value>({ schema, print }: Form<Value>): Optional<Value> => ({
  schema: schema.optional(),
  print,
  optional: true,
})

/** A member that no service file has: of Bifold's own resources, or user code. */
export const unwritten = ({ schema }: { readonly schema: z.ZodType }): Form<unknown> => ({
  schema,
  print: unprinted,
})
export const unprinted = (): undefined => undefined

/** An empty list or object goes without saying. */
export const filled = <Value extends object>({ schema, print }: Form<Value>): Form<Value> => ({
  schema,
  print: (value, name) => (Object.keys(value).length === 0 ? undefined : print(value, name)),
})

export const reservedName = "a name of JavaScript's own"

/** A hint travels behind the message, because a zod issue has room for one text only. */
export const hintMark = "\n"

export const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null

const isMembers = (input: unknown): boolean => isObject(input) && !Array.isArray(input)

export const text = plain<string>(z.string("a text"))
export const boolean = plain<boolean>(z.boolean("true or false"))
export const number = plain<number>(z.number("a finite number"))
export const names = plain<readonly string[]>(
  z.tuple([text.schema], text.schema, `a list of at least one text${hintMark}Such as ["name"].`),
)

/** False goes without saying. */
export const flag: Form<boolean> = { ...boolean, print: (value) => (value ? jsonSource(true) : undefined) }
/** True goes without saying. */
export const unlessNot: Form<boolean> = {
  ...boolean,
  print: (value) => (value ? undefined : jsonSource(false)),
}

export const only = <const Value extends string | boolean>(value: Value): Form<Value> =>
  plain(z.literal(value, JSON.stringify(value)))
export const oneOf = <Value extends string>(
  values: readonly Value[],
  what = `one of ${values.join(", ")}`,
): Form<Value> => plain(z.enum(values, what))
export const list = <Value>(item: Form<Value>, what: string): Form<readonly Value[]> =>
  plain(z.array(item.schema, what))
/** @param what the words for both forms */
export const textOr = <Value>(other: Form<Value>, what: string): Form<string | Value> => ({
  schema: z.union([text.schema, other.schema], what),
  print: (value, name) => (typeof value === "string" ? jsonSource(value) : other.print(value as Value, name)),
})

type Layout = "closed" | "open" | "spaced"

const layouts: Readonly<Record<Layout, (members: Members) => Source>> = {
  closed: object,
  open: openObject,
  spaced: (members) => openObject(members, true),
}

/** Members as source, but for those that go without saying. */
export const membersSource = <Value extends object>(table: Table<Value>, value: Value): Members =>
  rowsOf(table).flatMap(([name, { print }]) => {
    const member = value[name as keyof Value]
    const source = member === undefined ? undefined : print(member as never, name)
    return source === undefined ? [] : [[name, source] as const]
  })

const rowsOf = (table: object): readonly (readonly [string, Form<never>])[] => Object.entries(table)

/** An object of these members and no others. */
export function members<Value extends object>(
  what: string,
  table: Table<Value>,
  layout: Layout = "closed",
): ObjectForm<Value> {
  const forms = rowsOf(table)
  const known = forms.map(([name]) => name).join(hintMark)
  const error = (issue: { readonly code: string }) => (issue.code === "unrecognized_keys" ? known : what)
  return {
    table,
    schema: z.strictObject(Object.fromEntries(forms.map(([name, { schema }]) => [name, schema])), { error }),
    print: (value) => layouts[layout](membersSource(table, value)),
  }
}

/** Picks the intended form among several, so that a mistake is reported at its own place. */
export const either = <Value>(formOf: (input: unknown) => Form<never>): Form<Value> => ({
  schema: z.unknown().transform((input, context) => {
    const read = formOf(input).schema.safeParse(input, { reportInput: true })
    if (read.success) return read.data
    for (const issue of read.error.issues) context.issues.push(issue as z.core.$ZodRawIssue)
    return z.NEVER
  }),
  print: (value, name) => formOf(value).print(value as never, name),
})

/** An object of things by name. `__proto__` is refused aloud: it would be passed over in silence (zod drops it). */
export const record = <Value>(
  of: Form<Value>,
  what: string,
  layout: Layout = "closed",
): Form<Readonly<Record<string, Value | undefined>>> => ({
  schema: z.preprocess(
    (input, context) => {
      if (isObject(input) && Object.hasOwn(input, "__proto__"))
        context.addIssue({ code: "custom", message: reservedName, path: ["__proto__"], continue: false })
      return input
    },
    z.record(z.string(), of.schema, what),
  ),
  print: (value) =>
    layouts[layout](
      Object.entries(value).flatMap(([name, one]) => {
        const source = one === undefined ? undefined : of.print(one, name)
        return source === undefined ? [] : [[name, source] as const]
      }),
    ),
})

/** A plain value, or an object whose mistakes are reported at their members. */
export const orObject = <Single, Value>(single: Form<Single>, other: Form<Value>): Form<Single | Value> =>
  either((input) => (isMembers(input) ? other : single))

export const formerNames: Form<FormerNames> = textOr(names, "the name that it had, or a list of names")
export const formerValues: Form<FormerValues> = record(
  formerNames,
  "an object: a value, and the names that it had",
)
export const columns = record(text, "an object of column names")

/** How deep a default may be nested; a value that contains itself is deeper. */
const deepestDefault = 100

export function isJson(input: unknown, depth = 0): boolean {
  if (input === null || typeof input === "string" || typeof input === "boolean") return true
  if (typeof input === "number") return Number.isFinite(input)
  if (typeof input !== "object" || depth === deepestDefault) return false
  const prototype: unknown = Object.getPrototypeOf(input)
  const isPlain = Array.isArray(input) || prototype === Object.prototype || prototype === null
  return isPlain && Object.values(input).every((inner) => isJson(inner, depth + 1))
}

/** Data of a form that a rule looks at. */
export const data = <Value>(isIt: (input: unknown) => boolean, what: string): Form<Value> =>
  plain(z.custom(isIt, what).transform((value) => structuredClone(value)))

export const json = data<JsonValue>((input) => input === undefined || isJson(input), "a JSON value")

export const expression = data<ExpressionDeclaration>(
  (input) => isJson(input),
  "an expression: the name of a field, a constant, or { add: […] }",
)

const ruleObject = z.custom(
  (input) => isMembers(input) && isJson(input),
  "a rule: role(…), scope(…), signedIn, anyone, together(…) or a condition",
)
export const rule: Form<RuleDeclaration> = {
  schema: z
    .union([z.array(ruleObject), ruleObject], "a rule, or a list of rules")
    .transform((value) => structuredClone(value)),
  print: ruleSource,
}
