// The filter that every record meets, and how to recognise it.
import type { Filter } from "./read-plan.ts"

/** A condition that every record meets. */
export const everyRecord: Filter = { kind: "and", of: [] }

/** No condition at all: it holds for every record. */
export const isForAll = (condition: Filter): boolean => condition.kind === "and" && condition.of.length === 0
