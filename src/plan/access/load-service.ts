// A service as it is opened: its declaration and its rules, with the mistakes of both at once.
import { present } from "../../base/invariant.ts"
import { Refusal } from "../../base/problem.ts"
import type { ServiceDeclaration } from "../../model/declaration/declaration.ts"
import { examine } from "../../model/load.ts"
import type { Model } from "../../model/model.ts"
import { rulesOf } from "./policies.ts"

/**
 * The Model of a service. Throws a Refusal with every mistake, each with its place in the declaration; those of rules are
 * among them unless names, keys or relations of resources are wrong, on which they build.
 */
export function loadService(declaration: ServiceDeclaration): Model {
  const { problems, model } = examine(declaration)
  if (model)
    try {
      rulesOf(model)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.found.push(...error.problems)
    }
  problems.settle()
  return present(model, "a service without mistakes has a Model")
}
