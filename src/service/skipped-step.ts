// Reports migration steps that were skipped, since they need a flag.
import type { Step } from "../sql/migration/steps.ts"

/** Sentences behind another, or nothing. */
export const leftText = (step: Step): string => `${heldText(step)}${lateText(step)}`

/** Tables that stay lead to records all the same, and nothing that is served tells of them. */
const heldText = ({ holds = [] }: Step): string =>
  holds.length === 0
    ? ""
    : ` Until then the records of ${holds.join(", ")} that it leads to cannot be deleted.`

/** The new name was made meanwhile, and a rename takes no name that is there. */
const lateText = ({ renamed, kept }: Step): string =>
  kept
    ? ` To keep its references in ${kept.table}: ${kept.text}`
    : renamed === undefined
      ? ""
      : ` If it was renamed: remove the new ${renamed.now.join(" or ")} from the database, declare it with was: "${renamed.was}", and migrate again.`
