// A rule as the ways in which it can hold: each way a list of facts that must all be so (its disjunctive normal form).
import type { Model, Resource } from "../../model/model.ts"
import { subjectName, targetOf } from "../lookup.ts"
import type { Filter } from "../read-plan.ts"
import type { Rule } from "./policy-types.ts"

type Comparison = Extract<Filter, { readonly kind: "compare" | "isNull" }>

export type Fact =
  | {
      readonly kind: "asked"
      /** Tells equal questions from others. */
      readonly key: string
      /** The question in words. */
      readonly what: string
      readonly holds: boolean
      /** The condition on the record; absent where the question is about the caller's credentials. */
      readonly where?: Filter
    }
  | {
      readonly kind: "value"
      /** `customer.name` */
      readonly name: string
      /** The resource that has the member. */
      readonly resource: Resource
      readonly asked: Comparison
      readonly holds: boolean
    }

export type Way = readonly Fact[]

/** More ways than this are not looked through. */
const mostWays = 256

export interface Looking {
  readonly model: Model
  /** Whether the facts of this way exclude each other. */
  isClosed(way: Way): boolean
}

/** Undefined when there are too many. */
export function waysOf(
  looking: Looking,
  resource: Resource,
  rule: Rule,
  holds = true,
): readonly Way[] | undefined {
  switch (rule.kind) {
    case "and":
    case "or": {
      const parts = rule.of.map((part) => waysOf(looking, resource, part, holds))
      return (rule.kind === "and") === holds ? product(parts) : sum(parts)
    }
    case "not":
      return waysOf(looking, resource, rule.of, !holds)
    case "signedIn":
      return [[signedIn(holds)]]
    case "role":
    case "scope": {
      const what = `the ${rule.kind} ${JSON.stringify(rule.name)}`
      const asked: Fact = { kind: "asked", key: `${rule.kind} ${rule.name}`, what, holds }
      return [holds ? [asked, signedIn(true)] : [asked]]
    }
    case "records": {
      const ways = filterWays({ ...looking, resource, path: [] }, rule.where, holds)
      return rule.viewer ? product([[[signedIn(true)]], ways]) : ways
    }
  }
}

const signedIn = (holds: boolean): Fact => ({
  kind: "asked",
  key: "signedIn",
  what: "signed-in actors",
  holds,
})

interface Spot extends Looking {
  readonly resource: Resource
  /** To-one relations that led here; all have a target. */
  readonly path: readonly string[]
}

function filterWays(spot: Spot, filter: Filter, holds: boolean): readonly Way[] | undefined {
  switch (filter.kind) {
    case "and":
    case "or": {
      const parts = filter.of.map((part) => filterWays(spot, part, holds))
      return (filter.kind === "and") === holds ? product(parts) : sum(parts)
    }
    case "not":
      return filterWays(spot, filter.of, !holds)
    case "together":
      return [
        [
          {
            kind: "asked",
            key: `together ${filter.relation}`,
            what: `\`${filter.relation}\` made together`,
            holds,
            where: filter,
          },
        ],
      ]
    case "settled":
      return undefined
    case "compare":
    case "isNull": {
      const name = [...spot.path, subjectName(spot.resource, filter.subject)].join(".")
      return [[{ kind: "value", name, resource: spot.resource, asked: filter, holds }]]
    }
    case "related":
      return holds
        ? filterWays(within(spot, filter.relation), filter.of, true)
        : [[opaque(spot, filter.relation, filter, false)]]
    case "quantified": {
      const { relation, quantifier, of } = filter
      // `none` and `every` are that there is none of some; one key for all three tells opposites.
      const counted: Filter = quantifier === "every" ? { kind: "not", of } : of
      const some = (quantifier === "some") === holds
      const inner = some ? filterWays(within(spot, relation), counted, true) : undefined
      return inner?.every(spot.isClosed)
        ? []
        : [[opaque(spot, relation, { ...filter, quantifier: "some", of: counted }, some)]]
    }
  }
}

const within = (spot: Spot, relation: string): Spot => ({
  ...spot,
  resource: targetOf(spot.model, spot.resource, relation),
  path: [...spot.path, relation],
})

const opaque = ({ path }: Spot, relation: string, filter: Filter, holds: boolean): Fact => {
  const name = [...path, relation].join(".")
  return {
    kind: "asked",
    key: `${name} ${JSON.stringify(filter)}`,
    what: `\`${name}\``,
    holds,
    where: filter,
  }
}

type Parts = readonly (readonly Way[] | undefined)[]

function sum(parts: Parts): readonly Way[] | undefined {
  const known = parts.filter((ways) => ways !== undefined)
  return known.length < parts.length ? undefined : bounded(known.flat())
}

/** A part that cannot hold settles it, even if another has too many ways. */
function product(parts: Parts): readonly Way[] | undefined {
  if (parts.some((ways) => ways?.length === 0)) return []
  let all: readonly Way[] | undefined = [[]]
  for (const ways of parts) {
    if (!ways || !all) return undefined
    if (all.length * ways.length > mostWays) return undefined
    all = all.flatMap((way) => ways.map((next) => [...way, ...next]))
  }
  return all
}

const bounded = (ways: readonly Way[]): readonly Way[] | undefined =>
  ways.length > mostWays ? undefined : ways
