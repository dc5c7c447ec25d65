// Pages: the rows between two positions as an array, and what there is around them. How the rows are found is told by
// the database, page-at-once.ts, or by the order: page-in-order.ts where an index hands them out in it, page-cut-out.ts where they have to be sorted first.
import { comesInOrder } from "../plan/access.ts"
import type { ListMember, PageFact } from "../plan/types.ts"
import type { Compilation } from "./compilation.ts"
import type { ListQuery } from "./listed.ts"
import { readAtOnce } from "./page-at-once.ts"
import { cutOut } from "./page-cut-out.ts"
import { type Asked, needsOf, type Page } from "./page-facts.ts"
import { readInOrder } from "./page-in-order.ts"

/** The page that the members speak of; undefined when none of them does. */
export function compilePage(compilation: Compilation, query: ListQuery): Page | undefined {
  const members = flatten(query.list.members)
  const rows = members.flatMap((member) => (member.kind === "rows" ? [member] : []))
  const facts = new Set(
    members.flatMap((member): PageFact[] => (member.kind === "page" ? [member.fact] : [])),
  )
  if (rows.length + facts.size === 0) return undefined
  const asked: Asked = { rows, facts, needs: needsOf(query, facts) }
  if (compilation.dialect.habits.readAtOnce) return readAtOnce(compilation, query, asked)
  return isInOrder(compilation, query)
    ? readInOrder(compilation, query, asked)
    : cutOut(compilation, query, asked)
}

const flatten = (members: readonly ListMember[]): readonly ListMember[] =>
  members.flatMap((member) => (member.kind === "object" ? flatten(member.members) : [member]))

/** Backward, the array is turned round, for which the rows are numbered. */
function isInOrder({ model }: Compilation, { resource, list, owner }: ListQuery): boolean {
  if (list.page.direction === "backward") return false
  return comesInOrder(model, {
    resource,
    list,
    ...(owner && { owner: { resource: owner.row.resource, relation: owner.relation } }),
  })
}
