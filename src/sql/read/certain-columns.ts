// Leaves of long lists in SQLite: the statement checks once that a STRICT table's columns have the declared types, instead of
// checking the type of each value.
import type { Subject } from "../../model/condition.ts"
import { unrepresentable } from "../../plan/placeholders.ts"
import type { Member } from "../../plan/read-plan.ts"
import { fieldType } from "../column-type.ts"
import type { CertainColumns } from "../dialect.ts"
import { type Fragment, sql } from "../fragment.ts"
import { concatenated, membersText, type TextMember, type TextPiece } from "../json-text.ts"
import { subjectText } from "./column-json.ts"
import { type Compilation, placeholderText, type Row } from "./compilation.ts"
import type { RowContext } from "./list-source.ts"
import { columnsOf, toOne } from "./subject.ts"

export interface CertainColumn {
  readonly member: Member
  readonly subject: Subject
  readonly columns: CertainColumns
}

/** From so many values on, one check of the columns is faster than a check of each value. */
const worthIt = 250

/** Undefined for members other than leaves, and for leaves whose every value has to be checked. */
export function certainColumn(
  { dialect, model }: Compilation,
  { resource, of }: Row,
  member: Member,
): CertainColumn | undefined {
  if (!dialect.certain || of) return undefined
  const subject = subjectOf(member)
  if (!subject) return undefined
  const field = subject.kind === "field" ? resource.fields.get(subject.field) : undefined
  if (field?.computed) return undefined
  if (subject.kind === "reference" && toOne(resource, subject.relation).first) return undefined
  const { columns: parts, optional } = columnsOf({ model }, resource, subject)
  // A key is there anyway, and its table need not say so.
  const columns = parts.map(({ column, type }) => [column, { type, optional: optional || !field }] as const)
  return columns.every(([, { type }]) => type.stored === "plain")
    ? { member, subject, columns: new Map(columns) }
    : undefined
}

function subjectOf(member: Member): Subject | undefined {
  switch (member.kind) {
    case "id":
      return { kind: "id" }
    case "field":
      return { kind: "field", field: member.field }
    case "reference":
      return { kind: "reference", relation: member.relation }
    default:
      return undefined
  }
}

/**
 * The text of all these leaves: printed without checks if their columns have the declared types, otherwise with a check of each
 * value. Undefined for too few values.
 */
export function certainText(
  compilation: Compilation,
  { row, times = 1 }: RowContext,
  leaves: readonly CertainColumn[],
  judged: (member: Member) => TextMember,
): TextMember | undefined {
  const { dialect } = compilation
  const { certain } = dialect
  const [first] = leaves
  if (!certain || !first || leaves.length * times < worthIt) return undefined
  const trusting: Compilation = { ...compilation, dialect: { ...dialect, print: certain.print } }
  const plain = leaves.map(({ member: { key }, subject }) => ({
    key,
    text: fieldText(compilation, row, subject) ?? subjectText(trusting, row, subject),
  }))
  const columns = new Map(leaves.flatMap((leaf) => [...leaf.columns]))
  const [unchecked, checked] = [membersText(plain), membersText(leaves.map(({ member }) => judged(member)))]
  const text = (left: string, right: string): Fragment => {
    const whole = (pieces: readonly TextPiece[]): Fragment => concatenated(dialect, [left, ...pieces, right])
    return sql`CASE WHEN ${certain.holds(row.resource.table, columns)} THEN ${whole(unchecked)} ELSE ${whole(checked)} END`
  }
  return { key: first.member.key, text: [text], whole: true }
}

function fieldText(compilation: Compilation, row: Row, subject: Subject): readonly TextPiece[] | undefined {
  const { dialect, model } = compilation
  const field = subject.kind === "field" ? row.resource.fields.get(subject.field) : undefined
  if (!field) return undefined
  const mark = concatenated(dialect, [placeholderText(compilation, unrepresentable)])
  return dialect.certain?.field(row.column(field.column), fieldType(model, field), field.optional, mark)
}
