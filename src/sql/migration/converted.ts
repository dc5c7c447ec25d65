// Columns whose values, for records from before them, are made of others (`from`): as steps.
import type { Dialect } from "../dialect.ts"
import { quoted } from "../fragment.ts"
import type { TableColumn, WantedColumn, WantedTable } from "../schema/tables.ts"
import { conversionOf } from "./conversion.ts"
import { named } from "./match-tables.ts"
import { noneBeyond, noneComesTo } from "./preconditions.ts"
import { type Change, type FoundTable, plain, type Question, type Step, stepName } from "./steps.ts"
import { textOf } from "./values.ts"

interface Converting {
  readonly dialect: Dialect
  readonly table: WantedTable
  readonly source: FoundTable
  readonly met: readonly { readonly column: WantedColumn; readonly was?: TableColumn }[]
  readonly left: readonly TableColumn[]
}

interface Converted {
  /** The value is its `fill`. */
  readonly column: WantedColumn
  readonly questions: readonly Question[]
}

/** A message says why the table gives no values. @param where which records get one: of a column that is there */
function convert(
  { dialect, table, source, met, left }: Converting,
  column: WantedColumn,
  where?: string,
): Converted | string | undefined {
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
