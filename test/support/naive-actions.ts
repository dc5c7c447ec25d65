// The naive interpreter of own operations: who may call which, on which record, and as whom their code asks; written from
// docs/guide/code.md over plain data, sharing no code with the engine.
import { type Declared, type Entry, interpret, type Store, type Who } from "./naive-access.ts"

export interface DeclaredAction {
  readonly name: string
  /** Absent: it is about no record. */
  readonly resource?: string
  /** Nobody when absent. */
  readonly allow?: unknown
  readonly as?: { readonly roles?: readonly string[]; readonly scopes?: readonly string[] }
}

/** Of all reasons for which the code is not run, the one that is told. */
export type Obstacle = "closed" | "absent" | "forbidden" | "stale"

/** What one person may call. `allow` is asked like a rule of `update`, of a record that is seen. */
export function calling(declared: Declared, store: Store, who: Who) {
  const asking = (name: string, own: Declared["resources"][string]) =>
    interpret({ ...declared, resources: { ...declared.resources, [name]: own } }, store, who)
  const asUpdate = (name: string, allow: unknown) => {
    const { [name]: own } = declared.resources
    if (!own) throw new Error(`no resource ${name}`)
    return asking(name, { ...own, allow: { ...own.allow, update: allow } })
  }
  const knows = ({ resource, allow }: DeclaredAction): boolean =>
    resource === undefined
      ? asking("the service", { fields: {}, allow: { read: allow } }).knows("the service")
      : asUpdate(resource, allow).knows(resource, "update")

  return {
    knows,

    /** @param stale another version is named than the record is of */
    obstacle(
      action: DeclaredAction,
      { row, stale = false }: { readonly row?: Entry | undefined; readonly stale?: boolean },
    ): Obstacle | undefined {
      const { resource, allow } = action
      if (!knows(action)) return "closed"
      if (resource === undefined) return undefined
      const rules = asUpdate(resource, allow)
      if (!row || !rules.sees(resource, row)) return "absent"
      if (!rules.may("update", resource, row)) return "forbidden"
      return stale ? "stale" : undefined
    },
  }
}

/** Roles and scopes that are lent stand in the place of the caller's own; who they are stays. */
export const lent = (who: Who, { as }: DeclaredAction): Who =>
  as ? { ...who, signedIn: true, roles: as.roles ?? [], scopes: as.scopes ?? [] } : who
