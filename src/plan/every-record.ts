// The filter that every record meets, and how to recognize it.

import type { Model, Resource } from "../model/model.ts"
import { foldFilter } from "./fold.ts"
import { relationNamed } from "./lookup.ts"
import type { Filter } from "./read-plan.ts"

/** A condition that every record meets. */
export const everyRecord: Filter = { kind: "and", of: [] }

/** A condition that no record meets. */
export const noRecord: Filter = { kind: "or", of: [] }

/** No condition at all: it holds for every record. */
export const isForAll = (condition: Filter): boolean => condition.kind === "and" && condition.of.length === 0

/** True where the condition holds for every record, and false where for none, whatever it compares; otherwise undefined. */
export function constantTruth(model: Model, resource: Resource, condition: Filter): boolean | undefined {
  const unknown = (): undefined => undefined
  return foldFilter<boolean | undefined>(model, resource, condition, {
    and: (_, parts) => jointTruth(false, parts),
    or: (_, parts) => jointTruth(true, parts),
    not: (_, inner) => (inner === undefined ? undefined : !inner),
    ...{ compare: unknown, isNull: unknown, together: unknown, settled: unknown },
    related: ({ relation }, inner, at) => {
      const own = relationNamed(at, relation)
      return inner && own.kind === "one" && own.optional ? undefined : inner
    },
    quantified: ({ quantifier }, inner) => {
      if (quantifier === "every") return inner || undefined
      return inner === false ? quantifier === "none" : undefined
    },
  })
}

/** A connective's result is settled by one such part, and by all others. */
export function jointTruth(settling: boolean, parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(settling)) return settling
  return parts.includes(undefined) ? undefined : !settling
}
