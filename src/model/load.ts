// load: from what a person wrote to the frozen Model, or to every mistake in it at once.
import { collectProblems } from "../base/problem.ts"
import { buildModel } from "./build-model.ts"
import type { ServiceDeclaration } from "./declaration.ts"
import type { Model } from "./model.ts"
import { rules } from "./rules/all.ts"
import { readShape } from "./shape.ts"

/** The Model of a service. Throws a Refusal with every mistake, each with its place in the declaration. */
export function load(declaration: ServiceDeclaration): Model {
  const service = readShape(declaration)
  const problems = collectProblems()
  for (const rule of Object.values(rules))
    rule(service, (place, message, hint) => problems.add("invalid_declaration", place, message, hint))
  problems.settle()
  return freeze(buildModel(service))
}

/** Frozen all the way down; a map refuses to be changed. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  if (value instanceof Map) {
    for (const name of ["set", "delete", "clear"]) Object.defineProperty(value, name, { value: refuseChange })
    for (const item of value.values()) freeze(item)
  } else {
    for (const item of Object.values(value)) freeze(item)
  }
  return Object.freeze(value)
}

function refuseChange(): never {
  throw new TypeError("A Model does not change.")
}
