// load: from what a person wrote to the frozen Model, or to every mistake in it at once.
import { buildModel } from "./build-model.ts"
import type { ServiceDeclaration } from "./declaration.ts"
import type { Model } from "./model.ts"

/** The Model of a service. */
export function load(declaration: ServiceDeclaration): Model {
  return freeze(buildModel(declaration))
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
