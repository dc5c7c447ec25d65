// Missing indexes that would help a plan: derived from its conditions and orders, and from the tables' sizes.
import type { Resource } from "../../model/model.ts"
import { withoutObjects } from "../fold.ts"
import { resourceNamed, wholeOf } from "../lookup.ts"
import type { Plan } from "../plan.ts"
import type { ListMember } from "../read-plan.ts"
import { columnsOf } from "../selectivity.ts"
import {
  type Facts,
  indexFor,
  listsIn,
  reachOf,
  type Statistics,
  type Subjected,
  times,
} from "./access-paths.ts"
import { sizeOfValue } from "./points.ts"

export interface IndexAdvice {
  readonly resource: string
  /** As a resource's `indexes` name them: fields and relations. */
  readonly members: readonly string[]
  /** Rows that the database looks at without it; infinite where the table's size is unknown. */
  readonly rows: number
}

/** Rows up to which a scan is taken for cheap. */
const cheap = 5_000

/** `request`: for its own conditions and orders, which the caller may know; `rules`: for conditions of rules too. */
type AdviceBy = "request" | "rules"

/** The indexes whose absence makes the database look at more than some thousand rows, once each. */
export function adviseIndexes(
  plan: Plan,
  statistics: Statistics,
  by: AdviceBy = "request",
): readonly IndexAdvice[] {
  const { model, values } = plan
  const facts: Facts = { model, statistics, sizeAt: ({ slot }) => sizeOfValue(values[slot]) }
  const found = new Map<string, IndexAdvice>()
  const roots = plan.kind === "read" ? plan.roots : plan.steps.map(({ answer }) => answer)
  for (const subjected of listsIn(model, roots)) {
    const missing = missingFor(facts, subjected, by)
    if (missing) found.set(`${missing.resource} ${missing.members.join()}`, missing)
  }
  return [...found.values()]
}

function missingFor(facts: Facts, subjected: Subjected, by: AdviceBy): IndexAdvice | undefined {
  const { resource, list } = subjected
  const rows = rowsLookedAt(facts, subjected)
  if (rows <= cheap) return undefined
  const forPage = !countsAll(list.members)
  const { access: _, ...asked } = resource
  const [named, columns] =
    by === "rules"
      ? [resourceNamed(wholeOf(facts.model), resource.name), indexFor(facts, subjected, { forPage })]
      : [resource, indexFor(facts, { ...subjected, resource: asked }, { forPage })]
  const members = columns && membersOf(named, columns)
  return members && members.length > 0 ? { resource: resource.name, members, rows } : undefined
}

function rowsLookedAt(facts: Facts, subjected: Subjected): number {
  const { list } = subjected
  const { rows, ordered, walk } = reachOf(facts, subjected)
  if (countsAll(list.members)) return rows
  const each = ordered ? 1 : walk
  return each === undefined ? rows : Math.min(rows, times(facts.sizeAt(list.page.limit) + 1, each))
}

const countsAll = (members: readonly ListMember[]): boolean =>
  withoutObjects(members).some(({ kind }) => kind === "total" || kind === "aggregate" || kind === "groups")

/** Without the key at its end, which Bifold's own indexes always have; undefined where a column belongs to no member. */
function membersOf(resource: Resource, columns: readonly string[]): readonly string[] | undefined {
  const key = resource.key ? columnsOf(resource, { kind: "id" }) : []
  const kept = columns.filter((column) => !key.includes(column))
  const names = kept.map((column) => memberOf(resource, column))
  return names.every((name) => name !== undefined) ? names : undefined
}

function memberOf({ fields, relations }: Resource, column: string): string | undefined {
  for (const { name, join, kind } of relations.values())
    if (kind === "one" && join.length === 1 && join[0]?.from === column) return name
  return [...fields.values()].find((field) => field.column === column)?.name
}
