// Loads a service with Bifold's own resources, and reports mistakes at their place in the service file.
import { type Problem, Refusal } from "../base/problem.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import { writtenAt } from "../model/declaration/source-place.ts"
import type { Model } from "../model/model.ts"
import { loadService } from "../plan/access/policies.ts"
import { apiKey } from "../system/api-key.ts"
import { withSystem } from "../system/with-system.ts"

/** Throws a Refusal with every mistake, each once, with its place and, where a builder of it was called, file and line. */
export function loadWritten(written: ServiceDeclaration): Model {
  try {
    return loadService(withSystem(written))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [first, ...rest] = once(error.problems.map((problem) => placed(written, problem)))
    throw first ? new Refusal([first, ...rest], { cause: error }) : error
  }
}

function placed(written: ServiceDeclaration, problem: Problem): Problem {
  if (problem.place === undefined) return problem
  const place = ownPlace(written, problem.place)
  const source = writtenAt(written, place)
  return { ...problem, place, ...(source && { source }) }
}

type Place = NonNullable<Problem["place"]>

/** Rules of Bifold's own resources are made of `manage` and `grant`: a mistake in them is reported there. */
export function ownPlace({ resources, identity, webhooks }: ServiceDeclaration, place: Place): Place {
  const [first, name, member, granted, , ...within] = place
  if (first !== "resources" || typeof name !== "string" || Object.hasOwn(resources ?? {}, name)) return place
  const [from, declared] =
    name === apiKey
      ? ([["identity", "keys"], identity?.keys] as const)
      : name.startsWith("webhook")
        ? ([["webhooks"], webhooks] as const)
        : []
  if (!from) return place
  if (member === "grants" && granted !== undefined) return [...from, "grant", granted, ...within]
  const manage = typeof declared === "object" ? declared.manage : undefined
  // Of an action, a field or a transition.
  const rule = member === "allow" ? 4 : place.findIndex((step) => step === "write" || step === "allow") + 1
  const [index, ...rest] = place.slice(rule)
  if (rule === 0 || manage === undefined || typeof index !== "number") return from
  if (!Array.isArray(manage)) return index === 0 ? [...from, "manage", ...rest] : from
  return index < manage.length ? [...from, "manage", index, ...rest] : from
}

function once(problems: readonly Problem[]): readonly Problem[] {
  const known = new Map(problems.map((it) => [JSON.stringify([it.place, it.message]), it]))
  return [...known.values()]
}
