// Pages: the rows between two positions as an array, and what there is around them. How the rows are found is told by
// their order: page-materialized.ts where they have to be sorted first; where an index gives the order, page-aggregated.ts
// (PostgreSQL) or page-index-scan.ts (SQLite).
import { dependsOnValues, isIndexScan, isKeyLookup, type Subjected } from "../../plan/cost/access-paths.ts"
import type { ListMember, Member, PageInfo } from "../../plan/read-plan.ts"
import { type Compilation, resourceOf } from "./compilation.ts"
import type { ListQuery } from "./list-source.ts"
import { readAggregated } from "./page-aggregated.ts"
import { readByIndexScan } from "./page-index-scan.ts"
import { needsOf, type Page, type RequestedPageInfo } from "./page-info.ts"
import { materialize } from "./page-materialized.ts"
import { isRuled } from "./row.ts"
import { toOne } from "./subject.ts"

/** The page that the members need; undefined when none of them is about the page. */
export function compilePage(compilation: Compilation, query: ListQuery): Page | undefined {
  const members = flatten(query.list.members)
  const rows = members.flatMap((member) => (member.kind === "rows" ? [member] : []))
  const facts = new Set(
    members.flatMap((member): PageInfo[] => (member.kind === "page" ? [member.fact] : [])),
  )
  if (rows.length + facts.size === 0) return undefined
  const asked: RequestedPageInfo = { rows, facts, needs: needsOf(query, facts) }
  const { model, dialect } = compilation
  const subjected = subjectOf(query)
  const inOrder = isIndexScan(model, subjected)
  if (dialect.habits.readAtOnce && (inOrder || isKeyLookup(subjected))) {
    const bounded = dialect.habits.boundsAll || !dependsOnValues(model, subjected)
    return readAggregated(compilation, query, { ...asked, bounded })
  }
  const sieved =
    dialect.habits.sievesJoined && rows.some(({ members }) => joinsRuled(compilation, query, members))
  if (!inOrder || sieved) return materialize(compilation, query, asked)
  // Backward, the array is turned round, for which the rows are numbered.
  return query.list.page.direction === "backward"
    ? materialize(compilation, query, asked)
    : readByIndexScan(compilation, query, asked)
}

const flatten = (members: readonly ListMember[]): readonly ListMember[] =>
  members.flatMap((member) => (member.kind === "object" ? flatten(member.members) : [member]))

/** Whether records are joined to the rows of which the actor does not see all. */
const joinsRuled = (
  compilation: Compilation,
  { resource }: Pick<ListQuery, "resource">,
  members: readonly Member[],
): boolean =>
  members.some((member) => {
    if (member.kind === "object") return joinsRuled(compilation, { resource }, member.members)
    if (member.kind !== "one") return false
    const target = resourceOf(compilation, toOne(resource, member.relation).target)
    return isRuled(compilation, target) || joinsRuled(compilation, { resource: target }, member.members)
  })

const subjectOf = ({ resource, list, owner }: ListQuery): Subjected => ({
  resource,
  list,
  ...(owner && { owner: { resource: owner.row.resource, relation: owner.relation } }),
})
