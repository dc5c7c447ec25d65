// One table as it was found against the one that is wanted: the steps between them.

import type { TableName } from "../../model/model.ts"
import { camelCase } from "../../model/names.ts"
import type { Dialect } from "../dialect.ts"
import {
  collationOf,
  isMadeAnew,
  isOtherCollation,
  isOtherScalar,
  lossless,
  withoutCollation,
} from "../schema/conversions.ts"
import type { TableColumn, TableForeignKey, TableIndex, WantedColumn, WantedTable } from "../schema/tables.ts"
import {
  addConverted,
  changeConverted,
  compareCheck,
  goOnFilling,
  noValue,
  otherSources,
  requireConverted,
  sourceColumns,
} from "./conversion.ts"
import * as questions from "./preconditions.ts"
import { displayName, isCalled, keptLinks, named, renamedColumns, type Taken, targetsOf } from "./renamed.ts"
import { formerBeginnings, keptOf } from "./renamed-log.ts"
import {
  type Change,
  type FoundIndex,
  type FoundTable,
  plain,
  type Renamed,
  type Step,
  stepName,
} from "./steps.ts"

export interface Comparison {
  readonly dialect: Dialect
  readonly table: WantedTable
  readonly source: FoundTable
  readonly renames: {
    readonly found: readonly FoundTable[]
    readonly taken: readonly Taken[]
  }
}

/** A comparison with its columns matched: the found column of each wanted one, and the columns left over. */
interface Met extends Comparison {
  readonly met: readonly { readonly column: WantedColumn; readonly was?: TableColumn }[]
  readonly left: readonly TableColumn[]
  /** A found column's name -> the name that it has now. */
  readonly now: (column: string) => string
  /** Columns whose values are not kept, so that nothing on them is. */
  readonly remade: ReadonlySet<string>
}

export function compareTable(comparison: Comparison): readonly Step[] {
  const met = meetColumns(comparison)
  const come = met.met.flatMap(({ column, was }) => (was ? [] : [column]))
  const { taken } = comparison.renames
  const renamed = renamedColumns({ ...comparison, taken }, met.left, come)
  const used = new Set(met.met.flatMap(({ column: { from } }) => (from ? sourceColumns(from) : [])))
  return [
    ...renameTable(met),
    ...renameIds(met),
    ...met.met.flatMap((each) => compareColumn(met, each)),
    ...compareKey(met),
    ...compareIndexes(met),
    ...compareForeignKeys(met),
    // A former name is not asked for where other fields are made of it.
    ...met.left.map((column) =>
      dropColumn(met, column, used.has(column.name) ? undefined : renamed.get(column)),
    ),
  ]
}

function meetColumns(comparison: Comparison): Met {
  const { table, source } = comparison
  const at = (name: string) => source.columns.find((column) => column.name === name)
  const met = table.columns.map((column) => {
    const was = [column.name, ...column.was].map(at).find((found) => found !== undefined)
    return was ? { column, was } : { column }
  })
  const names = new Map(met.flatMap(({ column, was }) => (was ? [[was.name, column.name] as const] : [])))
  return {
    ...comparison,
    met,
    left: source.columns.filter(({ name }) => !names.has(name)),
    now: (column) => names.get(column) ?? column,
    remade: new Set(
      met.flatMap(({ column, was }) =>
        was &&
        was.type !== column.type &&
        !(column.from && isMadeAnew(was.type, column.type)) &&
        lossless(was.type, column.type, column.name) === undefined
          ? [column.name]
          : [],
      ),
    ),
  }
}

function renameTable({ table, source, renames: { found } }: Met): readonly Step[] {
  if (isCalled(source, table.name)) return []
  const kept = keptOf(table.kept, found)
  return [
    {
      ...plain,
      name: stepName("rename", table),
      says: `rename the table ${displayName(source)} to ${named(table.name)}`,
      changes: [{ kind: "renameTable", from: source.name, to: table.name, ...(kept && { kept }) }],
    },
  ]
}

/** Its rows in Bifold's own tables go by ids. */
function renameIds({ table, renames: { found } }: Met): readonly Step[] {
  const kept = keptOf(table.kept, found)
  const from = kept ? formerBeginnings(kept.resource, found) : []
  if (!kept || from.length === 0) return []
  const [former, fresh] = [from.join("_, "), kept.resource.prefix]
  return [
    {
      ...plain,
      name: stepName("ids", table),
      says: `have the history of ${named(table.name)} follow its ids, which begin with ${fresh}_ now and began with ${former}_`,
      changes: [{ kind: "renameIds", table, kept, from }],
    },
  ]
}

// Columns

function compareColumn(
  met: Met,
  { column, was }: { readonly column: WantedColumn; readonly was?: TableColumn },
): readonly Step[] {
  const { table } = met
  if (!was) return [addColumn(met, column)]
  const steps: Step[] = []
  const { name, called } = column
  if (was.name !== name)
    steps.push({
      ...plain,
      name: stepName("rename", table, called),
      says: `rename the column ${was.name} of ${named(table.name)} to ${name}`,
      changes: [{ kind: "renameColumn", table, from: was.name, to: name }],
    })
  if (was.type !== column.type) steps.push(changeType(met, column, was))
  const isMade = column.from && was.type !== column.type && isMadeAnew(was.type, column.type)
  if (met.remade.has(name) || isMade) return steps
  if (column.counted && !was.counted)
    steps.push({
      ...plain,
      name: stepName("count", table, called),
      says: `have the database count ${name} of ${named(table.name)} for new records`,
      changes: [{ kind: "setCounted", table, column: name }],
    })
  if (was.nullable && !column.nullable)
    steps.push(requireConverted(met, column, was) ?? makeRequired(met, column, was))
  if (!was.nullable && column.nullable)
    steps.push({
      ...plain,
      name: stepName("optional", table, called),
      says: `make ${name} of ${named(table.name)} optional`,
      changes: [{ kind: "setOptional", table, column }],
    })
  const filling = goOnFilling(met, column, was)
  return [...steps, ...(filling ? [filling] : compareCheck(met, column, was))]
}

function makeRequired({ table, source }: Met, column: WantedColumn, was: TableColumn): Step {
  const says = `make ${column.name} of ${named(table.name)} required`
  return {
    ...plain,
    name: stepName("required", table, column.called),
    says: column.fill === undefined ? says : `${says}; records without a value get ${column.fill}`,
    questions: column.fill === undefined ? [questions.noneNull(source, was.name, { table, column })] : [],
    changes: [{ kind: "setRequired", table, column }],
  }
}

function addColumn(met: Met, column: WantedColumn): Step {
  const { table, source, dialect } = met
  const { name, called, nullable, fill, default: usual } = column
  const says = `add ${name} ${shown(column)} to ${named(table.name)}`
  if (column.from) return addConverted(met, column, says)
  const filled = fill ?? usual
  const checks = table.checks.filter((check) => check.column === name)
  return {
    ...plain,
    name: stepName("add", table, called),
    says: !nullable && filled !== undefined ? `${says}, ${filled} in every record` : says,
    questions: !nullable && filled === undefined ? [questions.noRecords(source, { table, column })] : [],
    changes: [
      { kind: "addColumn", table, column },
      ...(dialect.made.altersConstraints
        ? checks.map((add): Change => ({ kind: "setCheck", table, drop: [], add }))
        : []),
    ],
  }
}

const shown = ({ type, nullable }: TableColumn): string =>
  `${withoutCollation(type)
    .replace(/^\w+ \/\* (.*) \*\/$/, "$1")
    .toLowerCase()}${nullable ? "" : ", required"}`

function changeText(table: WantedTable, column: WantedColumn, was: TableColumn): string {
  const place = `${column.name} of ${named(table.name)}`
  if (!isOtherCollation(was.type, column.type))
    return `change ${place} from ${shown({ ...was, nullable: true })} to ${shown({ ...column, nullable: true })}`
  const [from, to] = [was, column].map(({ type }) => collationOf(type) ?? "the database's own")
  return `change the collation of ${place} from ${from} to ${to}`
}

/** Keeps every value, or makes the column anew without any. */
function changeType(met: Met, column: WantedColumn, was: TableColumn): Step {
  const { table, source, dialect } = met
  const { name, called } = column
  const convert = lossless(was.type, column.type, name)
  const step = {
    ...plain,
    name: stepName("change", table, called),
    says: changeText(table, column, was),
  }
  const inKey = table.key.includes(name) || table.foreignKeys.some(({ columns }) => columns.includes(name))
  if ((inKey || source.key.includes(was.name)) && !isOtherCollation(was.type, column.type))
    return {
      ...step,
      refused: {
        message: `The type of ${name} in ${named(table.name)} cannot be changed: records are found by it.`,
        hint: "Declare a new resource beside it, and move its records there.",
      },
      changes: [],
    }
  const freed = dialect.made.keepsNeeded ? [questions.nothingNeeds(source, was.name)] : []
  if (column.from && isMadeAnew(was.type, column.type)) {
    const made = changeConverted(met, column, was)
    // Digits are rounded away, and the expression may be left from a change of before.
    const loses = !isOtherScalar(was.type, column.type)
    if (typeof made !== "string") {
      const says = `${step.says}${made.says}${loses ? ", rounded to the digits that it has" : ""}`
      return { ...step, ...made, says, loses, questions: [...freed, ...made.questions] }
    }
    const refused = { message: `${noValue(met, column)}: ${made}`, hint: otherSources }
    return { ...step, refused, changes: [] }
  }
  if (convert !== undefined)
    return { ...step, questions: freed, changes: [{ kind: "changeType", table, column, convert }] }
  const checks = table.checks.filter((check) => check.column === name)
  const isEmpty = !column.nullable && column.fill === undefined
  return {
    ...step,
    says: `${step.says}; ${isEmpty ? "done without records alone" : "its values are lost"}`,
    ...(isEmpty ? {} : { loses: true, isMakable: true }),
    questions: [...freed, ...(isEmpty ? [questions.noRecords(source, { table, column }, step.name)] : [])],
    changes: [
      { kind: "remakeColumn", table, column },
      ...(dialect.made.altersConstraints
        ? checks.map((add): Change => ({ kind: "setCheck", table, drop: [], add }))
        : []),
    ],
  }
}

function dropColumn(
  { table, source, dialect, renames: { taken } }: Met,
  column: TableColumn,
  renamed: Renamed | undefined,
): Step {
  const kept = table.kept && keptLinks({ table, source, taken }, column.name)
  return {
    name: stepName("drop", table, camelCase(column.name)),
    says: `remove ${column.name} of ${named(table.name)} and all of its values`,
    loses: true,
    ...(renamed && { renamed }),
    ...(kept && { kept }),
    // A record could no longer be made: nothing gives the column its value.
    leftover: column.nullable || column.default !== undefined,
    holds: targetsOf(source.foreignKeys.filter(({ columns }) => columns.includes(column.name))),
    questions: dialect.made.keepsNeeded ? [questions.nothingNeeds(source, column.name)] : [],
    ...(source.key.includes(column.name)
      ? {
          refused: {
            message: `${column.name} of ${named(table.name)} is part of the key, which cannot be changed.`,
            hint: "Declare a new resource beside it, and move its records there.",
          },
        }
      : {}),
    changes: [{ kind: "dropColumn", table, column: column.name }],
  }
}

function compareKey({ table, source, now }: Met): readonly Step[] {
  const key = source.key.map(now)
  if (key.length === table.key.length && key.every((column, index) => column === table.key[index])) return []
  return [
    {
      ...plain,
      name: stepName("key", table),
      says: `change the key of ${named(table.name)} from ${key.join(", ") || "none"} to ${table.key.join(", ") || "none"}`,
      refused: {
        message: `The key of ${named(table.name)} cannot be changed: records are known by it.`,
        hint: "Declare a new resource beside it, and move its records there.",
      },
      changes: [],
    },
  ]
}

// Indexes

function compareIndexes(comparison: Met): readonly Step[] {
  const { table, source, now, left, remade } = comparison
  const gone = new Set(left.map(({ name }) => name))
  const found = source.indexes
    .filter(({ columns }) => !columns.some((column) => gone.has(column) || remade.has(now(column))))
    .map((index) => ({ ...index, columns: index.columns.map(now) }))
  const pairs = table.indexes.map((index) => ({
    index,
    was: found.find((other) => other.valid && sameIndex(other, index)),
  }))
  const kept = new Set(pairs.flatMap(({ was }) => (was ? [was] : [])))
  return [
    ...found
      .filter((index) => !kept.has(index) && isMade(index, comparison))
      .map((index) => removeIndex(table, index)),
    ...pairs.flatMap(({ index, was }) =>
      was ? keepIndex(table, index, was) : [addIndex(comparison, index)],
    ),
  ]
}

const sameIndex = (a: TableIndex, b: TableIndex): boolean =>
  a.unique === b.unique &&
  a.columns.length === b.columns.length &&
  a.columns.every((column, at) => column === b.columns[at])

/** By its name; an index of another owner is left alone, unless it forbids records. */
function isMade({ name, unique }: FoundIndex, { table, source }: Met): boolean {
  const ours = /_(key|index)$/.test(name)
  return (
    unique || (ours && [table.name.name, source.name.name].some((own) => name.startsWith(own.slice(0, 20))))
  )
}

const indexStep = (table: WantedTable, { unique, columns }: TableIndex): string =>
  stepName(unique ? "unique" : "index", table, columns.join("_"))

function removeIndex(table: WantedTable, index: FoundIndex): Step {
  return {
    ...plain,
    name: stepName("drop-index", table, index.name),
    says: `remove the ${index.valid ? "" : "unfinished "}index ${index.name} of ${named(table.name)}`,
    leftover: !index.unique || !index.valid,
    changes: [{ kind: "dropIndex", table, index }],
  }
}

function keepIndex(table: WantedTable, index: TableIndex, was: FoundIndex): readonly Step[] {
  if (was.name === index.name || was.constraint) return []
  return [
    {
      ...plain,
      name: `${indexStep(table, index)}.name`,
      says: `rename the index ${was.name} to ${index.name}`,
      leftover: true,
      changes: [{ kind: "renameMade", table, what: "index", from: was.name, to: index.name, index }],
    },
  ]
}

function addIndex(comparison: Met, index: TableIndex): Step {
  const { table, source, met, dialect, remade } = comparison
  const columns = index.columns.map((name) => met.find(({ column }) => column.name === name)?.was?.name)
  const old = columns.flatMap((name, at) =>
    name === undefined || remade.has(index.columns[at] ?? "") ? [] : [name],
  )
  const whole = old.length === columns.length
  return {
    ...plain,
    name: indexStep(table, index),
    says: `make the ${index.unique ? "unique " : ""}index ${index.name} on ${named(table.name)} (${index.columns.join(", ")})`,
    questions: [
      ...(index.unique && whole ? [questions.noneTwice(source, old)] : []),
      ...(dialect.made.boundsIndexRows ? questions.fitIndex(source, old) : []),
    ],
    changes: [{ kind: index.unique ? "createUnique" : "createIndex", table, index }],
  }
}

// Foreign keys

function compareForeignKeys(comparison: Met): readonly Step[] {
  const { table, source, now, left, remade } = comparison
  const gone = new Set(left.map(({ name }) => name))
  const found = source.foreignKeys
    .filter(({ columns }) => !columns.some((column) => gone.has(column) || remade.has(now(column))))
    .map((key) => ({ ...key, columns: key.columns.map(now) }))
  const pairs = table.foreignKeys.map((key) => ({
    key,
    was: found.find((other) => sameForeignKey(comparison, other, key)),
  }))
  const kept = new Set(pairs.flatMap(({ was }) => (was ? [was] : [])))
  return [
    ...found
      .filter((key) => !kept.has(key))
      .map(
        (key): Step => ({
          ...plain,
          name: stepName("unlink", table, key.columns.join("_")),
          says: `${key.columns.join(", ")} of ${named(table.name)} no longer leads to ${key.target.name}`,
          changes: [{ kind: "dropConstraint", table, name: key.name }],
        }),
      ),
    ...pairs.flatMap(({ key, was }) =>
      was ? keepForeignKey(comparison, key, was) : [addForeignKey(comparison, key)],
    ),
  ]
}

function sameForeignKey(
  { renames: { taken } }: Met,
  found: TableForeignKey,
  wanted: TableForeignKey,
): boolean {
  const target = taken.find(({ table }) => sameName(table.name, wanted.target))
  if (!target?.source || !isCalled(target.source, found.target)) return false
  const names = new Map(
    target.table.columns.map(({ name, was }) => {
      const old = [name, ...was].find((each) => target.source?.columns.some((column) => column.name === each))
      return [name, old] as const
    }),
  )
  const pairs = (key: TableForeignKey, rename: (name: string) => string | undefined): string =>
    JSON.stringify(
      key.columns.map((column, index) => [column, rename(key.targetColumns[index] ?? "")]).sort(),
    )
  return pairs(found, (name) => name) === pairs(wanted, (name) => names.get(name))
}

const sameName = (a: TableName, b: TableName): boolean => a.name === b.name && a.schema === b.schema

function keepForeignKey(
  { table, dialect }: Met,
  key: TableForeignKey,
  was: FoundTable["foreignKeys"][number],
): readonly Step[] {
  if (!dialect.made.altersConstraints) return []
  const changes: Change[] = []
  if (was.name !== key.name)
    changes.push({ kind: "renameMade", table, what: "constraint", from: was.name, to: key.name })
  if (!was.valid) changes.push({ kind: "validate", table, name: key.name })
  if (changes.length === 0) return []
  const says = was.valid
    ? `rename the foreign key ${was.name} to ${key.name}`
    : `finish the foreign key ${key.name}`
  return [
    { ...plain, name: stepName("link", table, key.columns.join("_")), says, leftover: was.valid, changes },
  ]
}

function addForeignKey(comparison: Met, key: TableForeignKey): Step {
  const { table, source, met, renames } = comparison
  const target = renames.taken.find((other) => sameName(other.table.name, key.target))
  const old = (columns: typeof met, name: string) =>
    columns.find(({ column }) => column.name === name)?.was?.name
  const here = key.columns.map((name) => old(met, name))
  const there = target?.source
    ? key.targetColumns.map((name) =>
        old(meetColumns({ ...comparison, table: target.table, source: target.source ?? source }).met, name),
      )
    : []
  const whole = [...here, ...there].every((name) => name !== undefined) && target?.source !== undefined
  return {
    ...plain,
    name: stepName("link", table, key.columns.join("_")),
    says: `${key.columns.join(", ")} of ${named(table.name)} leads to ${named(key.target)}`,
    questions:
      whole && target.source
        ? [
            questions.allLead(
              { table: source, columns: here as readonly string[] },
              { table: target.source, columns: there as readonly string[] },
            ),
          ]
        : [],
    changes: [{ kind: "addForeignKey", table, key }],
  }
}
