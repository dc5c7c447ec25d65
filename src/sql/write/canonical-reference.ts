// Columns of unmanaged tables that may hold equal values in several forms (sqlite-affinity.ts). A written value takes
// the form in the record that it refers to, or in the record that has the same key. So the database sees the values as
// equal too.

import { present } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import type { KeyPart, Resource } from "../../model/model.ts"
import { type ColumnType, keyPartType } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, commas, type Fragment, name, sql } from "../fragment.ts"
import { type Compilation, resourceOf, tableOf } from "../read/compilation.ts"
import { watched } from "../read/row.ts"
import { columnsOf, keyOf, toOne } from "../read/subject.ts"

/** A value that is set. */
export interface SetValue {
  readonly type: ColumnType
  /** In the form that is stored. */
  readonly value: Fragment
  /** In the form that columns are compared with. */
  readonly operand: Fragment
  /** For a reference: the relation. */
  readonly relation?: string
}

/** Whether equal values may be stored in several forms. */
const hasForms = ({ writes }: Dialect, type: ColumnType): boolean =>
  writes.likely?.(sql`0`, sql`0`, type) !== undefined

/** A key's column in the one form that keys have in a plan. */
export const canonical = ({ dialect }: Compilation, column: Fragment, type: ColumnType): Fragment =>
  hasForms(dialect, type) ? dialect.comparable(column, type) : column

/**
 * The value of each column as it is to be stored.
 * @param given by column
 * @param named what names the record, where it may be there already: then every form is looked for, not only what an index finds
 */
export function asStored(
  compilation: Compilation,
  resource: Resource,
  given: ReadonlyMap<string, SetValue>,
  named: readonly Subject[] = [],
): (column: string) => Fragment {
  const { dialect } = compilation
  const own = (column: string): SetValue => present(given.get(column), `${column} is given`)
  if (![...given.values()].some(({ type }) => hasForms(dialect, type))) return (column) => own(column).value
  const uniques = [
    ...(resource.key ? [[{ kind: "id" } as const]] : []),
    ...resource.uniques.map(({ members }) => members),
  ].map((subjects) => subjects.flatMap((subject) => columnsOf(compilation, resource, subject).columns))
  const names = named.flatMap((subject) => columnsOf(compilation, resource, subject).columns)
  return (column) => {
    const { type, value, relation } = own(column)
    if (!hasForms(dialect, type)) return value
    const found = [...uniques, names].flatMap((columns): readonly Fragment[] => {
      const tests = columns.flatMap(({ column: at, type }) => {
        const one = given.get(at)
        return one ? [{ column: at, type, operand: one.operand }] : []
      })
      if (tests.length < columns.length || !columns.some((one) => one.column === column)) return []
      return [lookUp(compilation, resource, { column, tests, everywhere: columns === names })]
    })
    const targets = relation === undefined ? [] : inTarget(compilation, resource, { column, relation, given })
    return found.length + targets.length === 0
      ? value
      : sql`coalesce(${commas([...found, ...targets, value])})`
  }
}

function inTarget(
  compilation: Compilation,
  resource: Resource,
  {
    column,
    relation,
    given,
  }: { readonly column: string; readonly relation: string; readonly given: ReadonlyMap<string, SetValue> },
): readonly Fragment[] {
  const { target: called, join } = toOne(resource, relation)
  const own = (to: string): string => present(join.find((pair) => pair.to === to)?.from, `${to} is joined`)
  const target = resourceOf(compilation, called)
  const to = present(join.find(({ from }) => from === column)?.to, `${column} is joined`)
  return inKey(compilation, target, to, (part) => given.get(own(part))?.operand)
}

/** A part of the key of a record that is there. @param operand of a part, in the form that columns are compared with */
export function keyAsStored(
  compilation: Compilation,
  target: Resource,
  part: KeyPart,
  operand: (part: KeyPart, index: number) => Fragment,
): Fragment {
  const { parts } = keyOf(target)
  const own = operand(part, parts.indexOf(part))
  if (!hasForms(compilation.dialect, keyPartType(part))) return own
  const operands = new Map(parts.map((one, index) => [one.column, operand(one, index)]))
  const found = inKey(compilation, target, part.column, (column) => operands.get(column))
  return sql`coalesce(${commas([...found, own])})`
}

/** The index is asked first; a value in another form takes a scan of the table. */
function inKey(
  compilation: Compilation,
  target: Resource,
  column: string,
  operand: (column: string) => Fragment | undefined,
): readonly Fragment[] {
  const parts = columnsOf(compilation, target, { kind: "id" }).columns
  const tests = parts.flatMap((part) => {
    const value = operand(part.column)
    return value ? [{ ...part, operand: value }] : []
  })
  if (tests.length < parts.length) return []
  return [false, true].map((everywhere) => lookUp(compilation, target, { column, tests, everywhere }))
}

interface Sought {
  /** The columns that are taken from the record. */
  readonly column: string
  readonly tests: readonly {
    readonly column: string
    readonly type: ColumnType
    readonly operand: Fragment
  }[]
  /** Not only where an index leads. */
  readonly everywhere: boolean
}

function lookUp(
  compilation: Compilation,
  resource: Resource,
  { column, tests, everywhere }: Sought,
): Fragment {
  const { dialect } = compilation
  const alias = compilation.alias()
  const at = (wanted: string): Fragment => sql`${alias}.${name(wanted)}`
  const conditions = tests.flatMap(({ column: wanted, type, operand }) => {
    const likely = everywhere ? undefined : dialect.writes.likely?.(at(wanted), operand, type)
    return [
      sql`${operand} IS NOT NULL`,
      ...(likely ? [likely] : []),
      sql`${dialect.comparable(at(wanted), type)} = ${operand}`,
    ]
  })
  const tested = everywhere ? watched(compilation, conditions) : conditions
  return sql`(SELECT ${at(column)} FROM ${tableOf(resource)} AS ${alias} WHERE ${allOf(tested)})`
}
