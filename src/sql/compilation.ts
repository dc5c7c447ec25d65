// What one compilation carries along: the model, the dialect, names not yet taken, and what the statement will need.
import { present } from "../base/invariant.ts"
import { refusal } from "../base/problem.ts"
import type { Model, Resource, TableName } from "../model/model.ts"
import type { Slot, Value } from "../plan/types.ts"
import type { ColumnType } from "./column-type.ts"
import type { Dialect } from "./dialect.ts"
import { bound, type Fragment, name, sql, whole } from "./fragment.ts"
import { encodeKnown } from "./later.ts"
import type { Parameter } from "./statement.ts"

export interface Compilation {
  readonly model: Model
  readonly dialect: Dialect
  /** `cursorScope` of each list whose cursors are in the result. */
  readonly cursors: string[]
  /** A value may turn out to be unrepresentable. */
  flaws: boolean
  /** A table's or subquery's name that nothing else in the statement has. */
  alias(): Fragment
}

export function startCompilation(model: Model, dialect: Dialect, cursors: string[] = []): Compilation {
  let aliases = 0
  return {
    model,
    dialect,
    cursors,
    flaws: false,
    alias: () => name(`t${++aliases}`),
  }
}

export const resourceOf = ({ model }: Pick<Compilation, "model">, resource: string): Resource =>
  present(model.resources.get(resource), `the model has the resource ${resource}`)

export const tableName = ({ schema, name: table }: TableName): Fragment =>
  schema === undefined ? name(table) : sql`${name(schema)}.${name(table)}`

/** Every statement names a resource's table by this. Throws a Refusal when the database lacks what the resource needs. */
export function tableOf({ name: resource, table, hurt }: Resource): Fragment {
  if (hurt)
    throw refusal(
      "resource_unavailable",
      `"${resource}" cannot be served: the database does not have what it needs.`,
      { hint: "Ask for it later, and for the rest now." },
    )
  return tableName(table)
}

/** A slot's value, bound in the form that the type's comparable and sortable forms compare with. */
export function operand(
  { dialect }: Compilation,
  slot: Slot,
  type: ColumnType,
  pick: (value: Value) => Value = same,
): Fragment {
  return dialect.parameter(
    bindSlot(slot, (value) => encodeKnown((picked) => dialect.encode(picked, type))(pick(value))),
    type,
  )
}

export const bindSlot = ({ slot }: Slot, encode: (value: Value) => Parameter): Fragment =>
  bound({ slot, encode })

/** A mark of plan/marks.ts. */
export const markText = ({ dialect }: Compilation, mark: string): Fragment =>
  dialect.character(whole(mark.charCodeAt(0)))

const same = (value: Value): Value => value
