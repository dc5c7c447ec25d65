// Lists as one expression each: a page of rows, the facts of the page, and what holds of all pages.
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { ListMember } from "../../plan/read-plan.ts"
import { type Fragment, sql, where } from "../fragment.ts"
import { objectText, type TextPiece } from "../json-text.ts"
import { aggregateText, groupsText } from "./aggregate.ts"
import type { Compilation } from "./compilation.ts"
import { type ListQuery, openListed } from "./list-source.ts"
import { compilePage } from "./page.ts"
import type { Page } from "./page-info.ts"

/** JSON text of the list's members. */
export function listText(compilation: Compilation, query: ListQuery): readonly TextPiece[] {
  const page = compilePage(compilation, query)
  const pieces = membersText(compilation, query, query.list.members, page)
  return page?.query ? [page.query(pieces)] : pieces
}

function membersText(
  compilation: Compilation,
  query: ListQuery,
  members: readonly ListMember[],
  page: Page | undefined,
): readonly TextPiece[] {
  const text = (member: ListMember): readonly TextPiece[] =>
    match(member, {
      constant: ({ json }) => [json],
      object: ({ members }) => membersText(compilation, query, members, page),
      rows: ({ members }) => present(page, "a list with rows has a page").rows(members),
      page: ({ fact }) => present(page, "a list with page facts has a page").fact(fact),
      total: () => [totalText(compilation, query)],
      aggregate: ({ members }) => [aggregateText(compilation, openListed(compilation, query), members)],
      groups: ({ groups }) => [groupsText(compilation, openListed(compilation, query), groups)],
    })
  return objectText(members.map((member) => ({ key: member.key, text: text(member) })))
}

function totalText(compilation: Compilation, query: ListQuery): Fragment {
  const { source, conditions, unconditional } = openListed(compilation, query)
  // Without a condition the database counts pages, and a watch would have it look at rows.
  if (unconditional) return sql`(SELECT count(*) FROM ${source.from()})`
  return sql`(SELECT count(*) FROM ${source.from()}${where(conditions)})`
}
