// Members of a record as JSON text: leaves, to-one relations as joins, to-many relations as subqueries.
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import { codeComputedOf, newestOf } from "../../plan/lookup.ts"
import { memberOf } from "../../plan/member.ts"
import {
  computedPlaceholder,
  cursorBegin,
  cursorEnd,
  secretPlaceholder,
  unrepresentable,
} from "../../plan/placeholders.ts"
import type { Member } from "../../plan/read-plan.ts"
import { type ColumnType, fieldType } from "../column-type.ts"
import type { CertainColumns } from "../dialect.ts"
import { allOf, type Fragment, sql } from "../fragment.ts"
import {
  concatenated,
  joined,
  membersText,
  objectText,
  type TextMember,
  type TextPiece,
} from "../json-text.ts"
import { keyValueOf, subjectText } from "./column-json.ts"
import { type Compilation, placeholderText, type Row, resourceOf } from "./compilation.ts"
import { listText } from "./list.ts"
import type { RowContext, RowText } from "./list-source.ts"
import { isPresent, versionText } from "./row.ts"
import { columnsOf, toOne } from "./subject.ts"
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

// Leaves of lists in SQLite, whose columns may hold values of any type: one check for many values, instead of one of each. The
// statement checks once that a STRICT table's columns have the declared types. Where a table is not STRICT it checks each row.
interface MemberColumns {
  readonly member: Member
  readonly subject: Subject
  readonly columns: CertainColumns
  /** `certain` and `common` stand in no group together. A key may be in a group of either kind. */
  readonly kind: "certain" | "common" | "either"
}

/** From so many values on, one check of the columns is faster than a check of each value. */
const manyForTable = 250
/** From so many on, one check of each row is faster, and worth a longer statement. */
const manyForRows = 20

/** Undefined for members other than leaves, and for leaves whose every value has to be checked. */
function memberColumns({ dialect, model }: Compilation, row: Row, member: Member): MemberColumns | undefined {
  const { resource } = row
  const subject = dialect.certain && !row.of ? subjectOf(member) : undefined
  if (!subject) return undefined
  const field = subject.kind === "field" ? resource.fields.get(subject.field) : undefined
  if (field?.computed) return undefined
  if (subject.kind === "reference" && toOne(resource, subject.relation).first) return undefined
  const { columns: parts, optional } = columnsOf({ model }, resource, subject)
  // A key is there anyway, and its table need not say so.
  const columns = parts.map(({ column, type }) => [column, { type, optional: optional || !field }] as const)
  const leaf = { member, subject, columns: new Map(columns) }
  // A rule beside the value would stand in the test of each row, too.
  const isRuled = columns.some(([column]) => row.seen(column))
  if (!columns.every(([, { type }]) => type.stored === "plain"))
    return isRuled ? undefined : { ...leaf, kind: "common" }
  const isKey = !field && columns.every(([, { type }]) => isNumber(type))
  return { ...leaf, kind: isKey && !isRuled ? "either" : "certain" }
}

const isNumber = ({ scalar }: ColumnType): boolean =>
  scalar === "integer" || scalar === "int64" || scalar === "row"

const isBeside = ({ kind }: MemberColumns, others: readonly MemberColumns[]): boolean =>
  kind === "either" || others.every((other) => other.kind === "either" || other.kind === kind)
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

/** The text of leaves that are beside each other: of all together, or of each where there are too few values. */
function leavesText(
  compilation: Compilation,
  context: RowContext,
  leaves: readonly MemberColumns[],
  judged: (member: Member) => TextMember,
): readonly TextMember[] {
  const isCommon = leaves.some(({ kind }) => kind === "common")
  const text = (isCommon ? commonText : certainText)(compilation, context, leaves, judged)
  return text ? [text] : leaves.map(({ member }) => judged(member))
}

type LeavesText = (
  compilation: Compilation,
  context: RowContext,
  leaves: readonly MemberColumns[],
  judged: (member: Member) => TextMember,
) => TextMember | undefined

/** Printed without checks if their columns have the declared types, otherwise with a check of each value. */
const certainText: LeavesText = (compilation, { row, times = 1 }, leaves, judged) => {
  const { dialect } = compilation
  const { certain } = dialect
  const [first] = leaves
  if (!certain || !first || leaves.length * times < manyForTable) return undefined
  const trusting: Compilation = { ...compilation, dialect: { ...dialect, print: certain.print } }
  const plain = leaves.map(({ member: { key }, subject }) => ({
    key,
    text: fieldText(compilation, row, subject) ?? subjectText(trusting, row, subject),
  }))
  const columns = new Map(leaves.flatMap((leaf) => [...leaf.columns]))
  const checked = leaves.map(({ member }) => judged(member))
  return chosen(compilation, certain.holds(row.resource.table, columns), plain, checked)
}

/** Printed without further checks in rows whose every value is of the common form. */
const commonText: LeavesText = (compilation, { row, times = 1 }, leaves, judged) => {
  if (leaves.length * times < manyForRows) return undefined
  const checked = leaves.map(({ member }) => judged(member))
  const common = leaves.map((leaf, index) => commonTextOf(compilation, row, leaf, checked[index]?.text ?? []))
  if (!common.some((leaf) => leaf)) return undefined
  const quick = checked.map((member, index) => ({ ...member, text: common[index]?.text ?? member.text }))
  return chosen(compilation, allOf(common.flatMap((leaf) => leaf?.tests ?? [])), quick, checked)
}

/** @param checked the text with all checks */
function commonTextOf(
  compilation: Compilation,
  row: Row,
  { subject, columns }: MemberColumns,
  checked: readonly TextPiece[],
): { readonly tests: readonly Fragment[]; readonly text: readonly TextPiece[] } | undefined {
  const { dialect } = compilation
  const { certain } = dialect
  if (!certain) return undefined
  if (subject.kind === "field") {
    const [column] = columns
    const common = column && certain.common.field(row.column(column[0]), column[1].type, column[1].optional)
    if (!common?.test || !common.alone)
      return common && { tests: common.test ? [common.test] : [], text: common.text }
    const whole = (text: readonly TextPiece[]): Fragment => concatenated(dialect, text)
    return {
      tests: [],
      text: [sql`CASE WHEN ${common.test} THEN ${whole(common.text)} ELSE ${whole(checked)} END`],
    }
  }
  const { prefix, values, types, optional } = keyValueOf(compilation, row, subject)
  const tests: Fragment[] = []
  const pieces: TextPiece[] = [`"${prefix}_`]
  for (const [index, value] of values.entries()) {
    const type = types[index]
    const test = type && certain.common.keyPart(value, type)
    if (!test) return undefined
    tests.push(optional ? sql`(${test} OR ${value} IS NULL)` : test)
    pieces.push(index === 0 ? "" : "~", value)
  }
  pieces.push('"')
  return { tests, text: optional ? [sql`coalesce(${joined(pieces)}, 'null')`] : pieces }
}

function chosen(
  { dialect }: Compilation,
  condition: Fragment,
  quick: readonly TextMember[],
  checked: readonly TextMember[],
): TextMember {
  const text = (left: string, right: string): Fragment => {
    const whole = (members: readonly TextMember[]): Fragment =>
      concatenated(dialect, [left, ...membersText(members), right])
    return sql`CASE WHEN ${condition} THEN ${whole(quick)} ELSE ${whole(checked)} END`
  }
  return { key: present(checked[0], "there are leaves").key, text: [text], whole: true }
}

function fieldText(compilation: Compilation, row: Row, subject: Subject): readonly TextPiece[] | undefined {
  const { dialect, model } = compilation
  const field = subject.kind === "field" ? row.resource.fields.get(subject.field) : undefined
  if (!field) return undefined
  const mark = concatenated(dialect, [placeholderText(compilation, unrepresentable)])
  return dialect.certain?.field(row.column(field.column), fieldType(model, field), field.optional, mark)
}
