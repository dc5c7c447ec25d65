// Paths of a rule: each chain of relations by which it may hold, as a question of its own.
import type { Draft } from "../draft/draft.ts"
import { everyRecord, isForAll } from "../every-record.ts"
import { partsIn } from "../fold.ts"
import type { Filter, List, Member } from "../read-plan.ts"

/** From the record on. Its last step is the only one that may ask for `every` or `none`. */
export type RulePath = readonly [PathStep, ...PathStep[]]

export interface PathStep {
  readonly relation: string
  readonly quantifier: "one" | "some" | "every" | "none"
  /** The condition on the records by themselves, without the next step. */
  readonly own: Filter
  /** Other paths that lead on from the same records. */
  readonly beside: Filter
}

/** Conditions within `not` are no paths. */
export const rulePaths = (rule: Filter): readonly RulePath[] =>
  waysOf(rule).flatMap(({ steps: [first, ...more] }) => (first ? [[first, ...more] as const] : []))

/** A path, and what else is asked of the record where it begins. */
interface Way {
  readonly steps: readonly PathStep[]
  readonly also: readonly Filter[]
}

function waysOf(filter: Filter): readonly Way[] {
  switch (filter.kind) {
    case "or":
      return filter.of.flatMap(waysOf)
    case "and":
      return filter.of.flatMap((part, at) => {
        const others = filter.of.filter((_, other) => other !== at)
        return waysOf(part).map(({ steps, also }) => ({ steps, also: [...also, ...others] }))
      })
    case "related":
      return waysOn(filter.relation, "one", filter.of)
    case "quantified":
      return filter.quantifier === "some"
        ? waysOn(filter.relation, "some", filter.of)
        : [{ steps: [{ ...filter, own: filter.of, beside: everyRecord }], also: [] }]
    default:
      return []
  }
}

function waysOn(relation: string, quantifier: "one" | "some", of: Filter): readonly Way[] {
  const direct = withoutPaths(of)
  const ends: readonly Way[] = direct ? [{ steps: [], also: [direct] }] : []
  return [...waysOf(of), ...ends].map(({ steps, also }) => {
    const own = all(also.filter((part) => !hasPath(part)))
    return { steps: [{ relation, quantifier, own, beside: all(also.filter(hasPath)) }, ...steps], also: [] }
  })
}

/** The rest where no path is taken; undefined where it cannot hold without one. */
function withoutPaths(filter: Filter): Filter | undefined {
  if (filter.kind === "related" || filter.kind === "quantified") return undefined
  if (filter.kind !== "and" && filter.kind !== "or") return filter
  const of = filter.of.map(withoutPaths).filter((part) => part !== undefined)
  if (filter.kind === "and") return of.length === filter.of.length ? { kind: "and", of } : undefined
  return of.length > 0 ? { kind: "or", of } : undefined
}

const hasPath = (filter: Filter): boolean =>
  partsIn(filter).some(({ kind }) => kind === "related" || kind === "quantified")

function all(filters: readonly Filter[]): Filter {
  const of = filters.filter((filter) => !isForAll(filter))
  return of.length === 1 && of[0] ? of[0] : { kind: "and", of }
}

/** The condition that the record meets where the path leads somewhere. */
export function pathCondition([step, ...more]: RulePath): Filter {
  const { relation, quantifier } = step
  const of = conditionOf(step, more)
  return quantifier === "one"
    ? { kind: "related", relation, of }
    : { kind: "quantified", relation, quantifier, of }
}

/** The condition on a record of the step. */
export function conditionOf({ own, beside }: PathStep, [next, ...more]: readonly PathStep[]): Filter {
  return all([own, beside, ...(next ? [pathCondition([next, ...more])] : [])])
}

/** The path up to a step, and of its records no more than what they are like by themselves. */
export function upTo([first, ...more]: RulePath, last: number): RulePath {
  const alone = (step: PathStep): PathStep => ({ ...step, beside: everyRecord })
  return [alone(first), ...more.slice(0, last).map(alone)]
}

/** Records of a step that an answer names. */
const shown = 3

/** Reads the records along the path. `against`: at the last step, those that it asks not to be there. */
export function pathMembers(
  draft: Draft,
  [step, ...more]: readonly PathStep[],
  against: boolean,
): readonly Member[] {
  const id: Member = { kind: "id", key: "id" }
  if (!step) return [id]
  const { relation, quantifier } = step
  const members = pathMembers(draft, more, against)
  if (quantifier === "one") return [id, { kind: "one", key: "next", relation, members }]
  const of = conditionOf(step, against ? more.slice(0, -1) : more)
  const list: List = {
    where: quantifier === "every" ? { kind: "not", of } : of,
    order: [{ path: [], subject: { kind: "id" }, descending: false }],
    page: { direction: "forward", limit: draft.bind(shown), atMost: shown },
    members: [
      { kind: "rows", key: "rows", members },
      { kind: "total", key: "total" },
    ],
  }
  return [id, { kind: "many", key: "next", relation, list }]
}
