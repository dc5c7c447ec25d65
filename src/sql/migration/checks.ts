// Compares the found checks of a column with the wanted ones, and the names of states.
import type { Dialect } from "../dialect.ts"
import type { RenamedValue, TableCheck, TableColumn, WantedColumn, WantedTable } from "../schema/tables.ts"
import { named } from "./match-tables.ts"
import * as questions from "./preconditions.ts"
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
  const same = wanted && found.find((check) => sameCheck(check, wanted))
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

const sameCheck = (found: FoundCheck, wanted: TableCheck): boolean =>
  JSON.stringify(found.of) === JSON.stringify(wanted.of)

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
