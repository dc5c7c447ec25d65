// What the rules say of one use of a member: whether its names are known, and then the answer over what is seen.
import type { Relation, Resource } from "../../src/model/model.ts"
import { evaluateList, type World } from "../properties/evaluate.ts"
import type { ListQuestion } from "../properties/question.ts"
import type { Interpreter } from "../support/naive-access.ts"
import type { Verdict } from "./ask.ts"
import { resourceOf } from "./guarded.ts"
import type { Use } from "./uses.ts"

/** @param seen the world as whoever asks sees it */
export function verdictOn(interpreter: Interpreter, seen: World, use: Use): Verdict {
  const resource = resourceOf(seen.model, use.resource)
  const known = [use.root, use.resource].every((name) => interpreter.knows(name))
  if (!known || !knowsMember(interpreter, resource, use.member)) return "refused"
  return evaluateList(seen, resourceOf(seen.model, use.root), seen.rows.get(use.root) ?? [], use.list)
}

/** References go with the resource that they name. */
export function knowsMember(interpreter: Interpreter, resource: Resource, name: string): boolean {
  if (name === "id") return true
  const relation = [...resource.relations.values()].find(
    (one) => one.kind === "one" && one.reference === name,
  )
  return relation ? knowsRelation(interpreter, relation) : interpreter.knowsField(resource.name, name)
}

export const knowsRelation = (interpreter: Interpreter, relation: Relation): boolean =>
  interpreter.knows(relation.target)

/** `id`, fields and references, in the order in which a whole record has them. */
export const scalarsOf = ({ fields, relations }: Resource): readonly string[] => [
  "id",
  ...fields.keys(),
  ...[...relations.values()].flatMap((one) => (one.kind === "one" && one.reference ? [one.reference] : [])),
]

/** Cursors stand at records that somebody sees: where there are too few, the question is asked without. */
export function fitted(list: ListQuestion, count: number): ListQuestion {
  const { after, before, ...page } = list.page
  return {
    ...list,
    page: {
      ...page,
      ...(after !== undefined && after < count && { after }),
      ...(before !== undefined && before < count && { before }),
    },
  }
}
