// Members of a record as JSON text: leaves, to-one relations as joins, to-many relations as subqueries.
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import { codeComputedOf, newestOf } from "../../plan/lookup.ts"
import { memberOf } from "../../plan/member.ts"
import { computedPlaceholder, cursorBegin, cursorEnd, secretPlaceholder } from "../../plan/placeholders.ts"
import type { Member } from "../../plan/read-plan.ts"
import { type Fragment, sql } from "../fragment.ts"
import { concatenated, objectText, type TextMember, type TextPiece } from "../json-text.ts"
import { isBeside, leavesText, type MemberColumns, memberColumns } from "./certain-columns.ts"
import { subjectText } from "./column-json.ts"
import { type Compilation, placeholderText, type Row, resourceOf } from "./compilation.ts"
import { listText } from "./list.ts"
import type { RowContext, RowText } from "./list-source.ts"
import { isPresent, versionText } from "./row.ts"
import { toOne } from "./subject.ts"
import { transitionsText } from "./transitions.ts"

export function recordText(
  compilation: Compilation,
  context: RowContext,
  members: readonly Member[],
): readonly TextPiece[] {
  return objectText(textMembers(compilation, context, members))
}

/** Leaves beside each other are printed together, where that is worth one check for all of them. */
function textMembers(
  compilation: Compilation,
  context: RowContext,
  members: readonly Member[],
): readonly TextMember[] {
  const found: TextMember[] = []
  let leaves: MemberColumns[] = []
  const judged = (member: Member): TextMember => ({
    key: member.key,
    text: memberText(compilation, context, member),
  })
  const close = (): void => {
    found.push(...leavesText(compilation, context, leaves, judged))
    leaves = []
  }
  for (const member of members) {
    const leaf = memberColumns(compilation, context.row, member)
    if (!leaf || !isBeside(leaf, leaves)) close()
    if (leaf) leaves.push(leaf)
    else found.push(judged(member))
  }
  close()
  return found
}

/** @param times how many rows of it there are at most */
export const rowTextOf =
  (compilation: Compilation, times: number): RowText =>
  (context, members) =>
    recordText(compilation, { ...context, times }, members)

export function memberText(
  compilation: Compilation,
  context: RowContext,
  member: Member,
): readonly TextPiece[] {
  const { row } = context
  return match(member, {
    constant: ({ json }) => [json],
    id: () => subjectText(compilation, row, { kind: "id" }),
    field: ({ field }) =>
      row.resource.fields.get(field)?.byCode
        ? awaitedText(compilation, row, field)
        : subjectText(compilation, row, { kind: "field", field }),
    reference: ({ relation }) => subjectText(compilation, row, { kind: "reference", relation }),
    version: () => ['"', versionText(compilation, row), '"'],
    secret: ({ slot }) => [
      placeholderText(compilation, cursorBegin),
      `${secretPlaceholder}${slot}`,
      placeholderText(compilation, cursorEnd),
    ],
    transitions: ({ members }) => transitionsText(compilation, row, members),
    computed: ({ field }) => awaitedText(compilation, row, field),
    cursor: () => present(context.cursor, "only a page's row has a cursor")(),
    object: ({ members }) => recordText(compilation, context, members),
    one: ({ relation, members }) => [targetText(compilation, context, relation, members)],
    many: ({ relation, list }) => {
      const to = present(
        row.resource.relations.get(relation),
        `${row.resource.name} has the relation ${relation}`,
      )
      const resource = resourceOf(compilation, to.target)
      const owner = { row, relation: to }
      const times = (context.times ?? 1) * list.page.atMost
      return listText(compilation, { list, resource, owner, rowText: rowTextOf(compilation, times) })
    },
  })
}

function targetText(
  compilation: Compilation,
  { row, times }: RowContext,
  relation: string,
  members: readonly Member[],
): Fragment {
  const to = toOne(row.resource, relation)
  const target = row.one(to)
  const inside = { row: target, ...(times !== undefined && { times }) }
  const text = concatenated(compilation.dialect, recordText(compilation, inside, members))
  return sql`CASE WHEN ${isPresent(target, to)} THEN ${text} ELSE 'null' END`
}

/** The mark of a record that user code is given: what it needs, where the actor sees all of that. */
function awaitedText(compilation: Compilation, row: Row, name: string): readonly TextPiece[] {
  const { name: called } = row.resource
  const { field, needs } = codeComputedOf(row.resource, name)
  // By the names of the newest version, which user code has.
  const own = { ...compilation, model: newestOf(compilation.model) }
  const resource = resourceOf(own, called)
  const members = needs.map((need): Member => {
    const found = memberOf(resource, need)
    return found?.kind === "reference"
      ? { kind: "reference", key: need, relation: found.relation.name }
      : { kind: "field", key: need, field: need }
  })
  const id: readonly Member[] = resource.key && !field.byCode ? [{ kind: "id", key: "id" }] : []
  const mark: readonly TextPiece[] = [
    placeholderText(compilation, cursorBegin),
    `${computedPlaceholder}${called}.${name}`,
    ...recordText(own, { row: { ...row, resource } }, [...id, ...members]),
    placeholderText(compilation, cursorEnd),
  ]
  if (!field.seen) return mark
  return [
    sql`CASE WHEN ${compilation.holds(row, field.seen)} THEN ${concatenated(compilation.dialect, mark)} ELSE 'null' END`,
  ]
}
