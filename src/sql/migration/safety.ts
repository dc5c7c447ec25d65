// Which steps of a migration leave the previous version of the service working: it neither fails by them nor meets, in what
// the new version writes, anything that it does not know (expand, then contract).
import { match } from "../../base/match.ts"
import type { Change, Step } from "./steps.ts"

/** A database default fills the column, of which the previous version knows nothing. */
const isOptional = ({ column }: Extract<Change, { readonly kind: "addColumn" }>): boolean =>
  column.nullable || column.default !== undefined || column.fill !== undefined

export const isSafe = ({ changes, refused }: Step): boolean =>
  refused === undefined && changes.every((change) => isSafeChange(change) || isOfNew(change, changes))

/** A rule of a table or a column that the same step adds, which the previous version does not write. */
function isOfNew(change: Change, changes: readonly Change[]): boolean {
  if (change.kind === "addForeignKey")
    return changes.some(
      (other) =>
        (other.kind === "createTable" && other.table === change.table) ||
        (other.kind === "addColumn" &&
          other.table === change.table &&
          change.key.columns.every((column) => column === other.column.name)),
    )
  if (change.kind !== "setCheck" || change.drop.length > 0) return false
  return changes.some((other) => other.kind === "addColumn" && other.column.name === change.add?.column)
}

const isSafeChange = (change: Change): boolean =>
  match<Change, boolean>(change, {
    createTable: () => true,
    addColumn: isOptional,
    createIndex: () => true,
    // Without it the previous version does not start again, and its upserts may need it.
    dropIndex: () => false,
    makeOwn: () => true,
    validate: () => true,
    renameMade: () => true,
    // Names and values that the previous version asks for, or asks others to have.
    renameTable: () => false,
    renameIds: () => false,
    renameColumn: () => false,
    renameValues: () => false,
    dropColumn: () => false,
    dropTable: () => false,
    changeType: () => false,
    // Records that it makes meanwhile are without the value.
    fillColumn: () => true,
    remakeColumn: () => false,
    setRequired: () => false,
    setCounted: () => false,
    createUnique: () => false,
    addForeignKey: () => false,
    dropConstraint: () => false,
    // The previous version would read values that it does not know: a missing one, a new state.
    setOptional: () => false,
    setCheck: () => false,
  })
