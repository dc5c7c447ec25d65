// Parameters whose values an earlier command of the same program gives. They are plain data, because another thread may
// run the program.
import type { Value } from "../plan/read-plan.ts"
import type { ColumnType } from "./column-type.ts"
import type { Parameter } from "./statement.ts"

export type DeferredParameter =
  /** A column of the first row that a command gave. */
  | { readonly later: "value"; readonly command: number; readonly column: number }
  /** Known already, from another program of the same transaction. */
  | {
      readonly later: "known"
      readonly cell: CellValue
      /** The value, where the cell is in the form that a column holds. */
      readonly value?: Value
    }
  | { readonly later: "knownRows"; readonly rows: readonly (readonly CellValue[])[] }
  /** Every row of a command, as keys. */
  | { readonly later: "rows"; readonly command: number }
  /** The argument of `Dialect.encodeSet`. */
  | {
      readonly later: "set"
      readonly of: DeferredParameter | readonly (readonly (Value | DeferredParameter)[])[]
      readonly types: readonly ColumnType[]
    }

/** A parameter, or where it will come from. */
export type Bound = Parameter | DeferredParameter

export const isDeferredParameter = (value: unknown): value is DeferredParameter =>
  typeof value === "object" && value !== null && "later" in value

/** Where a plan's value belongs: it travels in its place until the program runs. */
export const inPlaceOf = (later: DeferredParameter): Value => later as unknown as Value

export const asParameter = (later: DeferredParameter): Parameter => later as unknown as Parameter

/** Encodes a known value; a deferred one stays as it is. */
export const encodeKnown =
  (encode: (value: Value) => Parameter) =>
  (value: Value): Parameter =>
    isDeferredParameter(value) ? asParameter(value) : encode(value)

export type CellValue = null | number | bigint | string | Uint8Array

/** @param rows what each command gave so far */
export function resolve(
  bound: Bound,
  rows: readonly (readonly (readonly CellValue[])[])[],
  encodeSet: (values: readonly (readonly Value[])[], types: readonly ColumnType[]) => Parameter,
): Parameter {
  if (!isDeferredParameter(bound)) return bound
  switch (bound.later) {
    case "value":
      return rows[bound.command]?.[0]?.[bound.column] ?? null
    case "known":
      return bound.cell
    case "rows":
    case "knownRows":
      throw new Error("keys are a parameter as a set only")
    case "set": {
      const { of, types } = bound
      const tuples = Array.isArray(of)
        ? (of as readonly (readonly (Value | DeferredParameter)[])[])
        : rowsOf(of as DeferredParameter, rows)
      const known = tuples.map((tuple) =>
        tuple.map((part) =>
          isDeferredParameter(part) ? (resolve(part, rows, encodeSet) as Value) : (part as Value),
        ),
      )
      return encodeSet(known, types)
    }
  }
}

function rowsOf(
  later: DeferredParameter,
  rows: readonly (readonly (readonly CellValue[])[])[],
): readonly (readonly Value[])[] {
  if (later.later === "knownRows") return later.rows as readonly (readonly Value[])[]
  return later.later === "rows" ? ((rows[later.command] ?? []) as readonly (readonly Value[])[]) : []
}
