// The row as a write would leave it, from an existing row or from none, before it is written. The members that the
// write sets are bound values, and all others are as stored. A condition reads the records that the row leads to as
// they are before the write.
import type { Model, Relation, Resource } from "../../model/model.ts"
import type { Filter, Value } from "../../plan/read-plan.ts"
import type { Kind, MadeWith, Setting, Target } from "../../plan/write-plan.ts"
import { encodeKnown } from "../deferred-parameter.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, commas, type Fragment, join, render, sql } from "../fragment.ts"
import { bindSlot, type Compilation, type Row, resourceOf } from "../read/compilation.ts"
import { holds, isEqual, partOf, textOrNone } from "../read/condition.ts"
import { allRows, columnNames, openNamed, openTable, type Source } from "../read/row.ts"
import { startCompilation } from "../read/start-compilation.ts"
import { columnsOf, toOne } from "../read/subject.ts"
import type { Parameter, Statement } from "../statement.ts"
import { assigned, assignedTo, namesRecord, type Query, targeted, updateTests } from "./write-rows.ts"

export interface WouldBe {
  readonly resource: string
  readonly sets: readonly Setting[]
  /** The condition that finds the rows that it is made of; absent where it would be new. */
  readonly of?: Target | { readonly where: Filter }
  /** The write whose unique key finds the row that it is made of, if there is one. */
  readonly upsert?: Kind<"upsert">
  /** New records that its references lead to. */
  readonly made?: readonly { readonly relation: string; readonly would: WouldBe }[]
  /** `Row.below` of a new record; `back` is the relation that leads to it. */
  below?(relation: Relation): readonly { readonly back?: string; readonly would: WouldBe }[] | undefined
}

const noneBelow: NonNullable<WouldBe["below"]> = ({ kind }) => (kind === "many" ? [] : undefined)

/** Opens the rows as a table, joined to those that would be made with them. @param above opened rows that it leads to */
function openWouldBe(
  compilation: Compilation,
  would: WouldBe,
  above: readonly (readonly [string, Row])[] = [],
): Pick<Source, "row"> & { from: () => Fragment } {
  const { all } = compilation
  const parents = new Map(
    (would.made ?? []).map((one) => [one.relation, openWouldBe(compilation, one.would)]),
  )
  const made = new Map([...above, ...[...parents].map(([relation, { row }]) => [relation, row] as const)])
  const isFresh = !would.of && !would.upsert
  const { below: known = noneBelow } = would
  const below: Row["below"] = (relation) =>
    known(relation)?.map(({ back, would: other }) =>
      openWouldBe(compilation, other, back === undefined ? [] : [[back, opened]]),
    )
  const own = { made, ...(isFresh && { below }) }
  const judging: Compilation = { ...all, computed: (row, field) => all.computed({ ...row, ...own }, field) }
  const resource = resourceOf(all, would.resource)
  const { row, from } = openTable(judging, resource, sql`(${wouldBeRows(compilation, resource, would)})`)
  const opened: Row = { ...row, ...own, asked: "alone" }
  return {
    row: opened,
    from: () => join([from(), ...[...parents.values()].map((parent) => parent.from())], sql`, `),
  }
}

function wouldBeRows(compilation: Compilation, resource: Resource, would: WouldBe): Fragment {
  const { all } = compilation
  const columns = [...columnNames(resource)]
  const made = (sets: readonly Setting[]) => {
    const isMade = new Set(
      (would.made ?? []).flatMap(({ relation }) => toOne(resource, relation).join.map(({ from }) => from)),
    )
    const known = sets.filter(
      ({ subject }) =>
        !would.made?.some(({ relation }) => subject.kind === "reference" && subject.relation === relation),
    )
    return (row?: Row): Fragment => {
      const set = row ? assignedTo(all, row, known) : assigned(all, resource, known)
      const values = new Map(set.map(({ column, value }) => [column, value]))
      const other = (column: string) => row?.stored(column) ?? sql`NULL`
      return commas(
        columns.map((column) => (isMade.has(column) ? sql`NULL` : (values.get(column) ?? other(column)))),
      )
    }
  }
  const none = openTable(all, resource)
  // The table says what type each column has, a value that is bound does not.
  const typed = sql`SELECT ${commas(columns.map((column) => none.row.stored(column)))} FROM ${none.from()} WHERE FALSE`
  const fresh = sql`SELECT ${made(would.sets)()}`
  const { of, upsert } = would
  if (of) return sql`${typed} UNION ALL ${foundRows(compilation, resource, of, made(would.sets))}`
  if (!upsert) return sql`${typed} UNION ALL ${fresh}`
  const there = openTable(all, resource)
  const names = allOf(namesRecord(all, there.row, upsert))
  const changed = made(upsert.changes)(there.row)
  return sql`${typed} UNION ALL SELECT ${changed} FROM ${there.from()} WHERE ${names} UNION ALL ${fresh} WHERE NOT EXISTS (SELECT 1 FROM ${there.from()} WHERE ${names})`
}

function foundRows(
  compilation: Compilation,
  resource: Resource,
  of: NonNullable<WouldBe["of"]>,
  made: (row: Row) => Fragment,
): Fragment {
  // A condition finds only records that the caller sees.
  const sight = "where" in of ? compilation : compilation.all
  const { row, rules, from } = openTable(sight, resourceOf(sight, resource.name))
  const tests = "where" in of ? [...rules, holds(sight, row, of.where)] : targeted(sight, row, { target: of })
  return sql`SELECT ${made(row)} FROM ${from()} WHERE ${allOf(tests)}`
}

/** A row where such a record would not meet the condition. @param added new records that count as if their tables had them */
export function wouldNotMeet(
  model: Model,
  dialect: Dialect,
  { would, added = [] }: { readonly would: WouldBe; readonly added?: readonly WouldBe[] },
  that: Filter,
): Statement {
  const compilation = startCompilation(model, dialect)
  const { row, from } = openWouldBe(compilation, would)
  addRows(compilation.all, added)
  const query = sql`SELECT '1' FROM ${from()} WHERE (${holds(compilation.all, row, that)}) IS NOT TRUE LIMIT 1`
  return { ...render(query, dialect.placeholder), columns: [0], cursors: [], flaws: false }
}

/** Whether a record that an insert makes alone would meet the condition. */
export function wouldMeet(
  compilation: Compilation,
  { resource, sets }: Kind<"insert">,
  that: Filter,
): Fragment {
  const { row, from } = openWouldBe(compilation, { resource, sets })
  return sql`EXISTS (SELECT 1 FROM ${from()} WHERE ${holds(compilation.all, row, that)})`
}

function addRows(all: Compilation, added: readonly WouldBe[]): void {
  const rows = added.map((one) => [one.resource, openWouldBe(all, one)] as const)
  for (const [called, others] of Map.groupBy(rows, ([resource]) => resource)) {
    const { row, from } = openTable(all, resourceOf(all, called))
    const sources = [{ row, from }, ...others.map(([, source]) => source)]
    all.tables.set(called, sql`(${allRows(row.resource, sources)})`)
  }
}

const wouldBeMade = (made: readonly MadeWith[]): NonNullable<WouldBe["made"]> =>
  made.map(({ relation, insert: { resource, sets }, made: others }) => ({
    relation,
    would: { resource, sets, made: wouldBeMade(others) },
  }))

/** A row with a value for each condition that the record would meet, or each of several. */
export function judged(compilation: Compilation, { of, asks, made }: Kind<"judge">): Query {
  const { all } = compilation
  const several = of.kind === "update" && of.target.several
  const would: WouldBe = {
    resource: of.resource,
    sets: of.sets,
    made: wouldBeMade(made),
    ...(of.kind === "update" && { of: of.target }),
    ...(of.kind === "upsert" && { upsert: of }),
  }
  const verdict = (test: Fragment): Fragment => sql`CASE WHEN ${test} THEN 'y' END`
  if (!several) {
    const { row, from } = openWouldBe(compilation, would)
    const verdicts = asks.map(({ that }) => verdict(holds(all, row, that)))
    return { query: sql`SELECT ${commas(verdicts)} FROM ${from()}` }
  }
  const verdicts = asks.map(({ that }) => {
    const { row, from } = openWouldBe(compilation, would)
    return verdict(sql`NOT EXISTS (SELECT 1 FROM ${from()} WHERE (${holds(all, row, that)}) IS NOT TRUE)`)
  })
  return { query: sql`SELECT ${commas(verdicts)}` }
}

const firstPart = (key: Value): Parameter => encodeKnown(textOrNone)(partOf(key, 0))

/**
 * A row if the reference may be written. The reference leads to no record, or to one that the actor sees. In a record that
 * the actor sees it may also stay as it was. The query does not judge whether the actor may write the record.
 */
export const mayRefer = (compilation: Compilation, write: Kind<"refers">): Query => ({
  query: sql`SELECT 1 WHERE ${isReferable(compilation, write)}`,
  present: true,
})

/** The condition of `mayRefer`. */
export function isReferable(
  compilation: Compilation,
  { of, relation, to, hooked }: Kind<"refers">,
): Fragment {
  const { all } = compilation
  const own = hooked ? all : compilation
  const { target } = toOne(resourceOf(all, of.resource), relation)
  const subject = { kind: "reference", relation } as const
  const stays = (row: Row): Fragment =>
    isEqual(all, row, columnsOf(all, resourceOf(all, of.resource), subject), to)
  const ways = [sql`CAST(${bindSlot(to, encodeKnown(firstPart))} AS text) IS NULL`]
  if (compilation.model.resources.has(target)) {
    const { row, rules, from } = openNamed(compilation, resourceOf(compilation, target))
    const named = isEqual(compilation, row, columnsOf(all, resourceOf(all, target), { kind: "id" }), to)
    ways.push(sql`EXISTS (SELECT 1 FROM ${from()} WHERE ${allOf([named, ...rules])})`)
  }
  if (of.kind === "update") {
    const { row, rules, from } = openTable(own, resourceOf(own, of.resource))
    const other = sql`(${stays(row)}) IS NOT TRUE`
    // Whether a transition may start was asked before its hooks; the whole service does not say who may.
    const { fires: _, ...named } = of
    const tests = allOf([...updateTests(own, row, hooked ? named : of), ...rules, other])
    ways.push(sql`NOT EXISTS (SELECT 1 FROM ${from()} WHERE ${tests})`)
  }
  if (of.kind === "upsert") {
    const { row, rules, from } = openTable(own, resourceOf(own, of.resource))
    const tests = allOf([...namesRecord(own, row, of), ...rules, stays(row)])
    ways.push(sql`EXISTS (SELECT 1 FROM ${from()} WHERE ${tests})`)
  }
  return sql`(${join(ways, sql` OR `)})`
}
