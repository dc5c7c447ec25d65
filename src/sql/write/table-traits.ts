// Triggers, rules and deferrable keys of unmanaged tables (docs/decisions/0116).
import type { Model, Resource, TableName } from "../../model/model.ts"
import { wholeOf } from "../../plan/lookup.ts"
import type { Insert } from "../../plan/write-plan.ts"
import { type Dialect, isBare } from "../dialect.ts"
import { commas, type Fragment, name, sql } from "../fragment.ts"
import { type Compilation, resourceOf } from "../read/compilation.ts"
import { columnNames } from "../read/row.ts"

/** Whether the returned row may differ from the stored one, and a write that returns nothing may have done something. */
export const isTriggered = ({ writes }: Dialect, { table }: Pick<Resource, "table">): boolean =>
  writes.oddities?.(table)?.triggered === true

/** Whether a trigger or a rule may leave rows of the join table as they are; SQLite does not say which tables have any. */
export const mayKeepLinks = (
  dialect: Dialect,
  model: Model,
  resource: Resource,
  relation: string,
): boolean => {
  const found = resource.relations.get(relation)
  const table = found?.kind === "many" ? found.through?.table : undefined
  return (
    table !== undefined && (isTriggered(dialect, { table }) || (!model.managed && !dialect.writes.readsBack))
  )
}

/** ON CONFLICT is refused there. */
export const isDeferred = ({ writes }: Dialect, table: TableName): boolean =>
  writes.oddities?.(table)?.deferred === true

/** Whether an upsert's RETURNING can tell a new row. */
export const tellsNew = (dialect: Dialect, resource: Resource): boolean =>
  dialect.writes.isNew !== undefined && (isDeferred(dialect, resource.table) || !isBare(dialect, resource))

/** The database decides the key of the new record. */
export const isKeyAssigned = (dialect: Dialect, resource: Resource, { keyFrom }: Insert): boolean =>
  keyFrom === "database" || (keyFrom === "sets" && isTriggered(dialect, resource))

/** All columns that a row's members, and rules about them, may be made of. @param of what leads their names */
export function allColumns({ dialect, model }: Compilation, called: string, of: Fragment = sql``): Fragment {
  const resource = resourceOf({ model: wholeOf(model) }, called)
  if (!isBare(dialect, resource)) return sql`${of}*`
  return commas([...columnNames(resource)].map((column) => sql`${of}${name(column)}`))
}

/** Further columns of RETURNING, from which the version of the written row is taken. */
export const systemColumns = ({ dialect }: Compilation, resource: Resource): Fragment =>
  resource.version.kind === "row" && !isBare(dialect, resource) ? dialect.writes.returned : sql``
