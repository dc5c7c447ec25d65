// JSON text of a plan's values, for types whose canonical value is what answers show.
import { invariant } from "../base/invariant.ts"
import type { Value } from "../plan/read-plan.ts"
import type { ColumnType } from "./column-type.ts"
import { isDeferredParameter } from "./deferred-parameter.ts"

type Print = (value: Exclude<Value, null>) => string

const asText: Print = (value) => JSON.stringify(String(value))

const prints: Partial<Readonly<Record<ColumnType["scalar"], Print>>> = {
  text: asText,
  email: asText,
  url: asText,
  slug: asText,
  uuid: asText,
  oneOf: asText,
  date: asText,
  timestamp: asText,
  int64: asText,
  integer: String,
  boolean: String,
}

/** Undefined for other types: a decimal has the digits of its column, and SQL finds the shortest text of a double. */
export function jsonTextOf({ scalar, list, stored }: ColumnType): ((value: Value) => string) | undefined {
  const print = list || stored !== "plain" ? undefined : prints[scalar]
  if (!print) return undefined
  return (value) => {
    invariant(!isDeferredParameter(value), "the value of a field is known before the program runs")
    return value === null ? "null" : print(value)
  }
}
