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
import { type Fragment, name, quoted, render, sql } from "../fragment.ts"
import { boundlessValue, computedValue } from "../read/expression.ts"
import { startCompilation } from "../read/start-compilation.ts"
import {
  constant,
  type RenamedValue,
  type TableCheck,
  type TableColumn,
  type WantedColumn,
  type WantedTable,
} from "../schema/tables.ts"
import * as questions from "./preconditions.ts"
import { noneBeyond, noneComesTo } from "./preconditions.ts"
import { named, textOf } from "./renamed.ts"
import { keptOf } from "./renamed-log.ts"
import {
  type Change,
  type FoundCheck,
  type FoundTable,
  plain,
  type Question,
  type Step,
  stepName,
} from "./steps.ts"

/** A column of the table as it is when the values are made. */
interface Source {
  readonly name: string
  /** As `Dialect.made.shownType` says it. */
  readonly type: string
  readonly nullable: boolean
}

interface Conversion {
  /** SQL of the value. @param called the name that the statement has for a column */
  text(called: (column: string) => string): string
  /**
   * SQL that holds where a number has more digits than the field: the value is missing there. Undefined if the value is no
   * number.
   */
  beyond(called: (column: string) => string): string | undefined
  /** False where each record has a value. */
  readonly mayBeMissing: boolean
}

type Making = NonNullable<WantedColumn["from"]>

interface Converted extends Making {
  readonly dialect: Dialect
}

/** The conversion, or a message that says why none is possible. */
function conversionOf(converted: Converted, columns: readonly Source[]): Conversion | string {
  const { model, dialect, resource, field } = converted
  const expression = expressionOf(field)
  const sources = new Map<string, Field>()
  for (const [called, wanted] of namedColumns(converted)) {
    const found = columns.find((column) => column.name === wanted)
    if (!found) return `The table has no column ${wanted}, which the new value needs.`
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

/** PostgreSQL's names of types, where scalars have others. */
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

// Columns whose values, for records from before them, are made of others (`from`): as steps.
interface Converting {
  readonly dialect: Dialect
  readonly table: WantedTable
  readonly source: FoundTable
  readonly met: readonly { readonly column: WantedColumn; readonly was?: TableColumn }[]
  readonly left: readonly TableColumn[]
}

interface ConvertedColumn {
  /** The value is its `fill`. */
  readonly column: WantedColumn
  readonly questions: readonly Question[]
}

/** A message says why the table gives no values. @param where which records get one: of a column that is there */
function convert(
  { dialect, table, source, met, left }: Converting,
  column: WantedColumn,
  where?: string,
): ConvertedColumn | string | undefined {
  const there = [
    ...met.flatMap(({ column: { name }, was }) => (was ? [{ ...was, name, found: was.name }] : [])),
    ...left.map((one) => ({ ...one, found: one.name })),
  ]
  const made = column.from && conversionOf({ ...column.from, dialect }, there)
  if (made === undefined || typeof made === "string") return made
  const names = new Map(there.map(({ name, found }) => [name, found]))
  const found = (name: string): string => names.get(name) ?? name
  const value = made.text(found)
  const beyond = made.beyond(found)
  const only = where === undefined ? "" : `${where} AND `
  const ask = (test: string, values?: readonly string[]): Question =>
    noneComesTo(source, column.name, { test: `${only}(${value}) ${test}`, ...(values && { values }) })
  const check = table.checks.find((one) => one.column === column.name)
  const texts = Array.isArray(check?.of) ? (check.of as readonly string[]) : undefined
  const text = made.text((name) => name)
  const fill = column.fill === undefined ? text : `coalesce(${text}, ${column.fill})`
  return {
    column: { ...column, fill },
    questions: [
      ...(beyond === undefined ? [] : [noneBeyond(source, column.name, `${only}${beyond}`)]),
      ...(!column.nullable && column.fill === undefined && made.mayBeMissing ? [ask("IS NULL")] : []),
      ...(texts ? [ask(`NOT IN (${texts.map(textOf).join(", ")})`, texts)] : []),
    ],
  }
}

export const noValue = ({ table }: Pick<Converting, "table">, { name }: WantedColumn): string =>
  `No value of ${name} in ${named(table.name)} can be made`
export const otherSources = "Make it of columns that the table has, or take `from` out."

/** A new column. @param says the addition in words */
export function addConverted(of: Converting, column: WantedColumn, says: string): Step {
  const { table } = of
  const name = stepName("add", table, column.called)
  const step = { ...plain, name, says: `${says}; records get ${declared(column)}` }
  const made = convert(of, column)
  if (made === undefined || typeof made === "string")
    return {
      ...step,
      refused: {
        message: `${noValue(of, column)}: ${made}`,
        hint: otherSources,
      },
      changes: [],
    }
  const checks = table.checks.filter((check) => check.column === column.name)
  const fill: Change[] = column.nullable
    ? [
        { kind: "addColumn", table, column, filling: true },
        { kind: "fillColumn", table, column: made.column },
      ]
    : [
        { kind: "addColumn", table, column: { ...column, nullable: true } },
        { kind: "fillColumn", table, column: made.column },
        { kind: "setRequired", table, column: made.column },
      ]
  return {
    ...step,
    questions: made.questions,
    changes: [...fill, ...checks.map((add): Change => ({ kind: "setCheck", table, drop: [], add }))],
  }
}

/** Another scalar; a message where `from` makes none of its values. */
export function changeConverted(
  of: Converting,
  column: WantedColumn,
  was: TableColumn,
): Pick<Step, "says" | "questions" | "changes"> | string {
  const { table, source } = of
  const made = convert(of, column)
  if (made === undefined || typeof made === "string") return made ?? ""
  const convertText = made.column.fill ?? "NULL"
  return {
    says: `; records get ${declared(column)}`,
    questions: made.questions,
    changes: [
      ...source.checks
        .filter((check) => check.column === was.name)
        .map(({ name }): Change => ({ kind: "dropConstraint", table, name })),
      { kind: "changeType", table, column, convert: convertText },
      ...table.checks
        .filter((check) => check.column === column.name)
        .map((add): Change => ({ kind: "setCheck", table, drop: [], add })),
    ],
  }
}

/** Made required; undefined where `from` makes none of its values. */
export function requireConverted(of: Converting, column: WantedColumn, was: TableColumn): Step | undefined {
  const { table } = of
  const made = was.type === column.type ? convert(of, column, `${quoted(was.name)} IS NULL`) : undefined
  if (made === undefined || typeof made === "string") return undefined
  return {
    ...plain,
    name: stepName("required", table, column.called),
    says: `make ${column.name} of ${named(table.name)} required; records without a value get ${declared(column)}`,
    questions: made.questions,
    changes: [
      { kind: "fillColumn", table, column: made.column },
      { kind: "setRequired", table, column: made.column },
    ],
  }
}

/** A former run was cut short while it filled the column in. */
export function goOnFilling(of: Converting, column: WantedColumn, was: TableColumn): Step | undefined {
  const { table, source } = of
  const isCut = source.checks.some((check) => check.column === was.name && check.of === "filled")
  const made = isCut && column.nullable ? convert(of, column) : undefined
  if (made === undefined || typeof made === "string") return undefined
  return {
    ...plain,
    name: stepName("fill", table, column.called),
    says: `finish filling in ${column.name} of ${named(table.name)}; records without a value get ${declared(column)}`,
    questions: made.questions,
    changes: [{ kind: "fillColumn", table, column: made.column }],
  }
}

const declared = ({ from }: WantedColumn): string => JSON.stringify(from?.field.from)

// Compares the found checks of a column with the wanted ones, and the names of states.
interface Compared {
  readonly dialect: Dialect
  readonly table: WantedTable
  readonly source: FoundTable
  readonly renames: { readonly found: readonly FoundTable[] }
}

/** Also where the name of a check is an old one, and where one was left unfinished. */
export function compareCheck(met: Compared, column: WantedColumn, was: TableColumn): readonly Step[] {
  const { table, source, dialect } = met
  const wanted = table.checks.find((check) => check.column === column.name)
  const found = source.checks.filter((check) => check.column === was.name)
  const same = wanted && found.find((check) => JSON.stringify(check.of) === JSON.stringify(wanted.of))
  const others = found.filter((check) => check !== same)
  if (same && others.length === 0)
    return dialect.made.altersConstraints ? keepCheck(table, column, same, wanted) : []
  if (!wanted && others.length === 0) return []
  const texts = wanted && Array.isArray(wanted.of) ? wanted.of : undefined
  const renamed = renameValues(met, column, { found, wanted })
  const meanwhile = renamed?.meanwhile
  const drop = meanwhile ? [meanwhile.name] : found.map(({ name }) => name)
  const step: Step = {
    ...plain,
    name: stepName("values", table, column.called),
    says: texts
      ? `allow ${texts.join(", ")} in ${column.name} of ${named(table.name)}`
      : `check ${column.name} of ${named(table.name)} as it is declared now`,
    questions: texts ? [onlyWanted(met, column, was, texts)] : [],
    changes: [{ kind: "setCheck", table, drop, ...(wanted ? { add: wanted } : {}) }],
  }
  if (!renamed) return [step]
  const renaming = renameText(table, column, renamed)
  return column.renames?.of === "state"
    ? [{ ...plain, name: stepName("states", table, column.called), says: renaming, changes: [renamed] }, step]
    : [{ ...step, says: `${renaming}, and ${step.says}`, changes: [renamed, ...step.changes] }]
}

function onlyWanted(
  { source }: Compared,
  { renames }: WantedColumn,
  was: TableColumn,
  texts: readonly string[],
): Question {
  const all = [...texts, ...(renames?.values.map(({ from }) => from) ?? [])]
  return renames?.of === "state"
    ? questions.onlyInThese(source, was.name, all)
    : questions.onlyThese(source, was.name, all)
}

type RenameValues = Extract<Change, { readonly kind: "renameValues" }>

/** Both the old names and the new ones are allowed while records are renamed: the service goes on meanwhile. */
function renameValues(
  { table, dialect, renames: { found: tables } }: Compared,
  { name, renames: declared }: WantedColumn,
  { found, wanted }: { readonly found: readonly FoundCheck[]; readonly wanted: TableCheck | undefined },
): RenameValues | undefined {
  const texts = found.flatMap(({ of }) => (typeof of === "string" ? [] : of))
  const all = declared?.values ?? []
  const renames = texts.length === 0 ? all : all.filter(({ from }) => texts.includes(from))
  if (renames.length === 0) return undefined
  const kept = declared?.of === "state" ? keptOf(table.kept, tables) : undefined
  const change: RenameValues = {
    kind: "renameValues",
    table,
    column: name,
    renames,
    ...(kept && { kept }),
    drop: [],
  }
  if (!dialect.made.altersConstraints || texts.length === 0 || !wanted || typeof wanted.of === "string")
    return change
  const of = [...new Set([...wanted.of, ...texts])]
  return { ...change, drop: found.map((check) => check.name), meanwhile: { ...wanted, of } }
}

function renameText(
  table: WantedTable,
  { name, renames: declared }: WantedColumn,
  { renames }: RenameValues,
) {
  const place = named(table.name)
  const text = ({ from, to }: RenamedValue): string =>
    declared?.of === "state"
      ? `the state ${from} of ${place} to ${to}`
      : `the value ${from} of ${name} in ${place} to ${to}`
  return `rename ${renames.map(text).join(", ")}`
}

function keepCheck(
  table: WantedTable,
  { name, called, renames }: WantedColumn,
  found: FoundCheck,
  wanted: TableCheck,
): readonly Step[] {
  const changes: Change[] = []
  // A record that was still written under the old name while the others were renamed.
  if (!found.valid && renames && renames.values.length > 0)
    changes.push({ kind: "renameValues", table, column: name, renames: renames.values, drop: [] })
  if (found.name !== wanted.name)
    changes.push({ kind: "renameMade", table, what: "constraint", from: found.name, to: wanted.name })
  if (!found.valid) changes.push({ kind: "validate", table, name: wanted.name })
  return changes.length === 0
    ? []
    : [{ ...plain, name: stepName("check", table, called), says: `finish the check ${wanted.name}`, changes }]
}
