// Members of a record as JSON text: leaves, to-one relations as joins, to-many relations as subqueries.
import { present } from "../base/invariant.ts"
import { match } from "../base/match.ts"
import { cursorBegin, cursorEnd, secretMark } from "../plan/marks.ts"
import type { Member } from "../plan/types.ts"
import { type Compilation, markText, type Row, resourceOf } from "./compilation.ts"
import { type Fragment, sql } from "./fragment.ts"
import { concatenated, objectText, type TextPiece } from "./json-text.ts"
import { subjectText } from "./leaf.ts"
import { listText } from "./list.ts"
import type { RowContext, RowText } from "./listed.ts"
import { isPresent } from "./row.ts"
import { toOne } from "./subject.ts"
import { transitionsText } from "./transitions.ts"
import { versionText } from "./version.ts"

export function recordText(
  compilation: Compilation,
  context: RowContext,
  members: readonly Member[],
): readonly TextPiece[] {
  return objectText(
    members.map((member) => ({ key: member.key, text: memberText(compilation, context, member) })),
  )
}

export const rowTextOf =
  (compilation: Compilation): RowText =>
  (context, members) =>
    recordText(compilation, context, members)

export function memberText(
  compilation: Compilation,
  context: RowContext,
  member: Member,
): readonly TextPiece[] {
  const { row } = context
  return match(member, {
    constant: ({ json }) => [json],
    id: () => subjectText(compilation, row, { kind: "id" }),
    field: ({ field }) => subjectText(compilation, row, { kind: "field", field }),
    reference: ({ relation }) => subjectText(compilation, row, { kind: "reference", relation }),
    version: () => ['"', versionText(compilation, row), '"'],
    secret: ({ slot }) => [
      markText(compilation, cursorBegin),
      `${secretMark}${slot}`,
      markText(compilation, cursorEnd),
    ],
    transitions: ({ members }) => transitionsText(compilation, row, members),
    cursor: () => present(context.cursor, "only a page's row has a cursor")(),
    object: ({ members }) => recordText(compilation, context, members),
    one: ({ relation, members }) => [targetText(compilation, row, relation, members)],
    many: ({ relation, list }) => {
      const to = present(
        row.resource.relations.get(relation),
        `${row.resource.name} has the relation ${relation}`,
      )
      const resource = resourceOf(compilation, to.target)
      const owner = { row, relation: to }
      return listText(compilation, { list, resource, owner, rowText: rowTextOf(compilation) })
    },
  })
}

function targetText(
  compilation: Compilation,
  row: Row,
  relation: string,
  members: readonly Member[],
): Fragment {
  const to = toOne(row.resource, relation)
  const target = row.one(to)
  const text = concatenated(compilation.dialect, recordText(compilation, { row: target }, members))
  return sql`CASE WHEN ${isPresent(target, to)} THEN ${text} ELSE 'null' END`
}
