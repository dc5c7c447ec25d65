// What a statement has to reckon with in tables of somebody else's (docs/decisions/0183).
import type { Resource } from "../model/model.ts"
import type { Insert } from "../plan/write-types.ts"
import type { Dialect } from "./dialect.ts"

/** What a write gives back is not what is stored then, and what gives nothing back may have done something. */
export const isTriggered = ({ writes }: Dialect, { table }: Pick<Resource, "table">): boolean =>
  writes.oddities?.(table)?.triggered === true

/** The database has the last word on the key of what is made. */
export const hasKeyGiven = (dialect: Dialect, resource: Resource, { keyFrom }: Insert): boolean =>
  keyFrom === "database" || (keyFrom === "sets" && isTriggered(dialect, resource))
