// The state of one compilation: the model, the dialect, free names, and the needs of the statement.
import { present } from "../../base/invariant.ts"
import { refusal } from "../../base/problem.ts"
import type { FirstRelated } from "../../model/condition.ts"
import type { Field, Model, Relation, Resource, TableName, ToOne } from "../../model/model.ts"
import type { Filter, Slot, Value } from "../../plan/read-plan.ts"
import type { ColumnType } from "../column-type.ts"
import { encodeKnown } from "../deferred-parameter.ts"
import type { Dialect } from "../dialect.ts"
import { bound, type Fragment, name, sql, whole } from "../fragment.ts"
import type { Parameter } from "../statement.ts"

export interface Row {
  readonly resource: Resource
  /** Its value as the actor sees it. */
  column(column: string): Fragment
  /** Its value as it is stored: for what joins rows, and for rules. */
  stored(column: string): Fragment
  /** The condition under which the actor sees its value; undefined where each caller who sees the row sees it. */
  seen(column: string): Fragment | undefined
  /**
   * How a condition on related records is tested. `alone`: the statement selects this row by its key, and the condition is a
   * correlated subquery. `each`: a correlated subquery, since many records meet it. `few`: those records are selected first.
   */
  readonly asked?: "alone" | "each" | "few"
  /** The condition is part of an OR or a NOT that no index serves: the database tests it for each row that it reads. */
  readonly filtered?: true
  /** For an entry of a history: its record. */
  readonly of?: Row
  /** The target of a to-one relation, joined once however often it is asked for. */
  one(relation: ToOne): Row
  /** The state of a record at some time, which no table has. */
  readonly image?: true
  /** Records that to-one relations lead to and no table has yet: rules are asked before they are made. */
  readonly made?: ReadonlyMap<string, Row>
  /**
   * No table has the record yet: the records that relations to it lead to, whatever another record with its key has. Undefined for
   * a relation by its own reference.
   */
  below?(relation: Relation): readonly { readonly row: Row; from(): Fragment }[] | undefined
  /** Computed fields were computed before: the columns are a subquery's. */
  readonly carried?: true
}

export interface Compilation {
  readonly model: Model
  readonly dialect: Dialect
  /** `cursorScope` of each list whose cursors are in the result. */
  readonly cursors: string[]
  /** The answer may hold a placeholder for a stored value that has no JSON. */
  flaws: boolean
  /** Subqueries that conditions hold so far, in the whole statement. */
  readonly subqueries: { count: number }
  /** Rows that stand for the table of a resource, with those that no table has yet. */
  readonly tables: Map<string, Fragment>
  /** Absent: rules for the actor apply. `all`: no rules, as for the records that a rule itself reads. */
  readonly sight?: "all"
  /** The same statement, of the whole service and without rules. */
  readonly all: Compilation
  /** The condition that a rule holds for a row. No further rules apply to what it reads. */
  holds(row: Row, rule: Filter): Fragment
  /** The value of a field in the whole service, for a row whose stored columns alone are read. */
  computed(row: Pick<Row, "resource" | "stored" | "made" | "below">, field: Field): Fragment
  /** The key of the first related record that the caller sees. */
  first(row: Row, of: FirstRelated): Fragment
  /** A table's or subquery's name that nothing else in the statement has. */
  alias(): Fragment
}

export const resourceOf = ({ model }: Pick<Compilation, "model">, resource: string): Resource =>
  present(
    model.resources.get(resource) ?? model.histories.get(resource),
    `the model has the resource ${resource}`,
  )

export const tableName = ({ schema, name: table }: TableName): Fragment =>
  schema === undefined ? name(table) : sql`${name(schema)}.${name(table)}`

/** Every statement names a resource's table by this. Throws a Refusal when the database lacks what the resource needs. */
export function tableOf({ name: resource, table, hurt }: Resource): Fragment {
  if (hurt?.())
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
  const encode = encodeKnown((value) => dialect.encode(value, type))
  return dialect.parameter(
    bindSlot(slot, (value) => encode(pick(value))),
    type,
  )
}

export const bindSlot = ({ slot, known }: Slot, encode: (value: Value) => Parameter): Fragment =>
  bound(known === undefined ? { slot, encode } : { slot, encode: () => encode(known as Value) })

/** SQL for a placeholder of plan/placeholders.ts. */
export const placeholderText = ({ dialect }: Compilation, mark: string): Fragment =>
  dialect.character(whole(mark.charCodeAt(0)))

const same = (value: Value): Value => value
