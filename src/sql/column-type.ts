// The type of a column for its SQL: its scalar, and the form in which the column holds it.
import { present } from "../base/invariant.ts"
import type { Field, KeyPart, Model } from "../model/model.ts"
import { isTextual, type ScalarName, type StoredForm } from "../model/scalars.ts"

export interface ColumnType {
  /** `row` is the database's own row identity. */
  readonly scalar: ScalarName | "row"
  readonly list: boolean
  readonly stored: StoredForm
  /** For a decimal: digits after the point. */
  readonly scale?: number
  /** For a oneOf. */
  readonly values?: readonly string[]
  /** For a reference: the database compares it as it compares the key that it names. */
  readonly refers?: true
  /** For an expression, whose value may be one that the declaration rules out. */
  readonly computed?: true
}

export const plainText: ColumnType = { scalar: "text", list: false, stored: "plain" }
export const plainFloat: ColumnType = { scalar: "float", list: false, stored: "plain" }

export function fieldType(model: Model, field: Field): ColumnType {
  const { scalar, list, stored, constraints, enumeration, computed } = field
  const values =
    enumeration === undefined
      ? undefined
      : present(model.enums.get(enumeration), `the model has the enumeration ${enumeration}`).values
  return {
    scalar,
    list,
    stored,
    ...(constraints.scale === undefined ? {} : { scale: Math.max(constraints.scale, 0) }),
    ...(values === undefined ? {} : { values }),
    ...(computed && { computed: true }),
  }
}

export const keyPartType = ({ scalar, stored }: KeyPart): ColumnType => ({ scalar, list: false, stored })

/** Whether databases hold the value, or each item, as text. */
export const isText = ({ scalar }: ColumnType): boolean => scalar !== "row" && isTextual(scalar)

/** The type of a list's items. */
export const itemType = (type: ColumnType): ColumnType => ({ ...type, list: false })
