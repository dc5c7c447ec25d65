// The OpenAPI document of every level and every answer, with what operations and addresses share in its place.
import type { JsonValue } from "../../src/base/json.ts"
import type { Model } from "../../src/model/model.ts"
import { openapi } from "../../src/rest/openapi/openapi.ts"

type Tree = { [name: string]: JsonValue }

interface Document {
  readonly paths: Record<string, Record<string, Tree>>
  readonly components: Record<string, Record<string, JsonValue>>
}

/** The document, changed: operations have all their parameters and responses, and no references to them. */
export function inPlace<Whole>(document: Whole): Whole {
  const { paths, components } = document as unknown as Document
  const found = (value: JsonValue): JsonValue => {
    const reference = (value as { $ref?: string }).$ref
    if (reference === undefined) return value
    const [, , section = "", name = ""] = reference.split("/")
    return components[section]?.[name] ?? value
  }
  for (const operations of Object.values(paths)) {
    const { parameters: common = [] } = operations as { parameters?: JsonValue[] }
    delete operations["parameters"]
    for (const operation of Object.values(operations)) {
      const { parameters, responses } = operation as { parameters?: JsonValue[]; responses: Tree }
      if (parameters || common.length > 0)
        operation["parameters"] = [...common, ...(parameters ?? [])].map(found)
      operation["responses"] = Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, found(response)]),
      )
    }
  }
  return document
}

/** @param base the path before all others */
export const described = (model: Model, base = ""): JsonValue =>
  inPlace(openapi(model, { base, depth: "full", purpose: "validation" }))
