// Names that a service cannot give away, because the faces need them for themselves.
import { scalars } from "./scalars.ts"

/** GraphQL types that every service has. */
export const reservedTypes: ReadonlySet<string> = new Set([
  "ID",
  "Query",
  "Mutation",
  "Subscription",
  "Node",
  "PageInfo",
  ...Object.values(scalars).map(({ graphql }) => graphql),
])

/** Root fields that every service has. */
export const reservedRoots: ReadonlySet<string> = new Set(["node", "nodes", "viewer"])

/** First steps of REST addresses that every service has. */
export const reservedPaths: ReadonlySet<string> = new Set(["batch", "docs", "graphql", "nodes", "viewer"])

/** Members that every record or condition has (docs/guide/reading.md). */
export const reservedMembers: ReadonlySet<string> = new Set(["id", "and", "or", "not"])

/** Names of rules besides those that a service chooses: `create` and the like are mutations already, so that they clash. */
export const readAction = "read"

/** Members that records with states have, and that those whose changes are kept have. */
export const transitionsMember = "transitions"
export const historyMember = "history"
