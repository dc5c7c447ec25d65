// Path items of the OpenAPI document: what all operations of an address take is said once, for the address.
import type { JsonValue } from "../../base/json.ts"
import type { Json } from "./components.ts"

/** @param item operations by method */
export function shareParameters(item: Json): Json {
  const operations = Object.entries(item as Readonly<Record<string, Json>>)
  const [first = [], ...others] = operations.map(([, operation]) => parametersOf(operation))
  const common = first.filter((parameter) => others.every((list) => list.includes(parameter)))
  if (others.length === 0 || common.length === 0) return item
  const shared = new Set(common)
  return {
    parameters: common.map((parameter) => JSON.parse(parameter)),
    ...Object.fromEntries(
      operations.map(([method, operation]) => {
        const own = parametersOf(operation).filter((parameter) => !shared.has(parameter))
        const members = Object.entries(operation).flatMap(([name, value]): [string, JsonValue][] => {
          if (name !== "parameters") return [[name, value]]
          return own.length === 0 ? [] : [[name, own.map((parameter) => JSON.parse(parameter))]]
        })
        return [method, Object.fromEntries(members)]
      }),
    ),
  }
}

/** As texts, which are equal where they say the same. */
const parametersOf = ({ parameters }: Json): readonly string[] =>
  ((parameters ?? []) as readonly JsonValue[]).map((parameter) => JSON.stringify(parameter))
