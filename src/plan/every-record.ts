// The filter that every record meets, and how to recognise it.
import { match } from "../base/match.ts"
import type { Model, Resource } from "../model/model.ts"
import { relationNamed, targetOf } from "./lookup.ts"
import type { Filter } from "./read-plan.ts"

/** A condition that every record meets. */
export const everyRecord: Filter = { kind: "and", of: [] }

/** A condition that no record meets. */
export const noRecord: Filter = { kind: "or", of: [] }

/** No condition at all: it holds for every record. */
export const isForAll = (condition: Filter): boolean => condition.kind === "and" && condition.of.length === 0

/** True where the condition holds for every record, and false where for none, whatever it compares; otherwise undefined. */
export function constantTruth(model: Model, resource: Resource, condition: Filter): boolean | undefined {
  const truth = (of: Filter, at = resource): boolean | undefined => constantTruth(model, at, of)
  /** The connective's result is settled by one such part, and by all others. */
  const settledBy = (settling: boolean, of: readonly Filter[]): boolean | undefined => {
    const parts = of.map((part) => truth(part))
    if (parts.includes(settling)) return settling
    return parts.includes(undefined) ? undefined : !settling
  }
  return match(condition, {
    and: ({ of }) => settledBy(false, of),
    or: ({ of }) => settledBy(true, of),
    not: ({ of }) => {
      const inner = truth(of)
      return inner === undefined ? undefined : !inner
    },
    compare: () => undefined,
    isNull: () => undefined,
    together: () => undefined,
    settled: () => undefined,
    related: ({ relation, of }) => {
      const own = relationNamed(resource, relation)
      const inner = truth(of, targetOf(model, resource, relation))
      return inner && own.kind === "one" && own.optional ? undefined : inner
    },
    quantified: ({ relation, quantifier, of }) => {
      const inner = truth(of, targetOf(model, resource, relation))
      if (quantifier === "every") return inner || undefined
      return inner === false ? quantifier === "none" : undefined
    },
  })
}
