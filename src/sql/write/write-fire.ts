// Checks on records whose transition is fired, besides the update itself: on several before it, and on the one
// that was refused after it, to say why.
import { invariant } from "../../base/invariant.ts"
import type { Model } from "../../model/model.ts"
import { transitionNamed } from "../../plan/lookup.ts"
import type { Filter } from "../../plan/read-plan.ts"
import type { Fires, Write } from "../../plan/write-plan.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, commas, type Fragment, render, sql } from "../fragment.ts"
import { concatenated } from "../json-text.ts"
import { subjectText } from "../read/column-json.ts"
import { type Compilation, type Row, resourceOf } from "../read/compilation.ts"
import { holds, isOneOf } from "../read/condition.ts"
import { openTable } from "../read/row.ts"
import { startCompilation } from "../read/start-compilation.ts"
import { columnsOf } from "../read/subject.ts"
import { firesHere, meetsWhen, startsHere } from "../read/transitions.ts"
import type { Statement } from "../statement.ts"
import { type Query, targeted } from "./write-rows.ts"

type Firing = Extract<Write, { readonly kind: "update" }> & { readonly fires: Fires }

/** A row where each of the records is in a state that it starts from, and meets its condition. */
export function eachFires(compilation: Compilation, { resource, target, fires }: Firing): Query {
  const { all } = compilation
  const { row, from } = openTable(all, resourceOf(all, resource))
  const [named] = target.by
  invariant(named && target.by.length === 1, "several records are named by their keys")
  const among = isOneOf(all, row, columnsOf(all, row.resource, named.subject), named)
  const transition = transitionNamed(resourceOf(compilation, resource), fires.transition)
  const fit = allOf(firesHere(compilation, row, transition))
  return {
    query: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${from()} WHERE ${among} AND (${fit}) IS NOT TRUE)`,
    present: true,
  }
}

/** Columns of what `whyNotFired` gives: a text where it holds, null where it does not. */
export const verdictColumns = { allowed: 0, version: 1, starts: 2, meets: 3, state: 4, id: 5 } as const

/**
 * The verdict on a record whose transition was not fired, as it is now; no row where the actor does not see it. The
 * state and the id are JSON, the state only where the actor sees it.
 * @param among of several, which they were: the first that it could not be fired on
 */
export function whyNotFired(
  model: Model,
  dialect: Dialect,
  { resource: called, target, match, rule, fires }: Firing,
  among?: Filter,
): Statement {
  const compilation = startCompilation(model, dialect)
  const source = openTable(compilation, resourceOf(compilation, called))
  const { row, rules } = source
  const transition = transitionNamed(row.resource, fires.transition)
  const starts = startsHere(compilation, row, transition)
  const meets = meetsWhen(compilation, row, transition)
  const which = among
    ? [holds(compilation, row, among), sql`(${allOf(firesHere(compilation, row, transition))}) IS NOT TRUE`]
    : targeted(compilation, row, { target })
  const columns = commas([
    held(rule && [compilation.holds(row, rule)]),
    held(match && targeted(compilation, row, { target: { by: [] }, match })),
    held([starts]),
    held(meets && [meets]),
    stateText(compilation, row, transition.machine),
    concatenated(dialect, subjectText(compilation, row, { kind: "id" })),
  ])
  const query = sql`SELECT ${columns} FROM ${source.from()} WHERE ${allOf([...which, ...rules])} LIMIT 1`
  const { text, binds } = render(query, dialect.placeholder)
  return { text, binds, columns: Object.values(verdictColumns), cursors: [], flaws: false }
}

const held = (conditions: readonly Fragment[] | undefined): Fragment =>
  conditions ? sql`CASE WHEN ${allOf(conditions)} THEN '1' END` : sql`'1'`

function stateText(compilation: Compilation, row: Row, field: string): Fragment {
  if (!row.resource.fields.has(field)) return sql`NULL`
  return concatenated(compilation.dialect, subjectText(compilation, row, { kind: "field", field }))
}
