// Collations of unmanaged SQLite tables. Bifold compares values by their characters (sqlite-affinity.ts), except to join
// rows. SQLite compares a foreign key by the collation of the key that it names (https://www.sqlite.org/foreignkeys.html
// section 2).
import type { ColumnPair, Field, Relation, Resource } from "../../model/model.ts"
import type { StoredForm } from "../../model/scalars.ts"
import { allOf, type Fragment, name, sql } from "../fragment.ts"
import { type Compilation, resourceOf, tableOf } from "./compilation.ts"

const collations: Partial<Readonly<Record<StoredForm, Fragment>>> = {
  nocase: sql` COLLATE NOCASE`,
  rtrim: sql` COLLATE RTRIM`,
  // PostgreSQL's columns have theirs, or their type says it.
  folded: sql``,
}

/** The COLLATE clause for a comparison as the database itself makes it; nothing for most columns. */
export function collationOf({ key, fields }: Resource, column: string): Fragment {
  const part = key?.parts.find((one) => one.column === column)
  const field = (): Field | undefined =>
    [...fields.values()].find((one) => one.column === column && !one.computed)
  const { stored } = part ?? field() ?? {}
  return (stored && collations[stored]) ?? sql``
}

/** The COLLATE clause for a pair of columns that a relation joins: the collation of the referenced key. */
export function pairCollation(
  compilation: Pick<Compilation, "model">,
  resource: Resource,
  relation: Relation,
  pair: ColumnPair,
): Fragment {
  const target = resourceOf(compilation, relation.target)
  return isReferredTo(resource, relation, target)
    ? collationOf(resource, pair.from)
    : collationOf(target, pair.to)
}

/** Whether the foreign key is the other side's. */
const isReferredTo = (resource: Resource, relation: Relation, target: Resource): boolean =>
  relation.kind === "many" ||
  (relation.reference === undefined &&
    [...target.relations.values()].some(
      (back) =>
        back.kind === "one" &&
        back.reference !== undefined &&
        !back.first &&
        back.target === resource.name &&
        back.join.every((one) => relation.join.some(({ from, to }) => from === one.to && to === one.from)),
    ))

interface Part {
  /** The column of the target's table. */
  readonly column: string
  readonly stored: StoredForm
  /** The column that refers to it. */
  readonly value: Fragment
}

/** The parts of the key that a foreign key means, which may be spelt otherwise where it stands. */
export function meantBy({ all }: Compilation, called: string, parts: readonly Part[]): readonly Fragment[] {
  if (!parts.some(({ stored }) => collations[stored])) return parts.map(({ value }) => value)
  const target = resourceOf(all, called)
  return parts.map(({ column: wanted, stored, value: own }) => {
    if (!collations[stored]) return own
    const alias = all.alias()
    const tests = parts.map(
      ({ column, value }) => sql`${alias}.${name(column)} = ${value}${collationOf(target, column)}`,
    )
    return sql`coalesce((SELECT ${alias}.${name(wanted)} FROM ${tableOf(target)} AS ${alias} WHERE ${allOf(tests)}), ${own})`
  })
}
