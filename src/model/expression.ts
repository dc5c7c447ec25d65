// Expressions of computed fields: data, as conditions are. docs/guide/computed.md says what each form means.
import type { JsonValue } from "../base/json.ts"
import type { Place } from "../base/problem.ts"
import { suggest } from "../base/suggest.ts"
import type { Constraints } from "./bounds.ts"
import type { RuleObject } from "./policy-declaration.ts"
import type { ScalarName, StoredForm } from "./scalars.ts"

/** The name of a field of the same record, a constant, or an object with one member, which names the operation. */
export type ExpressionDeclaration =
  | string
  | number
  | boolean
  | { readonly value: JsonValue }
  | { readonly add: readonly ExpressionDeclaration[] }
  | { readonly subtract: readonly [ExpressionDeclaration, ExpressionDeclaration] }
  | { readonly multiply: readonly ExpressionDeclaration[] }
  | { readonly concat: readonly ExpressionDeclaration[] }
  | { readonly coalesce: readonly ExpressionDeclaration[] }
  | { readonly upper: ExpressionDeclaration }
  | { readonly lower: ExpressionDeclaration }
  /** The digits of a whole number, as a text. */
  | { readonly textOf: ExpressionDeclaration }
  /** The text before, or after, the first of a separator. */
  | { readonly before: readonly [ExpressionDeclaration, string] }
  | { readonly after: readonly [ExpressionDeclaration, string] }
  /** A value in place of others: `{ map: ["status", { placed: "new" }] }`. Those that are not named stay. */
  | { readonly map: readonly [ExpressionDeclaration, Readonly<Record<string, string>>] }
  | { readonly if: ChoiceDeclaration }
  /** A to-many relation: how many records there are. */
  | { readonly count: string }
  /** A to-many relation, and a field of its records. */
  | { readonly sum: readonly [string, string] }
  /** A to-one relation, and a field of its record: `{ field: ["address", "city"] }`. */
  | { readonly field: readonly [string, string] }

/** Without `else` there is no value where the condition fails. */
interface ChoiceDeclaration {
  readonly when: RuleObject
  readonly give: ExpressionDeclaration
  readonly else?: ExpressionDeclaration
}

export type Expression =
  | { readonly kind: "field"; readonly field: string }
  | { readonly kind: "constant"; readonly value: JsonValue }
  | Arithmetic
  | { readonly kind: "concat"; readonly of: readonly Expression[] }
  | { readonly kind: "coalesce"; readonly of: readonly Expression[] }
  | { readonly kind: "letters"; readonly letters: "upper" | "lower"; readonly of: Expression }
  | { readonly kind: "text"; readonly of: Expression }
  | {
      readonly kind: "part"
      readonly side: "before" | "after"
      readonly of: Expression
      readonly separator: string
    }
  | {
      readonly kind: "mapped"
      readonly of: Expression
      readonly to: readonly (readonly [from: string, to: string])[]
    }
  | Choice
  | { readonly kind: "count"; readonly relation: string }
  | { readonly kind: "sum"; readonly relation: string; readonly field: string }
  | { readonly kind: "related"; readonly relation: string; readonly field: string }
  | CodeExpression

/** A value that user code of a version's change gives for others. The engine works it out; no statement has it. */
export interface CodeExpression {
  readonly kind: "code"
  readonly code: ChangeCode
  readonly gives: CodeValue
  /** The names of all values that it gives. */
  readonly names: readonly string[]
  readonly takes: readonly { readonly value: CodeValue; readonly of: Expression }[]
}

/** One of the two functions of a change. */
export interface ChangeCode {
  /** For the log: `order.number of 2026-11-01`. */
  readonly called: string
  readonly part: "reads" | "writes"
  /** Milliseconds. */
  readonly deadline: number
  readonly run: (
    values: readonly Readonly<Record<string, unknown>>[],
    context: { readonly signal: AbortSignal },
  ) => unknown
}

/** A value that user code takes or gives: a field's, or a reference's id. */
export interface CodeValue {
  readonly name: string
  readonly optional: boolean
  readonly scalar: ScalarName
  readonly list: boolean
  /** For a `oneOf`. */
  readonly values?: readonly string[]
  readonly constraints: Constraints
  readonly stored: StoredForm
  /** For a reference: the resource that it leads to. */
  readonly target?: string
}

interface Arithmetic {
  readonly kind: "arithmetic"
  readonly operator: "add" | "subtract" | "multiply"
  readonly of: readonly Expression[]
}

interface Choice {
  readonly kind: "choice"
  /** As it was declared; plan/read/computed.ts reads it. */
  readonly when: RuleObject
  /** In changes of versions: the fields that `when` names, as their version has them. */
  readonly fields?: ReadonlyMap<string, ConditionField>
  readonly give: Expression
  readonly otherwise?: Expression
}

/** A field in the condition of a choice. */
export interface ConditionField {
  readonly name: string
  /** Its name in the newest version, where that is another. */
  readonly current?: string
  readonly column: string
  readonly scalar: ScalarName
  readonly list: boolean
  readonly enumeration?: string
  readonly optional: boolean
  readonly constraints: Constraints
  readonly stored: StoredForm
  /** Its value, where the newest version has no such field. */
  readonly computed?: Expression
}

export type ReportExpression = (place: Place, message: string, hint?: string) => void

/** How deep an expression may be nested. */
const deepest = 20

/** Undefined when it is no expression: the report then has the mistake, with its place behind the given one. */
export function readExpression(
  given: unknown,
  report: ReportExpression,
  place: Place = [],
): Expression | undefined {
  if (typeof given === "string") return { kind: "field", field: given }
  if (typeof given === "number" || typeof given === "boolean") return { kind: "constant", value: given }
  const [[name, value] = ["", undefined], ...more] = isObject(given) ? Object.entries(given) : []
  if (name === "" || more.length > 0) {
    report(place, "An expression is a field's name, a constant, or an object with one member.", example)
    return undefined
  }
  const at = [...place, name]
  if (place.length > 2 * deepest) {
    report(at, `An expression is nested at most ${deepest} deep.`)
    return undefined
  }
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined
  if (!read) {
    const forms = Object.keys(readers)
    report(
      at,
      `There is no "${name}" in expressions.`,
      suggest(name, forms) ?? `Known here: ${forms.join(", ")}.`,
    )
  }
  return read?.(value, { at, report })
}

const example = 'Such as { multiply: ["quantity", "unitPrice"] }.'

interface Reading {
  readonly at: Place
  readonly report: ReportExpression
}

type Read = (given: unknown, reading: Reading) => Expression | undefined

const arithmetic =
  (operator: Arithmetic["operator"]): Read =>
  (given, reading) => {
    const of = readOperands(given, reading, operator === "subtract" ? 2 : undefined)
    return of && { kind: "arithmetic", operator, of }
  }

const joined =
  (kind: "concat" | "coalesce"): Read =>
  (given, reading) => {
    const of = readOperands(given, reading)
    return of && { kind, of }
  }

const letters =
  (which: "upper" | "lower"): Read =>
  (given, { at, report }) => {
    const of = readExpression(given, report, at)
    return of && { kind: "letters", letters: which, of }
  }

const part =
  (side: "before" | "after"): Read =>
  (given, { at, report }) => {
    const [text, separator, ...more] = Array.isArray(given) ? (given as readonly unknown[]) : []
    if (typeof separator === "string" && separator !== "" && more.length === 0) {
      const of = readExpression(text, report, [...at, 0])
      return of && { kind: "part", side, of, separator }
    }
    report(at, `\`${side}\` takes a text and a separator.`, `Such as { ${side}: ["name", " "] }.`)
    return undefined
  }

const readers: Readonly<Record<string, Read>> = {
  value: (given, { at, report }) => {
    if (["string", "number", "boolean", "object"].includes(typeof given))
      return { kind: "constant", value: given as JsonValue }
    report(at, "A constant is a JSON value: a text, a number, true, false, null, a list or an object.")
    return undefined
  },
  add: arithmetic("add"),
  subtract: arithmetic("subtract"),
  multiply: arithmetic("multiply"),
  concat: joined("concat"),
  coalesce: joined("coalesce"),
  upper: letters("upper"),
  lower: letters("lower"),
  textOf: (given, { at, report }) => {
    const of = readExpression(given, report, at)
    return of && { kind: "text", of }
  },
  before: part("before"),
  after: part("after"),
  map: (given, { at, report }) => {
    const [value, to, ...more] = Array.isArray(given) ? (given as readonly unknown[]) : []
    if (isObject(to) && Object.values(to).every((one) => typeof one === "string") && more.length === 0) {
      const of = readExpression(value, report, [...at, 0])
      return of && { kind: "mapped", of, to: Object.entries(to) as [string, string][] }
    }
    report(
      at,
      "`map` takes a value and an object of values in place of others.",
      'Such as { map: ["status", { placed: "new" }] }.',
    )
    return undefined
  },
  if: readChoice,
  count: (given, { at, report }) => {
    if (typeof given === "string") return { kind: "count", relation: given }
    report(at, "`count` takes the name of a to-many relation.", 'Such as { count: "lines" }.')
    return undefined
  },
  sum: (given, reading) => {
    const path = readPath(given, reading, "`sum` takes a to-many relation and a field of its records.", [
      "sum",
      "lines",
      "total",
    ])
    return path && { kind: "sum", ...path }
  },
  field: (given, reading) => {
    const path = readPath(given, reading, "`field` takes a to-one relation and a field of its record.", [
      "field",
      "address",
      "city",
    ])
    return path && { kind: "related", ...path }
  },
}

/** A relation and a field. @param example the form, and names that it might have */
function readPath(
  given: unknown,
  { at, report }: Reading,
  message: string,
  [form, ...names]: readonly [string, string, string],
): { readonly relation: string; readonly field: string } | undefined {
  const [relation, field, ...more] = Array.isArray(given) ? (given as readonly unknown[]) : []
  if (typeof relation === "string" && typeof field === "string" && more.length === 0)
    return { relation, field }
  report(at, message, `Such as { ${form}: [${names.map((name) => JSON.stringify(name)).join(", ")}] }.`)
  return undefined
}

/** Whether an object with this member is an expression. */
export const isExpressionForm = (name: string): boolean => Object.hasOwn(readers, name)

function readOperands(
  given: unknown,
  { at, report }: Reading,
  most = Number.POSITIVE_INFINITY,
): readonly Expression[] | undefined {
  const several: readonly unknown[] = Array.isArray(given) ? given : []
  if (several.length < 2 || several.length > most) {
    const count = most === 2 ? "two" : "two or more"
    report(at, `\`${at.at(-1)}\` takes a list of ${count} expressions.`, example)
    return undefined
  }
  const of = several.map((one, index) => readExpression(one, report, [...at, index]))
  return of.every((one) => one !== undefined) ? of : undefined
}

function readChoice(given: unknown, { at, report }: Reading): Expression | undefined {
  const { when, give, else: other, ...more } = isObject(given) ? given : {}
  if (!isObject(when) || give === undefined) {
    report(
      at,
      "`if` takes `when`, a condition, and `give`; with `else` there is a value otherwise.",
      'Such as { if: { when: { stock: { gt: 0 } }, give: { value: "there" } } }.',
    )
    return undefined
  }
  for (const name of Object.keys(more))
    report([...at, name], `There is no "${name}" in \`if\`.`, suggest(name, ["when", "give", "else"]))
  const chosen = readExpression(give, report, [...at, "give"])
  const otherwise = other === undefined ? undefined : readExpression(other, report, [...at, "else"])
  if (!chosen || (other !== undefined && !otherwise) || Object.keys(more).length > 0) return undefined
  return { kind: "choice", when, give: chosen, ...(otherwise && { otherwise }) }
}

const isObject = (given: unknown): given is RuleObject =>
  typeof given === "object" && given !== null && !Array.isArray(given)

/** The expressions that one consists of, without its conditions. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "arithmetic":
    case "concat":
    case "coalesce":
      return expression.of
    case "letters":
    case "text":
    case "part":
    case "mapped":
      return [expression.of]
    case "code":
      return expression.takes.map(({ of }) => of)
    case "choice":
      return [expression.give, ...(expression.otherwise ? [expression.otherwise] : [])]
    case "field":
    case "constant":
    case "count":
    case "sum":
    case "related":
      return []
  }
}

/** Names of the record's own fields, each as often as it stands there. */
export const fieldsIn = (expression: Expression): readonly string[] =>
  expression.kind === "field" ? [expression.field] : operandsOf(expression).flatMap(fieldsIn)

/** The same with the fields that conditions in it look at. */
export function sourcesIn(expression: Expression): readonly string[] {
  if (expression.kind === "field") return [expression.field]
  const asked = expression.kind === "choice" ? [...(expression.fields?.values() ?? [])] : []
  return [
    ...asked.flatMap(({ name, current = name, computed }) => (computed ? sourcesIn(computed) : [current])),
    ...operandsOf(expression).flatMap(sourcesIn),
  ]
}

/** The members that a condition on a record names. */
export function namesIn(condition: RuleObject): readonly string[] {
  return Object.entries(condition).flatMap(([name, of]): readonly string[] => {
    const several: readonly unknown[] =
      name === "and" || name === "or" ? (Array.isArray(of) ? of : []) : name === "not" ? [of] : []
    if (name !== "and" && name !== "or" && name !== "not") return [name]
    return several.flatMap((one) => (isObject(one) ? namesIn(one) : []))
  })
}

/** Conditions of an expression. */
export const whensIn = (expression: Expression): readonly RuleObject[] => [
  ...(expression.kind === "choice" ? [expression.when] : []),
  ...operandsOf(expression).flatMap(whensIn),
]

/** The condition on members that have other names. */
function withNames(condition: RuleObject, nameOf: (name: string) => string): RuleObject {
  const inner = (of: unknown): unknown => (isObject(of) ? withNames(of, nameOf) : of)
  return Object.fromEntries(
    Object.entries(condition).map(([name, of]): [string, unknown] => {
      if (name === "and" || name === "or") return [name, Array.isArray(of) ? of.map(inner) : of]
      return name === "not" ? [name, inner(of)] : [nameOf(name), of]
    }),
  )
}

/** The declaration with other names of the record's own fields. */
export function withFieldNames(
  given: ExpressionDeclaration,
  nameOf: (name: string) => string,
): ExpressionDeclaration {
  if (typeof given === "string") return nameOf(given)
  if (typeof given !== "object") return given
  const inner = (of: ExpressionDeclaration): ExpressionDeclaration => withFieldNames(of, nameOf)
  if ("if" in given) {
    const { when, give, else: other } = given.if
    const chosen = { when: withNames(when, nameOf), give: inner(give) }
    return { if: { ...chosen, ...(other !== undefined && { else: inner(other) }) } }
  }
  const [form, of] = Object.entries(given)[0] as [
    string,
    ExpressionDeclaration | readonly ExpressionDeclaration[],
  ]
  if (["value", "count", "sum", "field"].includes(form)) return given
  const isFirst = ["before", "after", "map"].includes(form)
  const renamed = Array.isArray(of)
    ? of.map((one, at) => (isFirst && at > 0 ? one : inner(one)))
    : inner(of as ExpressionDeclaration)
  return { [form]: renamed } as unknown as ExpressionDeclaration
}

/**
 * The expression with the fields of its conditions under names that no member has: the newest version may have another field
 * of the same name. A field for which `of` gives `own` keeps its name. Undefined where `of` knows no such field.
 */
export function withConditionFields(
  expression: Expression,
  of: (name: string) => ConditionField | "own" | undefined,
): Expression | undefined {
  let lacks = false
  const asked = (name: string): string => `=~${name}`
  const settled = (one: Expression): Expression => {
    const inner = withOperands(one, settled)
    if (inner.kind !== "choice" || inner.fields) return inner
    const fields = new Map<string, ConditionField>()
    for (const name of namesIn(inner.when)) {
      const field = of(name)
      if (field === undefined) lacks = true
      else if (field !== "own") fields.set(asked(name), field)
    }
    return {
      ...inner,
      when: withNames(inner.when, (name) => (fields.has(asked(name)) ? asked(name) : name)),
      fields,
    }
  }
  const found = settled(expression)
  return lacks ? undefined : found
}

/** Parts of an expression that follow a relation, each with the field of the related records that it reads. */
export type Followed = Extract<Expression, { readonly kind: "count" | "sum" | "related" }>

export const followedIn = (expression: Expression): readonly Followed[] =>
  expression.kind === "count" || expression.kind === "sum" || expression.kind === "related"
    ? [expression]
    : operandsOf(expression).flatMap(followedIn)

/** The expression with others in place of the parts that follow relations. */
export function replaceFollowed(expression: Expression, of: (followed: Followed) => Expression): Expression {
  return expression.kind === "count" || expression.kind === "sum" || expression.kind === "related"
    ? of(expression)
    : withOperands(expression, (one) => replaceFollowed(one, of))
}

/** The expression with others in the place of fields, also in its conditions; a field without one stays. */
export function replaceFields(
  expression: Expression,
  of: (field: string) => Expression | undefined,
): Expression {
  if (expression.kind === "field") return of(expression.field) ?? expression
  const replaced = withOperands(expression, (one) => replaceFields(one, of))
  if (replaced.kind !== "choice" || !replaced.fields) return replaced
  const fields = [...replaced.fields].map(([key, field]): [string, ConditionField] => {
    const { name, current = name, computed = { kind: "field", field: current } } = field
    return [key, { ...field, computed: replaceFields(computed, of) }]
  })
  return { ...replaced, fields: new Map(fields) }
}

/** How many parts an expression has, with the fields of its conditions. Those that stand in it twice count twice. */
export function partsOf(expression: Expression): number {
  const asked = expression.kind === "choice" ? [...(expression.fields?.values() ?? [])] : []
  const within = [...asked.flatMap(({ computed }) => computed ?? []), ...operandsOf(expression)]
  return within.reduce((parts, one) => parts + partsOf(one), 1)
}

/** Whether it is of the kind, or some of it. */
export const hasKind = (expression: Expression, kind: Expression["kind"]): boolean =>
  expression.kind === kind || operandsOf(expression).some((one) => hasKind(one, kind))

/** Whether user code gives some of it. */
export const hasCode = (expression: Expression): boolean => hasKind(expression, "code")

/** The expression with others in place of user code. */
export const replaceCode = (expression: Expression, of: (code: CodeExpression) => Expression): Expression =>
  expression.kind === "code" ? of(expression) : withOperands(expression, (one) => replaceCode(one, of))

/** The expression of others in the place of those that it is made of (`operandsOf`). */
function withOperands(expression: Expression, replaced: (operand: Expression) => Expression): Expression {
  switch (expression.kind) {
    case "arithmetic":
    case "concat":
    case "coalesce":
      return { ...expression, of: expression.of.map(replaced) }
    case "letters":
    case "text":
    case "part":
    case "mapped":
      return { ...expression, of: replaced(expression.of) }
    case "code":
      return { ...expression, takes: expression.takes.map((one) => ({ ...one, of: replaced(one.of) })) }
    case "choice":
      return {
        ...expression,
        give: replaced(expression.give),
        ...(expression.otherwise && { otherwise: replaced(expression.otherwise) }),
      }
    default:
      return expression
  }
}
