// Commands that look before something is written: which records a bulk write is about, and where a relation leads.
import { present } from "../base/invariant.ts"
import type { Model } from "../model/model.ts"
import type { Write } from "../plan/write-types.ts"
import type { ColumnType } from "./column-type.ts"
import { type Compilation, operand, type Row, resourceOf } from "./compilation.ts"
import { holds, isEqual } from "./condition.ts"
import type { Dialect } from "./dialect.ts"
import { allOf, commas, type Fragment, render, sql } from "./fragment.ts"
import { openTable, watched } from "./row.ts"
import { startCompilation } from "./start.ts"
import type { Statement } from "./statement.ts"
import { columnsOf, keyOf, toOne } from "./subject.ts"
import { type Query, targeted } from "./write-rows.ts"

type Kind<Name extends Write["kind"]> = Extract<Write, { readonly kind: Name }>

const counted: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/** One more than allowed, so that too many are seen; in one order, so that two that find the same do not wait for each other. */
export function findKeys(compilation: Compilation, { resource, where, most }: Kind<"find">): Query {
  const { row, from } = openTable(compilation, resourceOf(compilation, resource))
  const key = commas(keyOf(row.resource).parts.map(({ column }) => row.column(column)))
  const tests = watched(compilation, [holds(compilation, row, where)])
  const limit = operand(compilation, most, counted, (value) => Number(value) + 1)
  return {
    query: sql`SELECT ${key} FROM ${from()} WHERE ${allOf(tests)} ORDER BY ${key} LIMIT ${limit}${compilation.dialect.writes.forUpdate}`,
    most,
  }
}

export function locateKey(compilation: Compilation, { resource, target, relation }: Kind<"locate">): Query {
  const { row, from } = openTable(compilation, resourceOf(compilation, resource))
  const found = relation === undefined ? { kind: "id" as const } : ({ kind: "reference", relation } as const)
  const columns = columnsOf(compilation, row.resource, found).columns.map(({ column }) => row.column(column))
  const tests = allOf(targeted(compilation, row, { target }))
  return {
    query: sql`SELECT ${commas(columns)} FROM ${from()} WHERE ${tests}${compilation.dialect.writes.forUpdate}`,
    present: true,
  }
}

/** A row where the record of an upsert's unique key is there already. */
export function isThere(compilation: Compilation, { resource, unique, sets }: Kind<"upsert">): Query {
  const { row, from } = openTable(compilation, resourceOf(compilation, resource))
  const tests = unique.map((subject) => {
    const set = sets.find((one) => JSON.stringify(one.subject) === JSON.stringify(subject))
    return equals(compilation, row, present(set, "a unique key's members are set"))
  })
  return { query: sql`SELECT 1 FROM ${from()} WHERE ${allOf(tests)}` }
}

function equals(
  compilation: Compilation,
  row: Row,
  { subject, slot }: Kind<"upsert">["sets"][number],
): Fragment {
  return isEqual(compilation, row, columnsOf(compilation, row.resource, subject), { slot })
}

/** A row where the record that a write is about is there, whatever its version. */
export function stillThere(
  model: Model,
  dialect: Dialect,
  { resource, target }: Kind<"update" | "delete">,
): Statement {
  const compilation = startCompilation(model, dialect)
  const { row, from } = openTable(compilation, resourceOf(compilation, resource))
  return statementOf(
    dialect,
    sql`SELECT '1' FROM ${from()} WHERE ${allOf(targeted(compilation, row, { target }))}`,
  )
}

/** For each reference that a write sets: a row where its target is there, and the columns that name it. */
export function missingTargets(
  model: Model,
  dialect: Dialect,
  { resource: name, sets }: Kind<"insert" | "update" | "upsert">,
): readonly { readonly statement: Statement; readonly columns: readonly string[] }[] {
  const resource = resourceOf({ model }, name)
  return sets.flatMap(({ subject, slot }) => {
    if (subject.kind !== "reference") return []
    const compilation = startCompilation(model, dialect)
    const target = resourceOf(compilation, toOne(resource, subject.relation).target)
    const { row, from } = openTable(compilation, target)
    const named = isEqual(compilation, row, columnsOf(compilation, target, { kind: "id" }), { slot })
    return {
      statement: statementOf(dialect, sql`SELECT '1' FROM ${from()} WHERE ${named}`),
      columns: columnsOf(compilation, resource, subject).columns.map(({ column }) => column),
    }
  })
}

/** For each reference to a record that is deleted by its id: a row where there is one, and the table that it is in. */
export function referrers(
  model: Model,
  dialect: Dialect,
  { resource: deleted, target }: Kind<"delete">,
): readonly { readonly statement: Statement; readonly table: string }[] {
  const [only, ...more] = target.by
  if (only?.subject.kind !== "id" || more.length > 0 || target.several) return []
  const owned = new Set(
    [...resourceOf({ model }, deleted).relations.values()].flatMap((relation) =>
      relation.kind === "many" && relation.owned ? [relation.target] : [],
    ),
  )
  return [...model.resources.values()].flatMap((resource) =>
    [...resource.relations.values()].flatMap((relation) => {
      if (relation.kind !== "one" || relation.target !== deleted || relation.reference === undefined)
        return []
      // What goes along with it is there again, since nothing was done.
      if (owned.has(resource.name)) return []
      const compilation = startCompilation(model, dialect)
      const { row, from } = openTable(compilation, resource)
      const subject = { kind: "reference", relation: relation.name } as const
      const named = isEqual(compilation, row, columnsOf(compilation, resource, subject), { slot: only.slot })
      const statement = statementOf(dialect, sql`SELECT '1' FROM ${from()} WHERE ${named} LIMIT 1`)
      return [{ statement, table: resource.table.name }]
    }),
  )
}

const statementOf = (dialect: Dialect, query: Fragment): Statement => ({
  ...render(query, dialect.placeholder),
  columns: [0],
  cursors: [],
  flaws: false,
})
