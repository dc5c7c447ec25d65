// Enumerations of a database: the used ones, and their names beside the resources.

import type { EnumDeclaration } from "../declaration/declaration.ts"
import { camelCase, pascalCase } from "../names.ts"
import { reservedTypes } from "../reserved.ts"
import { collectNames, memberName } from "./api-names.ts"
import type { Catalog } from "./catalog.ts"
import type { FindEnum } from "./column-types.ts"
import type { Entry } from "./draft-resources.ts"

type Of = readonly [string, ...string[]] | string

export interface Enums {
  /** A field's enumeration: the name of a shared one, or the values themselves. */
  refer(resource: string, field: string, of: Of): Of
  /** The values of the enumeration that a field refers to. */
  valuesOf(of: Of): Of
  declared(): { readonly enums?: Readonly<Record<string, EnumDeclaration>> }
}

const identity = (schema: string, name: string): string => `${schema}.${name}`

/** Types refer to enumerations by schema and name until all resources have names. */
export function enumFinder({ enums }: Catalog): FindEnum {
  const fit = enums.filter(({ values }) => values.length > 0 && !values.includes(""))
  const known = new Set(fit.map(({ schema, name }) => identity(schema, name)))
  return (schema, name) => (known.has(identity(schema, name)) ? identity(schema, name) : undefined)
}

export function nameEnums({ enums }: Catalog, entries: readonly Entry[]): Enums {
  const names = collectNames([...reservedTypes, ...entries.map(({ name }) => pascalCase(name))])
  const take = (...[first, ...others]: [string, ...string[]]) =>
    names.take([first, ...others], (name) => [pascalCase(name)])
  const used = new Set(entries.flatMap(({ draft }) => [...draft.types.values()].map(({ of }) => of)))
  const shared = new Map<string, string>()
  const declared: Record<string, EnumDeclaration> = {}
  for (const { schema, name, values, comment } of enums) {
    const [first, ...others] = values
    if (!used.has(identity(schema, name)) || first === undefined) continue
    const wanted = memberName(name, "column")
    const own = take(wanted, camelCase(`${schema} ${wanted}`), `${wanted}Value`)
    shared.set(identity(schema, name), own)
    declared[own] = { values: [first, ...others], ...(comment === undefined ? {} : { description: comment }) }
  }
  return {
    refer(resource, field, of) {
      if (typeof of === "string") return shared.get(of) ?? of
      const wanted = `${resource}${pascalCase(field)}`
      const own = take(wanted, `${wanted}Value`)
      if (own === wanted) return of
      declared[own] = { values: of }
      return own
    },
    valuesOf: (of) => (typeof of === "string" ? (declared[of]?.values ?? of) : of),
    declared: () => (Object.keys(declared).length === 0 ? {} : { enums: declared }),
  }
}
