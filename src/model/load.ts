// load: from what a person wrote to the frozen Model, or to every mistake in it at once.
import { present } from "../base/invariant.ts"
import { collectProblems, type Problems } from "../base/problem.ts"
import { buildModel } from "./build/build-model.ts"
import { withStates, writtenPlace } from "./declaration/add-state-fields.ts"
import type { ServiceDeclaration } from "./declaration/declaration.ts"
import { parseDeclaration } from "./language/declaration.ts"
import type { Model } from "./model.ts"
import type { Rule } from "./validation/context.ts"
import { ofValues, rules } from "./validation/rules.ts"
import { makeModelAt } from "./versions/model-at.ts"

/** The Model of a service. Throws a Refusal with every mistake, each with its place in the declaration. */
export function load(declaration: ServiceDeclaration): Model {
  const { problems, model } = examine(declaration)
  problems.settle()
  return present(model, "a service without mistakes has a Model")
}

interface Examined {
  readonly problems: Problems
  /** Also for a service with mistakes, when they are in values only: later checks then find more of them. */
  readonly model?: Model
}

/** Every mistake of a service. Throws a Refusal when it is not even shaped like one. */
export function examine(declaration: ServiceDeclaration): Examined {
  const written = parseDeclaration(declaration)
  const service = withStates(written)
  const problems = collectProblems(Number.POSITIVE_INFINITY)
  let sound = true
  for (const [name, rule] of Object.entries<Rule>(rules)) {
    const before = problems.found.length
    rule(service, (place, message, hint) =>
      problems.add("invalid_declaration", writtenPlace(written, place), message, hint),
    )
    sound &&= problems.found.length === before || ofValues.has(name)
  }
  if (!sound) return { problems }
  const model = freeze(buildModel(service))
  checkVersions(model, problems)
  return { problems, model }
}

/** Each older version has what its changes refer to. */
function checkVersions(model: Model, problems: Problems): void {
  const oldest = model.versions?.at(-1)
  if (!oldest) return
  makeModelAt(model, oldest.name, (version, change, message, hint) =>
    problems.add("invalid_declaration", ["versions", version, change], message, hint),
  )
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
