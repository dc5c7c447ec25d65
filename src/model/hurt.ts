// A model whose database has drifted from it: the resources that are hurt are marked, so that the others can be served.
import type { Problem } from "../base/problem.ts"
import type { TableList } from "./catalog.ts"
import { findMissing } from "./missing.ts"
import type { Model } from "./model.ts"

interface Drift {
  readonly model: Model
  /** What the database lacks, each with its place in the declaration. */
  readonly problems: readonly Problem[]
  /** Names of the resources that can be served. */
  readonly whole: readonly string[]
}

export function markHurt(model: Model, database: TableList): Drift {
  const problems = findMissing(model, database)
  const hurt = new Set(problems.map(({ place }) => place?.[1]))
  const resources = [...model.resources].map(
    ([name, resource]) => [name, hurt.has(name) ? { ...resource, hurt: true as const } : resource] as const,
  )
  return {
    model: problems.length === 0 ? model : { ...model, resources: new Map(resources) },
    problems,
    whole: resources.flatMap(([name]) => (hurt.has(name) ? [] : [name])),
  }
}
