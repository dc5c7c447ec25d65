// The components of the OpenAPI document, made when they are first referred to, so that none is without use.
import type { JsonValue } from "../../base/json.ts"
import type { Json } from "../../http/schemas/values.ts"

export type { Json } from "../../http/schemas/values.ts"

type Section = "schemas" | "parameters" | "responses" | "headers"

export interface Components {
  /** `{"$ref": …}` to the component; `make` gives the component of a new name. */
  refer(section: Section, name: string, make: () => Json): Json
  all(): Json
}

/** @param taken names of resources and enumerations, which other schemas may not have */
export function collectComponents(taken: ReadonlySet<string>): Components {
  const sections = new Map<Section, Map<string, JsonValue>>()
  return {
    refer(section, name, make) {
      const known = sections.get(section) ?? new Map<string, JsonValue>()
      sections.set(section, known)
      if (!known.has(name)) {
        // Held before it is made: a schema may refer to itself.
        known.set(name, {})
        known.set(name, make())
      }
      return { $ref: `#/components/${section}/${name}` }
    },
    all: () =>
      Object.fromEntries(
        [...sections].map(([section, known]) => [section, Object.fromEntries(sorted(known))]),
      ),
  }

  function sorted(known: ReadonlyMap<string, JsonValue>): readonly (readonly [string, JsonValue])[] {
    return [...known].sort(([a], [b]) => Number(taken.has(b)) - Number(taken.has(a)) || (a < b ? -1 : 1))
  }
}

/** The name itself, or with `_` when a resource or an enumeration has it. */
export function freeName(taken: ReadonlySet<string>, name: string): string {
  return taken.has(name) ? freeName(taken, `${name}_`) : name
}
