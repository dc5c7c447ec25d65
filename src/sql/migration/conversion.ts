// The value of a field for records from before it (`from`): its expression as SQL, of the columns that a table was found with.
import { invariant } from "../../base/invariant.ts"
import { collectProblems } from "../../base/problem.ts"
import type { FieldDeclaration } from "../../model/declaration/declaration.ts"
import { type Expression, hasKind, readExpression } from "../../model/expression.ts"
import type { Field, Model, Resource } from "../../model/model.ts"
import { snakeCase } from "../../model/names.ts"
import { type ScalarName, scalars } from "../../model/scalars.ts"
import { lookedAt } from "../../model/validation/computed-cycles.ts"
import { mayBeNull } from "../../model/validation/computed-types.ts"
import { readComputed } from "../../plan/read/computed.ts"
import type { Dialect } from "../dialect.ts"
import { type Fragment, name, render, sql } from "../fragment.ts"
import { boundlessValue, computedValue } from "../read/expression.ts"
import { startCompilation } from "../read/start-compilation.ts"
import { constant } from "../schema/backfill.ts"
import type { WantedColumn } from "../schema/tables.ts"

/** A column of the table as it is when the values are made. */
export interface Source {
  readonly name: string
  /** As `Dialect.made.shownType` says it. */
  readonly type: string
  readonly nullable: boolean
}

export interface Conversion {
  /** SQL of the value. @param called the name that the statement has for a column */
  text(called: (column: string) => string): string
  /** SQL that holds where a number has more digits than the field: the value is missing there. Undefined of what is no number. */
  beyond(called: (column: string) => string): string | undefined
  /** False where each record has a value. */
  readonly mayBeMissing: boolean
}

type Making = NonNullable<WantedColumn["from"]>

interface Converted extends Making {
  readonly dialect: Dialect
}

/** A message says why there is none. */
export function conversionOf(converted: Converted, columns: readonly Source[]): Conversion | string {
  const { model, dialect, resource, field } = converted
  const expression = expressionOf(field)
  const sources = new Map<string, Field>()
  for (const [called, wanted] of namedColumns(converted)) {
    const found = columns.find((column) => column.name === wanted)
    if (!found) return `The table has no column ${wanted}, of which it would be made.`
    sources.set(called, sourceField(called, found))
  }
  const made = { ...field, computed: expression }
  const fields = new Map([...sources, [`from ${field.name}`, made]])
  const of: Resource = { ...resource, fields, relations: new Map(), machines: new Map() }
  const whole: Model = { ...model, resources: new Map([[resource.name, of]]) }
  const typed = typing({ ...converted, model: whole }, sources, expression)
  if (typeof typed === "string") return typed
  const { all } = startCompilation(whole, dialect)
  const rowOf = (called: (column: string) => string) => {
    const stored = (column: string): Fragment => name(called(column))
    return {
      resource: of,
      column: stored,
      stored,
      seen: () => undefined,
      one: () => invariant(false, "an expression of one record joins nothing") as never,
    }
  }
  return {
    // The text of a number with more digits than 64 bits hold is missing.
    mayBeMissing: typed || hasKind(expression, "text"),
    text: (called) => inlined(dialect, computedValue(all, rowOf(called), made)),
    beyond(called) {
      const boundless = boundlessValue(all, rowOf(called), made)
      return (
        boundless &&
        inlined(dialect, sql`${boundless} IS NOT NULL AND ${computedValue(all, rowOf(called), made)} IS NULL`)
      )
    },
  }
}

function expressionOf({ from }: Field): Expression {
  const expression = from === undefined ? undefined : readExpression(from, () => {})
  invariant(expression, "a service whose expressions have mistakes is not opened")
  return expression
}

/** Names in the expression with their columns. */
function namedColumns({
  model,
  resource,
  field,
}: Making): readonly (readonly [name: string, column: string])[] {
  const service = { name: model.name, resources: {} }
  return lookedAt(service, resource.name, expressionOf(field)).map(({ field: called }) => [
    called,
    resource.fields.get(called)?.column ?? snakeCase(called),
  ])
}

/** The source columns of the value. */
export const sourceColumns = (making: Making): readonly string[] =>
  namedColumns(making).map(([, column]) => column)

/** Whether the value may be missing, or the first mistake. */
function typing(
  { field, model }: Converted,
  sources: ReadonlyMap<string, Field>,
  expression: Expression,
): boolean | string {
  const mistakes: string[] = []
  const declared = ({ scalar, list, optional, constraints: { precision, scale } }: Field) =>
    ({
      scalar,
      optional,
      ...(list && { list: true }),
      ...(precision !== undefined && { precision }),
      ...(scale !== undefined && { scale }),
    }) satisfies FieldDeclaration
  const fields = Object.fromEntries([...sources].map(([called, source]) => [called, declared(source)]))
  const service = { name: model.name, resources: {} }
  const report = (_: unknown, message: string, hint?: string): void =>
    void mistakes.push(hint === undefined ? message : `${message} ${hint}`)
  const values = field.enumeration === undefined ? undefined : model.enums.get(field.enumeration)?.values
  const isText = scalars[field.scalar].family === "text"
  const wanted: FieldDeclaration = {
    ...declared(field),
    ...(isText && { scalar: "text" }),
    ...(values && { of: values as [string, ...string[]] }),
  }
  const missing = mayBeNull(
    { service, resource: { fields }, name: field.name, report },
    wanted,
    expression,
    [],
  )
  if (mistakes[0] !== undefined) return mistakes[0]
  const problems = collectProblems()
  readComputed(model, problems)
  return problems.found[0]?.message ?? missing ?? true
}

function sourceField(called: string, { name: column, type, nullable }: Source): Field {
  const list = /list of|\[\]/.test(type)
  const text = (
    /\/\* (?:list of )?(.*) \*\//.exec(type)?.[1] ?? type.replace(/ COLLATE .*|\[\]/g, "")
  ).toLowerCase()
  const digits = /^(?:decimal|numeric)\((\d+),(\d+)\)$/.exec(text)
  return {
    name: called,
    column,
    scalar: digits
      ? "decimal"
      : (scalarNames[text] ?? (Object.hasOwn(scalars, text) ? (text as ScalarName) : "text")),
    list,
    optional: nullable,
    readonly: false,
    immutable: false,
    unique: false,
    generated: false,
    stored: "plain",
    constraints: digits ? { precision: Number(digits[1]), scale: Number(digits[2]) } : {},
  }
}

/** Names of PostgreSQL that are not those of scalars. */
const scalarNames: Readonly<Record<string, ScalarName>> = {
  bigint: "int64",
  "double precision": "float",
  "timestamp with time zone": "timestamp",
  "time without time zone": "time",
  jsonb: "json",
  bytea: "bytes",
}

/** Migrations send commands without parameters. */
function inlined(dialect: Dialect, fragment: Fragment): string {
  // Neither names nor literals have U+0000.
  const { text, binds } = render(fragment, (index) => `\0${index}\0`)
  return text
    .split("\0")
    .map((part, at) => (at % 2 === 0 ? part : constant(dialect, binds[Number(part)]?.encode(null) ?? null)))
    .join("")
}
