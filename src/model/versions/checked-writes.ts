// The writes of a change with the fields that their conditions ask. Reports parts that come to nothing without the database.
import { type Expression, followedIn, whensIn, withConditionFields } from "../expression.ts"
import type { FormerMember } from "../model.ts"
import { checkWhen } from "./check-when.ts"
import type { Undoing } from "./undoing.ts"

/** Undefined, and reported, where a condition asks a field that the version before has not. */
export function checkedWrites(
  undoing: Undoing,
  before: readonly FormerMember[],
  writes: ReadonlyMap<string, Expression>,
): ReadonlyMap<string, Expression> | undefined {
  const fields = new Map(before.map(({ field }) => [field.name, field]))
  const own = before.flatMap(({ enumeration: one }) => (one ? [[one.name, one] as const] : []))
  const about = { fields, enums: new Map([...undoing.enums, ...own]), isDecided: true }
  const settled = new Map<string, Expression>()
  for (const [name, written] of writes) {
    for (const when of whensIn(written)) checkWhen(undoing, about, when)
    for (const { kind, relation } of followedIn(written))
      undoing.report?.(
        `\`writes\` cannot follow "${relation}" (\`${kind === "related" ? "field" : kind}\`): a writer gives no values of other records.`,
        "`writes` is made of the fields before the change. Leave it out where they do not say it: the field is read-only then.",
      )
    const expression = withConditionFields(written, (one) => fields.get(one))
    if (expression) settled.set(name, expression)
  }
  return settled.size < writes.size ? undefined : settled
}
