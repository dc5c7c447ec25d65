// A plan becomes one statement: a column of JSON text for each of its roots, all in one snapshot.

import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Reads } from "../../base/request.ts"
import type { Model, Resource, TableName } from "../../model/model.ts"
import { boundParameters } from "../../plan/draft/limits.ts"
import { fieldNamed, newestOf, wholeOf } from "../../plan/lookup.ts"
import type { Equality, ReadPlan, RecordImage, RecordRoot, Root, Value } from "../../plan/read-plan.ts"
import type { ColumnType } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, bound, commas, type Fragment, name, quotedName, render, sql } from "../fragment.ts"
import { concatenated, objectText, type TextPiece } from "../json-text.ts"
import { logTable } from "../schema/system-tables.ts"
import type { Parameter, Statement } from "../statement.ts"
import { type Compilation, type Row, resourceOf, tableOf } from "./compilation.ts"
import { holds, isEqual, partOf } from "./condition.ts"
import { listText } from "./list.ts"
import { memberText, recordText, rowTextOf } from "./members.ts"
import { columnNames, openNamed, openTable, type Source, versionText } from "./row.ts"
import { startCompilation } from "./start-compilation.ts"
import { columnsOf } from "./subject.ts"

/** Depends on the plan's model and shape only, never on its values. The text is empty when all roots are constant. */
export function compile(plan: ReadPlan, dialect: Dialect): Statement {
  const compilation = startCompilation(plan.model, dialect)
  const columns: (number | undefined)[] = []
  const selected: Fragment[] = []
  for (const root of plan.roots) {
    const text = rootText(compilation, root)
    columns.push(text && selected.push(sql`${text} AS ${name(`r${selected.length}`)}`) - 1)
  }
  const query = selected.length === 0 ? sql`` : sql`SELECT ${commas(selected)}`
  const { text, binds } = render(query, dialect.placeholder)
  boundParameters(binds.length)
  const readsLog = text.includes(`"${logTable.name}"`) && { readsLog: true as const }
  return { text, binds, columns, cursors: compilation.cursors, flaws: compilation.flaws, ...readsLog }
}

export function rootText(compilation: Compilation, root: Root): Fragment | undefined {
  return match(root, {
    constant: () => undefined,
    record: (record) => rootRecord(compilation, record),
    records: ({ of }) => rootRecords(compilation, of),
    object: ({ of }) => rootObject(compilation, of),
    list: ({ resource: listed, list }) => {
      const resource = resourceOf(compilation, listed)
      const pieces = listText(compilation, {
        list,
        resource,
        rowText: rowTextOf(compilation, list.page.atMost),
      })
      return concatenated(compilation.dialect, pieces)
    },
  })
}

function rootRecord(compilation: Compilation, root: RecordRoot): Fragment {
  const resource = resourceOf(compilation, root.resource)
  const source = root.image ? openImage(compilation, resource, root.image) : openNamed(compilation, resource)
  const { row } = source
  const text = rootRecordText(compilation, row, root)
  const imagined = root.image?.where ? [holds(compilation, row, root.image.where)] : []
  const tests = root.by.map((one) => isNamed(compilation, row, one))
  return sql`(SELECT ${text} FROM ${source.from()} WHERE ${allOf([...tests, ...imagined, ...source.rules])} LIMIT 1)`
}

/** By a field of the newest version, where the caller sees it. */
function isNamed(compilation: Compilation, row: Row, { subject, slot, former }: Equality): Fragment {
  if (!former) return isEqual(compilation, row, columnsOf(compilation, row.resource, subject), { slot })
  const newest = { ...compilation, model: newestOf(compilation.model) }
  const resource = resourceOf(newest, row.resource.name)
  const seen = subject.kind === "field" ? fieldNamed(resource, subject.field).seen : undefined
  const stored = { ...row, column: row.stored }
  const test = isEqual(newest, stored, columnsOf(newest, resource, subject), { slot })
  return seen ? allOf([compilation.holds(row, seen), test]) : test
}

/** After the version and a space, where that is wanted. */
export function rootRecordText(
  compilation: Compilation,
  row: Row,
  { members, bare, required, versioned }: RecordRoot,
): Fragment {
  const { dialect } = compilation
  const version = versioned ? [versionText(compilation, row), " "] : []
  const [only] = members
  if (!bare || !only) return concatenated(dialect, [...version, ...recordText(compilation, { row }, members)])
  // A single value need not be text; an object is.
  const text = sql`concat(${concatenated(dialect, [...version, ...memberText(compilation, { row }, only)])})`
  return required ? sql`nullif(${text}, 'null')` : text
}

type Several = Extract<Root, { readonly kind: "records" | "object" }>["of"]

const pieceOf = (compilation: Compilation, root: Several[number]): TextPiece =>
  root.kind === "constant" ? root.json : sql`coalesce(${rootRecord(compilation, root)}, 'null')`

function rootObject(compilation: Compilation, of: Several): Fragment {
  const members = of.map((root) => ({ key: root.key, text: [pieceOf(compilation, root)] }))
  return concatenated(compilation.dialect, objectText(members))
}

function rootRecords(compilation: Compilation, of: Several): Fragment {
  const texts = of.map((root) => pieceOf(compilation, root))
  return concatenated(compilation.dialect, [
    "[",
    ...texts.flatMap((text, index) => (index === 0 ? [text] : [",", text])),
    "]",
  ])
}

// A record as it was, from bound values: what a table's row would have been, under the same rules.

/** A column of the row, and its value in the array that the slot holds. */
interface ImageColumn {
  readonly type: ColumnType
  readonly pick: (values: Value) => Value
}

function openImage(compilation: Compilation, resource: Resource, image: RecordImage): Source {
  const source = openTable(compilation, resource, imageTable(compilation, resource, image))
  return { ...source, row: { ...source.row, image: true } }
}

function imageTable(compilation: Compilation, { name: called }: Resource, image: RecordImage): Fragment {
  const { dialect, all } = compilation
  const { slot } = image
  const resource = present(all.model.resources.get(called), `there is a resource ${called}`)
  const columns = imageColumns(compilation, resource, image)
  const encode = ({ type, pick }: ImageColumn, values: Value): Parameter =>
    dialect.writes.store(pick(values), type)
  if (dialect.habits.fillsRows) {
    const json = (values: Value): string =>
      JSON.stringify(Object.fromEntries([...columns].map(([column, of]) => [column, encode(of, values)])))
    return sql`json_populate_record(NULL::${tableOf(resource)}, ${bound({ slot, encode: json })}::json)`
  }
  const cells = [...columnNames(resource)].map((column) => {
    const of = columns.get(column)
    const value = of ? bound({ slot, encode: (values) => encode(of, values) }) : sql`NULL`
    return sql`${value} AS ${name(column)}`
  })
  return sql`(SELECT ${commas(cells)})`
}

function imageColumns(
  { all }: Compilation,
  resource: Resource,
  { subjects }: RecordImage,
): ReadonlyMap<string, ImageColumn> {
  const columns = new Map<string, ImageColumn>()
  for (const [place, subject] of subjects.entries()) {
    const { columns: own, isKey } = columnsOf(all, resource, subject)
    for (const [part, { column, type }] of own.entries())
      columns.set(column, {
        type,
        pick: (values) => {
          const value = (values as readonly Value[])[place] ?? null
          return isKey ? partOf(value, part) : value
        },
      })
  }
  return columns
}

// The resources that a statement reads: those that are asked for, and those that rules, conditions and computed fields look at.

/**
 * By the tables that the statement names, so that nothing can be left out; a column of the same name is one resource too many.
 * Undefined where it reads what the log does not tell of: a resource that is not logged, or links between records.
 */
export function resourcesRead({ text }: Pick<Statement, "text">, model: Model): Reads {
  // Each table in a FROM clause has an alias; members of JSON, whose names are quoted too, have none.
  const isNamed = ({ name }: TableName): boolean => text.includes(`${quotedName(name)} AS `)
  const found = [...wholeOf(model).resources.values()].filter(({ table }) => isNamed(table))
  const isToldOf = found.every(
    ({ logged, relations }) =>
      logged &&
      [...relations.values()].every(
        (relation) => relation.kind === "one" || !relation.through || !isNamed(relation.through.table),
      ),
  )
  return isToldOf ? new Set(found.map(({ name }) => name)) : undefined
}
