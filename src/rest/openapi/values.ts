// JSON Schema (draft 2020-12) of what values are compared with, and what all schemas of one document share.

import {
  closed,
  type Detail,
  described,
  enumSchema,
  isCompact,
  type Schemas,
} from "../../http/schemas/values.ts"
import type { Field, Model } from "../../model/model.ts"
import { identityOperators, type OperatorName, operators, operatorsOf } from "../../model/operators.ts"
import { type ScalarName, scalars } from "../../model/scalars.ts"
import { type Components, collectComponents, freeName, type Json } from "./components.ts"

/** The shared context of one document's schemas. */
export interface Describing extends Schemas {
  readonly components: Components
  /** The name itself, or with `_` when a resource or an enumeration has it. */
  free(name: string): string
}

/** The context of a new document. */
export function startDescribing(model: Model, { depth, purpose }: Detail): Describing {
  const named = [...model.resources.values(), ...model.histories.values()].map(({ type }) => type)
  const taken = new Set([...named, ...model.enums.keys()])
  const components = collectComponents(taken)
  return {
    ...{ model, depth, purpose, components },
    free: (name) => freeName(taken, name),
    named: (name, make) => components.refer("schemas", name, make),
    derived: (name, make) => components.refer("schemas", freeName(taken, name), make),
  }
}

/** The schema of a comparison with a field: an object of its operators. Undefined when it has none. */
export function comparisonSchema(describing: Describing, field: Field): Json | undefined {
  const names = operatorsOf(field)
  if (names.length === 0) return undefined
  const enumeration = describing.model.enums.get(field.enumeration ?? "")
  const about = `${enumeration?.name ?? pascal(comparedAs(field.scalar))}${field.list ? "List" : ""}`
  const operand = enumeration ? enumSchema(describing, enumeration) : operandSchema(field.scalar)
  return comparison(describing, { about, optional: field.optional, names, operand })
}

export function identitySchema(describing: Describing, optional: boolean): Json {
  const names = identityOperators(optional)
  return comparison(describing, { about: "Id", optional, names, operand: { type: ["string", "integer"] } })
}

interface Comparison {
  readonly about: string
  readonly optional: boolean
  readonly names: readonly OperatorName[]
  readonly operand: Json
}

function comparison(describing: Describing, { about, optional, names, operand }: Comparison): Json {
  const { depth } = describing
  const certain = names.filter((name) => operators[name].operand !== "flag")
  if (optional && isCompact(describing) && certain.length > 0)
    return describing.derived(`Optional${about}Match`, () => ({
      allOf: [comparison(describing, { about, optional: false, names: certain, operand })],
      ...members(names.filter((name) => !certain.includes(name))),
    }))
  return describing.derived(`${optional ? "Optional" : ""}${about}Match`, () => ({
    ...members(names),
    ...closed(describing),
  }))

  function members(names: readonly OperatorName[]): Json {
    return {
      type: "object",
      properties: Object.fromEntries(
        names.map((name) => [
          name,
          described(operandOf(name, operand), depth === "full" ? operators[name].description : undefined),
        ]),
      ),
    }
  }
}

function operandOf(name: OperatorName, value: Json): Json {
  switch (operators[name].operand) {
    case "values":
      return { type: "array", items: value }
    case "flag":
      return { type: "boolean" }
    case "text":
      return { type: "string" }
    case "value":
      return value
  }
}

/** A filter need not be an e-mail address to be compared with one. */
const comparedAs = (scalar: ScalarName): ScalarName => (scalars[scalar].family === "text" ? "text" : scalar)

function operandSchema(given: ScalarName): Json {
  const scalar = comparedAs(given)
  const { wire, format } = scalars[scalar]
  if (scalar === "int64" || scalar === "decimal") return { type: ["string", "integer"] }
  return {
    type: scalar === "integer" ? "integer" : wire,
    ...(format === undefined || wire === "number" ? {} : { format }),
  }
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
