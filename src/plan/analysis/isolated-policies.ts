// Isolated policies: each rule of an action, field or operation alone, as the engine would apply it.
import { present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Action, Model, Resource, Transition } from "../../model/model.ts"
import type { RuleDeclaration, RuleObject } from "../../model/policy-declaration.ts"
import { machinePlace } from "../access/parse-policy.ts"
import { noResource, rulesOf } from "../access/policies.ts"
import type { ActionName } from "../access/policy-types.ts"
import { type Claims, openModel, visibleModelOf } from "../access/visible-model.ts"
import type { Draft } from "../draft/draft.ts"
import { everyRecord, isForAll } from "../every-record.ts"
import { partsIn } from "../fold.ts"
import { resourceNamed } from "../lookup.ts"
import type { Filter, List, Member } from "../read-plan.ts"
import { printCondition, printGrant, wordingOf } from "./print-policy.ts"

export interface IsolatedPolicy {
  /** In the declaration. */
  readonly place: Place
  readonly text: string
  /** Names of the fields that it is about, where that is not all. */
  readonly fields?: ReadonlySet<string>
  /** For which records it holds; null for none, whatever is in them. */
  readonly holds: RecordsOf | null
}

/** Some records of a resource. */
export interface RecordsOf {
  /** `all`, or the condition in words. */
  readonly text: string
  /** An open service, but for the resource: there are those records only. */
  readonly model: Model
  readonly where: Filter
  /** The model that the condition is of. */
  readonly audience: Model
}

/** Any of an action's rules is enough. */
export function rulesOfAction(
  whole: Model,
  standing: Claims,
  { resource, action }: { readonly resource: Resource; readonly action: ActionName },
): readonly IsolatedPolicy[] {
  const place = ["resources", resource.name, "allow", action]
  const slot = action === "create" || action === "update" ? "update" : "read"
  return singleRules(whole, standing, { resource, declared: resource.allow?.[action], place, slot })
}

/** Alternatives: the transition's own rules, or the rules of update where it has none. */
export function rulesOfTransition(
  whole: Model,
  standing: Claims,
  { resource, transition }: { readonly resource: Resource; readonly transition: Transition },
): readonly IsolatedPolicy[] {
  const { name, allow } = transition
  if (allow === undefined) return rulesOfAction(whole, standing, { resource, action: "update" })
  const machine = present(resource.machines.get(transition.machine), `${name} belongs to a machine`)
  const place = [...machinePlace(resource, machine), name, "allow"]
  return singleRules(whole, standing, { resource, declared: allow, place })
}

/** Any of them is enough. */
export function rulesOfUserAction(
  whole: Model,
  standing: Claims,
  { resource, action }: { readonly resource: Resource; readonly action: Action },
): readonly IsolatedPolicy[] {
  const place = ["code", "actions", resource.name, action.name, "allow"]
  return singleRules(whole, standing, { resource, declared: action.allow, place })
}

/** Any of them is enough. */
export function rulesOfOperation(
  whole: Model,
  standing: Claims,
  operation: Action,
): readonly IsolatedPolicy[] {
  const { name, allow } = operation
  return placedRules(allow, ["code", "operations", name, "allow"]).map(({ rule, place }): IsolatedPolicy => {
    const only: Model = {
      ...whole,
      operations: new Map([...(whole.operations ?? []), [name, { ...operation, allow: rule }]]),
    }
    const { seats, operations } = rulesOf(only)
    const read = present(operations.get(name), `${name} has a rule`)
    const left = visibleModelOf(only, standing)
    const access = left.operations?.get(name)?.access
    return {
      place,
      text: printGrant({ model: only, seats }, noResource, { rule: read }),
      holds: access
        ? {
            text: printCondition(wordingOf(left), noResource, access),
            model: left,
            where: access,
            audience: left,
          }
        : null,
    }
  })
}

/** Any of them is enough; none when the field goes with the record. */
export function rulesOfField(
  whole: Model,
  standing: Claims,
  asked: { readonly resource: Resource; readonly field: string; readonly access: "read" | "write" },
): readonly IsolatedPolicy[] {
  const { resource, field, access } = asked
  const declared = resource.fields.get(field)?.[access]
  return singleRules(whole, standing, {
    resource,
    declared,
    place: ["resources", resource.name, "fields", field, access],
    slot: access === "write" ? "update" : "read",
  })
}

function singleRules(
  whole: Model,
  standing: Claims,
  given: {
    readonly resource: Resource
    readonly declared: RuleDeclaration | undefined
    readonly place: Place
    /** Some forms belong to rules of writes only. */
    readonly slot?: "read" | "update"
  },
): readonly IsolatedPolicy[] {
  const { declared, slot = "read" } = given
  const { withheld: _, grants: __, ...resource } = given.resource
  return placedRules(declared, given.place).map(({ rule, place }): IsolatedPolicy => {
    const allow = { read: { anyone: true }, [slot]: rule } as const
    const only = withResource(whole, { ...resource, allow, machines: new Map() })
    const { seats, resources } = rulesOf(only)
    const [grant] = resources.get(resource.name)?.actions[slot] ?? []
    const left = visibleModelOf(only, standing)
    const where = left.resources.get(resource.name)?.access?.[slot]
    return {
      place,
      text: grant ? printGrant({ model: only, seats }, resource, grant) : "",
      ...(grant?.fields && { fields: grant.fields }),
      holds: where ? recordsOf(left, resource.name, where) : null,
    }
  })
}

function placedRules(
  declared: RuleDeclaration | undefined,
  place: Place,
): readonly { readonly rule: RuleObject; readonly place: Place }[] {
  if (declared === undefined) return []
  const several: readonly RuleObject[] = Array.isArray(declared) ? declared : [declared]
  return several.map((rule, index) => ({ rule, place: Array.isArray(declared) ? [...place, index] : place }))
}

/** @param audience whose condition it is: of its rules, over the whole service */
export function recordsOf(audience: Model, name: string, where: Filter): RecordsOf {
  const whole = audience.audience?.whole ?? audience
  const open = openModel(whole)
  const resource = resourceNamed(open, name)
  const only = withResource(open, {
    ...resource,
    ...(resource.access && { access: { ...resource.access, read: where } }),
  })
  return {
    text: printCondition(wordingOf(audience), resourceNamed(whole, name), where),
    model: { ...only, ...(audience.audience && { audience: audience.audience }) },
    where,
    audience,
  }
}

const withResource = (model: Model, resource: Resource): Model => ({
  ...model,
  resources: new Map([...model.resources, [resource.name, resource]]),
})

// Paths of a rule: each chain of relations by which it may hold, as a question of its own.

/** From the record on. Its last step is the only one that may ask for `every` or `none`. */
export type RulePath = readonly [PathStep, ...PathStep[]]

export interface PathStep {
  readonly relation: string
  readonly quantifier: "one" | "some" | "every" | "none"
  /** The condition on the records alone, without the next step. */
  readonly own: Filter
  /** Other paths that lead on from the same records. */
  readonly beside: Filter
}

/** Conditions within `not` are no paths. */
export const rulePaths = (rule: Filter): readonly RulePath[] =>
  waysOf(rule).flatMap(({ steps: [first, ...more] }) => (first ? [[first, ...more] as const] : []))

/** A path, and further conditions on the record where it begins. */
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

/** The condition that a record meets where the path leads to some other record. */
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

/** The path up to a step, and only the conditions on its records alone. */
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
