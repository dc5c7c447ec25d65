// What is told of a migration's step that was not run, since nobody allowed it.
import type { Step } from "../sql/migration-steps.ts"

/** What stays leads to records all the same, of which nothing that is served tells: a sentence behind another, or nothing. */
export const heldText = ({ holds = [] }: Step): string =>
  holds.length === 0
    ? ""
    : ` Until then the records of ${holds.join(", ")} that it leads to cannot be deleted.`
